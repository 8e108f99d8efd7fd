// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::client {

/// One of the locks, and the client that takes it.
struct MultiLockMember {
    LockClient *client; // must outlive the multi-lock; for a RedLock each one of another server
    LockTarget target;
};

/// How many are enough, and how far the clocks are trusted.
struct MultiLockOptions {
    std::size_t required = 0; // how many members are enough; 0: all of them
    double driftFactor = 0.01; // of the lease: what the clocks of the members may differ by, and 2 ms more
};

/// The options of a RedLock on so many independent servers: a majority is enough.
inline MultiLockOptions redLock(std::size_t members) { return { .required = members / 2 + 1 }; }

/// The answer to an acquire that went well: yes or no, and for how long.
/// Units:  milliseconds.
struct MultiLockOutcome {
    bool acquired = false;
    std::vector<std::size_t> held; // indexes of the members got
    std::optional<Millis> validity; // fixed lease: for how long exclusion is sure, from now on
    Millis waited{ 0 };
};

/// Several locks taken as one: all or none, or a quorum of them (a RedLock). What was got of a try that failed is
/// released before the next one.
/// Members are taken in the order given. Take them in one order everywhere: crossed orders do not lock up, since nobody
/// holds a part for longer than a round, but they cost rounds, and with one try (a wait of zero) both may get nothing.
/// While the members are collected, each is held with a lease for the round alone; the fixed lease that was asked for
/// is set once enough are held. It is set for the locks alone: the queue of a fair lock and the token of a fenced one,
/// which Redisson lets run out with it, keep theirs.
/// Units:  milliseconds. Leases and waits as in AcquireRequest.
/// Errors: those of the members only when so many fail that the rest cannot be enough; otherwise a failing member
///         counts as not got. Later failures of servers that answered before are waited out, within the wait.
///         local/invalid-argument: no members, fewer than required, a lease within the drift.
/// Thread: that of the object and of all clients; handlers are called on it, exactly once each, never from inside the
///         call. Destroyed: waits are cancelled and their handlers dropped, what is held is left to its clients.
/// Source: Redisson: RedissonMultiLock.tryLock and RedissonRedLock.failedLocksLimit.
class LOCKCORE_EXPORT MultiLock : public QObject {
    Q_OBJECT
public:
    using AcquireHandler = std::function<void(Result<MultiLockOutcome>)>;
    using DoneHandler = std::function<void(Result<void>)>;

    MultiLock(std::vector<MultiLockMember> members, MultiLockOptions options = {}, QObject *parent = nullptr);
    ~MultiLock() override;

    AcquireId acquire(
        std::string thread, std::optional<Millis> lease, std::optional<Millis> wait, AcquireHandler handler);
    void cancel(AcquireId acquire);
    /// Gives back the newest hold of that thread; answers when all members have, or after a second where so many are
    /// released that nobody else is kept out.
    /// Errors: lock/not-held when fewer members than required were still held; all are released in any case.
    void release(std::string thread, DoneHandler handler);

Q_SIGNALS:
    /// So many members were lost that the rest is no longer enough. The rest is held until released.
    void lockLost(const std::string &thread);
    /// So many members are lost, or not renewed for a whole lease, that another may hold it too.
    void lockUnconfirmed(const std::string &thread);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::client
