// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/monitor_service.h"

#include "lockcore/client/clock.h"
#include "lockcore/service/command_ids.h"
#include "lockcore/service/monitor_worker.h"
#include "lockcore/service/replay/recording_tap.h"
#include "lockcore/service/replay/recording_writer.h"
#include "lockcore/service/replay/replay_session.h"
#include "lockcore/service/snapshot_mailbox.h"
#include "lockcore/service/worker_thread.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace lockcore {

namespace {

bool hasReason(const AdminCommand &command)
{
    const std::string &reason
        = std::visit([](const auto &action) -> const std::string & { return action.reason; }, command);
    return std::ranges::any_of(reason, [](char each) { return static_cast<unsigned char>(each) > ' '; });
}

} // namespace

class MonitorService::Private {
public:
    Private(MonitorService *owner, MonitorOptions options)
        : q(owner)
        , hasAudit(!options.auditFile.isEmpty())
        , thread(QStringLiteral("monitor"), [this, options = std::move(options)] {
            return std::make_unique<MonitorWorker>(
                options, MonitorSession::Sink{ publisher(), reporter() },
                [this](CommandId id) { onOwnThread([this, id] { Q_EMIT q->commandSent(id); }); },
                [this](CommandId id, const Result<CommandOutcome> &result) { finished(id, result); });
        })
    {
    }

    // These are called on the worker's thread.
    std::function<void(std::shared_ptr<const Snapshot>)> publisher()
    {
        return [this](std::shared_ptr<const Snapshot> snapshot) {
            const std::lock_guard guard(gate);
            if (showsRecording || atWork != opened)
                return;
            publish(snapshot);
            tap.put(snapshot);
        };
    }
    std::function<void(EventList)> reporter()
    {
        return [this](EventList events) {
            const std::lock_guard guard(gate);
            if (showsRecording || atWork != opened)
                return;
            tap.put(events, readClocks());
            report(std::move(events), opened);
        };
    }
    /// From now on nothing is shown any more of what was open. Gives the number of what will be.
    int switchOver()
    {
        const std::lock_guard guard(gate);
        ++opened;
        publish(std::make_shared<const Snapshot>());
        return opened;
    }
    template <typename Call>
    void work(Call call)
    {
        thread.run([this, number = switchOver(), call = std::move(call)](MonitorWorker &worker) {
            {
                const std::lock_guard guard(gate);
                atWork = number;
            }
            call(worker);
        });
    }
    void show(bool aRecording)
    {
        const std::lock_guard guard(gate);
        showsRecording = aRecording;
    }
    void publish(std::shared_ptr<const Snapshot> snapshot)
    {
        if (!mailbox.put(std::move(snapshot)))
            return;
        onOwnThread([this] {
            mailbox.markTaken();
            Q_EMIT q->snapshotReady();
        });
    }
    void report(EventList events, int of)
    {
        onOwnThread([this, events = std::move(events), of] {
            if (of == opened)
                Q_EMIT q->eventsReported(events);
        });
    }
    void finished(CommandId id, const Result<CommandOutcome> &result)
    {
        onOwnThread([this, id, result] { Q_EMIT q->commandFinished(id, result); });
    }

    template <typename Call>
    void onOwnThread(Call call)
    {
        QMetaObject::invokeMethod(q, std::move(call), Qt::QueuedConnection);
    }

    void startRecording(const QString &file, const RecordingLimits &limits);
    void stopRecording();
    void openRecording(const QString &file);
    void closeRecording();
    /// Tells of the recording that is made, or played, unless it is another one by then.
    template <typename Call>
    void tell(const int &current, int number, Call call)
    {
        onOwnThread([&current, number, call = std::move(call)] {
            if (current == number)
                call();
        });
    }
    template <typename Call>
    void inReplay(Call call)
    {
        if (replaySession)
            replaySession->run(std::move(call));
    }

    MonitorService *q;
    const bool hasAudit;
    bool writable = false;
    std::optional<RecordingState> recording;
    std::optional<ReplayState> replay;
    int recordingNumber = 0;
    int replayNumber = 0;
    std::mutex gate;
    bool showsRecording = false; // what a server still says is not for now; changed by the own thread alone
    int opened = 0; // the latest of what was opened or closed; changed by the own thread alone
    int atWork = 0; // what the worker deals with: there may be later ones that it has not got to yet
    RecordingTap tap;
    SnapshotMailbox mailbox;
    // Last: their end must find the mailbox.
    std::unique_ptr<WorkerThread<RecordingWriter>> recordingWriter;
    std::unique_ptr<WorkerThread<ReplaySession>> replaySession;
    WorkerThread<MonitorWorker> thread;
};

MonitorService::MonitorService(MonitorOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(options)))
{
}

MonitorService::~MonitorService() = default;

void MonitorService::open(const Deployment &deployment)
{
    d->closeRecording();
    d->work([deployment](MonitorWorker &worker) { worker.open(deployment); });
}

void MonitorService::close()
{
    stopRecording();
    d->closeRecording();
    d->work([](MonitorWorker &worker) { worker.close(); });
}

std::shared_ptr<const Snapshot> MonitorService::latest() const { return d->mailbox.latest(); }

void MonitorService::refresh()
{
    d->thread.run([](MonitorWorker &worker) { worker.refresh(); });
}

void MonitorService::setFeed(std::optional<Feed> feed)
{
    d->thread.run([feed](MonitorWorker &worker) { worker.setFeed(feed); });
}

void MonitorService::setWritable(bool writable)
{
    if (std::exchange(d->writable, writable) && !writable)
        d->thread.run([](MonitorWorker &worker) { worker.cancelAll("the connection was made read-only"); });
}

bool MonitorService::isWritable() const { return d->writable; }

CommandId MonitorService::submit(AdminCommand command)
{
    const auto id = nextCommandId();
    if (d->replay)
        d->finished(id,
            failure(
                ErrorCode::ReadOnlyMode, "a recording is shown: there is no server to act on", actionName(command)));
    else if (!d->writable)
        d->finished(id, failure(ErrorCode::ReadOnlyMode, "the connection is read-only", actionName(command)));
    else if (!d->hasAudit)
        d->finished(id, failure(ErrorCode::NotSupported, "there is no audit log to write it to", actionName(command)));
    else if (!hasReason(command))
        d->finished(
            id, failure(ErrorCode::InvalidArgument, "a reason is needed, for the audit log", actionName(command)));
    else
        d->thread.run([id, command = std::move(command)](MonitorWorker &worker) { worker.submit(id, command); });
    return id;
}

void MonitorService::cancel(CommandId command)
{
    d->thread.run([command](MonitorWorker &worker) { worker.cancel(command); });
}

void MonitorService::Private::startRecording(const QString &file, const RecordingLimits &limits)
{
    stopRecording();
    if (showsRecording) {
        const Error error{ ErrorCode::NotSupported, "a recording is shown: there is nothing new to record",
            "recording to " + file.toStdString() };
        return onOwnThread([this, error] { Q_EMIT q->recordingFailed(error); });
    }
    auto queue = std::make_shared<RecordingQueue>();
    tap.open(queue, [this] { return mailbox.latest(); });
    recording = RecordingState{ file, {} };
    const int number = ++recordingNumber;
    const auto progressed = [this, number](const RecordingProgress &progress) {
        tell(recordingNumber, number, [this, progress] {
            recording->progress = progress;
            Q_EMIT q->recordingChanged();
        });
    };
    const auto failed = [this, number](const Error &error) {
        tap.close();
        onOwnThread([this, number, error] { // also of what was left to be written at its end
            if (recordingNumber == number)
                stopRecording();
            Q_EMIT q->recordingFailed(error);
        });
    };
    recordingWriter = std::make_unique<WorkerThread<RecordingWriter>>(
        QStringLiteral("recording"), [=, queue = std::move(queue)] {
            return std::make_unique<RecordingWriter>(file, limits, queue, RecordingWriter::Sink{ progressed, failed });
        });
    Q_EMIT q->recordingChanged();
}

void MonitorService::Private::stopRecording()
{
    if (!recording)
        return;
    tap.close();
    ++recordingNumber;
    recordingWriter.reset();
    recording.reset();
    Q_EMIT q->recordingChanged();
}

void MonitorService::Private::openRecording(const QString &file)
{
    q->close();
    show(true);
    const int number = ++replayNumber;
    replay = ReplayState{ file, nullptr, {}, {} };
    ReplaySession::Sink sink;
    sink.publish = [this](std::shared_ptr<const Snapshot> snapshot) { publish(std::move(snapshot)); };
    sink.report = [this, number](const EventList &events) {
        tell(replayNumber, number, [this, events] { Q_EMIT q->eventsReported(events); });
    };
    sink.jumped = [this, number] { tell(replayNumber, number, [this] { Q_EMIT q->replayJumped(); }); };
    sink.changed = [this, number](const ReplayState &state) {
        tell(replayNumber, number, [this, state] {
            replay = state;
            Q_EMIT q->replayChanged();
        });
    };
    sink.warned = [this, number](const Error &about) {
        tell(replayNumber, number, [this, about] { Q_EMIT q->replayWarned(about); });
    };
    sink.failed = [this, number](const Error &error) {
        tell(replayNumber, number, [this, error] { Q_EMIT q->replayFailed(error); });
    };
    replaySession = std::make_unique<WorkerThread<ReplaySession>>(QStringLiteral("replay"),
        [file, sink = std::move(sink)] { return std::make_unique<ReplaySession>(file, sink); });
}

void MonitorService::Private::closeRecording()
{
    if (!replay)
        return;
    ++replayNumber;
    replaySession.reset();
    replay.reset();
    show(false);
}

void MonitorService::startRecording(const QString &file, const RecordingLimits &limits)
{
    d->startRecording(file, limits);
}

void MonitorService::stopRecording() { d->stopRecording(); }

std::optional<RecordingState> MonitorService::recording() const { return d->recording; }

void MonitorService::openRecording(const QString &file) { d->openRecording(file); }

std::optional<ReplayState> MonitorService::replay() const { return d->replay; }

void MonitorService::seek(WallTime moment)
{
    d->inReplay([moment](ReplaySession &session) { session.seek(MonoTime(moment.time_since_epoch())); });
}

void MonitorService::seekNextEvent()
{
    d->inReplay([](ReplaySession &session) { session.seekNextEvent(); });
}

void MonitorService::seekPreviousEvent()
{
    d->inReplay([](ReplaySession &session) { session.seekPreviousEvent(); });
}

void MonitorService::play(double speed)
{
    d->inReplay([speed](ReplaySession &session) { session.play(speed); });
}

void MonitorService::pause()
{
    d->inReplay([](ReplaySession &session) { session.pause(); });
}

} // namespace lockcore
