// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore::synchronizers {

struct ForceRelease;
struct SetTtl;

/// The halves of a read/write lock: one hash with a mode; read holds have a key with a time to live each besides.
/// Source: Redisson: RedissonReadLock and RedissonWriteLock, tryLockInnerAsync and unlockInnerAsync.
const LockBehaviour &readLock();
const LockBehaviour &writeLock();

ScriptCall forceReleaseReadWrite(
    const ForceRelease &command, const std::string &lastMoment, const std::string &publish);
ScriptCall setTtlReadWrite(const SetTtl &command, const std::string &lastMoment);

} // namespace lockcore::synchronizers
