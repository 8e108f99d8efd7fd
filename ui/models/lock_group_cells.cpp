// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_group_model.h"

#include "ui/models/roles.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>

/// What the rows of groups say.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr qsizetype LongestId = 60;

} // namespace

QVariant LockGroupModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const LockGroup &group = *m_rows.at(index.row());
    if (index.row() == group.row)
        return titleData(group, index.column(), role);
    const Lock lock = lockAt(index);
    if (role == IndentRole)
        return index.column() == LockTableModel::Name ? QVariant(1) : QVariant();
    if (index.column() == LockTableModel::HolderColumn && m_grouping == Grouping::Client)
        if (QVariant shared = sharedHolder(group, lock, role); shared.isValid())
            return shared;
    return m_locks.data(*lock, static_cast<LockTableModel::Column>(index.column()), role);
}

/// Of several holders the one whose group it is, and that there are others.
QVariant LockGroupModel::sharedHolder(const LockGroup &group, const Lock &lock, int role) const
{
    if ((role != Qt::DisplayRole && role != Qt::AccessibleTextRole) || group.key.isRest)
        return {};
    const auto holders = holdersNow(*lock);
    if (holders.size() < 2)
        return {};
    const auto own = std::ranges::find(holders, group.key.text, [](const Holder *each) { return each->owner.client; });
    if (own == holders.end())
        return {};
    return tr("%1 and %n others", nullptr, pluralOf(std::ssize(holders) - 1)).arg(shortOwner((*own)->owner));
}

QStringList LockGroupModel::titleOf(const LockGroup &group) const
{
    const bool byClient = m_grouping == Grouping::Client;
    QString title;
    QString id;
    if (group.key.isRest) {
        title = byClient ? tr("without a holder") : tr("without a prefix");
    } else if (!byClient) {
        title = displayText(group.key.text, LongestId);
    } else if (group.name.isEmpty()) {
        title = displayText(group.key.text, LongestId);
    } else {
        title = displayText(toBytes(group.name), LongestId);
        id = displayText(group.key.text, LongestId);
    }
    QString counts = countsText(group.counts, byClient, { m_locks.areAllKnown(), m_locks.sharesChannels() });
    if (!m_shown.filter().isEmpty())
        counts.prepend(tr("shown: "));
    if (const auto waits = m_waits.find(group.key.text); byClient && !group.key.isRest && waits != m_waits.end())
        counts += QStringLiteral(" · ")
            + tr("waits for %1", nullptr, pluralOf(waits->second))
                  .arg(seenCountText(waits->second, m_locks.areAllKnown()));
    return { title, id, counts, needyText(group.counts) };
}

QVariant LockGroupModel::titleData(const LockGroup &group, int column, int role) const
{
    switch (role) {
    case GroupRole:
        return titleOf(group);
    case FoldRole:
        return int(group.folded ? Fold::Closed : Fold::Open);
    case MonoRole: // the id or the prefix is bytes from Redis
        return !group.key.isRest && group.name.isEmpty();
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: {
        if (column != LockTableModel::Name)
            return QString();
        QStringList parts = titleOf(group);
        parts.removeAll(QString());
        const QString text = parts.join(QStringLiteral(" · "));
        return role == Qt::DisplayRole ? text
            : group.folded             ? tr("Group, folded: %1").arg(text)
                                       : tr("Group: %1").arg(text);
    }
    case CopyRole:
        return column == LockTableModel::Name && !group.key.isRest ? QVariant(copyText(group.key.text)) : QVariant();
    case Qt::ToolTipRole:
        if (group.key.isRest)
            return plainToolTip(m_grouping == Grouping::Client
                    ? tr("Nobody holds these as a whole: they are free, or are counted, as semaphores and latches are.")
                    : tr("Their names have none of the separators : / ."));
        return plainToolTip(displayText(group.key.text));
    default:
        return {};
    }
}

QVariant LockGroupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_locks.headerData(section, orientation, role);
}

} // namespace lockui
