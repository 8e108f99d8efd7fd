// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/diagnose.h"

#include "app/common/words.h"
#include "app/lockctl/output.h"
#include "app/lockctl/suspects.h"
#include "lockcore/service/rights/missing_rights.h"
#include "lockcore/transport/clock.h"
#include "ui/text/error_text.h"
#include "ui/text/json.h"
#include "ui/text/lock_json.h"

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace lockctl {

namespace json = lockui::json;
using lockui::addName;
using lockui::cyclesOf;
using lockui::deadlocksJson;
using Json = lockui::JsonValue;
using lockui::suspectsJson;

using app::Words;
using lockcore::LockName;
using lockcore::Millis;
using lockcore::monitor::LockState;
using lockcore::monitor::Snapshot;
using lockcore::service::mayHideLocks;
using lockcore::service::Monitor;
using lockcore::transport::monoNow;
using lockui::pluralOf;

namespace {

using namespace std::chrono_literals;

constexpr Millis LongEnough = 1min; // for all but what takes as long as the locks are held, or the channels are many

QString verdict(const Diagnosis &diagnosis)
{
    const int locks = pluralOf(diagnosis.locks);
    if (diagnosis.isFiltered && diagnosis.locks == 0 && isFine(diagnosis))
        return diagnosis.isComplete ? Words::tr("No lock matches the filter, watched for %1.")
                                    : Words::tr("No lock that could be watched matches the filter, watched for %1.");
    if (isFine(diagnosis))
        return diagnosis.isComplete
            ? Words::tr("Nothing looks wrong with %n locks, watched for %1.", nullptr, locks)
            : Words::tr("Nothing looks wrong with what could be watched: %n locks, watched for %1.", nullptr, locks);
    return diagnosis.isComplete
        ? Words::tr("That is all with %n locks, watched for %1.", nullptr, locks)
        : Words::tr("That is all with what could be watched: %n locks, watched for %1.", nullptr, locks);
}

} // namespace

bool isFine(const Diagnosis &diagnosis)
{
    const bool isDeadlocked = diagnosis.deadlocks && !diagnosis.deadlocks->empty();
    return diagnosis.suspected.empty() && diagnosis.analysis->moreSuspects == 0 && !isDeadlocked;
}

void printText(const Diagnosis &diagnosis)
{
    for (const LockName &name : diagnosis.suspected) {
        printLine(lockui::printable(name));
        for (const std::string &line : suspectLines(diagnosis.analysis.get(), name))
            printLine("  " + line);
    }
    if (diagnosis.deadlocks) {
        for (const std::string &line : deadlockLines(*diagnosis.deadlocks))
            printLine(line);
    }
    printLine(verdict(diagnosis).arg(lockui::ttlText(diagnosis.watched)));
    if (const auto more = diagnosis.analysis->moreSuspects; more > 0)
        printLine(Words::tr("Not listed: %n more suspects.", nullptr, pluralOf(more)));
    if (const auto pending = diagnosis.analysis->pending; pending > 0)
        printLine(
            Words::tr("%n things would take longer to tell: try it with a longer --for.", nullptr, pluralOf(pending)));
    else if (diagnosis.watched < LongEnough)
        printLine(Words::tr("Some things show only after half a minute or more: try it with --for 1m."));
}

Json diagnosisJson(const Diagnosis &diagnosis)
{
    Json locks = Json::array();
    for (const LockName &name : diagnosis.suspected) {
        Json object;
        addName(object, "name", name);
        object["suspects"] = suspectsJson(diagnosis.analysis.get(), name);
        locks.push_back(std::move(object));
    }
    return { { "watchedMs", diagnosis.watched.count() }, { "complete", diagnosis.isComplete },
        { "locks", diagnosis.locks }, { "suspected", std::move(locks) },
        { "deadlocks", diagnosis.deadlocks ? deadlocksJson(*diagnosis.deadlocks) : Json() },
        { "notListed", diagnosis.analysis->moreSuspects }, { "pending", diagnosis.analysis->pending } };
}

namespace {

constexpr Millis Usual = 5s;
constexpr Millis Longest = 15s;
constexpr Millis LookAgainAfter = 250ms;

lockcore::service::MonitorOptions optionsFor(const DiagnoseRequest &request, const Globals &globals)
{
    auto options = monitorOptions(globals);
    options.onlyLock = request.name;
    options.suspectsOf = request.filter;
    return options;
}

std::vector<LockName> suspected(const lockcore::monitor::Analysis &analysis)
{
    std::vector<LockName> names;
    for (const lockcore::monitor::Suspect &suspect : analysis.suspects) {
        if (std::ranges::find(names, suspect.lock) == names.end())
            names.push_back(suspect.lock);
    }
    return names;
}

/// Of those whose servers can be seen.
std::int64_t lockCount(const Snapshot &snapshot, const lockcore::monitor::LockFilter &filter, lockcore::MonoTime now)
{
    return std::ranges::count_if(snapshot.locks, [&](const auto &lock) {
        return filter.matches(*lock, now) && !lockcore::monitor::staleSince(snapshot, *lock);
    });
}

bool isAnythingSeen(const Snapshot &snapshot)
{
    return std::ranges::any_of(snapshot.nodes, [](const auto &node) { return isSeen(node.status); });
}

} // namespace

Diagnose::Diagnose(DiagnoseRequest request, const Globals &globals)
    : m_request(std::move(request))
    , m_asJson(globals.json)
    , m_sweep(optionsFor(m_request, globals), OneSweep::Until::Seen)
{
    m_end.setSingleShot(true);
    m_end.setTimerType(Qt::PreciseTimer); // no less than was asked for
    connect(&m_end, &QTimer::timeout, this, &Diagnose::finishOrGoOn);
    connect(&m_sweep, &OneSweep::failed, this, &Diagnose::fail);
    connect(&m_sweep, &OneSweep::done, this, &Diagnose::begin);
}

void Diagnose::start(const lockcore::transport::Deployment &deployment)
{
    m_deployment = deployment;
    m_sweep.start(deployment);
}

void Diagnose::interrupt()
{
    if (m_watchedSince)
        finish(); // with what is known by then
    else
        abandon();
}

/// That nothing was looked at does not answer whether something looks wrong.
void Diagnose::abandon()
{
    app::complain("lockctl",
        app::complaint(lockcore::ErrorCode::Cancelled, Words::tr("interrupted before all had been seen"), "diagnose"));
    Q_EMIT finished(app::ServerError);
}

/// The time runs from when all has been seen once.
void Diagnose::begin()
{
    m_watchedSince = monoNow();
    const Monitor &monitor = m_sweep.monitor();
    m_outages.start(*monitor.latest(), *m_watchedSince);
    connect(&monitor, &Monitor::snapshotReady, this, &Diagnose::follow);
    connect(&monitor, &Monitor::eventsReported, this,
        [this](const lockcore::monitor::EventList &events) { m_outages.heard(events, monoNow()); });
    const Millis watchFor = m_request.watchFor.value_or(Usual);
    m_end.start(watchFor);
    if (::isatty(STDERR_FILENO) != 0)
        lockctl::note(Words::tr("watching for %1").arg(lockui::ttlText(watchFor)));
    follow();
}

void Diagnose::follow()
{
    const auto snapshot = m_sweep.monitor().latest();
    m_sweep.note().tell(snapshot->status);
    if (!m_request.name)
        return;
    const LockState *lock = findLock(*snapshot, *m_request.name);
    m_wasThere = m_wasThere || lock != nullptr;
    if (lock != nullptr && !lock->holders.empty() && !lock->waiters.empty() && !m_wide)
        lookWider();
}

void Diagnose::lookWider()
{
    m_wide.emplace(lockcore::service::MonitorOptions(), OneSweep::Until::Seen);
    m_wide->sayNothing(); // what is missing has been said of the one lock
    connect(&*m_wide, &OneSweep::failed, this, [this](const lockcore::Error &error) { m_wideError = error; });
    connect(&*m_wide, &OneSweep::done, this, [this] { m_wideIsSeen = true; });
    m_wide->start(m_deployment);
}

/// Something is about to show.
bool Diagnose::isOpen() const
{
    const auto analysis = m_sweep.monitor().latest()->analysis;
    if (analysis && analysis->pending > 0)
        return true;
    if (!m_wide || m_wideError)
        return false;
    const auto wide = m_wide->monitor().latest()->analysis;
    return !m_wideIsSeen || !wide || wide->pendingDeadlocks > 0;
}

/// What was seen just before the end gets the time to prove that it lasts, unless the person has set one.
void Diagnose::finishOrGoOn()
{
    if (m_request.watchFor || !isOpen() || monoNow() - *m_watchedSince >= Longest)
        finish();
    else
        m_end.start(LookAgainAfter);
}

void Diagnose::finish()
{
    if (std::exchange(m_over, true))
        return;
    m_end.stop();
    const auto snapshot = m_sweep.monitor().latest();
    const auto now = monoNow();
    const auto outages = m_outages.errors(*snapshot, now);
    for (const lockcore::Error &error : outages)
        app::complain("lockctl", error);
    if (!isAnythingSeen(*snapshot) || !snapshot->analysis) { // what was wrong before it was lost is not known any more
        Q_EMIT finished(app::ServerError);
        return;
    }
    Diagnosis diagnosis{ snapshot->analysis, suspected(*snapshot->analysis), deadlocks(), 0,
        !m_request.filter.isEmpty(), m_outages.watched(*snapshot, now),
        outages.empty() && !mayHideLocks(snapshot->status) };
    diagnosis.locks = lockCount(*snapshot, m_request.filter, now);
    if (m_request.name && !m_wasThere && diagnosis.suspected.empty() && outages.empty())
        return failNotFound(
            m_deployment, *m_request.name, whyNotFound(*snapshot, *m_request.name, "diagnose " + *m_request.name));
    if (!diagnosis.deadlocks) {
        StatusNote::tellNoDeadlocks(*m_request.name, whyNoDeadlocks());
        diagnosis.isComplete = false;
    }
    if (m_wide && mayHideLocks(m_wide->monitor().latest()->status))
        diagnosis.isComplete = false; // a circle may go through them
    if (m_asJson)
        printLine(json::line(diagnosisJson(diagnosis)));
    else
        printText(diagnosis);
    Q_EMIT finished(!isFine(diagnosis) ? app::AnswerIsNo : diagnosis.isComplete ? app::Done : app::ServerError);
}

/// Of one lock those that it has a part in; absent: they were not looked for.
std::optional<std::vector<lockcore::monitor::WaitCycle>> Diagnose::deadlocks() const
{
    if (!m_request.name) {
        const auto snapshot = m_sweep.monitor().latest();
        return cyclesOf(snapshot->analysis.get(), chosenBy(m_request.filter, *snapshot, monoNow()));
    }
    if (!m_wide)
        return std::vector<lockcore::monitor::WaitCycle>();
    const auto wide = m_wide->monitor().latest();
    if (!m_wideIsSeen || !wide->analysis || !isAnythingSeen(*wide))
        return std::nullopt;
    return cyclesOf(wide->analysis.get(), [this](const LockName &name) { return name == *m_request.name; });
}

QString Diagnose::whyNoDeadlocks() const
{
    return m_wideError ? lockui::errorDetail(*m_wideError) : Words::tr("not all locks were seen in that time");
}

} // namespace lockctl
