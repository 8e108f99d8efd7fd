// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lockcore::monitor {

/// How many waited for a lock, from then on, of whom nothing but their number is known: no queue lists them.
struct WaitCount {
    LockName lock;
    std::int64_t count = 0;
    WallTime at;

    bool operator==(const WaitCount &) const = default;
};

using WaitCountList = std::shared_ptr<const std::vector<WaitCount>>;

inline std::int64_t countedWaits(const LockState &lock)
{
    return lock.waiters.empty() ? waitingCount(lock).value_or(0) : 0;
}

/// `visit(name, count)` for each lock of which that is another one.
template <typename Visit>
void visitWaitChanges(const LockList &before, const LockList &after, Visit visit)
{
    forEachDifference(before, after, [&](const auto &earlier, const auto &lock) {
        const std::int64_t count = lock ? countedWaits(*lock) : 0;
        if (count != (earlier ? countedWaits(*earlier) : 0))
            visit((lock ? lock : earlier)->name, count);
    });
}

} // namespace lockcore::monitor
