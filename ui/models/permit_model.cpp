// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/permit_model.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

bool endsBefore(const PermitReading &a, const PermitReading &b)
{
    const auto place = [](const PermitReading &permit) {
        return std::tuple(permit.deadline.value_or(WallTime::max()), std::string_view(permit.id));
    };
    return place(a) < place(b);
}

} // namespace

QString permitEndText(const PermitReading &permit, WallTime now)
{
    if (!permit.deadline)
        return PermitModel::tr("never");
    const auto left = std::chrono::duration_cast<Millis>(*permit.deadline - now);
    return left < Millis(0) ? leftText(left) : ttlText(left);
}

PermitModel::PermitModel(const ViewClock &clock, QObject *parent)
    : RowKeepingModel(parent)
    , m_clock(clock)
{
}

void PermitModel::setLock(const LockTableModel::Lock &lock)
{
    const auto &permits = lock ? lock->permits : LockState().permits;
    Permits leases = permits ? permits->leases : Permits();
    std::ranges::sort(leases, endsBefore);
    const LockName name = lock ? lock->name : LockName();
    const bool another = std::exchange(m_lock, name) != name;
    if (leases == m_permits)
        return;
    if (!another) // one whose lease was set anew is the same one at another place
        return replaceRows(
            m_permits, leases, [](const PermitReading &permit) { return permit.id; }, [] {});
    beginResetModel();
    m_permits = std::move(leases);
    endResetModel();
}

void PermitModel::setReturnable(bool isReturnable)
{
    if (std::exchange(m_isReturnable, isReturnable) != isReturnable && !m_permits.empty())
        Q_EMIT dataChanged(index(0, Return), index(rowCount() - 1, Return));
}

WallTime PermitModel::now() const
{
    const MonoTime now = m_end.value_or(m_clock.now());
    return m_clock.wallAt(std::min(now, m_seenUntil.value_or(now)));
}

int PermitModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_permits.size());
}

int PermitModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString PermitModel::displayed(const PermitReading &permit, int column) const
{
    switch (column) {
    case Id:
        return displayText(permit.id);
    case EndsIn:
        return permitEndText(permit, now());
    case Return:
        return tr("Return…");
    default:
        return {};
    }
}

Tone PermitModel::toneOf(const PermitReading &permit, int column) const
{
    return column == EndsIn && permit.deadline && *permit.deadline < now() ? Tone::Warning : Tone::Normal;
}

QVariant PermitModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const PermitReading &permit = permitAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(permit, index.column());
    case Qt::ToolTipRole:
        return index.column() == EndsIn ? plainToolTip(
                   tr("By the clock of the client that took it; when it has run out, the next to come takes it back."))
                                        : QString();
    case MonoRole:
        return index.column() == Id;
    case ToneRole:
        return int(toneOf(permit, index.column()));
    case BytesRole:
        return QByteArray::fromStdString(permit.id);
    case BadgeToneRole:
        return index.column() == Return && m_isReturnable ? QVariant(int(Tone::Normal)) : QVariant();
    case CopyRole:
        return index.column() == Return ? QVariant(QStringLiteral("")) : QVariant();
    default:
        return {};
    }
}

QVariant PermitModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Id:
        return tr("Permit");
    case EndsIn:
        return tr("Ends in");
    default:
        return {};
    }
}

} // namespace lockui
