// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"
#include "ui/models/row_keeping_model.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace lockui {

class ClientNames;

/// A part of one lock as a table. What is selected in it stays selected wherever it moves to, or is gone.
class LockPartModel : public RowKeepingModel {
    Q_OBJECT
public:
    explicit LockPartModel(const ViewClock &clock, QObject *parent = nullptr);

    void setLock(LockTableModel::Lock lock); // null: none
    void setEnd(std::optional<lockcore::MonoTime> end); // nothing counts on beyond it; absent: it goes on
    void setSeenUntil(std::optional<lockcore::MonoTime> moment); // nothing is known of later; absent: it is seen
    void setClientNames(const ClientNames *names); // shown beside the ids; null: none

    int rowCount(const QModelIndex &parent = {}) const override;

protected:
    /// Who stands in each row.
    virtual std::vector<lockcore::OwnerId> rowsOf(const lockcore::monitor::LockState &lock) const = 0;

    const lockcore::monitor::LockState &lock() const { return *m_lock; } // only while there are rows
    std::size_t placeOf(const QModelIndex &index) const { return m_rows[static_cast<std::size_t>(index.row())].place; }
    const ViewClock &clock() const { return m_clock; }
    lockcore::MonoTime now() const;
    lockcore::MonoTime seenUntil(lockcore::MonoTime now) const { return std::min(now, m_seenUntil.value_or(now)); }
    bool hasEnd() const { return m_end.has_value(); }
    const ClientNames *names() const { return m_names; }

private:
    struct Row {
        lockcore::OwnerId owner;
        int before = 0; // as often he stands there already
        std::size_t place = 0; // in the lock
    };
    using Rows = std::vector<Row>;

    Rows identify(const LockTableModel::Lock &lock) const;
    void changed();

    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    LockTableModel::Lock m_lock;
    std::optional<lockcore::MonoTime> m_end;
    std::optional<lockcore::MonoTime> m_seenUntil;
    Rows m_rows;
};

} // namespace lockui
