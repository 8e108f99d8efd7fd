// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "ui/models/lock_table_model.h"

#include <QSortFilterProxyModel>

namespace lockui {

/// The locks that match, sorted by raw values. Rows must not jump with every change: each is judged by the state in
/// which it was last looked at, which is now for a new one, so that it comes where it belongs. While the order is held,
/// new ones come last, and those that no longer match stay and look stale.
class LockFilterProxy : public QSortFilterProxyModel {
    Q_OBJECT
public:
    LockFilterProxy(LockTableModel &locks, const ViewClock &clock, QObject *parent = nullptr);

    void setFilter(lockcore::monitor::LockFilter filter);
    const lockcore::monitor::LockFilter &filter() const { return m_filter; }
    void holdOrder(bool hold);
    void sortChanged(); // filters and sorts again, if a lock changed in a way that matters
    void refresh(); // the same, also if only time has passed and the filter depends on it
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    const LockTableModel::Lock &lockAt(const QModelIndex &proxyIndex) const;
    QModelIndex indexOf(const lockcore::LockName &name) const; // invalid: none, or filtered out

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;
    bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    struct Judged {
        LockTableModel::Lock lock;
        lockcore::MonoTime at;
        SortKey key; // for m_column
        std::uint64_t late = 0; // came while the order was held: as the how manieth
        bool isGone = false;
    };

    void follow(LockTableModel &locks);
    void judgeAll();
    void judgeAfterReset();
    void judgeChanged(int first, int last);
    void showWhatMatchesNow();
    bool matches(const Judged &judged) const;
    bool matchesNow(const LockTableModel::Lock &lock) const;
    bool isLeftover(const QModelIndex &index) const; // it matched when the order began to be held
    Judged judge(const LockTableModel::Lock &lock) const;
    Judged judgeNew(const LockTableModel::Lock &lock);
    const Judged &judged(int row) const { return m_judged[static_cast<std::size_t>(row)]; }

    LockTableModel &m_locks;
    const ViewClock &m_clock;
    lockcore::monitor::LockFilter m_filter;
    LockTableModel::Column m_column = LockTableModel::Name; // that is sorted by
    std::vector<Judged> m_judged; // one of each row of the source
    bool m_outdated = false;
    bool m_held = false;
    std::uint64_t m_late = 0;
};

} // namespace lockui
