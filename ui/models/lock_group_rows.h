// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/lock_groups.h"

#include <QString>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace lockui {

struct LockGroup;

/// A lock that is shown, and where.
struct GroupedLock {
    std::shared_ptr<const lockcore::monitor::LockState> lock;
    std::vector<LockGroup *> groups;
    GroupCounts counts;
    bool isMisplaced = false; // it belongs to other groups by now
    bool moves = false;
    std::uint64_t seen = 0; // at which rebuilding
};

/// Some locks, a row each, below a title.
struct LockGroup {
    GroupKey key;
    QString name; // of the client; empty: it has none
    std::vector<GroupedLock *> locks;
    GroupCounts counts;
    int row = 0; // of its title
    bool folded = false;

    int rows() const { return 1 + (folded ? 0 : static_cast<int>(locks.size())); }
};

/// The groups in the order of what they are called, and which rows they take.
class LockGroupRows {
public:
    using Groups = std::vector<std::unique_ptr<LockGroup>>;

    const Groups &groups() const { return m_groups; }
    int count() const { return m_rows; } // of rows
    LockGroup *find(const GroupKey &key) const; // null: there is none
    LockGroup *at(int row) const; // that the row is a title of, or stands in; null: no such row
    int rowFor(const LockGroup &group) const; // that its title has once it is inserted

    LockGroup &insert(std::unique_ptr<LockGroup> group);
    LockGroup &append(std::unique_ptr<LockGroup> group); // to be arranged then
    void remove(const LockGroup &group);
    void renumber(const LockGroup &from); // whose rows have come or gone, and those behind it
    void arrange(); // all, without those that have no locks

private:
    static bool isBefore(const LockGroup &a, const LockGroup &b);
    Groups::const_iterator placeFor(const LockGroup &group) const;
    std::size_t numberOf(const LockGroup &group) const;
    void numberFrom(std::size_t number);

    Groups m_groups;
    std::map<GroupKey, LockGroup *> m_byKey;
    int m_rows = 0;
};

} // namespace lockui
