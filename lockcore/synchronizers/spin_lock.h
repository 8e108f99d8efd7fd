// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

/// The reentrant lock without a channel: nobody is told of its release, those who wait ask again and again.
/// Source: wire format, section 6.1.
const LockBehaviour &spinLock();

} // namespace lockcore
