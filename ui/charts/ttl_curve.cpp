// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ttl_curve.h"

#include "ui/text/lock_text.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

double seconds(Millis duration) { return static_cast<double>(duration.count()) / 1000.0; }

double secondsBetween(MonoTime from, MonoTime to) { return std::chrono::duration<double>(to - from).count(); }

/// The first corner may be the moment when we first looked: the acquire or renewal before it was not seen.
bool startsAGap(const std::vector<TtlCorner> &corners, std::size_t i, const LockState &lock)
{
    if (corners[i].after <= Millis(0) || (i > 0 && corners[i - 1].after == TtlCorner::NotSeen))
        return false;
    if (i > 0 || corners[i].before > Millis(0))
        return true;
    const auto since = heldSince(lock);
    // Else it is of a hold before, whose beginning nobody saw.
    return since && since->exact && since->at == corners[i].at;
}

void addPoints(
    TtlCurve &curve, const std::vector<TtlCorner> &corners, const LockState &lock, MonoTime now, double windowStart)
{
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const TtlCorner &corner = corners[i];
        const bool isLast = i + 1 == corners.size();
        const double x = secondsBetween(now, corner.at);
        const double end = isLast ? 0 : secondsBetween(now, corners[i + 1].at);
        if (end < windowStart)
            continue;
        const double start = std::max(x, windowStart);
        const bool wasFree = i > 0 && corners[i - 1].after <= Millis(0); // or not seen
        if (i > 0 && !wasFree && x >= windowStart)
            curve.points.push_back({ x, seconds(corner.before) });
        if (corner.after == TtlCorner::NotSeen)
            curve.unseen.push_back({ start, end });
        if (corner.after <= Millis(0)) // free: there is no time to live, not even none
            continue;
        curve.points.push_back({ start, std::max(0.0, seconds(corner.after) - (start - x)), wasFree });
        const bool endless = isLast && !lock.holders.empty() && !lock.expiresAt;
        if (isLast && !endless) {
            const double ranOut = lock.expiresAt ? std::clamp(secondsBetween(now, *lock.expiresAt), start, 0.0) : 0;
            curve.points.push_back({ ranOut, seconds(ttlAt(lock, now).value_or(Millis(0))) });
        }
    }
}

/// Joins the spans that overlap or touch: a time may be told twice, and one may begin where another ends.
std::vector<TtlCurve::Span> joined(std::vector<TtlCurve::Span> spans)
{
    std::ranges::sort(spans, {}, &TtlCurve::Span::from);
    std::vector<TtlCurve::Span> joined;
    for (const TtlCurve::Span &span : spans) {
        if (!joined.empty() && span.from <= joined.back().to)
            joined.back().to = std::max(joined.back().to, span.to);
        else
            joined.push_back(span);
    }
    return joined;
}

std::vector<TtlCurve::Span> spansOf(const std::vector<UnseenTime> &times, MonoTime now, double windowStart)
{
    std::vector<TtlCurve::Span> spans;
    for (const UnseenTime &time : times) {
        const TtlCurve::Span span{ std::max(windowStart, secondsBetween(now, time.from)),
            std::min(0.0, secondsBetween(now, time.to)) };
        if (span.from < span.to)
            spans.push_back(span);
    }
    return joined(std::move(spans));
}

/// What is left of a span between others, which are in order and do not overlap.
std::vector<TtlCurve::Span> without(TtlCurve::Span span, const std::vector<TtlCurve::Span> &others)
{
    std::vector<TtlCurve::Span> left;
    for (const TtlCurve::Span &other : others) {
        if (other.to <= span.from || other.from >= span.to)
            continue;
        if (other.from > span.from)
            left.push_back({ span.from, other.from });
        span.from = other.to;
    }
    if (span.from < span.to)
        left.push_back(span);
    return left;
}

/// In the times that nobody saw, the curve is known only where the time to live had the same end before and after.
void addUntold(TtlCurve &curve, const std::vector<UnseenTime> &unseen, const std::optional<UnseenTime> &passedOver,
    MonoTime now, double windowStart)
{
    auto times = unseen;
    if (passedOver)
        times.push_back(*passedOver);
    for (const TtlCurve::Span &span : spansOf(times, now, windowStart)) {
        std::vector<TtlCurve::Point> points;
        for (const TtlCurve::Point &point : curve.points) {
            const bool leadsHere = !points.empty() && !point.begins && point.x > points.back().x;
            const TtlCurve::Point from = points.empty() ? point : points.back();
            const auto cutAt = [&](double x, bool inferred) {
                if (leadsHere && from.x < x && x < point.x)
                    points.push_back(
                        { x, from.ttl + (point.ttl - from.ttl) * (x - from.x) / (point.x - from.x), false, inferred });
            };
            cutAt(span.from, from.inferred);
            const bool isWithin = leadsHere && point.x > span.from && point.x <= span.to;
            if (isWithin && (point.ttl <= 0 || span.to >= 0))
                continue; // it may have ended in any other way as well
            cutAt(span.to, true);
            points.push_back(point);
            if (isWithin)
                points.back().inferred = true;
        }
        curve.points = std::move(points);
    }
    for (const TtlCurve::Span &span : spansOf(unseen, now, windowStart))
        curve.unseen.push_back(span);
    curve.unseen = joined(std::move(curve.unseen));
    if (passedOver)
        for (const TtlCurve::Span &span : spansOf({ *passedOver }, now, windowStart))
            curve.passedOver = without(span, curve.unseen);
}

bool isUntoldWithin(const TtlCurve &curve, double from, double to)
{
    const auto isWithin = [&](const TtlCurve::Span &span) { return span.from < to && span.to > from; };
    return std::ranges::any_of(curve.unseen, isWithin) || std::ranges::any_of(curve.passedOver, isWithin);
}

void addRenewals(
    TtlCurve &curve, const std::vector<TtlCorner> &corners, const LockState &lock, MonoTime now, double windowStart)
{
    std::vector<double> gaps;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const double x = secondsBetween(now, corners[i].at);
        if (!corners[i].renewal || x < windowStart)
            continue;
        curve.renewals.push_back({ x, seconds(corners[i].after) });
        // Several readers raise one time to live in turn: what lies between says nothing of a watchdog.
        if (i == 0 || lock.kind == Kind::ReadWrite || !startsAGap(corners, i - 1, lock))
            continue;
        const double full = seconds(corners[i - 1].after);
        const double gap = secondsBetween(corners[i - 1].at, corners[i].at);
        if (isUntoldWithin(curve, x - gap, x))
            continue; // another renewal may have come meanwhile
        gaps.push_back(gap);
        if (lock.lease == Lease::Watchdog && gap > full / 2)
            curve.late.push_back({ std::max(windowStart, x - gap + full / 3), x, gap });
    }
    if (gaps.empty())
        return;
    std::sort(gaps.begin(), gaps.end());
    curve.medianGap = gaps[gaps.size() / 2];
    curve.worstGap = gaps.back();
}

/// Since when it was watched, and since when it has no time to live.
void addBeginning(TtlCurve &curve, const std::vector<TtlCorner> &corners, const LockState &lock, MonoTime now)
{
    const auto since = heldSince(lock);
    const bool isEndless = since && !lock.expiresAt;
    if (!corners.empty()) {
        curve.seenFrom = secondsBetween(now, corners.front().at);
        curve.beginsWithHold = since && since->exact && since->at == corners.front().at;
    } else if (since) {
        curve.seenFrom = secondsBetween(now, since->at);
        curve.beginsWithHold = since->exact;
    } else {
        curve.seenFrom = secondsBetween(now, lock.lastChange.at); // free, and known since then at the latest
    }
    if (isEndless)
        curve.endlessFrom = secondsBetween(now, corners.empty() ? since->at : corners.back().at);
}

} // namespace

TtlCurve ttlCurve(const LockState &lock, MonoTime now, Millis window, const std::vector<UnseenTime> &unseen,
    const std::optional<UnseenTime> &passedOver)
{
    TtlCurve curve;
    const double windowStart = -seconds(window);
    const auto corners = ttlHistoryOf(lock);
    addBeginning(curve, corners, lock, now);
    if (*curve.seenFrom <= windowStart)
        curve.seenFrom.reset();
    addPoints(curve, corners, lock, now, windowStart);
    addUntold(curve, unseen, passedOver, now, windowStart);
    addRenewals(curve, corners, lock, now, windowStart);
    const auto reachesNow
        = [](const std::vector<TtlCurve::Span> &spans) { return !spans.empty() && spans.back().to >= 0; };
    const bool isUntold = reachesNow(curve.unseen) || reachesNow(curve.passedOver);
    if (!isUntold && renewalLate(lock, now) && !corners.empty() && corners.back().after > Millis(0)) {
        const double full = seconds(corners.back().after);
        const double gap = secondsBetween(corners.back().at, now);
        curve.late.push_back({ std::max(windowStart, -gap + full / 3), 0, gap });
    }
    double full = lock.leaseSeen ? seconds(*lock.leaseSeen) : 0;
    for (const TtlCurve::Point &point : curve.points)
        full = std::max(full, point.ttl);
    if (full > 0)
        curve.fullTtl = full;
    return curve;
}

} // namespace lockui
