// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/queue_change.h"

#include <algorithm>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

template <typename List>
auto findOwner(const List &list, const OwnerId &owner)
{
    return std::find_if(list.begin(), list.end(), [&](const auto &entry) { return entry.owner == owner; });
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

/// Out of sight it may have left the queue and come again.
bool mayBeAnotherWait(const Waiter &before, const WaiterReading &after, const QueueLook &look)
{
    if (!look.tolerance)
        return false;
    return !before.deadline || !after.deadline
        || std::chrono::abs(*after.deadline - *before.deadline) > *look.tolerance;
}

} // namespace

void compareQueue(
    LockState &lock, const std::vector<WaiterReading> &readings, const QueueLook &look, std::vector<Event> &events)
{
    bool isAtHead = true; // nobody ahead waits still: only the head is thrown out
    for (const auto &waiter : lock.waiters) {
        const bool waits = findOwner(readings, waiter.owner) != readings.end();
        isAtHead = isAtHead && !waits;
        if (waits || findOwner(lock.holders, waiter.owner) != lock.holders.end())
            continue; // or has got it
        const bool overdue = isAtHead && waiter.deadline && *waiter.deadline <= look.wall;
        events.push_back(eventOf(lock, look, overdue ? EventKind::WaiterTimedOut : EventKind::Dequeued, waiter.owner));
        // Whether it gave up or was thrown out for its deadline is not written anywhere.
        if (overdue)
            events.back().certainty = Certainty::Inferred;
    }
    std::vector<Waiter> waiters;
    waiters.reserve(readings.size());
    for (const auto &reading : readings) {
        Waiter waiter;
        waiter.owner = reading.owner;
        waiter.deadline = reading.deadline;
        waiter.since = { look.at, look.announced };
        if (const auto known = findOwner(lock.waiters, reading.owner); known != lock.waiters.end()) {
            if (!mayBeAnotherWait(*known, reading, look))
                waiter.since = known->since;
            else
                waiter.since.exact = false;
            waiter.subscribed = known->subscribed;
        } else {
            const auto kind = look.sinceLast ? EventKind::Queued : EventKind::FoundQueued;
            events.push_back(eventOf(lock, look, kind, reading.owner));
            events.back().certainty = look.sinceLast.value_or(Certainty::Seen);
        }
        waiters.push_back(std::move(waiter));
    }
    lock.waiters = std::move(waiters);
}

} // namespace lockcore::monitor
