// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/diagnose.h"

#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/one_sweep.h"
#include "app/lockctl/output.h"
#include "app/lockctl/troubles.h"
#include "lockcore/client/clock.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace lockctl {

using lockcore::Analysis;
using lockcore::LockName;
using lockcore::Millis;
using lockcore::MonitorService;
using lockcore::Snapshot;
using lockcore::SourcePhase;

namespace {

using namespace std::chrono_literals;

constexpr Millis Usual = 5s;
constexpr Millis Longest = 15s;
constexpr Millis LookAgainAfter = 250ms;

lockcore::MonitorOptions monitorOptions(const DiagnoseRequest &request)
{
    lockcore::MonitorOptions options;
    options.onlyLock = request.name;
    return options;
}

/// The locks that something looks wrong with, the gravest first, and each once.
std::vector<LockName> suspected(const Snapshot &snapshot, const DiagnoseRequest &request, lockcore::MonoTime now)
{
    std::vector<LockName> names;
    for (const lockcore::Suspect &suspect : snapshot.analysis->suspects) {
        const auto *lock = findLock(snapshot, suspect.lock);
        const bool wanted = lock == nullptr || request.filter.matches(*lock, now);
        if (wanted && std::ranges::find(names, suspect.lock) == names.end())
            names.push_back(suspect.lock);
    }
    return names;
}

std::string countText(std::int64_t count, const char *what)
{
    return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

/// Nothing looks wrong with these, and nobody waits for each other.
bool isFine(const std::vector<LockName> &names, const Snapshot &snapshot)
{
    return names.empty() && snapshot.analysis->graph->cycles.empty();
}

void printText(const std::vector<LockName> &names, const Snapshot &snapshot, Millis watched)
{
    const Analysis &analysis = *snapshot.analysis;
    for (const LockName &name : names) {
        printLine(app::printable(name));
        for (const std::string &line : suspectLines(&analysis, name))
            printLine("  " + line);
    }
    for (const std::string &line : deadlockLines(&analysis))
        printLine(line);
    printLine((isFine(names, snapshot) ? "Nothing looks wrong" : "That is all") + std::string(" with ")
        + countText(static_cast<std::int64_t>(snapshot.locks.size()), "lock") + ", watched for " + durationText(watched)
        + ".");
    if (analysis.moreSuspects > 0)
        printLine("Not listed: " + countText(analysis.moreSuspects, "more trouble") + ".");
    if (analysis.pending > 0)
        printLine(countText(analysis.pending, "thing") + " would take longer to tell: try it with a longer --for.");
}

std::string diagnosisJson(const std::vector<LockName> &names, const Snapshot &snapshot, Millis watched)
{
    const Analysis &analysis = *snapshot.analysis;
    std::vector<std::string> locks;
    for (const LockName &name : names) {
        std::vector<json::Field> fields;
        addName(fields, "name", name);
        fields.emplace_back("suspects", suspectsJson(&analysis, name));
        locks.push_back(json::object(fields));
    }
    return json::object({ { "watchedMs", json::number(watched.count()) },
        { "locks", json::number(static_cast<std::int64_t>(snapshot.locks.size())) },
        { "suspected", json::array(locks) }, { "deadlocks", deadlocksJson(&analysis) },
        { "notListed", json::number(analysis.moreSuspects) }, { "pending", json::number(analysis.pending) } });
}

} // namespace

Diagnose::Diagnose(DiagnoseRequest request, bool asJson)
    : m_request(std::move(request))
    , m_asJson(asJson)
    , m_monitor(monitorOptions(m_request))
{
    m_end.setSingleShot(true);
    m_end.setTimerType(Qt::PreciseTimer); // no less than was asked for
    connect(&m_end, &QTimer::timeout, this, &Diagnose::finishOrGoOn);
    connect(&m_monitor, &MonitorService::snapshotReady, this, &Diagnose::followConnection);
}

void Diagnose::start(const lockcore::Deployment &deployment) { m_monitor.open(deployment); }

/// The time runs from when all has been seen once.
void Diagnose::followConnection()
{
    const auto snapshot = m_monitor.latest();
    const lockcore::SourceStatus &status = snapshot->status;
    if (m_watchedSince)
        return m_note.tell(status);
    if (status.phase == SourcePhase::Failed && status.error)
        return fail(*status.error);
    if (status.phase != SourcePhase::Live || !snapshot->analysis || !status.lastSweep)
        return;
    m_watchedSince = lockcore::monoNow();
    const Millis watchFor = m_request.watchFor.value_or(Usual);
    m_end.start(watchFor);
    if (::isatty(STDERR_FILENO) != 0)
        std::fprintf(stderr, "lockctl: watching for %s\n", durationText(watchFor).c_str());
}

/// What was seen just before the end gets the time to prove that it lasts, unless the person has set one.
void Diagnose::finishOrGoOn()
{
    const auto snapshot = m_monitor.latest();
    const bool isOpen = snapshot->analysis && snapshot->analysis->pending > 0;
    if (m_request.watchFor || !isOpen || lockcore::monoNow() - *m_watchedSince >= Longest)
        finish();
    else
        m_end.start(LookAgainAfter);
}

void Diagnose::finish()
{
    const auto snapshot = m_monitor.latest();
    if (!m_watchedSince || !snapshot->analysis) {
        Q_EMIT finished(app::AnswerIsNo);
        return;
    }
    m_end.stop();
    const auto now = lockcore::monoNow();
    const auto watched = std::chrono::duration_cast<Millis>(now - *m_watchedSince);
    const auto names = suspected(*snapshot, m_request, now);
    if (m_asJson)
        printLine(diagnosisJson(names, *snapshot, watched));
    else
        printText(names, *snapshot, watched);
    Q_EMIT finished(isFine(names, *snapshot) ? app::Done : app::AnswerIsNo);
}

} // namespace lockctl
