// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::synchronizers {

/// The kinds that can be told apart by what is in Redis, and one that only its name tells of.
/// Source: Redisson: RLock, RReadWriteLock, RSemaphore, RPermitExpirableSemaphore and RCountDownLatch; of other
///         libraries see token_recognition.h.
enum class Kind : std::uint8_t {
    Reentrant, // also spin and non-reentrant locks and parts of multi-locks: they look the same
    Fair,
    ReadWrite,
    Fenced,
    FasterMulti,
    Semaphore,
    PermitExpirableSemaphore,
    CountDownLatch,
    Token, // of other libraries: a string, under a name of which a person says that it is a lock's
};

enum class HoldMode : std::uint8_t { Read, Write };

/// How a client uses a lock; nothing in Redis tells.
enum class LockVariant {
    Standard,
    Spin, // reentrant only: waiters ask again and again, nobody is told of a release
    NonReentrant, // reentrant and fair: taken again by its holder it is refused
};

/// One holder as read from Redis.
struct HolderReading {
    OwnerId owner;
    std::int64_t count = 1; // holds by re-entry
    std::optional<HoldMode> mode; // read/write locks only
    /// Read holds: time left of each hold's own timeout key, by index. Zero: run out; negative: the key never expires,
    /// which Redisson takes for run out. Empty: not read, since there are too many.
    std::vector<Millis> readTtls;
    bool fromPort = false; // the owner is not in the form that Redisson itself writes
    std::optional<WallTime> heldUntil = {}; // faster multi-locks: by the holder's clock, over all that it locked

    bool operator==(const HolderReading &) const = default;
};

/// One entry of a fair queue as read from Redis.
struct WaiterReading {
    OwnerId owner;
    std::optional<WallTime> deadline; // absent: in the list without a score, never purged
    std::optional<Millis> score{}; // that, as it stands in Redis, whatever time it is where

    bool operator==(const WaiterReading &) const = default;
};

/// One permit of a semaphore whose permits expire, as read from Redis. Nothing in Redis tells who holds it.
struct PermitReading {
    std::string id; // 32 hexadecimal digits
    std::optional<WallTime> deadline; // by its holder's clock; absent: it has no lease

    bool operator==(const PermitReading &) const = default;
};

/// Permits of a semaphore as read from Redis.
struct PermitsReading {
    std::int64_t available = 0; // the number stored: without the permits that ran out and nobody has reclaimed yet
    std::optional<std::int64_t> leased; // still running; absent: Redis does not hold it
    std::int64_t overdue = 0; // run out, not reclaimed yet
    std::vector<PermitReading> leases; // those that run out first

    bool operator==(const PermitsReading &) const = default;
};

/// What one atomic look at all keys of one lock said. Nothing in here is inferred.
struct LockReading {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::optional<HoldMode> mode; // of the hash of a read/write lock
    std::vector<HolderReading> holders; // empty: free
    std::optional<Millis> ttl; // of the main key; absent with holders: it never expires
    std::vector<WaiterReading> waiters; // in Redis order, head first
    std::int64_t moreWaiters = 0; // behind those listed: the queue is too long to be read whole
    std::optional<std::int64_t> token; // fenced locks: the last token given
    std::optional<PermitsReading> permits = {}; // semaphores
    std::optional<std::int64_t> count = {}; // latches
    std::vector<Kind> alsoPossible = {}; // what else it may be: the keys do not tell
    std::vector<std::string> keys; // all that belong to it and exist, the main key first

    bool operator==(const LockReading &) const = default;
};

/// Which keys are read as a lock: those that are one beyond doubt, or also those that may be one into which another
/// program has written; see recogniseDamaged.
enum class Recognition { Sure, OrDamaged };

/// A holder as the person saw it; the guard of every action.
struct ExpectedHolder {
    OwnerId owner;
    std::optional<HoldMode> mode; // read/write locks only

    auto operator<=>(const ExpectedHolder &) const = default;
};

/// What an action did, as the server reported it in the same step.
struct CommandOutcome {
    bool done = false; // false: who holds it or waits for it was not who was expected, and nothing was changed
    std::vector<HolderReading> found; // the holders at that moment
    bool published = false; // the message that wakes waiters was sent
    std::vector<WaiterReading> waiting = {}; // what concerns a queue: its first hundred at that moment
    std::optional<std::string> notRecorded = {}; // why the audit log does not tell of it
    bool isAnew = false; // not done: it was who was expected, but that owner holds or waits anew, as its time tells
    std::vector<std::string> notAsked = {}; // independent servers that were not seen then, and may have the lock
    std::optional<WallTime> endsAt
        = {}; // isAnew, of a lock: when it ended as found, by the server's clock; absent: never

    bool operator==(const CommandOutcome &) const = default;
};

} // namespace lockcore::synchronizers
