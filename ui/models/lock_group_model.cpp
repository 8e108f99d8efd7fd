// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_group_model.h"

#include "lockcore/monitor/analysis.h"
#include "ui/models/row_diff.h"
#include "ui/text/client_names.h"

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;
using Lock = LockTableModel::Lock;

namespace {

constexpr int MostSingly = 400; // rows that are told one by one: beyond that all are looked at once
constexpr int MostMoves = 100; // from group to group, before the next turn of the event loop: the same

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
    connect(
        &m_shown, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex &first, const QModelIndex &last) {
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
        for (const Suspect &suspect : analysis->suspects)
            needy.insert(suspect.lock);
        for (const WaitCycle &cycle : analysis->graph->cycles)
            for (const WaitEdge &edge : cycle)
                needy.insert(edge.lock);
        std::set<std::pair<std::string_view, std::string_view>> known;
        for (const WaitEdge &edge : analysis->graph->edges)
            if (known.emplace(edge.waiter.client, edge.lock).second)
                ++waits[edge.waiter.client];
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
    for (const auto &group : m_groups)
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
    for (const auto &group : m_groups) {
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
            placed = m_placed.emplace(lock->name, Placed()).first;
        }
        Placed &each = placed->second;
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
        for (Group *group : each.groups) {
            group->locks.push_back(&each);
            group->counts += each.counts;
        }
    }
    if (seen < m_placed.size())
        std::erase_if(m_placed, [this](const auto &entry) { return entry.second.seen != m_rebuilt; });
    std::erase_if(m_byKey, [](const auto &entry) { return entry.second->locks.empty(); });
    std::erase_if(m_groups, [](const auto &group) { return group->locks.empty(); });
    std::ranges::sort(m_groups, [this](const auto &a, const auto &b) { return isBefore(*a, *b); });
    numberRows(0);
}

void LockGroupModel::rearrange()
{
    reorder([this] { arrange(false); });
}

void LockGroupModel::move(const std::vector<Lock> &locks)
{
    std::map<Group *, std::vector<Placed *>> moving;
    for (const Lock &lock : locks)
        if (const auto placed = m_placed.find(lock->name); placed != m_placed.end())
            for (Group *group : placed->second.groups)
                moving[group].push_back(&placed->second);
    const auto isAbove
        = [this](const Placed *a, const Placed *b) { return m_shown.isAbove(a->lock->name, b->lock->name); };
    reorder([&] {
        for (auto &[group, some] : moving) {
            for (Placed *placed : some)
                placed->moves = true;
            std::erase_if(group->locks, [](const Placed *placed) { return placed->moves; });
            group->locks = joined(group->locks, some, isAbove);
            for (Placed *placed : some)
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

bool LockGroupModel::isBefore(const Group &a, const Group &b) const
{
    if (a.key.isRest != b.key.isRest)
        return b.key.isRest;
    if (a.name.isEmpty() != b.name.isEmpty())
        return b.name.isEmpty();
    if (const int order = a.name.compare(b.name, Qt::CaseInsensitive); order != 0)
        return order < 0;
    return a.key < b.key;
}

LockGroupModel::Group &LockGroupModel::groupFor(const GroupKey &key, bool telling)
{
    if (Group *there = find(key))
        return *there;
    auto made = std::make_unique<Group>();
    made->key = key;
    made->folded = m_folded.contains(key);
    if (m_grouping == Grouping::Client && m_names && !key.isRest)
        made->name = m_names->nameOf(key.text);
    Group &group = *made;
    m_byKey.emplace(key, &group);
    if (!telling) {
        m_groups.push_back(std::move(made));
        return group;
    }
    const auto place = std::ranges::partition_point(m_groups, [&](const auto &each) { return isBefore(*each, group); });
    const int row = place == m_groups.end() ? m_rows : (*place)->row;
    const auto number = static_cast<std::size_t>(place - m_groups.begin());
    beginInsertRows({}, row, row);
    m_groups.insert(place, std::move(made));
    numberRows(number);
    endInsertRows();
    return group;
}

LockGroupModel::Group *LockGroupModel::find(const GroupKey &key) const
{
    const auto found = m_byKey.find(key);
    return found == m_byKey.end() ? nullptr : found->second;
}

LockGroupModel::Groups::const_iterator LockGroupModel::groupAtRow(int row) const
{
    const auto behind = std::ranges::partition_point(m_groups, [row](const auto &group) { return group->row <= row; });
    return behind == m_groups.begin() ? m_groups.end() : std::prev(behind);
}

/// Found by the order in which it is shown, or where that is not the order of the moment, by a look at each.
int LockGroupModel::rowIn(const Group &group, const Placed &placed) const
{
    auto at = std::ranges::partition_point(
        group.locks, [&](const Placed *other) { return m_shown.isAbove(other->lock->name, placed.lock->name); });
    if (at == group.locks.end() || *at != &placed)
        at = std::ranges::find(group.locks, &placed);
    return group.row + 1 + static_cast<int>(at - group.locks.begin());
}

std::size_t LockGroupModel::numberOf(const Group &group) const
{
    return static_cast<std::size_t>(groupAtRow(group.row) - m_groups.begin());
}

void LockGroupModel::numberRows(std::size_t from)
{
    int row = from == 0 ? 0 : m_groups[from - 1]->row + m_groups[from - 1]->rows();
    for (std::size_t i = from; i < m_groups.size(); ++i) {
        m_groups[i]->row = row;
        row += m_groups[i]->rows();
    }
    m_rows = row;
}

void LockGroupModel::tellTitle(const Group &group)
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
    std::vector<Placed *> leaving;
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
        const Lock &lock = m_shown.lockAt(m_shown.index(row, 0));
        const auto found = m_placed.find(lock->name);
        if (found == m_placed.end())
            continue;
        Placed &placed = found->second;
        const auto keys = lockui::groupsOf(*lock, m_grouping);
        const bool stays = std::ranges::equal(
            keys, placed.groups, {}, {}, [](const Group *group) -> const GroupKey & { return group->key; });
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
        for (const Group *group : placed.groups) {
            if (group->folded || isMany)
                continue;
            const int changedRow = rowIn(*group, placed);
            Q_EMIT dataChanged(index(changedRow, 0), index(changedRow, columnCount() - 1));
        }
    }
    if (isMany && m_rows > 0)
        Q_EMIT dataChanged(index(0, 0), index(m_rows - 1, columnCount() - 1));
}

void LockGroupModel::place(const std::vector<Lock> &locks)
{
    std::vector<std::pair<Placed *, std::vector<Group *>>> places;
    std::map<Group *, std::vector<Placed *>> coming;
    for (const Lock &lock : locks) {
        Placed &placed = m_placed[lock->name];
        placed.lock = lock;
        placed.counts = countsNow(*lock);
        places.push_back({ &placed, {} });
        for (const GroupKey &key : lockui::groupsOf(*lock, m_grouping)) {
            Group &group = groupFor(key, true);
            places.back().second.push_back(&group);
            coming[&group].push_back(&placed);
        }
    }
    const auto isAbove
        = [this](const Placed *a, const Placed *b) { return m_shown.isAbove(a->lock->name, b->lock->name); };
    for (auto &[group, some] : coming) {
        std::ranges::sort(some, isAbove);
        std::vector<int> rows;
        for (const Placed *placed : some)
            rows.push_back(static_cast<int>(std::ranges::partition_point(group->locks, [&](const Placed *other) {
                return isAbove(other, placed);
            }) - group->locks.begin()));
        for (const Incoming &run : incoming(rows)) {
            const int row = group->row + 1 + run.place;
            if (!group->folded)
                beginInsertRows({}, row, row + static_cast<int>(run.count) - 1);
            const auto first = some.begin() + run.first;
            group->locks.insert(group->locks.begin() + run.place, first, first + run.count);
            if (!group->folded) {
                numberRows(numberOf(*group));
                endInsertRows();
            }
        }
        for (const Placed *placed : some) // only now: rows beside those that come say the same before and after
            group->counts += placed->counts;
        tellTitle(*group);
    }
    for (auto &[placed, groups] : places)
        placed->groups = std::move(groups);
}

/// And forgets them.
void LockGroupModel::takeOut(const std::vector<Placed *> &leaving)
{
    struct Leaving {
        std::vector<int> rows;
        GroupCounts counts;
    };
    std::map<Group *, Leaving> ofGroups;
    for (const Placed *placed : leaving) {
        for (Group *group : placed->groups) {
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
                numberRows(numberOf(*group));
                endRemoveRows();
            }
        }
        group->counts -= of.counts;
        if (!group->locks.empty()) {
            tellTitle(*group);
            continue;
        }
        const std::size_t number = numberOf(*group);
        beginRemoveRows({}, group->row, group->row);
        m_byKey.erase(m_byKey.find(group->key));
        m_groups.erase(m_groups.begin() + static_cast<std::ptrdiff_t>(number));
        numberRows(number);
        endRemoveRows();
    }
    for (const Placed *placed : leaving)
        m_placed.erase(m_placed.find(placed->lock->name));
}

/// What is gone has its row for a while, and counts no more.
GroupCounts LockGroupModel::countsNow(const LockState &lock) const
{
    return m_locks.isGone(lock.name) ? GroupCounts() : countsOf(lock, m_needy.contains(lock.name));
}

void LockGroupModel::count(Placed &placed, const GroupCounts &counts)
{
    for (Group *group : placed.groups) {
        group->counts -= placed.counts;
        group->counts += counts;
        tellTitle(*group);
    }
    placed.counts = counts;
}

bool LockGroupModel::isGroup(const QModelIndex &index) const { return index.isValid() && !lockAt(index); }

const GroupKey *LockGroupModel::groupOf(const QModelIndex &index) const
{
    const auto group = index.isValid() ? groupAtRow(index.row()) : m_groups.end();
    return group == m_groups.end() ? nullptr : &(*group)->key;
}

QModelIndex LockGroupModel::indexOf(const GroupKey &key) const
{
    const Group *group = find(key);
    return group ? index(group->row, 0) : QModelIndex();
}

void LockGroupModel::setFolded(const GroupKey &key, bool folded)
{
    Group *group = find(key);
    if (folded)
        m_folded.insert(key);
    else
        m_folded.erase(key);
    if (!group || group->folded == folded)
        return;
    const int first = group->row + 1;
    const int last = group->row + static_cast<int>(group->locks.size());
    const std::size_t number = numberOf(*group);
    if (folded)
        beginRemoveRows({}, first, last);
    else
        beginInsertRows({}, first, last);
    group->folded = folded;
    numberRows(number);
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
    for (const auto &group : m_groups) {
        group->folded = folded;
        if (folded)
            m_folded.insert(group->key);
    }
    numberRows(0);
    endResetModel();
}

Lock LockGroupModel::lockAt(const QModelIndex &index) const
{
    const auto group = index.isValid() ? groupAtRow(index.row()) : m_groups.end();
    if (group == m_groups.end() || index.row() == (*group)->row)
        return nullptr;
    return (*group)->locks[static_cast<std::size_t>(index.row() - (*group)->row - 1)]->lock;
}

std::vector<Lock> LockGroupModel::locksIn(const GroupKey &key) const
{
    std::vector<Lock> locks;
    if (const Group *group = find(key))
        for (const Placed *placed : group->locks)
            locks.push_back(placed->lock);
    return locks;
}

QModelIndex LockGroupModel::indexOf(const LockName &name, const std::optional<GroupKey> &preferred) const
{
    const auto placed = m_placed.find(name);
    if (placed == m_placed.end())
        return {};
    const Group *group = preferred ? find(*preferred) : nullptr;
    const auto &groups = placed->second.groups;
    if (!group || group->folded || std::ranges::find(groups, group) == groups.end()) {
        const auto open = std::ranges::find_if(groups, [](const Group *each) { return !each->folded; });
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
        for (const Group *group : placed->second.groups)
            keys.push_back(group->key);
    return keys;
}

int LockGroupModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : m_rows; }

int LockGroupModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : LockTableModel::ColumnCount;
}

void LockGroupModel::sort(int column, Qt::SortOrder order) { m_shown.sort(column, order); }

} // namespace lockui
