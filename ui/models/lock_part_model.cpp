// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_part_model.h"

namespace lockui {

LockPartModel::LockPartModel(const ViewClock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_clock(clock)
{
}

void LockPartModel::setLock(LockTableModel::Lock lock)
{
    const int before = countRows(m_lock);
    const int after = countRows(lock);
    if (after > before)
        beginInsertRows({}, before, after - 1);
    else if (after < before)
        beginRemoveRows({}, after, before - 1);
    m_lock = std::move(lock);
    if (after > before)
        endInsertRows();
    else if (after < before)
        endRemoveRows();
    if (const int kept = std::min(before, after); kept > 0)
        Q_EMIT dataChanged(index(0, 0), index(kept - 1, columnCount() - 1));
}

int LockPartModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : countRows(m_lock); }

} // namespace lockui
