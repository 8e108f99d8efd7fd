// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/statistics.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace lockcore::monitor {

namespace {

constexpr std::chrono::seconds ForgetEvery{ 10 };
constexpr std::size_t FewestDurations = 8;
constexpr std::size_t MostDurations = 200;

std::size_t hashOf(const OwnerId &owner)
{
    const std::hash<std::string_view> hash;
    return hash(owner.client) * 31 + hash(owner.thread);
}

Millis rounded(std::chrono::microseconds time) { return std::chrono::round<Millis>(time); }

bool hasNumbers(const LockStatistics &numbers)
{
    return numbers.acquires + numbers.renewals + numbers.holds + numbers.waits > 0 || numbers.blocked > Millis{ 0 };
}

template <typename List>
auto findOwner(List &list, std::size_t owner)
{
    return std::find_if(list.begin(), list.end(), [owner](const auto &entry) { return entry.owner == owner; });
}

template <typename List, typename Node>
auto findHold(List &list, std::size_t owner, Node node)
{
    return std::find_if(
        list.begin(), list.end(), [&](const auto &entry) { return entry.owner == owner && entry.node == node; });
}

Millis percentile99(std::vector<std::uint32_t> durations)
{
    const auto rank = (durations.size() * 99 + 99) / 100 - 1;
    const auto place = durations.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(durations.begin(), place, durations.end());
    return Millis{ *place };
}

} // namespace

StatisticsStore::StatisticsStore(StatisticsLimits limits, WaitsKnown waits)
    : m_limits(limits)
    , m_waitsKnown(waits)
    , m_list(std::make_shared<const StatisticsList>())
{
}

const LockStatistics *StatisticsStore::of(const LockName &lock) const
{
    const auto found = m_records.find(lock);
    return found == m_records.end() ? nullptr : found->second.numbers.get();
}

StatisticsStore::NodeId StatisticsStore::nodeId(const std::string &node)
{
    return m_nodes.try_emplace(node, static_cast<NodeId>(m_nodes.size())).first->second;
}

StatisticsStore::Entry &StatisticsStore::entry(const LockName &lock, MonoTime now)
{
    auto &entry = *m_records.try_emplace(lock).first;
    auto &record = entry.second;
    if (!record.numbers) {
        record.numbers = std::make_shared<LockStatistics>();
        record.numbers->lock = lock;
    }
    record.touchedAt = now;
    return entry;
}

void StatisticsStore::touch(Entry &entry)
{
    if (!std::exchange(entry.second.changed, true))
        m_changed.push_back(&entry);
}

LockStatistics &StatisticsStore::change(Record &record)
{
    if (std::exchange(record.listed, false))
        record.numbers = std::make_shared<LockStatistics>(*record.numbers);
    return *record.numbers;
}

/// What is known of it. It waited whether somebody held the lock or not: a ghost at the head of a queue lets nobody by.
StatisticsStore::Micros StatisticsStore::waitedUntil(const OpenWait &wait, MonoTime now) const
{
    if (wait.life == Life::Unknown)
        return {};
    return std::chrono::duration_cast<Micros>(std::max(lastSeen(wait, now) - wait.since, MonoTime::duration{}));
}

MonoTime StatisticsStore::lastSeen(const OpenWait &wait, MonoTime now) const
{
    return std::min(wait.until.value_or(now), seenUntil(wait.node, now));
}

std::optional<MonoTime> StatisticsStore::blockedUntil(const Record &record, MonoTime now) const
{
    std::optional<MonoTime> until = record.blockedUntil;
    if (m_waitsKnown == WaitsKnown::FromQueues)
        for (const OpenWait &wait : record.waits)
            if (wait.life == Life::Listens)
                until = std::max(until, std::optional(lastSeen(wait, now)));
    return until;
}

StatisticsStore::Micros StatisticsStore::blockedAt(const Record &record, MonoTime now) const
{
    Micros blocked = record.blocked;
    if (m_waitsKnown == WaitsKnown::FromQueues)
        for (const OpenWait &wait : record.waits)
            blocked += waitedUntil(wait, now);
    return blocked;
}

void StatisticsStore::setBlocked(const LockName &lock, Millis blocked, std::optional<MonoTime> until, MonoTime now)
{
    const auto known = m_records.find(lock);
    if (known == m_records.end() ? blocked == Millis{ 0 }
                                 : rounded(known->second.blocked) == blocked && known->second.blockedUntil == until)
        return;
    auto &entry = this->entry(lock, now);
    touch(entry);
    entry.second.blocked = blocked;
    entry.second.blockedUntil = until;
}

MonoTime StatisticsStore::seenUntil(NodeId node, MonoTime now) const
{
    const auto unseen = m_unseenSince.find(node);
    return std::min(m_allUnseenSince.value_or(now), unseen == m_unseenSince.end() ? now : unseen->second);
}

void StatisticsStore::lookAtServers(const std::map<std::string, std::optional<MonoTime>> &unseenSince)
{
    m_allUnseenSince.reset();
    for (const auto &[node, since] : unseenSince) {
        if (node.empty())
            m_allUnseenSince = since;
        else if (since)
            m_unseenSince.insert_or_assign(nodeId(node), *since);
        else
            m_unseenSince.erase(nodeId(node));
    }
}

void StatisticsStore::queueSeen(const LockState &lock, MonoTime now)
{
    const auto known = m_records.find(lock.name);
    if (known == m_records.end() && std::ranges::none_of(lock.waiters, listens))
        return;
    auto &entry = known == m_records.end() ? this->entry(lock.name, now) : *known;
    dropFound(entry, nodeId(lock.node), lock.waiters, now);
    for (const Waiter &waiter : lock.waiters)
        waiterSeen(entry, lock, waiter);
}

/// Its end was told before the picture that shows it.
bool StatisticsStore::wasOver(Record &record, const Waiter &waiter)
{
    const auto ended = findOwner(record.ended, hashOf(waiter.owner));
    if (ended == record.ended.end() || waiter.since.at <= ended->since)
        return ended != record.ended.end();
    record.ended.erase(ended);
    return false;
}

/// One that went out of sight and stands there since the same moment has waited all the time: its time-out proves it.
void StatisticsStore::waiterSeen(Entry &entry, const LockState &lock, const Waiter &waiter)
{
    auto &record = entry.second;
    const auto owner = hashOf(waiter.owner);
    const auto node = nodeId(lock.node);
    auto wait = findOwner(record.waits, owner);
    if ((wait != record.waits.end() && wait->node != node) || wasOver(record, waiter))
        return; // the same one on another server, or an older picture
    if (wait != record.waits.end() && waiter.since.at > wait->since) { // it was away, and came again
        close(record, wait, waiter.since.at);
        wait = record.waits.end();
    }
    if (wait == record.waits.end()) {
        const bool hasIt = hasOwner(lock.holders, waiter.owner) || findOwner(record.holds, owner) != record.holds.end();
        if (!listens(waiter) || hasIt)
            return;
        wait = record.waits.insert(record.waits.end(), { owner, waiter.since.at, node, false });
    }
    touch(entry);
    wait->since = waiter.since.at;
    if (listens(waiter)) {
        wait->life = Life::Listens;
        wait->until.reset();
    } else if (isGhost(waiter) && wait->life != Life::Ghost) {
        const MonoTime last = waiter.listenedLast.value_or(wait->since); // it may have gone right after
        wait->until = std::max(std::min(wait->until.value_or(last), last), wait->since);
        wait->life = Life::Ghost;
    }
}

void StatisticsStore::queueGone(const LockState &lock, MonoTime now)
{
    if (const auto known = m_records.find(lock.name); known != m_records.end())
        dropFound(*known, nodeId(lock.node), {}, now);
}

void StatisticsStore::queueMoved(const LockState &before, const std::string &node)
{
    if (const auto known = m_records.find(before.name); known != m_records.end())
        moveWaits(known->second, nodeId(before.node), nodeId(node));
}

/// They are the same ones. Whether they waited on while the server was lost that had them, the queue tells.
void StatisticsStore::moveWaits(Record &record, NodeId from, NodeId to)
{
    const MonoTime seen = seenUntil(from, MonoTime::max());
    for (OpenWait &wait : record.waits) {
        if (wait.node != from)
            continue;
        wait.node = to;
        if (seen < MonoTime::max())
            loseSight(wait, seen);
    }
}

void StatisticsStore::loseSight(OpenWait &wait, MonoTime since)
{
    wait.until = std::min(wait.until.value_or(since), since);
    wait.isWhole = false;
}

/// Those who were found in its queue on that server, and stand there no more.
void StatisticsStore::dropFound(Entry &entry, NodeId node, const std::vector<Waiter> &queue, MonoTime now)
{
    const auto isFound = [node](const OpenWait &wait) { return !wait.isWhole && wait.node == node; };
    if (entry.second.ended.empty() && std::ranges::none_of(entry.second.waits, isFound))
        return;
    std::set<std::size_t> owners;
    for (const Waiter &waiter : queue)
        owners.insert(hashOf(waiter.owner));
    std::erase_if(entry.second.ended, [&](const EndedWait &wait) { return !owners.contains(wait.owner); });
    const auto isGone = [&](const OpenWait &wait) { return isFound(wait) && !owners.contains(wait.owner); };
    if (std::ranges::none_of(entry.second.waits, isGone))
        return;
    touch(entry);
    auto &record = entry.second;
    for (auto wait = record.waits.begin(); wait != record.waits.end();) {
        if (isGone(*wait))
            wait = close(record, wait, now);
        else
            ++wait;
    }
    record.touchedAt = now;
}

namespace {

/// When the hold or wait began that the event tells of; absent: it was not seen. Of a wait that a recording begins with
/// it is known since when it is: what was waited counts, and it is no whole one.
std::optional<MonoTime> beginOf(const Event &event, MonoTime now)
{
    if (event.kind == EventKind::Acquired)
        return now;
    const bool isKnown = event.kind == EventKind::FoundQueued && event.since && event.since->exact;
    return isKnown ? std::optional(now - (event.at - event.since->at)) : std::nullopt;
}

} // namespace

void StatisticsStore::heard(const Event &event, MonoTime now)
{
    if (event.kind == EventKind::Gap)
        return gap(event, now);
    if (event.kind == EventKind::MasterChanged)
        return masterChanged(event);
    const bool known = m_records.contains(event.lock);
    const auto begin = beginOf(event, now);
    const bool isFound = event.kind == EventKind::FoundQueued || (event.kind == EventKind::Appeared && !known);
    if (!event.owner || (isFound && !begin))
        return; // of a lock that is merely there nothing is counted yet; see queueSeen()
    auto &entry = this->entry(event.lock, now);
    touch(entry);
    auto &record = entry.second;
    const auto owner = hashOf(*event.owner);
    const auto node = nodeId(event.node);
    switch (event.kind) {
    case EventKind::Appeared:
    case EventKind::Acquired:
        waitEnded(record, owner, event, now);
        began(record, owner, node, event, begin);
        break;
    case EventKind::Renewed:
        renewed(record, owner, node, event, now);
        break;
    case EventKind::Reentered:
    case EventKind::PartlyReleased:
        wentOn(record, owner, node, event);
        break;
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Deleted:
        ended(record, owner, node, event, now);
        break;
    case EventKind::Queued:
        queued(record, owner, node, event.certainty, now);
        break;
    case EventKind::FoundQueued: // as a recording begins with, or what is told of again: since when it waits is known
        if (findOwner(record.waits, owner) == record.waits.end())
            record.waits.push_back({ owner, *begin, node, false });
        break;
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        waitEnded(record, owner, event, now);
        break;
    default:
        break;
    }
}

/// Where it is only concluded it was some time before: since when it waits, the queue tells.
void StatisticsStore::queued(Record &record, std::size_t owner, NodeId node, Certainty certainty, MonoTime now)
{
    const auto known = findOwner(record.waits, owner);
    if (known != record.waits.end() && known->node != node)
        return; // the same one on another server
    if (known != record.waits.end())
        close(record, known, now);
    if (certainty == Certainty::Seen)
        record.waits.push_back({ owner, now, node });
}

/// What went on while nothing could be seen is neither counted nor measured, unless the queue, or a hold's deadline,
/// tells that it went on.
void StatisticsStore::gap(const Event &event, MonoTime now)
{
    const auto node = nodeId(event.node);
    const MonoTime since = now - event.ttl.value_or(Millis{ 0 });
    const auto concerned = [&](const auto &open) { return event.node.empty() || open.node == node; };
    for (auto &entry : m_records) {
        auto &record = entry.second;
        std::erase_if(record.holds, [&](const OpenHold &hold) { return concerned(hold) && !hold.sight.mayGoOn(); });
        for (OpenHold &hold : record.holds) {
            if (!concerned(hold))
                continue;
            hold.sight.gap(event.at);
            hold.renewedAt.reset(); // and again in the gap, perhaps
        }
        for (OpenWait &wait : record.waits) {
            if (!concerned(wait))
                continue;
            loseSight(wait, since);
            record.touchedAt = now;
        }
        if (record.holds.empty())
            record.lastOwner.reset();
    }
}

/// What went on there goes on with the new one, as far as the gap tells that follows.
void StatisticsStore::masterChanged(const Event &event)
{
    const auto from = nodeId(event.formerMaster);
    const auto to = nodeId(event.node);
    m_unseenSince.erase(to); // from when it was the master before
    for (auto &[name, record] : m_records) {
        moveWaits(record, from, to);
        for (OpenHold &hold : record.holds)
            hold.node = hold.node == from ? to : hold.node;
    }
}

void StatisticsStore::began(
    Record &record, std::size_t owner, NodeId node, const Event &event, std::optional<MonoTime> began)
{
    const auto lost = findHold(record.holds, owner, node);
    if (lost != record.holds.end() && lost->sight.isUnseen())
        record.holds.erase(lost); // it is over
    const auto known = findOwner(record.holds, owner);
    const auto here = findHold(record.holds, owner, node);
    if (here != record.holds.end()) {
        ++here->times;
        return;
    }
    const HoldSight sight(event);
    if (event.certainty != Certainty::Seen)
        began.reset(); // when it was nobody knows
    if (known != record.holds.end()) { // on another server already
        record.holds.push_back({ .owner = owner, .node = node, .sight = sight, .began = known->began });
        return;
    }
    const bool isShared
        = std::any_of(record.holds.begin(), record.holds.end(), [node](const auto &open) { return open.node == node; });
    record.holds.push_back({ .owner = owner, .node = node, .sight = sight, .began = began });
    if (event.kind == EventKind::Acquired) {
        auto &numbers = change(record);
        ++numbers.acquires;
        if (!isShared && record.lastOwner && *record.lastOwner != owner)
            ++numbers.handOvers;
    }
    record.lastOwner = owner;
}

void StatisticsStore::wentOn(Record &record, std::size_t owner, NodeId node, const Event &event)
{
    const auto hold = findHold(record.holds, owner, node);
    if (hold != record.holds.end() && !hold->sight.goesOn(event))
        hold->began.reset();
}

void StatisticsStore::ended(Record &record, std::size_t owner, NodeId node, const Event &event, MonoTime now)
{
    record.lastOwner = owner; // even if it began unseen
    const auto here = findHold(record.holds, owner, node);
    if (here == record.holds.end() || --here->times > 0)
        return;
    const auto began = here->sight.sees(event) ? here->began : std::nullopt;
    record.holds.erase(here);
    if (!began || findOwner(record.holds, owner) != record.holds.end())
        return;
    auto &numbers = change(record);
    const auto duration = now - *began;
    record.held += duration;
    ++numbers.holds;
    numbers.heldTotal = rounded(record.held);
    numbers.heldLongest = std::max(numbers.heldLongest, rounded(duration));
    addDuration(record, rounded(duration));
}

void StatisticsStore::addDuration(Record &record, Millis duration)
{
    const auto limit = std::clamp(m_limits.durations / m_records.size(), FewestDurations, MostDurations);
    const auto value = static_cast<std::uint32_t>(std::min<std::int64_t>(duration.count(), UINT32_MAX));
    record.durationsChanged = true;
    if (record.durations.size() > limit) { // there were fewer locks
        record.durations.resize(limit);
        record.durations.shrink_to_fit();
    }
    if (record.durations.size() < limit) {
        record.durations.push_back(value);
        return;
    }
    record.nextDuration %= record.durations.size();
    record.durations[record.nextDuration++] = value;
}

void StatisticsStore::renewed(Record &record, std::size_t owner, NodeId node, const Event &event, MonoTime now)
{
    auto hold = findOwner(record.holds, owner);
    const bool wasLost = hold == record.holds.end() || hold->sight.isUnseen(); // held since before a gap
    wentOn(record, owner, node, event);
    if (hold != record.holds.end() && hold->node != node)
        return; // the same renewal on another server
    auto &numbers = change(record);
    ++numbers.renewals;
    if (hold == record.holds.end())
        hold = record.holds.insert(hold, { .owner = owner, .node = node, .sight = HoldSight(event) });
    if (hold->renewedAt) {
        const auto gap = now - *hold->renewedAt;
        record.gaps += gap;
        ++record.gapCount;
        numbers.renewalGapLongest = std::max(numbers.renewalGapLongest, rounded(gap));
        numbers.renewalGapMean = rounded(record.gaps / record.gapCount);
    }
    hold->renewedAt = now;
    if (wasLost && event.certainty == Certainty::Inferred)
        hold->renewedAt.reset(); // in the gap before: when is not known
}

void StatisticsStore::waitEnded(Record &record, std::size_t owner, const Event &event, MonoTime now)
{
    const auto wait = findOwner(record.waits, owner);
    if (wait == record.waits.end())
        return;
    const auto duration = now - wait->since;
    const bool isWhole = wait->isWhole && endsSeenWait(event);
    if (wait->life == Life::Unknown && (isWhole || event.kind == EventKind::Acquired))
        wait->life = Life::Listens; // it was over before anybody asked
    if (m_waitsKnown == WaitsKnown::FromQueues) {
        std::erase_if(record.ended, [owner](const EndedWait &ended) { return ended.owner == owner; });
        record.ended.push_back({ owner, wait->since });
    }
    close(record, wait, now);
    if (!isWhole)
        return;
    auto &numbers = change(record);
    record.waited += duration;
    ++numbers.waits;
    numbers.waitedTotal = rounded(record.waited);
    numbers.waitedLongest = std::max(numbers.waitedLongest, rounded(duration));
}

std::vector<StatisticsStore::OpenWait>::iterator StatisticsStore::close(
    Record &record, std::vector<OpenWait>::iterator wait, MonoTime now)
{
    if (m_waitsKnown == WaitsKnown::FromQueues)
        record.blocked += waitedUntil(*wait, now);
    return record.waits.erase(wait);
}

/// What is computed only when somebody looks.
void StatisticsStore::finish(Record &record, MonoTime now)
{
    if (const auto blocked = rounded(blockedAt(record, now)); blocked != record.numbers->blocked)
        change(record).blocked = blocked;
    if (const auto until = blockedUntil(record, now); until != record.numbers->blockedUntil)
        change(record).blockedUntil = until;
    if (std::exchange(record.durationsChanged, false))
        change(record).heldP99 = percentile99(record.durations);
}

std::shared_ptr<const StatisticsList> StatisticsStore::list(MonoTime now)
{
    if (m_forgetAt <= now && forget(now))
        listAll(now);
    else if (!m_changed.empty())
        listChanges(now);
    return m_list;
}

void StatisticsStore::listAll(MonoTime now)
{
    m_changed.clear();
    m_list = std::make_shared<const StatisticsList>();
    for (auto &entry : m_records) {
        entry.second.changed = false;
        touch(entry);
    }
    listChanges(now);
}

void StatisticsStore::listChanges(MonoTime now)
{
    StatisticsList::Changes changes;
    for (auto *entry : std::exchange(m_changed, {})) {
        auto &record = entry->second;
        record.changed = false;
        if (!record.waits.empty())
            touch(*entry); // goes on by itself
        finish(record, now);
        record.listed = hasNumbers(*record.numbers);
        changes.emplace(entry->first, record.listed ? record.numbers : nullptr);
    }
    auto list = std::make_shared<StatisticsList>(*m_list);
    list->apply(changes);
    m_list = std::move(list);
}

bool StatisticsStore::forget(MonoTime now)
{
    m_forgetAt = now + ForgetEvery;
    const auto before = m_records.size();
    const auto forgets = [&](const auto &entry, MonoTime limit) {
        const Record &record = entry.second;
        const auto isOver = [](const OpenWait &wait) { return wait.until.has_value(); };
        return std::ranges::all_of(record.waits, isOver) && record.touchedAt <= limit;
    };
    std::erase_if(m_records, [&](const auto &entry) {
        const Record &record = entry.second;
        const bool passing
            = record.holds.empty() && record.numbers->acquires <= 1 && record.numbers->blocked == Millis{ 0 };
        return forgets(entry, now - (passing ? m_limits.forgetPassingAfter : m_limits.forgetAfter));
    });
    if (m_records.size() <= m_limits.locks)
        return m_records.size() < before;
    std::vector<MonoTime> times;
    times.reserve(m_records.size());
    for (const auto &[name, record] : m_records)
        times.push_back(record.touchedAt);
    const auto oldest = times.begin() + static_cast<std::ptrdiff_t>(m_records.size() - m_limits.locks - 1);
    std::nth_element(times.begin(), oldest, times.end());
    std::erase_if(m_records, [&, limit = *oldest](const auto &entry) { return forgets(entry, limit); });
    return true;
}

} // namespace lockcore::monitor
