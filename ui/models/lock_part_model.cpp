// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_part_model.h"

#include "ui/support/freshness.h"
#include "ui/text/client_names.h"

#include <map>
#include <utility>

namespace lockui {

using namespace lockcore;

LockPartModel::LockPartModel(const ViewClock &clock, QObject *parent)
    : RowKeepingModel(parent)
    , m_clock(clock)
{
}

void LockPartModel::setLock(LockTableModel::Lock lock)
{
    Rows rows = identify(lock);
    if (!m_lock || !lock || m_lock->name != lock->name) {
        beginResetModel();
        m_lock = std::move(lock);
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    replaceRows(
        m_rows, rows, [](const Row &row) { return std::pair(row.owner, row.before); },
        [&] { m_lock = std::move(lock); });
}

LockPartModel::Rows LockPartModel::identify(const LockTableModel::Lock &lock) const
{
    Rows rows;
    std::map<OwnerId, int> times;
    for (OwnerId &owner : lock ? rowsOf(*lock) : std::vector<OwnerId>()) {
        const int before = times[owner]++;
        rows.push_back({ std::move(owner), before, rows.size() });
    }
    return rows;
}

void LockPartModel::setEnd(std::optional<MonoTime> end)
{
    if (end == m_end)
        return;
    m_end = end;
    changed();
}

MonoTime LockPartModel::now() const { return m_end.value_or(m_clock.now()); }

void LockPartModel::setSeenUntil(std::optional<MonoTime> moment)
{
    if (moment == m_seenUntil)
        return;
    m_seenUntil = moment;
    changed();
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
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int LockPartModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

} // namespace lockui
