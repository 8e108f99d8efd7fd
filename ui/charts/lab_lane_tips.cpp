// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/lab_lane_tips.h"

#include "ui/lab/lane_text.h"
#include "ui/lab/play_text.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

namespace lockui {

using lab::Known;
using lab::PlayRecord;
using lab::SpanEnd;

namespace {

struct LabLaneTips {
    Q_DECLARE_TR_FUNCTIONS(LabLaneTips)
};

QString asKnown(const QString &text, Known known)
{
    return known == Known::Inferred ? LabLaneTips::tr("%1 (inferred)").arg(text) : text;
}

QString whose(const lab::ClientLane &lane, const lab::LaneRow &row)
{
    QString text = displayText(lane.client) + QString(static_cast<int>(row.life), QLatin1Char('\''));
    if (row.thread != "1")
        text += LabLaneTips::tr(", thread %1").arg(displayText(row.thread));
    return text;
}

QString lockWords(const lab::LaneRow &row)
{
    return row.mode ? LabLaneTips::tr("%1 (%2)").arg(displayText(row.lock), modeText(*row.mode))
                    : displayText(row.lock);
}

QString endWord(SpanEnd end)
{
    switch (end) {
    case SpanEnd::None:
        break;
    case SpanEnd::Released:
        return LabLaneTips::tr("released");
    case SpanEnd::Expired:
        return LabLaneTips::tr("its lease ran out");
    case SpanEnd::ForceReleased:
        return LabLaneTips::tr("force-released");
    case SpanEnd::Deleted:
        return LabLaneTips::tr("its key was deleted");
    case SpanEnd::FoundGone:
        return LabLaneTips::tr("its client was told that it does not hold it; when it ended nobody saw");
    case SpanEnd::Crashed:
        return LabLaneTips::tr("its client died");
    case SpanEnd::Acquired:
        return LabLaneTips::tr("got it");
    case SpanEnd::NotAcquired:
        return LabLaneTips::tr("gave up: its time to wait was over");
    case SpanEnd::Failed:
        return LabLaneTips::tr("failed");
    case SpanEnd::Dequeued:
        return LabLaneTips::tr("taken out of the queue");
    case SpanEnd::TimedOut:
        return LabLaneTips::tr("passed over: its time in the queue was over");
    }
    return LabLaneTips::tr("goes on");
}

template <typename Span>
QString lengthWords(const PlayRecord &record, const Span &span)
{
    return LabLaneTips::tr("%1 to %2, %3")
        .arg(momentText(record, span.from), momentText(record, span.to),
            exactDurationText(std::chrono::duration_cast<lockcore::Millis>(span.to - span.from)));
}

QString knownWord(Known known)
{
    switch (known) {
    case Known::Measured:
        return LabLaneTips::tr("measured by the play");
    case Known::Seen:
        return LabLaneTips::tr("seen by the monitor");
    case Known::Inferred:
        return LabLaneTips::tr("inferred");
    }
    return {};
}

} // namespace

QStringList holdTip(
    const PlayRecord &record, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneHold &hold)
{
    const bool isOver = hold.end != SpanEnd::None;
    QStringList lines{
        isOver ? LabLaneTips::tr("%1 held %2").arg(whose(lane, row), lockWords(row))
               : LabLaneTips::tr("%1 holds %2").arg(whose(lane, row), lockWords(row)),
        lengthWords(record, hold),
        LabLaneTips::tr("begin: %1").arg(knownWord(hold.begun)),
    };
    if (isOver)
        lines << LabLaneTips::tr("end: %1; %2").arg(endWord(hold.end), knownWord(hold.ended));
    if (!hold.renewals.empty())
        lines << LabLaneTips::tr("%n renewals seen", nullptr, static_cast<int>(hold.renewals.size()));
    if (hold.depths.size() > 1)
        lines << LabLaneTips::tr("held %1 times at the end").arg(hold.depths.back().depth);
    return lines;
}

QStringList waitTip(
    const PlayRecord &record, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneWait &wait)
{
    return { wait.end == SpanEnd::None ? LabLaneTips::tr("%1 waits for %2").arg(whose(lane, row), lockWords(row))
                                       : LabLaneTips::tr("%1 waited for %2").arg(whose(lane, row), lockWords(row)),
        lengthWords(record, wait), endWord(wait.end) };
}

QStringList ghostTip(
    const PlayRecord &record, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneGhost &ghost)
{
    QStringList lines{ ghost.isWaiter
            ? LabLaneTips::tr("Redis still names %1 in the queue of %2: it is dead")
                  .arg(whose(lane, row), lockWords(row))
            : LabLaneTips::tr("Redis still says that %1 holds %2: it is dead").arg(whose(lane, row), lockWords(row)),
        lengthWords(record, ghost) };
    if (ghost.end != SpanEnd::None)
        lines << asKnown(endWord(ghost.end), ghost.ended);
    return lines;
}

QStringList renewalTip(const PlayRecord &record, const lab::LaneRow &row, const lab::LaneRenewal &renewal)
{
    return { asKnown(
        LabLaneTips::tr("%1 renewed at %2").arg(lockWords(row), momentText(record, renewal.at)), renewal.known) };
}

QStringList markTip(const PlayRecord &record, const lab::LaneMark &mark)
{
    QString text = labelOf(mark.what);
    if (!mark.lock.empty())
        text = LabLaneTips::tr("%1: %2").arg(displayText(mark.lock), text);
    return { asKnown(LabLaneTips::tr("%1, at %2").arg(text, momentText(record, mark.at)), mark.known) };
}

QStringList stateTip(const PlayRecord &record, const lab::LaneState &state)
{
    return { lab::stateText(state.what), lengthWords(record, state) };
}

QStringList serverMarkTip(const PlayRecord &record, const lab::ServerMark &mark)
{
    QString text = labelOf(mark.what);
    if (mark.server)
        text = LabLaneTips::tr("server %1: %2").arg(*mark.server + 1).arg(text);
    else if (!mark.node.empty())
        text = LabLaneTips::tr("%1: %2").arg(displayText(mark.node), text);
    return { asKnown(LabLaneTips::tr("%1, at %2").arg(text, momentText(record, mark.at)), mark.known) };
}

QStringList serverStateTip(const PlayRecord &record, const lab::ServerState &state)
{
    return { LabLaneTips::tr("server %1: %2").arg(state.server + 1).arg(lab::stateText(state.what)),
        lengthWords(record, state) };
}

QStringList gapTip(const PlayRecord &record, const lab::LaneGap &gap)
{
    return { gap.node.empty() ? LabLaneTips::tr("the monitor could see nothing")
                              : LabLaneTips::tr("the monitor could see nothing of %1").arg(displayText(gap.node)),
        lengthWords(record, gap) };
}

/// The rest is said as the report says it.
QString labelOf(lab::LaneMark::What what)
{
    return what == lab::LaneMark::What::Killed ? LabLaneTips::tr("killed with -9") : lab::markText(what);
}

QString labelOf(lab::ServerMark::What what)
{
    switch (what) {
    case lab::ServerMark::What::Killed:
        return LabLaneTips::tr("killed with -9");
    case lab::ServerMark::What::Started:
        return LabLaneTips::tr("started again, empty");
    case lab::ServerMark::What::Paused:
        return LabLaneTips::tr("stands still");
    case lab::ServerMark::What::Resumed:
        return LabLaneTips::tr("goes on");
    case lab::ServerMark::What::ReplicationCut:
        return LabLaneTips::tr("replication cut");
    case lab::ServerMark::What::MasterChanged:
        return LabLaneTips::tr("is the master now");
    case lab::ServerMark::What::Restarted:
        return LabLaneTips::tr("restarted");
    case lab::ServerMark::What::Emptied:
        return LabLaneTips::tr("emptied");
    case lab::ServerMark::What::ClientsPaused:
        return LabLaneTips::tr("held back all clients");
    }
    return {};
}

} // namespace lockui
