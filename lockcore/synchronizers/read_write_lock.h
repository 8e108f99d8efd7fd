// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

/// The halves of a read/write lock: one hash with a mode; read holds have a key with a time to live each besides.
/// Source: wire format, section 4.
const LockBehaviour &readLock();
const LockBehaviour &writeLock();

} // namespace lockcore
