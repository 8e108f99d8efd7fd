// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_group_model.h"

#include "lockcore/monitor/analysis.h"
#include "ui/models/attention.h"
#include "ui/models/row_diff.h"
#include "ui/text/client_names.h"

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int MostSingly = 400; // rows that are told one by one: beyond that all are looked at once
constexpr int MostMoves = 100; // from group to group, before the next turn of the event loop: the same

/// For how many locks each of them is seen to wait.
std::map<std::string, std::int64_t> waitsOfClients(const WaitGraph &graph)
{
    std::map<std::string, std::int64_t> waits;
    std::set<std::pair<std::string_view, std::string_view>> known;
    for (const WaitEdge &edge : graph.edges)
        if (known.emplace(edge.waiter.client, edge.lock).second)
            ++waits[edge.waiter.client];
    return waits;
}

} // namespace

LockGroupModel::LockGroupModel(LockTableModel &locks, LockFilterProxy &shown, QObject *parent)
    : QAbstractTableModel(parent)
    , m_locks(locks)
    , m_shown(shown)
{
    follow();
}

void LockGroupModel::follow()
{
    const auto onRows = [this](auto signal, auto handle) {
        connect(&m_shown, signal, this, [this, handle](const QModelIndex &, int first, int last) {
            if (isActive())
                (this->*handle)(first, last);
        });
    };
    onRows(&QAbstractItemModel::rowsInserted, &LockGroupModel::inserted);
    onRows(&QAbstractItemModel::rowsAboutToBeRemoved, &LockGroupModel::removing);
    onRows(&QAbstractItemModel::rowsRemoved, &LockGroupModel::removed);
    // Of many changes the proxy tells as if all its rows had changed: here each row costs a look at its groups.
    connect(
        &m_locks, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
            if (isActive())
                changed(first.row(), last.row());
        });
    connect(&m_shown, &QAbstractItemModel::layoutChanged, this, [this] {
        if (!isActive())
            return;
        if (const auto *moved = m_shown.moved())
            move(*moved);
        else
            rearrange();
    });
    connect(&m_shown, &QAbstractItemModel::modelReset, this, [this] {
        if (isActive())
            rebuild();
    });
}

void LockGroupModel::setGrouping(Grouping grouping)
{
    if (grouping == m_grouping)
        return;
    m_grouping = grouping;
    m_folded.clear();
    beginResetModel();
    m_placed.clear();
    arrange(false);
    endResetModel();
}

void LockGroupModel::hold(bool hold)
{
    m_held = hold;
    settle();
}

/// What stands in a group that it belongs to no more goes where it belongs.
void LockGroupModel::settle()
{
    m_moves = 0;
    if (!m_held && std::exchange(m_outdated, false) && isActive())
        rearrange();
}

void LockGroupModel::setClientNames(const ClientNames &names)
{
    m_names = &names;
    const auto named = [this] {
        if (m_grouping == Grouping::Client)
            rearrange(); // names are what groups are ordered by
    };
    connect(&names, &ClientNames::changed, this, named);
    named();
}

void LockGroupModel::setAnalysis(const Analysis *analysis)
{
    std::set<LockName> needy;
    std::map<std::string, std::int64_t> waits;
    if (analysis) {
        const std::vector<LockName> locks = needyLocks(*analysis);
        needy.insert(locks.begin(), locks.end());
        waits = waitsOfClients(*analysis->graph);
    }
    setNeedy(std::move(needy));
    setWaits(std::move(waits));
}

void LockGroupModel::setNeedy(std::set<LockName> locks)
{
    std::swap(m_needy, locks);
    const auto recount = [this](const LockName &name) {
        if (const auto placed = m_placed.find(name); placed != m_placed.end())
            count(placed->second, countsNow(*placed->second.lock));
    };
    for (const LockName &name : m_needy)
        if (!locks.contains(name))
            recount(name);
    for (const LockName &name : locks)
        if (!m_needy.contains(name))
            recount(name);
}

void LockGroupModel::setWaits(std::map<std::string, std::int64_t> waits)
{
    std::swap(m_waits, waits);
    if (m_grouping != Grouping::Client || m_waits == waits)
        return;
    const auto number = [](const auto &of, const std::string &client) {
        const auto found = of.find(client);
        return found == of.end() ? std::int64_t(0) : found->second;
    };
    for (const auto &group : m_rows.groups())
        if (number(m_waits, group->key.text) != number(waits, group->key.text))
            tellTitle(*group);
}

void LockGroupModel::rebuild()
{
    beginResetModel();
    arrange(m_held);
    endResetModel();
}

void LockGroupModel::arrange(bool holding)
{
    ++m_rebuilt;
    for (const auto &group : m_rows.groups()) {
        group->locks.clear();
        group->counts = {};
        group->name = m_names ? m_names->nameOf(group->key.text) : QString();
    }
    std::size_t seen = 0;
    for (int row = 0; isActive() && row < m_shown.rowCount(); ++row) {
        const Lock &lock = m_shown.lockAt(m_shown.index(row, 0));
        auto placed = m_placed.find(lock->name);
        if (placed == m_placed.end()) {
            if (holding) {
                m_outdated = true;
                continue;
            }
            placed = m_placed.emplace(lock->name, GroupedLock()).first;
        }
        GroupedLock &each = placed->second;
        if (each.lock != lock || each.isMisplaced) {
            each.lock = lock;
            each.counts = countsNow(*lock);
            each.isMisplaced = holding;
            m_outdated = m_outdated || holding;
            if (!holding) {
                each.groups.clear();
                for (const GroupKey &key : lockui::groupsOf(*lock, m_grouping))
                    each.groups.push_back(&groupFor(key, false));
            }
        }
        each.seen = m_rebuilt;
        ++seen;
        for (LockGroup *group : each.groups) {
            group->locks.push_back(&each);
            group->counts += each.counts;
        }
    }
    if (seen < m_placed.size())
        std::erase_if(m_placed, [this](const auto &entry) { return entry.second.seen != m_rebuilt; });
    m_rows.arrange();
}

void LockGroupModel::rearrange()
{
    reorder([this] { arrange(false); });
}

void LockGroupModel::move(const std::vector<Lock> &locks)
{
    std::map<LockGroup *, std::vector<GroupedLock *>> moving;
    for (const Lock &lock : locks)
        if (const auto placed = m_placed.find(lock->name); placed != m_placed.end())
            for (LockGroup *group : placed->second.groups)
                moving[group].push_back(&placed->second);
    const auto isAbove
        = [this](const GroupedLock *a, const GroupedLock *b) { return m_shown.isAbove(a->lock->name, b->lock->name); };
    reorder([&] {
        for (auto &[group, some] : moving) {
            for (GroupedLock *placed : some)
                placed->moves = true;
            std::erase_if(group->locks, [](const GroupedLock *placed) { return placed->moves; });
            group->locks = joined(group->locks, some, isAbove);
            for (GroupedLock *placed : some)
                placed->moves = false;
        }
    });
}

template <typename Change>
void LockGroupModel::reorder(Change change)
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    struct Referred {
        GroupKey group;
        std::optional<LockName> lock;
    };
    std::vector<Referred> referred;
    for (const QModelIndex &index : before) {
        const Lock lock = lockAt(index);
        referred.push_back({ *groupOf(index), lock ? std::optional(lock->name) : std::nullopt });
    }
    change();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto &[group, lock] = referred[static_cast<std::size_t>(i)];
        after << (lock ? indexOf(*lock, group) : indexOf(group)).siblingAtColumn(before[i].column());
    }
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
}

LockGroup &LockGroupModel::groupFor(const GroupKey &key, bool telling)
{
    if (LockGroup *there = m_rows.find(key))
        return *there;
    auto made = std::make_unique<LockGroup>();
    made->key = key;
    made->folded = m_folded.contains(key);
    if (m_grouping == Grouping::Client && m_names && !key.isRest)
        made->name = m_names->nameOf(key.text);
    if (!telling)
        return m_rows.append(std::move(made));
    const int row = m_rows.rowFor(*made);
    beginInsertRows({}, row, row);
    LockGroup &group = m_rows.insert(std::move(made));
    endInsertRows();
    return group;
}

/// Found by the order in which it is shown, or where that is not the order of the moment, by a look at each.
int LockGroupModel::rowIn(const LockGroup &group, const GroupedLock &placed) const
{
    auto at = std::ranges::partition_point(
        group.locks, [&](const GroupedLock *other) { return m_shown.isAbove(other->lock->name, placed.lock->name); });
    if (at == group.locks.end() || *at != &placed)
        at = std::ranges::find(group.locks, &placed);
    return group.row + 1 + static_cast<int>(at - group.locks.begin());
}

void LockGroupModel::tellTitle(const LockGroup &group)
{
    Q_EMIT dataChanged(index(group.row, 0), index(group.row, columnCount() - 1));
}

void LockGroupModel::inserted(int first, int last)
{
    if (m_held) {
        m_outdated = true;
        return;
    }
    if (last - first >= MostSingly)
        return rebuild();
    std::vector<Lock> locks;
    for (int row = first; row <= last; ++row)
        locks.push_back(m_shown.lockAt(m_shown.index(row, 0)));
    place(locks);
}

void LockGroupModel::removing(int first, int last)
{
    if (last - first >= MostSingly)
        return; // all at once, when they are gone
    std::vector<GroupedLock *> leaving;
    for (int row = first; row <= last; ++row)
        if (const auto placed = m_placed.find(m_shown.lockAt(m_shown.index(row, 0))->name); placed != m_placed.end())
            leaving.push_back(&placed->second);
    takeOut(leaving);
}

void LockGroupModel::removed(int first, int last)
{
    if (last - first >= MostSingly)
        rebuild();
}

void LockGroupModel::changed(int first, int last)
{
    const bool isMany = last - first >= MostSingly;
    for (int row = first; row <= last; ++row) {
        const Lock &lock = m_locks.lockAt(row);
        const auto found = m_placed.find(lock->name);
        if (found == m_placed.end()) // the filter leaves it out
            continue;
        GroupedLock &placed = found->second;
        const auto keys = lockui::groupsOf(*lock, m_grouping);
        const bool stays = std::ranges::equal(
            keys, placed.groups, {}, {}, [](const LockGroup *group) -> const GroupKey & { return group->key; });
        if (!stays && !m_held && m_moves < MostMoves) {
            if (m_moves++ == 0)
                QMetaObject::invokeMethod(this, &LockGroupModel::settle, Qt::QueuedConnection);
            takeOut({ &placed });
            place({ lock });
            continue;
        }
        m_outdated = m_outdated || !stays;
        placed.isMisplaced = !stays;
        placed.lock = lock;
        if (const GroupCounts counts = countsNow(*lock); counts != placed.counts)
            count(placed, counts);
        for (const LockGroup *group : placed.groups) {
            if (group->folded || isMany)
                continue;
            const int changedRow = rowIn(*group, placed);
            Q_EMIT dataChanged(index(changedRow, 0), index(changedRow, columnCount() - 1));
        }
    }
    if (isMany && m_rows.count() > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows.count() - 1, columnCount() - 1));
}

void LockGroupModel::place(const std::vector<Lock> &locks)
{
    std::vector<std::pair<GroupedLock *, std::vector<LockGroup *>>> places;
    std::map<LockGroup *, std::vector<GroupedLock *>> coming;
    for (const Lock &lock : locks) {
        GroupedLock &placed = m_placed[lock->name];
        placed.lock = lock;
        placed.counts = countsNow(*lock);
        places.push_back({ &placed, {} });
        for (const GroupKey &key : lockui::groupsOf(*lock, m_grouping)) {
            LockGroup &group = groupFor(key, true);
            places.back().second.push_back(&group);
            coming[&group].push_back(&placed);
        }
    }
    const auto isAbove
        = [this](const GroupedLock *a, const GroupedLock *b) { return m_shown.isAbove(a->lock->name, b->lock->name); };
    for (auto &[group, some] : coming) {
        std::ranges::sort(some, isAbove);
        std::vector<int> rows;
        for (const GroupedLock *placed : some)
            rows.push_back(static_cast<int>(std::ranges::partition_point(group->locks, [&](const GroupedLock *other) {
                return isAbove(other, placed);
            }) - group->locks.begin()));
        for (const Incoming &run : incoming(rows)) {
            const int row = group->row + 1 + run.place;
            if (!group->folded)
                beginInsertRows({}, row, row + static_cast<int>(run.count) - 1);
            const auto first = some.begin() + run.first;
            group->locks.insert(group->locks.begin() + run.place, first, first + run.count);
            if (!group->folded) {
                m_rows.renumber(*group);
                endInsertRows();
            }
        }
        for (const GroupedLock *placed : some) // only now: rows beside those that come say the same before and after
            group->counts += placed->counts;
        tellTitle(*group);
    }
    for (auto &[placed, groups] : places)
        placed->groups = std::move(groups);
}

/// And forgets them.
void LockGroupModel::takeOut(const std::vector<GroupedLock *> &leaving)
{
    struct Leaving {
        std::vector<int> rows;
        GroupCounts counts;
    };
    std::map<LockGroup *, Leaving> ofGroups;
    for (const GroupedLock *placed : leaving) {
        for (LockGroup *group : placed->groups) {
            Leaving &of = ofGroups[group];
            of.rows.push_back(rowIn(*group, *placed) - group->row - 1);
            of.counts += placed->counts;
        }
    }
    for (auto &[group, of] : ofGroups) {
        std::ranges::sort(of.rows);
        const std::vector<RowRange> runs = rangesOf(of.rows);
        for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
            const int row = group->row + 1 + run->first;
            if (!group->folded)
                beginRemoveRows({}, row, row + run->count - 1);
            const auto first = group->locks.begin() + run->first;
            group->locks.erase(first, first + run->count);
            if (!group->folded) {
                m_rows.renumber(*group);
                endRemoveRows();
            }
        }
        group->counts -= of.counts;
        if (!group->locks.empty()) {
            tellTitle(*group);
            continue;
        }
        beginRemoveRows({}, group->row, group->row);
        m_rows.remove(*group);
        endRemoveRows();
    }
    for (const GroupedLock *placed : leaving)
        m_placed.erase(m_placed.find(placed->lock->name));
}

/// What is gone has its row for a while, and counts no more.
GroupCounts LockGroupModel::countsNow(const LockState &lock) const
{
    return m_locks.isGone(lock.name) ? GroupCounts() : countsOf(lock, m_needy.contains(lock.name));
}

void LockGroupModel::count(GroupedLock &placed, const GroupCounts &counts)
{
    for (LockGroup *group : placed.groups) {
        group->counts -= placed.counts;
        group->counts += counts;
        tellTitle(*group);
    }
    placed.counts = counts;
}

int LockGroupModel::groupCount() const
{
    const auto &groups = m_rows.groups();
    return static_cast<int>(m_held
            ? std::ranges::count_if(groups, [](const auto &group) { return group->counts.locks > 0; })
            : std::ssize(groups));
}

bool LockGroupModel::isGroup(const QModelIndex &index) const { return index.isValid() && !lockAt(index); }

const GroupKey *LockGroupModel::groupOf(const QModelIndex &index) const
{
    const LockGroup *group = index.isValid() ? m_rows.at(index.row()) : nullptr;
    return group ? &group->key : nullptr;
}

QModelIndex LockGroupModel::indexOf(const GroupKey &key) const
{
    const LockGroup *group = m_rows.find(key);
    return group ? index(group->row, 0) : QModelIndex();
}

void LockGroupModel::setFolded(const GroupKey &key, bool folded)
{
    LockGroup *group = m_rows.find(key);
    if (folded)
        m_folded.insert(key);
    else
        m_folded.erase(key);
    if (!group || group->folded == folded)
        return;
    const int first = group->row + 1;
    const int last = group->row + static_cast<int>(group->locks.size());
    if (folded)
        beginRemoveRows({}, first, last);
    else
        beginInsertRows({}, first, last);
    group->folded = folded;
    m_rows.renumber(*group);
    if (folded)
        endRemoveRows();
    else
        endInsertRows();
    tellTitle(*group);
}

void LockGroupModel::foldAll(bool folded)
{
    m_folded.clear();
    beginResetModel();
    for (const auto &group : m_rows.groups()) {
        group->folded = folded;
        if (folded)
            m_folded.insert(group->key);
    }
    m_rows.arrange();
    endResetModel();
}

LockTableModel::Lock LockGroupModel::lockAt(const QModelIndex &index) const
{
    const LockGroup *group = index.isValid() ? m_rows.at(index.row()) : nullptr;
    if (!group || index.row() == group->row)
        return nullptr;
    return group->locks[static_cast<std::size_t>(index.row() - group->row - 1)]->lock;
}

std::vector<LockTableModel::Lock> LockGroupModel::locksIn(const GroupKey &key) const
{
    std::vector<Lock> locks;
    if (const LockGroup *group = m_rows.find(key))
        for (const GroupedLock *placed : group->locks)
            locks.push_back(placed->lock);
    return locks;
}

QModelIndex LockGroupModel::indexOf(const LockName &name, const std::optional<GroupKey> &preferred) const
{
    const auto placed = m_placed.find(name);
    if (placed == m_placed.end())
        return {};
    const LockGroup *group = preferred ? m_rows.find(*preferred) : nullptr;
    const auto &groups = placed->second.groups;
    if (!group || group->folded || std::ranges::find(groups, group) == groups.end()) {
        const auto open = std::ranges::find_if(groups, [](const LockGroup *each) { return !each->folded; });
        if (open == groups.end())
            return {};
        group = *open;
    }
    return index(rowIn(*group, placed->second), 0);
}

std::vector<GroupKey> LockGroupModel::groupsOfLock(const LockName &name) const
{
    std::vector<GroupKey> keys;
    if (const auto placed = m_placed.find(name); placed != m_placed.end())
        for (const LockGroup *group : placed->second.groups)
            keys.push_back(group->key);
    return keys;
}

int LockGroupModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_rows.count(); }

int LockGroupModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : LockTableModel::ColumnCount;
}

void LockGroupModel::sort(int column, Qt::SortOrder order) { m_shown.sort(column, order); }

} // namespace lockui
