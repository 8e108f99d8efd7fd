// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/troubles.h"

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
using lockcore::Analysis;
using lockcore::LockName;
using lockcore::LockStatistics;
using lockcore::Millis;
using lockcore::Suspect;

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

std::string suspectsJson(const Analysis *analysis, const LockName &lock)
{
    std::vector<std::string> suspects;
    for (const Suspect &suspect : suspectsOf(analysis, lock)) {
        suspects.push_back(json::object({
            { "kind", json::text(nameOf(suspect.kind)) },
            { "subject", suspect.subject.empty() ? "null" : json::text(suspect.subject) },
            { "evidence", json::text(lockui::observationText(suspect.evidence).toStdString()) },
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
        QString line = QString::fromLatin1(nameOf(suspect.kind));
        if (!suspect.subject.empty())
            line += QStringLiteral(", ") + shown(suspect.subject);
        line += QStringLiteral(": ") + lockui::observationText(suspect.evidence);
        if (suspect.certainty == lockcore::Certainty::Inferred)
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

std::string ownerJson(const lockcore::OwnerId &owner)
{
    return json::object({ { "client", json::text(owner.client) }, { "thread", json::text(owner.thread) } });
}

std::string cycleJson(const lockcore::WaitCycle &cycle)
{
    std::vector<std::string> edges;
    for (const lockcore::WaitEdge &edge : cycle) {
        edges.push_back(json::object({
            { "waiter", ownerJson(edge.waiter) },
            { "lock", json::text(edge.lock) },
            { "holder", ownerJson(edge.holder) },
        }));
    }
    return json::array(edges);
}

std::string cycleLine(const lockcore::WaitCycle &cycle)
{
    QStringList parts;
    for (const lockcore::WaitEdge &edge : cycle)
        parts << Words::tr("%1 waits for %2, which %3 holds")
                     .arg(shown(toString(edge.waiter)), shown(edge.lock), shown(toString(edge.holder)));
    return Words::tr("deadlock (inferred): %1").arg(parts.join(QStringLiteral("; "))).toStdString();
}

} // namespace

LockChoice chosenBy(const lockcore::LockFilter &filter, const lockcore::Snapshot &snapshot, lockcore::MonoTime now)
{
    if (filter.isEmpty())
        return {};
    return [&filter, &snapshot, now](const LockName &name) {
        if (const auto lock = snapshot.locks.find(name))
            return filter.matches(*lock, now);
        lockcore::LockState gone;
        gone.name = name;
        return filter.matches(gone, now);
    };
}

std::vector<lockcore::WaitCycle> cyclesOf(const Analysis *analysis, const LockChoice &isMeant)
{
    std::vector<lockcore::WaitCycle> cycles;
    if (analysis == nullptr)
        return cycles;
    std::ranges::copy_if(analysis->graph->cycles, std::back_inserter(cycles), [&](const auto &cycle) {
        return !isMeant
            || std::ranges::any_of(cycle, [&](const lockcore::WaitEdge &edge) { return isMeant(edge.lock); });
    });
    return cycles;
}

std::vector<std::string> deadlockLines(const std::vector<lockcore::WaitCycle> &cycles)
{
    std::vector<std::string> lines;
    for (const lockcore::WaitCycle &cycle : cycles)
        lines.push_back(cycleLine(cycle));
    return lines;
}

std::string deadlocksJson(const std::vector<lockcore::WaitCycle> &cycles)
{
    std::vector<std::string> arrays;
    for (const lockcore::WaitCycle &cycle : cycles)
        arrays.push_back(cycleJson(cycle));
    return json::array(arrays);
}

} // namespace lockctl
