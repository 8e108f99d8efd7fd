// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/permit_model.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/text/display_text.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

PermitModel::PermitModel(const ViewClock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_clock(clock)
{
}

void PermitModel::setLock(const LockTableModel::Lock &lock)
{
    const auto &permits = lock ? lock->permits : LockState().permits;
    std::vector<PermitReading> leases = permits ? permits->leases : std::vector<PermitReading>();
    if (leases == m_permits)
        return;
    beginResetModel();
    m_permits = std::move(leases);
    endResetModel();
}

WallTime PermitModel::now() const { return m_clock.wallAt(m_end.value_or(m_clock.now())); }

int PermitModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_permits.size());
}

int PermitModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString PermitModel::endText(const PermitReading &permit) const
{
    if (!permit.deadline)
        return tr("no lease");
    return leftText(*permit.deadline - now());
}

QVariant PermitModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PermitReading &permit = m_permits[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return index.column() == Id ? displayText(permit.id) : endText(permit);
    case Qt::ToolTipRole:
        return index.column() == EndsIn ? plainToolTip(
                   tr("By the clock of the client that took it; when it has run out, the next to come takes it back."))
                                        : QString();
    case MonoRole:
        return index.column() == Id;
    case ToneRole:
        return int(
            index.column() == EndsIn && permit.deadline && *permit.deadline < now() ? Tone::Warning : Tone::Normal);
    case BytesRole:
        return QByteArray::fromStdString(permit.id);
    default:
        return {};
    }
}

QVariant PermitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Id ? tr("Permit") : tr("Ends");
}

} // namespace lockui
