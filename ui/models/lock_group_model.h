// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_filter_proxy.h"
#include "ui/models/lock_group_rows.h"

#include <QAbstractTableModel>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace lockui {

/// The locks of a LockFilterProxy as rows below those of their groups, in the proxy's order within each. Groups are in
/// the order of what they are called, so that none moves when its locks change. Rows that come, go and move there do so
/// here, and what changes in a lock the table of locks tells; a new order costs one look at each lock. While it groups
/// by nothing it is empty and costs nothing.
class LockGroupModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using Lock = LockTableModel::Lock;

    LockGroupModel(LockTableModel &locks, LockFilterProxy &shown, QObject *parent = nullptr);

    void setGrouping(Grouping grouping);
    Grouping grouping() const { return m_grouping; }
    void hold(bool hold); // no row moves, and none comes; what is released then comes at once
    void setClientNames(const ClientNames &names);
    void setAnalysis(const lockcore::monitor::Analysis *analysis); // what looks wrong, and who waits; null: not known

    bool isGroup(const QModelIndex &index) const;
    const GroupKey *groupOf(const QModelIndex &index) const; // that the row is, or stands in; null: no such row
    QModelIndex indexOf(const GroupKey &key) const; // invalid: there is none
    bool isFolded(const GroupKey &key) const { return m_folded.contains(key); }
    void setFolded(const GroupKey &key, bool folded);
    void foldAll(bool folded);
    int groupCount() const; // without those that have a row only because no row moves

    Lock lockAt(const QModelIndex &index) const; // null: a group
    std::vector<Lock> locksIn(const GroupKey &key) const; // that are shown, also while it is folded
    /// Where it stands several times, in this group if it is in it; invalid: it is not shown, or folded away.
    QModelIndex indexOf(const lockcore::LockName &name, const std::optional<GroupKey> &preferred) const;
    std::vector<GroupKey> groupsOfLock(const lockcore::LockName &name) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void follow();
    void settle();
    void setNeedy(std::set<lockcore::LockName> locks);
    void setWaits(std::map<std::string, std::int64_t> waits);
    void rebuild();
    void arrange(bool holding); // all as the proxy has it now; holding: of what was there, each in its groups
    void rearrange();
    void move(const std::vector<Lock> &locks); // within their groups
    template <typename Change>
    void reorder(Change change); // rows that are referred to stay themselves
    void inserted(int first, int last);
    void removing(int first, int last);
    void removed(int first, int last);
    void changed(int first, int last);
    void place(const std::vector<Lock> &locks);
    void takeOut(const std::vector<GroupedLock *> &leaving);
    GroupCounts countsNow(const lockcore::monitor::LockState &lock) const;
    void count(GroupedLock &placed, const GroupCounts &counts);

    bool isActive() const { return m_grouping != Grouping::None; }
    LockGroup &groupFor(const GroupKey &key, bool telling);
    int rowIn(const LockGroup &group, const GroupedLock &placed) const;
    void tellTitle(const LockGroup &group);
    QVariant titleData(const LockGroup &group, int column, int role) const;
    QStringList titleOf(const LockGroup &group) const;
    QVariant sharedHolder(const LockGroup &group, const Lock &lock, int role) const;

    LockTableModel &m_locks;
    LockFilterProxy &m_shown;
    const ClientNames *m_names = nullptr;
    Grouping m_grouping = Grouping::None;
    LockGroupRows m_rows;
    std::unordered_map<lockcore::LockName, GroupedLock> m_placed;
    std::set<GroupKey> m_folded; // also those that are not there at the moment
    std::set<lockcore::LockName> m_needy; // that something looks wrong with
    std::map<std::string, std::int64_t> m_waits; // of clients: for how many locks they are seen to wait
    std::uint64_t m_rebuilt = 0;
    bool m_held = false;
    int m_moves = 0; // since the last turn of the event loop
    bool m_outdated = false; // something waits for its place: while it is held, or after many moves
};

} // namespace lockui
