// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_part_model.h"

#include "ui/support/client_names.h"

namespace lockui {

LockPartModel::LockPartModel(const ViewClock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_clock(clock)
{
}

void LockPartModel::setLock(LockTableModel::Lock lock)
{
    const int wanted = countRows(lock);
    if (wanted < m_rows) {
        beginRemoveRows({}, wanted, m_rows - 1);
        m_rows = wanted;
        endRemoveRows();
    }
    m_lock = std::move(lock);
    changed();
    if (wanted > m_rows) {
        beginInsertRows({}, m_rows, wanted - 1);
        m_rows = wanted;
        endInsertRows();
    }
}

void LockPartModel::setClientNames(const ClientNames *names)
{
    m_names = names;
    if (names != nullptr)
        connect(names, &ClientNames::changed, this, &LockPartModel::changed);
    changed();
}

void LockPartModel::changed()
{
    if (m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

int LockPartModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_rows; }

} // namespace lockui
