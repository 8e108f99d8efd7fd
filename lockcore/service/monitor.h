// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/monitor_options.h"
#include "lockcore/service/replay/recorder.h"
#include "lockcore/service/replay/replay.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::service {

/// Watches the servers of one deployment from a thread of its own, and acts on it when told to. Read-only until
/// `setWritable(true)`: the connection itself refuses everything else. What it shows can be recorded, and it shows
/// recordings in the place of a server.
/// Units:  times are MonoTime where they are compared, WallTime where a clock shows them.
/// Errors: none is thrown; that of a connection stands in SourceStatus::error, that of an action is its outcome.
/// Thread: that of the object; signals come on it.
/// Source: Redis: client tracking, keyspace notifications, SCAN; Redisson: see lockcore/synchronizers.
class LOCKCORE_EXPORT Monitor : public QObject {
    Q_OBJECT
public:
    explicit Monitor(MonitorOptions options, QObject *parent = nullptr);
    ~Monitor() override; // waits for the worker

    void open(const transport::Deployment &deployment); // closes what was open
    void close();

    std::shared_ptr<const monitor::Snapshot> latest() const; // never null
    void refresh(); // reads every known lock again and sweeps
    /// Chooses how changes are heard, while it is open and from now on; absent: the best feed that each server permits.
    void setFeed(std::optional<monitor::Feed> feed);
    /// As MonitorOptions::unattended, while it is open and from now on.
    void setUnattended(bool unattended);
    /// As MonitorOptions::tokenNames, for what is opened from now on.
    void setTokenNames(std::vector<std::string> patterns);
    /// As MonitorOptions::auditFile and ::auditedConnection, for what is submitted from now on; what is under way is
    /// recorded where it was begun.
    void setAuditFile(const QString &file, AuditedConnection connection = {});
    void setWritable(bool writable); // to read-only: what was submitted and is not sent yet is cancelled, as by `close`
    bool isWritable() const;

    /// Errors: those of an action; local/invalid-argument without a reason.
    CommandId submit(synchronizers::AdminCommand command);
    void cancel(CommandId command); // what was sent before goes on, and its outcome is told as ever

    Recorder &recorder(); // of all that is seen; `close` stops it
    Replay &replay(); // instead of a server; `open` and `close` end it

Q_SIGNALS:
    void snapshotReady(); // a newer one can be taken by latest()
    void eventsReported(const lockcore::monitor::EventList &events);
    void commandSent(lockcore::CommandId command); // it cannot be cancelled any more
    void commandFinished(
        lockcore::CommandId command, const lockcore::Result<lockcore::synchronizers::CommandOutcome> &outcome);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::service
