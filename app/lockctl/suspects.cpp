// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/suspects.h"

#include "app/common/words.h"
#include "ui/text/suspect_text.h"

#include <QStringList>
#include <algorithm>
#include <set>
#include <utility>

namespace lockctl {

using app::shown;
using app::Words;
using lockcore::LockName;
using lockcore::monitor::Analysis;
using lockcore::monitor::LockStatistics;
using lockcore::monitor::Suspect;
using lockcore::monitor::WaitCycle;
using lockcore::monitor::WaitEdge;

namespace {

std::vector<Suspect> suspectsOf(const Analysis *analysis, const LockName &lock)
{
    return analysis == nullptr ? std::vector<Suspect>{} : lockcore::monitor::suspectsOf(*analysis, lock);
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

} // namespace

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

std::int64_t likelyMarks(const Analysis &analysis)
{
    const auto &listed = analysis.pendingSuspects;
    std::set<std::pair<LockName, lockcore::monitor::SuspectKind>> marks;
    for (const auto &each : listed)
        marks.emplace(each.lock, each.kind);
    const auto unlisted = analysis.pending - analysis.pendingDeadlocks - std::ssize(listed);
    return std::ssize(marks) + unlisted + analysis.pendingDeadlocks;
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
    const LockStatistics *numbers = analysis == nullptr ? nullptr : lockcore::monitor::statisticsOf(*analysis, lock);
    return numbers == nullptr || !lockui::sawWholeHolds(*numbers) ? std::string()
                                                                  : lockui::statisticsText(*numbers).toStdString();
}

namespace {

std::string cycleLine(const WaitCycle &cycle)
{
    QStringList parts;
    for (const WaitEdge &edge : cycle)
        parts << Words::tr("%1 waits for %2, which %3 holds")
                     .arg(shown(toString(edge.waiter)), shown(edge.lock), shown(toString(edge.holder)));
    return Words::tr("deadlock (inferred): %1").arg(parts.join(QStringLiteral("; "))).toStdString();
}

} // namespace

lockui::LockChoice chosenBy(
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

std::vector<std::string> deadlockLines(const std::vector<WaitCycle> &cycles)
{
    std::vector<std::string> lines;
    for (const WaitCycle &cycle : cycles)
        lines.push_back(cycleLine(cycle));
    return lines;
}

} // namespace lockctl
