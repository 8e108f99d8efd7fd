// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <memory>
#include <vector>

namespace lockcore::monitor {

/// Who waits for whom by the fair queues of these locks, on whatever servers; whoever is known not to listen for its
/// turn any more does not wait. One cycle of each knot, the shortest through its first owner; in a fixed order.
/// Cost: linear; at most `MostWaitEdges` are looked at.
WaitGraph waitGraph(const std::vector<std::shared_ptr<const LockState>> &locks);

constexpr std::size_t MostWaitEdges = 20'000;

} // namespace lockcore::monitor
