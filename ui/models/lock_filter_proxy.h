// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "ui/models/lock_table_model.h"

#include <QSortFilterProxyModel>

namespace lockui {

/// The locks that match, sorted by raw values. Sorted again only when told to: rows must not jump with every change.
class LockFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    LockFilterProxy(LockTableModel &locks, const ViewClock &clock, QObject *parent = nullptr);

    void setFilter(lockcore::LockFilter filter);
    const lockcore::LockFilter &filter() const { return m_filter; }
    void refresh(); // filters and sorts again, if anything may have changed

    const LockTableModel::Lock &lockAt(const QModelIndex &proxyIndex) const;
    QModelIndex indexOf(const lockcore::LockName &name) const; // invalid: none, or filtered out

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    LockTableModel &m_locks;
    const ViewClock &m_clock;
    lockcore::LockFilter m_filter;
    bool m_outdated = false;
};

} // namespace lockui
