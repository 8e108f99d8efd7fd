// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/event_store.h"

#include "lockcore/base/enum_table.h"
#include "ui/support/freshness.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

static_assert(EventStore::KindCount == enumeratorCount<EventKind>());

namespace {

/// Neither part is text that could not have the other's separator in it.
std::string packedOwner(const OwnerId &owner)
{
    const auto size = static_cast<std::uint32_t>(owner.client.size());
    std::string key(sizeof size, '\0');
    std::memcpy(key.data(), &size, sizeof size);
    return key.append(owner.client).append(owner.thread);
}

OwnerId unpackedOwner(const std::string &key)
{
    std::uint32_t size = 0;
    std::memcpy(&size, key.data(), sizeof size);
    return { key.substr(sizeof size, size), key.substr(sizeof size + size) };
}

/// All keys of its server may be gone with it.
bool isUpheaval(EventKind kind)
{
    return kind == EventKind::ServerRestarted || kind == EventKind::DatabaseEmptied
        || kind == EventKind::DatabasesSwapped;
}

/// Also of one whose name is empty.
bool isOfOneLock(EventKind kind) { return kind != EventKind::Gap && !isOfServer(kind); }

/// What else is to be kept of an event stands in the place of its owner, which a server has not.
std::optional<OwnerId> ownerOrDetail(const Event &event)
{
    if (event.kind == EventKind::SlowCommand)
        return OwnerId{ event.command, event.key };
    if (!event.formerMaster.empty())
        return OwnerId{ event.formerMaster, {} };
    return event.owner;
}

void setOwnerOrDetail(Event &event, OwnerId kept)
{
    if (event.kind == EventKind::SlowCommand) {
        event.command = std::move(kept.client);
        event.key = std::move(kept.thread);
    } else if (event.kind == EventKind::MasterChanged || event.kind == EventKind::Gap) {
        event.formerMaster = std::move(kept.client);
    } else {
        event.owner = std::move(kept);
    }
}

std::uint32_t distance(EventStore::Place from, EventStore::Place to)
{
    const EventStore::Place apart = to - from;
    return apart <= std::numeric_limits<std::uint32_t>::max() ? static_cast<std::uint32_t>(apart) : 0;
}

std::size_t heapBytes(const std::string &text)
{
    static const std::size_t Inside = std::string().capacity();
    return text.capacity() > Inside ? text.capacity() + 1 + sizeof(void *) : 0;
}

} // namespace

TextTable::Id TextTable::use(std::string_view text)
{
    if (const auto known = m_ids.find(text); known != m_ids.end()) {
        ++m_entries[known->second].uses;
        return known->second;
    }
    Id id = static_cast<Id>(m_entries.size());
    if (m_free.empty()) {
        m_entries.emplace_back();
    } else {
        id = m_free.back();
        m_free.pop_back();
    }
    Entry &entry = m_entries[id];
    entry.text.assign(text);
    entry.uses = 1;
    m_heapBytes += heapBytes(entry.text);
    m_ids.emplace(entry.text, id);
    return id;
}

void TextTable::release(Id id)
{
    if (id == None || --m_entries[id].uses > 0)
        return;
    m_ids.erase(m_entries[id].text);
    m_heapBytes -= heapBytes(m_entries[id].text);
    std::string().swap(m_entries[id].text);
    m_free.push_back(id);
}

TextTable::Id TextTable::find(std::string_view text) const
{
    const auto known = m_ids.find(text);
    return known == m_ids.end() ? None : known->second;
}

std::size_t TextTable::bytes() const
{
    constexpr std::size_t Node = sizeof(void *) * 3 + sizeof(std::string_view) + sizeof(Id); // as GCC's library has it
    return m_heapBytes + m_entries.size() * sizeof(Entry) + m_free.capacity() * sizeof(Id) + m_ids.size() * Node
        + m_ids.bucket_count() * sizeof(void *);
}

void TextTable::clear() { *this = TextTable(); }

EventStore::EventStore(Limits limits)
    : m_limits(limits)
{
}

std::optional<WallTime> firstOfLocks(const std::vector<Event> &events)
{
    std::optional<WallTime> first;
    for (const Event &event : events)
        if (!isOfServer(event.kind) && event.kind != EventKind::Gap)
            first = std::min(event.at, first.value_or(event.at));
    return first;
}

void EventStore::add(const std::vector<Event> &events)
{
    if (const auto first = firstOfLocks(events)) {
        if (!m_since && !m_firstOfLocks)
            m_firstOfLocks = first;
        else if (m_since && *first >= *m_since - HeardWithin) // else the clock was set back
            m_since = std::min(*m_since, *first);
    }
    for (const Event &event : events)
        keep(event);
    while (m_records.size() > m_limits.events || (bytes() > m_limits.bytes && !m_records.empty()))
        dropOldest();
}

void EventStore::keep(const Event &event)
{
    const Place place = end();
    Record record;
    record.at = event.at;
    record.kind = event.kind;
    record.certainty = event.certainty;
    record.byLockscope = event.byLockscope;
    record.hasCount = event.count.has_value();
    record.count = event.count.value_or(0);
    record.hasTtl = event.ttl.has_value();
    record.ttl = event.ttl.value_or(Millis(0)).count();
    record.lockKind = event.lockKind ? static_cast<std::uint8_t>(*event.lockKind) : NoKind;
    record.node = nodeId(event.node);
    if (const auto kept = ownerOrDetail(event))
        record.owner = m_owners.use(packedOwner(*kept));
    if (event.kind == EventKind::Gap)
        m_gaps.push_back(place);
    if (isUpheaval(event.kind))
        m_upheavals.push_back(place);
    if (event.since)
        m_sinces.emplace_hint(m_sinces.end(), place, *event.since);
    if (!event.lock.empty() || isOfOneLock(event.kind)) {
        record.lock = m_locks.use(event.lock);
        if (record.lock >= m_newestOfLock.size())
            m_newestOfLock.resize(record.lock + std::size_t{ 1 });
        if (Place &newest = m_newestOfLock[record.lock]; newest > m_first)
            record.beforeOfLock = distance(newest - 1, place);
        m_newestOfLock[record.lock] = place + 1;
    }
    ++m_counts[static_cast<std::size_t>(event.kind)];
    m_records.push_back(record);
    if (event.kind == EventKind::Renewed)
        joinRun(m_records.back(), place);
}

/// Renewals of one hold repeat: nothing else happened to it in between, as far as was seen, and nobody sets it anew
/// from here.
void EventStore::joinRun(Record &record, Place place)
{
    record.runLength = 1;
    const auto before = beforeOfOwner(place);
    if (!before)
        return;
    Record &other = m_records[*before - m_first];
    const bool isSameRun = other.kind == EventKind::Renewed && other.certainty == record.certainty
        && other.node == record.node && wasSeenBetween(*before, place) && !isOwnDeed(*before) && !isOwnDeed(place);
    if (!isSameRun)
        return;
    record.runLength = other.runLength + 1;
    record.runBegin = distance(*before - other.runBegin, place);
    other.nextOfRun = distance(*before, place);
}

void EventStore::dropOldest()
{
    const Record &oldest = m_records.front();
    if (oldest.lock != TextTable::None && m_newestOfLock[oldest.lock] == m_first + 1)
        m_newestOfLock[oldest.lock] = 0;
    m_locks.release(oldest.lock);
    m_owners.release(oldest.owner);
    --m_counts[static_cast<std::size_t>(oldest.kind)];
    if (!m_gaps.empty() && m_gaps.front() == m_first)
        m_gaps.pop_front();
    if (!m_upheavals.empty() && m_upheavals.front() == m_first)
        m_upheavals.pop_front();
    m_sinces.erase(m_first);
    m_records.pop_front();
    ++m_first;
    m_dropped = true;
}

void EventStore::correct(Place place, EventKind kind, Certainty certainty)
{
    Record &record = m_records[place - m_first];
    const auto recount = [&](auto &counts) {
        --counts[static_cast<std::size_t>(record.kind)];
        ++counts[static_cast<std::size_t>(kind)];
    };
    recount(m_counts);
    if (m_held && place < m_held->end)
        recount(m_held->counts);
    record.kind = kind;
    record.certainty = certainty;
    m_corrected.push_back(place);
}

void EventStore::lookedAtAll(WallTime moment, const std::string &node)
{
    constexpr std::size_t Most = 1'000; // as they come once a minute: more than half a day
    auto &looks = m_looks[node];
    if (!looks.empty() && moment <= looks.back())
        return;
    looks.push_back(moment);
    if (looks.size() > Most)
        looks.pop_front();
}

void EventStore::look(const Snapshot &snapshot)
{
    const auto tell = [&](const SourceStatus &status, const std::string &node) {
        if (status.lastSweep)
            lookedAtAll(wallOf(snapshot, status.lastSweep->finishedAt), node);
    };
    tell(snapshot.status, {});
    for (const NodeStatus &node : snapshot.nodes)
        tell(node.status, node.node);
}

void EventStore::lookAtServers(const Snapshot &snapshot)
{
    if (!snapshot.locks.empty())
        m_areCopies = snapshot.locks.front()->quorum.has_value();
}

void EventStore::heardFrom(WallTime moment) { m_since = std::min(moment, m_firstOfLocks.value_or(moment)); }

void EventStore::hold(bool held)
{
    m_held = held ? std::optional(Held{ end(), m_counts }) : std::nullopt;
    m_waits.hold(held);
}

std::size_t EventStore::shownCountOf(EventKind kind) const
{
    return (m_held ? m_held->counts : m_counts)[static_cast<std::size_t>(kind)];
}

void EventStore::clear()
{
    m_first = end(); // no place is used twice
    m_records.clear();
    m_records.shrink_to_fit();
    m_dropped = false;
    m_lacksDamaged = false;
    m_since.reset();
    m_firstOfLocks.reset();
    m_looks.clear();
    m_waits.clear();
    m_locks.clear();
    m_owners.clear();
    m_nodes.resize(1);
    m_newestOfLock = {};
    m_gaps.clear();
    m_upheavals.clear();
    m_sinces.clear();
    m_deeds.clear();
    m_counts = {};
}

std::uint16_t EventStore::nodeId(const std::string &node)
{
    const auto known = std::ranges::find(m_nodes, node);
    if (known == m_nodes.end() && m_nodes.size() > std::numeric_limits<std::uint16_t>::max())
        return 0;
    const auto id = static_cast<std::uint16_t>(known - m_nodes.begin());
    if (known == m_nodes.end())
        m_nodes.push_back(node);
    return id;
}

Event EventStore::event(Place place) const
{
    const Record &record = this->record(place);
    Event event;
    event.at = record.at;
    event.kind = record.kind;
    event.lock = m_locks.text(record.lock);
    if (record.lockKind != NoKind)
        event.lockKind = static_cast<synchronizers::Kind>(record.lockKind);
    if (record.owner != TextTable::None)
        setOwnerOrDetail(event, unpackedOwner(m_owners.text(record.owner)));
    if (record.hasCount)
        event.count = record.count;
    if (record.hasTtl)
        event.ttl = Millis(record.ttl);
    event.node = m_nodes[record.node];
    event.certainty = record.certainty;
    event.byLockscope = record.byLockscope;
    if (const auto since = m_sinces.find(place); since != m_sinces.end())
        event.since = since->second;
    return event;
}

std::optional<EventStore::Place> EventStore::newestOf(const LockName &lock) const
{
    const TextTable::Id id = m_locks.find(lock);
    if (id == TextTable::None || m_newestOfLock[id] <= m_first)
        return std::nullopt;
    return m_newestOfLock[id] - 1;
}

std::optional<EventStore::Place> EventStore::newestShownOf(const LockName &lock) const
{
    auto place = newestOf(lock);
    while (place && *place >= shownEnd())
        place = beforeOfLock(*place);
    return place;
}

std::optional<EventStore::Place> EventStore::beforeOfLock(Place place) const
{
    const std::uint32_t back = record(place).beforeOfLock;
    return back != 0 && place - back >= m_first && back <= place ? std::optional(place - back) : std::nullopt;
}

void EventStore::remember(OwnDeed deed)
{
    constexpr std::size_t Most = 1'000;
    m_deeds.push_back(std::move(deed));
    if (m_deeds.size() > Most)
        m_deeds.pop_front();
}

/// Of what has no owner, and of renewals, it is the first that is heard after it.
bool EventStore::isOwnDeed(Place place) const
{
    const Record &record = this->record(place);
    const bool isToAll = record.owner == TextTable::None;
    const auto isFirstSince = [&](WallTime moment) {
        const auto before = isToAll ? beforeOfLock(place) : beforeOfOwner(place);
        return !before || this->record(*before).kind != record.kind || this->record(*before).at < moment;
    };
    const auto isTo = [&](const OwnDeed &deed) {
        if (isToAll)
            return deed.owners.empty() && isFirstSince(deed.from);
        return std::ranges::find(deed.owners, unpackedOwner(m_owners.text(record.owner))) != deed.owners.end()
            && (record.kind != EventKind::Renewed || isFirstSince(deed.from));
    };
    return std::ranges::any_of(m_deeds, [&](const OwnDeed &deed) {
        return deed.kind == record.kind && record.at >= deed.from && record.at <= deed.to + HeardWithin
            && deed.lock == m_locks.text(record.lock) && isTo(deed);
    });
}

bool EventStore::concerns(const Record &record, const std::string &node) const
{
    return record.node == 0 || m_nodes[record.node] == node;
}

/// A deque has its records in pieces, and a pointer for each.
std::size_t EventStore::bytes() const
{
    constexpr std::size_t Piece = 512 / sizeof(Record);
    return m_records.size() * sizeof(Record) + m_records.size() / Piece * 3 * sizeof(void *) + m_locks.bytes()
        + m_owners.bytes() + m_newestOfLock.capacity() * sizeof(Place)
        + m_sinces.size() * (sizeof(decltype(m_sinces)::value_type) + 4 * sizeof(void *)); // a node of GCC's library
}

} // namespace lockui
