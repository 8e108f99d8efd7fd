// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

#include <functional>

namespace lockcore::synchronizers {

struct ForceRelease;
struct SetTtl;

/// The plain reentrant lock: a hash with one field, `owner` → holds.
/// Source: Redisson: RedissonLock, tryLockInnerAsync and unlockInnerAsync.
const LockBehaviour &reentrantLock();

/// The same in Redis; its holder is refused a second hold with lock/already-held.
/// Source: Redisson, since 4.4.0: getNonReentrantLock.
const LockBehaviour &nonReentrantLock();

/// The reentrant lock without a channel: nobody is told of its release, those who wait ask again and again.
/// Source: Redisson, since 3.15.0: RedissonSpinLock.
const LockBehaviour &spinLock();

/// What other locks with the same hash and channel do alike.
ScriptCall unlockPlain(const UnlockCall &call);
std::string plainChannel(std::string_view name, const OwnerId &waiter);

/// Prolongs holds that are one field of a hash each.
ScriptCall renewFields(
    std::span<const HoldName> holds, const std::function<std::string(const OwnerId &)> &field, Millis lease);
/// Where the field is the owner: reentrant and fair locks.
ScriptCall renewPlain(std::span<const HoldName> holds, Millis lease);
/// The same for one hold, also to less.
ScriptCall setLeaseOfField(const SetLeaseCall &call, const std::string &field);
ScriptCall setLeasePlain(const SetLeaseCall &call);

/// Of reentrant, fair and fenced locks. A queue may have appeared since, or gone: both kinds of waiters are told.
ScriptCall forceReleaseExclusive(
    const ForceRelease &command, const std::string &lastMoment, const std::string &publish);
ScriptCall setTtlExclusive(const SetTtl &command, const std::string &lastMoment);

} // namespace lockcore::synchronizers
