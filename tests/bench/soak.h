// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

namespace lockbench {

/// Watches a crowd on a cluster whose clients are killed, whose masters fail over and whose slots move. Prints the
/// memory over time, and every lock that the monitor shows otherwise than a direct reading for more than a second.
/// Returns the exit status: 1 if there is any.
int soak(lockcore::Millis duration);

} // namespace lockbench
