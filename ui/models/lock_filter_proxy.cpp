// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/lock_filter_proxy.h"

#include "ui/models/roles.h"
#include "ui/models/row_diff.h"
#include "ui/text/display_text.h"

#include <algorithm>
#include <compare>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::size_t MostRuns = 400; // of rows that come or go: each costs as much as the list is long, in every view

} // namespace

LockFilterProxy::LockFilterProxy(LockTableModel &locks, QObject *parent)
    : QAbstractTableModel(parent)
    , m_locks(locks)
{
    connect(&locks, &LockTableModel::locksTaken, this, &LockFilterProxy::takeLocks);
    connect(&locks, &QAbstractItemModel::modelReset, this, &LockFilterProxy::takeAnew);
    connect(&locks, &QAbstractItemModel::dataChanged, this, &LockFilterProxy::passOn);
    takeAnew();
}

void LockFilterProxy::takeLocks()
{
    const auto [gone, came] = takeDifference();
    dropRows(gone);
    forget(gone);
    addRows(came);
}

void LockFilterProxy::takeAnew()
{
    beginResetModel();
    const auto [gone, came] = takeDifference();
    for (Entry *entry : gone)
        entry->isRow = false;
    std::erase_if(m_rows, [](const Entry *entry) { return !entry->isRow; });
    forget(gone);
    putAmongRows(thatMatch(came));
    endResetModel();
}

/// Those that went, which are entries still, and those that came. Most others are where they belong: they are judged
/// as if they had always been as they are now.
std::pair<LockFilterProxy::Entries, LockFilterProxy::Entries> LockFilterProxy::takeDifference()
{
    Entries gone;
    Entries came;
    forEachDifference(m_taken, m_locks.locks(), [&](const Lock &before, const Lock &now) {
        Entry &entry = m_entries[(now ? now : before)->name];
        if (!now) {
            gone.push_back(&entry);
            return;
        }
        entry.lock = now;
        if (!before) {
            judge(entry);
            entry.late = m_held ? ++m_late : 0;
            came.push_back(&entry);
        } else if (isAsJudged(entry)) {
            entry.judged = now;
        } else {
            m_outdated.insert(&entry);
        }
    });
    m_taken = m_locks.locks();
    return { std::move(gone), std::move(came) };
}

void LockFilterProxy::forget(const Entries &gone)
{
    for (Entry *entry : gone) {
        m_outdated.erase(entry);
        m_entries.erase(m_entries.find(entry->lock->name));
    }
}

/// What is said of locks has changed, and not where they stand.
void LockFilterProxy::passOn(const QModelIndex &first, const QModelIndex &last, const QList<int> &roles)
{
    const auto tell
        = [&](int from, int to) { Q_EMIT dataChanged(index(from, first.column()), index(to, last.column()), roles); };
    if (m_rows.empty())
        return;
    if (last.row() - first.row() > static_cast<int>(MostRuns))
        return tell(0, rowCount() - 1);
    for (int row = first.row(); row <= last.row(); ++row)
        if (const QModelIndex shown = indexOf(m_locks.lockAt(row)->name); shown.isValid())
            tell(shown.row(), shown.row());
}

void LockFilterProxy::judge(Entry &entry) const
{
    entry.judged = entry.lock;
    entry.key = sortKeyOf(*entry.lock, m_column);
    entry.late = 0;
    entry.isGone = m_locks.isGone(entry.lock->name);
}

bool LockFilterProxy::isAsJudged(const Entry &entry) const
{
    const bool isByOwner = m_column == LockTableModel::HolderColumn && entry.key.hasValue;
    return sortKeyOf(*entry.lock, m_column) == entry.key
        && (!isByOwner || entry.lock->holders.front().owner == entry.judged->holders.front().owner)
        && matchesNow(entry) == entry.isRow && !entry.isGone;
}

bool LockFilterProxy::matchesNow(const Entry &entry) const { return m_locks.matches(m_filter, *entry.lock); }

bool LockFilterProxy::isLeftover(const Entry &entry) const { return m_held && !matchesNow(entry); }

void LockFilterProxy::holdOrder(bool hold)
{
    if (hold == m_held)
        return;
    m_held = hold;
    if (hold)
        return;
    if (std::exchange(m_late, 0) > 0)
        for (auto &[name, entry] : m_entries)
            if (entry.late > 0)
                m_outdated.insert(&entry);
    refresh();
}

int LockFilterProxy::countMatching() const
{
    if (!m_held)
        return rowCount();
    return static_cast<int>(std::ranges::count_if(
        m_rows, [this](const Entry *entry) { return !m_locks.isGone(entry->lock->name) && matchesNow(*entry); }));
}

void LockFilterProxy::setFilter(LockFilter filter)
{
    m_filter = std::move(filter);
    arrangeAll(m_column, m_order);
}

void LockFilterProxy::sort(int column, Qt::SortOrder order)
{
    arrangeAll(static_cast<LockTableModel::Column>(std::max(0, column)), order);
}

void LockFilterProxy::arrangeAll(LockTableModel::Column column, Qt::SortOrder order)
{
    Entries gone;
    Entries come;
    for (auto &[name, entry] : m_entries)
        if (const bool matches = matchesNow(entry); matches != entry.isRow)
            (matches ? come : gone).push_back(&entry);
    m_outdated.clear();
    dropRows(gone);
    reorder([&] {
        m_column = column;
        m_order = order;
        for (auto &[name, entry] : m_entries)
            judge(entry);
        sortEntries(m_rows);
    });
    addRows(come);
}

void LockFilterProxy::refresh()
{
    if (m_filter.dependsOnTime())
        for (auto &[name, entry] : m_entries)
            if (matchesNow(entry) != entry.isRow)
                m_outdated.insert(&entry);
    sortChanged();
}

void LockFilterProxy::sortChanged()
{
    if (m_outdated.empty())
        return;
    if (m_held)
        return showWhatMatchesNow();
    Entries gone;
    Entries stay;
    Entries come;
    for (Entry *entry : std::exchange(m_outdated, {}))
        (!matchesNow(*entry) ? gone : entry->isRow ? stay : come).push_back(entry);
    dropRows(gone);
    moveRows(stay);
    for (const Entries *others : { &gone, &come })
        for (Entry *entry : *others)
            judge(*entry);
    addRows(come);
}

/// No row moves for one that comes last.
void LockFilterProxy::showWhatMatchesNow()
{
    Entries come;
    for (Entry *entry : m_outdated)
        if (!entry->isRow && !m_locks.isGone(entry->lock->name) && matchesNow(*entry))
            come.push_back(entry);
    std::ranges::sort(come, {}, [](const Entry *entry) -> const LockName & { return entry->lock->name; });
    for (Entry *entry : come) {
        judge(*entry);
        entry->late = ++m_late;
    }
    addRows(come);
}

void LockFilterProxy::dropRows(const Entries &entries)
{
    std::vector<int> rows;
    for (const Entry *entry : entries)
        if (entry->isRow)
            rows.push_back(rowOf(*entry));
    std::ranges::sort(rows);
    const std::vector<RowRange> runs = rangesOf(rows);
    for (Entry *entry : entries)
        entry->isRow = false;
    if (runs.size() > MostRuns) {
        beginResetModel();
        std::erase_if(m_rows, [](const Entry *entry) { return !entry->isRow; });
        endResetModel();
        return;
    }
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        beginRemoveRows({}, run->first, run->first + run->count - 1);
        const auto first = m_rows.begin() + run->first;
        m_rows.erase(first, first + run->count);
        endRemoveRows();
    }
}

/// In order.
LockFilterProxy::Entries LockFilterProxy::thatMatch(Entries entries) const
{
    std::erase_if(entries, [this](const Entry *entry) { return !matchesNow(*entry); });
    sortEntries(entries);
    return entries;
}

void LockFilterProxy::putAmongRows(const Entries &entries)
{
    for (Entry *entry : entries)
        entry->isRow = true;
    m_rows = joined(m_rows, entries, [this](const Entry *a, const Entry *b) { return isBefore(*a, *b); });
}

/// Those that match.
void LockFilterProxy::addRows(const Entries &some)
{
    const Entries entries = thatMatch(some);
    std::vector<int> places;
    for (Entry *entry : entries)
        places.push_back(rowOf(*entry));
    const std::vector<Incoming> runs = incoming(places);
    if (runs.size() > MostRuns) {
        beginResetModel();
        putAmongRows(entries);
        endResetModel();
        return;
    }
    for (const Incoming &run : runs) {
        beginInsertRows({}, run.place, run.place + static_cast<int>(run.count) - 1);
        const auto first = entries.begin() + run.first;
        std::for_each(first, first + run.count, [](Entry *entry) { entry->isRow = true; });
        m_rows.insert(m_rows.begin() + run.place, first, first + run.count);
        endInsertRows();
    }
}

/// Rows that are judged anew go where they belong now. The others keep their order.
void LockFilterProxy::moveRows(Entries entries)
{
    std::vector<int> rows;
    for (const Entry *entry : entries)
        rows.push_back(rowOf(*entry));
    std::ranges::sort(rows);
    Entries others;
    others.reserve(m_rows.size());
    auto from = m_rows.begin();
    for (const int row : rows) {
        others.insert(others.end(), from, m_rows.begin() + row);
        from = m_rows.begin() + row + 1;
    }
    others.insert(others.end(), from, m_rows.end());

    for (Entry *entry : entries)
        judge(*entry);
    sortEntries(entries);
    Entries all = joined(others, entries, [this](const Entry *a, const Entry *b) { return isBefore(*a, *b); });
    if (all == m_rows)
        return;
    std::vector<Lock> moved;
    for (const Entry *entry : entries)
        moved.push_back(entry->lock);
    m_moved = &moved;
    reorder([&] { m_rows = std::move(all); });
    m_moved = nullptr;
}

/// The same rows in another order: those that are referred to stay themselves.
template <typename Change>
void LockFilterProxy::reorder(Change change)
{
    Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<const Entry *> referred;
    for (const QModelIndex &index : before)
        referred.push_back(m_rows[static_cast<std::size_t>(index.row())]);
    change();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(rowOf(*referred[static_cast<std::size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged({}, VerticalSortHint);
}

void LockFilterProxy::sortEntries(Entries &entries) const
{
    std::ranges::sort(entries, [this](const Entry *a, const Entry *b) { return isBefore(*a, *b); });
}

/// Where it is, or would stand.
int LockFilterProxy::rowOf(const Entry &entry) const
{
    const auto place
        = std::ranges::partition_point(m_rows, [&](const Entry *other) { return isBefore(*other, entry); });
    return static_cast<int>(place - m_rows.begin());
}

bool LockFilterProxy::isAbove(const LockName &a, const LockName &b) const
{
    const auto one = m_entries.find(a);
    const auto other = m_entries.find(b);
    return one != m_entries.end() && other != m_entries.end() && isBefore(one->second, other->second);
}

bool LockFilterProxy::isBefore(const Entry &a, const Entry &b) const
{
    if (a.late != b.late)
        return a.late < b.late;
    if (a.isGone != b.isGone) // below all that is there
        return b.isGone;
    if (a.key.hasValue != b.key.hasValue) // what has no value comes last, whichever way it is sorted
        return a.key.hasValue;
    auto order = a.key.number <=> b.key.number;
    if (order == 0 && m_column == LockTableModel::HolderColumn && a.key.hasValue)
        order = a.judged->holders.front().owner <=> b.judged->holders.front().owner;
    const bool isByName = order == 0;
    if (isByName)
        order = a.judged->name <=> b.judged->name;
    // Where names only tell equals apart they go forwards, whichever way it is sorted.
    const bool forwards = m_order == Qt::AscendingOrder || (isByName && m_column != LockTableModel::Name);
    return forwards ? order < 0 : order > 0;
}

int LockFilterProxy::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int LockFilterProxy::columnCount(const QModelIndex &parent) const { return m_locks.columnCount(parent); }

QVariant LockFilterProxy::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry &entry = *m_rows[static_cast<std::size_t>(index.row())];
    if (role == StaleRole && isLeftover(entry))
        return true;
    if (role == Qt::ToolTipRole && isLeftover(entry))
        return plainToolTip(lockNameTip(entry.lock->name) + QLatin1Char('\n') + tr("It no longer matches the filter."));
    return m_locks.data(*entry.lock, static_cast<LockTableModel::Column>(index.column()), role);
}

QVariant LockFilterProxy::headerData(int section, Qt::Orientation orientation, int role) const
{
    return m_locks.headerData(section, orientation, role);
}

const LockTableModel::Lock &LockFilterProxy::lockAt(const QModelIndex &index) const
{
    return m_rows[static_cast<std::size_t>(index.row())]->lock;
}

QModelIndex LockFilterProxy::indexOf(const LockName &name) const
{
    const auto found = m_entries.find(name);
    return found == m_entries.end() || !found->second.isRow ? QModelIndex() : index(rowOf(found->second), 0);
}

} // namespace lockui
