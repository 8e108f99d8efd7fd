// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/monitor.h"

#include "lockcore/monitor/join.h"
#include "lockcore/protocol/acl_line.h"
#include "lockcore/service/actions/admin_command_runner.h"
#include "lockcore/service/sessions/analyst_desk.h"
#include "lockcore/service/sessions/deployment_session.h"
#include "lockcore/service/threads/snapshot_mailbox.h"
#include "lockcore/service/threads/worker_thread.h"
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/key_pattern.h"
#include "lockcore/synchronizers/token_recognition.h"
#include "lockcore/transport/clock.h"

#include <QPointer>
#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

namespace {

bool hasReason(const AdminCommand &command)
{
    const std::string &reason
        = std::visit([](const auto &action) -> const std::string & { return action.reason; }, command);
    return std::ranges::any_of(reason, [](char each) { return static_cast<unsigned char>(each) > ' '; });
}

/// What of the monitor lives on the worker's thread: the session of the moment, and the actions under way.
/// Thread: the worker's.
class MonitorWorker : public QObject {
public:
    using Sent = std::function<void(CommandId)>;
    using Finished = std::function<void(CommandId, const Result<CommandOutcome> &)>;

    MonitorWorker(MonitorOptions options, MonitorSession::Sink sink, Sent sent, Finished finished);

    void open(const Deployment &deployment);
    void close();
    void refresh();
    void publishNow();
    void setFeed(std::optional<Feed> feed);
    void setUnattended(bool unattended);
    void setTokenNames(std::vector<std::string> patterns) { m_options.tokenNames = std::move(patterns); }
    void setAuditFile(const QString &file, AuditedConnection connection)
    {
        m_options.auditFile = file;
        m_options.auditedConnection = std::move(connection);
    }
    void submit(CommandId id, AdminCommand command);
    void cancel(CommandId id); // if it is not sent yet
    void cancelAll(Phrase why); // of those that are not sent yet
    Result<CommandOutcome> withWhatPermitsIt(Result<CommandOutcome> result, std::string line) const;

private:
    AuditLog &audit();
    std::vector<std::string> notAskedBeside(const std::vector<AdminTarget> &targets, const LockState *lock) const;
    void notSent(CommandId id, const AdminCommand &command, const Error &error);
    void progressed(const std::string &node, const AdminCommand &command, AdminCommandRunner::Progress progress) const;

    MonitorOptions m_options;
    std::unique_ptr<AnalystDesk> m_desk;
    MonitorSession::Sink m_sink; // leads to the desk
    Sent m_sent;
    Finished m_finished;
    std::map<CommandId, QPointer<AdminCommandRunner>> m_runners; // under way
    std::map<std::pair<QString, AuditedConnection>, AuditLog> m_audits; // actions under way know theirs
    std::unique_ptr<DeploymentSession> m_session;
};

MonitorWorker::MonitorWorker(MonitorOptions options, MonitorSession::Sink sink, Sent sent, Finished finished)
    : m_options(std::move(options))
    , m_sent(std::move(sent))
    , m_finished(std::move(finished))
{
    if (m_options.onlyLock)
        m_options.keyPattern = exactPattern(*m_options.onlyLock);
    m_desk = std::make_unique<AnalystDesk>(
        AnalystSettings{ .keyPattern = m_options.keyPattern, .suspectsOf = m_options.suspectsOf }, std::move(sink));
    m_sink = m_desk->sink();
}

void MonitorWorker::open(const Deployment &deployment)
{
    close();
    if (const auto checked = checkTokenNames(m_options.tokenNames); !checked) {
        auto refused = std::make_shared<Snapshot>();
        refused->status.phase = SourcePhase::Failed;
        refused->status.error = checked.error();
        m_sink.publish(std::move(refused));
        return;
    }
    m_session = std::make_unique<DeploymentSession>(deployment, m_options, m_sink);
    m_session->open();
}

void MonitorWorker::close()
{
    cancelAll(Phrase::ConnectionClosed);
    m_session.reset();
    m_desk->restart();
    m_sink.publish(std::make_shared<const Snapshot>());
}

void MonitorWorker::refresh()
{
    if (m_session)
        m_session->refresh();
}

void MonitorWorker::publishNow()
{
    if (m_session)
        m_session->publishNow();
    else
        m_sink.publish(std::make_shared<const Snapshot>());
}

void MonitorWorker::setFeed(std::optional<Feed> feed)
{
    m_options.feed = feed;
    if (m_session)
        m_session->setFeed(feed);
}

void MonitorWorker::setUnattended(bool unattended)
{
    m_options.unattended = unattended;
    if (m_session)
        m_session->setUnattended(unattended);
}

void MonitorWorker::submit(CommandId id, AdminCommand command)
{
    if (!m_session)
        return m_finished(id, failure(ErrorCode::ConnectionClosed, { Phrase::NoServerOpen }, actionOf(command)));
    if (const auto snapshot = m_session->snapshot()) {
        auto fitting = fitToListeners(command, *snapshot);
        if (!fitting)
            return notSent(id, command, fitting.error());
        command = std::move(*fitting);
    }
    const Deployment &deployment = m_session->deployment();
    const auto lock = m_session->find(lockOf(command));
    auto targets = routeCommand(command, deployment.topology, m_session->nodes(), lock.get());
    if (!targets)
        return notSent(id, command, withServersNotAsked(targets.error(), notAskedBeside({}, lock.get())));
    const auto notAsked = notAskedBeside(*targets, lock.get());
    for (AdminTarget &target : *targets)
        target.notAsked = notAsked;
    const bool sharded = m_session->isSharded() && !deployment.plainMessages;
    AdminCommandRunner::Callbacks callbacks;
    callbacks.progressed
        = [this](const auto &node, const AdminCommand &what, auto progress) { progressed(node, what, progress); };
    callbacks.moved = [this] {
        if (m_session)
            m_session->lookSoon();
    };
    callbacks.sent = [this, id] { m_sent(id); };
    const std::string publish = sharded ? "SPUBLISH" : "PUBLISH";
    const std::string line = aclLineFor(command, deployment.seeds.front().user, publish);
    callbacks.finished = [this, id, line](const Result<CommandOutcome> &result) {
        m_runners.erase(id);
        m_finished(id, withWhatPermitsIt(result, line));
    };
    auto *runner = new AdminCommandRunner(
        std::move(*targets), publish, m_options.actionLimit, audit(), std::move(callbacks), this);
    m_runners.emplace(id, runner);
    runner->start();
}

AuditLog &MonitorWorker::audit()
{
    const std::pair place(m_options.auditFile, m_options.auditedConnection);
    return m_audits.try_emplace(place, place.first, place.second).first->second;
}

/// Of independent servers: of others nobody is asked but the one that keeps the lock.
std::vector<std::string> MonitorWorker::notAskedBeside(
    const std::vector<AdminTarget> &targets, const LockState *lock) const
{
    const auto snapshot = m_session->snapshot();
    return snapshot && m_session->deployment().topology == Topology::Nodes ? serversNotAsked(targets, *snapshot, lock)
                                                                           : std::vector<std::string>();
}

/// That it was tried is recorded, if that can be written.
void MonitorWorker::notSent(CommandId id, const AdminCommand &command, const Error &error)
{
    const std::string place = m_session->deployment().display(); // whoever would have been asked
    [[maybe_unused]] const auto added = audit().addUnsent(
        command, place, wallNow(), notAskedBeside({}, m_session->find(lockOf(command)).get()), error, wallNow());
    m_finished(id, tl::unexpected(error));
}

/// The line ends the message, so that it can be copied. It says all that is needed, also to look: the server tells of
/// one thing at a time.
Result<CommandOutcome> MonitorWorker::withWhatPermitsIt(Result<CommandOutcome> result, std::string line) const
{
    if (result || result.error().code != ErrorCode::PermissionDenied)
        return result;
    if (m_session)
        protocol::addAclRules(line, m_session->aclLine());
    add(result.error(), { Phrase::Permitting, { line } });
    return result;
}

void MonitorWorker::cancel(CommandId id)
{
    if (const auto found = m_runners.find(id); found != m_runners.end())
        found->second->cancel(Phrase::Cancelled);
}

void MonitorWorker::cancelAll(Phrase why)
{
    const auto runners = m_runners; // each takes itself out
    for (const auto &[id, runner] : runners)
        runner->cancel(why);
}

/// What is done may be seen before its answer comes.
void MonitorWorker::progressed(
    const std::string &node, const AdminCommand &command, AdminCommandRunner::Progress progress) const
{
    using enum AdminCommandRunner::Progress;
    if (!m_session)
        return;
    const auto *release = std::get_if<ForceRelease>(&command);
    input::ChangedByUs change{ lockOf(command), progress == Begun ? Heard::ActionBegun : Heard::ActionOver };
    if (progress == Done && release) {
        change.what = Heard::Forced;
        for (const ExpectedHolder &holder : release->expected)
            if (release->onlyThese)
                change.owners.push_back(holder.owner);
    } else if (progress == Done && std::holds_alternative<SetTtl>(command)) {
        change.what = Heard::LeaseSet;
    }
    m_session->changedByUs(node, change);
}

} // namespace

class Monitor::Private {
public:
    Private(Monitor *owner, MonitorOptions options)
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
            recorder.put(snapshot);
        };
    }
    std::function<void(EventList)> reporter()
    {
        return [this](EventList events) {
            const std::lock_guard guard(gate);
            if (showsRecording || atWork != opened)
                return;
            recorder.put(events, readClocks());
            report(std::move(events), opened);
        };
    }
    Replay::Stage stage()
    {
        return { [this] {
                    q->close();
                    show(true);
                },
            [this] { show(false); }, [this](std::shared_ptr<const Snapshot> snapshot) { publish(std::move(snapshot)); },
            [this](const EventList &events) { Q_EMIT q->eventsReported(events); } };
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
    bool beginRecording(std::function<void()> begin)
    {
        if (!showsRecording)
            thread.run([begin = std::move(begin)](MonitorWorker &worker) {
                begin();
                worker.publishNow();
            });
        return !showsRecording;
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

    Monitor *q;
    bool hasAudit;
    bool writable = false;
    std::mutex gate;
    bool showsRecording = false; // what a server still says is not for now; changed by the own thread alone
    int opened = 0; // the latest of what was opened or closed; changed by the own thread alone
    int atWork = 0; // what the worker deals with: there may be later ones that it has not got to yet
    SnapshotMailbox mailbox;
    Recorder recorder{ [this](auto begin) { return beginRecording(std::move(begin)); } };
    Replay replay{ stage() };
    WorkerThread<MonitorWorker> thread; // last: its end must find the rest
};

Monitor::Monitor(MonitorOptions options, QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(options)))
{
}

Monitor::~Monitor() = default;

void Monitor::open(const Deployment &deployment)
{
    d->replay.close();
    d->work([deployment](MonitorWorker &worker) { worker.open(deployment); });
}

void Monitor::close()
{
    d->recorder.stop();
    d->replay.close();
    d->work([](MonitorWorker &worker) { worker.close(); });
}

std::shared_ptr<const Snapshot> Monitor::latest() const { return d->mailbox.latest(); }

void Monitor::refresh()
{
    d->thread.run([](MonitorWorker &worker) { worker.refresh(); });
}

void Monitor::setFeed(std::optional<Feed> feed)
{
    d->thread.run([feed](MonitorWorker &worker) { worker.setFeed(feed); });
}

void Monitor::setUnattended(bool unattended)
{
    d->thread.run([unattended](MonitorWorker &worker) { worker.setUnattended(unattended); });
}

void Monitor::setTokenNames(std::vector<std::string> patterns)
{
    d->thread.run([patterns = std::move(patterns)](MonitorWorker &worker) { worker.setTokenNames(patterns); });
}

void Monitor::setAuditFile(const QString &file, AuditedConnection connection)
{
    d->hasAudit = !file.isEmpty();
    d->thread.run(
        [file, connection = std::move(connection)](MonitorWorker &worker) { worker.setAuditFile(file, connection); });
}

void Monitor::setWritable(bool writable)
{
    if (std::exchange(d->writable, writable) && !writable)
        d->thread.run([](MonitorWorker &worker) { worker.cancelAll(Phrase::MadeReadOnly); });
}

bool Monitor::isWritable() const { return d->writable; }

CommandId Monitor::submit(AdminCommand command)
{
    const auto id = nextCommandId();
    if (d->replay.state())
        d->finished(id, failure(ErrorCode::ReadOnlyMode, { Phrase::OnlyARecording }, actionOf(command)));
    else if (!d->writable)
        d->finished(id, failure(ErrorCode::ReadOnlyMode, { Phrase::ReadOnlyConnection }, actionOf(command)));
    else if (!d->hasAudit)
        d->finished(id, failure(ErrorCode::NotSupported, { Phrase::NoAuditLog }, actionOf(command)));
    else if (!hasReason(command))
        d->finished(id, failure(ErrorCode::InvalidArgument, { Phrase::NoReason }, actionOf(command)));
    else
        d->thread.run([id, command = std::move(command)](MonitorWorker &worker) { worker.submit(id, command); });
    return id;
}

void Monitor::cancel(CommandId command)
{
    d->thread.run([command](MonitorWorker &worker) { worker.cancel(command); });
}

Recorder &Monitor::recorder() { return d->recorder; }

Replay &Monitor::replay() { return d->replay; }

} // namespace lockcore::service
