// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/replay/recording_state.h"
#include "lockcore/service/sessions/monitor_options.h"
#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore {

/// Watches the servers of one deployment from a thread of its own, and acts on it when told to. Or shows a recording of
/// that: what was seen then comes in the same way, marked by `SourceStatus::recordedAt`, and nothing can be done.
/// Read-only until `setWritable(true)`: the connection itself refuses everything else.
/// Thread: that of the object; signals come on it.
class LOCKCORE_EXPORT MonitorService : public QObject {
    Q_OBJECT
public:
    explicit MonitorService(MonitorOptions options, QObject *parent = nullptr);
    ~MonitorService() override; // waits for the worker

    void open(const Deployment &deployment); // closes what was open
    void close();

    std::shared_ptr<const Snapshot> latest() const; // never null
    void refresh(); // reads every known lock again and sweeps
    /// Changes how changes reach us, while it is open and from now on; absent: the best that each server permits.
    void setFeed(std::optional<Feed> feed);
    void setWritable(bool writable); // to read-only: what was submitted and is not sent yet is cancelled, as by `close`
    bool isWritable() const;

    /// Errors: those of an action; local/invalid-argument without a reason.
    CommandId submit(AdminCommand command);
    void cancel(CommandId command); // what was sent before goes on, and its outcome is told as ever

    /// Writes down all that is seen from now on, until `stopRecording` or `close`. A file that is a recording is gone
    /// on with.
    void startRecording(const QString &file, const RecordingLimits &limits = {});
    void stopRecording(); // all is on disk when it returns
    std::optional<RecordingState> recording() const; // absent: nothing is recorded

    void openRecording(const QString &file); // instead of a server; closes what was open
    std::optional<ReplayState> replay() const; // absent: no recording is open
    void seek(WallTime moment);
    void seekNextEvent();
    void seekPreviousEvent();
    void play(double speed); // times as fast as it was; goes on from the beginning when it is at the end
    void pause();

Q_SIGNALS:
    void snapshotReady(); // a newer one can be taken by latest()
    void eventsReported(const lockcore::EventList &events);
    void commandSent(lockcore::CommandId command); // it cannot be cancelled any more
    void commandFinished(lockcore::CommandId command, const lockcore::Result<lockcore::CommandOutcome> &outcome);

    void recordingChanged(); // about once a second while something is recorded
    void recordingFailed(const lockcore::Error &error); // it has ended; watching goes on
    void replayChanged();
    void replayJumped(); // events that follow are those before another moment, not those since the last ones
    void replayWarned(const lockcore::Error &about); // it is shown, but something of it is missing
    void replayFailed(const lockcore::Error &error);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore
