// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lane_text.h"

#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace lockui::lab {

using lockcore::MonoTime;

namespace {

struct LaneText {
    Q_DECLARE_TR_FUNCTIONS(LaneText)
};

constexpr lockcore::TextRow<LaneMark::What> MarkTexts[]{
    { LaneMark::What::Killed, QT_TRANSLATE_NOOP("LaneText", "killed") },
    { LaneMark::What::Started, QT_TRANSLATE_NOOP("LaneText", "started again") },
    { LaneMark::What::Paused, QT_TRANSLATE_NOOP("LaneText", "stands still") },
    { LaneMark::What::Resumed, QT_TRANSLATE_NOOP("LaneText", "goes on") },
    { LaneMark::What::NetworkCut, QT_TRANSLATE_NOOP("LaneText", "network cut") },
    { LaneMark::What::NetworkMended, QT_TRANSLATE_NOOP("LaneText", "network mended") },
    { LaneMark::What::LeaseRanOut, QT_TRANSLATE_NOOP("LaneText", "lease ran out") },
    { LaneMark::What::ForceReleased, QT_TRANSLATE_NOOP("LaneText", "force-released") },
    { LaneMark::What::Deleted, QT_TRANSLATE_NOOP("LaneText", "gone from Redis") },
    { LaneMark::What::CountSet, QT_TRANSLATE_NOOP("LaneText", "count set") },
    { LaneMark::What::CountedDown, QT_TRANSLATE_NOOP("LaneText", "counted down") },
    { LaneMark::What::Refused, QT_TRANSLATE_NOOP("LaneText", "refused") },
};
static_assert(lockcore::hasRowForEach(MarkTexts));

constexpr lockcore::TextRow<ServerMark::What> ServerMarkTexts[]{
    { ServerMark::What::Killed, QT_TRANSLATE_NOOP("LaneText", "killed") },
    { ServerMark::What::Started, QT_TRANSLATE_NOOP("LaneText", "started again, empty") },
    { ServerMark::What::Paused, QT_TRANSLATE_NOOP("LaneText", "stands still") },
    { ServerMark::What::Resumed, QT_TRANSLATE_NOOP("LaneText", "goes on") },
    { ServerMark::What::ReplicationCut, QT_TRANSLATE_NOOP("LaneText", "hears of nothing any more") },
    { ServerMark::What::MasterChanged, QT_TRANSLATE_NOOP("LaneText", "is the new master") },
    { ServerMark::What::Restarted, QT_TRANSLATE_NOOP("LaneText", "seen to have restarted") },
    { ServerMark::What::Emptied, QT_TRANSLATE_NOOP("LaneText", "emptied") },
    { ServerMark::What::ClientsPaused, QT_TRANSLATE_NOOP("LaneText", "makes its clients wait") },
};
static_assert(lockcore::hasRowForEach(ServerMarkTexts));

constexpr lockcore::TextRow<SpanEnd> EndTexts[]{
    { SpanEnd::None, QT_TRANSLATE_NOOP("LaneText", "it goes on") },
    { SpanEnd::Released, QT_TRANSLATE_NOOP("LaneText", "released") },
    { SpanEnd::Expired, QT_TRANSLATE_NOOP("LaneText", "its lease ran out") },
    { SpanEnd::ForceReleased, QT_TRANSLATE_NOOP("LaneText", "force-released") },
    { SpanEnd::Deleted, QT_TRANSLATE_NOOP("LaneText", "gone from Redis") },
    { SpanEnd::FoundGone, QT_TRANSLATE_NOOP("LaneText", "found gone: nobody saw when it ended") },
    { SpanEnd::Crashed, QT_TRANSLATE_NOOP("LaneText", "its client died") },
    { SpanEnd::Acquired, QT_TRANSLATE_NOOP("LaneText", "acquired") },
    { SpanEnd::NotAcquired, QT_TRANSLATE_NOOP("LaneText", "not acquired") },
    { SpanEnd::Failed, QT_TRANSLATE_NOOP("LaneText", "an error") },
    { SpanEnd::Dequeued, QT_TRANSLATE_NOOP("LaneText", "taken out of the queue") },
    { SpanEnd::TimedOut, QT_TRANSLATE_NOOP("LaneText", "its time in the queue was over") },
};
static_assert(lockcore::hasRowForEach(EndTexts));

/// What is not measured says so.
QString withSource(const QString &text, Known known)
{
    return known == Known::Measured ? text : LaneText::tr("%1 (%2)").arg(text, knownText(known));
}

QString spanText(const Lanes &lanes, MonoTime from, MonoTime to) // `0.010 s to 1.250 s`
{
    return LaneText::tr("%1 to %2").arg(sinceStartText(lanes, from), sinceStartText(lanes, to));
}

} // namespace

QString rowText(const LaneRow &row)
{
    QStringList parts{ displayText(row.lock) };
    if (row.thread != "1")
        parts << LaneText::tr("thread %1").arg(displayText(row.thread));
    if (row.mode)
        parts << modeText(*row.mode);
    if (row.life > 0)
        parts << LaneText::tr("life %1").arg(row.life + 1);
    return parts.join(QStringLiteral(" · "));
}

QString markText(LaneMark::What what) { return LaneText::tr(lockcore::rowOf(MarkTexts, what).text); }

QString serverMarkText(const ServerMark &mark, const Scenario &scenario)
{
    const QString what = LaneText::tr(lockcore::rowOf(ServerMarkTexts, mark.what).text);
    if (!mark.server)
        return LaneText::tr("%1: %2").arg(displayText(mark.node), what);
    return scenario.servers == 1 ? what : LaneText::tr("server %1: %2").arg(QString::number(*mark.server + 1), what);
}

QString stateText(LaneState::What what)
{
    switch (what) {
    case LaneState::What::Dead:
        return LaneText::tr("dead");
    case LaneState::What::Paused:
        return LaneText::tr("stands still");
    case LaneState::What::CutOff:
        break;
    }
    return LaneText::tr("cut off");
}

QString stateText(ServerState::What what)
{
    return what == ServerState::What::Down ? LaneText::tr("down") : LaneText::tr("stands still");
}

QString endText(SpanEnd end) { return LaneText::tr(lockcore::rowOf(EndTexts, end).text); }

QString knownText(Known known)
{
    switch (known) {
    case Known::Measured:
        return LaneText::tr("measured");
    case Known::Seen:
        return LaneText::tr("seen by the monitor");
    case Known::Inferred:
        break;
    }
    return LaneText::tr("inferred");
}

QString sinceStartText(const Lanes &lanes, MonoTime at)
{
    const auto since = std::chrono::duration_cast<lockcore::Millis>(at - lanes.from);
    return LaneText::tr("%1 s").arg(
        QLocale::c().toString(static_cast<double>(since.count()) / 1'000, 'f', 3)); // as times of day are written
}

QString believedText(const Lanes &lanes, const LaneHold &hold)
{
    return LaneText::tr("goes on as its holder %1: only then it learns that its hold is over")
        .arg(spanText(lanes, hold.to, *hold.believedUntil));
}

QString holdText(const Lanes &lanes, const LaneRow &row, const LaneHold &hold)
{
    QStringList parts{ LaneText::tr("%1 held %2").arg(rowText(row), spanText(lanes, hold.from, hold.to)) };
    if (hold.begun != Known::Measured)
        parts << LaneText::tr("its beginning is %1").arg(knownText(hold.begun));
    const auto most = std::ranges::max_element(hold.depths, {}, &LaneDepth::depth);
    if (most != hold.depths.end() && most->depth > 1)
        parts << LaneText::tr("up to ×%1").arg(countText(most->depth));
    if (!hold.renewals.empty())
        parts << LaneText::tr("renewed %n times", nullptr, pluralOf(static_cast<qint64>(hold.renewals.size())));
    parts << withSource(endText(hold.end), hold.ended);
    return parts.join(QStringLiteral("; "));
}

QString waitText(const Lanes &lanes, const LaneRow &row, const LaneWait &wait)
{
    return LaneText::tr("%1 asked for %2; %3")
        .arg(rowText(row), spanText(lanes, wait.from, wait.to), endText(wait.end));
}

QString ghostText(const Lanes &lanes, const LaneRow &row, const LaneGhost &ghost)
{
    const QString span = spanText(lanes, ghost.from, ghost.to);
    const QString text = ghost.isWaiter ? LaneText::tr("Redis still has the dead client in the queue of %1, %2")
                                        : LaneText::tr("Redis still names the dead client as holder of %1, %2");
    return LaneText::tr("%1; %2").arg(text.arg(rowText(row), span), withSource(endText(ghost.end), ghost.ended));
}

} // namespace lockui::lab
