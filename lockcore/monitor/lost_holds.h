// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_set>

namespace lockcore {

/// Remembers holds that ended without their holder's doing: it may work on while somebody else holds the lock, until
/// its lease would have ended. After a failover, a restart with older data, or FLUSHALL.
/// Source: wire format, section 9.2; Redisson's documentation calls it the failover hazard.
class LostHolds {
public:
    void heard(const Event &event, MonoTime now);
    /// It went without a word, or is seen on another server now.
    void vanished(const LockState &last, MonoTime now);
    /// Somebody else holds it now.
    std::optional<Finding> rival(const LockState &lock, MonoTime now) const;
    bool concerns(const LockName &lock) const { return m_lost.contains(lock); }
    void looked(MonoTime now); // at all locks: what happened before is settled

private:
    struct Lost {
        OwnerId owner;
        MonoTime at;
        MonoTime leaseEnds;
    };

    void remember(const LockName &lock, Lost lost);

    std::map<LockName, Lost> m_lost;
    std::map<std::string, MonoTime> m_gaps; // by node: the end of the last one
    std::unordered_set<LockName> m_takenSinceGap;
    std::unordered_set<LockName> m_ended; // with a reason, since the last look
};

} // namespace lockcore
