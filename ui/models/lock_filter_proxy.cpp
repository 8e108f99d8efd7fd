// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_filter_proxy.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <utility>

namespace lockui {

using lockcore::MonoTime;

LockFilterProxy::LockFilterProxy(LockTableModel &locks, const ViewClock &clock, QObject *parent)
    : QSortFilterProxyModel(parent)
    , m_locks(locks)
    , m_clock(clock)
{
    follow(locks); // before the base does: it asks for what is kept here
    judgeAll();
    setSourceModel(&locks);
}

void LockFilterProxy::follow(LockTableModel &locks)
{
    connect(&locks, &QAbstractItemModel::dataChanged, this,
        [this](const QModelIndex &first, const QModelIndex &last) { judgeChanged(first.row(), last.row()); });
    connect(&locks, &QAbstractItemModel::modelReset, this, &LockFilterProxy::judgeAfterReset);
    connect(&locks, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex &, int first, int last) {
        std::vector<Judged> added;
        for (int row = first; row <= last; ++row)
            added.push_back(judgeNew(m_locks.lockAt(row)));
        m_judged.insert(m_judged.begin() + first, added.begin(), added.end());
    });
    connect(&locks, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex &, int first, int last) {
        m_judged.erase(m_judged.begin() + first, m_judged.begin() + last + 1);
    });
}

void LockFilterProxy::judgeAll()
{
    m_judged.clear();
    m_judged.reserve(m_locks.locks().size());
    for (const LockTableModel::Lock &lock : m_locks.locks())
        m_judged.push_back(judge(lock));
    m_outdated = false;
}

/// Most changes leave a row where it is: those are no reason to sort very many rows.
void LockFilterProxy::judgeChanged(int first, int last)
{
    for (int row = first; row <= last && !m_outdated; ++row) {
        Judged &before = m_judged[static_cast<std::size_t>(row)];
        Judged now = judge(m_locks.lockAt(row));
        const bool sameOwner = m_column != LockTableModel::HolderColumn || !now.key.hasValue || !before.key.hasValue
            || now.lock->holders.front().owner == before.lock->holders.front().owner;
        m_outdated = now.key != before.key || !sameOwner || matches(now) != matches(before);
        if (m_outdated)
            return;
        now.late = before.late;
        now.isGone = before.isGone; // its place is that of the last sorting
        before = std::move(now);
    }
}

bool LockFilterProxy::matches(const Judged &judged) const
{
    return m_filter.isEmpty() || m_filter.matches(*judged.lock, judged.at);
}

bool LockFilterProxy::matchesNow(const LockTableModel::Lock &lock) const
{
    return m_filter.isEmpty() || m_filter.matches(*lock, m_clock.now());
}

bool LockFilterProxy::isLeftover(const QModelIndex &index) const
{
    return m_held && index.isValid() && !matchesNow(lockAt(index));
}

/// No row moves for one that comes last.
void LockFilterProxy::showWhatMatchesNow()
{
    bool isAnyNew = false;
    for (Judged &each : m_judged) {
        const LockTableModel::Lock &lock = m_locks.lockAt(static_cast<int>(&each - m_judged.data()));
        if (matches(each) || m_locks.isGone(lock->name) || !matchesNow(lock))
            continue;
        each = judgeNew(lock);
        isAnyNew = true;
    }
    if (isAnyNew)
        invalidateFilter();
}

void LockFilterProxy::judgeAfterReset()
{
    if (!m_held)
        return judgeAll();
    const std::vector<Judged> before = std::exchange(m_judged, {});
    auto old = before.begin();
    for (const LockTableModel::Lock &lock : m_locks.locks()) {
        while (old != before.end() && old->lock->name < lock->name)
            ++old;
        m_judged.push_back(old != before.end() && old->lock->name == lock->name ? *old : judgeNew(lock));
    }
}

LockFilterProxy::Judged LockFilterProxy::judge(const LockTableModel::Lock &lock) const
{
    return { lock, m_clock.now(), sortKeyOf(*lock, m_column), 0, m_locks.isGone(lock->name) };
}

LockFilterProxy::Judged LockFilterProxy::judgeNew(const LockTableModel::Lock &lock)
{
    Judged judged = judge(lock);
    judged.late = m_held ? ++m_late : 0;
    return judged;
}

void LockFilterProxy::holdOrder(bool hold)
{
    if (hold == m_held)
        return;
    m_held = hold;
    if (m_late > 0)
        m_outdated = true;
    m_late = 0;
    if (!hold)
        refresh();
}

void LockFilterProxy::setFilter(lockcore::monitor::LockFilter filter)
{
    m_filter = std::move(filter);
    judgeAll();
    invalidate();
}

void LockFilterProxy::sortChanged()
{
    if (!m_outdated)
        return;
    if (m_held)
        return showWhatMatchesNow();
    judgeAll();
    invalidate();
}

void LockFilterProxy::refresh()
{
    m_outdated = m_outdated || m_filter.dependsOnTime();
    sortChanged();
}

void LockFilterProxy::sort(int column, Qt::SortOrder order)
{
    const bool filters = m_outdated || m_filter.dependsOnTime();
    m_column = static_cast<LockTableModel::Column>(std::max(0, column));
    judgeAll();
    QSortFilterProxyModel::sort(column, order);
    if (filters)
        invalidate();
}

QVariant LockFilterProxy::data(const QModelIndex &index, int role) const
{
    if (role == StaleRole && isLeftover(index))
        return true;
    if (role == Qt::ToolTipRole && isLeftover(index))
        return plainToolTip(
            displayText(lockAt(index)->name) + QLatin1Char('\n') + tr("It no longer matches the filter."));
    return QSortFilterProxyModel::data(index, role);
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

bool LockFilterProxy::filterAcceptsRow(int row, const QModelIndex &) const { return matches(judged(row)); }

bool LockFilterProxy::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const Judged &a = judged(left.row());
    const Judged &b = judged(right.row());
    if (a.late != b.late)
        return (a.late < b.late) == (sortOrder() == Qt::AscendingOrder);
    if (a.isGone != b.isGone) // below all that is there
        return b.isGone == (sortOrder() == Qt::AscendingOrder);
    // What has no value comes last, whichever way it is sorted.
    if (a.key.hasValue != b.key.hasValue)
        return a.key.hasValue == (sortOrder() == Qt::AscendingOrder);
    if (a.key.number != b.key.number)
        return a.key.number < b.key.number;
    if (m_column == LockTableModel::HolderColumn && a.key.hasValue) {
        const auto order = a.lock->holders.front().owner <=> b.lock->holders.front().owner;
        if (order != 0)
            return order < 0;
    }
    // Rows are in the order of names. Where names only tell equals apart they go forwards, whichever way it is sorted.
    return m_column == LockTableModel::Name || sortOrder() == Qt::AscendingOrder ? left.row() < right.row()
                                                                                 : left.row() > right.row();
}

} // namespace lockui
