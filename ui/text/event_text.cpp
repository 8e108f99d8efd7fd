// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/event_text.h"

#include "lockcore/base/enum_table.h"
#include "lockcore/synchronizers/catalog.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct EventText {
    Q_DECLARE_TR_FUNCTIONS(EventText)
};

constexpr TextRow<EventKind> EventTexts[]{
    { EventKind::Appeared, QT_TRANSLATE_NOOP("EventText", "first seen") },
    { EventKind::Acquired, QT_TRANSLATE_NOOP("EventText", "acquired") },
    { EventKind::Reentered, QT_TRANSLATE_NOOP("EventText", "re-entered") },
    { EventKind::Renewed, QT_TRANSLATE_NOOP("EventText", "renewed") },
    { EventKind::PartlyReleased, QT_TRANSLATE_NOOP("EventText", "partly released") },
    { EventKind::Released, QT_TRANSLATE_NOOP("EventText", "released") },
    { EventKind::Expired, QT_TRANSLATE_NOOP("EventText", "expired") },
    { EventKind::ForceReleased, QT_TRANSLATE_NOOP("EventText", "force-released") },
    { EventKind::Deleted, QT_TRANSLATE_NOOP("EventText", "deleted") },
    { EventKind::FoundQueued, QT_TRANSLATE_NOOP("EventText", "found waiting") },
    { EventKind::Queued, QT_TRANSLATE_NOOP("EventText", "queued") },
    { EventKind::Dequeued, QT_TRANSLATE_NOOP("EventText", "left the queue") },
    { EventKind::WaiterTimedOut, QT_TRANSLATE_NOOP("EventText", "waiter timed out") },
    { EventKind::PermitsChanged, QT_TRANSLATE_NOOP("EventText", "permits changed") },
    { EventKind::CountChanged, QT_TRANSLATE_NOOP("EventText", "count changed") },
    { EventKind::Gap, QT_TRANSLATE_NOOP("EventText", "not seen") },
    { EventKind::MasterChanged, QT_TRANSLATE_NOOP("EventText", "another master") },
    { EventKind::ServerRestarted, QT_TRANSLATE_NOOP("EventText", "server restarted") },
    { EventKind::SlowCommand, QT_TRANSLATE_NOOP("EventText", "slow command") },
    { EventKind::ClientsPaused, QT_TRANSLATE_NOOP("EventText", "clients paused") },
    { EventKind::DatabaseEmptied, QT_TRANSLATE_NOOP("EventText", "database emptied") },
    { EventKind::DatabasesSwapped, QT_TRANSLATE_NOOP("EventText", "databases swapped") },
};
static_assert(hasRowForEach(EventTexts));

QString ttlOf(const Event &event)
{
    return event.ttl ? EventText::tr("time to live %1").arg(ttlText(*event.ttl))
                     : EventText::tr("never expires by itself");
}

QString times(std::int64_t count) { return QStringLiteral("×") + countText(count); }

QString joined(const QStringList &parts) { return parts.join(QStringLiteral(" · ")); }

QString heldText(const EventContext &context)
{
    return context.held ? EventText::tr("held for %1").arg(seenTimeText(*context.held)) : QString();
}

/// Absent: it is not known, or it was seen for the first time then.
std::optional<SeenTime> timeBefore(const Event &event)
{
    if (!event.since || event.since->at >= event.at)
        return std::nullopt;
    return SeenTime{ event.at - event.since->at, event.since->exact ? SeenTime::Exact : SeenTime::AtLeast };
}

QString foundHeldText(const Event &event)
{
    if (!event.owner)
        return EventText::tr("was there already");
    const auto before = timeBefore(event);
    return before ? EventText::tr("held already, for %1").arg(seenTimeText(*before))
                  : EventText::tr("held already, since unknown");
}

QString foundWaitingText(const Event &event)
{
    const auto before = timeBefore(event);
    return before ? EventText::tr("waits already, for %1").arg(seenTimeText(*before))
                  : EventText::tr("waits already, since unknown");
}

QString acquireText(const Event &event, const EventContext &context)
{
    QStringList parts;
    if (context.waited)
        parts << EventText::tr("after %1 in the queue").arg(seenTimeText(*context.waited));
    return joined(parts << ttlOf(event));
}

QString renewalText(const Event &event, const EventContext &context)
{
    QStringList parts;
    if (context.over)
        parts << EventText::tr("over %1").arg(seenTimeText(*context.over));
    if (context.isOwnDeed)
        parts << (context.times > 1 ? EventText::tr("the last from this window") : EventText::tr("from this window"));
    return joined(parts << ttlOf(event));
}

/// Of what has no holder only the key ran out.
QString expiryText(const Event &event, const EventContext &context)
{
    if (!event.owner)
        return EventText::tr("its key ran out");
    if (event.certainty == Certainty::Inferred)
        return context.held ? EventText::tr("ran out unreleased after %1, it seems; if so, its unlock will fail")
                                  .arg(seenTimeText(*context.held))
                            : EventText::tr("ran out unreleased, it seems; if so, its unlock will fail");
    return context.held
        ? EventText::tr("ran out unreleased after %1; its unlock will fail").arg(seenTimeText(*context.held))
        : EventText::tr("ran out unreleased; its unlock will fail");
}

QString forcedText(const Event &event, const EventContext &context)
{
    const QString what = context.isOwnDeed ? EventText::tr("released by force from this window; its unlock will fail")
        : event.certainty == Certainty::Recorded
        ? EventText::tr("released by force, as the audit log of this computer records; its unlock will fail")
        : event.certainty == Certainty::Inferred
        ? EventText::tr("its owner would have left a trace; if it was somebody else, its unlock will fail")
        : EventText::tr("freed by somebody else; its unlock will fail");
    QStringList parts{ what, heldText(context) };
    parts.removeAll(QString());
    return joined(parts);
}

QString deletionText(const Event &event, const EventContext &context)
{
    const QString what = context.upheaval
        ? EventText::tr("its key is gone, right after: %1").arg(eventText(*context.upheaval))
        : context.wasUnseen
        ? EventText::tr("its key was gone when its server was seen again; what was told meanwhile was not heard")
        : event.certainty == Certainty::Inferred ? EventText::tr("its key is gone, and no release was heard")
        : lockcore::synchronizers::isCounter(event.lockKind.value_or(lockcore::synchronizers::Kind::Reentrant))
        ? EventText::tr("its key is gone, and nobody was told")
        : EventText::tr("its key is gone, and no client of Redisson did that");
    QStringList parts{ what, event.owner ? heldText(context) : QString() };
    parts.removeAll(QString());
    return joined(parts);
}

/// The copy of one of several independent servers: what it means that it is gone there.
QString copyText(const Event &event, const EventContext &context)
{
    if (event.kind == EventKind::Released)
        return EventText::tr("given back there");
    if (event.kind == EventKind::ForceReleased)
        return context.isOwnDeed ? EventText::tr("released by force there from this window")
                                 : EventText::tr("released by force there");
    if (context.upheaval)
        return EventText::tr("its copy there is gone, right after: %1").arg(eventText(*context.upheaval));
    if (context.wasUnseen)
        return EventText::tr("its copy there was gone when the server was seen again");
    if (event.kind == EventKind::Deleted)
        return EventText::tr("its copy there was deleted");
    return event.certainty == Certainty::Inferred ? EventText::tr("its copy there ran out, it seems")
                                                  : EventText::tr("its copy there ran out");
}

/// The hold goes on as long as one server has it, and only with the last one the unlock fails.
QString endOfCopyText(const Event &event, const EventContext &context, const QString &ofTheLast)
{
    const QString node = displayText(event.node);
    if (context.copies == Copies::LastOne)
        return ofTheLast.isEmpty() ? EventText::tr("on %1").arg(node)
                                   : EventText::tr("on %1: %2", "a server, what happened").arg(node, ofTheLast);
    QString what = copyText(event, context);
    if (context.copies == Copies::OthersHold)
        what = EventText::tr("%1; another server still had the lock").arg(what);
    QStringList parts{ EventText::tr("on %1: %2", "a server, what happened").arg(node, what) };
    if (context.held)
        parts << EventText::tr("held there for %1").arg(seenTimeText(*context.held));
    return joined(parts);
}

QString gonePlaceText(EventKind upheaval)
{
    return EventText::tr("its place in the queue is gone, right after: %1").arg(eventText(upheaval));
}

QString goneText() { return EventText::tr("a ghost: its client seemed to be gone"); }

/// Whether it gave up or was removed is not written anywhere.
QString timedOutText(const Event &event, const EventContext &context)
{
    const QString over = context.waited
        ? EventText::tr("its time was over, after %1").arg(seenTimeText(*context.waited))
        : EventText::tr("its time was over");
    const QString what = context.upheaval ? gonePlaceText(*context.upheaval)
        : wasGhost(event)                 ? goneText()
        : context.linesUpAgain
        ? EventText::tr("it gave up, or the next one removed it, or it waits on: it lined up again at once")
        : event.certainty == Certainty::Inferred ? EventText::tr("it gave up, or the next one removed it")
                                                 : EventText::tr("the next one removed it");
    return joined({ over, what });
}

QString dequeuedText(const Event &event, const EventContext &context)
{
    if (context.isOwnDeed)
        return EventText::tr("dropped from this window; it does not hold the lock");
    const QString what = context.upheaval ? gonePlaceText(*context.upheaval)
        : wasGhost(event)                 ? goneText()
        : context.linesUpAgain            ? EventText::tr("it lined up again at once")
                                          : EventText::tr("it does not hold the lock");
    return context.waited ? EventText::tr("after %1; %2").arg(seenTimeText(*context.waited), what) : what;
}

QString permitsText(const Event &event, const EventContext &context)
{
    if (!event.count)
        return {};
    const QString free = !context.countBefore ? EventText::tr("%1 free").arg(countText(*event.count))
        : *context.countBefore == *event.count
        ? EventText::tr("%1 free, as before").arg(countText(*event.count))
        : EventText::tr("%1 → %2 free").arg(countText(*context.countBefore), countText(*event.count));
    if (event.ttl)
        return EventText::tr("%1; the lease of a permit was set anew: time to live %2").arg(free, ttlText(*event.ttl));
    if (context.isOwnDeed)
        return EventText::tr("%1; a permit was returned from this window").arg(free);
    const bool isToldOfPermits = event.lockKind == synchronizers::Kind::PermitExpirableSemaphore;
    return isToldOfPermits && context.countBefore == event.count
        ? EventText::tr("%1; who has a permit, or until when, changed").arg(free)
        : free;
}

QString latchText(const Event &event, const EventContext &context)
{
    if (!event.count)
        return {};
    if (*event.count == 0)
        return EventText::tr("it is open: all who wait go on");
    return context.countBefore
        ? EventText::tr("%1 → %2 to go").arg(countText(*context.countBefore), countText(*event.count))
        : EventText::tr("%1 to go").arg(countText(*event.count));
}

/// Where it is the feed alone that had a gap, something of it was read all the same, and is told.
QString gapText(const Event &event)
{
    const QString length = exactDurationText(event.ttl.value_or(Millis(0)));
    if (!event.formerMaster.empty())
        return EventText::tr("for %1 on %2, then %3; what else happened is not known")
            .arg(length, displayText(event.formerMaster), displayText(event.node));
    return event.node.empty()
        ? EventText::tr("for %1; what else happened is not known").arg(length)
        : EventText::tr("for %1 on %2; what else happened is not known").arg(length, displayText(event.node));
}

QString masterText(const Event &event)
{
    return EventText::tr("%1 has taken the place of %2; what was not replicated then is lost")
        .arg(displayText(event.node), displayText(event.formerMaster));
}

QString restartText(const Event &event)
{
    const QString node = displayText(event.node);
    return event.ttl
        ? EventText::tr("%1 is another process, up for %2 when it was seen again").arg(node, durationText(*event.ttl))
        : EventText::tr("%1 is another process").arg(node);
}

/// Arguments may hold secrets, and strangers choose them: more than the command and its key is not known here.
QString slowText(const Event &event)
{
    constexpr int LongestKey = 80;
    const QString node = displayText(event.node);
    if (event.command.empty() && event.count)
        return EventText::tr("%n slow commands on %1 of which the slow log tells nothing any more", nullptr,
            static_cast<int>(std::min<std::int64_t>(*event.count, 1'000'000'000)))
            .arg(node);
    QString text = event.command.empty() ? EventText::tr("a command") : displayText(event.command);
    if (!event.key.empty())
        text += QLatin1Char(' ') + displayText(event.key, LongestKey);
    if (event.ttl)
        text = EventText::tr("%1 took %2 on %3; nothing else was served meanwhile")
                   .arg(text, exactDurationText(*event.ttl), node);
    return event.byLockscope ? EventText::tr("by Lockscope itself: %1").arg(text) : text;
}

QString pauseText(const Event &event)
{
    const QString node = displayText(event.node);
    if (event.ttl)
        return EventText::tr("%1 let clients wait, for %2 more when it was asked")
            .arg(node, exactDurationText(*event.ttl));
    return EventText::tr("%1 was told to let clients wait; for how long is not known").arg(node);
}

} // namespace

bool isNoticed(EventKind kind)
{
    return kind == EventKind::ClientsPaused || kind == EventKind::ServerRestarted || kind == EventKind::MasterChanged;
}

/// Of a restart is told how long ago it was when the server was seen again.
WallTime happenedAt(const Event &event)
{
    const bool isRestart = event.kind == EventKind::ServerRestarted;
    return isRestart ? event.at - event.ttl.value_or(Millis(0)) : event.at;
}

QString asSure(const QString &text, Certainty certainty)
{
    switch (certainty) {
    case Certainty::Seen:
        break;
    case Certainty::Inferred:
        return EventText::tr("probably %1").arg(text);
    case Certainty::Recorded:
        return EventText::tr("%1, as the audit log of this computer records").arg(text);
    }
    return text;
}

QString eventText(EventKind kind) { return EventText::tr(rowOf(EventTexts, kind).text); }

QString shortEventText(EventKind kind, Certainty certainty)
{
    return certainty == Certainty::Inferred ? eventText(kind) + u'?' : eventText(kind);
}

/// A recording tells of all that was there when it began. The monitor that made it may have seen that before, as its
/// tables then say.
QString eventText(const Event &event, std::int64_t count)
{
    if (event.kind == EventKind::Appeared && event.since)
        return EventText::tr("there already");
    const bool isRecorded = event.certainty == Certainty::Recorded; // its meaning says by what
    const QString text = isRecorded ? eventText(event.kind) : asSure(eventText(event.kind), event.certainty);
    return count > 1 ? text + QLatin1Char(' ') + times(count) : text;
}

QString seenTimeText(const SeenTime &time)
{
    QString text = exactDurationText(time.time);
    switch (time.sureness) {
    case SeenTime::Exact:
        return text;
    case SeenTime::About:
        return EventText::tr("about %1").arg(text);
    case SeenTime::AtLeast:
        return QStringLiteral("≥ ") + text;
    }
    return text;
}

namespace {

QString meaningOf(const Event &event, const EventContext &context)
{
    switch (event.kind) {
    case EventKind::Appeared:
        return foundHeldText(event);
    case EventKind::Acquired:
        return acquireText(event, context);
    case EventKind::Reentered:
        return event.count ? EventText::tr("now held %1 by the same thread").arg(times(*event.count)) : QString();
    case EventKind::Renewed:
        return renewalText(event, context);
    case EventKind::PartlyReleased:
        return event.count ? EventText::tr("still held %1").arg(times(*event.count)) : QString();
    case EventKind::Released:
        return heldText(context);
    case EventKind::Expired:
        return expiryText(event, context);
    case EventKind::ForceReleased:
        return forcedText(event, context);
    case EventKind::Deleted:
        return deletionText(event, context);
    case EventKind::FoundQueued:
        return foundWaitingText(event);
    case EventKind::Queued:
        return context.linesUpAgain ? EventText::tr("lined up again; it may have waited on all the time")
                                    : EventText::tr("waits for its turn");
    case EventKind::Dequeued:
        return dequeuedText(event, context);
    case EventKind::WaiterTimedOut:
        return timedOutText(event, context);
    case EventKind::PermitsChanged:
        return permitsText(event, context);
    case EventKind::CountChanged:
        return latchText(event, context);
    case EventKind::Gap:
        return gapText(event);
    case EventKind::MasterChanged:
        return masterText(event);
    case EventKind::ServerRestarted:
        return restartText(event);
    case EventKind::SlowCommand:
        return slowText(event);
    case EventKind::ClientsPaused:
        return pauseText(event);
    case EventKind::DatabaseEmptied:
        return EventText::tr("FLUSHALL, FLUSHDB or a new beginning as a replica on %1").arg(displayText(event.node));
    case EventKind::DatabasesSwapped:
        return EventText::tr("SWAPDB: what was here may be in another database now; %1 does not tell of which")
            .arg(displayText(event.node));
    }
    return {};
}

} // namespace

QString eventMeaning(const Event &event, const EventContext &context)
{
    const QString meaning = meaningOf(event, context);
    const bool isOfCopy = context.copies != Copies::None && endsHold(event.kind) && event.owner;
    return isOfCopy ? endOfCopyText(event, context, meaning) : meaning;
}

QString endText(const Event &end, const ClientNames *names)
{
    const QString who = end.owner ? namedOwner(*end.owner, names) : QString();
    QString text = eventText(end.kind);
    if (end.owner && end.kind == EventKind::Released)
        text = EventText::tr("released by %1").arg(who);
    else if (end.owner && end.kind == EventKind::Expired)
        text = EventText::tr("expired while %1 held it").arg(who);
    else if (end.owner && end.kind == EventKind::ForceReleased)
        text = EventText::tr("force-released while %1 held it").arg(who);
    else if (end.owner)
        text = EventText::tr("deleted while %1 held it").arg(who);
    return asSure(text, end.certainty);
}

} // namespace lockui
