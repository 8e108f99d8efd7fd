// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace lockui {

struct RowRange {
    int first = 0;
    int count = 0;

    bool operator==(const RowRange &) const = default;
};

/// What leads from one list to another, in runs of neighbouring rows. Remove from the last run to the first, then
/// insert from the first to the last: each run's rows are then right at its turn.
struct RowDiff {
    std::vector<RowRange> removed; // rows of the old list, ascending
    std::vector<RowRange> inserted; // rows of the new list, ascending
    std::vector<RowRange> changed; // rows of the new list, ascending
};

namespace detail {
inline void addRow(std::vector<RowRange> &ranges, int row)
{
    if (!ranges.empty() && ranges.back().first + ranges.back().count == row)
        ++ranges.back().count;
    else
        ranges.push_back({ row, 1 });
}
} // namespace detail

/// Rows in ascending order.
inline std::vector<RowRange> rangesOf(const std::vector<int> &rows)
{
    std::vector<RowRange> ranges;
    for (const int row : rows)
        detail::addRow(ranges, row);
    return ranges;
}

/// Rows that come to one place together.
struct Incoming {
    int place = 0; // in the list
    std::ptrdiff_t first = 0; // of those that come
    std::ptrdiff_t count = 0;
};

/// Of rows that come where they belong, given in order. From the last on, so that the places of the others stay right.
inline std::vector<Incoming> incoming(const std::vector<int> &places)
{
    std::vector<Incoming> runs;
    for (auto i = std::ssize(places) - 1; i >= 0; --i) {
        if (const int place = places[static_cast<std::size_t>(i)]; runs.empty() || runs.back().place != place)
            runs.push_back({ place, i, 1 });
        else
            runs.back() = { place, i, runs.back().count + 1 };
    }
    return runs;
}

/// Both lists are in the order of `less`, without equals. Rows that are equal by `==` are looked at no further: where
/// rows are pointers, that is nearly all of them, and what both lists share is not walked through. `same` tells whether
/// two others of the same place differ in nothing.
template <typename Before, typename After, typename Less, typename Same>
RowDiff diffRows(const Before &before, const After &after, Less less, Same same)
{
    RowDiff diff;
    const auto first = before.begin();
    const auto firstAfter = after.begin();
    auto old = first;
    auto next = firstAfter;
    int i = 0;
    int j = 0;
    const auto stepBoth = [&] {
        ++old, ++i;
        ++next, ++j;
    };
    while (old != before.end() || next != after.end()) {
        if constexpr (requires { skipShared(old, next); }) {
            if (skipShared(old, next)) {
                i = static_cast<int>(old - first);
                j = static_cast<int>(next - firstAfter);
                continue;
            }
        }
        if (old != before.end() && next != after.end() && *old == *next) {
            stepBoth();
        } else if (next == after.end() || (old != before.end() && less(*old, *next))) {
            detail::addRow(diff.removed, i);
            ++old, ++i;
        } else if (old == before.end() || less(*next, *old)) {
            detail::addRow(diff.inserted, j);
            ++next, ++j;
        } else {
            if (!same(*old, *next))
                detail::addRow(diff.changed, j);
            stepBoth();
        }
    }
    return diff;
}

/// Both are in the order of `isBefore`. Cost: a search for each of the few, and a copy.
template <typename Row, typename IsBefore>
std::vector<Row> joined(const std::vector<Row> &many, const std::vector<Row> &few, IsBefore isBefore)
{
    std::vector<Row> all;
    all.reserve(many.size() + few.size());
    auto next = many.begin();
    for (const Row &row : few) {
        const auto place
            = std::partition_point(next, many.end(), [&](const Row &other) { return isBefore(other, row); });
        all.insert(all.end(), next, place);
        all.push_back(row);
        next = place;
    }
    all.insert(all.end(), next, many.end());
    return all;
}

/// Of sorted lists: one is a copy of the other. Looks at their chunks, not at each of very many rows.
template <typename List>
bool isCopy(const List &a, const List &b)
{
    auto i = a.begin();
    auto j = b.begin();
    while (skipShared(i, j)) { }
    return i == a.end() && j == b.end();
}

} // namespace lockui
