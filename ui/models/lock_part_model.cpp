// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_part_model.h"

#include "ui/support/freshness.h"
#include "ui/text/client_names.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace lockui {

using namespace lockcore;

LockPartModel::LockPartModel(const ViewClock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_clock(clock)
{
}

void LockPartModel::setLock(LockTableModel::Lock lock)
{
    const Rows rows = identify(lock);
    if (!m_lock || !lock || m_lock->name != lock->name)
        return startAfresh(std::move(lock), rows);
    if (rows == m_rows) {
        m_lock = std::move(lock);
    } else {
        removeAllBut(rows);
        arrange(std::move(lock), rows);
        insertMissing(rows);
    }
    changed();
}

LockPartModel::Rows LockPartModel::identify(const LockTableModel::Lock &lock) const
{
    Rows rows;
    std::map<OwnerId, int> times;
    for (OwnerId &owner : lock ? rowsOf(*lock) : std::vector<OwnerId>()) {
        const int before = times[owner]++;
        rows.emplace_back(std::move(owner), before);
    }
    return rows;
}

void LockPartModel::startAfresh(LockTableModel::Lock lock, Rows rows)
{
    beginResetModel();
    m_lock = std::move(lock);
    m_rows = std::move(rows);
    m_places.resize(m_rows.size());
    std::iota(m_places.begin(), m_places.end(), std::size_t{ 0 });
    endResetModel();
}

void LockPartModel::removeAllBut(const Rows &rows)
{
    const std::set<Row> staying(rows.begin(), rows.end());
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (staying.contains(m_rows[static_cast<std::size_t>(row)]))
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        m_places.erase(m_places.begin() + row);
        endRemoveRows();
    }
}

/// What there is, in the order of `rows`.
void LockPartModel::arrange(LockTableModel::Lock lock, const Rows &rows)
{
    Q_EMIT layoutAboutToBeChanged();
    const Rows before = std::exchange(m_rows, {});
    const std::set<Row> known(before.begin(), before.end());
    m_places.clear();
    for (std::size_t place = 0; place < rows.size(); ++place) {
        if (!known.contains(rows[place]))
            continue;
        m_rows.push_back(rows[place]);
        m_places.push_back(place);
    }
    m_lock = std::move(lock);
    for (const QModelIndex &old : persistentIndexList()) {
        const Row &row = before[static_cast<std::size_t>(old.row())];
        const auto now = std::ranges::find(m_rows, row) - m_rows.begin();
        changePersistentIndex(old, index(static_cast<int>(now), old.column()));
    }
    Q_EMIT layoutChanged();
}

void LockPartModel::insertMissing(const Rows &rows)
{
    for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
        const auto place = static_cast<std::size_t>(row);
        if (place < m_rows.size() && m_rows[place] == rows[place])
            continue;
        beginInsertRows({}, row, row);
        m_rows.insert(m_rows.begin() + row, rows[place]);
        m_places.insert(m_places.begin() + row, place);
        endInsertRows();
    }
}

void LockPartModel::setEnd(std::optional<MonoTime> end)
{
    if (end == m_end)
        return;
    m_end = end;
    changed();
}

MonoTime LockPartModel::now() const { return m_end.value_or(m_clock.now()); }

void LockPartModel::setClientNames(const ClientNames *names)
{
    m_names = names;
    if (names != nullptr)
        connect(names, &ClientNames::changed, this, &LockPartModel::changed);
    changed();
}

void LockPartModel::changed()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int LockPartModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

} // namespace lockui
