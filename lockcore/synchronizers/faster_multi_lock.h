// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore::synchronizers {

struct ForceRelease;
struct SetTtl;

/// Several values locked at once in the hash of a group. Calls without values lock nothing and hold nothing.
/// Source: Redisson, since 3.38.0: RedissonFasterMultiLock.
const LockBehaviour &fasterMultiLock();

ScriptCall forceReleaseFasterMulti(
    const ForceRelease &command, const std::string &lastMoment, const std::string &publish);
ScriptCall setTtlFasterMulti(const SetTtl &command, const std::string &lastMoment);

} // namespace lockcore::synchronizers
