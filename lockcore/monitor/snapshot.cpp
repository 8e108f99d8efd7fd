// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/snapshot.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace lockcore {

bool isCounter(Kind kind)
{
    switch (kind) {
    case Kind::Reentrant:
    case Kind::Fair:
    case Kind::ReadWrite:
    case Kind::Fenced:
    case Kind::FasterMulti:
        return false;
    case Kind::Semaphore:
    case Kind::PermitExpirableSemaphore:
    case Kind::CountDownLatch:
        return true;
    }
    return false;
}

std::int64_t freePermits(const PermitsReading &permits) { return permits.available + permits.overdue; }

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

std::optional<std::int64_t> waitingCount(const LockState &lock)
{
    if (!lock.waiters.empty() || lock.kind == Kind::Fair)
        return static_cast<std::int64_t>(lock.waiters.size());
    return lock.subscribers;
}

std::optional<std::int64_t> subscribedClients(const LockState &lock)
{
    if (lock.kind != Kind::Fair)
        return lock.subscribers;
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

std::optional<MonoTime> staleSince(const Snapshot &snapshot, const LockState &lock)
{
    const auto *node = nodeOf(snapshot, lock);
    return node ? node->status.staleSince : snapshot.status.staleSince;
}

} // namespace lockcore
