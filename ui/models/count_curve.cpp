// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/count_curve.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::size_t MostCountSteps = 4'000; // more than a chart has pixels

bool isGone(EventKind kind) { return kind == EventKind::Expired || kind == EventKind::Deleted; }

std::optional<std::int64_t> numberOf(const LockState &lock)
{
    return lock.permits ? std::optional(freePermits(*lock.permits)) : lock.count;
}

/// Those that touch are one.
std::vector<CountCurve::Span> unseenOf(const EventStore &store, const std::string &node, WallTime from, WallTime to)
{
    std::vector<CountCurve::Span> gaps;
    for (const Event &gap : store.gapsOf(node))
        if (gap.at > from && gap.at - *gap.ttl < to)
            gaps.push_back({ gap.at - *gap.ttl, gap.at });
    std::ranges::sort(gaps, {}, &CountCurve::Span::from);
    std::vector<CountCurve::Span> joined;
    for (const CountCurve::Span &gap : gaps) {
        if (!joined.empty() && gap.from <= joined.back().to)
            joined.back().to = std::max(joined.back().to, gap.to);
        else
            joined.push_back(gap);
    }
    return joined;
}

} // namespace

std::optional<WallTime> CountCurve::seenFrom() const
{
    return steps.empty() ? std::nullopt : std::optional(steps.front().from);
}

CountCurve countCurve(const EventStore &store, const LockState &lock, WallTime readAt, WallTime from, WallTime to)
{
    CountCurve curve;
    const std::string &node = firstNode(lock); // of independent servers each has a number of its own
    for (auto place = store.newestShownOf(lock.name); place && curve.steps.size() < MostCountSteps;
         place = store.beforeOfLock(*place)) {
        const EventStore::Record &record = store.record(*place);
        if (!record.hasCount || record.owner != TextTable::None || record.at > to)
            continue;
        if (!lock.members.empty() && store.event(*place).node != node)
            continue;
        curve.steps.push_back({ record.at, isGone(record.kind) ? std::nullopt : std::optional(record.count) });
        if (record.at <= from)
            break;
    }
    std::ranges::reverse(curve.steps);
    std::ranges::stable_sort(curve.steps, {}, &CountCurve::Step::from);
    const auto now = numberOf(lock);
    const bool isOlder = !curve.steps.empty() && readAt < curve.steps.back().from; // than that it went
    if (now && !isOlder && (curve.steps.empty() || curve.steps.back().value != now))
        curve.steps.push_back({ std::max(readAt, curve.steps.empty() ? readAt : curve.steps.back().from), now });
    curve.unseen = unseenOf(store, node, from, to);
    for (const CountCurve::Step &step : curve.steps) {
        curve.least = std::min(curve.least, step.value.value_or(0));
        curve.most = std::max(curve.most, step.value.value_or(0));
    }
    return curve;
}

} // namespace lockui
