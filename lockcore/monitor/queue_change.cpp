// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/queue_change.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

using Places = std::map<OwnerId, std::size_t>;

template <typename List>
Places placesIn(const List &queue)
{
    Places places;
    for (std::size_t i = 0; i < queue.size(); ++i)
        places.emplace(queue[i].owner, i);
    return places;
}

Event eventOf(const LockState &lock, const QueueLook &look, EventKind kind, const OwnerId &owner)
{
    Event event;
    event.node = lock.node;
    event.at = look.wall;
    event.kind = kind;
    event.lock = lock.name;
    event.lockKind = lock.kind;
    event.owner = owner;
    return event;
}

/// The deadline of one who stays comes nearer only when somebody ahead has left, and never goes further away.
bool hasOtherDeadline(const Waiter &before, const WaiterReading &after, bool cameNearer)
{
    if (!before.score || !after.score)
        return false;
    return *after.score > *before.score || (*after.score < *before.score && !cameNearer);
}

/// Who left and lined up anew since the look before: it has another deadline, or stands behind others who were not
/// ahead of it. Of one that stands there twice, as in a queue that has lost its deadlines, the first place counts.
std::set<OwnerId> linedUpAnew(const std::vector<Waiter> &waiters, const Places &before,
    const std::vector<WaiterReading> &readings, const Places &after)
{
    std::set<OwnerId> anew;
    std::size_t furthest = 0; // of those ahead, the one that was furthest behind
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (after.at(readings[i].owner) != i)
            continue;
        const auto known = before.find(readings[i].owner);
        const std::size_t place = known == before.end() ? waiters.size() : known->second;
        if (known != before.end() && (furthest > place || hasOtherDeadline(waiters[place], readings[i], i < place)))
            anew.insert(readings[i].owner);
        furthest = std::max(furthest, place);
    }
    return anew;
}

/// Out of sight it may have left the queue and come again.
bool isSameWait(const Waiter &before, const WaiterReading &after)
{
    return before.score && before.score == after.score;
}

void reportThoseWhoLeft(const LockState &lock, const Places &after, const std::set<OwnerId> &anew,
    const QueueLook &look, std::vector<Event> &events)
{
    bool isAtHead = true; // nobody ahead waits still: only the head is thrown out
    for (const Waiter &waiter : lock.waiters) {
        const bool waits = after.contains(waiter.owner);
        const bool isAnew = anew.contains(waiter.owner);
        isAtHead = isAtHead && (!waits || isAnew);
        if ((waits && !isAnew) || hasOwner(lock.holders, waiter.owner))
            continue; // or has got it
        const bool overdue = isAtHead && !look.isLost && waiter.deadline && *waiter.deadline <= look.wall;
        events.push_back(eventOf(lock, look, overdue ? EventKind::WaiterTimedOut : EventKind::Dequeued, waiter.owner));
        // Whether it gave up or was thrown out for its deadline is not written anywhere, nor that it was away.
        if (overdue || isAnew || look.isLost)
            events.back().certainty = Certainty::Inferred;
        if (isGhost(waiter) && !isAnew)
            events.back().count = 0; // a ghost; one that lined up again lives
    }
}

} // namespace

void compareQueue(
    LockState &lock, const std::vector<WaiterReading> &readings, const QueueLook &look, std::vector<Event> &events)
{
    if (lock.waiters.empty() && readings.empty())
        return; // as nearly always
    const Places before = placesIn(lock.waiters);
    const Places after = placesIn(readings);
    const auto anew = linedUpAnew(lock.waiters, before, readings, after);
    reportThoseWhoLeft(lock, after, anew, look, events);
    std::vector<Waiter> waiters;
    waiters.reserve(readings.size());
    for (const auto &reading : readings) {
        Waiter waiter{ reading.owner, reading.deadline, { look.at, look.announced }, {}, reading.score };
        const auto known = before.find(reading.owner);
        const bool isAnew = anew.contains(reading.owner);
        if (known != before.end() && !isAnew) {
            const Waiter &same = lock.waiters[known->second];
            if (!look.isBlind || isSameWait(same, reading))
                waiter.since = same.since;
            else
                waiter.since.exact = false;
            waiter.subscribed = same.subscribed;
            waiter.listenedLast = same.listenedLast;
        } else {
            const auto kind = look.sinceLast ? EventKind::Queued : EventKind::FoundQueued;
            waiter.since.exact = waiter.since.exact && !isAnew; // its client may have waited on all the time
            events.push_back(eventOf(lock, look, kind, reading.owner));
            events.back().certainty
                = known != before.end() ? Certainty::Inferred : look.sinceLast.value_or(Certainty::Seen);
        }
        waiters.push_back(std::move(waiter));
    }
    lock.waiters = std::move(waiters);
}

} // namespace lockcore::monitor
