// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <vector>

namespace lockcore::monitor {

struct QueueLook {
    MonoTime at;
    WallTime wall;
    bool announced = false; // who is new in the queue came just now
    std::optional<Certainty> sinceLast{}; // and came since the last look; absent: this is the first one
    bool isBlind = false; // nothing could be seen for a while since the last look
    bool isLost = false; // the server has lost its data since
};

/// Takes a fair queue as it was read into the lock, whose holders are up to date, and reports who came and who left.
/// Source: Redisson: RedissonFairLock.tryLockInnerAsync.
void compareQueue(LockState &lock, const std::vector<synchronizers::WaiterReading> &readings, const QueueLook &look,
    std::vector<Event> &events);

} // namespace lockcore::monitor
