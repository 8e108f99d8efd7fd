// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

/// One lock at one moment, and what is known beside it.
struct LockMoment {
    const LockState &lock;
    Now now;
    bool announced = true; // changes are told; else much may happen between two looks
    const LockStatistics *statistics = nullptr;
    bool channelsShared = false; // whoever listens may wait for a lock of another database
};

/// What looks wrong with the lock at this moment.
/// Source: as SuspectKind, in analysis.h.
std::vector<Finding> findingsOf(const LockMoment &moment);

/// What looks wrong with a lock of independent servers as a whole; what each of them has is looked at by itself.
std::vector<Finding> findingsOfAll(const LockState &lock);

/// When the same lock may look different though nothing happens to it; absent: never.
std::optional<MonoTime> nextLookAt(const LockState &lock, MonoTime now);

/// Where something is found.
struct FindingPlace {
    LockName lock;
    std::string node;
    std::string channel = {}; // empty: the lock itself

    auto operator<=>(const FindingPlace &) const = default;
};

/// Turns what is found again and again into suspects: of each finding it keeps when it was first found, and counts it
/// only when it has lasted. There may be as many as locks: what is to be said of one is kept by nobody.
class SuspectStore {
public:
    using FindingsAt = std::function<std::vector<Finding>(const FindingPlace &)>;
    using IsWanted = std::function<bool(const LockName &)>; // empty: all are

    /// What is found there now, in place of what was found before.
    void enter(const FindingPlace &place, std::vector<Finding> findings, MonoTime now);
    bool concerns(const LockName &lock) const;
    /// Something happened: what it disproves is no longer found.
    void heard(const Event &event);
    void forgetIf(const std::function<bool(const FindingPlace &)> &forget);

    /// The gravest first, at most so many, as they are found now. Not those that are no longer found.
    std::vector<Suspect> suspects(
        MonoTime now, std::size_t most, const FindingsAt &findingsAt, const IsWanted &isWanted) const;
    std::size_t ripe(MonoTime now, const IsWanted &isWanted) const; // how many count
    std::size_t soonRipe(MonoTime now, const IsWanted &isWanted) const; // how many may count some seconds from now
    std::vector<PendingSuspect> pending(MonoTime now, std::size_t most, const IsWanted &isWanted) const; // these

private:
    struct KeptFinding {
        SuspectKind kind = SuspectKind::LateRenewal;
        std::size_t subject = 0; // hash
        Millis holdOff{ 0 };
        MonoTime since;

        bool isOf(const Finding &finding) const;
        bool lasts(MonoTime now) const { return now - since >= holdOff; }
        bool mayLastSoon(MonoTime now) const;
    };
    using Entry = std::pair<const FindingPlace *, const KeptFinding *>;

    template <typename Condition>
    std::size_t count(Condition condition, const IsWanted &isWanted) const;

    std::map<FindingPlace, std::vector<KeptFinding>> m_kept;
};

} // namespace lockcore::monitor
