// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lane_tips.h"

#include "ui/lab/lane_text.h"
#include "ui/lab/play_text.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

namespace lockui::lab {

namespace {

struct LabLaneTips {
    Q_DECLARE_TR_FUNCTIONS(LabLaneTips)
};

QString asKnown(const QString &text, Known known)
{
    return known == Known::Inferred ? LabLaneTips::tr("%1 (inferred)").arg(text) : text;
}

QString whose(const ClientLane &lane, const LaneRow &row)
{
    QString text = displayText(lane.client) + QString(static_cast<int>(row.life), QLatin1Char('\''));
    if (row.thread != "1")
        text += LabLaneTips::tr(", thread %1").arg(displayText(row.thread));
    return text;
}

QString lockWords(const LaneRow &row)
{
    return row.mode ? LabLaneTips::tr("%1 (%2)").arg(displayText(row.lock), modeText(*row.mode))
                    : displayText(row.lock);
}

template <typename Span>
QString lengthWords(const PlayRecord &record, const Span &span)
{
    return LabLaneTips::tr("%1 to %2, %3")
        .arg(momentText(record, span.from), momentText(record, span.to),
            exactDurationText(std::chrono::duration_cast<lockcore::Millis>(span.to - span.from)));
}

} // namespace

QStringList holdTip(const PlayRecord &record, const ClientLane &lane, const LaneRow &row, const LaneHold &hold)
{
    const bool isOver = hold.end != SpanEnd::None;
    QStringList lines{
        isOver ? LabLaneTips::tr("%1 held %2").arg(whose(lane, row), lockWords(row))
               : LabLaneTips::tr("%1 holds %2").arg(whose(lane, row), lockWords(row)),
        lengthWords(record, hold),
        LabLaneTips::tr("begin: %1").arg(knownText(hold.begun)),
    };
    if (isOver)
        lines << LabLaneTips::tr("end: %1; %2").arg(endText(hold.end), knownText(hold.ended));
    if (!hold.renewals.empty())
        lines << LabLaneTips::tr("%n renewals seen", nullptr, static_cast<int>(hold.renewals.size()));
    if (hold.depths.size() > 1)
        lines << LabLaneTips::tr("held %1 times at the end").arg(hold.depths.back().depth);
    return lines;
}

QStringList believedTip(const PlayRecord &record, const LaneHold &hold)
{
    return { LabLaneTips::tr("goes on as its holder %1 to %2: only then it learns that its hold is over")
                 .arg(momentText(record, hold.to), momentText(record, *hold.believedUntil)) };
}

QStringList waitTip(const PlayRecord &record, const ClientLane &lane, const LaneRow &row, const LaneWait &wait)
{
    return { wait.end == SpanEnd::None ? LabLaneTips::tr("%1 waits for %2").arg(whose(lane, row), lockWords(row))
                                       : LabLaneTips::tr("%1 waited for %2").arg(whose(lane, row), lockWords(row)),
        lengthWords(record, wait), endText(wait.end) };
}

QStringList ghostTip(const PlayRecord &record, const ClientLane &lane, const LaneRow &row, const LaneGhost &ghost)
{
    QStringList lines{ ghost.isWaiter
            ? LabLaneTips::tr("Redis still names %1 in the queue of %2: it is dead")
                  .arg(whose(lane, row), lockWords(row))
            : LabLaneTips::tr("Redis still says that %1 holds %2: it is dead").arg(whose(lane, row), lockWords(row)),
        lengthWords(record, ghost) };
    if (ghost.end != SpanEnd::None)
        lines << asKnown(endText(ghost.end), ghost.ended);
    return lines;
}

QStringList renewalTip(const PlayRecord &record, const LaneRow &row, const LaneRenewal &renewal)
{
    return { asKnown(
        LabLaneTips::tr("%1 renewed at %2").arg(lockWords(row), momentText(record, renewal.at)), renewal.known) };
}

QStringList markTip(const PlayRecord &record, const LaneMark &mark)
{
    QString text = markText(mark.what);
    if (!mark.lock.empty())
        text = LabLaneTips::tr("%1: %2").arg(displayText(mark.lock), text);
    return { asKnown(LabLaneTips::tr("%1, at %2").arg(text, momentText(record, mark.at)), mark.known) };
}

QStringList stateTip(const PlayRecord &record, const LaneState &state)
{
    return { stateText(state.what), lengthWords(record, state) };
}

QStringList serverMarkTip(const PlayRecord &record, const ServerMark &mark)
{
    return { asKnown(
        LabLaneTips::tr("%1, at %2").arg(serverMarkText(mark, record.scenario), momentText(record, mark.at)),
        mark.known) };
}

QStringList serverStateTip(const PlayRecord &record, const ServerState &state)
{
    return { serverStateText(state, record.scenario), lengthWords(record, state) };
}

QStringList gapTip(const PlayRecord &record, const LaneGap &gap)
{
    return { gap.node.empty() ? LabLaneTips::tr("the monitor could see nothing")
                              : LabLaneTips::tr("the monitor could see nothing of %1").arg(displayText(gap.node)),
        lengthWords(record, gap) };
}

} // namespace lockui::lab
