// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore::synchronizers {

/// The reentrant lock with a queue: waiters stand in a list, their deadlines in a sorted set, and each one listens on a
/// channel of its own.
/// Source: Redisson: RedissonFairLock, tryLockInnerAsync, acquireFailedAsync and unlockInnerAsync.
const LockBehaviour &fairLock();

/// The same in Redis; its holder is refused a second hold with lock/already-held.
/// Source: Redisson, since 4.4.0: getNonReentrantFairLock.
const LockBehaviour &nonReentrantFairLock();

} // namespace lockcore::synchronizers
