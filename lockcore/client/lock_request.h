// SPDX-License-Identifier: Apache-2.0
// What a client asks of a lock, and what comes of it.
#pragma once

#include "lockcore/base/backoff.h"
#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::client {

/// Which lock, which half of a read/write lock, and how it is used.
struct LockTarget {
    LockName name;
    synchronizers::Kind kind = synchronizers::Kind::Reentrant;
    std::optional<synchronizers::HoldMode> mode = {};
    synchronizers::LockVariant variant = synchronizers::LockVariant::Standard;
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
    std::optional<std::int64_t> token = {}; // fenced locks: grows with each acquire; a resource refuses older ones
    /// Not acquired: nobody held the fair lock, but the waiter at the head of its queue had not taken it yet.
    std::optional<synchronizers::WaiterReading> head = {};
};

/// What is left after one hold was given back.
enum class ReleaseOutcome { Released, StillHeld }; // StillHeld: held by re-entry

/// An acquire counts once replicas have it, so that a failover right after it takes no lock away: so many of the
/// connected replicas, or all where fewer are connected. The connection to that server is blocked meanwhile.
struct ReplicaWait {
    int atLeast = 1;
    Millis timeout{ 1'000 }; // at most a fifth of ClientTimes::answer
};

using AcquireHandler = std::function<void(Result<AcquireOutcome>)>;
using ReleaseHandler = std::function<void(Result<ReleaseOutcome>)>;

/// How long a lock client waits for servers before it does something else. The defaults suit production; a test that
/// wants to see what happens afterwards makes them short.
/// Units:  milliseconds.
struct ClientTimes {
    // a connection
    Millis connect{ 5'000 }; // up to the end of the handshake
    Millis answer{ 10'000 }; // until the oldest request is answered; else the connection is dropped, and a try is void
    Millis keepAlive{ 15'000 }; // PING after so long without traffic
    Backoff reconnect{ Millis{ 200 }, Millis{ 10'000 } };

    // what is asked for, over all its attempts
    Millis call{ 30'000 }; // all that neither waits for a lock nor releases one
    Millis release{ 30'000 };
    /// For so long the server remembers what a release did whose answer was lost; not below `release`. A copy of the
    /// request may come late: TCP sends it again for up to half an hour (Linux, tcp_retries2).
    Millis latch{ 1'800'000 };
    Millis close{ 5'000 }; // queues are left, releases answered
    Millis closeInDoubt{ 15'000 }; // where it is unknown whether a try took something, which is then given back

    // between attempts
    Millis releaseAgain{ 500 }; // the server refused for now
    Millis cleanUpAgain{ 1'000 };
    Backoff renewalAgain{ Millis{ 100 }, Millis{ 1'000 } }; // nothing is left to chance here

    // waits for locks, permits and gates
    Millis grace{ 500 }; // for the answer to a try that is under way when the time is over
    Millis inTrouble{ 500 }; // the server refuses for now
    Millis offline{ 5'000 }; // without a connection: its return is signalled, so this is only for safety
    Millis lookAtLocks{ 60'000 }; // messages can be missed
};

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

} // namespace lockcore::client
