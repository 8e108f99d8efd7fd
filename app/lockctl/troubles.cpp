// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/troubles.h"

#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/json.h"
#include "app/lockctl/names.h"

namespace lockctl {

using app::printable;
using lockcore::Analysis;
using lockcore::LockName;
using lockcore::LockStatistics;
using lockcore::Millis;
using lockcore::Suspect;
using lockcore::SuspectKind;

namespace {

std::vector<Suspect> suspectsOf(const Analysis *analysis, const LockName &lock)
{
    return analysis == nullptr ? std::vector<Suspect>{} : lockcore::suspectsOf(*analysis, lock);
}

const LockStatistics *statisticsOf(const Analysis *analysis, const LockName &lock)
{
    return analysis == nullptr ? nullptr : lockcore::statisticsOf(*analysis, lock);
}

std::string millis(Millis time) { return json::number(time.count()); }

} // namespace

const char *nameOf(SuspectKind kind)
{
    switch (kind) {
    case SuspectKind::TwoHolders:
        return "twoHolders";
    case SuspectKind::MissedRenewal:
        return "missedRenewal";
    case SuspectKind::OrphanQueue:
        return "orphanQueue";
    case SuspectKind::FreeButWaitedFor:
        return "freeButWaitedFor";
    case SuspectKind::NoTtl:
        return "noTtl";
    case SuspectKind::DeadWaiter:
        return "deadWaiter";
    case SuspectKind::LateRenewal:
        return "lateRenewal";
    case SuspectKind::ReaderTimeouts:
        return "readerTimeouts";
    case SuspectKind::OutlivedHold:
        return "outlivedHold";
    case SuspectKind::LeakedChannel:
        return "leakedChannel";
    case SuspectKind::QueueClockDrift:
        return "queueClockDrift";
    }
    return "";
}

std::string suspectsJson(const Analysis *analysis, const LockName &lock)
{
    std::vector<std::string> suspects;
    for (const Suspect &suspect : suspectsOf(analysis, lock)) {
        suspects.push_back(json::object({
            { "kind", json::text(nameOf(suspect.kind)) },
            { "subject", suspect.subject.empty() ? "null" : json::text(suspect.subject) },
            { "evidence", json::text(suspect.evidence) },
            { "certainty", json::text(nameOf(suspect.certainty)) },
        }));
    }
    return json::array(suspects);
}

std::string statisticsJson(const Analysis *analysis, const LockName &lock)
{
    const LockStatistics *numbers = statisticsOf(analysis, lock);
    if (numbers == nullptr)
        return "null";
    return json::object({
        { "acquires", json::number(numbers->acquires) },
        { "handOvers", json::number(numbers->handOvers) },
        { "renewals", json::number(numbers->renewals) },
        { "holds", json::number(numbers->holds) },
        { "heldTotalMs", millis(numbers->heldTotal) },
        { "heldLongestMs", millis(numbers->heldLongest) },
        { "heldP99Ms", millis(numbers->heldP99) },
        { "waits", json::number(numbers->waits) },
        { "waitedTotalMs", millis(numbers->waitedTotal) },
        { "waitedLongestMs", millis(numbers->waitedLongest) },
        { "blockedMs", millis(numbers->blocked) },
    });
}

std::string suspectsText(const Analysis *analysis, const LockName &lock)
{
    std::string text;
    for (const Suspect &suspect : suspectsOf(analysis, lock)) {
        const std::string name = nameOf(suspect.kind);
        if (text.find(name) == std::string::npos)
            text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

std::vector<std::string> suspectLines(const Analysis *analysis, const LockName &lock)
{
    std::vector<std::string> lines;
    for (const Suspect &suspect : suspectsOf(analysis, lock)) {
        std::string line = nameOf(suspect.kind);
        if (!suspect.subject.empty())
            line += ", " + printable(suspect.subject);
        line += ": " + printable(suspect.evidence);
        if (suspect.certainty == lockcore::Certainty::Inferred)
            line += " (inferred)";
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string statisticsLine(const Analysis *analysis, const LockName &lock)
{
    const LockStatistics *numbers = statisticsOf(analysis, lock);
    if (numbers == nullptr)
        return {};
    std::string line = std::to_string(numbers->acquires) + " × taken";
    if (numbers->holds > 0)
        line += ", held " + durationText(numbers->heldTotal / numbers->holds) + " on average, "
            + durationText(numbers->heldLongest) + " at most";
    if (numbers->waits > 0)
        line += ", queued " + durationText(numbers->waitedTotal / numbers->waits) + " on average, "
            + durationText(numbers->waitedLongest) + " at most";
    return line;
}

std::vector<std::string> deadlockLines(const Analysis *analysis)
{
    std::vector<std::string> lines;
    if (analysis == nullptr)
        return lines;
    for (const lockcore::WaitCycle &cycle : analysis->graph->cycles) {
        std::string line = "deadlock (inferred): ";
        for (const lockcore::WaitEdge &edge : cycle) {
            line += (&edge == &cycle.front() ? "" : "; ") + printable(toString(edge.waiter)) + " waits for "
                + printable(edge.lock) + ", which " + printable(toString(edge.holder)) + " holds";
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace lockctl
