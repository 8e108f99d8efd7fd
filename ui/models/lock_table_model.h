// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/seen_times.h"

#include <QAbstractTableModel>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace lockui {

class ClientNames;
class ViewClock;

/// What is suspected of which lock, in words.
using SuspectTitles = std::map<lockcore::LockName, QString>;

/// The locks of the newest snapshot, by name.
class LockTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, KindColumn, HolderColumn, Ttl, LeaseColumn, Waiting, HeldFor, LastChangeColumn, ColumnCount };
    using Lock = std::shared_ptr<const lockcore::monitor::LockState>;

    explicit LockTableModel(const ViewClock &clock, QObject *parent = nullptr);

    void setLocks(const lockcore::monitor::LockList &locks); // only what differs is signalled
    void keepGone(bool keep); // rows of locks that are gone, so that no other row moves
    void clear(); // for another connection
    void setSuspects(SuspectTitles suspects);
    bool isAtReplica(const lockcore::monitor::LockState &lock) const { return m_replicas.contains(lock.node); }
    void setReplicas(std::set<std::string> servers) { m_replicas = std::move(servers); } // watched themselves
    bool sharesChannels() const { return m_sight && lockcore::monitor::sharesChannels(*m_sight); }
    bool areAllKnown() const; // there are no others
    /// What is known of the servers beside the locks; to be told before these.
    void setSight(std::shared_ptr<const lockcore::monitor::Snapshot> snapshot);
    void setLostServers(std::set<std::string> servers); // what they have is stale
    void setClientNames(const ClientNames *names); // shown beside the ids; null: none

    const Lock &lockAt(int row) const { return m_locks[static_cast<std::size_t>(row)]; }
    QVariant data(const lockcore::monitor::LockState &lock, Column column, int role) const; // of one of them
    int countThere() const { return rowCount() - static_cast<int>(m_gone.size()); }
    bool isGone(const lockcore::LockName &name) const { return m_gone.contains(name); }
    const std::shared_ptr<const lockcore::monitor::Snapshot> &sight() const { return m_sight; } // null: nothing yet
    bool isLost(const lockcore::monitor::LockState &lock) const; // on every server that has it
    lockcore::MonoTime seenUntil(const lockcore::monitor::LockState &lock) const; // now, unless it is lost
    bool matches(
        const lockcore::monitor::LockFilter &filter, const lockcore::monitor::LockState &lock) const; // by that
    int rowOf(const lockcore::LockName &name) const; // -1: none
    const lockcore::monitor::LockList &locks() const { return m_locks; }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void locksTaken(); // all of a change at once: rows came and went one by one, and those that changed are told next

private:
    void showLocks(const lockcore::monitor::LockList &locks);
    void setGone(std::set<lockcore::LockName> gone);

    QVariant liveData(const lockcore::monitor::LockState &lock, Column column, int role) const;
    QVariant goneData(const lockcore::monitor::LockState &lock, Column column, int role) const;
    QString suspectsText(const lockcore::monitor::LockState &lock) const;

    const ViewClock &m_clock;
    const ClientNames *m_names = nullptr;
    lockcore::monitor::LockList m_locks;
    SuspectTitles m_suspects;
    std::set<std::string> m_replicas;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_sight;
    SeenTimes m_seen; // of that
    std::set<std::string> m_lost;
    bool m_keepsGone = false;
    std::set<lockcore::LockName> m_gone; // that are shown all the same
};

/// What a lock is sorted by in a column, at hand so that very many are sorted quickly: by raw values.
struct SortKey {
    bool hasValue = true; // a free lock has no time to live
    std::int64_t number = 0; // of equal ones the owners tell in HolderColumn, and else the names

    bool operator==(const SortKey &) const = default;
};
SortKey sortKeyOf(const lockcore::monitor::LockState &lock, LockTableModel::Column column);

} // namespace lockui
