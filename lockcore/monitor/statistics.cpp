// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/statistics.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace lockcore::monitor {

namespace {

std::int64_t secondOf(MonoTime now) { return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count(); }

} // namespace

RateMeter::Bucket &RateMeter::bucket(MonoTime now)
{
    const auto second = secondOf(now);
    auto &bucket = m_buckets[static_cast<std::size_t>(second) % m_buckets.size()];
    if (bucket.second != second)
        bucket = Bucket{ .second = second };
    return bucket;
}

void RateMeter::start(MonoTime now)
{
    m_buckets = {};
    m_since = now;
    m_quiet = true;
}

void RateMeter::count(EventKind kind, Certainty certainty, MonoTime now)
{
    switch (kind) {
    case EventKind::Acquired:
        ++bucket(now).acquires;
        break;
    case EventKind::Renewed:
        ++bucket(now).renewals;
        break;
    case EventKind::Released:
    case EventKind::ForceReleased:
        ++bucket(now).releases;
        break;
    case EventKind::Expired:
        ++(certainty == Certainty::Seen ? bucket(now).expiries : bucket(now).likelyExpiries);
        break;
    default:
        return;
    }
    if (m_quiet)
        m_computedSecond = secondOf(now);
    m_quiet = false;
}

Rates RateMeter::rates(MonoTime now)
{
    const auto current = secondOf(now);
    Rates sum;
    m_quiet = true;
    for (const auto &bucket : m_buckets) {
        const auto age = current - bucket.second;
        if (bucket.second < 0 || age > Seconds)
            continue;
        m_quiet = false;
        if (age == 0)
            continue;
        sum.acquires += bucket.acquires;
        sum.renewals += bucket.renewals;
        sum.releases += bucket.releases;
        sum.expiries += bucket.expiries;
        sum.mayHaveMoreExpiries = sum.mayHaveMoreExpiries || bucket.likelyExpiries > 0;
    }
    m_computedSecond = current;
    const MonoTime to{ std::chrono::seconds{ current } };
    const auto tenBefore = to - std::chrono::seconds{ Seconds };
    const std::chrono::duration<double> seen = to - std::max(m_since.value_or(tenBefore), tenBefore);
    const double window = std::max(seen.count(), 1.0);
    return { sum.acquires / window, sum.renewals / window, sum.releases / window, sum.expiries / window,
        sum.mayHaveMoreExpiries };
}

std::optional<MonoTime> RateMeter::changesAt() const
{
    if (m_quiet)
        return std::nullopt;
    return MonoTime{ std::chrono::seconds{ m_computedSecond + 1 } };
}

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
    return numbers.acquires + numbers.renewals + numbers.waits > 0 || numbers.blocked > Millis{ 0 };
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

/// Whether it lives is not known before it was seen to.
bool listens(const Waiter &waiter) { return waiter.subscribed == true; }

bool holdsIt(const LockState &lock, const OwnerId &owner)
{
    return std::ranges::any_of(lock.holders, [&](const Holder &holder) { return holder.owner == owner; });
}

Millis percentile99(std::vector<std::uint32_t> durations)
{
    const auto rank = (durations.size() * 99 + 99) / 100 - 1;
    const auto place = durations.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(durations.begin(), place, durations.end());
    return Millis{ *place };
}

} // namespace

StatisticsStore::StatisticsStore(StatisticsLimits limits)
    : m_limits(limits)
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
        record.settledAt = now;
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

/// Whoever waited until now did so whether somebody held it or not: a ghost at the head of a queue lets nobody by. As
/// far as it was seen.
void StatisticsStore::settle(Record &record, MonoTime now)
{
    record.blocked += (now - record.settledAt)
        * std::ranges::count_if(record.waits, [this](const OpenWait &wait) { return isCounted(wait); });
    record.settledAt = now;
}

bool StatisticsStore::isCounted(const OpenWait &wait) const
{
    return m_limits.addsUpWaits && wait.life != Life::Ghost && isSeen(wait.node);
}

void StatisticsStore::setBlocked(const LockName &lock, Millis blocked, MonoTime now)
{
    const auto known = m_records.find(lock);
    if (known == m_records.end() ? blocked == Millis{ 0 } : rounded(known->second.blocked) == blocked)
        return;
    auto &entry = this->entry(lock, now);
    touch(entry);
    entry.second.blocked = blocked;
}

bool StatisticsStore::isSeen(NodeId node) const { return !m_allUnseen && !m_unseen.contains(node); }

void StatisticsStore::lookAtServers(const std::map<std::string, MonoTime> &unseenSince, MonoTime now)
{
    for (const auto &[node, since] : unseenSince)
        takeBack(node, since, now);
    if (m_unseen.empty() && !m_allUnseen && unseenSince.empty())
        return;
    for (auto &entry : m_records)
        settle(entry.second, now);
    m_unseen.clear();
    for (const auto &[node, since] : unseenSince)
        m_unseen.insert(nodeId(node));
    m_allUnseen = unseenSince.contains({});
}

/// That a server is lost is noticed some time later: until then its waits went on counting.
void StatisticsStore::takeBack(const std::string &node, MonoTime since, MonoTime now)
{
    const auto id = nodeId(node);
    for (auto &entry : m_records) {
        auto &record = entry.second;
        settle(record, now);
        for (const OpenWait &wait : record.waits)
            if ((node.empty() || wait.node == id) && isCounted(wait))
                record.blocked -= std::chrono::duration_cast<Micros>(
                    std::max(now - std::max(since, wait.countedSince), MonoTime::duration{}));
    }
}

void StatisticsStore::queueSeen(const LockState &lock, MonoTime now)
{
    const auto known = m_records.find(lock.name);
    if (known == m_records.end() && std::ranges::none_of(lock.waiters, listens))
        return;
    auto &entry = known == m_records.end() ? this->entry(lock.name, now) : *known;
    dropFound(entry, nodeId(lock.node), lock.waiters, now);
    for (const Waiter &waiter : lock.waiters) {
        const auto owner = hashOf(waiter.owner);
        const auto wait = findOwner(entry.second.waits, owner);
        if (wait == entry.second.waits.end()) {
            if (listens(waiter) && !holdsIt(lock, waiter.owner)
                && findOwner(entry.second.holds, owner) == entry.second.holds.end())
                waitsUntil(entry, now).push_back({ owner, now, now, nodeId(lock.node), false, Life::Listens });
        } else if (waiter.subscribed && wait->node == nodeId(lock.node)) {
            lives(entry, *wait, *waiter.subscribed, now);
        }
    }
}

/// Of one that was never seen to listen nothing counts in the end.
void StatisticsStore::lives(Entry &entry, OpenWait &wait, bool isListening, MonoTime now)
{
    const Life life = isListening ? Life::Listens : Life::Ghost;
    if (wait.life == life)
        return;
    waitsUntil(entry, now);
    if (wait.life == Life::Assumed && life == Life::Ghost && isCounted(wait))
        entry.second.blocked -= std::chrono::duration_cast<Micros>(now - wait.countedSince);
    if (wait.life == Life::Ghost)
        wait.countedSince = now;
    wait.life = life;
}

void StatisticsStore::queueGone(const LockState &lock, MonoTime now)
{
    if (const auto known = m_records.find(lock.name); known != m_records.end())
        dropFound(*known, nodeId(lock.node), {}, now);
}

/// Those who were found in its queue on that server, and stand there no more.
void StatisticsStore::dropFound(Entry &entry, NodeId node, const std::vector<Waiter> &queue, MonoTime now)
{
    const auto isFound = [node](const OpenWait &wait) { return !wait.isWhole && wait.node == node; };
    if (std::ranges::none_of(entry.second.waits, isFound))
        return;
    std::set<std::size_t> owners;
    for (const Waiter &waiter : queue)
        owners.insert(hashOf(waiter.owner));
    const auto isGone = [&](const OpenWait &wait) { return isFound(wait) && !owners.contains(wait.owner); };
    if (std::ranges::none_of(entry.second.waits, isGone))
        return;
    std::erase_if(waitsUntil(entry, now), isGone);
    entry.second.touchedAt = now;
}

/// The waits of a lock, to be changed: until now they were as they are.
std::vector<StatisticsStore::OpenWait> &StatisticsStore::waitsUntil(Entry &entry, MonoTime now)
{
    touch(entry);
    settle(entry.second, now);
    return entry.second.waits;
}

void StatisticsStore::heard(const Event &event, MonoTime now)
{
    if (event.kind == EventKind::Gap)
        return gap(event, now);
    const bool known = m_records.contains(event.lock);
    if (!event.owner || event.kind == EventKind::FoundQueued || (event.kind == EventKind::Appeared && !known))
        return; // of a lock that is merely there nothing is counted yet; see queueSeen()
    auto &entry = this->entry(event.lock, now);
    touch(entry);
    auto &record = entry.second;
    settle(record, now);
    const auto owner = hashOf(*event.owner);
    const auto node = nodeId(event.node);
    switch (event.kind) {
    case EventKind::Appeared:
    case EventKind::Acquired:
        waitEnded(record, owner, now);
        began(record, owner, node, event.kind == EventKind::Acquired, now);
        break;
    case EventKind::Renewed: {
        const bool isFirst = findOwner(record.holds, owner) == record.holds.end();
        renewed(record, owner, node, now);
        if (isFirst && event.certainty == Certainty::Inferred)
            record.holds.back().renewedAt.reset(); // in the gap before: when is not known
        break;
    }
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Deleted:
        ended(record, owner, node, now);
        break;
    case EventKind::Queued:
        if (event.certainty == Certainty::Inferred)
            break; // some time before: how long it waits is not known
        if (findOwner(record.waits, owner) == record.waits.end())
            record.waits.push_back({ owner, now, now, node });
        break;
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        waitEnded(record, owner, now);
        break;
    default:
        break;
    }
}

/// What went on while nothing could be seen is neither counted nor measured.
void StatisticsStore::gap(const Event &event, MonoTime now)
{
    const auto node = nodeId(event.node);
    takeBack(event.node, now - event.ttl.value_or(Millis{ 0 }), now);
    const auto concerned = [&](const auto &open) { return event.node.empty() || open.node == node; };
    for (auto &entry : m_records) {
        auto &record = entry.second;
        std::erase_if(record.holds, concerned);
        if (std::erase_if(record.waits, concerned) > 0)
            record.touchedAt = now;
        if (record.holds.empty())
            record.lastOwner.reset();
    }
}

void StatisticsStore::began(Record &record, std::size_t owner, NodeId node, bool acquired, MonoTime now)
{
    const auto began = acquired ? std::optional(now) : std::nullopt;
    const auto known = findOwner(record.holds, owner);
    const auto here = findHold(record.holds, owner, node);
    if (here != record.holds.end()) {
        ++here->times;
        return;
    }
    if (known != record.holds.end()) { // on another server already
        record.holds.push_back({ owner, node, 1, known->began, {} });
        return;
    }
    const bool isShared
        = std::any_of(record.holds.begin(), record.holds.end(), [node](const auto &open) { return open.node == node; });
    record.holds.push_back({ owner, node, 1, began, {} });
    if (acquired) {
        auto &numbers = change(record);
        ++numbers.acquires;
        if (!isShared && record.lastOwner && *record.lastOwner != owner)
            ++numbers.handOvers;
    }
    record.lastOwner = owner;
}

void StatisticsStore::ended(Record &record, std::size_t owner, NodeId node, MonoTime now)
{
    record.lastOwner = owner; // even if it began unseen
    const auto here = findHold(record.holds, owner, node);
    if (here == record.holds.end() || --here->times > 0)
        return;
    const auto began = here->began;
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

void StatisticsStore::renewed(Record &record, std::size_t owner, NodeId node, MonoTime now)
{
    const auto hold = findOwner(record.holds, owner);
    if (hold != record.holds.end() && hold->node != node)
        return; // the same renewal on another server
    auto &numbers = change(record);
    ++numbers.renewals;
    if (hold == record.holds.end()) { // held since before a gap
        record.holds.push_back({ owner, node, 1, {}, now });
        return;
    }
    if (hold->renewedAt) {
        const auto gap = now - *hold->renewedAt;
        record.gaps += gap;
        ++record.gapCount;
        numbers.renewalGapLongest = std::max(numbers.renewalGapLongest, rounded(gap));
        numbers.renewalGapMean = rounded(record.gaps / record.gapCount);
    }
    hold->renewedAt = now;
}

void StatisticsStore::waitEnded(Record &record, std::size_t owner, MonoTime now)
{
    const auto wait = findOwner(record.waits, owner);
    if (wait == record.waits.end())
        return;
    const auto duration = now - wait->began;
    const bool isWhole = wait->isWhole;
    record.waits.erase(wait);
    if (!isWhole)
        return;
    auto &numbers = change(record);
    record.waited += duration;
    ++numbers.waits;
    numbers.waitedTotal = rounded(record.waited);
    numbers.waitedLongest = std::max(numbers.waitedLongest, rounded(duration));
}

/// What is computed only when somebody looks.
void StatisticsStore::finish(Record &record, MonoTime now)
{
    settle(record, now);
    if (rounded(record.blocked) != record.numbers->blocked)
        change(record).blocked = rounded(record.blocked);
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
        return record.waits.empty() && record.touchedAt <= limit;
    };
    std::erase_if(m_records, [&](const auto &entry) {
        const Record &record = entry.second;
        const bool passing = record.holds.empty() && record.numbers->acquires <= 1 && record.blocked == Micros{ 0 };
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
