// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/free_play.h"

#include "app/common/words.h"
#include "app/lab/contention_group.h"
#include "app/lab/foreign_server.h"
#include "app/lab/hand_audit.h"
#include "app/lab/lab_servers.h"
#include "lockcore/service/threads/worker_thread.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"
#include "ui/text/connection_url.h"

#include <QTimer>

#include <algorithm>
#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace app {

using lockcore::ErrorCode;
using lockcore::synchronizers::Kind;
using lockcore::synchronizers::LockVariant;
using lockcore::transport::monoNow;
using lockui::lab::FreePlayPhase;
using lockui::lab::FreePlayState;
using lockui::lab::GroupId;
using lockui::lab::GroupSettings;
using lockui::lab::GroupState;
using lockui::lab::HandAct;
using lockui::lab::HandOutcome;

namespace {

using namespace std::chrono_literals;

constexpr auto LookEvery = 250ms;

/// What ProcessFreePlay does, on its own thread.
class FreePlayWorker : public QObject {
public:
    struct Sink {
        std::function<void(std::shared_ptr<const FreePlayState>)> publish;
        std::function<void(const HandOutcome &)> report;
        std::function<void(const lockcore::Error &)> fail;
        std::function<void(const lockcore::Error &)> tellCutShort;
        std::function<void(const lockcore::Error &)> tellLeft;
    };

    FreePlayWorker(QString clientProgram, Sink sink);
    ~FreePlayWorker() override { closeGroups(); }

    void start(std::vector<GroupSettings> groups, std::optional<lockcore::transport::Deployment> server,
        const QString &auditFile, const lockcore::service::AuditedConnection &connection);
    void stop();
    void setGroups(std::vector<GroupSettings> groups);
    void act(GroupId group, const std::string &client, HandAct act);

private:
    using Group = std::unique_ptr<ContentionGroup>;

    lockcore::Result<void> record(ContentionGroup &group, const std::string &client, HandAct act);
    void closeGroups();
    void stopped();
    void serverReady();
    void arrange();
    bool mayBegin(const GroupSettings &settings);
    void prepareToCleanUp();
    void cleanUp();
    void cleanUpAnew();
    void awaitCleanUp(CleanUpProcess *process, bool hasWritten);
    Group newGroup(const GroupSettings &settings);
    lockcore::transport::Deployment deployment() const;
    void fail(const lockcore::Error &error);
    void publish();

    QString m_clientProgram;
    Sink m_sink;
    std::mt19937_64 m_randomness{ std::random_device{}() };
    FreePlayPhase m_phase = FreePlayPhase::Stopped;
    std::vector<GroupSettings> m_wanted;
    std::uint64_t m_lastLock = 0;
    QTimer m_look;
    std::unique_ptr<LabServers> m_server; // null: it is the person's
    std::optional<ForeignServer> m_foreign;
    std::optional<HandAudit> m_audit; // of what is done there by hand; absent: it is recorded nowhere
    std::unique_ptr<CleanUpProcess> m_cleanUp; // null: nothing is to be removed
    bool m_canCleanUp = false;
    int m_cleaning = 0; // so many of what cleans up are at it
    std::vector<Group> m_groups; // after the server and what cleans up: gone first
};

FreePlayWorker::FreePlayWorker(QString clientProgram, Sink sink)
    : m_clientProgram(std::move(clientProgram))
    , m_sink(std::move(sink))
{
    m_look.setInterval(LookEvery);
    connect(&m_look, &QTimer::timeout, this, &FreePlayWorker::publish);
}

void FreePlayWorker::start(std::vector<GroupSettings> groups, std::optional<lockcore::transport::Deployment> server,
    const QString &auditFile, const lockcore::service::AuditedConnection &connection)
{
    stop();
    m_wanted = std::move(groups);
    m_phase = FreePlayPhase::Starting;
    if (server) {
        m_foreign = ForeignServer{ *server, newLabPrefix() };
        if (!auditFile.isEmpty())
            m_audit.emplace(auditFile, *server, connection);
        return serverReady();
    }
    m_server = std::make_unique<LabServers>(lockui::lab::Setting::One, 1, false, std::nullopt);
    connect(m_server.get(), &LabServers::ready, this, &FreePlayWorker::serverReady);
    connect(m_server.get(), &LabServers::failed, this, &FreePlayWorker::fail);
    m_server->start();
    publish();
}

/// What an earlier play left behind may still be on its way out: only a play on a person's server waits for that.
void FreePlayWorker::stop()
{
    if (m_phase == FreePlayPhase::Stopped || m_phase == FreePlayPhase::Stopping)
        return;
    m_look.stop();
    if (m_foreign) {
        m_phase = FreePlayPhase::Stopping;
        publish();
    }
    closeGroups();
    cleanUp();
    m_foreign.reset();
    m_audit.reset();
    m_server.reset();
    if (m_phase != FreePlayPhase::Stopping || m_cleaning == 0)
        stopped();
}

void FreePlayWorker::stopped()
{
    if (std::exchange(m_phase, FreePlayPhase::Stopped) != FreePlayPhase::Stopped)
        publish();
}

/// Without waiting for it: it goes on for minutes where a server does not answer.
void FreePlayWorker::cleanUp()
{
    const bool hasWritten = std::exchange(m_canCleanUp, false);
    if (!m_cleanUp)
        return;
    CleanUpProcess *process = m_cleanUp.release();
    awaitCleanUp(process, hasWritten);
    process->begin();
}

/// Somebody has killed the one that was to remove what groups have written. What became of that is told with it.
void FreePlayWorker::cleanUpAnew()
{
    auto *process = new CleanUpProcess(m_clientProgram, *m_foreign, nullptr);
    awaitCleanUp(process, true);
    connect(process, &CleanUpProcess::ready, process, &CleanUpProcess::begin);
    // As one that has begun and has not got through.
    connect(process, &CleanUpProcess::failed, process, &CleanUpProcess::begin, Qt::QueuedConnection);
    connect(process, &CleanUpProcess::cleaned, this, [this](bool isClean) {
        const QString what
            = Words::tr("the process that was to remove the keys of free play has ended before its time");
        m_sink.tellCutShort(complaint(ErrorCode::FileFailed,
            isClean ? Words::tr("%1: another one has removed them").arg(what)
                    : what)); // what is left is told by itself
    });
    process->start({});
}

void FreePlayWorker::awaitCleanUp(CleanUpProcess *process, bool hasWritten)
{
    ++m_cleaning;
    process->setParent(this);
    connect(
        process, &CleanUpProcess::cleaned, this, [this, process, hasWritten, prefix = m_foreign->prefix](bool isClean) {
            process->deleteLater();
            if (--m_cleaning == 0 && m_phase == FreePlayPhase::Stopping)
                stopped();
            if (!isClean && hasWritten)
                m_sink.tellLeft(complaint(ErrorCode::FileFailed,
                    Words::tr("keys with %1 in their names may be left on the server").arg(shown(prefix)),
                    Words::tr("removing what free play left behind").toStdString()));
        });
}

/// All of them at once: clients that give back what they hold are waited for.
void FreePlayWorker::closeGroups()
{
    for (const Group &group : m_groups)
        group->close();
    m_groups.clear();
}

void FreePlayWorker::setGroups(std::vector<GroupSettings> groups)
{
    m_wanted = std::move(groups);
    if (m_phase == FreePlayPhase::Running)
        arrange();
}

void FreePlayWorker::serverReady()
{
    m_phase = FreePlayPhase::Running;
    arrange();
    m_look.start();
}

/// In the order that is wanted.
void FreePlayWorker::arrange()
{
    std::vector<Group> before = std::exchange(m_groups, {});
    for (const GroupSettings &settings : m_wanted) {
        if (!mayBegin(settings))
            continue;
        const auto old = std::ranges::find_if(
            before, [&settings](const Group &each) { return each && each->id() == settings.id; });
        const bool goesOn = old != before.end() && (*old)->canChangeTo(settings);
        if (goesOn)
            (*old)->change(settings);
        m_groups.push_back(goesOn ? std::move(*old) : newGroup(settings));
    }
    publish();
}

/// On a person's server nobody writes by himself before it is sure that all of it will be removed.
bool FreePlayWorker::mayBegin(const GroupSettings &settings)
{
    if (!m_foreign || settings.byHand || m_canCleanUp)
        return true;
    if (!m_cleanUp)
        prepareToCleanUp();
    return false;
}

void FreePlayWorker::prepareToCleanUp()
{
    m_cleanUp = std::make_unique<CleanUpProcess>(m_clientProgram, *m_foreign, nullptr);
    connect(m_cleanUp.get(), &CleanUpProcess::ready, this, [this] {
        m_canCleanUp = true;
        arrange();
    });
    const auto complain = [this, process = m_cleanUp.get()](const lockcore::Error &error) {
        if (m_cleanUp.get() != process)
            return;
        m_cleanUp.reset();
        if (!std::exchange(m_canCleanUp, false))
            return fail(error);
        cleanUpAnew();
        stop();
    };
    // Later: it goes then.
    connect(m_cleanUp.get(), &CleanUpProcess::failed, this, complain, Qt::QueuedConnection);
    m_cleanUp->start({}); // names come with the groups, so that it looks for all with that prefix
}

lockcore::transport::Deployment FreePlayWorker::deployment() const
{
    return m_foreign ? m_foreign->deployment : m_server->deployment();
}

FreePlayWorker::Group FreePlayWorker::newGroup(const GroupSettings &settings)
{
    const bool isPlain = settings.variant == LockVariant::Standard;
    const bool isForGood = settings.kind == Kind::Semaphore
        || (settings.kind == Kind::PermitExpirableSemaphore && !settings.lease); // no lease ends it
    const std::string own = (m_foreign ? m_foreign->prefix : "free-play:") + std::to_string(++m_lastLock) + ':'
        + (isPlain ? nameOf(settings.kind) : nameOf(settings.variant));
    const ContendingOptions options{ .clientProgram = m_clientProgram,
        .server = deployment(),
        .random = [this] { return std::uniform_real_distribution<double>(0, 1)(m_randomness); },
        .isOfOthers = m_foreign && settings.byHand,
        .keepsIt =
            [this, isForGood](const lockcore::LockName &lock) {
                m_sink.tellLeft(complaint(ErrorCode::FileFailed,
                    (isForGood ? Words::tr("a client of free play could not give back its permit of %1: it stays taken")
                               : Words::tr("a client of free play could not give back what it has of %1: that is free "
                                           "when its lease is over"))
                        .arg(shown(lock)),
                    Words::tr("giving back what was taken by hand").toStdString()));
            },
        .givesBack =
            [this](const GivenBack &client) {
                if (m_audit)
                    m_audit->givesBack(client);
            },
        .gaveBack =
            [this](const GivenBack &client, bool isAll) {
                if (m_audit)
                    m_audit->gaveBack(client, isAll);
            } };
    auto group = std::make_unique<ContentionGroup>(settings, settings.byHand.value_or(own), options);
    connect(group.get(), &ContentionGroup::acted, this, [this](const HandOutcome &outcome) {
        publish(); // what comes after it is to be seen with it
        if (m_audit)
            m_audit->end(outcome);
        m_sink.report(outcome);
    });
    connect(group.get(), &ContentionGroup::readyTo, this,
        [this, id = settings.id](const std::string &client, HandAct what) { act(id, client, what); });
    // Later: what tells of it goes then.
    connect(group.get(), &ContentionGroup::failed, this, &FreePlayWorker::fail, Qt::QueuedConnection);
    return group;
}

void FreePlayWorker::act(GroupId group, const std::string &client, HandAct act)
{
    const auto found = std::ranges::find(m_groups, group, &ContentionGroup::id);
    if (found == m_groups.end() || (*found)->keepsForLater(client, act))
        return;
    if (!(*found)->mayAct(client, act)) // a record of what is not sent would get the outcome of another act
        return publish();
    if (const auto recorded = record(**found, client, act); !recorded)
        return m_sink.report({ .group = group,
            .client = client,
            .act = act,
            .outcome = lockui::lab::Outcome::Failed,
            .said = toString(recorded.error()) });
    (*found)->act(client, act);
    publish(); // who waits from now on is to be seen at once
}

/// What cannot be recorded is not done. On a lock of its own nobody else is concerned.
lockcore::Result<void> FreePlayWorker::record(ContentionGroup &group, const std::string &client, HandAct act)
{
    const GroupState state = group.state(monoNow());
    const auto told = std::ranges::find(state.clients, client, &lockui::lab::ContenderState::name);
    if (!m_audit || !state.settings.byHand || told == state.clients.end())
        return {};
    return m_audit->begin(state, *told, act);
}

/// Several clients may say the same.
void FreePlayWorker::fail(const lockcore::Error &error)
{
    if (m_phase == FreePlayPhase::Stopped)
        return;
    stop();
    m_sink.fail(error);
}

void FreePlayWorker::publish()
{
    auto state = std::make_shared<FreePlayState>();
    state->phase = m_phase;
    state->at = monoNow();
    if (m_phase == FreePlayPhase::Running)
        state->server = lockui::connectionUrl(deployment()).toStdString();
    if (m_foreign)
        state->prefix = m_foreign->prefix;
    for (const Group &group : m_groups)
        state->groups.push_back(group->state(state->at));
    m_sink.publish(std::move(state));
}

} // namespace

class ProcessFreePlay::Private {
public:
    Private(ProcessFreePlay *owner, const QString &clientProgram)
        : q(owner)
        , thread(QStringLiteral("free-play"), [this, clientProgram] {
            return std::make_unique<FreePlayWorker>(clientProgram,
                FreePlayWorker::Sink{
                    .publish = [this](auto state) { tell([this, state] { Q_EMIT q->stateChanged(state); }); },
                    .report
                    = [this](const HandOutcome &outcome) { tell([this, outcome] { Q_EMIT q->acted(outcome); }); },
                    .fail = [this](const lockcore::Error &error) { tell([this, error] { Q_EMIT q->failed(error); }); },
                    .tellCutShort
                    = [this](const lockcore::Error &error) { tell([this, error] { Q_EMIT q->cutShort(error); }); },
                    .tellLeft
                    = [this](const lockcore::Error &error) { tell([this, error] { Q_EMIT q->leftBehind(error); }); },
                });
        })
    {
    }

    template <typename Call>
    void tell(Call call) // called on the worker's thread
    {
        QMetaObject::invokeMethod(q, std::move(call), Qt::QueuedConnection);
    }

    ProcessFreePlay *q;
    lockcore::service::WorkerThread<FreePlayWorker> thread;
};

ProcessFreePlay::ProcessFreePlay(const QString &clientProgram, QObject *parent)
    : FreePlay(parent)
    , d(std::make_unique<Private>(this, clientProgram))
{
}

ProcessFreePlay::~ProcessFreePlay() = default;

void ProcessFreePlay::start(std::vector<GroupSettings> groups, std::optional<lockcore::transport::Deployment> server,
    const QString &auditFile, const lockcore::service::AuditedConnection &connection)
{
    d->thread.run([groups = std::move(groups), server = std::move(server), auditFile, connection](
                      FreePlayWorker &worker) mutable {
        worker.start(std::move(groups), std::move(server), auditFile, connection);
    });
}

void ProcessFreePlay::stop()
{
    d->thread.run([](FreePlayWorker &worker) { worker.stop(); });
}

void ProcessFreePlay::setGroups(std::vector<GroupSettings> groups)
{
    d->thread.run(
        [groups = std::move(groups)](FreePlayWorker &worker) mutable { worker.setGroups(std::move(groups)); });
}

void ProcessFreePlay::act(GroupId group, const std::string &client, HandAct act)
{
    d->thread.run([group, client, act](FreePlayWorker &worker) { worker.act(group, client, act); });
}

} // namespace app
