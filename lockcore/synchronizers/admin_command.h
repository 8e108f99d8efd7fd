// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/synchronizers/lock_behaviour.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockcore {

/// Frees a lock whoever holds it, and wakes who waits, if and only if its holders are those that were seen.
struct ForceRelease {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::vector<ExpectedHolder> expected; // never empty
    std::string reason; // for the audit log
    bool onlyThese = false; // read holders lose their holds; who else reads keeps his, and need not be expected
    std::optional<LockName> queue{}; // the name under which its fair queue lies, if that is another
    std::vector<OwnerId> listeners{}; // who waits as for a fair lock, in a queue that was not found: they are told too
};

/// Sets the time that a lock has left, also to less, for all its holders, if and only if they are those that were seen.
struct SetTtl {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::vector<ExpectedHolder> expected; // never empty
    Millis ttl{ 0 }; // at least 1
    std::string reason;
};

/// Takes a waiter out of a fair queue as if it had given up, if it stands there; wakes the next one if it is its turn.
struct DropWaiter {
    LockName name;
    OwnerId waiter;
    std::string reason;
    std::optional<LockName> queue{}; // as of ForceRelease
};

/// Gives back one permit of a semaphore whose permits expire, if it is held.
struct ReturnPermit {
    LockName name;
    std::string permit; // 32 lower-case hexadecimal digits
    std::string reason;
};

using AdminCommand = std::variant<ForceRelease, SetTtl, DropWaiter, ReturnPermit>;

LOCKCORE_EXPORT const LockName &lockOf(const AdminCommand &command);
/// For people, such as "force release".
LOCKCORE_EXPORT Said actionOf(const AdminCommand &command);
Said actionOn(const AdminCommand &command, const std::string &server); // the same, and where

/// The one script that checks and acts; after the last moment, which is by the server's clock, it does nothing any
/// more: a copy that comes late could hit another hold of the same owner. Publishes with `PUBLISH` or, where clients
/// listen by shards, `SPUBLISH`. Errors: local/invalid-argument when nothing is expected; local/not-supported for kinds
/// that cannot be acted on so.
[[nodiscard]] Result<ScriptCall> prepare(
    const AdminCommand &command, WallTime lastMoment, const std::string &publish = "PUBLISH");

/// All that a user needs for it beside hearing the locks' channels, as one line: `ACL SETUSER name ~* +…`. An empty
/// name: the default user's. Channels are left to whoever knows that they are not permitted: a server refuses a line
/// that permits some of them to whom all are permitted.
LOCKCORE_EXPORT std::string aclLineFor(
    const AdminCommand &command, const std::string &user, const std::string &publish = "PUBLISH");

/// What time it is where this lock is kept: the script, and what its answer says.
LOCKCORE_EXPORT ScriptCall askServerTime(const LockName &lock);
[[nodiscard]] Result<WallTime> parseServerTime(const protocol::Reply &reply);

/// Of any of them.
/// Errors: locks/holder-changed when the key is no lock any more; locks/not-held when the semaphore is gone;
///         local/cancelled after the last moment; the
/// server's
///         when it refused what the script was to do, the message then says whether anything was changed.
[[nodiscard]] Result<CommandOutcome> decodeOutcome(const protocol::Reply &reply);

} // namespace lockcore
