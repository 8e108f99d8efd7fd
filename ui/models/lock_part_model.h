// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_table_model.h"

namespace lockui {

class ClientNames;

/// A part of one lock as a table whose rows have places rather than identities: it grows and shrinks at the end.
class LockPartModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit LockPartModel(const ViewClock &clock, QObject *parent = nullptr);

    void setLock(LockTableModel::Lock lock); // null: none
    void setClientNames(const ClientNames *names); // shown beside the ids; null: none

    int rowCount(const QModelIndex &parent = {}) const override;

protected:
    virtual int rowsOf(const lockcore::LockState &lock) const = 0;

    const lockcore::LockState &lock() const { return *m_lock; } // only while there are rows
    const ViewClock &clock() const { return m_clock; }
    const ClientNames *names() const { return m_names; }

private:
    int countRows(const LockTableModel::Lock &lock) const { return lock ? rowsOf(*lock) : 0; }

    void changed();

    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    LockTableModel::Lock m_lock;
    int m_rows = 0;
};

} // namespace lockui
