// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"

#include <QAbstractTableModel>

namespace lockui {

/// The clients of one group of free play, in the order in which they came.
class ContenderModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Client, State, Acquires, LongWait, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setGroup(const lab::GroupState &group, lockcore::MonoTime now, bool hasEnded = false);

    const lab::ContenderState &clientAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    int rowOf(const std::string &client) const; // -1: it is gone

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString displayed(const lab::ContenderState &row, int column) const;
    QString explained(const lab::ContenderState &row, int column) const;

    std::vector<lab::ContenderState> m_rows;
    lockcore::MonoTime m_now{};
    bool m_hasEnded = false; // `m_now` is as it did
    bool m_isFixedLease = false;
    bool m_areAllByHand = false;
    std::int64_t m_mostAcquires = 0; // of one client
};

} // namespace lockui
