// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/event_model.h"

#include "ui/models/row_diff.h"
#include "ui/text/client_names.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <tuple>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int MostUnfolded = 2'000; // rows that one fold opens into
constexpr std::size_t MostFound = 30'000; // in one step: rows take the view some time, too
constexpr std::size_t RowsBehind = 200; // what is gone to, so that it stands at the top of a screen
constexpr std::size_t MostRanges = 400; // beyond so many changes in different places all is drawn anew

} // namespace

EventModel::EventModel(const EventStore &store, const ViewClock &clock, QObject *parent)
    : QAbstractTableModel(parent)
    , m_store(store)
    , m_clock(clock)
{
}

void EventModel::setChoice(EventChoice choice, const QDeadlineTimer &until)
{
    m_choice = std::move(choice);
    restart(until);
}

void EventModel::setLock(const LockName &lock, const std::string &node, std::size_t most)
{
    m_onlyLock = lock;
    m_node = node;
    m_most = most;
    m_end = m_store.shownEnd();
    show(rowsOfLock());
    showCorrections();
}

void EventModel::setClientNames(const ClientNames *names)
{
    m_names = names;
    const auto renamed = [this] {
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0, Owner), index(rowCount() - 1, Owner));
    };
    if (names != nullptr)
        connect(names, &ClientNames::changed, this, renamed);
    renamed();
}

void EventModel::setChosenLock(const std::optional<LockName> &lock)
{
    if (std::exchange(m_chosenLock, lock) != lock && !m_rows.empty())
        Q_EMIT dataChanged(index(0, Lock), index(rowCount() - 1, Lock));
}

void EventModel::restart(const QDeadlineTimer &until)
{
    const QScopedValueRollback changing(m_changing, true);
    m_most = PageSize;
    m_goal.reset();
    m_tally.restart();
    m_begin = m_end = m_tally.end();
    m_corrections = m_store.corrected().size();
    beginResetModel();
    m_rows.clear();
    Rows found;
    lookUntil(until, found);
    std::ranges::sort(found, isBefore);
    m_rows = std::move(found);
    endResetModel();
}

bool EventModel::look(const QDeadlineTimer &until)
{
    Rows found;
    const bool isAll = lookUntil(until, found);
    add(std::move(found));
    if (m_goal && !wantsMore({})) {
        m_goal.reset();
        m_most = std::max(m_most, m_rows.size());
    }
    return isAll;
}

bool EventModel::lookUntil(const QDeadlineTimer &until, Rows &found)
{
    bool isAll = false;
    do {
        isAll = m_tally.advance(AtOnce);
        isAll = lookBack(found) && isAll;
    } while (!isAll && found.size() < MostFound && !until.hasExpired());
    return isAll;
}

/// Of a part that the tally has looked at already; true: there is nothing older, or it is not wanted.
bool EventModel::lookBack(Rows &found)
{
    const EventStore::Place begin = std::max(m_tally.begin(), m_store.first());
    for (std::size_t most = AtOnce; most > 0 && m_begin > begin && wantsMore(found); --most)
        addIfShown(--m_begin, found);
    return m_begin <= m_store.first() || !wantsMore(found);
}

bool EventModel::wantsMore(const Rows &found) const
{
    if (m_begin <= m_store.first())
        return false;
    const std::size_t size = m_rows.size() + found.size();
    if (size < m_most || !m_goal || size <= RowsBehind)
        return size < m_most || m_goal;
    const std::size_t place = size - 1 - RowsBehind;
    const Row &row = place < m_rows.size() ? m_rows[place] : found[place - m_rows.size()];
    return row.at >= *m_goal;
}

/// They come behind the others, but for those whose clock was behind.
void EventModel::add(Rows found)
{
    const QScopedValueRollback changing(m_changing, true); // views may ask for more while they are told of it
    std::ranges::sort(found, isBefore);
    std::vector<int> places;
    places.reserve(found.size());
    for (const Row &row : found) {
        const bool isBehindAll = m_rows.empty() || isBefore(m_rows.back(), row);
        const auto place = isBehindAll ? m_rows.end() : std::ranges::lower_bound(m_rows, row, isBefore);
        places.push_back(static_cast<int>(place - m_rows.begin()));
    }
    for (const Incoming &run : incoming(places)) {
        beginInsertRows({}, run.place, run.place + static_cast<int>(run.count) - 1);
        const auto first = found.begin() + run.first;
        m_rows.insert(m_rows.begin() + run.place, first, first + run.count);
        endInsertRows();
    }
}

/// What is new comes at the top; a renewal takes the place of the row that stood for those before it.
void EventModel::advance(const QDeadlineTimer &until)
{
    if (m_onlyLock) {
        m_end = m_store.shownEnd();
        show(rowsOfLock());
        return showCorrections();
    }
    while (!m_tally.advance(AtOnce) && m_tally.end() != m_store.shownEnd() && !until.hasExpired()) { }
    if (m_tally.begin() > m_end || m_tally.end() > m_end + EventTally::MostInOrder)
        return restart(until); // it is so much that the newest is looked at first
    const EventStore::Place before = std::exchange(m_end, m_tally.end());
    Rows rows = rowsThatStay(before);
    for (EventStore::Place place = before; place < m_end; ++place)
        addIfShown(place, rows);
    std::ranges::sort(rows, isBefore);
    cut(rows);
    show(std::move(rows));
    showCorrections();
}

/// Of those up to there, which may have been corrected: then another kind may be chosen, or not.
EventModel::Rows EventModel::rowsThatStay(EventStore::Place end) const
{
    const auto &corrected = m_store.corrected();
    const std::set<EventStore::Place> anew(
        corrected.begin() + static_cast<std::ptrdiff_t>(m_corrections), corrected.end());
    Rows rows;
    std::ranges::copy_if(m_rows, std::back_inserter(rows),
        [&](const Row &row) { return m_store.has(row.place) && isShownAlone(row.fold) && !anew.contains(row.fold); });
    for (const EventStore::Place place : anew)
        if (place >= std::max(m_begin, m_tally.begin()) && place < end)
            addIfShown(place, rows);
    return rows;
}

/// Who follows needs no more than a page.
void EventModel::cut(Rows &rows)
{
    m_most = PageSize;
    m_begin = std::max(m_begin, m_store.first());
    if (rows.size() <= PageSize)
        return;
    std::vector<EventStore::Place> places;
    std::ranges::transform(rows, std::back_inserter(places), &Row::fold);
    const auto last = places.begin() + PageSize - 1;
    std::ranges::nth_element(places, last, std::greater());
    m_begin = *last;
    std::erase_if(rows, [this](const Row &row) { return row.fold < m_begin; });
}

void EventModel::showCorrections()
{
    const bool isNew = isCorrected();
    m_corrections = m_store.corrected().size();
    if (isNew && !m_rows.empty())
        Q_EMIT dataChanged(index(0, What), index(rowCount() - 1, Meaning));
}

bool EventModel::isBehind() const { return m_end != m_store.shownEnd() || isCorrected(); }

void EventModel::fetchBack(WallTime moment)
{
    m_goal = moment;
    if (!wantsMore({}))
        m_goal.reset();
    makeRoom();
}

/// To move very many rows to a larger place would take longer than a frame; room that is not used costs nothing.
void EventModel::makeRoom()
{
    const EventStore::Place first = std::min(m_begin, m_store.first());
    m_rows.reserve(m_rows.size() + static_cast<std::size_t>(m_begin - first));
}

bool EventModel::hasGone(int row) const { return !m_store.has(this->row(row).place); }

void EventModel::dropGone()
{
    Rows rows;
    std::ranges::copy_if(m_rows, std::back_inserter(rows), [this](const Row &row) { return m_store.has(row.place); });
    show(std::move(rows));
}

bool EventModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && !m_onlyLock && !m_changing && m_begin > m_store.first() && !wantsMore({});
}

void EventModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    m_most = m_rows.size() + PageSize;
    makeRoom();
    look();
}

bool EventModel::isBefore(const Row &a, const Row &b)
{
    return std::tie(a.at, a.fold, a.place) > std::tie(b.at, b.fold, b.place);
}

const EventStore::Record &EventModel::record(EventStore::Place place) const
{
    static const EventStore::Record Gone;
    return m_store.has(place) ? m_store.record(place) : Gone;
}

EventStore::Place EventModel::runBegin(EventStore::Place place) const { return place - record(place).runBegin; }

bool EventModel::isShownAlone(EventStore::Place place) const
{
    const std::uint32_t next = record(place).nextOfRun;
    return next == 0 || place + next >= m_end;
}

void EventModel::addRows(EventStore::Place place, Rows &rows) const
{
    const EventStore::Record &record = m_store.record(place);
    rows.push_back({ record.at, place, place });
    if (record.runLength < 2 || !m_open.contains(runBegin(place)))
        return;
    auto before = m_store.beforeOfLock(place);
    for (int most = MostUnfolded; before && *before >= runBegin(place) && most > 0;
         before = m_store.beforeOfLock(*before)) {
        if (m_store.record(*before).owner != record.owner)
            continue;
        rows.push_back({ record.at, place, *before });
        --most;
    }
}

void EventModel::addIfShown(EventStore::Place place, Rows &rows) const
{
    if (m_tally.isChosen(place) && isShownAlone(place))
        addRows(place, rows);
}

/// With the gaps that lie between them: what happened then is missing. And with what took all keys of its server. A
/// lock that was there before all that is told of it has had the gaps before that, too.
EventModel::Rows EventModel::rowsOfLock() const
{
    Rows rows;
    auto place = m_store.newestOf(*m_onlyLock);
    std::optional<EventStore::Place> oldest;
    for (; place && rows.size() < m_most; place = m_store.beforeOfLock(*place)) {
        oldest = *place;
        if (*place < m_end && isShownAlone(*place))
            addRows(*place, rows);
    }
    const auto kind = oldest ? m_store.record(*oldest).kind : EventKind::Renewed;
    const bool wasThereBefore = !place && kind != EventKind::Acquired && kind != EventKind::Appeared;
    const EventStore::Place from = wasThereBefore ? m_store.first() : *oldest;
    for (const auto *places : { &m_store.gaps(), &m_store.upheavals() })
        for (auto each = places->rbegin(); each != places->rend() && *each >= from; ++each)
            if (*each < m_end && m_store.concerns(m_store.record(*each), m_node))
                addRows(*each, rows);
    std::ranges::sort(rows, isBefore);
    return rows;
}

void EventModel::show(Rows rows)
{
    const RowDiff diff = diffRows(m_rows, rows, isBefore, [](const Row &, const Row &) { return true; });
    const QScopedValueRollback changing(m_changing, true); // views may ask for more while they are told of it
    if (diff.removed.size() + diff.inserted.size() > MostRanges) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    for (auto range = diff.removed.rbegin(); range != diff.removed.rend(); ++range) {
        beginRemoveRows({}, range->first, range->first + range->count - 1);
        m_rows.erase(m_rows.begin() + range->first, m_rows.begin() + range->first + range->count);
        endRemoveRows();
    }
    for (const RowRange &range : diff.inserted) {
        beginInsertRows({}, range.first, range.first + range.count - 1);
        m_rows.insert(
            m_rows.begin() + range.first, rows.begin() + range.first, rows.begin() + range.first + range.count);
        endInsertRows();
    }
}

std::optional<Event> EventModel::eventAt(int row) const
{
    const EventStore::Place place = this->row(row).place;
    return m_store.has(place) ? std::optional(m_store.event(place)) : std::nullopt;
}

EventContext EventModel::contextAt(int row) const { return m_store.contextOfOne(this->row(row).place); }

std::optional<LockName> EventModel::lockAt(int row) const
{
    const EventStore::Record &record = this->record(this->row(row).place);
    return record.lock == TextTable::None ? std::nullopt : std::optional(m_store.lockName(record));
}

WallTime EventModel::timeAt(int row) const { return record(this->row(row).place).at; }

bool EventModel::isFold(int row) const
{
    const Row &it = this->row(row);
    return it.place == it.fold && record(it.place).runLength > 1;
}

bool EventModel::isOpen(int row) const { return isFold(row) && m_open.contains(runBegin(this->row(row).place)); }

int EventModel::foldOf(int row) const
{
    while (row > 0 && this->row(row).place != this->row(row).fold)
        --row;
    return row;
}

void EventModel::setOpen(int row, bool open)
{
    if (!isFold(row) || isOpen(row) == open)
        return;
    const Row fold = this->row(row);
    if (open)
        m_open.insert(runBegin(fold.place));
    else
        m_open.erase(runBegin(fold.place));
    Rows rows;
    for (const Row &each : m_rows)
        if (each.fold != fold.fold)
            rows.push_back(each);
        else if (each.place == fold.place)
            addRows(fold.place, rows);
    show(std::move(rows));
    Q_EMIT dataChanged(index(row, What), index(row, What));
}

int EventModel::rowAt(WallTime moment) const
{
    const auto found = std::ranges::lower_bound(m_rows, moment, std::greater(), &Row::at);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int EventModel::newestRowOf(const LockName &lock) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const Row &row) {
        return record(row.place).lock != TextTable::None && m_store.lockName(record(row.place)) == lock;
    });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int EventModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EventModel::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : ColumnCount; }

} // namespace lockui
