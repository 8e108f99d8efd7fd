// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/client/lock_request.h"
#include "lockcore/export.h"
#include "lockcore/synchronizers/synchronizer.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockcore::client {

struct ClientParts;

/// A client of Redisson's locks: to its peers it looks like one Redisson instance, with an id of its own.
/// Destroying it is like the death of a process: its locks run out, its waits are dropped with their handlers, and its
/// places in queues stay until they time out. Close it first to leave the queues.
/// Units:  milliseconds. Leases and waits must be positive (a wait may be zero).
/// Errors: local/invalid-argument; local/not-supported for independent servers (a client each); lock/not-held names the
///         holder; lock/already-held for non-reentrant locks; lock/not-replicated; server/wrong-type when the key is
///         something else, which is left as it is; network and server errors as they come. A lost connection or a
///         read-only or full server does not end a wait: the error is told when the time to wait is over. An error says
///         so where it leaves open whether the server has carried out an acquire: the lock counts as not acquired, and
///         what may have been taken is given back, but never a hold that was reported. A request that comes to the
///         server too late for its answer takes nothing there (ACL: +time); what it took earlier is given back.
/// Thread: that of the object; handlers are called on it, exactly once each, never from inside the call.
/// Source: Redisson: RedissonLock and the classes of the other kinds, each named in lockcore/synchronizers; the package
///         org.redisson.renewal.
class LOCKCORE_EXPORT LockClient : public QObject {
    Q_OBJECT
public:
    using AcquireHandler = lockcore::client::AcquireHandler;
    using ReleaseHandler = lockcore::client::ReleaseHandler;
    using DoneHandler = std::function<void(Result<void>)>;
    using StateHandler = std::function<void(Result<synchronizers::LockReading>)>;
    using ForceReleaseHandler = std::function<void(Result<synchronizers::CommandOutcome>)>;

    explicit LockClient(transport::Deployment deployment, LockClientOptions options = {}, QObject *parent = nullptr);
    ~LockClient() override;

    const std::string &id() const; // UUID v4
    void open();
    /// Outstanding waits end with local/cancelled, releases are still answered; what is held is left to run out.
    void close();
    bool isReady() const;

    AcquireId acquire(AcquireRequest request, AcquireHandler handler);
    void cancel(AcquireId acquire); // its handler gets local/cancelled; a lock got in the same moment is released
    /// One hold of this client ends in any case: after an error it is left to run out on the server. Further holds of
    /// the thread stay held and renewed. If the answer says that all are gone, lockLost() tells it of renewed ones.
    void release(LockTarget target, std::string thread, ReleaseHandler handler);
    /// Sets the time to live to `lease` if held by that thread.
    void renew(LockTarget target, std::string thread, Millis lease, DoneHandler handler);
    /// What is in Redis now. A free lock has no holders; a spin or non-reentrant lock looks like a reentrant one.
    void state(LockTarget target, StateHandler handler);
    /// Frees a lock whoever holds it, and wakes who waits, if its holders are those that were expected; else nothing.
    void forceRelease(
        LockTarget target, std::vector<synchronizers::ExpectedHolder> expected, ForceReleaseHandler handler);
    /// How often that thread holds it by re-entry, as far as this client knows without asking the server.
    std::int64_t holdsKnown(const LockTarget &target, const std::string &thread) const;

    ClientParts &parts(); // for the other synchronizers of this library

Q_SIGNALS:
    void ready();
    void lost(const lockcore::Error &error);
    void closed(); // close() is done
    /// A wait that is over left something on the server that could not be removed: its place in a queue, or what it
    /// took too late. Emitted before closed() at the latest.
    void cleanUpFailed(const lockcore::Error &error);
    void lockLost(
        const lockcore::client::LockTarget &target, const std::string &thread); // found gone while it was renewed
    /// Not renewed for a whole lease, since its server did not answer: it may have run out, and another may hold it.
    /// renewed() or lockLost() tells once that is known.
    void lockUnconfirmed(const lockcore::client::LockTarget &target, const std::string &thread);
    void renewed(const lockcore::client::LockTarget &target, const std::string &thread);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::client
