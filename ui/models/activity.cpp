// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/activity.h"

#include "lockcore/monitor/analysis.h"
#include "ui/models/row_diff.h"
#include "ui/support/freshness.h"
#include "ui/text/lock_text.h"

#include <algorithm>
#include <functional>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::size_t MostOpen = 200'000; // holds or waits under way; beyond that new ones are not measured
constexpr std::size_t MostUnseen = 256;
constexpr std::int64_t LongestRest = 5; // seconds from one snapshot to the next while nothing changes

std::int64_t secondOf(WallTime at) { return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count(); }

std::int64_t minuteOf(WallTime at) { return std::chrono::floor<std::chrono::minutes>(at).time_since_epoch().count(); }

std::size_t hashOf(const Event &event)
{
    const std::hash<std::string> hash;
    std::size_t sum = hash(event.lock);
    for (const std::string *part : { &event.owner->client, &event.owner->thread })
        sum = sum * 1'099'511'628'211U + hash(*part);
    return sum;
}

} // namespace

LockCounts countLocks(const LockList &locks)
{
    LockCounts counts;
    for (const auto &lock : locks) {
        counts.held += isFree(*lock) ? 0 : 1;
        const auto waiting = waitingCount(*lock);
        counts.waiting += waiting.value_or(0);
        counts.allKnown = counts.allKnown && waiting && (*waiting == 0 || !lock->waiters.empty());
        if (waiting.value_or(0) > counts.atBusiest) {
            counts.busiest = lock->name;
            counts.atBusiest = *waiting;
        }
    }
    return counts;
}

ActivityCounts &ActivityCounts::operator+=(const ActivityCounts &other)
{
    acquires += other.acquires;
    renewals += other.renewals;
    releases += other.releases;
    expiries += other.expiries;
    forced += other.forced;
    return *this;
}

void Activity::clear() { *this = {}; }

void Activity::restart(WallTime since)
{
    clear();
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
    if (!m_since)
        return;
    for (const Event &event : events)
        count(event);
    while (!m_minutes.empty() && m_minutes.begin()->first < m_minutes.rbegin()->first - 60)
        m_minutes.erase(m_minutes.begin());
}

/// False: it is the same one on another server.
bool Activity::begin(Opens &opens, std::size_t key, std::size_t node, WallTime at)
{
    if (opens.size() >= MostOpen)
        return true;
    const auto [open, isNew] = opens.try_emplace(key, Open{ at, node });
    if (!isNew && open->second.node != node)
        return false;
    open->second = { at, node };
    return true;
}

void Activity::count(const Event &event)
{
    if (event.kind == EventKind::Gap)
        return gap(event);
    Slot &slot = this->slot(secondOf(event.at));
    if (slot.second != secondOf(event.at))
        return; // too old
    const std::size_t key = event.owner ? hashOf(event) : 0;
    const std::size_t node = std::hash<std::string>()(event.node);
    const auto end = [&](Opens &opens, DurationHistogram Durations::*durations) {
        const auto open = event.owner ? opens.find(key) : opens.end();
        if (open == opens.end())
            return;
        (m_minutes[minuteOf(event.at)].*durations).add(std::max(Millis(0), event.at - open->second.began));
        opens.erase(open);
    };
    switch (event.kind) {
    case EventKind::Acquired:
        if (!event.owner || begin(m_holds, key, node, event.at))
            ++slot.counts.acquires;
        if (event.owner)
            end(m_waits, &Durations::waits); // where it was not told that the wait ended
        break;
    case EventKind::Renewed:
        ++slot.counts.renewals;
        break;
    case EventKind::Released:
        ++slot.counts.releases;
        end(m_holds, &Durations::holds);
        break;
    case EventKind::Expired:
        ++slot.counts.expiries;
        m_lastExpiry = event;
        end(m_holds, &Durations::holds);
        break;
    case EventKind::ForceReleased:
        ++slot.counts.forced;
        end(m_holds, &Durations::holds);
        break;
    case EventKind::Deleted:
        end(m_holds, &Durations::holds);
        break;
    case EventKind::Queued:
        if (event.owner)
            begin(m_waits, key, node, event.at);
        break;
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
        end(m_waits, &Durations::waits);
        break;
    case EventKind::Appeared:
    case EventKind::Reentered:
    case EventKind::PartlyReleased:
    case EventKind::PermitsChanged:
    case EventKind::CountChanged:
    case EventKind::Gap:
        break;
    }
}

/// What ended meanwhile was not seen to end.
void Activity::gap(const Event &event)
{
    const std::size_t node = std::hash<std::string>()(event.node);
    const auto isHit = [&](const auto &open) { return event.node.empty() || open.second.node == node; };
    std::erase_if(m_holds, isHit);
    std::erase_if(m_waits, isHit);
    if (!event.ttl)
        return;
    m_unseen.push_back({ event.at - *event.ttl, event.at, event.node });
    if (m_unseen.size() > MostUnseen)
        m_unseen.pop_front();
}

/// Counts once a second, and only what has changed.
void Activity::observe(const Snapshot &snapshot)
{
    const bool isSeen = isFresh(snapshot) || snapshot.status.phase == SourcePhase::Sweeping;
    const WallTime now = snapshot.takenAt.wall;
    if (!m_since && isSeen)
        restart(now);
    if (!m_since)
        return;
    if (isSeen)
        m_unseenSince.reset();
    else if (!m_unseenSince)
        m_unseenSince = now;
    const Second second = secondOf(now);
    Slot &slot = this->slot(second);
    if (!isSeen)
        m_sampledAt = -1;
    if (!isSeen || slot.sample || slot.second != second)
        return;
    if (!isCopy(m_counted, snapshot.locks)) {
        m_counted = snapshot.locks;
        m_locks = countLocks(m_counted);
    }
    slot.sample = ActivitySample{ m_locks.held, m_locks.waiting, {} };
    if (const auto &analysis = snapshot.analysis)
        slot.sample->suspects = static_cast<std::int64_t>(analysis->suspects.size()) + analysis->moreSuspects;
    // Where nothing changes, there is no snapshot.
    if (m_sampledAt >= 0 && second - m_sampledAt <= LongestRest)
        for (Second between = m_sampledAt + 1; between < second; ++between)
            this->slot(between).sample = this->slot(m_sampledAt).sample;
    m_sampledAt = second;
}

std::vector<Activity::Step> Activity::steps(WallTime to, std::chrono::seconds step, int count) const
{
    std::vector<Step> steps(static_cast<std::size_t>(count));
    if (m_slots.empty())
        return steps;
    const Second length = step.count();
    const Second end = secondOf(to) / length * length;
    Second second = end - length * count;
    for (Step &each : steps) {
        for (Second i = 0; i < length; ++i, ++second) {
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
    return spans;
}

DurationHistogram Activity::sum(WallTime from, WallTime to, DurationHistogram Durations::*of) const
{
    DurationHistogram sum;
    const auto end = m_minutes.upper_bound(minuteOf(to));
    for (auto minute = m_minutes.lower_bound(minuteOf(from)); minute != end; ++minute)
        sum.add(minute->second.*of);
    return sum;
}

DurationHistogram Activity::holds(WallTime from, WallTime to) const { return sum(from, to, &Durations::holds); }

DurationHistogram Activity::waits(WallTime from, WallTime to) const { return sum(from, to, &Durations::waits); }

} // namespace lockui
