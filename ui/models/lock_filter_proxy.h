// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "ui/models/lock_table_model.h"

#include <unordered_map>
#include <unordered_set>

namespace lockui {

/// The locks that match, sorted by raw values. Rows must not jump with every change: each is judged by the state in
/// which it was last looked at, which is now for a new one, so that it comes where it belongs. While the order is held,
/// new ones come last, and those that no longer match stay and look stale.
///
/// Not a QSortFilterProxyModel: that looks at every row for each one that comes, goes or is to be moved. Here rows are
/// in the order of what they were judged by, and so are found in it, and only those that changed are judged again.
/// Cost: a change some comparisons; each batch of changes one copy of a list of pointers.
class LockFilterProxy : public QAbstractTableModel {
    Q_OBJECT
public:
    using Lock = LockTableModel::Lock;

    explicit LockFilterProxy(LockTableModel &locks, QObject *parent = nullptr);

    void setFilter(lockcore::monitor::LockFilter filter);
    const lockcore::monitor::LockFilter &filter() const { return m_filter; }
    void holdOrder(bool hold);
    int countMatching() const; // that are there: while the order is held there are rows of others, too
    void sortChanged(); // filters and sorts again what changed in a way that matters
    void refresh(); // the same, also if only time has passed and the filter depends on it
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    int sortColumn() const { return m_column; }
    Qt::SortOrder sortOrder() const { return m_order; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    const Lock &lockAt(const QModelIndex &index) const;
    QModelIndex indexOf(const lockcore::LockName &name) const; // invalid: none, or filtered out
    bool isAbove(const lockcore::LockName &a, const lockcore::LockName &b) const; // false: one of them is not known
    /// While another order is told: the locks that alone have moved, in that order; null: all may have.
    const std::vector<Lock> *moved() const { return m_moved; }

private:
    struct Entry {
        Lock lock; // as it is now
        Lock judged; // as it was when its place was found
        SortKey key; // of that
        std::uint64_t late = 0; // came while the order was held: as the how manieth
        bool isGone = false; // was, when its place was found
        bool isRow = false; // it matched then
    };
    using Entries = std::vector<Entry *>;

    void takeLocks();
    void takeAnew();
    std::pair<Entries, Entries> takeDifference();
    void forget(const Entries &gone);
    void passOn(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles);
    void judge(Entry &entry) const;
    bool isAsJudged(const Entry &entry) const;
    bool matchesNow(const Entry &entry) const;
    bool isLeftover(const Entry &entry) const; // it matched when the order began to be held

    void arrangeAll(LockTableModel::Column column, Qt::SortOrder order);
    void showWhatMatchesNow();
    void dropRows(const Entries &entries);
    Entries thatMatch(Entries entries) const;
    void putAmongRows(const Entries &entries);
    void addRows(const Entries &some);
    void moveRows(Entries entries);
    template <typename Change>
    void reorder(Change change);
    void sortEntries(Entries &entries) const;
    bool isBefore(const Entry &a, const Entry &b) const;
    int rowOf(const Entry &entry) const;

    LockTableModel &m_locks;
    lockcore::monitor::LockFilter m_filter;
    LockTableModel::Column m_column = LockTableModel::Name; // that is sorted by
    Qt::SortOrder m_order = Qt::AscendingOrder;
    lockcore::monitor::LockList m_taken; // what the entries are of
    std::unordered_map<lockcore::LockName, Entry> m_entries;
    Entries m_rows; // in order
    std::unordered_set<Entry *> m_outdated; // that may belong elsewhere by now
    bool m_held = false;
    std::uint64_t m_late = 0;
    const std::vector<Lock> *m_moved = nullptr;
};

} // namespace lockui
