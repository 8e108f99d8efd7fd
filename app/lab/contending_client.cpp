// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/contending_client.h"

#include "app/lab/foreign_server.h"
#include "lockcore/client/client_rights.h"
#include "lockcore/service/actions/audit_entry.h"
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
const QString NoRenewals = QStringLiteral("--no-renewals");

std::string permittingLine(
    const lockcore::transport::Deployment &server, const lockcore::LockName &lock, const std::string &said)
{
    const bool inCluster = server.topology == lockcore::transport::Topology::Cluster;
    return lockcore::client::aclLineForRefused(server.seeds.front().user, inCluster, lock, said);
}

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

ContendingClient::~ContendingClient()
{
    if (!m_options.isOfOthers || !m_process)
        return;
    giveBack();
    const bool isAll = m_process->endsGivenBack();
    m_options.gaveBack(*m_givesBack, isAll);
    if (!isAll && m_mayHave)
        m_options.keepsIt(m_lock);
}

/// Its process does it, once it is told that it ends.
void ContendingClient::giveBack()
{
    if (m_givesBack)
        return;
    const bool isOver = m_leaseEnds && *m_leaseEnds <= monoNow();
    m_givesBack = GivenBack{ .group = m_settings.id,
        .lock = m_lock,
        .kind = m_settings.kind,
        .name = m_state.name,
        .id = m_state.id,
        .holds = isOver || m_state.hasLostIt ? decltype(m_holds)() : m_holds };
    m_options.givesBack(*m_givesBack);
}

void ContendingClient::setWork(const lockui::lab::GroupSettings &settings, const lockcore::LockName &lock)
{
    const bool isDrawnAnew = settings.hold != m_settings.hold || settings.think != m_settings.think;
    m_settings = settings;
    m_lock = lock;
    if (settings.byHand)
        setByHand(true);
    const bool isIdle = m_state.isByHand && m_state.isAwake() && m_state.phase == ClientPhase::Thinking;
    if (isIdle && m_startedWith != arguments())
        return start(); // a person may take long until the next lock, which is to be as is set
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
    const QStringList before = std::exchange(m_startedWith, arguments());
    const bool isTurned = m_startedWith != before;
    m_state.insteadOf = isTurned && m_state.isAlive() ? m_state.id : std::string();
    m_process = std::make_unique<ClientProcess>(m_options.clientProgram, m_startedWith);
    m_process->setEnvironment(serverEnvironment(m_options.server));
    if (m_options.isOfOthers)
        m_process->letItGiveBack();
    connect(m_process.get(), &ClientProcess::ready, this, &ContendingClient::ready);
    connect(m_process.get(), &ClientProcess::told, this, &ContendingClient::told);
    connect(m_process.get(), &ClientProcess::failed, this, &ContendingClient::ended);
    m_state.id.clear();
    m_mayHave = false;
    answered();
    setPhase(ClientPhase::Starting);
    m_process->start();
}

void ContendingClient::ready()
{
    m_hasBeenReady = true;
    m_state.id = m_process->id();
    if (!m_options.isOfOthers)
        setUp();
    goOn(CourseStep::Unlock);
}

/// The first of a group does it, the others are told that it is done.
void ContendingClient::setUp()
{
    if (isSemaphore(m_settings.kind))
        m_process->order(stepOf(Act::SetPermits, {}), [](const ClientAnswer &) {});
    else if (isCounter(m_settings.kind))
        m_process->order(stepOf(Act::SetCount, {}), [](const ClientAnswer &) {});
}

void ContendingClient::ended(const lockcore::Error &error)
{
    if (!m_hasBeenReady)
        return Q_EMIT failed(error);
    if (m_state.phase != ClientPhase::Starting) {
        if (m_options.isOfOthers && std::exchange(m_mayHave, false))
            m_options.keepsIt(m_lock); // no person has let it crash, and it cannot give it back any more
        return crash();
    }
    setPhase(ClientPhase::Crashed); // it found no server, and so never came to live
    m_back.start();
}

void ContendingClient::told(const ClientNews &news)
{
    switch (news.what) {
    case ClientNews::What::Ready:
        return; // it has its own signal
    case ClientNews::What::Renewed:
        return answered();
    case ClientNews::What::Lost:
        answered();
        if (!m_holds.empty() && !std::exchange(m_state.hasLostIt, true))
            m_state.lostAt = monoNow();
        return;
    case ClientNews::What::Unconfirmed: // for a whole lease
        return unanswered(std::max(m_state.since, monoNow() - m_lease));
    case ClientNews::What::Disconnected:
        return unanswered(monoNow());
    case ClientNews::What::Reconnected: // what became of its hold is told later, and only if it is renewed
        m_state.unansweredSince.reset();
        return;
    }
}

void ContendingClient::unanswered(MonoTime since)
{
    m_state.unansweredSince = m_state.unansweredSince.value_or(since);
    if (!m_holds.empty())
        m_state.unseenSince = m_state.unseenSince.value_or(since);
}

void ContendingClient::answered()
{
    m_state.unansweredSince.reset();
    m_state.unseenSince.reset();
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
    if (const auto kept = std::exchange(m_kept, std::nullopt))
        Q_EMIT readyTo(*kept);
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
    const Step asked = stepOf(m_settings.kind == Kind::CountDownLatch ? Act::Await : Act::Lock, mode);
    m_givesUp = false;
    const bool hadPerhaps = m_mayHave;
    m_mayHave = m_mayHave || asked.act == Act::Lock;
    m_state.waitsForMore = !m_holds.empty();
    m_waiting = m_process->order(asked, [this, asked, byHand, hadPerhaps](const ClientAnswer &answered) {
        ClientAnswer answer = answered;
        const bool endsWithIt = m_givesBack && answer.error == nameOf(lockcore::ErrorCode::Cancelled);
        if ((m_givesUp || endsWithIt) && answer.outcome == Outcome::Failed)
            answer.outcome = Outcome::NotAcquired;
        m_state.waitsForMore = false;
        locked(asked, answer, hadPerhaps);
        if (byHand)
            report(*byHand, answer);
    });
}

void ContendingClient::locked(const Step &asked, const ClientAnswer &answer, bool hadPerhaps)
{
    const bool isFirst = m_holds.empty();
    switch (answer.outcome) {
    case Outcome::Crashed:
        return; // die() has done all of it
    case Outcome::Acquired:
        if (asked.act == Act::Await)
            return think({}); // a latch is open for everybody, and held by nobody
        return gotIt(asked, answer);
    case Outcome::NotAcquired:
        ++m_state.timeouts;
        m_mayHave = !isFirst || (hadPerhaps && isSemaphore(m_settings.kind)); // nobody takes its own lock from it
        if (isFirst)
            goOn(CourseStep::Lock, false);
        return;
    default:
        // A refusal changed nothing; after a lost answer it may have it.
        if (const auto code = lockcore::named(lockcore::ErrorCodes, answer.error);
            code && !lockcore::service::mayHaveBeenDone(*code))
            m_mayHave = hadPerhaps;
        if (isFirst)
            think(PauseAfterError);
    }
}

void ContendingClient::gotIt(const Step &asked, const ClientAnswer &answer)
{
    const bool isFirst = m_holds.empty();
    ++m_state.acquires;
    answered();
    Q_EMIT acquired(answer.took); // asks who else goes on as a holder
    m_holds.push_back(asked.mode);
    tellHolds();
    const bool isRenewed = !asked.lease && !m_startedWith.contains(NoRenewals);
    m_isRenewed = isRenewed || (m_isRenewed && !isFirst);
    leaseBegins(asked.lease.value_or(m_settings.watchdog));
    m_state.hasLostIt = false;
    if (isFirst)
        m_heldSince = monoNow();
    if (m_state.isLeaving)
        return unlock();
    if (isFirst)
        goOn(CourseStep::Lock, true);
}

void ContendingClient::unlock(std::optional<HandAct> byHand)
{
    m_timer.stop();
    m_state.insteadOf.clear();
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
    const bool isNotHeld = answer.outcome == Outcome::Failed && answer.error == nameOf(lockcore::ErrorCode::NotHeld);
    const bool isAnswered = answer.outcome != Outcome::Failed || isNotHeld; // else it runs out, or is given back yet
    const bool isLost = answer.outcome == Outcome::No || isNotHeld;
    m_state.losses += isLost ? 1 : 0;
    if (isAnswered)
        answered();
    const bool oneByOne = isSemaphore(m_settings.kind) || m_settings.kind == Kind::ReadWrite;
    if (!m_holds.empty())
        m_holds.pop_back();
    if (isNotHeld || (answer.outcome == Outcome::Released && !oneByOne))
        m_holds.clear();
    tellHolds();
    m_mayHave = !m_holds.empty() || m_state.waitsForMore || !isAnswered;
    if (m_holds.empty()) {
        holdsNothing();
        if (std::exchange(m_state.waitsForMore, false))
            setPhase(ClientPhase::Waiting);
        else
            goOn(CourseStep::Unlock);
    } else if (m_state.isByHand && !m_state.isLeaving) {
        setPhase(ClientPhase::Holding);
    } else {
        unlock(); // all that a person's hand has left it
    }
}

/// Nobody is told when one ends that is not renewed.
void ContendingClient::leaseBegins(Millis lease)
{
    m_lease = lease;
    const bool ends = !m_isRenewed && mayHaveEnded();
    m_leaseEnds = ends ? std::optional(monoNow() + lease) : std::nullopt;
}

/// A permit without a lease does not, whoever renews.
bool ContendingClient::mayHaveEnded() const
{
    return m_settings.kind != Kind::Semaphore
        && (m_settings.kind != Kind::PermitExpirableSemaphore || m_settings.lease);
}

void ContendingClient::crash()
{
    die();
    m_back.start();
}

void ContendingClient::leave()
{
    m_state.isLeaving = true;
    if (m_options.isOfOthers) // at its end, also of a wait without limit
        return Q_EMIT left();
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

void ContendingClient::close()
{
    if (!m_options.isOfOthers || !m_process)
        return;
    giveBack();
    m_process->close();
}

bool ContendingClient::takesPart() const { return m_state.isAwake() && !m_state.isByHand; }

lockui::lab::ContenderState ContendingClient::stateAt(MonoTime now) const
{
    auto state = m_state;
    const bool isLeaseOver = state.phase == ClientPhase::Holding && m_leaseEnds && *m_leaseEnds <= now;
    if (isLeaseOver && !std::exchange(state.hasLostIt, true))
        state.lostAt = *m_leaseEnds;
    return state;
}

bool ContendingClient::goesOnAsHolder() const { return m_state.phase == ClientPhase::Holding && !m_state.hasLostIt; }

void ContendingClient::setPhase(ClientPhase phase)
{
    if (phase != m_state.phase || phase == ClientPhase::Crashed)
        m_state.since = monoNow();
    m_state.phase = phase;
    tellPart();
}

void ContendingClient::die()
{
    if (m_state.phase == ClientPhase::Crashed)
        return;
    m_timer.stop();
    m_timeLeft.reset();
    m_kept.reset();
    leaveGhosts();
    m_stillSince.reset();
    m_state.isPaused = false;
    m_state.waitsForMore = false;
    m_holds.clear();
    tellHolds();
    holdsNothing();
    ++m_state.crashes;
    setPhase(ClientPhase::Crashed);
    m_process->crash();
}

/// When its watchdog came last is not known: the latest end that there may be is told.
void ContendingClient::leaveGhosts()
{
    if (m_state.phase != ClientPhase::Holding || m_state.hasLostIt || m_state.unseenSince)
        return; // whether Redis names it is not known
    std::optional<MonoTime> until;
    if (mayHaveEnded())
        until = m_leaseEnds.value_or(m_stillSince.value_or(monoNow()) + m_lease);
    const bool oneByOne = isSemaphore(m_settings.kind);
    for (std::size_t i = 0; i < (oneByOne ? m_holds.size() : std::min<std::size_t>(m_holds.size(), 1)); ++i)
        Q_EMIT diedHolding({ .client = m_state.name, .mode = m_holds[i], .until = until });
}

void ContendingClient::startAgain()
{
    m_back.stop();
    start();
}

void ContendingClient::tellHolds()
{
    m_state.holds = std::ssize(m_holds);
    m_state.lastMode = m_holds.empty() ? std::nullopt : m_holds.back();
}

void ContendingClient::holdsNothing()
{
    if (const auto since = std::exchange(m_heldSince, std::nullopt))
        m_state.held += monoNow() - *since;
    m_leaseEnds.reset();
    m_isRenewed = false;
    m_state.hasLostIt = false;
    m_state.unseenSince.reset();
    m_state.mode.reset();
}

void ContendingClient::tellPart()
{
    if (std::exchange(m_tookPart, takesPart()) != m_tookPart)
        Q_EMIT partChanged();
}

void ContendingClient::report(HandAct act, const ClientAnswer &answer)
{
    const auto code = lockcore::named(lockcore::ErrorCodes, answer.error);
    const bool isRefused = code == lockcore::ErrorCode::PermissionDenied;
    Q_EMIT acted({ .group = m_settings.id,
        .client = m_state.name,
        .act = act,
        .outcome = answer.outcome,
        .took = answer.took,
        .said = answer.message,
        .code = code,
        .aclLine = isRefused ? permittingLine(m_options.server, m_lock, answer.message) : std::string() });
}

QStringList ContendingClient::arguments() const
{
    QStringList arguments = serverArguments(m_options.server);
    arguments << QStringLiteral("client") << QStringLiteral("--watchdog")
              << QString::number(m_settings.watchdog.count()) << QStringLiteral("--fair-wait")
              << QString::number(m_settings.fairWait.count());
    if (!m_settings.renews)
        arguments << NoRenewals;
    if (m_options.isOfOthers)
        arguments << QStringLiteral("--give-back");
    return arguments;
}

Step ContendingClient::stepOf(Act act, std::optional<HoldMode> mode) const
{
    Step step;
    step.act = act;
    step.lock = m_lock;
    step.kind = m_settings.kind;
    step.variant = m_settings.variant;
    step.mode = mode;
    if (act == Act::Lock)
        step.lease = m_settings.lease;
    if (act == Act::Renew)
        step.lease = m_settings.lease.value_or(m_settings.watchdog);
    if (act == Act::Lock || act == Act::Await)
        step.wait = m_settings.wait;
    if (act == Act::SetPermits || act == Act::SetCount)
        step.count = m_settings.permits;
    return step;
}

} // namespace app
