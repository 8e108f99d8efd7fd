// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_part_model.h"
#include "ui/support/theme.h"

#include <map>

namespace lockui {

/// Names of the locks that an owner holds.
using LocksHeld = std::map<lockcore::OwnerId, std::vector<lockcore::LockName>>;

/// The queue of one fair lock, in Redis' order.
class WaiterModel : public LockPartModel {
    Q_OBJECT
public:
    enum Column { Position, Owner, WaitingFor, Timeout, Note, ColumnCount };

    using LockPartModel::LockPartModel;

    void setLocksHeld(LocksHeld held); // by the waiters: hints at deadlocks

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    std::vector<lockcore::OwnerId> rowsOf(const lockcore::monitor::LockState &lock) const override;

private:
    QString timeoutText(const lockcore::monitor::Waiter &waiter) const;
    QString noteText(const lockcore::monitor::Waiter &waiter, int place, bool isShort) const;
    QString displayed(const lockcore::monitor::Waiter &waiter, int place, int column) const;
    QString toolTip(const lockcore::monitor::Waiter &waiter, int column) const;
    Tone tone(const lockcore::monitor::Waiter &waiter, int column) const;
    bool isOverdue(const lockcore::monitor::Waiter &waiter) const;

    LocksHeld m_held;
};

} // namespace lockui
