// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/lock_record.h"
#include "lockcore/monitor/snapshot.h"

namespace lockcore::monitor {

/// Adds to the curve of the time to live of `next` where the last look found it other than it would have run down to.
/// `record`: the lock as it was before.
void drawCorner(const LockRecord &record, LockState &next, const Look &look, bool wasRenewed);

} // namespace lockcore::monitor
