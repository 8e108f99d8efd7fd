// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/lease_inference.h"
#include "lockcore/monitor/lock_record.h"
#include "lockcore/monitor/snapshot.h"

#include <vector>

namespace lockcore::monitor {

/// What one look says of the holds of a lock, beside the look before.
struct HoldChanges {
    std::vector<HoldCourse> courses; // of the holders, in their order
    bool newHold = false;
    bool leaseSet = false; // by a re-entry, a partial release or a hand, not by a watchdog
    bool renewed = false;
};

/// Concludes whether a watchdog renews the lock, how long its lease is, and how often it was renewed. `record`: the
/// lock as it was before. `next`: as it is now, but for what is concluded here.
void judgeLease(LockRecord &record, LockState &next, const HoldChanges &changes, MonoTime at);

/// Adds to the curve of the time to live of `next` where the last look found it other than it would have run down to.
/// `record`: the lock as it was before.
void drawCorner(const LockRecord &record, LockState &next, const Look &look, bool wasRenewed);

} // namespace lockcore::monitor
