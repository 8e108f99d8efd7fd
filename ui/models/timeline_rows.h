// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/timeline.h"

#include <algorithm>
#include <ranges>

/// What all parts of the timeline do with rows.
namespace lockui {

/// Among those who told of a hold or wait: no server, but our own clients.
inline constexpr std::uint64_t OwnBit = std::uint64_t{ 1 } << 63U;

template <typename List>
auto ofOwner(List &list, std::uint32_t owner)
{
    return std::ranges::find(list, owner, &std::ranges::range_value_t<List>::owner);
}

inline TimelineSpan &openSpan(std::vector<TimelineRow> &rows, const TimelineLane::Under &under)
{
    return rows[under.row].spans.back();
}

/// What is open in the row ends.
inline void close(std::vector<TimelineRow> &rows, const TimelineLane::Under &under, lockcore::WallTime at,
    TimelineSpan::End end, bool inferred)
{
    TimelineSpan &span = openSpan(rows, under);
    span.to = std::max(span.from, at);
    span.end = end;
    span.endInferred = inferred;
    auto &depths = rows[under.row].depths;
    if (!depths.empty() && depths.back().to == TimelineSpan::Open)
        depths.back().to = std::max(depths.back().from, span.to);
}

} // namespace lockui
