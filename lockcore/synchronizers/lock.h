// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

/// The plain reentrant lock: a hash with one field, `owner` → holds.
/// Source: wire format, section 1.
const LockBehaviour &reentrantLock();

} // namespace lockcore
