// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_tips.h"

#include "ui/models/wait_groups.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

struct TimelineTips {
    Q_DECLARE_TR_FUNCTIONS(TimelineTips)
};

using End = TimelineSpan::End;

/// As it was at that moment, as far as it was in sight.
TimelineSpan asOf(TimelineSpan span, WallTime now, std::optional<WallTime> unseenSince)
{
    if (unseenSince && span.to > *unseenSince) {
        span.to = std::max(span.from, *unseenSince);
        span.end = End::NotSeen;
        span.endCertainty = Certainty::Seen;
    }
    if (span.to > now) {
        span.to = TimelineSpan::Open;
        span.end = End::None;
        span.endCertainty = Certainty::Seen;
    }
    return span;
}

QString lengthText(const TimelineSpan &span, WallTime now)
{
    const Millis length = std::max(Millis(0), std::min(span.to, now) - span.from);
    const bool isOver = span.end != End::None && span.end != End::NotSeen;
    const bool isAbout = span.beginInferred || span.endCertainty != Certainty::Seen;
    const auto sureness = !span.beginSeen || !isOver ? SeenTime::AtLeast : isAbout ? SeenTime::About : SeenTime::Exact;
    return seenTimeText({ length, span.beginSeen && span.end == End::None ? SeenTime::Exact : sureness });
}

QString beginText(const TimelineSpan &span, WallTime now, bool isWait)
{
    const QString at = clockText(span.from, now);
    if (span.beginSeen)
        return asSure(isWait ? TimelineTips::tr("queued at %1").arg(at) : TimelineTips::tr("acquired at %1").arg(at),
            span.beginInferred ? Certainty::Inferred : Certainty::Seen);
    return isWait ? TimelineTips::tr("seen to wait from %1; it may have begun before").arg(at)
                  : TimelineTips::tr("seen to be held from %1; it may have begun before").arg(at);
}

QString endName(End end)
{
    switch (end) {
    case End::Released:
        return eventText(EventKind::Released);
    case End::Expired:
        return eventText(EventKind::Expired);
    case End::ForceReleased:
        return eventText(EventKind::ForceReleased);
    case End::Deleted:
        return eventText(EventKind::Deleted);
    case End::Acquired:
        return eventText(EventKind::Acquired);
    case End::Left:
        return eventText(EventKind::Dequeued);
    case End::TimedOut:
        return eventText(EventKind::WaiterTimedOut);
    case End::None:
    case End::NotSeen:
        break;
    }
    return {};
}

QString endLine(const TimelineSpan &span, WallTime now)
{
    if (span.end == End::None)
        return TimelineTips::tr("goes on");
    const QString at = clockText(span.to, now);
    if (span.end == End::NotSeen)
        return TimelineTips::tr("out of sight from %1: how it ended was not seen").arg(at);
    return asSure(TimelineTips::tr("%1 at %2").arg(endName(span.end), at), span.endCertainty);
}

} // namespace

QStringList holdTip(const TimelineSpan &hold, const Timeline &timeline, const ClientNames &names, WallTime now,
    std::optional<WallTime> unseenSince)
{
    const TimelineSpan span = asOf(hold, now, unseenSince);
    QStringList lines{ fullNamedOwner(timeline.owner(span.owner), &names),
        TimelineTips::tr("held %1").arg(lengthText(span, now)), beginText(span, now, false), endLine(span, now) };
    if (span.depth > 1)
        lines << TimelineTips::tr("held up to %1 times at once").arg(countText(span.depth));
    return lines;
}

QStringList waitTip(const TimelineSpan &wait, const Timeline &timeline, const ClientNames &names, WallTime now,
    std::optional<WallTime> unseenSince)
{
    const TimelineSpan span = asOf(wait, now, unseenSince);
    QStringList lines{ fullNamedOwner(timeline.owner(span.owner), &names),
        (span.isGhost ? TimelineTips::tr("stood in the queue %1") : TimelineTips::tr("waited %1"))
            .arg(lengthText(span, now)),
        beginText(span, now, true), endLine(span, now) };
    if (span.isGhost)
        lines << TimelineTips::tr("a ghost: nobody was seen to listen for its turn");
    return lines;
}

QStringList markTip(const TimelineMark &mark, const Timeline &timeline, const ClientNames &names, WallTime now)
{
    QStringList lines{ asSure(
        TimelineTips::tr("%1 at %2").arg(eventText(mark.kind), clockText(mark.at, now)), mark.certainty) };
    if (mark.owner != 0)
        lines << fullNamedOwner(timeline.owner(mark.owner), &names);
    return lines;
}

QStringList stepTip(const TimelineLane &lane, WallTime at, WallTime now)
{
    const auto later = std::ranges::upper_bound(lane.steps, at, {}, &TimelineStep::at);
    if (later == lane.steps.begin() || std::prev(later)->value == TimelineStep::NotKnown)
        return { TimelineTips::tr("not known at %1").arg(clockText(at, now)) };
    const TimelineStep &step = *std::prev(later);
    const QString from = clockText(step.at, now);
    if (lane.kind == synchronizers::Kind::CountDownLatch)
        return { step.value > 0
                ? TimelineTips::tr("still to be counted down: %1, from %2").arg(countText(step.value), from)
                : TimelineTips::tr("open from %1: nobody has to wait for it").arg(from) };
    if (step.value == TimelineStep::Gone)
        return { TimelineTips::tr("does not exist from %1").arg(from) };
    QStringList lines{ TimelineTips::tr("free permits: %1, from %2").arg(countText(step.value), from) };
    if (step.all != TimelineStep::NotKnown)
        lines << TimelineTips::tr("in use: %1 of %2").arg(countText(step.all - step.value), countText(step.all));
    else if (lane.most > step.value)
        lines << TimelineTips::tr("in use: ≥ %1, as up to %2 were seen free")
                     .arg(countText(lane.most - step.value), countText(lane.most));
    return lines;
}

QString severalTip(bool areWaits, qint64 count, WallTime from, WallTime to, WallTime now)
{
    const QString text = areWaits ? TimelineTips::tr("%1 waits between %2 and %3: zoom in to tell them apart")
                                  : TimelineTips::tr("%1 holds between %2 and %3: zoom in to tell them apart");
    return text.arg(countText(count), clockText(from, now), clockText(to, now));
}

QString countedTip(const TimelineCount &counted, bool isDoubtful, WallTime now)
{
    const QString count = waitingSumText(counted.count, true, isDoubtful);
    const QString from = clockText(counted.from, now);
    const QString text = counted.to == TimelineSpan::Open
        ? TimelineTips::tr("%1 waiting, as counted from %2 on: who they are is not known").arg(count, from)
        : TimelineTips::tr("%1 waiting, as counted from %2 to %3: who they were is not known")
              .arg(count, from, clockText(counted.to, now));
    return isDoubtful ? text + QLatin1Char('\n')
            + TimelineTips::tr("Some of them may wait for a lock of the same name in another database.")
                      : text;
}

QString gapTip(const TimelineGap &gap, WallTime now)
{
    const QString text = TimelineTips::tr("not seen from %1 to %2 (%3)")
                             .arg(clockText(gap.from, now), clockText(gap.to, now), durationText(gap.to - gap.from));
    return gap.node.empty() ? text : text + QLatin1Char('\n') + displayText(gap.node, 120);
}

QString beforeKnownTip(WallTime knownFrom, WallTime now)
{
    return TimelineTips::tr("Nothing from before %1 is known here.").arg(clockText(knownFrom, now));
}

QString beforeKeptTip(WallTime keptFrom, WallTime now)
{
    return TimelineTips::tr("What was before %1 is no longer kept: there are too many locks for all of them.")
        .arg(clockText(keptFrom, now));
}

QString beforeCountedTip(WallTime countedFrom, WallTime now)
{
    return TimelineTips::tr("How many waited before %1 is not known here.").arg(clockText(countedFrom, now));
}

QString laneKindText(const TimelineLane &lane)
{
    if (!lane.kind)
        return {};
    return lane.kind == synchronizers::Kind::Semaphore && !lane.isSurelySemaphore
        ? TimelineTips::tr("%1 or other").arg(kindText(*lane.kind))
        : kindText(*lane.kind);
}

QString laneWaits(const LockState &lock, const Snapshot *snapshot)
{
    const auto waiting = waitingCount(lock).value_or(0);
    return waiting > 0 ? TimelineTips::tr("%1 waiting", nullptr, pluralOf(waiting)).arg(waitingText(lock, snapshot))
                       : QString();
}

QStringList laneTip(const TimelineLane &lane, const LockState *lock, const Snapshot *snapshot)
{
    QStringList lines{ lockNameTip(lane.lock) };
    if (lock != nullptr)
        lines << kindText(*lock) << holderText(*lock) << waitingText(*lock, snapshot);
    else
        lines << TimelineTips::tr("gone: nobody holds it or waits for it now");
    if (const Millis blocked = blockedBy(lane.lock, snapshot); blocked > Millis(0))
        lines << TimelineTips::tr("kept others waiting ≥ %1").arg(exactDurationText(blocked));
    if (lane.incomplete)
        lines << TimelineTips::tr("More at once held it or waited than are drawn.");
    lines.removeAll(QString());
    return lines;
}

} // namespace lockui
