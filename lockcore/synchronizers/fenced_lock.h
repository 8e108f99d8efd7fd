// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore::synchronizers {

/// The reentrant lock whose every acquire, re-entry included, gives a greater token; the token outlives the lock.
/// Source: wire format, section 6.2.
const LockBehaviour &fencedLock();

} // namespace lockcore::synchronizers
