// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/chain_table_model.h"

#include "ui/models/roles.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

ChainTableModel::ChainTableModel(const ChainText &text, QObject *parent)
    : QAbstractTableModel(parent)
    , m_text(text)
{
}

/// Rows are few, and say something else with nearly every snapshot: they are taken as new, and only their number
/// changes for the view. Which of them is chosen is told by the lock.
void ChainTableModel::setChains(const Chains &chains, std::shared_ptr<const Analysis> analysis)
{
    const int before = rowCount();
    const int after = static_cast<int>(chains->chains.size());
    std::vector<std::size_t> rows = newOrder(*chains);
    if (after > before)
        beginInsertRows({}, before, after - 1);
    else if (after < before)
        beginRemoveRows({}, after, before - 1);
    m_chains = chains;
    m_analysis = std::move(analysis);
    m_rows = std::move(rows);
    if (after > before)
        endInsertRows();
    else if (after < before)
        endRemoveRows();
    if (after > 0)
        Q_EMIT dataChanged(index(0, 0), index(after - 1, ColumnCount - 1));
}

std::vector<std::size_t> ChainTableModel::newOrder(const WaitChains &chains) const
{
    std::vector<std::size_t> order(chains.chains.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (!m_held)
        return order;
    std::map<LockName, std::size_t> before;
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        before.emplace(m_chains->chains[m_rows[row]].mainLock, row);
    std::ranges::stable_sort(order, {}, [&](std::size_t chain) {
        const auto row = before.find(chains.chains[chain].mainLock);
        return row == before.end() ? m_rows.size() : row->second;
    });
    return order;
}

void ChainTableModel::holdRows(bool hold) { m_held = hold; }

void ChainTableModel::setActionsAllowed(bool allowed)
{
    if (std::exchange(m_actionsAllowed, allowed) != allowed && rowCount() > 0)
        Q_EMIT dataChanged(index(0, Action), index(rowCount() - 1, Action));
}

void ChainTableModel::namesChanged()
{
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int ChainTableModel::rowOf(const LockName &lock) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (const auto &locks = chainAt(row).locks; std::ranges::find(locks, lock) != locks.end())
            return row;
    return -1;
}

int ChainTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ChainTableModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ChainTableModel::displayed(const WaitChain &chain, int column) const
{
    switch (column) {
    case Locks:
        return m_text.locks(chain);
    case Head:
        return m_text.head(chain);
    case Blocked:
        return m_text.blocked(chain);
    case Lost:
        return m_text.lost(chain);
    case Ends:
        return m_text.ends(chain);
    case Action:
        return chain.isDeadlock() ? tr("Break it…") : tr("Show the lock");
    default:
        return {};
    }
}

QVariant ChainTableModel::whole(const WaitChain &chain, int column)
{
    switch (column) {
    case Locks:
        return QString::fromStdString(
            lockList(chain, [](const LockName &lock) { return copyText(lock).toStdString(); }));
    case Head: {
        const QString head = ChainText::wholeHead(chain);
        return head.isEmpty() || chain.isDeadlock() ? QVariant() : head;
    }
    case Action: // the words of a button
        return QString();
    default:
        return {};
    }
}

QString ChainTableModel::toolTip(const WaitChain &chain, int column) const
{
    switch (column) {
    case Locks: {
        QStringList names;
        for (const LockName &lock : chain.locks)
            names << lockNameText(lock);
        return names.join(u'\n');
    }
    case Head: {
        QStringList lines;
        for (const ChainNode &node : chain.nodes)
            if (node.isHead)
                lines << m_text.nodeTitle(node);
        return lines.join(u'\n');
    }
    case Blocked:
        return chain.mayBeElsewhere ? waitingElsewhereText()
            : chain.mayBeGhosts     ? ChainText::mayBeGhostsText()
            : chain.isBlockedAtLeast
            ? tr("Client instances are counted; several threads of each may wait. Redis does not store which.")
            : QString();
    case Lost:
        return m_text.lostExplanation(chain, m_analysis.get());
    case Ends:
        return chain.isDeadlock() ? m_text.cycleTitle(chain) : m_text.ends(chain);
    default:
        return {};
    }
}

Tone ChainTableModel::tone(const WaitChain &chain, int column) const
{
    switch (column) {
    case Head:
    case Ends:
        return chain.isDeadlock() ? Tone::Danger : column == Ends ? Tone::Muted : Tone::Normal;
    case Blocked:
        return Tone::Waiting;
    case Lost:
        return chain.lost.waits == 0 ? Tone::Muted : Tone::Normal;
    default:
        return Tone::Normal;
    }
}

QVariant ChainTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const WaitChain &chain = chainAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(chain, index.column());
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(chain, index.column()));
    case StaleRole:
        return chain.lostSince.has_value();
    case MonoRole:
        return index.column() == Locks || (index.column() == Head && ChainText::namesHead(chain));
    case ToneRole:
        return int(tone(chain, index.column()));
    case BadgeToneRole:
        return index.column() != Action ? QVariant()
                                        : int(chain.isDeadlock() && m_actionsAllowed ? Tone::Danger : Tone::Accent);
    case CopyRole:
        return whole(chain, index.column());
    default:
        return {};
    }
}

QVariant ChainTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Locks:
        return tr("Chain, most time lost first");
    case Head:
        return tr("Head");
    case Blocked:
        return tr("Blocked");
    case Lost:
        return tr("Time lost");
    case Ends:
        return tr("Ends");
    case Action:
        return tr("What to do");
    default:
        return {};
    }
}

} // namespace lockui
