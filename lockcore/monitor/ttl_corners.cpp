// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/ttl_corners.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lockcore::monitor {

namespace {

/// Where it was seen last before a gap: what it did in the gap is not drawn.
TtlCorner lostAfter(const TtlCorner &last, std::optional<MonoTime> end, const Look &look)
{
    const MonoTime lost = std::clamp(look.unseenSince, last.at, std::max(last.at, look.at));
    return { lost, end ? leftAt(*end, lost) : Millis{ 0 }, TtlCorner::NotSeen, false };
}

TtlCorner cornerAt(const Look &look, std::optional<MonoTime> endBefore, const LockState &next, bool wasRenewed)
{
    const Millis after = ttlAt(next, look.at).value_or(Millis{ 0 });
    const auto left = endBefore ? leftAt(*endBefore, look.at) : Millis{ 0 };
    const bool ranOut = endBefore && left == Millis{ 0 } && !next.expiresAt;
    return { ranOut ? *endBefore : look.at, left, after, wasRenewed };
}

} // namespace

void drawCorner(const LockRecord &record, LockState &next, const Look &look, bool wasRenewed)
{
    const LockState *known = record.state.get();
    const std::optional<MonoTime> before = known ? known->expiresAt : std::nullopt;
    if (before == next.expiresAt && !next.ttlHistory.empty())
        return;
    auto corners = known ? ttlHistoryOf(*known) : std::vector<TtlCorner>();
    if (before != next.expiresAt) {
        if (record.blind && !corners.empty())
            corners.push_back(lostAfter(corners.back(), before, look));
        // After a gap it is not known when it came to that.
        corners.push_back(record.blind
                ? TtlCorner{ look.at, Millis{ 0 }, ttlAt(next, look.at).value_or(Millis{ 0 }), false }
                : cornerAt(look, before, next, wasRenewed));
        if (corners.size() > look.historyLimit)
            corners.erase(corners.begin(), corners.end() - static_cast<std::ptrdiff_t>(look.historyLimit));
    }
    // The beginning of the hold is all that most have, and it follows from the rest.
    next.ttlHistory.clear();
    if (ttlHistoryOf(next) != corners)
        next.ttlHistory = std::vector(corners.begin(), corners.end()); // no more than it takes
}

} // namespace lockcore::monitor
