// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/play_text.h"

#include "ui/lab/step_text.h"
#include "ui/text/display_text.h"
#include "ui/text/printable_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockui::lab {

using lockcore::Millis;

namespace {

struct PlayWords {
    Q_DECLARE_TR_FUNCTIONS(lockui::lab::PlayText)
};

QString plainBytes(const std::string &bytes) { return QString::fromStdString(printable(bytes)); }

} // namespace

QString groupText(std::optional<Group> group)
{
    if (!group)
        return PlayWords::tr("Others");
    switch (*group) {
    case Group::Basics:
        return PlayWords::tr("Basics");
    case Group::Leases:
        return PlayWords::tr("Leases");
    case Group::Waiting:
        return PlayWords::tr("Waiting");
    case Group::Kinds:
        return PlayWords::tr("Kinds");
    case Group::Faults:
        return PlayWords::tr("Faults");
    }
    return {};
}

QString secondsText(const PlayRecord &record, lockcore::MonoTime at)
{
    if (!record.start)
        return {};
    const auto since = std::chrono::duration_cast<Millis>(at - record.start->mono);
    const Millis shown = std::max(Millis{ 0 }, since);
    return QString::number(static_cast<double>(shown.count()) / 1'000, 'f', 3); // as times of day are written
}

QString momentText(const PlayRecord &record, lockcore::MonoTime at)
{
    return record.start ? PlayWords::tr("%1 s").arg(secondsText(record, at)) : QString();
}

QString expectedText(const Scenario &scenario, std::size_t step)
{
    return withClientNames(expectedTexts(scenario.steps[step]).join(QLatin1Char('\n')), scenario);
}

QString withClientNames(const PlayRecord &record, QString text)
{
    for (const auto &[name, lives] : record.clientIds) {
        for (std::size_t life = 0; life < lives.size(); ++life)
            text.replace(QString::fromStdString(lives[life]),
                plainBytes(name) + QString(static_cast<int>(life), QLatin1Char('\'')));
    }
    return text;
}

QString seenText(const PlayRecord &record, std::size_t step)
{
    const StepProgress &progress = record.progress[step];
    if (progress.state == StepState::Waiting)
        return {};
    QStringList lines;
    if (progress.outcome)
        lines << lab::seenText(progress);
    else if (progress.state == StepState::Running)
        lines << (progress.endedAt ? PlayWords::tr("looking…") : PlayWords::tr("running…"));
    lines << progress.seen;
    const Expectation &expects = record.scenario.steps[step].expects;
    if (!expects.order.empty() && progress.problems.isEmpty() && progress.state == StepState::Passed)
        lines << PlayWords::tr("in this order");
    if (lines.isEmpty() && progress.state == StepState::Passed)
        lines << PlayWords::tr("done");
    return withClientNames(record, lines.join(QLatin1Char('\n')));
}

QStringList problemTexts(const PlayRecord &record, std::size_t step)
{
    QStringList texts;
    for (const QString &problem : record.progress[step].problems)
        texts << withClientNames(record, problem);
    return texts;
}

QString factsText(const Scenario &scenario)
{
    QStringList facts{ PlayWords::tr("%n clients", nullptr, static_cast<int>(scenario.clients.size())),
        needsText(scenario) };
    if (scenario.watchdog != Scenario().watchdog)
        facts << PlayWords::tr("watchdog %1").arg(writtenDuration(scenario.watchdog));
    if (scenario.fairWait != Scenario().fairWait)
        facts << PlayWords::tr("fair wait %1").arg(writtenDuration(scenario.fairWait));
    return facts.join(QStringLiteral(" · "));
}

} // namespace lockui::lab
