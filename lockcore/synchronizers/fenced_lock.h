// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore::synchronizers {

/// The reentrant lock whose every acquire, re-entry included, gives a greater token; the token outlives the lock.
/// Source: Redisson, since 3.19.0: RedissonFencedLock.
const LockBehaviour &fencedLock();

} // namespace lockcore::synchronizers
