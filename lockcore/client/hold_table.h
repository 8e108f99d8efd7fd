// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

struct HoldKey {
    LockTarget target;
    std::string thread;

    auto operator<=>(const HoldKey &) const = default;
};

/// What this client holds as far as it knows. A lock with a fixed lease may be gone already.
class HoldTable {
public:
    void acquired(const HoldKey &key, std::optional<Millis> lease);
    void released(const HoldKey &key, std::int64_t left);
    void forget(const HoldKey &key) { m_holds.erase(key); }

    std::int64_t count(const HoldKey &key) const;
    /// What a release that leaves holds sets the time to live to.
    Millis leaseAfterRelease(const HoldKey &key, Millis watchdogTimeout) const;
    std::vector<HoldKey> withoutLease() const;
    bool isRenewed(const HoldKey &key) const;

    void releaseBegins(const HoldKey &key);
    void releaseEnds(const HoldKey &key);

private:
    struct Hold {
        std::vector<std::optional<Millis>> leases; // one for each hold, the newest last
        Millis newestLease{ 0 }; // of those with a lease
        int releasing = 0; // its state in Redis is open until these are answered
    };
    static bool hasNoLease(const Hold &hold, std::size_t holds);

    std::map<HoldKey, Hold> m_holds;
};

} // namespace lockcore
