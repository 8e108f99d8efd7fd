// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockcore::monitor {

/// Of one queue: whether those behind them listen is not asked.
inline constexpr std::size_t MostWaitersAsked = 50;

/// Holds the lock, or stands in the queue that was found; of a state or of a reading.
template <typename Lock>
bool holdsOrQueues(const Lock &lock, const OwnerId &owner)
{
    return hasOwner(lock.holders, owner) || hasOwner(lock.waiters, owner);
}

/// The channel on which one waiter of a fair lock is told that it is its turn.
struct OwnChannel {
    OwnerId owner;
    std::vector<LockName> locks; // two where the braces may be Redisson's or part of the name, as for `a` and `{a}`
};

/// Absent: a channel of another kind.
std::optional<OwnChannel> ownChannel(std::string_view channel);

/// Those of the locks' own channels that tell of this lock: who listens there, and neither holds it nor stands in the
/// queue that was found. They wait in a queue under a name that was not guessed, or have just got the lock or left.
LOCKCORE_EXPORT std::vector<OwnerId> listenersWithoutQueue(const Snapshot &snapshot, const LockState &lock);

/// The other locks for which those listen who stand in the queue of this one, and do not listen for this one: the queue
/// is theirs, as with a NameMapper of Redisson before 3.52. Empty: as far as the channels tell, the queue is its own.
LOCKCORE_EXPORT std::vector<LockName> locksListenedForInstead(const Snapshot &snapshot, const LockState &lock);

/// Locks whose channel has subscribers. Of a lock that nobody holds nothing else tells: it has no key. The waiters of
/// fair locks listen on channels of their own, and are known by their queue.
/// Source: Redis: PUBSUB CHANNELS and NUMSUB; Redisson: RedissonLock.getChannelName.
class WaitedLocks {
public:
    /// Takes in the channels that have subscribers now; returns the names that they may be of, those first that share
    /// a channel with another and are less likely.
    std::vector<LockName> listed(const std::vector<ChannelState> &channels);

    /// Clients subscribed at the last list; absent: none.
    std::optional<std::int64_t> clients(const LockName &name) const;
    /// What such a lock is when it is free.
    synchronizers::LockReading freeLock(const LockName &name) const;

private:
    struct Waited {
        synchronizers::Kind kind = synchronizers::Kind::Reentrant;
        std::int64_t clients = 0;
    };
    std::unordered_map<LockName, Waited> m_waited;
};

} // namespace lockcore::monitor
