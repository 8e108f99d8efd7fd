// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/play.h"

#include "app/common/audit_path.h"
#include "app/common/words.h"
#include "app/lab/scenario_needs.h"
#include "lockcore/transport/clock.h"
#include "ui/lab/scenario_prefix.h"
#include "ui/lab/step_text.h"

#include <QFile>

#include <algorithm>
#include <utility>

namespace app {

using lockcore::Millis;
using lockcore::Result;
using lockcore::monitor::LockState;
using lockcore::monitor::SourcePhase;
using lockcore::service::Monitor;
using lockcore::synchronizers::CommandOutcome;
using lockcore::transport::monoNow;
using lockui::millisText;
using lockui::lab::Act;
using lockui::lab::Actor;
using lockui::lab::ClientProgramKind;
using lockui::lab::Expectation;
using lockui::lab::Outcome;
using lockui::lab::ScenarioClient;
using lockui::lab::Step;
using lockui::lab::StepProgress;
using lockui::lab::StepState;

namespace {

constexpr Millis RetryAfter{ 100 };

/// A proxy and Redisson know no Unix sockets.
bool needsTcp(const lockui::lab::Scenario &scenario)
{
    return std::ranges::any_of(scenario.clients, [](const ScenarioClient &client) {
        return client.hasProxy || client.program == lockui::lab::ClientProgramKind::Redisson;
    });
}

bool looksAtWorld(const Expectation &expects)
{
    return !expects.redis.empty() || !expects.seen.empty() || !expects.events.empty() || expects.stays;
}

/// On a foreign server all names begin with its prefix.
lockui::lab::Scenario scenarioFor(lockui::lab::Scenario scenario, const PlayOptions &options)
{
    return options.foreign ? lockui::lab::withPrefix(std::move(scenario), options.foreign->prefix) : scenario;
}

} // namespace

Play::Play(lockui::lab::Scenario scenario, PlayOptions options, QObject *parent)
    : Player(parent)
    , m_record{ .scenario = scenarioFor(std::move(scenario), options),
        .progress = {},
        .start = {},
        .end = {},
        .clientIds = {},
        .events = {},
        .serverVersion = {} }
    , m_options(std::move(options))
    , m_servers(m_record.scenario.setting, m_record.scenario.servers, needsTcp(m_record.scenario),
          m_options.foreign ? std::optional(m_options.foreign->deployment) : std::nullopt)
{
    m_record.progress.resize(m_record.scenario.steps.size());
    m_world.servers = &m_servers;
    m_world.record = &m_record;
    connect(&m_pause, &HeldTimer::over, this, &Play::advance);
    connect(&m_servers, &LabServers::failed, this, &Play::failed);
    connect(&m_servers, &LabServers::ready, this, [this] {
        openMonitor();
        startClients();
    });
}

Play::~Play() = default;

lockcore::Now Play::now() const { return lockcore::transport::readClocks(); }

void Play::start()
{
    if (const auto redisson = checkRedisson(m_record.scenario, m_options.redisson); !redisson) {
        QMetaObject::invokeMethod(
            this, [this, error = redisson.error()] { Q_EMIT failed(error); }, Qt::QueuedConnection);
        return;
    }
    if (!m_options.foreign)
        return m_servers.start();
    connect(m_options.cleanUp, &CleanUpProcess::failed, this, &Play::failed);
    connect(m_options.cleanUp, &CleanUpProcess::ready, this, [this] { m_servers.start(); });
    m_options.cleanUp->start(lockui::lab::locksIn(m_record.scenario));
}

void Play::setPaused(bool paused)
{
    if (paused == m_record.heldSince.has_value() || m_isOver)
        return;
    if (paused)
        m_record.heldSince = monoNow();
    else
        endHeldBack(m_record, monoNow());
    m_isStepping = false;
    holdBack();
}

void Play::step()
{
    m_isStepping = m_record.heldSince.has_value();
    holdBack();
}

void Play::setSpeed(double speed)
{
    m_speed = std::clamp(speed, LowestSpeed, HighestSpeed);
    if (m_isPausing && stepAt(m_next).isScalable)
        m_pause.setSpeed(m_speed);
}

void Play::holdBack()
{
    m_pause.setHeld(m_record.heldSince && !m_isStepping);
    for (const auto &[step, limit] : m_limits)
        limit->setHeld(m_record.heldSince.has_value());
    if (m_record.start)
        advance();
}

/// All of a play speak as the oldest of them does.
lockcore::transport::Deployment Play::deployment() const
{
    lockcore::transport::Deployment servers = m_servers.deployment();
    if (servers.topology != lockcore::transport::Topology::Cluster)
        return servers;
    for (const ScenarioClient &client : m_record.scenario.clients) {
        if (client.program != ClientProgramKind::Redisson)
            continue;
        const auto redisson = findRedisson(m_options.redisson, client.version);
        servers.plainMessages = servers.plainMessages || (redisson && knowsPlainMessagesAlone(*redisson));
    }
    return servers;
}

void Play::openMonitor()
{
    lockcore::service::MonitorOptions options;
    if (m_options.foreign) {
        options.auditFile = preparedAuditFile(auditPath());
        options.keyPattern = m_options.foreign->prefix + '*';
        options.plainNames = true;
    } else {
        options.auditFile = QFile::decodeName((m_servers.server(0).folder() + "/audit.jsonl").c_str()); // gone with it
    }
    m_monitor = std::make_unique<Monitor>(options);
    connect(m_monitor.get(), &Monitor::snapshotReady, this, [this] { take(m_monitor->latest()); });
    connect(m_monitor.get(), &Monitor::eventsReported, this, [this](const lockcore::monitor::EventList &events) {
        m_record.events.insert(m_record.events.end(), events->begin(), events->end());
        Q_EMIT recordChanged();
    });
    connect(m_monitor.get(), &Monitor::commandFinished, this,
        [this](lockcore::CommandId command, const Result<CommandOutcome> &outcome) {
            const auto step = m_commands.extract(command);
            if (!step)
                return;
            ClientAnswer answer;
            answer.outcome = !outcome ? Outcome::Failed : outcome->done ? Outcome::Released : Outcome::No;
            if (!outcome) {
                answer.error = nameOf(outcome.error().code);
                answer.message = toString(outcome.error());
            }
            answered(step.mapped(), answer);
        });
    m_monitor->setWritable(true);
    m_monitor->open(deployment());
}

void Play::take(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot)
{
    m_world.snapshot = snapshot;
    if (m_record.serverVersion.empty())
        m_record.serverVersion = snapshot->status.serverVersion;
    for (const auto &node : snapshot->nodes) {
        if (m_record.serverVersion.empty())
            m_record.serverVersion = node.status.serverVersion;
    }
    beginWhenReady();
}

void Play::startClients()
{
    for (const ScenarioClient &each : m_record.scenario.clients) {
        Client &client = m_clients[each.name];
        if (each.hasProxy)
            client.network = std::make_unique<NetworkCut>(m_servers.server(0).endpoint().port);
        client.process = each.program == ClientProgramKind::Redisson ? makeRedisson(each, client.network.get())
                                                                     : makeProcess(each, client.network.get());
        if (!client.process)
            return;
        connect(client.process.get(), &ClientProcess::ready, this, [this, name = each.name] { clientReady(name); });
        connect(client.process.get(), &ClientProcess::failed, this, &Play::failed);
        connect(client.process.get(), &ClientProcess::told, this, [this, name = each.name](const ClientNews &news) {
            if (news.what == ClientNews::What::Lost)
                m_record.losses.push_back({ name, news.lock, news.thread, monoNow() });
        });
        client.process->start();
    }
}

std::unique_ptr<ClientProcess> Play::makeProcess(const ScenarioClient &client, const NetworkCut *network)
{
    lockcore::transport::Deployment servers = deployment();
    if (network)
        servers.seeds.front().port = network->port();
    QStringList arguments = serverArguments(servers);
    arguments << QStringLiteral("client") << QStringLiteral("--watchdog")
              << QString::number(m_record.scenario.watchdog.count()) << QStringLiteral("--fair-wait")
              << QString::number(m_record.scenario.fairWait.count());
    if (!client.renews)
        arguments << QStringLiteral("--no-renewals");
    auto process = std::make_unique<ClientProcess>(m_options.clientProgram, arguments);
    process->setEnvironment(serverEnvironment(servers));
    return process;
}

/// Null: it is missing, which is told.
std::unique_ptr<ClientProcess> Play::makeRedisson(const ScenarioClient &client, const NetworkCut *network)
{
    const auto redisson = findRedisson(m_options.redisson, client.version);
    if (!redisson) {
        Q_EMIT failed(redisson.error());
        return nullptr;
    }
    lockcore::transport::Deployment servers = deployment();
    if (network)
        servers.seeds.front().port = network->port();
    if (!m_redissonSource)
        m_redissonSource = std::make_unique<RedissonSource>();
    auto process = std::make_unique<ClientProcess>(
        redisson->java, redissonArguments(*redisson, m_redissonSource->path(), servers, m_record.scenario));
    process->inherit(m_redissonSource->descriptor());
    return process;
}

void Play::clientReady(const std::string &name)
{
    Client &client = m_clients[name];
    client.isReady = true;
    m_record.clientIds[name].push_back(client.process->id());
    if (const auto step = m_starting.extract(name))
        done(step.mapped());
    beginWhenReady();
}

void Play::beginWhenReady()
{
    const bool isLive = m_world.snapshot && m_world.snapshot->status.phase == SourcePhase::Live;
    const bool areReady = m_clients.size() == m_record.scenario.clients.size()
        && std::ranges::all_of(m_clients, [](const auto &each) { return each.second.isReady; });
    if (m_record.start || !isLive || !areReady)
        return;
    m_record.start = lockcore::transport::readClocks();
    Q_EMIT begun();
    advance();
}

void Play::advance()
{
    while (!m_isOver && m_next < m_record.scenario.steps.size() && mayBegin(m_next)) {
        if (!pauseIsOver())
            return;
        m_isPausing = false;
        m_isStepping = false;
        m_pause.setHeld(m_record.heldSince.has_value());
        begin(m_next++);
    }
    finishWhenOver();
}

bool Play::pauseIsOver()
{
    if (!std::exchange(m_isPausing, true))
        m_pause.start(stepAt(m_next).pause, stepAt(m_next).isScalable ? m_speed : 1);
    return m_pause.isOver();
}

bool Play::mayBegin(std::size_t step) const
{
    for (std::size_t i = 0; i < step; ++i) {
        if (!stepAt(i).isMeanwhile && !hasEnded(i))
            return false;
    }
    return std::ranges::all_of(stepAt(step).after, [this](const std::string &id) { return hasEnded(indexOf(id)); });
}

void Play::begin(std::size_t step)
{
    StepProgress &progress = m_record.progress[step];
    progress.state = StepState::Running;
    progress.beganAt = monoNow();
    auto &limit = m_limits[step] = std::make_unique<HeldTimer>();
    connect(limit.get(), &HeldTimer::over, this, [this, step] { tooLong(step); });
    limit->setHeld(m_record.heldSince.has_value());
    limit->start(limitOf(step));
    Q_EMIT stepChanged(step);
    carryOut(step);
}

/// What the step itself says that it may last comes on top.
Millis Play::limitOf(std::size_t step) const
{
    const Step &what = stepAt(step);
    const Millis looks = looksAtWorld(what.expects) ? what.expects.within : Millis{ 0 };
    return m_options.longestStep + what.wait.value_or(Millis{ 0 }) + what.retry + looks
        + what.expects.stays.value_or(Millis{ 0 });
}

void Play::carryOut(std::size_t step)
{
    const Step &what = stepAt(step);
    switch (lockcore::rowOf(lockui::lab::Acts, what.act).actor) {
    case Actor::Client:
        return order(step);
    case Actor::Administrator:
        return forceRelease(step);
    case Actor::Server:
        return actOnServer(step);
    case Actor::Nobody:
        return done(step);
    }
}

void Play::order(std::size_t step)
{
    const Step &what = stepAt(step);
    Client &client = m_clients[what.client];
    switch (what.act) {
    case Act::Crash:
        client.process->crash();
        client.isReady = false;
        if (const auto start = m_starting.extract(what.client)) {
            m_record.progress[start.mapped()].problems << Words::tr("it was killed before it was ready");
            done(start.mapped());
        }
        return done(step);
    case Act::Pause:
        client.process->pause();
        return done(step);
    case Act::Resume:
        client.process->resume();
        return done(step);
    case Act::Start:
        m_starting[what.client] = step;
        return client.process->start();
    case Act::Cut:
    case Act::Mend:
        client.network->setCut(what.act == Act::Cut);
        return done(step);
    default:
        client.process->order(what, [this, step](const ClientAnswer &answer) { answered(step, answer); });
    }
}

/// As a person does it who looks at the lock as the monitor shows it.
void Play::forceRelease(std::size_t step)
{
    const Step &what = stepAt(step);
    lockcore::synchronizers::ForceRelease command{ .name = what.lock,
        .kind = what.kind,
        .expected = {},
        .reason = Words::tr("a scenario of the contention lab").toStdString() };
    if (const LockState *lock = lockIn(m_world, what.lock)) {
        command.kind = lock->kind;
        for (const auto &holder : lock->holders)
            command.expected.push_back({ holder.owner, holder.mode });
    }
    m_commands[m_monitor->submit(command)] = step;
}

void Play::actOnServer(std::size_t step)
{
    const Step &what = stepAt(step);
    PrivateServer &server = m_servers.server(what.server);
    switch (what.act) {
    case Act::MoveSlot:
        return m_servers.moveSlot(what.lock, what.server, [this, step](const Result<void> &moved) {
            if (moved)
                return done(step);
            answered(step,
                { .outcome = Outcome::Failed,
                    .took = std::chrono::duration_cast<std::chrono::microseconds>(
                        monoNow() - *m_record.progress[step].beganAt),
                    .error = nameOf(moved.error().code),
                    .message = toString(moved.error()) });
        });
    case Act::KillServer:
        server.kill();
        break;
    case Act::PauseServer:
        server.pause();
        break;
    case Act::ResumeServer:
        server.resume();
        break;
    case Act::CutReplication:
        // What its master has sent is with the replica as soon as it wakes up: so the master sends nothing more.
        m_servers.server(1).pause();
        return void(m_servers.reader(0).send(
            { "CLIENT", "KILL", "TYPE", "replica" }, [this, step](const auto &) { done(step); }));
    default:
        connect(
            &server, &PrivateServer::ready, this, [this, step] { done(step); }, Qt::SingleShotConnection);
        return server.start();
    }
    done(step);
}

void Play::answered(std::size_t step, const ClientAnswer &answer)
{
    StepProgress &progress = m_record.progress[step];
    if (progress.state != StepState::Running || progress.endedAt)
        return;
    if (answer.outcome == Outcome::Failed && monoNow() < *progress.beganAt + stepAt(step).retry) {
        m_retried.insert(step);
        QTimer::singleShot(RetryAfter, this, [this, step] {
            if (m_record.progress[step].state == StepState::Running)
                carryOut(step);
        });
        return;
    }
    progress.outcome = answer.outcome;
    // Of one that was tried again the client knows its last try alone.
    progress.took
        = std::chrono::duration_cast<Millis>(m_retried.contains(step) ? monoNow() - *progress.beganAt : answer.took);
    progress.token = answer.token;
    progress.said
        = answer.error.empty() ? QString() : shown(answer.error) + QStringLiteral(", ") + shown(answer.message);
    done(step);
}

void Play::done(std::size_t step)
{
    if (m_record.progress[step].state != StepState::Running || m_record.progress[step].endedAt)
        return; // it took too long, and is over
    m_record.progress[step].endedAt = monoNow();
    checkAnswer(step);
    checkOrder(step);
    if (!looksAtWorld(stepAt(step).expects))
        return end(step);
    Q_EMIT stepChanged(step);
    checkWorld(step);
}

void Play::checkAnswer(std::size_t step)
{
    const Expectation &expects = stepAt(step).expects;
    StepProgress &progress = m_record.progress[step];
    const auto expected = expects.outcome;
    const bool isRight = !progress.outcome
        || (expected ? progress.outcome == expected
                     : progress.outcome != Outcome::Failed && progress.outcome != Outcome::Crashed);
    if (!isRight) {
        progress.problems << (expected
                ? Words::tr("expected %1, got %2").arg(outcomeText(*expected), seenText(progress))
                : Words::tr("it failed: %1").arg(seenText(progress)));
    } else if (expects.error && !progress.said.startsWith(shown(*expects.error) + u',')) {
        progress.problems << Words::tr("expected the error %1, got %2").arg(shown(*expects.error), progress.said);
    }
    if (expects.took && progress.took && !expects.took->has(*progress.took))
        progress.problems << Words::tr("expected to take %1 to %2, took %3")
                                 .arg(millisText(expects.took->least), millisText(expects.took->most),
                                     millisText(*progress.took));
    if (expects.tokenAbove) {
        const auto earlier = m_record.progress[indexOf(*expects.tokenAbove)].token;
        if (!progress.token || !earlier || *progress.token <= *earlier)
            progress.problems << Words::tr("expected a token above %1, got %2")
                                     .arg(earlier ? QString::number(*earlier) : Words::tr("none"),
                                         progress.token ? QString::number(*progress.token) : Words::tr("none"));
    }
}

void Play::checkOrder(std::size_t step)
{
    const std::vector<std::string> &order = stepAt(step).expects.order;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const auto before = m_record.progress[indexOf(order[i - 1])].endedAt;
        const auto after = m_record.progress[indexOf(order[i])].endedAt;
        if (!before || !after || *before > *after)
            m_record.progress[step].problems << Words::tr("expected the end of \"%1\" before that of \"%2\"")
                                                    .arg(shown(order[i - 1]), shown(order[i]));
    }
}

void Play::checkWorld(std::size_t step)
{
    auto &check = m_checks[step] = std::make_unique<ExpectationCheck>(m_world, stepAt(step).expects);
    connect(
        check.get(), &ExpectationCheck::finished, this,
        [this, step](const QStringList &problems, const QStringList &seen) {
            m_record.progress[step].problems << problems;
            m_record.progress[step].seen = seen;
            end(step);
        },
        Qt::QueuedConnection);
    check->start();
}

void Play::end(std::size_t step)
{
    StepProgress &progress = m_record.progress[step];
    if (progress.state != StepState::Running)
        return;
    progress.state = progress.problems.isEmpty() ? StepState::Passed : StepState::Failed;
    progress.judgedAt = monoNow();
    m_limits.erase(step);
    m_checks.erase(step);
    Q_EMIT stepChanged(step);
    QMetaObject::invokeMethod(this, &Play::advance, Qt::QueuedConnection);
}

void Play::tooLong(std::size_t step)
{
    StepProgress &progress = m_record.progress[step];
    progress.problems << Words::tr("it has not ended within %1").arg(millisText(limitOf(step)));
    if (!progress.endedAt)
        progress.endedAt = monoNow();
    m_limits[step].release()->deleteLater(); // it is the one that says so
    end(step);
}

void Play::finishWhenOver()
{
    const bool isOver = m_next == m_record.scenario.steps.size()
        && std::ranges::all_of(m_record.progress, [](const StepProgress &each) {
               return each.state == StepState::Passed || each.state == StepState::Failed;
           });
    if (!isOver || std::exchange(m_isOver, true))
        return;
    m_record.end = lockcore::transport::readClocks();
    endHeldBack(m_record, m_record.end->mono);
    Q_EMIT finished(std::ranges::all_of(
        m_record.progress, [](const StepProgress &each) { return each.state == StepState::Passed; }));
}

std::size_t Play::indexOf(const std::string &id) const
{
    const auto found = std::ranges::find(m_record.scenario.steps, id, &Step::id);
    return static_cast<std::size_t>(found - m_record.scenario.steps.begin());
}

bool Play::hasEnded(std::size_t step) const
{
    return m_record.progress[step].state == StepState::Passed || m_record.progress[step].state == StepState::Failed;
}

} // namespace app
