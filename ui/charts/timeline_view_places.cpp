// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_tips.h"
#include "ui/charts/timeline_view.h"
#include "ui/text/display_text.h"

#include <algorithm>

/// What lies where in the timeline, and what is said of it.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

/// A thin bar is hit from some pixels away.
TimelineView::Hit TimelineView::hitAt(const QPoint &place) const
{
    constexpr double Near = 2;
    const int row = rowAt(place);
    const TimelineLane *lane = place.x() >= plot().left() ? laneAt(row) : nullptr;
    Hit hit{ .lane = lane };
    if (lane == nullptr)
        return hit;
    const TimeScale scale = this->scale();
    const double x = place.x() - plot().left();
    const double top = laneRect(row).top();
    const auto look = [&](const std::vector<TimelineRow> &rows, auto rectOf, bool isWait) {
        for (std::size_t i = 0; i < rows.size() && hit.count == 0; ++i) {
            const auto &spans = rows[i].spans;
            hit.unseenSince = m_timeline.unseenSince(*lane, i, isWait);
            const WallTime seenUntil = std::min(now(), hit.unseenSince.value_or(now()));
            const WallTime near = scale.timeAt(x - Near);
            for (auto k = near <= seenUntil ? firstEndingAfter(spans, near) : spans.size(); // no bar goes further
                 k < spans.size() && scale.pixel(spans[k].from) <= x + Near && spans[k].from <= seenUntil; ++k) {
                const QRectF line = rectOf(i, spans[k].from);
                if (place.y() < line.top() - Near || place.y() > line.bottom() + Near)
                    continue;
                hit.first = hit.count == 0 ? &spans[k] : hit.first;
                hit.last = &spans[k];
                ++hit.count;
                // A bar that is wide enough to be pointed at is meant alone.
                const double right = scale.pixel(std::min(spans[k].to, seenUntil));
                const double left = scale.pixel(spans[k].from);
                if (right - left > 2 * Near && x >= left && x <= right) {
                    hit.first = &spans[k];
                    hit.count = 1;
                    break;
                }
            }
            hit.isWait = isWait;
        }
    };
    look(
        lane->holds, [&](std::size_t i, WallTime from) { return LaneShape::holdRow(*lane, i, from, top); }, false);
    if (hit.count == 0)
        look(
            lane->waits, [&](std::size_t i, WallTime) { return LaneShape::waitRow(i, top); }, true);
    return hit;
}

std::uint32_t TimelineView::ownerAt(const QPoint &place) const
{
    const Hit hit = hitAt(place);
    return hit.count == 1 ? hit.first->owner : 0;
}

QString TimelineView::textAt(const QPoint &place) const
{
    const int row = rowAt(place);
    const TimelineLane *lane = laneAt(row);
    if (lane == nullptr)
        return {};
    QStringList lines = linesAt(*lane, place);
    if (!lines.isEmpty() && place.x() >= plot().left())
        lines.prepend(lockNameTip(lane->lock)); // which lane it is, where many lie close together
    return lines.join(QLatin1Char('\n'));
}

QStringList TimelineView::linesAt(const TimelineLane &lane, const QPoint &place) const
{
    constexpr double NearMark = 5;
    const WallTime now = this->now();
    if (place.x() < plot().left()) {
        const auto lock = m_snapshot ? m_snapshot->locks.find(lane.lock) : nullptr;
        return laneTip(lane, lock.get(), m_snapshot.get());
    }
    const TimeScale scale = this->scale();
    const double x = place.x() - plot().left();
    const WallTime at = scale.timeAt(x);
    QStringList lines;
    const auto mark = std::ranges::lower_bound(lane.marks, scale.timeAt(x - NearMark), {}, &TimelineMark::at);
    if (mark != lane.marks.end() && mark->at <= std::min(now, scale.timeAt(x + NearMark))
        && place.y() < laneRect(rowAt(place)).top() + LaneShape::HoldsTop + 3)
        return markTip(*mark, m_timeline, m_names, now);
    const Hit hit = hitAt(place);
    if (hit.count == 1) {
        const TimelineSpan span = Timeline::wholeOf(lane, *hit.first, hit.isWait);
        return hit.isWait ? waitTip(span, m_timeline, m_names, now, hit.unseenSince)
                          : holdTip(span, m_timeline, m_names, now, hit.unseenSince);
    }
    if (hit.count > 1)
        return { severalTip(hit.isWait, static_cast<qint64>(hit.count), hit.first->from, hit.seenTo(now), now) };
    if (at <= now) {
        const auto &gaps = m_timeline.gaps();
        if (const auto known = std::max(m_timeline.knownFrom().value_or(lane.keptFrom), lane.keptFrom); at < known)
            return { lane.isDropped && at >= m_timeline.knownFrom() ? beforeKeptTip(known, now)
                                                                    : beforeKnownTip(known, now) };
        if (const auto unseen = m_timeline.unseenSince(lane); unseen && at >= *unseen)
            return { gapTip({ *unseen, now, {} }, now) };
        for (const TimelineGap &part : m_timeline.unseenParts(lane))
            if (part.from <= at)
                return { gapTip({ part.from, now, part.node }, now) };
        for (auto i = firstEndingAfter(gaps, at); i < gaps.size() && gaps[i].from <= at; ++i)
            if (m_timeline.concerns(gaps[i], lane))
                return { gapTip(gaps[i], now) };
        for (const TimelineGap &time : m_timeline.unsureTimes(lane))
            if (time.from <= at && at < time.to)
                return { gapTip({ time.from, std::min(time.to, now), {} }, now) };
        const bool isAtWaits = place.y() >= laneRect(rowAt(place)).top() + LaneShape::WaitsTop;
        if (const auto known = m_timeline.countedFrom(); isAtWaits && at < known && Timeline::isCounted(lane))
            return { beforeCountedTip(*known, now) };
        const auto counted = firstEndingAfter(lane.counted, at);
        if (isAtWaits && counted < lane.counted.size() && lane.counted[counted].from <= at)
            return { countedTip(lane.counted[counted], m_timeline.sharesChannels(), now) };
        if (!lane.steps.empty())
            lines = stepTip(lane, at, now);
    }
    return lines;
}

void TimelineView::describe()
{
    const int row = chosenRow();
    const TimelineLane *lane = laneAt(row);
    QString said = tr("%n lanes", nullptr, static_cast<int>(m_lanes.size()));
    if (lane != nullptr) {
        const auto lock = m_snapshot ? m_snapshot->locks.find(lane->lock) : nullptr;
        said += QStringLiteral(". ") + laneTip(*lane, lock.get(), m_snapshot.get()).join(QStringLiteral(", "));
    }
    if (said == accessibleDescription())
        return;
    setAccessibleDescription(said);
}

} // namespace lockui
