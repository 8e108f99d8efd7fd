// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <memory>
#include <vector>

namespace lockcore {

/// What one of a set of independent servers has of a lock.
struct Copy {
    std::shared_ptr<const LockState> lock; // null: nothing, as far as is known
    bool live = false; // false: not to be seen at the moment
};

/// The lock on all servers together, one element a server and at least one with the lock: `before` where nothing has
/// changed (null: not joined before).
std::shared_ptr<const LockState> joinCopies(
    const std::vector<Copy> &copies, const std::shared_ptr<const LockState> &before);

} // namespace lockcore
