// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"
#include "ui/models/row_keeping_model.h"
#include "ui/support/theme.h"

namespace lockui {

/// The permits of a semaphore that expire, as Redis lists them: nothing there tells who has one. What is selected stays
/// selected while others come and go.
class PermitModel : public RowKeepingModel {
    Q_OBJECT
public:
    enum Column { Id, EndsIn, Return, ColumnCount };

    explicit PermitModel(const ViewClock &clock, QObject *parent = nullptr);

    void setLock(const LockTableModel::Lock &lock); // null: none
    void setEnd(std::optional<lockcore::MonoTime> end) { m_end = end; } // nothing counts on beyond it
    void setSeenUntil(std::optional<lockcore::MonoTime> moment) { m_seenUntil = moment; } // nothing is known of later
    void setReturnable(bool isReturnable); // whether a permit can be given back from here
    const lockcore::synchronizers::PermitReading &permitAt(int row) const
    {
        return m_permits[static_cast<std::size_t>(row)];
    }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Permits = std::vector<lockcore::synchronizers::PermitReading>;

    QString displayed(const lockcore::synchronizers::PermitReading &permit, int column) const;
    Tone toneOf(const lockcore::synchronizers::PermitReading &permit, int column) const;

    lockcore::WallTime now() const;

    const ViewClock &m_clock;
    std::optional<lockcore::MonoTime> m_end;
    std::optional<lockcore::MonoTime> m_seenUntil;
    lockcore::LockName m_lock;
    Permits m_permits; // as Redis lists them: those first that run out first
    bool m_isReturnable = false;
};

/// `in 4.1 s`, `overdue 17 s`, `never`
QString permitEndText(const lockcore::synchronizers::PermitReading &permit, lockcore::WallTime now);

} // namespace lockui
