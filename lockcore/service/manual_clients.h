// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// One lock that a manual client holds or waits for.
struct ManualClientLock {
    client::LockTarget target;
    std::string thread;
    std::int64_t count = 0; // holds; 0: waiting
};

struct ManualClientState {
    std::string name; // "A", "B", …
    std::string id; // its UUID, as in the table of locks
    bool connected = false;
    std::vector<ManualClientLock> locks;
};

/// How what a person asked for ended.
struct ManualOutcome {
    enum class End { Acquired, NotAcquired, Released, StillHeld, Renewed };

    End end = End::Released;
    Millis time{ 0 }; // acquired: waited; renewed: the lease
    std::optional<Millis> holderTtl{}; // not acquired: that its holder has left; absent: it never ends
    std::optional<OwnerId> next{}; // not acquired: nobody holds it, and it is the turn of this one

    bool operator==(const ManualOutcome &) const = default;
};

using ManualClientStates = std::shared_ptr<const std::vector<ManualClientState>>;

/// Several named clients that take, re-enter, renew and release locks at a person's word, on a thread of their own.
/// Thread: that of the object; signals come on it.
class LOCKCORE_EXPORT ManualClients : public QObject {
    Q_OBJECT
public:
    explicit ManualClients(QObject *parent = nullptr);
    ~ManualClients() override;

    void open(const transport::Deployment &deployment, const std::vector<std::string> &names);
    void close(); // releases what they hold

    CommandId acquire(const std::string &client, client::AcquireRequest request); // again by the holder: re-entry
    CommandId release(const std::string &client, client::LockTarget target, const std::string &thread);
    void cancel(
        const std::string &client, client::LockTarget target, const std::string &thread); // what waits for it gives up
    CommandId renew(const std::string &client, client::LockTarget target, const std::string &thread, Millis lease);

Q_SIGNALS:
    void statesChanged(const lockcore::service::ManualClientStates &states);
    void finished(lockcore::CommandId command, const lockcore::Result<lockcore::service::ManualOutcome> &outcome);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::service
