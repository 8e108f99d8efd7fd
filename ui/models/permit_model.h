// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"

namespace lockui {

/// The permits of a semaphore that expire, as Redis lists them: nothing there tells who has one.
class PermitModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Id, EndsIn, ColumnCount };

    explicit PermitModel(const ViewClock &clock, QObject *parent = nullptr);

    void setLock(const LockTableModel::Lock &lock); // null: none
    void setEnd(std::optional<lockcore::MonoTime> end) { m_end = end; } // nothing counts on beyond it

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString endText(const lockcore::synchronizers::PermitReading &permit) const;

    lockcore::WallTime now() const;

    const ViewClock &m_clock;
    std::optional<lockcore::MonoTime> m_end;
    std::vector<lockcore::synchronizers::PermitReading> m_permits;
};

} // namespace lockui
