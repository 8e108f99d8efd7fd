// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lockcore::synchronizers {

/// A number in a string: how many permits are free. Who holds the others is not recorded, so that a try whose answer
/// was lost cannot be told from one that never came: it must not be sent again.
/// All of these are refused with server/wrong-type when the key is something else.
/// Units:  permits, at least 1; below 2^53, which Lua counts exactly.
/// Source: Redisson: RedissonSemaphore, tryAcquireAsync and releaseAsync.
namespace semaphore {

ScriptCall acquire(const LockName &name, std::int64_t permits); // parseTryReply(): refused, only a message helps
ScriptCall release(const LockName &name, std::int64_t permits, const std::string &publish); // parseAnswer(): done
ScriptCall releaseIfExists(const LockName &name, std::int64_t permits, const std::string &publish); // parseAnswer()
ScriptCall trySetPermits(const LockName &name, std::int64_t permits, std::optional<Millis> ttl,
    const std::string &publish); // parseAnswer()
ScriptCall addPermits(const LockName &name, std::int64_t permits, const std::string &publish); // parseAnswer(): done
ScriptCall drainPermits(const LockName &name); // parseCount(): taken
ScriptCall availablePermits(const LockName &name); // parseCount()
ScriptCall remove(const LockName &name); // parseAnswer()

} // namespace semaphore

} // namespace lockcore::synchronizers
