// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"

#include <memory>
#include <vector>

namespace lockcore::monitor {

/// One hold of a lock that independent servers have, with its part on each of them.
struct QuorumHold {
    struct Part {
        std::shared_ptr<const LockState> member; // the lock as that server has it
        Holder holder;
    };
    std::vector<Part> parts; // one a server, never empty
    bool inferred = false; // their owners differ: a RedissonRedLock has one client, hence one id, for each server
};

/// The holds of such a lock, those on most servers first. Parts of one owner are one hold. Parts of different clients
/// are taken for one where the thread is the same and one attempt may have taken them all; that cannot be seen.
LOCKCORE_EXPORT std::vector<QuorumHold> quorumHolds(
    const std::vector<std::shared_ptr<const LockState>> &members, int servers);
LOCKCORE_EXPORT std::vector<QuorumHold> quorumHolds(const LockState &lock);

/// Whether several have it at once of whom only one could: none of them, or one, has more than half.
LOCKCORE_EXPORT bool isContended(const std::vector<QuorumHold> &holds);

} // namespace lockcore::monitor
