// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

/// Several values locked at once in the hash of a group. Calls without values lock nothing and hold nothing.
/// Source: wire format, section 5.3.
const LockBehaviour &fasterMultiLock();

} // namespace lockcore
