// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <cstdint>
#include <string>

namespace lockcore::synchronizers {

/// A number in a string, which is gone when it comes to zero.
/// All of these are refused with server/wrong-type when the key is something else.
/// Source: Redisson: RedissonCountDownLatch, trySetCountAsync and countDownAsync.
namespace count_down_latch {

ScriptCall pass(const LockName &name); // parseTryReply(): refused, only a message helps
ScriptCall trySetCount(const LockName &name, std::int64_t count, const std::string &publish); // parseAnswer()
ScriptCall countDown(const LockName &name, const std::string &publish); // parseCount(): what is left
ScriptCall count(const LockName &name); // parseCount()
ScriptCall remove(const LockName &name, const std::string &publish); // parseAnswer()

} // namespace count_down_latch

} // namespace lockcore::synchronizers
