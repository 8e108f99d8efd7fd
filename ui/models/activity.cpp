// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity.h"

#include "lockcore/monitor/analysis.h"
#include "ui/models/attention.h"
#include "ui/support/event_store.h"
#include "ui/text/event_text.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::size_t MostOpen = 200'000; // holds or waits under way; beyond that new ones are not measured
constexpr std::size_t MostUnseen = 4'096; // a gap a second
constexpr std::size_t MostEnded = 50'000; // of all locks together
constexpr std::size_t MostServerEvents = 500;

std::int64_t secondOf(WallTime at) { return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count(); }

WallTime atSecond(std::int64_t second) { return WallTime(std::chrono::seconds(second)); }

std::int64_t sliceOf(WallTime at) { return secondOf(at) / Activity::Slice.count(); }

std::size_t hashOf(const LockName &lock, const OwnerId &owner)
{
    const std::hash<std::string> hash;
    std::size_t sum = hash(lock);
    for (const std::string *part : { &owner.client, &owner.thread })
        sum = sum * 1'099'511'628'211U + hash(*part);
    return sum;
}

} // namespace

namespace {

void addAt(std::map<MonoTime, std::int64_t> &counts, MonoTime at, std::int64_t count)
{
    if (count != 0 && (counts[at] += count) == 0)
        counts.erase(at);
}

std::optional<SeenLast> spanOf(const std::map<MonoTime, std::int64_t> &counts)
{
    return counts.empty() ? std::nullopt : std::optional(SeenLast{ counts.begin()->first, counts.rbegin()->first });
}

} // namespace

const LockCounts &LockCounter::count(const LockList &locks, const Losses &losses)
{
    if (losses != m_losses) {
        *this = {};
        m_losses = losses;
    }
    forEachDifference(m_counted, locks, [this](const auto &before, const auto &now) {
        if (before)
            add(*before, -1);
        if (now)
            add(*now, 1);
    });
    m_counted = locks;
    m_counts.allKnown = m_unknown == 0;
    m_counts.heldSeen = spanOf(m_heldLost);
    m_counts.waitingSeen = spanOf(m_waitingLost);
    m_counts.busiest = m_waitedFor.empty() ? std::nullopt : std::optional(m_waitedFor.begin()->second);
    return m_counts;
}

void LockCounter::add(const LockState &lock, std::int64_t times)
{
    const auto waiting = waitingCount(lock);
    const auto lostAt = m_losses.empty() ? std::nullopt : lostSince(m_losses, lock);
    if (lostAt) {
        const std::int64_t held = isHeld(lock) ? times : 0;
        m_counts.lost += times;
        m_counts.heldLost += held;
        m_counts.waitingLost += waiting.value_or(0) * times;
        addAt(m_heldLost, *lostAt, held);
        addAt(m_waitingLost, *lostAt, waiting.value_or(0) * times);
    }
    m_counts.held += isHeld(lock) ? times : 0;
    m_counts.waiting += waiting.value_or(0) * times;
    m_counts.ghosts += ghostCount(lock) * times;
    m_counts.atChannels += isCountedAtChannel(lock) ? times : 0;
    m_unknown += !waiting || mayMoreWait(lock) ? times : 0;
    if (lostAt)
        return;
    if (waiting.value_or(0) > 0 && times > 0)
        m_waitedFor.emplace(-*waiting, lock.name);
    else if (waiting.value_or(0) > 0)
        m_waitedFor.erase({ -*waiting, lock.name });
}

ActivityCounts &ActivityCounts::operator+=(const ActivityCounts &other)
{
    acquires += other.acquires;
    renewals += other.renewals;
    releases += other.releases;
    expiries += other.expiries;
    forced += other.forced;
    likelyExpiries += other.likelyExpiries;
    return *this;
}

void Activity::clear() { *this = {}; }

/// The servers are the same as before, and what they are is not told anew.
void Activity::heardFrom(WallTime moment)
{
    const bool areCopies = m_areCopies;
    const std::size_t serverCount = m_serverCount;
    m_serverEvents.clear();
    restart(moment);
    m_isSinceTold = true;
    m_areCopies = areCopies;
    m_serverCount = serverCount;
}

void Activity::restart(WallTime since)
{
    const auto heard = std::exchange(m_serverEvents, {});
    clear();
    m_serverEvents = heard; // the first may be told before anything is seen
    m_slots.resize(static_cast<std::size_t>(Kept.count()) + 1); // and the second that still runs
    m_since = since;
}

Activity::Slot &Activity::slot(Second second)
{
    Slot &slot = m_slots[static_cast<std::size_t>(second) % m_slots.size()];
    if (slot.second < second)
        slot = Slot{ second, {}, {} };
    m_newest = std::max(m_newest, second);
    return slot;
}

void Activity::heard(const std::vector<Event> &events)
{
    std::ranges::copy_if(events, std::back_inserter(m_serverEvents), isOfServer, &Event::kind);
    while (m_serverEvents.size() > MostServerEvents)
        m_serverEvents.pop_front();
    // Some are told before the first picture comes, or happened before it and are told after.
    if (const auto first = firstOfLocks(events); first && !m_since)
        restart(*first);
    else if (first && !m_isSinceTold && *first >= *m_since - EventStore::HeardWithin)
        m_since = std::min(*m_since, *first);
    if (!m_since)
        return;
    for (const Event &event : events)
        if (event.at >= *m_since) // else it is of what was before: a recording tells that after a jump
            count(event);
    while (!m_slices.empty() && m_slices.begin()->first < m_slices.rbegin()->first - Kept / Slice)
        m_slices.erase(m_slices.begin());
}

Activity::Servers Activity::serverOf(const std::string &node)
{
    return m_servers.try_emplace(node, Servers(1) << (m_servers.size() % 64)).first->second;
}

/// False: it is the same one on another server.
bool Activity::begin(Opens &opens, std::size_t key, const Event &event)
{
    const Servers server = serverOf(event.node);
    const auto began = event.certainty == Certainty::Seen ? std::optional(event.at) : std::nullopt;
    if (const auto found = opens.find(key); found != opens.end()) {
        Open &open = found->second;
        const bool isHere = (open.servers & server) != 0;
        if (m_areCopies && !isHere && (&opens == &m_holds ? open.servers != 0 : !open.ended)) {
            open.servers |= server;
            return false;
        }
        if (!m_areCopies && isHere && event.lockKind == synchronizers::Kind::ReadWrite && !open.sight.isUnseen())
            ++open.times;
        else
            open = { began, server, HoldSight(event) };
    } else if (opens.size() < MostOpen) {
        opens.emplace(key, Open{ began, server, HoldSight(event) });
    }
    return true;
}

/// It began before it was watched, also where a recording knows since when it is so. On independent servers it goes on
/// until the last one of those that were found to have it has it no more.
void Activity::found(std::size_t key, const Event &event)
{
    if (!m_areCopies || !begin(m_holds, key, event))
        return;
    if (const auto hold = m_holds.find(key); hold != m_holds.end())
        hold->second.began.reset();
}

/// What was told before it was known that the servers are independent does not tell of all that have a hold.
void Activity::seed(const LockList &locks)
{
    if (!m_areCopies || std::exchange(m_isSeeded, true))
        return;
    for (const auto &lock : locks)
        for (const auto &member : lock->members)
            for (const Holder &holder : member->holders)
                if (m_holds.size() < MostOpen)
                    m_holds[hashOf(lock->name, holder.owner)].servers |= serverOf(member->node);
}

void Activity::goOn(std::size_t key, const Event &event)
{
    const auto hold = m_holds.find(key);
    if (hold != m_holds.end() && (hold->second.servers & serverOf(event.node)) != 0
        && !hold->second.sight.goesOn(event))
        hold->second.began.reset();
}

/// Of independent servers the first one that has the hold speaks for all.
bool Activity::isFirstRenewal(std::size_t key, const Event &event)
{
    if (!m_areCopies)
        return true;
    const Servers server = serverOf(event.node);
    if (!m_holds.contains(key) && m_holds.size() >= MostOpen)
        return true;
    Servers &servers = m_holds[key].servers;
    servers |= server;
    return (servers & (~servers + 1)) == server; // the lowest bit
}

/// False: on another server it goes on, or it is the end of the same wait there.
bool Activity::end(Opens &opens, std::size_t key, const Event &event, DurationHistogram Durations::*durations)
{
    const auto found = opens.find(key);
    if (found == opens.end()) {
        if (m_areCopies && &opens == &m_holds && opens.size() < MostOpen)
            opens[key] = {}; // begun before: the other servers are still to tell of its end
        return true;
    }
    Open &open = found->second;
    const Servers server = serverOf(event.node);
    if (m_areCopies && (open.servers & server) == 0)
        return false;
    if (--open.times > 0)
        return true;
    open.times = 1; // on each of the others
    open.servers &= ~server;
    const bool isOver = !m_areCopies || open.servers == 0;
    const bool isMeant = &opens == &m_holds ? isOver : !std::exchange(open.ended, true);
    if (isMeant && open.began && open.sight.sees(event))
        measure(event, std::max(Millis(0), event.at - *open.began), durations);
    if (isOver)
        opens.erase(found);
    return isMeant;
}

void Activity::measure(const Event &event, Millis took, DurationHistogram Durations::*durations)
{
    (m_slices[sliceOf(event.at)].*durations).add(took);
    m_ended.push_back({ event.at, took, std::hash<std::string>()(event.lock), durations == &Durations::waits });
    if (m_ended.size() > MostEnded)
        m_ended.pop_front();
}

void Activity::count(const Event &event)
{
    if (event.kind == EventKind::Gap)
        return gap(event);
    if (!event.owner)
        return; // permits and latches are held by nobody
    Slot &slot = this->slot(secondOf(event.at));
    if (slot.second != secondOf(event.at))
        return; // too old
    const std::size_t key = hashOf(event.lock, *event.owner);
    switch (event.kind) {
    case EventKind::Acquired:
        slot.counts.acquires += begin(m_holds, key, event) && !isOfGap(event) ? 1 : 0;
        if (const auto hold = m_holds.find(key); hold != m_holds.end() && isOfGap(event))
            hold->second.began.reset();
        endWait(key, event); // where it was not told that the wait ended
        break;
    case EventKind::Renewed:
        goOn(key, event);
        slot.counts.renewals += isFirstRenewal(key, event) && !isOfGap(event) ? 1 : 0;
        break;
    case EventKind::Released:
        slot.counts.releases += endHold(key, event) ? 1 : 0;
        break;
    case EventKind::Expired:
        if (endHold(key, event)) {
            ++(event.certainty == Certainty::Seen ? slot.counts.expiries : slot.counts.likelyExpiries);
            m_lastExpiry = event;
        }
        break;
    case EventKind::ForceReleased:
        slot.counts.forced += endHold(key, event) ? 1 : 0;
        break;
    case EventKind::Deleted:
        endHold(key, event);
        break;
    case EventKind::Queued:
        if (event.certainty == Certainty::Seen) // else some time before
            begin(m_waits, key, event);
        break;
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        endWait(key, event);
        break;
    case EventKind::Reentered:
    case EventKind::PartlyReleased:
        goOn(key, event);
        break;
    case EventKind::Appeared:
        found(key, event);
        break;
    case EventKind::FoundQueued:
    case EventKind::PermitsChanged:
    case EventKind::CountChanged:
    case EventKind::Gap:
    case EventKind::MasterChanged:
    case EventKind::ServerRestarted:
    case EventKind::SlowCommand:
    case EventKind::ClientsPaused:
    case EventKind::DatabaseEmptied:
    case EventKind::DatabasesSwapped:
        break;
    }
}

/// It is concluded from what was found after a gap: in that it happened, at no moment that is known.
bool Activity::isOfGap(const Event &event) const
{
    if (event.certainty != Certainty::Inferred)
        return false;
    const auto isBefore = [&](const std::string &node) {
        const auto over = m_gapEnds.find(node);
        return over != m_gapEnds.end() && event.at >= over->second && event.at <= over->second + NoticedSoon;
    };
    return isBefore(event.node) || isBefore({});
}

void Activity::endWait(std::size_t key, const Event &event)
{
    if (endsSeenWait(event))
        end(m_waits, key, event, &Durations::waits);
    else
        m_waits.erase(key);
}

/// False: on another server it goes on.
bool Activity::endHold(std::size_t key, const Event &event)
{
    constexpr std::size_t MostInferred = 1'000;
    if (!end(m_holds, key, event, &Durations::holds))
        return false;
    if (event.certainty == Certainty::Inferred)
        m_inferredEnds.push_back({ key, event.at });
    if (m_inferredEnds.size() > MostInferred)
        m_inferredEnds.pop_front();
    return true;
}

void Activity::wasForced(const Event &end)
{
    const std::size_t key = hashOf(end.lock, *end.owner);
    const bool wasCounted = std::erase_if(m_inferredEnds, [&](const InferredEnd &each) {
        return each.key == key && each.at == end.at;
    }) > 0;
    const Second second = secondOf(end.at);
    if (!wasCounted || end.kind == EventKind::ForceReleased || slot(second).second != second)
        return;
    ActivityCounts &counts = slot(second).counts;
    ++counts.forced;
    counts.releases -= end.kind == EventKind::Released ? 1 : 0;
    counts.likelyExpiries -= end.kind == EventKind::Expired ? 1 : 0;
    if (m_lastExpiry == end)
        m_lastExpiry.reset();
}

/// What ended meanwhile was not seen to end. Of a hold with a deadline that is told afterwards.
void Activity::gap(const Event &event)
{
    m_gapEnds[event.node] = event.at;
    const Servers servers = event.node.empty() ? ~Servers(0) : serverOf(event.node);
    for (Opens *opens : { &m_holds, &m_waits }) {
        for (auto &[key, open] : *opens) {
            const bool mayGoOn = opens == &m_holds && open.sight.mayGoOn();
            if (mayGoOn && (open.servers & ~servers) == 0)
                open.sight.gap(event.at);
            else if (!mayGoOn || !m_areCopies)
                open.servers &= ~servers;
        }
        std::erase_if(*opens, [](const auto &open) { return open.second.servers == 0; });
    }
    if (event.ttl) // of one server all was seen there, or not
        addUnseen({ event.at - *event.ttl, event.at, m_serverCount > 1 ? event.node : std::string() });
}

void Activity::addUnseen(UnseenSpan span)
{
    while (!m_unseen.empty() && (m_unseen.size() >= MostUnseen || m_unseen.front().to < span.to - Kept))
        m_unseen.pop_front();
    m_unseen.push_back(std::move(span));
}

/// Counts only what has changed.
void Activity::observe(const Snapshot &snapshot)
{
    const bool isSeen = isFresh(snapshot) || snapshot.status.phase == SourcePhase::Sweeping;
    const WallTime now = snapshot.takenAt.wall;
    compareClocks(snapshot.takenAt);
    if (!m_since && isSeen)
        restart(now);
    if (!m_since)
        return;
    m_observed = snapshot.takenAt;
    lookAtServers(snapshot, isSeen);
    const Second second = secondOf(now);
    Slot &slot = this->slot(second);
    const bool isWhole = isSeen && lostServers(snapshot).empty(); // what those have is as it was
    if (!isWhole) {
        goOnUntil(secondOf(lostSince().value_or(now)));
        m_sampledAt = -1;
    }
    const bool isFirstSweep = snapshot.status.phase == SourcePhase::Sweeping && !snapshot.status.lastSweep;
    m_goesOn = isSeen && !isFirstSweep;
    if (!isWhole || isFirstSweep || slot.second != second)
        return; // what the first sweep has found so far would look as if locks were taken
    const LockCounts &locks = m_counter.count(snapshot.locks);
    slot.sample = ActivitySample{ locks.held, locks.waiting, {} };
    if (const auto &analysis = snapshot.analysis)
        slot.sample->suspects = foundCount(*analysis);
    goOnUntil(second);
    m_sampledAt = second;
}

/// Where nothing changes, there is no snapshot: what was sampled last was so ever since.
void Activity::goOnUntil(Second end)
{
    if (m_sampledAt < 0)
        return;
    const auto unchanged = slot(m_sampledAt).sample;
    for (Second between = std::max(m_sampledAt + 1, end - Kept.count()); between < end; ++between)
        slot(between).sample = unchanged;
}

/// Since when not all is seen; absent: it is.
std::optional<WallTime> Activity::lostSince() const
{
    std::optional<WallTime> first = m_unseenSince;
    for (const auto &[node, since] : m_lost)
        first = std::min(first.value_or(since), since);
    return first;
}

/// All is kept by the wall clock. When that is set back, the same seconds come twice; when it is set forward, nothing
/// was seen of what it leapt over, and what was under way is longer by that.
void Activity::compareClocks(const Now &now)
{
    constexpr std::chrono::seconds Noticed{ 2 };
    if (!m_observed)
        return;
    const auto wallPassed = now.wall - m_observed->wall;
    const auto step = wallPassed - std::chrono::duration_cast<Millis>(now.mono - m_observed->mono);
    if (step < -Noticed)
        return clear();
    if (step <= Noticed)
        return;
    m_holds.clear();
    m_waits.clear();
    m_sampledAt = -1;
    addUnseen({ m_observed->wall, now.wall, {} });
}

/// Which of them are lost, and since when. Of each the gap is told when it is seen again; that there was a time when
/// nothing at all was seen, is not.
void Activity::lookAtServers(const Snapshot &snapshot, bool isSeen)
{
    const WallTime now = snapshot.takenAt.wall;
    const auto lostAt = [&](const SourceStatus &status) {
        const MonoTime since = std::min(status.staleSince.value_or(snapshot.takenAt.mono), snapshot.takenAt.mono);
        return std::max(*m_since, now - std::chrono::duration_cast<Millis>(snapshot.takenAt.mono - since));
    };
    if (!snapshot.locks.empty())
        m_areCopies = (*snapshot.locks.begin())->quorum.has_value();
    seed(snapshot.locks);
    m_serverCount = static_cast<std::size_t>(
        std::ranges::count_if(snapshot.nodes, [](const NodeStatus &node) { return node.role != NodeRole::Replica; }));
    if (!isSeen && !m_unseenSince) {
        m_unseenSince = lostAt(snapshot.status);
    } else if (isSeen && m_unseenSince) {
        if (m_serverCount > 1)
            addUnseen({ *m_unseenSince, now, {} });
        m_unseenSince.reset();
    }
    const std::set<std::string> lost = lostServers(snapshot);
    std::erase_if(m_lost, [&](const auto &each) { return !lost.contains(each.first); });
    for (const NodeStatus &node : snapshot.nodes)
        if (lost.contains(node.node))
            m_lost.try_emplace(node.node, lostAt(node.status));
    const std::set<std::string> unreached = unreachedServers(snapshot);
    std::erase_if(m_unreached, [&](const std::string &node) {
        if (unreached.contains(node) || !isFresh(snapshot))
            return false;
        addUnseen({ *m_since, now, node }); // no gap is told of that time
        return true;
    });
    m_unreached.insert(unreached.begin(), unreached.end());
}

std::vector<Activity::Step> Activity::steps(WallTime to, std::chrono::seconds step, int count) const
{
    std::vector<Step> steps(static_cast<std::size_t>(count));
    if (m_slots.empty())
        return steps;
    const Second length = step.count();
    const Second end = secondOf(to) / length * length;
    Second second = end - length * count;
    auto gaps = unseen(atSecond(second), atSecond(end));
    std::erase_if(gaps, [](const UnseenSpan &span) { return !span.node.empty(); }); // the others were seen
    const auto isUnseen = [&](Second at) {
        return std::ranges::any_of(
            gaps, [at](const UnseenSpan &span) { return span.from <= atSecond(at) && span.to >= atSecond(at + 1); });
    };
    const bool isSampled = m_sampledAt >= 0;
    for (Step &each : steps) {
        for (Second i = 0; i < length; ++i, ++second) {
            const bool isSeen
                = (second <= m_newest || m_goesOn) && second > m_newest - Kept.count() && !isUnseen(second);
            each.isSeen = each.isSeen || isSeen;
            if (isSampled && second > m_sampledAt && isSeen)
                each.sample = m_slots[static_cast<std::size_t>(m_sampledAt) % m_slots.size()].sample;
            const Slot &slot = m_slots[static_cast<std::size_t>(second) % m_slots.size()];
            if (slot.second != second || !isKept(slot))
                continue;
            each.counts += slot.counts;
            if (slot.sample)
                each.sample = slot.sample;
        }
    }
    return steps;
}

ActivityCounts Activity::sum(WallTime from, WallTime to) const
{
    ActivityCounts sum;
    for (const Slot &slot : m_slots)
        if (slot.second >= secondOf(from) && slot.second < secondOf(to) && isKept(slot))
            sum += slot.counts;
    return sum;
}

std::vector<UnseenSpan> Activity::unseen(WallTime from, WallTime to) const
{
    std::vector<UnseenSpan> spans;
    if (m_since && from < *m_since)
        spans.push_back({ from, std::min(to, *m_since), {} });
    for (const UnseenSpan &span : m_unseen)
        if (span.to > from && span.from < to)
            spans.push_back(span);
    if (m_unseenSince && *m_unseenSince < to)
        spans.push_back({ *m_unseenSince, to, {} });
    for (const auto &[node, since] : m_lost)
        if (since < to)
            spans.push_back({ since, to, node });
    if (m_since && *m_since < to)
        for (const std::string &node : m_unreached)
            spans.push_back({ *m_since, to, node });
    return spans;
}

Millis Activity::seen(WallTime from, WallTime to) const
{
    auto spans = unseen(from, to);
    std::erase_if(spans, [](const UnseenSpan &span) { return !span.node.empty(); });
    std::ranges::sort(spans, {}, &UnseenSpan::from);
    Millis seen{ 0 };
    for (const UnseenSpan &span : spans) {
        seen += std::max(Millis(0), span.from - from);
        from = std::max(from, span.to);
    }
    return seen + std::max(Millis(0), to - from);
}

bool Activity::isSeenWhole(WallTime from, WallTime to) const
{
    return m_since && to - from <= Kept && secondOf(from) > m_newest - Kept.count() && unseen(from, to).empty();
}

DurationHistogram Activity::sum(WallTime from, WallTime to, DurationHistogram Durations::*of) const
{
    DurationHistogram sum;
    const auto end = m_slices.lower_bound(sliceOf(to));
    for (auto slice = m_slices.lower_bound(sliceOf(from)); slice != end; ++slice)
        sum.add(slice->second.*of);
    return sum;
}

DurationHistogram Activity::holds(WallTime from, WallTime to) const { return sum(from, to, &Durations::holds); }

DurationHistogram Activity::waits(WallTime from, WallTime to) const { return sum(from, to, &Durations::waits); }

DurationsOfLock Activity::ofLock(const LockName &lock, WallTime from, WallTime to, bool isWait) const
{
    DurationsOfLock of;
    const bool isFull = m_ended.size() == MostEnded;
    of.since = std::max({ from, m_since.value_or(to), isFull ? m_ended.front().at : from });
    const std::size_t hash = std::hash<std::string>()(lock);
    for (const Ended &ended : m_ended)
        if (ended.lock == hash && ended.isWait == isWait && ended.at >= from && ended.at < to)
            of.histogram.add(ended.took);
    return of;
}

std::vector<Event> Activity::serverEvents(WallTime from, WallTime to) const
{
    std::vector<Event> events;
    std::ranges::copy_if(m_serverEvents, std::back_inserter(events),
        [&](const Event &event) { return happenedAt(event) >= from && happenedAt(event) < to; });
    std::ranges::stable_sort(events, {}, happenedAt);
    return events;
}

} // namespace lockui
