// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/support/freshness.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

/// What those who wait now have waited so far, added up; it goes on.
struct TimeLost {
    std::int64_t waits = 0; // of which the beginning, or that it was before, is known
    std::int64_t goingOn = 0; // of these: the others are out of sight, with their server
    std::chrono::microseconds began{ 0 }; // of those that go on, added up, by the clock of MonoTime
    std::chrono::microseconds seen{ 0 }; // of the others
    bool isAtLeast = false; // some waited already when they were first seen
    bool isPartly = false; // others wait, or may, and nobody knows since when

    lockcore::Millis at(lockcore::MonoTime now) const;
};

/// What a chain comes to, which is known before it is made.
struct ChainWeight {
    std::int64_t blocked = 0;
    bool isBlockedAtLeast = false;
    bool mayBeElsewhere = false; // some of those counted may wait for locks in another database
    bool mayBeGhosts = false; // of some of those counted it is not known whether they listen: their time is not in it
    TimeLost lost;
};

/// The locks of a snapshot that somebody waits for, who holds them and who waits.
class WaitedLocks {
public:
    using Lock = std::shared_ptr<const lockcore::monitor::LockState>;
    using Place = std::size_t; // of a lock, in the list of these
    using Group = std::vector<Place>;
    using Groups = std::map<Place, Group>; // by the first of them
    using Cycles = std::map<Place, std::vector<const lockcore::monitor::WaitCycle *>>; // by the first of their group

    /// What one owner has to do with these locks.
    struct OwnerPart {
        std::vector<Place> holds;
        std::vector<Place> waits;
        std::vector<Place> deadWaits; // stands in the queue, and listens to nothing: it does not wait

        Place main() const
        {
            return !waits.empty() ? waits.front() : !holds.empty() ? holds.front() : deadWaits.front();
        }
        std::size_t size() const { return holds.size() + waits.size() + deadWaits.size(); }
    };

    WaitedLocks(const lockcore::monitor::Snapshot &snapshot, const lockcore::monitor::LockList &among,
        const std::vector<lockcore::monitor::KnownWait> &known);

    const Lock &lock(Place place) const { return m_locks[place]; }
    Place placeOf(const lockcore::LockName &lock) const { return m_places.at(lock); }
    const OwnerPart &partOf(const lockcore::OwnerId &owner) const { return m_parts.at(owner); }
    const std::vector<lockcore::monitor::KnownWait> &knownAt(const lockcore::monitor::LockState &lock) const;
    /// Clients that listen for it, and are not known by name.
    std::int64_t listenersOf(const lockcore::monitor::LockState &lock) const;
    /// Since when nothing of it is seen; of a lock on several servers one that is seen is enough.
    std::optional<lockcore::MonoTime> lostSince(const lockcore::monitor::LockState &lock) const;

    Groups groups() const; // an owner ties locks together
    Cycles cycles(const lockcore::monitor::Snapshot &snapshot, const Groups &groups) const; // that still stand
    ChainWeight weightOf(const Group &group) const;

private:
    void add(const Lock &lock);
    /// So many more clients listen for it than are known by name; negative: not all of these are counted there.
    std::int64_t moreThanKnown(const lockcore::monitor::LockState &lock) const;
    bool stillStands(const lockcore::monitor::WaitCycle &cycle) const;

    std::vector<Lock> m_locks; // by name
    std::map<lockcore::LockName, Place> m_places;
    std::map<lockcore::OwnerId, OwnerPart> m_parts;
    std::map<lockcore::LockName, std::vector<lockcore::monitor::KnownWait>> m_known; // waits of our own clients
    Losses m_losses;
    std::optional<lockcore::MonoTime> m_allLostSince;
    bool m_sharesChannels = false; // with locks in other databases
};

/// How long a lock kept others waiting, as the monitor has counted it by now: without ghosts, and at least. `snapshot`:
/// null while nothing is shown.
lockcore::Millis blockedBy(const lockcore::LockName &lock, const lockcore::monitor::Snapshot *snapshot);

/// What all were kept waiting for a lock in its queue: as it was counted at that moment, and since then what those have
/// waited who wait still; without what they were counted for while their server was lost already, which shows later.
/// `lock`: null where it is gone.
lockcore::Millis waitedInAll(const lockcore::monitor::LockStatistics &numbers, lockcore::MonoTime countedAt,
    const lockcore::monitor::LockState *lock, lockcore::MonoTime seenUntil);

/// A holder does not: its own queue is no reason to wait for oneself.
bool waitsFor(const lockcore::monitor::LockState &lock, const lockcore::OwnerId &owner);

/// Who stands in the queue, each once, at its first place: a client of Redisson stands there once, and what writes into
/// Redis otherwise does not wait twice for it.
std::vector<const lockcore::monitor::Waiter *> waitersOnce(const lockcore::monitor::LockState &lock);

struct ChainCount {
    std::int64_t chains = 0;
    std::int64_t deadlocks = 0;
};

/// How many there are in one snapshot after the other. Cost: that of the locks that differ from those before, and of
/// those that somebody waits for where one of them is among these.
class ChainCounter {
public:
    const ChainCount &count(const lockcore::monitor::Snapshot &snapshot);

private:
    lockcore::monitor::LockList m_seen;
    lockcore::monitor::LockList m_waitedFor; // of these
    ChainCount m_count;
};

} // namespace lockui
