// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/contention_model.h"

#include "ui/models/roles.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

/// As short as the columns are.
QString timeText(Millis time) { return time < Millis(1) ? ContentionModel::tr("< 1 ms") : exactDurationText(time); }

QString meanText(Millis total, std::int64_t times)
{
    return times == 0 ? QStringLiteral("–") : timeText(total / times);
}

} // namespace

void ContentionModel::setRows(std::vector<LockStatistics> rows, const WaitedInAll &waited, const IsLost &isLost)
{
    const auto isBefore = [](const LockStatistics &a, const LockStatistics &b) {
        return a.blocked != b.blocked ? a.blocked > b.blocked : a.lock < b.lock;
    };
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), MostRows));
    std::ranges::partial_sort(rows, end, isBefore);
    rows.erase(end, rows.end());
    for (LockStatistics &row : rows)
        row.blocked = waited(row);
    std::ranges::sort(rows, isBefore);
    std::set<LockName> lost;
    for (const LockStatistics &row : rows)
        if (isLost(row.lock))
            lost.insert(row.lock);
    if (std::exchange(m_lost, lost) != lost || rows != m_rows)
        replaceRows(
            m_rows, rows, [](const LockStatistics &row) { return row.lock; }, [] {});
}

int ContentionModel::rowOf(const LockName &lock) const
{
    const auto row = std::ranges::find(m_rows, lock, &LockStatistics::lock);
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

int ContentionModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ContentionModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ContentionModel::displayed(const LockStatistics &row, int column) const
{
    switch (column) {
    case Lock:
        return lockNameText(row.lock);
    case Blocked:
        return QStringLiteral("≥ ")
            + exactDurationText(row.blocked); // who waited before is not in it, nor who is not seen
    case Taken:
        return countText(row.acquires);
    case WaitMean:
        return meanText(row.waitedTotal, row.waits);
    case WaitLongest:
        return row.waits == 0 ? QStringLiteral("–") : timeText(row.waitedLongest);
    case HeldMean:
        return meanText(row.heldTotal, row.holds);
    case HeldP99:
        return row.holds == 0 ? QStringLiteral("–") : timeText(row.heldP99);
    default:
        return {};
    }
}

QVariant ContentionModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LockStatistics &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(row, index.column());
    case MonoRole:
        return index.column() == Lock;
    case ShareRole:
        return index.column() == Blocked
            ? QVariant(double(row.blocked.count()) / double(m_rows.front().blocked.count()))
            : QVariant();
    case ToneRole:
        return int(Tone::Normal);
    case CopyRole:
        return index.column() == Lock ? QVariant(copyText(row.lock)) : QVariant();
    case StaleRole:
        return m_lost.contains(row.lock);
    case BytesRole:
        return QByteArray::fromStdString(row.lock);
    default:
        return {};
    }
}

QVariant ContentionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool title = role == Qt::DisplayRole;
    switch (section) {
    case Lock:
        return title ? tr("Lock") : QString();
    case Blocked:
        return title ? tr("Kept waiting")
                     : tr("What all were seen to wait in its queue, together; also behind a ghost of a free lock");
    case Taken:
        return title ? tr("Taken") : tr("How often it was acquired since the counting began");
    case WaitMean:
        return title ? tr("Wait mean") : tr("Of waits that were seen from beginning to end");
    case WaitLongest:
        return title ? tr("Longest") : tr("The longest of these waits");
    case HeldMean:
        return title ? tr("Hold mean") : tr("Of holds that were seen from beginning to end");
    case HeldP99:
        return title ? tr("p99") : tr("99 of 100 of its last holds ended within this time");
    default:
        return {};
    }
}

} // namespace lockui
