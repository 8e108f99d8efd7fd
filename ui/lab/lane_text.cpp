// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lane_text.h"

#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockui::lab {

namespace {

struct LaneText {
    Q_DECLARE_TR_FUNCTIONS(LaneText)
};

constexpr lockcore::TextRow<LaneMark::What> MarkTexts[]{
    { LaneMark::What::Killed, QT_TRANSLATE_NOOP("LaneText", "killed with -9") },
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
    { ServerMark::What::Killed, QT_TRANSLATE_NOOP("LaneText", "killed with -9") },
    { ServerMark::What::Started, QT_TRANSLATE_NOOP("LaneText", "started again, empty") },
    { ServerMark::What::Paused, QT_TRANSLATE_NOOP("LaneText", "stands still") },
    { ServerMark::What::Resumed, QT_TRANSLATE_NOOP("LaneText", "goes on") },
    { ServerMark::What::ReplicationCut, QT_TRANSLATE_NOOP("LaneText", "replication cut") },
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
    { SpanEnd::NotAcquired, QT_TRANSLATE_NOOP("LaneText", "gave up: its time to wait was over") },
    { SpanEnd::Failed, QT_TRANSLATE_NOOP("LaneText", "failed with an error") },
    { SpanEnd::Dequeued, QT_TRANSLATE_NOOP("LaneText", "taken out of the queue") },
    { SpanEnd::TimedOut, QT_TRANSLATE_NOOP("LaneText", "passed over: its time in the queue was over") },
};
static_assert(lockcore::hasRowForEach(EndTexts));

QString ofServer(std::size_t server, const QString &what, const Scenario &scenario)
{
    return scenario.servers == 1 ? what : LaneText::tr("server %1: %2").arg(QString::number(server + 1), what);
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
    return ofServer(*mark.server, what, scenario);
}

QString serverStateText(const ServerState &state, const Scenario &scenario)
{
    const QString what = state.what == ServerState::What::Down ? LaneText::tr("down") : LaneText::tr("stands still");
    return ofServer(state.server, what, scenario);
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

QString endText(SpanEnd end) { return LaneText::tr(lockcore::rowOf(EndTexts, end).text); }

QString knownText(Known known)
{
    switch (known) {
    case Known::Measured:
        return LaneText::tr("measured by the play");
    case Known::Seen:
        return LaneText::tr("seen by the monitor");
    case Known::Inferred:
        break;
    }
    return LaneText::tr("inferred");
}

} // namespace lockui::lab
