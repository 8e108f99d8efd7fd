// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/contender_model.h"

#include "ui/models/contender_text.h"
#include "ui/models/roles.h"
#include "ui/text/display_text.h"

#include <algorithm>

namespace lockui {

using lab::ContenderState;

void ContenderModel::setGroup(const lab::GroupState &group, lockcore::MonoTime now, bool hasEnded)
{
    m_now = now;
    m_hasEnded = hasEnded;
    m_isFixedLease = group.settings.lease.has_value();
    m_areAllByHand = group.settings.byHand.has_value();
    m_mostAcquires = 0;
    for (const ContenderState &client : group.clients)
        m_mostAcquires = std::max(m_mostAcquires, client.acquires);
    for (int row = rowCount() - 1; row >= 0; --row) {
        if (std::ranges::find(group.clients, clientAt(row).name, &ContenderState::name) != group.clients.end())
            continue;
        beginRemoveRows({}, row, row);
        m_rows.erase(m_rows.begin() + row);
        endRemoveRows();
    }
    const auto before = rowCount();
    if (const auto added = static_cast<int>(group.clients.size()) - before; added > 0) {
        beginInsertRows({}, before, before + added - 1);
        m_rows = group.clients;
        endInsertRows();
    }
    m_rows = group.clients;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ContenderModel::rowOf(const std::string &client) const
{
    const auto row = std::ranges::find(m_rows, client, &ContenderState::name);
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

int ContenderModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ContenderModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ContenderModel::displayed(const ContenderState &row, int column) const
{
    switch (column) {
    case Client:
        return row.isByHand && !m_areAllByHand ? tr("%1 *").arg(displayText(row.name)) : displayText(row.name);
    case State:
        return m_hasEnded ? lastPhaseText(row, m_now) : phaseText(row, m_now);
    case Acquires:
        return countText(row.acquires);
    case LongWait:
        return microsText(row.longWait);
    default:
        return {};
    }
}

QString ContenderModel::explained(const ContenderState &row, int column) const
{
    switch (column) {
    case Client:
    case State:
        return phaseExplanation(row);
    case Acquires:
        return tr("%1 acquires since it began, for %2 in all\n%3 % of all acquires of the group in the last 10 s\n"
                  "%4 waits given up, %5 lost before the unlock, %6 crashes",
            nullptr, pluralOf(row.acquires))
            .arg(countText(row.acquires), durationText(std::chrono::duration_cast<lockcore::Millis>(row.held)))
            .arg(qRound(row.share * 100))
            .arg(countText(row.timeouts), countText(row.losses), countText(row.crashes));
    case LongWait:
        return tr("Of its waits in the last 10 s half took up to %1, 99 of 100 up to %2, by the clock of its process")
            .arg(microsText(row.halfWait), microsText(row.longWait));
    default:
        return {};
    }
}

QVariant ContenderModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const ContenderState &row = clientAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(row, index.column());
    case ShortTextRole:
        return index.column() == State && !m_hasEnded ? shortPhaseText(row, m_now) : QString();
    case Qt::ToolTipRole:
        return plainToolTip(explained(row, index.column()));
    case ShareRole:
        return index.column() == Acquires && m_mostAcquires > 0
            ? QVariant(static_cast<double>(row.acquires) / static_cast<double>(m_mostAcquires))
            : QVariant();
    case ToneRole:
        return int(index.column() == State ? phaseTone(row, m_isFixedLease) : Tone::Normal);
    case StrongRole:
        return index.column() == Client;
    default:
        return {};
    }
}

QVariant ContenderModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool isTitle = role == Qt::DisplayRole;
    switch (section) {
    case Client:
        return isTitle ? tr("Client") : plainToolTip(tr("Each is a process of its own"));
    case State:
        return isTitle ? tr("State") : QString();
    case Acquires:
        return isTitle ? tr("Acquires") : plainToolTip(tr("Since it began; the bar compares them within the group"));
    case LongWait:
        return isTitle ? tr("Wait p99") : plainToolTip(tr("99 of 100 waits of the last 10 s took up to so long"));
    default:
        return {};
    }
}

} // namespace lockui
