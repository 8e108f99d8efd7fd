// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/phrase.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockcore::synchronizers {

/// When a lock that one holder has to itself was seen to end. Whoever takes it anew sets that, and nothing else tells
/// one hold of an owner from the next.
struct SeenEnd {
    std::optional<MonoTime> at; // absent: never
    std::optional<Millis> renewedEvery{}; // by its watchdog: it may be later by that or more; absent: by none
};

/// Ends that differ by no more are the same: they are read some time before, and the clocks of two computers compared.
inline constexpr Millis SameEnd{ 2'000 };

/// Frees a lock whoever holds it, and wakes who waits, if and only if its holders are those that were seen.
struct ForceRelease {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::vector<ExpectedHolder> expected; // never empty
    std::string reason; // for the audit log
    bool onlyThese = false; // these read holders lose their holds; other readers keep theirs, and need not be expected
    std::optional<LockName> queue{}; // the name under which its fair queue lies, if that is another
    std::vector<OwnerId> listeners{}; // who waits for a fair lock in a queue that was not found: they are woken too
    std::optional<SeenEnd> end{}; // only while it ends then, give or take SameEnd; absent: whenever it ends
};

/// Sets the time that a lock has left, also to less, for all its holders, if and only if they are those that were seen.
struct SetTtl {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::vector<ExpectedHolder> expected; // never empty
    Millis ttl{ 0 }; // at least 1
    std::string reason;
    std::optional<SeenEnd> end{}; // as of ForceRelease
};

/// How a waiter was seen to stand in a queue. Who lines up anew stands at the end, with a deadline of its own, and
/// nothing else tells one wait of an owner from the next: those who stay only come nearer, in both.
struct SeenPlace {
    std::int64_t ahead = 0; // others
    std::optional<Millis> score; // its deadline as it stands in Redis; absent: it had none
    bool isGhost = false; // nobody listened on its own channel: who does by now lives
};

/// Takes a waiter out of a fair queue as if it had given up, if it stands there; wakes the next one if it is its turn.
struct DropWaiter {
    LockName name;
    OwnerId waiter;
    std::string reason;
    std::optional<LockName> queue{}; // as of ForceRelease
    std::optional<SeenPlace> seen{}; // only while it waits since then; absent: since whenever it waits
};

/// Until when a permit was seen to be leased; absent: it had no lease.
struct SeenLease {
    std::optional<WallTime> deadline;
};

/// Gives back one permit of a semaphore whose permits expire, if it is held.
struct ReturnPermit {
    LockName name;
    std::string permit; // 32 lower-case hexadecimal digits
    std::string reason;
    std::optional<SeenLease> seen{}; // only while that is its lease; absent: whatever its lease is
};

using AdminCommand = std::variant<ForceRelease, SetTtl, DropWaiter, ReturnPermit>;

LOCKCORE_EXPORT const LockName &lockOf(const AdminCommand &command);
/// For people, such as "force release".
LOCKCORE_EXPORT Said actionOf(const AdminCommand &command);

} // namespace lockcore::synchronizers
