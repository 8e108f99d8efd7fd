// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/contending_client.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace app {

using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;
using lockcore::transport::monoNow;
using lockui::lab::Act;
using lockui::lab::ClientPhase;
using lockui::lab::CourseStep;
using lockui::lab::HandAct;
using lockui::lab::Micros;
using lockui::lab::NextStep;
using lockui::lab::Outcome;
using lockui::lab::Step;

namespace {

using namespace std::chrono_literals;

constexpr auto BackAfter = 2s;
constexpr Micros PauseAfterError = 250ms;

} // namespace

ContendingClient::ContendingClient(std::uint64_t number, std::string name, const ContendingOptions &options)
    : m_number(number)
    , m_options(options)
{
    m_state.name = std::move(name);
    m_state.since = monoNow();
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &ContendingClient::timeIsOver);
    m_back.setSingleShot(true);
    m_back.setInterval(BackAfter);
    connect(&m_back, &QTimer::timeout, this, &ContendingClient::startAgain);
}

void ContendingClient::setWork(const lockui::lab::GroupSettings &settings, const lockcore::LockName &lock)
{
    const bool isDrawnAnew = settings.hold != m_settings.hold || settings.think != m_settings.think;
    m_settings = settings;
    m_lock = lock;
    if (isDrawnAnew
        && m_timer.isActive()) { // what a person turns is to be seen at once, not after a long draw of before
        const auto &time = m_state.phase == ClientPhase::Holding ? settings.hold : settings.think;
        m_timer.start(std::chrono::round<Millis>(drawTime(time, m_options.random())));
    }
}

/// In a new process: its arguments are for life.
void ContendingClient::start()
{
    if (m_process) { // it may be the one whose answer has led here
        m_process->disconnect(this);
        m_process->crash();
        m_process.release()->deleteLater();
    }
    m_startedWith = arguments();
    m_process = std::make_unique<ClientProcess>(m_options.clientProgram, m_startedWith);
    connect(m_process.get(), &ClientProcess::ready, this, &ContendingClient::ready);
    connect(m_process.get(), &ClientProcess::told, this, &ContendingClient::told);
    connect(m_process.get(), &ClientProcess::failed, this, &ContendingClient::ended);
    m_state.id.clear();
    setPhase(ClientPhase::Starting);
    m_process->start();
}

void ContendingClient::ready()
{
    m_hasBeenReady = true;
    m_state.id = m_process->id();
    if (isSemaphore(m_settings.kind)) // the first of a group does it, the others are told that it is done
        m_process->order(stepOf(Act::SetPermits, {}), [](const ClientAnswer &) {});
    goOn(CourseStep::Unlock);
}

void ContendingClient::ended(const lockcore::Error &error)
{
    if (!m_hasBeenReady)
        return Q_EMIT failed(error);
    crash();
}

void ContendingClient::told(const ClientNews &news)
{
    if (news.what == ClientNews::What::Lost && !m_holds.empty())
        m_state.hasLostIt = true;
}

void ContendingClient::goOn(CourseStep last, bool acquired)
{
    begin(nextStep(last, acquired, m_settings, m_options.random));
}

void ContendingClient::begin(const NextStep &next)
{
    switch (next.step) {
    case CourseStep::Think:
        return think(next.time);
    case CourseStep::Lock:
        return lock(next.mode);
    case CourseStep::Hold:
        setPhase(ClientPhase::Holding);
        if (!m_state.isByHand)
            m_timer.start(std::chrono::round<Millis>(next.time));
        return;
    case CourseStep::Unlock:
        return unlock();
    }
}

void ContendingClient::think(Micros time)
{
    setPhase(ClientPhase::Thinking);
    if (m_state.isLeaving)
        return Q_EMIT left();
    if (m_startedWith != arguments())
        return start();
    if (!m_state.isByHand)
        m_timer.start(std::chrono::round<Millis>(time));
}

void ContendingClient::timeIsOver()
{
    goOn(m_state.phase == ClientPhase::Holding ? CourseStep::Hold : CourseStep::Think);
}

void ContendingClient::lock(std::optional<HoldMode> mode, std::optional<HandAct> byHand)
{
    if (m_holds.empty()) {
        m_state.mode = mode;
        setPhase(ClientPhase::Waiting);
    }
    m_process->order(stepOf(Act::Lock, mode), [this, mode, byHand](const ClientAnswer &answer) {
        locked(mode, answer);
        if (byHand)
            report(*byHand, answer);
    });
}

void ContendingClient::locked(std::optional<HoldMode> mode, const ClientAnswer &answer)
{
    const bool isFirst = m_holds.empty();
    switch (answer.outcome) {
    case Outcome::Crashed:
        return; // die() has done all of it
    case Outcome::Acquired:
        ++m_state.acquires;
        Q_EMIT acquired(answer.took); // asks who else goes on as a holder
        m_holds.push_back(mode);
        m_state.holds = std::ssize(m_holds);
        m_leaseEnds = m_settings.lease ? std::optional(monoNow() + *m_settings.lease) : std::nullopt;
        m_state.hasLostIt = false;
        if (isFirst)
            m_heldSince = monoNow();
        if (m_state.isLeaving)
            return unlock();
        if (isFirst)
            goOn(CourseStep::Lock, true);
        return;
    case Outcome::NotAcquired:
        ++m_state.timeouts;
        if (isFirst)
            goOn(CourseStep::Lock, false);
        return;
    default:
        if (isFirst)
            think(PauseAfterError);
    }
}

void ContendingClient::unlock(std::optional<HandAct> byHand)
{
    m_timer.stop();
    setPhase(ClientPhase::Releasing);
    const auto mode = m_holds.empty() ? std::nullopt : m_holds.back();
    m_process->order(stepOf(Act::Unlock, mode), [this, byHand](const ClientAnswer &answer) {
        unlocked(answer);
        if (byHand)
            report(*byHand, answer);
    });
}

void ContendingClient::unlocked(const ClientAnswer &answer)
{
    if (answer.outcome == Outcome::Crashed)
        return;
    const bool isLost = answer.outcome == Outcome::Failed || answer.outcome == Outcome::No;
    m_state.losses += isLost ? 1 : 0;
    const bool oneByOne = isSemaphore(m_settings.kind) || m_settings.kind == Kind::ReadWrite;
    if (!m_holds.empty())
        m_holds.pop_back();
    if (answer.outcome == Outcome::Failed || (answer.outcome == Outcome::Released && !oneByOne))
        m_holds.clear();
    m_state.holds = std::ssize(m_holds);
    if (m_holds.empty()) {
        holdsNothing();
        goOn(CourseStep::Unlock);
    } else if (m_state.isByHand && !m_state.isLeaving) {
        setPhase(ClientPhase::Holding);
    } else {
        unlock(); // all that a person's hand has left it
    }
}

void ContendingClient::act(HandAct act)
{
    const bool mayLock = m_state.phase == ClientPhase::Thinking || m_state.phase == ClientPhase::Holding;
    const bool isAlive = m_state.phase != ClientPhase::Crashed && m_state.phase != ClientPhase::Starting;
    if (m_state.isLeaving)
        return;
    switch (act) {
    case HandAct::Take:
        setByHand(true);
        break;
    case HandAct::Lock:
    case HandAct::LockToRead:
        if (mayLock && !m_state.isPaused) {
            setByHand(true);
            const bool hasModes = m_settings.kind == Kind::ReadWrite;
            const auto mode = act == HandAct::LockToRead ? HoldMode::Read : HoldMode::Write;
            lock(hasModes ? std::optional(mode) : std::nullopt, act);
        }
        return;
    case HandAct::Unlock:
        if (m_state.phase == ClientPhase::Holding && !m_state.isPaused) {
            setByHand(true);
            unlock(act);
        }
        return;
    case HandAct::Pause:
    case HandAct::Resume:
        if (!isAlive || m_state.isPaused == (act == HandAct::Pause))
            return;
        setPaused(act == HandAct::Pause);
        break;
    case HandAct::Crash:
        if (!isAlive)
            return;
        die();
        break;
    case HandAct::Start:
        if (m_state.phase != ClientPhase::Crashed)
            return;
        startAgain();
        break;
    case HandAct::LetGo:
        letGo();
        break;
    }
    report(act);
}

void ContendingClient::crash()
{
    die();
    m_back.start();
}

void ContendingClient::leave()
{
    m_state.isLeaving = true;
    setPaused(false);
    tellPart();
    switch (m_state.phase) {
    case ClientPhase::Starting:
    case ClientPhase::Crashed:
    case ClientPhase::Thinking:
        m_timer.stop();
        return Q_EMIT left();
    case ClientPhase::Holding:
        return unlock();
    case ClientPhase::Waiting:
    case ClientPhase::Releasing:
        return; // at its end
    }
}

bool ContendingClient::takesPart() const
{
    return m_state.phase != ClientPhase::Starting && m_state.phase != ClientPhase::Crashed && !m_state.isPaused
        && !m_state.isByHand && !m_state.isLeaving;
}

bool ContendingClient::isLeaseOver(MonoTime now) const
{
    return m_state.phase == ClientPhase::Holding && m_leaseEnds && *m_leaseEnds <= now;
}

bool ContendingClient::goesOnAsHolder() const { return m_state.phase == ClientPhase::Holding && !m_state.hasLostIt; }

void ContendingClient::setPhase(ClientPhase phase)
{
    if (phase != m_state.phase || phase == ClientPhase::Crashed)
        m_state.since = monoNow();
    m_state.phase = phase;
    tellPart();
}

void ContendingClient::setByHand(bool byHand)
{
    m_state.isByHand = byHand;
    if (byHand) {
        m_timer.stop();
        m_timeLeft.reset();
    }
    tellPart();
}

void ContendingClient::letGo()
{
    if (!m_state.isByHand)
        return;
    setByHand(false);
    if (m_state.phase == ClientPhase::Thinking)
        goOn(CourseStep::Unlock);
    else if (m_state.phase == ClientPhase::Holding)
        goOn(CourseStep::Lock, true);
    if (m_state.isPaused && m_timer.isActive()) {
        m_timeLeft = m_timer.remainingTime();
        m_timer.stop();
    }
}

/// What it thinks or works on stands still with it.
void ContendingClient::setPaused(bool paused)
{
    if (m_state.isPaused == paused)
        return;
    m_state.isPaused = paused;
    if (paused) {
        m_process->pause();
        if (m_timer.isActive())
            m_timeLeft = m_timer.remainingTime();
        m_timer.stop();
    } else {
        m_process->resume();
        if (const auto left = std::exchange(m_timeLeft, std::nullopt))
            m_timer.start(*left);
    }
    tellPart();
}

void ContendingClient::die()
{
    if (m_state.phase == ClientPhase::Crashed)
        return;
    m_timer.stop();
    m_timeLeft.reset();
    m_state.isPaused = false;
    m_holds.clear();
    m_state.holds = 0;
    holdsNothing();
    ++m_state.crashes;
    setPhase(ClientPhase::Crashed);
    m_process->crash();
}

void ContendingClient::startAgain()
{
    m_back.stop();
    start();
}

void ContendingClient::holdsNothing()
{
    if (const auto since = std::exchange(m_heldSince, std::nullopt))
        m_state.held += monoNow() - *since;
    m_leaseEnds.reset();
    m_state.hasLostIt = false;
    m_state.mode.reset();
}

void ContendingClient::tellPart()
{
    if (std::exchange(m_tookPart, takesPart()) != m_tookPart)
        Q_EMIT partChanged();
}

void ContendingClient::report(HandAct act, const ClientAnswer &answer)
{
    Q_EMIT acted({ .group = m_settings.id,
        .client = m_state.name,
        .act = act,
        .outcome = answer.outcome,
        .took = answer.took,
        .said = answer.message });
}

QStringList ContendingClient::arguments() const
{
    return { QStringLiteral("--url"), m_options.url, QStringLiteral("client"), QStringLiteral("--watchdog"),
        QString::number(m_settings.watchdog.count()), QStringLiteral("--fair-wait"),
        QString::number(m_settings.fairWait.count()) };
}

Step ContendingClient::stepOf(Act act, std::optional<HoldMode> mode) const
{
    Step step;
    step.act = act;
    step.lock = m_lock;
    step.kind = m_settings.kind;
    step.variant = m_settings.variant;
    step.mode = mode;
    if (act == Act::Lock) {
        step.lease = m_settings.lease;
        step.wait = m_settings.wait;
    }
    if (act == Act::SetPermits)
        step.count = m_settings.permits;
    return step;
}

} // namespace app
