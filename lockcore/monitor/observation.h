// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockcore::monitor {

/// What was seen that makes a lock suspect. Behind each stands what of an Observation belongs to it.
enum class Observed {
    NeverExpires, // waiting
    RenewalLate, // since: it was due; left; usual: a full lease
    RenewalsMissed, // the same, since the first of them
    StrangeField, // a field of the hash is no owner
    SeveralOwners, // number: of owners where one at a time may be
    HeldOnTwoServers,
    TakenAfterLoss, // since: an owner lost it without a release; left: its lease, until when both may believe they hold
                    // it
    HeldLong, // since, isAtLeast; number: of renewals; usual: 99 of 100 holds ended by then; waiting
    ReaderRanOut, // waiting
    ReaderOutlivesLock, // left: from the lock's end to the reader's
    QueueNotServed, // number: of waiters; left: to the first one's time-out
    WaiterGone, // number: its place in the queue; left: to its time-out
    TimeOutTooFar, // number: its place; left: to its time-out; usual: what its place explains
    TimeOutBeforeFormer, // left: from its time-out to that of the waiter before it
    PermitsFree, // number: of client instances that listen; since; permits
    NothingToWaitFor, // number, since
    NotHeldForLong, // number, since
    NobodyHolds, // number, since
};

/// What was seen, with its numbers: those that belong to what it is.
struct Observation {
    Observed what = Observed::NeverExpires;
    std::optional<Millis> since{}; // for how long, or how long ago
    std::optional<Millis> left{}; // below zero: for so long it is over; absent: it never ends
    std::optional<Millis> usual{}; // absent: not known
    std::int64_t number = 0;
    std::int64_t permits = 0;
    std::int64_t waiting = 0; // meanwhile, as far as is known
    bool isAtLeast = false; // since: it was so already when first seen
    bool areClients = false; // those who wait: client instances, not waiters of a queue
    bool leavesTwinOut = false; // a lock that has the same channel, its name in braces, was not looked at
    bool mayBeElsewhere = false; // what is listened for: in another database
    std::string recorded{}; // in place of all these, in recordings of before they were: one sentence in English

    bool operator==(const Observation &) const = default;
};

} // namespace lockcore::monitor
