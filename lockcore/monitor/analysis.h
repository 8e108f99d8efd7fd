// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/monitor/events.h"
#include "lockcore/monitor/sorted_list.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::monitor {

/// What was seen that makes a lock suspect. The comments name the members of Observation that belong to each.
enum class Observed {
    NeverExpires, // waiting
    RenewalLate, // since: it was due; left; usual: a full lease
    RenewalsMissed, // the same, since the first of them
    StrangeField, // a field of the hash is no owner
    SeveralOwners, // number: of owners where one at a time may be
    HeldOnTwoServers, // not concluded any more: a snapshot has each name once. Recordings keep its code
    TakenAfterLoss, // since: an owner lost it without a release; left: its lease, until when both may believe they hold
                    // it
    HeldLong, // since, isAtLeast; number: of renewals of the lock; usual: 99 of 100 holds ended by then; waiting
    ReaderRanOut, // waiting
    ReaderOutlivesLock, // left: from the lock's end to the reader's
    QueueNotServed, // number: of waiters; left: to the first one's time-out; former: so many who are first keep the
                    // others from it, usual: until the last of their time-outs; isAtLeast: there may be more of them
    WaiterGone, // number: its place in the queue; left: to its time-out; former, usual, isAtLeast: the same, where it
                // is one of the ghosts that are first
    TimeOutTooFar, // number: its place; left: to its time-out; usual: what the one before it explains
    TimeOutBeforeFormer, // left: from its time-out to that of the waiter before it
    PermitsFree, // number: of client instances that listen; since; permits
    NothingToWaitFor, // number, since
    NotHeldForLong, // number, since
    NobodyHolds, // number, since
    OnTooFewServers, // number: of independent servers where the same holder has it, the most there is; former: of all
    TokenNotGrown, // number: the fencing token; former: one that was given before
};

/// What was seen, with its numbers: those that belong to what it is.
struct Observation {
    Observed what = Observed::NeverExpires;
    std::optional<Millis> since{}; // for how long, or how long ago
    std::optional<Millis> left{}; // below zero: for so long it is over; absent: it never ends
    std::optional<Millis> usual{}; // absent: not known
    std::int64_t number = 0;
    std::int64_t former = 0;
    std::int64_t permits = 0;
    std::int64_t waiting = 0; // meanwhile, as far as is known
    bool isAtLeast = false; // since: it was so already when first seen
    bool areClients = false; // those who wait: client instances, not waiters of a queue
    bool leavesTwinOut = false; // a lock that has the same channel, its name in braces, was not looked at
    bool mayBeElsewhere = false; // what is listened for: in another database
    std::string recorded{}; // in place of all these, in recordings of before they were: one sentence in English

    bool operator==(const Observation &) const = default;
};

/// What can look wrong with a lock, a queue or a channel; the gravest first.
/// Source: what Redisson keeps of each kind, see lockcore/synchronizers; its issue tracker and changelog.
enum class SuspectKind {
    TwoHolders, // two at once where only one may be
    TokenWentBack, // a fencing token that is not larger than one that was given before
    MissedRenewal, // the time to live has run down far below where a watchdog renews
    TooFewServers, // independent servers have it, and of no holder so many as a RedLock takes
    OrphanQueue, // a queue, and nobody holds the lock or takes it
    FreeButWaitedFor, // clients listen for a release although the lock is free
    NoTtl, // never expires
    DeadWaiter, // queued, but nobody listens on its channel
    LateRenewal, // a watchdog's renewal is overdue
    ReaderTimeouts, // a read/write lock and the time-outs of its readers do not fit
    OutlivedHold, // renewed on and on, far longer than this lock is usually held, while others wait
    LeakedChannel, // clients listen for a lock that has not been seen for long
    QueueClockDrift, // deadlines of a queue that its length does not explain
};

/// What looks wrong with one lock, and has for longer than a hand-over takes; since when, and what was seen of it. It
/// need not be wrong: hence the name.
struct Suspect {
    SuspectKind kind = SuspectKind::LateRenewal;
    LockName lock;
    std::string node;
    std::string subject; // the owner or channel it is about; empty: the lock as a whole
    Observation evidence;
    Certainty certainty = Certainty::Inferred;
    MonoTime since; // when it was first found

    bool operator==(const Suspect &) const = default;
};

/// What looks wrong with a lock since too short a time to be a Suspect.
struct PendingSuspect {
    LockName lock;
    SuspectKind kind = SuspectKind::LateRenewal;

    bool operator==(const PendingSuspect &) const = default;
};

/// What was seen of one lock since the monitor was opened; in a recording that is played, what that tells until then.
/// Holds count of which the beginning was seen, and waits of which the end was seen, too, without a gap between.
struct LockStatistics {
    LockName lock;
    std::int64_t acquires = 0;
    std::int64_t handOvers = 0; // to another owner
    std::int64_t renewals = 0;
    std::int64_t holds = 0; // also those of which it is concluded how they ended
    Millis heldTotal{ 0 };
    Millis heldLongest{ 0 };
    Millis heldP99{ 0 }; // of the last holds
    std::int64_t waits = 0; // whole ones, of fair queues: no other waiters are known
    Millis waitedTotal{ 0 };
    Millis waitedLongest{ 0 };
    Millis blocked{ 0 }; // sum of what all were seen to wait in its queue, up to now, whether somebody held it or not
    /// Until then those are counted in it who wait still: while their server is lost, no longer. Absent: nobody waits,
    /// or it was recorded before that was told.
    std::optional<MonoTime> blockedUntil{};
    Millis renewalGapLongest{ 0 }; // from one renewal of a hold to its next
    Millis renewalGapMean{ 0 };

    bool operator==(const LockStatistics &) const = default;
};

inline const LockName &lockNameOf(const LockStatistics &statistics) { return statistics.lock; }

using StatisticsList = SortedList<LockStatistics>;

/// Who waits for whom, as far as Redis tells: the waiters of fair queues.
struct WaitEdge {
    OwnerId waiter;
    LockName lock;
    OwnerId holder; // of that lock now

    auto operator<=>(const WaitEdge &) const = default;
};

/// A deadlock: each holds what the one before it waits for, and the last waits for the first.
using WaitCycle = std::vector<WaitEdge>;

/// All who are known to wait, and the deadlocks among them. One of which a server is lost is there as it was when it
/// was last seen.
struct WaitGraph {
    std::vector<WaitEdge> edges;
    std::vector<WaitCycle> cycles;

    bool operator==(const WaitGraph &) const = default;
};

/// What follows from everything seen so far, drawn about once a second.
/// Thread: any; immutable.
struct Analysis {
    MonoTime at;
    std::vector<Suspect> suspects; // the gravest first
    std::int64_t moreSuspects = 0; // not listed
    std::int64_t pending = 0; // found for too short a time: some seconds more will tell
    std::int64_t pendingDeadlocks = 0; // of these: a second will tell
    std::vector<PendingSuspect> pendingSuspects; // the others by lock, no more than suspects; not in recordings
    std::shared_ptr<const WaitGraph> graph; // never null
    std::shared_ptr<const StatisticsList> statistics; // of locks that something happened to; never null
};

/// Of that lock; null: nothing was seen to happen to it.
LOCKCORE_EXPORT const LockStatistics *statisticsOf(const Analysis &analysis, const LockName &lock);

/// What is suspected of that lock, the gravest first.
LOCKCORE_EXPORT std::vector<Suspect> suspectsOf(const Analysis &analysis, const LockName &lock);

} // namespace lockcore::monitor
