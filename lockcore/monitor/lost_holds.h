// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/events.h"
#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lockcore::monitor {

/// Remembers holds that ended without their holder's doing: it may work on while somebody else holds the lock, until
/// its lease would have ended. After a failover, a restart with older data, FLUSHALL, or a DEL by another program.
/// Source: Redis: replication is asynchronous, see WAIT.
class LostHolds {
public:
    void heard(const Event &event, MonoTime now);
    /// It went without a word, or is seen on another server now.
    void vanished(const LockState &last, MonoTime now);
    /// Somebody else holds it now.
    std::optional<Finding> rival(const LockState &lock, MonoTime now) const;
    bool concerns(const LockName &lock) const { return m_lost.contains(lock); }
    void looked(const LockList &locks, MonoTime now); // at all locks, as they were shown

private:
    struct Lost {
        OwnerId owner;
        MonoTime at;
        MonoTime leaseEnds;
    };

    void remember(const LockName &lock, Lost lost);
    void knows(const LockName &lock, const OwnerId &owner);

    std::map<LockName, Lost> m_lost;
    // Ended with a reason, and shown as held at the last look: events come at once, pictures a little later.
    std::set<std::pair<LockName, OwnerId>> m_ended;
};

} // namespace lockcore::monitor
