// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/play_record.h"

#include <QAbstractTableModel>

namespace lockui {

/// The steps of a scenario: what is expected of each, and, as far as it was played, what was seen.
class StepTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { At, Who, Does, Expected, Seen, Mark, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// Of a play that goes on: it is looked at again at stepChanged(). Outlives what is shown, or is taken away before.
    void setRecord(const lab::PlayRecord *record);
    void stepChanged(std::size_t step);
    const lab::PlayRecord *record() const { return m_record; } // null: none is shown

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// All that is to be said of a step: its note, what is expected and what was seen, and what differs.
    QString detailOf(std::size_t step) const;

private:
    QString textOf(std::size_t step, int column) const;
    QString seenOf(std::size_t step) const;
    QString atText(std::size_t step) const;
    int toneOf(std::size_t step, int column) const;

    const lab::PlayRecord *m_record = nullptr;
};

} // namespace lockui
