// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/export.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <string>

namespace lockcore::synchronizers {

Said actionOn(const AdminCommand &command, const std::string &server); // as actionOf(), and where

/// The one script that checks and acts; after the last moment, which is by the server's clock, it does nothing any
/// more: a copy that comes late could hit another hold of the same owner. Publishes with `PUBLISH` or, where clients
/// listen by shards, `SPUBLISH`. `here`: the last moment by the clock by which SeenEnd tells its own. Errors:
/// local/invalid-argument when nothing is expected; local/not-supported for kinds that cannot be acted on so.
[[nodiscard]] Result<ScriptCall> prepare(
    const AdminCommand &command, WallTime lastMoment, const std::string &publish = "PUBLISH", MonoTime here = {});

/// All that a user needs for it beside hearing the locks' channels, as one line: `ACL SETUSER name ~* +…`. An empty
/// name: the default user's. Channels are left to whoever knows that they are not permitted: a server refuses a line
/// that permits some of them to whom all are permitted.
LOCKCORE_EXPORT std::string aclLineFor(
    const AdminCommand &command, const std::string &user, const std::string &publish = "PUBLISH");

/// What time it is where this lock is kept: the script, and what its answer says.
LOCKCORE_EXPORT ScriptCall askServerTime(const LockName &lock);
[[nodiscard]] Result<WallTime> parseServerTime(const protocol::Reply &reply);

/// What the script of any action has answered.
/// Errors: lock/holder-changed when the key is no lock any more; lock/not-held when the semaphore is gone;
///         local/cancelled after the last moment; the server's when it refused what the script was to do: the message
///         then says whether anything was changed.
[[nodiscard]] Result<CommandOutcome> decodeOutcome(const protocol::Reply &reply);

} // namespace lockcore::synchronizers
