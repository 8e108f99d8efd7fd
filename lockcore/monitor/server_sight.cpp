// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/server_sight.h"

#include <algorithm>

namespace lockcore::monitor {

/// A server that may not be looked through is live without a sweep.
Sight sightOf(const SourceStatus &status)
{
    if (!isSeenNow(status))
        return Sight::None;
    return status.phase == SourcePhase::Live && status.lastSweep ? Sight::Whole : Sight::Shown;
}

bool isSeenNow(const SourceStatus &status)
{
    return status.phase == SourcePhase::Live || status.phase == SourcePhase::Sweeping;
}

bool isKnown(Sight sight, bool isShown) { return sight == Sight::Whole || (isShown && sight == Sight::Shown); }

bool isKnownOn(const NodeStatus &node, const LockState *lock)
{
    const bool isShown
        = lock && std::ranges::any_of(lock->members, [&](const auto &member) { return member->node == node.node; });
    return isKnown(sightOf(node.status), isShown);
}

} // namespace lockcore::monitor
