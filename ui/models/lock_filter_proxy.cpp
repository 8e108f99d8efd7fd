// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_filter_proxy.h"

#include "ui/support/view_clock.h"

namespace lockui {

LockFilterProxy::LockFilterProxy(LockTableModel &locks, const ViewClock &clock, QObject *parent)
    : QSortFilterProxyModel(parent)
    , m_locks(locks)
    , m_clock(clock)
{
    setDynamicSortFilter(false);
    setSourceModel(&locks);
    const auto outdate = [this] { m_outdated = true; };
    connect(&locks, &QAbstractItemModel::dataChanged, this, outdate);
    connect(&locks, &QAbstractItemModel::rowsInserted, this, outdate);
    connect(&locks, &QAbstractItemModel::modelReset, this, outdate);
}

void LockFilterProxy::setFilter(lockcore::LockFilter filter)
{
    m_filter = std::move(filter);
    invalidate();
}

void LockFilterProxy::refresh()
{
    if (!m_outdated && !m_filter.dependsOnTime())
        return;
    m_outdated = false;
    invalidate();
}

const LockTableModel::Lock &LockFilterProxy::lockAt(const QModelIndex &proxyIndex) const
{
    return m_locks.lockAt(mapToSource(proxyIndex).row());
}

QModelIndex LockFilterProxy::indexOf(const lockcore::LockName &name) const
{
    const int row = m_locks.rowOf(name);
    return row < 0 ? QModelIndex() : mapFromSource(m_locks.index(row, 0));
}

bool LockFilterProxy::filterAcceptsRow(int row, const QModelIndex &) const
{
    return m_filter.isEmpty() || m_filter.matches(*m_locks.lockAt(row), m_clock.now());
}

bool LockFilterProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const auto column = static_cast<LockTableModel::Column>(left.column());
    const auto &a = *m_locks.lockAt(left.row());
    const auto &b = *m_locks.lockAt(right.row());
    // What has no value comes last, whichever way it is sorted.
    if (const bool hasA = hasValue(a, column); hasA != hasValue(b, column))
        return hasA == (sortOrder() == Qt::AscendingOrder);
    const int order = compareLocks(a, b, column);
    if (order != 0)
        return order < 0;
    // Rows are in the order of names: keep it.
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

} // namespace lockui
