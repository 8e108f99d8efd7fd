// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/waiter_model.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/text/client_names.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

void WaiterModel::setLocksHeld(LocksHeld held)
{
    if (held == m_held)
        return;
    m_held = std::move(held);
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, Note), index(rowCount() - 1, Note));
}

std::vector<OwnerId> WaiterModel::rowsOf(const LockState &lock) const
{
    std::vector<OwnerId> rows;
    for (const Waiter &waiter : lock.waiters)
        rows.push_back(waiter.owner);
    return rows;
}

int WaiterModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

bool WaiterModel::isOverdue(const Waiter &waiter) const
{
    return waiter.deadline && *waiter.deadline < clock().wallAt(seenUntil(now()));
}

QString WaiterModel::timeoutText(const Waiter &waiter) const
{
    if (!waiter.deadline)
        return tr("none");
    return leftText(*waiter.deadline - clock().wallAt(seenUntil(now())));
}

/// What matters most comes first: of a narrow column the end is cut.
QString WaiterModel::noteText(const Waiter &waiter, int place, bool isShort) const
{
    QStringList notes;
    if (isGhost(waiter))
        notes << (isShort ? tr("ghost?") : tr("ghost: client gone?"));
    if (place == 0) // whoever tries next drops a ghost whose time-out has passed
        notes << (isGhost(waiter) && isOverdue(waiter) ? tr("dropped next") : tr("next"));
    if (const auto held = m_held.find(waiter.owner); held != m_held.end()) {
        const QString first = displayText(held->second.front(), 60);
        const auto others = static_cast<qint64>(held->second.size()) - 1;
        notes << (others > 0 ? tr("also holds %1 and %2 more").arg(first, countText(others))
                             : tr("also holds %1").arg(first));
    }
    return notes.join(QStringLiteral(" · "));
}

QString WaiterModel::displayed(const Waiter &waiter, int place, int column) const
{
    switch (column) {
    case Position:
        return countText(place + 1);
    case Owner:
        return namedOwner(waiter.owner, names());
    case WaitingFor: {
        const MonoTime now = this->now();
        return sinceText(waiter.since, seenUntil(now), now);
    }
    case Timeout:
        return timeoutText(waiter);
    case Note:
        return noteText(waiter, place, false);
    default:
        return {};
    }
}

QString WaiterModel::toolTip(const Waiter &waiter, int column) const
{
    switch (column) {
    case Owner:
        return fullNamedOwner(waiter.owner, names());
    case Timeout:
        return waiter.deadline
            ? tr("%1 by the clock of the waiting clients; when it stands at the head then, the next to come drops it.")
                  .arg(clockText(*waiter.deadline, clock().wallAt(now())))
            : tr("In the queue without a timeout: it is never dropped.");
    case Note:
        return isGhost(waiter) ? tr("Nobody is subscribed to this waiter's own channel.") : QString();
    default:
        return {};
    }
}

Tone WaiterModel::tone(const Waiter &waiter, int column) const
{
    if (column == Note)
        return isGhost(waiter) ? Tone::Warning : Tone::Waiting;
    if (column == Timeout)
        return isOverdue(waiter) ? Tone::Warning : waiter.deadline ? Tone::Normal : Tone::Muted;
    return column == Position ? Tone::Muted : Tone::Normal;
}

QVariant WaiterModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Waiter &waiter = lock().waiters[placeOf(index)];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return displayed(waiter, static_cast<int>(placeOf(index)), index.column());
    case ShortTextRole:
        return index.column() == Note ? noteText(waiter, static_cast<int>(placeOf(index)), true) : QString();
    case Qt::ToolTipRole:
        return plainToolTip(toolTip(waiter, index.column()));
    case MonoRole:
        return index.column() == Owner;
    case ToneRole:
        return int(tone(waiter, index.column()));
    case ClientNameRole:
        return index.column() == Owner ? shownName(waiter.owner, names()) : QString();
    case CopyRole:
        return index.column() == Owner ? QVariant(displayText(toString(waiter.owner))) : QVariant();
    case BytesRole:
        return QByteArray::fromStdString(toString(waiter.owner));
    default:
        return {};
    }
}

QVariant WaiterModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Position:
        return QStringLiteral("#");
    case Owner:
        return tr("Waiter");
    case WaitingFor:
        return tr("Waiting");
    case Timeout:
        return tr("Timeout");
    case Note:
        return tr("Note");
    default:
        return {};
    }
}

} // namespace lockui
