// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/monitor/events.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockcore {

/// A trouble that a lock, a queue or a channel may be in.
/// Source: facts about troubles with locks; wire format, section 11.5.
enum class SuspectKind {
    LateRenewal, // a watchdog's renewal is overdue
    MissedRenewal, // the time to live has run down far below where a watchdog renews
    OutlivedHold, // renewed on and on, far longer than this lock is usually held, while others wait
    OrphanQueue, // a queue, and nobody holds the lock or takes it
    DeadWaiter, // queued, but nobody listens on its channel
    FreeButWaitedFor, // clients listen for a release although the lock is free
    LeakedChannel, // clients listen for a lock that has not been seen for long
    NoTtl, // never expires
    ReaderTimeouts, // a read/write lock and the time-outs of its readers do not fit
    TwoHolders, // two at once where only one may be
    QueueClockDrift, // deadlines of a queue further away than its length explains
};

struct Suspect {
    SuspectKind kind = SuspectKind::LateRenewal;
    LockName lock; // empty: only the channel is known
    std::string node;
    std::string subject; // the owner or channel it is about; empty: the lock as a whole
    std::string evidence; // one English sentence: what was seen, with its numbers
    Certainty certainty = Certainty::Inferred;
    MonoTime since; // when it was first suspected

    bool operator==(const Suspect &) const = default;
};

/// What was seen of one lock since the monitor was opened. Only whole holds and waits count: those whose beginning and
/// end were both seen.
struct LockStatistics {
    std::int64_t acquires = 0;
    std::int64_t handOvers = 0; // to another owner
    std::int64_t renewals = 0;
    std::int64_t holds = 0; // whole ones
    Millis heldTotal{ 0 };
    Millis heldLongest{ 0 };
    Millis heldP99{ 0 }; // of the last holds
    std::int64_t waits = 0; // whole ones, of fair queues: no other waiters are known
    Millis waitedTotal{ 0 };
    Millis waitedLongest{ 0 };
    Millis blocked{ 0 }; // sum of what others waited while it was held
    Millis renewalGapLongest{ 0 };
    Millis renewalGapMean{ 0 };

    bool operator==(const LockStatistics &) const = default;
};

/// Who waits for whom, as far as Redis tells: the waiters of fair queues.
struct WaitEdge {
    OwnerId waiter;
    LockName lock;
    OwnerId holder; // of that lock now

    bool operator==(const WaitEdge &) const = default;
};

struct WaitGraph {
    std::vector<WaitEdge> edges;
    std::vector<std::vector<WaitEdge>> cycles; // each a deadlock: the last waits for the first

    bool operator==(const WaitGraph &) const = default;
};

/// What follows from everything seen so far, drawn about once a second.
/// Thread: any; immutable.
struct Analysis {
    MonoTime at;
    std::vector<Suspect> suspects; // the gravest first
    WaitGraph graph;
    std::map<LockName, LockStatistics> statistics; // locks something happened to
};

} // namespace lockcore
