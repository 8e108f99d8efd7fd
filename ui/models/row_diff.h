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
template <typename List, typename Less, typename Same>
RowDiff diffRows(const List &before, const List &after, Less less, Same same)
{
    RowDiff diff;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() || j < after.size()) {
        if (i < before.size() && j < after.size() && before[i] == after[j]) {
            ++i;
            ++j;
        } else if (j == after.size() || (i < before.size() && less(before[i], after[j]))) {
            detail::addRow(diff.removed, static_cast<int>(i++));
        } else if (i == before.size() || less(after[j], before[i])) {
            detail::addRow(diff.inserted, static_cast<int>(j++));
        } else {
            if (!same(before[i], after[j]))
                detail::addRow(diff.changed, static_cast<int>(j));
            ++i;
            ++j;
        }
    }
    return diff;
}

} // namespace lockui
