// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

/// The plain reentrant lock: a hash with one field, `owner` → holds.
/// Source: wire format, section 1.
const LockBehaviour &reentrantLock();

/// The same in Redis; its holder is refused a second hold with lock/already-held.
/// Source: wire format, section 6.3.
const LockBehaviour &nonReentrantLock();

/// What other locks with the same hash and channel do alike.
ScriptCall unlockPlain(const UnlockCall &call);
std::string plainChannel(std::string_view name, const OwnerId &waiter);

} // namespace lockcore
