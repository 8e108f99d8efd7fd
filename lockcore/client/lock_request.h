// SPDX-License-Identifier: Apache-2.0
// What a client asks of a lock, and what comes of it.
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/client/client_times.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// Which lock, which half of a read/write lock, and how it is used.
struct LockTarget {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::optional<HoldMode> mode = {};
    LockVariant variant = LockVariant::Standard;
    std::vector<std::string> values
        = {}; // faster multi-locks: what is locked in the group, as the peers' codec encodes it

    auto operator<=>(const LockTarget &) const = default;
};

/// What is wanted, by whom, for how long, and how long it may take.
/// Units:  milliseconds.
struct AcquireRequest {
    LockTarget target;
    std::string thread; // a decimal 64-bit number, as Redisson's peers expect
    std::optional<Millis> lease; // absent: the watchdog renews while held
    std::optional<Millis> wait; // absent: without limit; zero: one try
};

/// The answer to an acquire that went well: yes or no.
/// Units:  milliseconds.
struct AcquireOutcome {
    bool acquired = false;
    std::optional<Millis> holderTtl; // not acquired: what the holder had left at the last try; absent: it never expires
    Millis waited{ 0 };
    std::optional<std::int64_t> token = {}; // fenced locks: greater with each acquire, for whoever is written to
    /// Not acquired: nobody held the fair lock, and it was the turn of this one, who had not taken it.
    std::optional<WaiterReading> head = {};
};

/// What is left after one hold was given back.
enum class ReleaseOutcome { Released, StillHeld }; // StillHeld: held by re-entry

/// What is acquired counts once replicas have it, so that a failover right after it takes nothing away: of those
/// connected so many, or all if they are fewer. The connection to that server is blocked meanwhile.
struct ReplicaWait {
    int atLeast = 1;
    Millis timeout{ 1'000 }; // at most a fifth of ClientTimes::answer
};

using AcquireHandler = std::function<void(Result<AcquireOutcome>)>;
using ReleaseHandler = std::function<void(Result<ReleaseOutcome>)>;

/// As in Redisson's configuration; the defaults are its defaults. Peers should agree on them.
/// Units:  milliseconds.
struct LockClientOptions {
    Millis watchdogTimeout{ 30'000 }; // the lease of locks without one; renewed every third
    Millis fairWait{ 300'000 }; // Redisson's fairLockWaitTimeout
    std::optional<ReplicaWait> replicas = {}; // of locks
    Millis lookAgain{ 20'000 }; // at permits and latches that no message tells of
    std::optional<Millis> renewEvery = {}; // tests and the demo only: a watchdog that is late
    ClientTimes times = {};
};

/// Names a wait, to cancel it; unique within its client.
enum class AcquireId : std::uint64_t {};

} // namespace lockcore
