// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_part_model.h"

namespace lockui {

/// Who holds one lock.
class HolderModel : public LockPartModel {
    Q_OBJECT
public:
    enum Column { Owner, Holds, Mode, HeldFor, Ttl, ColumnCount };

    using LockPartModel::LockPartModel;

    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    std::vector<lockcore::OwnerId> rowsOf(const lockcore::monitor::LockState &lock) const override;

private:
    QString ownerText(const lockcore::OwnerId &owner) const;
    QString displayed(const lockcore::monitor::Holder &holder, int column) const;
    QString heldFor(const lockcore::monitor::Holder &holder) const;
    QString toolTip(const lockcore::monitor::Holder &holder, int column) const;
    QVariant ttlData(const lockcore::monitor::Holder &holder, int role) const;
};

} // namespace lockui
