// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/row_diff.h"

#include <QAbstractTableModel>

#include <algorithm>
#include <iterator>
#include <map>
#include <type_traits>
#include <vector>

namespace lockui {

/// A table whose rows are told apart by a key. When others take the place of those that it has, views keep their scroll
/// position and their selection, which a reset would take from them.
class RowKeepingModel : public QAbstractTableModel {
protected:
    using QAbstractTableModel::QAbstractTableModel;

    /// No key stands there twice. `switchOver` is called when the rows that stay have become those of `next`: what they
    /// refer to has to be that of then.
    template <typename Row, typename KeyOf, typename SwitchOver>
    void replaceRows(std::vector<Row> &rows, const std::vector<Row> &next, KeyOf keyOf, SwitchOver switchOver)
    {
        std::map<std::decay_t<std::invoke_result_t<KeyOf, const Row &>>, int> places;
        for (const Row &row : next)
            places.emplace(keyOf(row), static_cast<int>(places.size()));
        std::vector<int> gone;
        std::vector<int> staying; // where they come to, in `next`
        for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
            if (const auto place = places.find(keyOf(rows[static_cast<std::size_t>(row)])); place != places.end())
                staying.push_back(place->second);
            else
                gone.push_back(row);
        }
        takeOut(rows, rangesOf(gone));
        arrange(rows, next, staying, switchOver);
        std::ranges::sort(staying);
        std::vector<int> added;
        for (int row = 0; row < static_cast<int>(next.size()); ++row)
            if (!std::ranges::binary_search(staying, row))
                added.push_back(row);
        bringIn(rows, next, rangesOf(added));
        if (!rows.empty())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    }

private:
    template <typename Row>
    void takeOut(std::vector<Row> &rows, const std::vector<RowRange> &gone)
    {
        for (auto range = gone.rbegin(); range != gone.rend(); ++range) {
            beginRemoveRows({}, range->first, range->first + range->count - 1);
            const auto first = rows.begin() + range->first;
            rows.erase(first, first + range->count);
            endRemoveRows();
        }
    }

    template <typename Row, typename SwitchOver>
    void arrange(
        std::vector<Row> &rows, const std::vector<Row> &next, const std::vector<int> &staying, SwitchOver switchOver)
    {
        std::vector<int> order = staying;
        std::ranges::sort(order);
        const bool isMoved = order != staying;
        if (isMoved)
            Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
        rows.clear();
        for (const int place : order)
            rows.push_back(next[static_cast<std::size_t>(place)]);
        switchOver();
        if (!isMoved)
            return;
        for (const QModelIndex &old : persistentIndexList()) {
            const auto now = std::ranges::lower_bound(order, staying[static_cast<std::size_t>(old.row())]);
            changePersistentIndex(old, index(static_cast<int>(now - order.begin()), old.column()));
        }
        Q_EMIT layoutChanged({}, VerticalSortHint);
    }

    template <typename Row>
    void bringIn(std::vector<Row> &rows, const std::vector<Row> &next, const std::vector<RowRange> &added)
    {
        for (const RowRange &range : added) {
            beginInsertRows({}, range.first, range.first + range.count - 1);
            const auto first = next.begin() + range.first;
            rows.insert(rows.begin() + range.first, first, first + range.count);
            endInsertRows();
        }
    }
};

} // namespace lockui
