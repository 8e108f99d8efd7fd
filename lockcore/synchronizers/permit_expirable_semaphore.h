// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lockcore::synchronizers {

/// A number in a string: how many permits are free; and a sorted set of the ids of those that are held, with their
/// deadlines. Ids are 32 lower-case hex digits here and 16 bytes in Redis; those of clients before 3.17 stand there as
/// text, and are found too.
/// All of these are refused with server/wrong-type when one of the keys is something else.
/// Units:  permits, at least 1; below 2^53, which Lua counts exactly. Times by the clock of the server.
/// Source: Redisson: RedissonPermitExpirableSemaphore, tryAcquireAsync and releaseAsync.
namespace permit_expirable_semaphore {

struct TryPermits {
    LockName name;
    std::span<const std::string> permits; // ids; the same ones again take nothing twice
    std::optional<Millis> lease; // absent: until they are released
    std::string publish = "PUBLISH";
};

bool isPermitId(std::string_view permit);

/// parseTryReply(): refused, to be asked again when the next permit runs out, or a message comes.
ScriptCall acquire(const TryPermits &call);
/// All or none. parseAnswer(): no when one is not held any more. One that has run out, but is not taken back yet, is
/// given back alone, with the same answer.
ScriptCall release(const LockName &name, std::span<const std::string> permits, const std::string &publish);
/// The same of one permit, as its holder's stand-in: decodeOutcome() of the commands of administrators.
ScriptCall handBack(const ReturnPermit &command, WallTime lastMoment, const std::string &publish);
ScriptCall updateLease(const LockName &name, const std::string &permit, std::optional<Millis> lease,
    const std::string &publish); // parseAnswer()
ScriptCall lease(const LockName &name, const std::string &permit); // parsePermitLease()

ScriptCall trySetPermits(const LockName &name, std::int64_t permits, const std::string &publish); // parseAnswer()
ScriptCall setPermits(const LockName &name, std::int64_t permits, const std::string &publish); // parseAnswer(): done
ScriptCall addPermits(const LockName &name, std::int64_t permits, const std::string &publish); // parseAnswer(): done

/// parseCount(). These do not write: what has run out is counted as free, and taken back by whoever acts next.
ScriptCall availablePermits(const LockName &name);
ScriptCall acquiredPermits(const LockName &name);
ScriptCall permits(const LockName &name);

ScriptCall remove(const LockName &name); // parseAnswer()

} // namespace permit_expirable_semaphore

} // namespace lockcore::synchronizers
