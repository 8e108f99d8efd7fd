// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>

class QModelIndex;
class QPainter;
class QPoint;
class QTableView;

namespace lockui {

struct RowStyle;

/// The part in `cell` of a row that stands for a group: its title goes over all columns. Needs GroupRole and FoldRole.
void paintGroupCell(QPainter &painter, const QRect &cell, const QTableView &table, const QModelIndex &index,
    const RowStyle &style, bool isStale);

/// Whether a click there folds the group.
bool isOnFoldSign(const QTableView &table, const QPoint &place);

/// How far rows stand to the right of the title of their group, a step.
constexpr int GroupIndent = 20;

} // namespace lockui
