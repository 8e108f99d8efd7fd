// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/suspects.h"

#include "app/common/words.h"
#include "app/lockctl/json.h"
#include "app/lockctl/names.h"
#include "ui/text/suspect_text.h"

#include <QStringList>
#include <algorithm>
#include <iterator>

namespace lockctl {

using app::shown;
using app::Words;
using lockcore::LockName;
using lockcore::Millis;
using lockcore::monitor::Analysis;
using lockcore::monitor::LockStatistics;
using lockcore::monitor::Observation;
using lockcore::monitor::Observed;
using lockcore::monitor::Suspect;
using lockcore::monitor::WaitCycle;
using lockcore::monitor::WaitEdge;

namespace {

std::vector<Suspect> suspectsOf(const Analysis *analysis, const LockName &lock)
{
    return analysis == nullptr ? std::vector<Suspect>{} : lockcore::monitor::suspectsOf(*analysis, lock);
}

const LockStatistics *statisticsOf(const Analysis *analysis, const LockName &lock)
{
    return analysis == nullptr ? nullptr : lockcore::monitor::statisticsOf(*analysis, lock);
}

/// Each kind once.
QStringList suspectTitles(const Analysis *analysis, const LockName &lock)
{
    QStringList titles;
    for (const Suspect &suspect : suspectsOf(analysis, lock))
        titles << lockui::suspectTitle(suspect.kind);
    titles.removeDuplicates();
    return titles;
}

/// What the numbers of an Observation are called; null: they do not belong to it.
struct EvidenceRow {
    Observed value;
    const char *since = nullptr;
    const char *left = nullptr;
    const char *usual = nullptr;
    const char *number = nullptr;
    bool amidWaiters = false;
    bool ofChannel = false;
};

constexpr EvidenceRow EvidenceRows[]{
    { .value = Observed::NeverExpires, .amidWaiters = true },
    { .value = Observed::RenewalLate, .since = "overdueMs", .left = "leftMs", .usual = "leaseMs" },
    { .value = Observed::RenewalsMissed, .since = "overdueMs", .left = "leftMs", .usual = "leaseMs" },
    { .value = Observed::StrangeField },
    { .value = Observed::SeveralOwners, .number = "owners" },
    { .value = Observed::HeldOnTwoServers },
    { .value = Observed::TakenAfterLoss, .since = "lostAgoMs", .left = "leaseLeftMs" },
    { .value = Observed::HeldLong, .since = "heldMs", .usual = "usualMs", .number = "renewals", .amidWaiters = true },
    { .value = Observed::ReaderRanOut, .amidWaiters = true },
    { .value = Observed::ReaderOutlivesLock, .left = "missingMs" },
    { .value = Observed::QueueNotServed, .left = "timeoutInMs", .number = "waiters" },
    { .value = Observed::WaiterGone, .left = "timeoutInMs", .number = "position" },
    { .value = Observed::TimeOutTooFar, .left = "timeoutInMs", .usual = "explainedMs", .number = "position" },
    { .value = Observed::TimeOutBeforeFormer, .left = "earlierMs" },
    { .value = Observed::PermitsFree, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::NothingToWaitFor, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::NotHeldForLong, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::NobodyHolds, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
};
static_assert(lockcore::hasRowForEach(EvidenceRows));

/// What was seen as values. In an old recording there is one sentence in English in place of them.
Json evidenceJson(const Observation &seen)
{
    if (!seen.recorded.empty())
        return { { "observed", nullptr }, { "recorded", json::text(seen.recorded) } };
    Json object{ { "observed", nameOf(seen.what) } };
    const auto addMs = [&object](const char *field, const std::optional<Millis> &duration) {
        if (field != nullptr)
            object[field] = duration ? Json(duration->count()) : Json();
    };
    const EvidenceRow &row = lockcore::rowOf(EvidenceRows, seen.what);
    addMs(row.since, seen.since);
    addMs(row.left, seen.left);
    addMs(row.usual, seen.usual);
    if (row.number != nullptr)
        object[row.number] = seen.number;
    if (seen.what == Observed::HeldLong)
        object["isAtLeast"] = seen.isAtLeast;
    if (seen.what == Observed::PermitsFree)
        object["permits"] = seen.permits;
    if (row.amidWaiters) {
        const Json waiting = seen.waiting > 0 ? Json(seen.waiting) : Json();
        object["waiters"] = seen.areClients ? Json() : waiting;
        object["subscribers"] = seen.areClients ? waiting : Json();
    }
    if (row.ofChannel) {
        object["otherDatabasePossible"] = seen.mayBeElsewhere;
        object["twinLeftOut"] = seen.leavesTwinOut;
    }
    return object;
}

} // namespace

Json suspectsJson(const Analysis *analysis, const LockName &lock)
{
    Json suspects = Json::array();
    for (const Suspect &suspect : suspectsOf(analysis, lock)) {
        suspects.push_back(Json{
            { "kind", nameOf(suspect.kind) },
            { "subject", suspect.subject.empty() ? Json() : Json(json::text(suspect.subject)) },
            { "evidence", evidenceJson(suspect.evidence) },
            { "certainty", nameOf(suspect.certainty) },
        });
    }
    return suspects;
}

Json statisticsJson(const Analysis *analysis, const LockName &lock)
{
    const LockStatistics *numbers = statisticsOf(analysis, lock);
    if (numbers == nullptr)
        return {};
    return {
        { "acquires", numbers->acquires },
        { "handOvers", numbers->handOvers },
        { "renewals", numbers->renewals },
        { "holds", numbers->holds },
        { "heldTotalMs", numbers->heldTotal.count() },
        { "heldLongestMs", numbers->heldLongest.count() },
        { "heldP99Ms", numbers->heldP99.count() },
        { "waits", numbers->waits },
        { "waitedTotalMs", numbers->waitedTotal.count() },
        { "waitedLongestMs", numbers->waitedLongest.count() },
        { "blockedMs", numbers->blocked.count() },
    };
}

std::string suspectsText(const Analysis *analysis, const LockName &lock)
{
    return suspectTitles(analysis, lock).join(QStringLiteral(", ")).toStdString();
}

std::string likelySuspectsText(const Analysis *analysis, const LockName &lock)
{
    QStringList titles = suspectTitles(analysis, lock);
    if (analysis == nullptr)
        return {};
    const auto &pending = analysis->pendingSuspects; // by lock
    auto each = std::ranges::lower_bound(pending, lock, {}, &lockcore::monitor::PendingSuspect::lock);
    for (; each != pending.end() && each->lock == lock; ++each) {
        const QString title = lockui::suspectTitle(each->kind);
        if (!titles.contains(title))
            titles << Words::tr("%1?", "a suspect that is not sure yet").arg(title);
    }
    titles.removeDuplicates();
    return titles.join(QStringLiteral(", ")).toStdString();
}

std::vector<std::string> suspectLines(const Analysis *analysis, const LockName &lock)
{
    std::vector<std::string> lines;
    for (const Suspect &suspect : suspectsOf(analysis, lock)) {
        QString line = lockui::suspectTitle(suspect.kind);
        if (!suspect.subject.empty())
            line += QStringLiteral(", ") + shown(suspect.subject);
        line += QStringLiteral(": ") + lockui::observationText(suspect.evidence);
        if (suspect.certainty == lockcore::monitor::Certainty::Inferred)
            line += QLatin1Char(' ') + Words::tr("(inferred)");
        lines.push_back(line.toStdString());
    }
    return lines;
}

std::string statisticsLine(const Analysis *analysis, const LockName &lock)
{
    const LockStatistics *numbers = statisticsOf(analysis, lock);
    if (numbers == nullptr)
        return {};
    QStringList parts{ Words::tr("%1 × taken").arg(numbers->acquires) };
    if (numbers->holds > 0)
        parts << Words::tr("held %1 on average, %2 at most")
                     .arg(lockui::ttlText(numbers->heldTotal / numbers->holds), lockui::ttlText(numbers->heldLongest));
    if (numbers->waits > 0)
        parts << Words::tr("queued %1 on average, %2 at most")
                     .arg(lockui::ttlText(numbers->waitedTotal / numbers->waits),
                         lockui::ttlText(numbers->waitedLongest));
    return parts.join(QStringLiteral(", ")).toStdString();
}

namespace {

Json cycleJson(const WaitCycle &cycle)
{
    Json edges = Json::array();
    for (const WaitEdge &edge : cycle) {
        edges.push_back(Json{
            { "waiter", json::owner(edge.waiter) },
            { "lock", json::text(edge.lock) },
            { "holder", json::owner(edge.holder) },
        });
    }
    return edges;
}

std::string cycleLine(const WaitCycle &cycle)
{
    QStringList parts;
    for (const WaitEdge &edge : cycle)
        parts << Words::tr("%1 waits for %2, which %3 holds")
                     .arg(shown(toString(edge.waiter)), shown(edge.lock), shown(toString(edge.holder)));
    return Words::tr("deadlock (inferred): %1").arg(parts.join(QStringLiteral("; "))).toStdString();
}

} // namespace

LockChoice chosenBy(
    const lockcore::monitor::LockFilter &filter, const lockcore::monitor::Snapshot &snapshot, lockcore::MonoTime now)
{
    if (filter.isEmpty())
        return {};
    return [&filter, &snapshot, now](const LockName &name) {
        if (const auto lock = snapshot.locks.find(name))
            return filter.matches(*lock, now);
        lockcore::monitor::LockState gone;
        gone.name = name;
        return filter.matches(gone, now);
    };
}

std::vector<WaitCycle> cyclesOf(const Analysis *analysis, const LockChoice &isMeant)
{
    std::vector<WaitCycle> cycles;
    if (analysis == nullptr)
        return cycles;
    std::ranges::copy_if(analysis->graph->cycles, std::back_inserter(cycles), [&](const auto &cycle) {
        return !isMeant || std::ranges::any_of(cycle, [&](const WaitEdge &edge) { return isMeant(edge.lock); });
    });
    return cycles;
}

std::vector<std::string> deadlockLines(const std::vector<WaitCycle> &cycles)
{
    std::vector<std::string> lines;
    for (const WaitCycle &cycle : cycles)
        lines.push_back(cycleLine(cycle));
    return lines;
}

Json deadlocksJson(const std::vector<WaitCycle> &cycles)
{
    Json arrays = Json::array();
    for (const WaitCycle &cycle : cycles)
        arrays.push_back(cycleJson(cycle));
    return arrays;
}

} // namespace lockctl
