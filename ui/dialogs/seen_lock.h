// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/admin_command.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockui {

/// Whether one of these holders has let the lock go since it was seen, and holds it anew.
bool isTakenAnew(const lockcore::monitor::LockState &seen, const lockcore::monitor::LockState &now,
    const std::vector<lockcore::synchronizers::ExpectedHolder> &holders);

/// Whether it has, or may have: the lock was out of sight, or ends earlier than it was to, which no renewal does, or
/// later without a watchdog that was due to renew it.
bool mayBeTakenAnew(const lockcore::monitor::LockState &seen, const lockcore::monitor::LockState &now,
    const std::vector<lockcore::synchronizers::ExpectedHolder> &holders);

/// Whether another server is asked about it by now. Of several that have it together each is asked.
bool isElsewhere(const lockcore::monitor::LockState &seen, const lockcore::monitor::LockState &now);

/// The holders that an action on the lock expects to find, sorted.
std::vector<lockcore::synchronizers::ExpectedHolder> expectedHolders(const lockcore::monitor::LockState &lock);

/// When an action on the lock expects it to end; absent: each of its holders has an end of its own.
std::optional<lockcore::synchronizers::SeenEnd> seenEnd(const lockcore::monitor::LockState &lock);

/// A lock as the person saw it, against what is there now.
class SeenLock {
public:
    using Lock = std::shared_ptr<const lockcore::monitor::LockState>;
    enum class Sight {
        Same, // held by the same; their counts and times may have changed
        Changed, // by others, in another mode, or by a hold that began later
        MayBeAnew, // by the same, but it may be another hold
        Elsewhere, // by the same, but read from another server: what that one never heard of is not known
        Free, // by nobody, as seen or by now
        Gone, // not in the newest snapshot
    };

    explicit SeenLock(Lock seen);

    void setCurrent(Lock lock); // null: gone
    void setLive(bool live) { m_live = live; }
    void lookAgain(); // what is there now is what was seen

    Sight sight() const; // as of the newest snapshot
    bool wasElsewhere() const { return m_wasElsewhere; } // another server was or is asked, as after a failover
    bool isLive() const { return m_live; } // if not, nobody knows what is there now
    const lockcore::monitor::LockState &seen() const { return *m_seen; }
    const Lock &current() const { return m_current; }
    const lockcore::monitor::LockState &shown() const; // the newest with the holders that were seen

private:
    Lock m_seen;
    Lock m_same; // the last one that was as seen: a watchdog may have renewed it since
    Lock m_current;
    bool m_mayBeAnew = false; // once in doubt, until the person looks again
    bool m_wasElsewhere = false; // once, until the person looks again
    bool m_live = true;
};

} // namespace lockui
