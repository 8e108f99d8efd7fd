// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/suspect_json.h"

#include "lockcore/monitor/names.h"
#include "ui/text/suspect_text.h"

#include <algorithm>
#include <iterator>

namespace lockui {

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

/// What the numbers of an Observation are called; null: they do not belong to it.
struct EvidenceRow {
    Observed value;
    const char *since = nullptr;
    const char *left = nullptr;
    const char *usual = nullptr;
    const char *number = nullptr;
    const char *former = nullptr;
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
    { .value = Observed::QueueNotServed,
        .left = "timeoutInMs",
        .usual = "queueBlockedMs",
        .number = "waiters",
        .former = "idleFirst" },
    { .value = Observed::WaiterGone,
        .left = "timeoutInMs",
        .usual = "queueBlockedMs",
        .number = "position",
        .former = "idleFirst" },
    { .value = Observed::TimeOutTooFar, .left = "timeoutInMs", .usual = "explainedMs", .number = "position" },
    { .value = Observed::TimeOutBeforeFormer, .left = "earlierMs" },
    { .value = Observed::PermitsFree, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::NothingToWaitFor, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::NotHeldForLong, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::NobodyHolds, .since = "listenedMs", .number = "subscribers", .ofChannel = true },
    { .value = Observed::OnTooFewServers, .number = "heldOn", .former = "servers" },
    { .value = Observed::TokenNotGrown, .number = "token", .former = "formerToken" },
};
static_assert(lockcore::hasRowForEach(EvidenceRows));

/// What was seen as values. In an old recording there is one sentence in English in place of them.
JsonValue evidenceJson(const Observation &seen)
{
    if (!seen.recorded.empty())
        return { { "observed", nullptr }, { "recorded", json::text(seen.recorded) } };
    JsonValue object{ { "observed", nameOf(seen.what) } };
    const auto addMs = [&object](const char *field, const std::optional<Millis> &duration) {
        if (field != nullptr)
            object[field] = duration ? JsonValue(duration->count()) : JsonValue();
    };
    const EvidenceRow &row = lockcore::rowOf(EvidenceRows, seen.what);
    addMs(row.since, seen.since);
    addMs(row.left, seen.left);
    addMs(row.usual, seen.usual);
    if (row.number != nullptr)
        object[row.number] = seen.number;
    if (row.former != nullptr)
        object[row.former] = seen.former;
    if (seen.what == Observed::HeldLong)
        object["isAtLeast"] = seen.isAtLeast;
    if (seen.what == Observed::PermitsFree)
        object["permits"] = seen.permits;
    if (row.amidWaiters) {
        const JsonValue waiting = seen.waiting > 0 ? JsonValue(seen.waiting) : JsonValue();
        object["waiters"] = seen.areClients ? JsonValue() : waiting;
        object["subscribers"] = seen.areClients ? waiting : JsonValue();
    }
    if (row.ofChannel) {
        object["otherDatabasePossible"] = seen.mayBeElsewhere;
        object["twinLeftOut"] = seen.leavesTwinOut;
    }
    return object;
}

/// An absent fact is null, never 0.
JsonValue ifAny(std::int64_t times, Millis duration) { return times > 0 ? JsonValue(duration.count()) : JsonValue(); }

JsonValue cycleJson(const WaitCycle &cycle)
{
    JsonValue edges = JsonValue::array();
    for (const WaitEdge &edge : cycle) {
        edges.push_back(JsonValue{
            { "waiter", json::owner(edge.waiter) },
            { "lock", json::text(edge.lock) },
            { "holder", json::owner(edge.holder) },
        });
    }
    return edges;
}

} // namespace

JsonValue suspectsJson(const Analysis *analysis, const LockName &lock)
{
    JsonValue suspects = JsonValue::array();
    if (analysis == nullptr)
        return suspects;
    for (const Suspect &suspect : lockcore::monitor::suspectsOf(*analysis, lock)) {
        suspects.push_back(JsonValue{
            { "kind", nameOf(suspect.kind) },
            { "subject", suspect.subject.empty() ? JsonValue() : JsonValue(json::text(suspect.subject)) },
            { "evidence", evidenceJson(suspect.evidence) },
            { "certainty", nameOf(suspect.certainty) },
        });
    }
    const bool mayBeUnlisted = suspects.empty() && analysis->moreSuspects > 0;
    return mayBeUnlisted ? JsonValue() : suspects;
}

JsonValue statisticsJson(const Analysis *analysis, const LockName &lock)
{
    const LockStatistics *numbers = analysis == nullptr ? nullptr : lockcore::monitor::statisticsOf(*analysis, lock);
    if (numbers == nullptr || !sawWholeHolds(*numbers))
        return {};
    return {
        { "acquires", numbers->acquires },
        { "handOvers", numbers->handOvers },
        { "renewals", numbers->renewals },
        { "holds", numbers->holds },
        { "heldTotalMs", numbers->heldTotal.count() },
        { "heldLongestMs", ifAny(numbers->holds, numbers->heldLongest) },
        { "heldP99Ms", ifAny(numbers->holds, numbers->heldP99) },
        { "waits", numbers->waits },
        { "waitedTotalMs", numbers->waitedTotal.count() },
        { "waitedLongestMs", ifAny(numbers->waits, numbers->waitedLongest) },
        { "blockedMs", numbers->blocked.count() },
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

JsonValue deadlocksJson(const std::vector<WaitCycle> &cycles)
{
    JsonValue arrays = JsonValue::array();
    for (const WaitCycle &cycle : cycles)
        arrays.push_back(cycleJson(cycle));
    return arrays;
}

} // namespace lockui
