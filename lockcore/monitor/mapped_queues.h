// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace lockcore::monitor {

/// Fair queues that lie under another name than their lock. With a NameMapper, Redisson before 3.52 keeps the hash
/// under the mapped name and queue and deadlines under the one that the application gave; alone, such a queue looks
/// like that of a lock which nobody takes. A waiter listens on a channel of its own that has the mapped name: that
/// joins the two, if the one name is a part of the other, and nobody ever held a lock under the shorter one.
/// Source: Redisson: RedissonFairLock, the names of queue and deadlines.
class MappedQueues {
public:
    /// The channels that clients are subscribed to now.
    void listed(const std::vector<ChannelState> &channels);
    /// The lock of a free name with a queue; absent: it is its own, or nothing tells. One that was known stays so until
    /// a waiter listens for another lock.
    std::optional<LockName> lockOf(const synchronizers::LockReading &queue) const;
    /// The lock that this is true of and that somebody listens for on a channel of its own.
    std::optional<LockName> listenedFor(const std::function<bool(const LockName &)> &isIt) const;
    /// Where the queue of a lock may lie whose waiters listen, and do not stand in its own: parts of its name, as many
    /// as can be looked at. Those come first that end where names are mostly put together.
    std::vector<LockName> candidates(const LockName &lock) const;
    /// Whether somebody has come to the known queue of another name of whom it is not known which lock he listens for.
    bool hasUnknownNewcomer(const synchronizers::LockReading &queue) const
    {
        return withoutUnknownNewcomers(queue) != queue;
    }
    synchronizers::LockReading withoutUnknownNewcomers(synchronizers::LockReading queue) const;
    /// Who listens on channels of their own, by the lock that they listen for.
    std::map<LockName, std::vector<OwnerId>> listeners() const;
    /// Whether this waiter listens for another lock than that of the name under which it stands in a queue.
    bool listensForAnother(const LockName &queue, const OwnerId &waiter) const;

    /// True: it is another queue than before.
    bool put(const LockName &lock, const synchronizers::LockReading &queue);
    /// There is no such queue any more, or its name has a lock of its own: whose it was.
    std::optional<LockName> remove(const LockName &queue);
    std::optional<LockName> removeOf(const LockName &lock); // the queue
    std::vector<LockName> queues() const;
    const synchronizers::LockReading *queueOf(const LockName &lock) const; // null: none of another name

private:
    std::map<OwnerId, std::vector<LockName>> m_listeners; // the locks whose channels of its own an owner has
    std::map<LockName, synchronizers::LockReading> m_queues; // by lock
    std::map<LockName, LockName> m_locks; // by queue
};

/// What a lock holds whose queue lies elsewhere; null: no such key.
synchronizers::LockReading withQueue(
    const LockName &lock, const synchronizers::LockReading *reading, const synchronizers::LockReading &queue);

} // namespace lockcore::monitor
