// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Both lists are in the order of `less`, without equals. Rows that are equal by `==` are looked at no further: where
/// rows are pointers, that is nearly all of them. `same` tells whether two others of the same place differ in nothing.
template <typename Before, typename After, typename Less, typename Same>
RowDiff diffRows(const Before &before, const After &after, Less less, Same same)
{
    RowDiff diff;
    auto old = before.begin();
    auto next = after.begin();
    int i = 0;
    int j = 0;
    const auto stepBoth = [&] {
        ++old, ++i;
        ++next, ++j;
    };
    while (old != before.end() || next != after.end()) {
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
