// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"
#include "ui/models/wait_groups.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockui {

/// Who keeps whom waiting: clients and locks, from the one that all others wait for to those who wait last. Only what
/// Redis tells is in it: the queues of fair locks name their waiters, of all other locks only client instances that
/// listen are counted.

struct ChainNode {
    enum class Kind : std::uint8_t {
        Owner, // one thread of a client
        Lock,
        Holders, // several who hold one lock and do nothing else here, together
        Queue, // the rest of a long queue, together
        Listeners, // client instances that are counted, and not known
    };

    Kind kind = Kind::Owner;
    std::string key; // names it, from snapshot to snapshot
    lockcore::OwnerId owner; // Owner
    lockcore::LockName lock; // the lock itself, or the one that it waits for, or else holds
    std::shared_ptr<const lockcore::monitor::LockState> state; // of that lock
    std::vector<std::shared_ptr<const lockcore::monitor::LockState>> holds; // Owner: all that others wait for
    std::int64_t count = 1; // Holders, Queue, Listeners
    std::optional<lockcore::monitor::Since> waitsSince; // absent: it does not wait, or nobody knows since when
    int place = 0; // in the queue, from 1; 0: in none
    bool isGhost = false; // it stands in the queue, and listens to nothing
    bool isHead = false; // it waits for nothing, as far as is known
    bool isInCycle = false;
    std::optional<lockcore::MonoTime> lostSince; // the server of its lock: all that is said of it was so then
    int column = 0; // steps from the head
    std::optional<std::size_t> parent; // the node before it on the way from the head
};

struct ChainEdge {
    enum class Kind : std::uint8_t { Holds, KeepsWaiting };

    std::size_t from = 0; // nodes of the chain
    std::size_t to = 0;
    Kind kind = Kind::Holds;
    bool isSeen = true; // false: inferred, or only counted
    bool isInCycle = false;
};

/// When a chain ends, as far as Redis tells. Nobody knows when a holder will release its lock.
struct ChainEnd {
    enum class How : std::uint8_t {
        Renewed, // a watchdog renews it: with its release
        Lease, // a fixed lease: with its release, or then
        UnlessRenewed, // nobody knows whether it is renewed
        NeverExpires,
        LastReader,
        Permit, // given back
        NoSemaphore, // its key does not exist: somebody has to give it permits
        FreePermits, // there are some: who waits needs more of them, or has missed that
        CountedDown,
        Open, // a latch that nobody has to wait for: who waits has not heard of it yet, or has missed it
        Taken, // nobody holds it
    };

    How how = How::Renewed;
    lockcore::LockName lock;
    std::optional<lockcore::MonoTime> at; // of the lease
    std::int64_t number = 0; // readers, free permits, or what is still to be counted down
    std::int64_t ghosts = 0; // first in the queue, of a lock that is held or free: nobody gets past them
    std::optional<lockcore::WallTime> ghostsUntil; // the last of their time-outs; absent: one has none
};

/// A deadlock: each holds what the next waits for, and the last waits for the first.
struct ChainCycle {
    std::vector<std::size_t> nodes; // who holds, its lock, who waits for that and holds the next, …
    lockcore::monitor::Since since; // when its last wait or hold began
    ChainEnd end; // of the hold in it whose lease ends first, if one does
    std::vector<ChainEnd> ends; // of all holds in it, the soonest first
    lockcore::monitor::WaitCycle edges;
    bool isPending = false; // two looks at different moments may only seem to show it
};

struct WaitChain {
    std::vector<ChainNode> nodes; // parents before those who wait for them
    std::vector<ChainEdge> edges;
    std::vector<ChainCycle> cycles;
    std::vector<lockcore::LockName> locks; // all of them, also those that are not drawn
    lockcore::LockName mainLock; // that the head holds, and most wait for
    std::int64_t blocked = 0;
    bool isBlockedAtLeast
        = false; // several may wait in one client instance, or stand in a queue that is not read whole
    bool mayBeElsewhere = false; // some of these may wait for locks in another database
    bool mayBeGhosts = false; // of some it is not known whether they listen: their time is not in what was lost
    TimeLost lost;
    ChainEnd end; // of the main lock, or of the deadlock
    std::vector<ChainEnd> headEnds; // of all locks at the head, most time lost first; a deadlock has none
    std::optional<lockcore::MonoTime> lostSince; // the first server of its locks that was lost while others are watched
    std::int64_t undrawn = 0; // nodes beyond what can be looked over
    std::int64_t undrawnLocks = 0; // that they stand for
    std::int64_t undrawnClients = 0; // threads of clients, and client instances that are only counted
    bool isUndrawnAtLeast = false; // of these clients there may be more

    bool isDeadlock() const { return !cycles.empty() && !cycles.front().isPending; }
    bool isPending() const { return !cycles.empty() && cycles.front().isPending; } // all seem to wait for each other
};

/// A lock of a chain among those that are drawn, as they are named in a row.
struct NamedLock {
    enum class After : std::uint8_t {
        Nothing, // it is the first
        Waiter, // who waits for the one before holds it
        Circle, // the same, in a deadlock
        Other, // nothing leads to it from the one before: they only have a holder or a waiter in common
    };

    std::size_t node = 0;
    After after = After::Nothing;
};

/// Each behind the one that its holder waits for, where that can be.
std::vector<NamedLock> namedLocks(const WaitChain &chain);

/// More was lost than can be counted.
inline bool isLostAtLeast(const WaitChain &chain)
{
    const TimeLost &lost = chain.lost;
    return lost.isAtLeast || lost.isPartly || lost.goingOn < lost.waits || chain.mayBeGhosts;
}

struct WaitChains {
    std::vector<WaitChain> chains; // deadlocks first, then those where most time was lost
    std::int64_t more = 0; // not listed
    std::int64_t filteredOut = 0;
    std::int64_t deadlocks = 0;
};

struct ChainLimits {
    std::size_t chains = 200;
    std::size_t nodes = 120; // of one chain
    std::size_t queue = 6; // waiters of one lock who are drawn each for itself
    std::size_t holders = 3;
};

/// `isWanted`: chains without a lock that is are left out; empty: all are wanted.
/// Cost: one look at each lock, and the rest by those that somebody waits for.
WaitChains waitChains(const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now,
    const std::function<bool(const lockcore::monitor::LockState &)> &isWanted = {},
    const std::vector<lockcore::monitor::KnownWait> &known = {}, const ChainLimits &limits = {});

} // namespace lockui
