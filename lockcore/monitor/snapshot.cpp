// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/snapshot.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/recognition.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

namespace lockcore::monitor {

using namespace synchronizers;

std::vector<std::string> keysOf(const LockState &lock)
{
    std::vector<std::string> keys = lock.otherKeys;
    if (lock.hasMainKey)
        keys.insert(keys.begin(), lock.name);
    return keys;
}

bool hasKeys(const LockState &lock) { return lock.hasMainKey || !lock.otherKeys.empty(); }

std::optional<LockName> queueElsewhere(const LockState &lock)
{
    for (const std::string &key : lock.otherKeys) {
        for (const LockName &name : key_layout::possibleParents(key)) {
            if (key == key_layout::fairQueue(name) && key != key_layout::fairQueue(lock.name))
                return name;
        }
    }
    return std::nullopt;
}

std::vector<TtlCorner> ttlHistoryOf(const LockState &lock)
{
    if (!lock.ttlHistory.empty())
        return lock.ttlHistory;
    if (lock.holders.empty() || !lock.expiresAt)
        return {};
    const auto since = lock.holders.front().since.at;
    return { { since, Millis{ 0 }, ttlAt(lock, since).value_or(Millis{ 0 }), false } };
}

std::int64_t freePermits(const PermitsReading &permits) { return permits.available + permits.overdue; }

std::optional<std::int64_t> morePermits(const PermitsReading &permits)
{
    if (!permits.leased)
        return std::nullopt;
    return std::max<std::int64_t>(0, *permits.leased + permits.overdue - std::ssize(permits.leases));
}

bool isHeld(const LockState &lock)
{
    if (lock.permits)
        return freePermits(*lock.permits) <= 0;
    if (lock.count)
        return *lock.count > 0;
    return std::any_of(lock.holders.begin(), lock.holders.end(),
        [&](const Holder &holder) { return lock.kind != Kind::FasterMulti || !holder.expired; });
}

bool isStateUnknown(const LockState &lock) { return isSemaphore(lock.kind) && !lock.permits; }

std::optional<Millis> ttlAt(const LockState &lock, MonoTime now)
{
    if (!lock.expiresAt)
        return std::nullopt;
    return std::max(Millis{ 0 }, std::chrono::ceil<Millis>(*lock.expiresAt - now));
}

bool renewalLate(const LockState &lock, MonoTime now)
{
    const auto ttl = ttlAt(lock, now);
    // A healthy watchdog lets 30 s fall to 20 s; below 18 s it is late.
    return lock.lease == Lease::Watchdog && ttl && lock.leaseSeen && *ttl < *lock.leaseSeen * 3 / 5;
}

bool mayBeNoLock(const LockState &lock)
{
    if (!lock.members.empty()) // each server for itself: together they may have a holder each
        return std::ranges::any_of(lock.members, [](const auto &member) { return mayBeNoLock(*member); });
    LockReading reading;
    reading.kind = lock.kind;
    for (const Holder &holder : lock.holders) {
        reading.holders.push_back({ holder.owner, holder.count, holder.mode, {}, holder.fromPort });
        if (holder.mode == HoldMode::Write)
            reading.mode = HoldMode::Write;
    }
    if (lock.expiresAt)
        reading.ttl = Millis(1);
    return !isCounter(lock.kind) && isDamaged(reading) && !isLockByItsLooks(reading);
}

bool hasUnreadQueue(const LockState &lock)
{
    return lock.waiters.empty() && !lock.otherKeys.empty()
        && std::ranges::find(lock.otherKeys, key_layout::fairQueue(lock.name)) != lock.otherKeys.end();
}

std::int64_t ghostCount(const LockState &lock) { return std::ranges::count_if(lock.waiters, isGhost); }

std::int64_t listeningAtLeast(const LockState &lock)
{
    return std::max(lock.subscribers.value_or(0) - lock.takenSinceCount, std::int64_t{ 0 });
}

std::optional<std::int64_t> waitingCount(const LockState &lock)
{
    if (!lock.waiters.empty())
        return std::ssize(lock.waiters);
    if (hasUnreadQueue(lock) || (lock.kind != Kind::Fair && !lock.subscribers))
        return std::nullopt;
    const std::int64_t listening = listeningAtLeast(lock);
    return listening == 0 && mayMoreWait(lock) ? std::nullopt : std::optional(listening);
}

bool mayMoreWait(const LockState &lock)
{
    return isSeenInPart(lock) || (lock.waiters.empty() ? lock.subscribers.value_or(0) > 0 : mayHaveMoreWaiters(lock));
}

std::optional<std::int64_t> subscribedClients(const LockState &lock)
{
    if (lock.kind != Kind::Fair)
        return lock.subscribers;
    if (hasUnreadQueue(lock))
        return std::nullopt;
    if (lock.waiters.empty())
        return lock.subscribers.value_or(0);
    std::set<std::string_view> clients;
    for (const Waiter &waiter : lock.waiters) {
        if (!waiter.subscribed)
            return std::nullopt;
        if (*waiter.subscribed)
            clients.insert(waiter.owner.client);
    }
    return static_cast<std::int64_t>(clients.size());
}

const NodeStatus *nodeOf(const Snapshot &snapshot, const LockState &lock)
{
    const auto found = std::find_if(
        snapshot.nodes.begin(), snapshot.nodes.end(), [&](const NodeStatus &node) { return node.node == lock.node; });
    return found == snapshot.nodes.end() ? nullptr : &*found;
}

const std::string &firstNode(const LockState &lock)
{
    return lock.members.empty() ? lock.node : lock.members.front()->node;
}

std::optional<MonoTime> staleSince(const Snapshot &snapshot, const LockState &lock)
{
    const auto *node = nodeOf(snapshot, lock);
    if (lock.members.empty())
        return node ? node->status.staleSince : snapshot.status.staleSince;
    std::optional<MonoTime> last;
    for (const auto &member : lock.members) {
        const auto since = staleSince(snapshot, *member);
        if (!since)
            return std::nullopt;
        last = std::max(last, since);
    }
    return last;
}

MonoTime seenUntil(const Snapshot &snapshot, const LockState &lock, MonoTime now)
{
    if (lock.members.empty())
        return std::min(now, std::max(staleSince(snapshot, lock).value_or(now), lock.readAtMono));
    MonoTime last;
    for (const auto &member : lock.members)
        last = std::max(last, seenUntil(snapshot, *member, now));
    return last;
}

Now seenUntil(const Snapshot &snapshot, const LockState &lock, const Now &now)
{
    const MonoTime seen = seenUntil(snapshot, lock, now.mono);
    return { seen, now.wall + std::chrono::floor<Millis>(seen - now.mono) };
}

bool isCountedAtChannel(const LockState &lock)
{
    return lock.waiters.empty() && lock.kind != Kind::Fair && lock.subscribers.value_or(0) > 0;
}

bool sharesChannels(const Snapshot &snapshot)
{
    return snapshot.status.channelsShared || snapshot.status.recordedAt
        || std::ranges::any_of(snapshot.nodes, [](const NodeStatus &node) { return node.status.channelsShared; });
}

bool mayWaitElsewhere(const Snapshot &snapshot, const LockState &lock)
{
    const auto *node = nodeOf(snapshot, lock);
    const SourceStatus &status = node ? node->status : snapshot.status;
    const bool isShared = status.channelsShared || snapshot.status.recordedAt; // recordings do not tell
    return isShared && isCountedAtChannel(lock);
}

bool mayHaveMoreWaiters(const LockState &lock) { return std::ssize(lock.waiters) >= MaxWaiters; }

namespace {

/// The ghosts from there on, with so many before them who do not take it either.
IdleRow rowOf(const LockState &lock, std::ptrdiff_t before)
{
    const auto end = std::find_if_not(lock.waiters.begin() + before, lock.waiters.end(), isGhost);
    IdleRow row;
    row.number = end - lock.waiters.begin();
    row.mayBeMore = end == lock.waiters.end() && mayHaveMoreWaiters(lock);
    const std::span idle(lock.waiters.begin(), end);
    if (!idle.empty() && std::ranges::all_of(idle, [](const Waiter &each) { return each.deadline.has_value(); }))
        row.until = std::ranges::max(idle, {}, &Waiter::deadline).deadline;
    return row;
}

} // namespace

IdleRow ghostsAtHead(const LockState &lock) { return rowOf(lock, 0); }

IdleRow idleAtHead(const LockState &lock) { return rowOf(lock, lock.waiters.empty() ? 0 : 1); }

std::optional<Millis> clockDifference(const SourceStatus &status)
{
    return status.clockAhead && std::chrono::abs(*status.clockAhead) >= std::chrono::seconds(1) ? status.clockAhead
                                                                                                : std::nullopt;
}

} // namespace lockcore::monitor
