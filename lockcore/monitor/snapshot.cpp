// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/snapshot.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/recognition.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace lockcore {

namespace {

std::string mainKey(std::string_view name) { return std::string(name); }

/// In the order in which they are read; each has a bit in `usualKeys`.
constexpr std::array UsualKeys{ mainKey, key_layout::fairQueue, key_layout::fairTimeouts, key_layout::token,
    key_layout::permitDeadlines };

constexpr unsigned bitOf(std::size_t usualKey) { return 1U << usualKey; }
constexpr unsigned FairQueue = bitOf(1);
constexpr unsigned ReadTimeouts = bitOf(UsualKeys.size());

/// Whether those who read have so many holds between them.
bool hasReads(const LockState &lock, std::int64_t number)
{
    for (const Holder &holder : lock.holders) {
        if (holder.mode != HoldMode::Read)
            continue;
        if (holder.count > number)
            return false;
        number -= holder.count;
    }
    return number == 0;
}

/// As they are read: one for each hold, in order.
std::vector<std::string> readTimeouts(const LockState &lock)
{
    std::vector<std::string> keys;
    for (const Holder &holder : lock.holders) {
        for (std::int64_t i = 1; holder.mode == HoldMode::Read && i <= holder.count; ++i)
            keys.push_back(key_layout::readTimeout(lock.name, holder.owner, i));
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

static_assert(enumeratorCount<Kind>() <= 8); // bits of `otherKinds`

constexpr unsigned bitOf(Kind kind) { return 1U << static_cast<unsigned>(kind); }

} // namespace

std::vector<std::string> keysOf(const LockState &lock)
{
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < UsualKeys.size(); ++i) {
        if ((lock.usualKeys & bitOf(i)) != 0)
            keys.push_back(UsualKeys[i](lock.name));
    }
    if ((lock.usualKeys & ReadTimeouts) != 0) {
        auto timeouts = readTimeouts(lock);
        std::move(timeouts.begin(), timeouts.end(), std::back_inserter(keys));
    }
    keys.insert(keys.end(), lock.rare->otherKeys.begin(), lock.rare->otherKeys.end());
    return keys;
}

void setKeys(LockState &lock, std::vector<std::string> keys)
{
    lock.usualKeys = 0;
    auto key = keys.begin();
    for (std::size_t i = 0; i < UsualKeys.size() && key != keys.end(); ++i) {
        if (*key != UsualKeys[i](lock.name))
            continue;
        lock.usualKeys = static_cast<std::uint8_t>(lock.usualKeys | bitOf(i));
        ++key;
    }
    keys.erase(keys.begin(), key);
    if (!keys.empty() && hasReads(lock, std::ssize(keys)) && keys == readTimeouts(lock)) {
        lock.usualKeys = static_cast<std::uint8_t>(lock.usualKeys | ReadTimeouts);
        keys.clear();
    }
    lock.rare.change([&](RareParts &rare) { rare.otherKeys = std::move(keys); });
}

std::vector<Kind> alsoPossible(const LockState &lock)
{
    std::vector<Kind> kinds;
    for (const KindRow &row : allKinds()) {
        if ((lock.otherKinds & bitOf(row.value)) != 0)
            kinds.push_back(row.value);
    }
    return kinds;
}

void setAlsoPossible(LockState &lock, const std::vector<Kind> &kinds)
{
    lock.otherKinds = 0;
    for (const Kind kind : kinds)
        lock.otherKinds = static_cast<std::uint8_t>(lock.otherKinds | bitOf(kind));
}

std::optional<LockName> queueElsewhere(const LockState &lock)
{
    for (const std::string &key : keysOf(lock)) {
        for (const LockName &name : key_layout::possibleParents(key)) {
            if (key == key_layout::fairQueue(name) && key != key_layout::fairQueue(lock.name))
                return name;
        }
    }
    return std::nullopt;
}

bool hasKeys(const LockState &lock) { return lock.usualKeys != 0 || !lock.rare->otherKeys.empty(); }

std::vector<TtlCorner> ttlHistoryOf(const LockState &lock)
{
    if (lock.ttlHistory)
        return *lock.ttlHistory;
    if (lock.holders.empty() || !lock.expiresAt)
        return {};
    const auto since = lock.holders.front().since.at;
    return { { since, Millis{ 0 }, ttlAt(lock, since).value_or(Millis{ 0 }), false } };
}

void setTtlHistory(LockState &lock, const std::vector<TtlCorner> &corners)
{
    lock.ttlHistory = nullptr;
    if (ttlHistoryOf(lock) != corners)
        lock.ttlHistory = TtlHistory({ corners.begin(), corners.end() }); // no more than it takes
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
    if (lock.rare->permits)
        return freePermits(*lock.rare->permits) <= 0;
    if (lock.rare->count)
        return *lock.rare->count > 0;
    return std::any_of(lock.holders.begin(), lock.holders.end(),
        [&](const Holder &holder) { return lock.kind != Kind::FasterMulti || !holder.expired; });
}

bool isStateUnknown(const LockState &lock) { return isSemaphore(lock.kind) && !lock.rare->permits; }

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

bool hasUnreadQueue(const LockState &lock) { return lock.waiters.empty() && (lock.usualKeys & FairQueue) != 0; }

std::optional<std::int64_t> waitingCount(const LockState &lock)
{
    if (hasUnreadQueue(lock))
        return std::nullopt;
    if (!lock.waiters.empty())
        return static_cast<std::int64_t>(lock.waiters.size());
    if (lock.kind == Kind::Fair)
        return lock.subscribers.value_or(0);
    return lock.subscribers;
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
            clients.insert(waiter.owner.client.text());
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

bool mayWaitElsewhere(const Snapshot &snapshot, const LockState &lock)
{
    const auto *node = nodeOf(snapshot, lock);
    const SourceStatus &status = node ? node->status : snapshot.status;
    const bool isShared = status.channelsShared || snapshot.status.recordedAt; // recordings do not tell
    return isShared && lock.waiters.empty() && lock.kind != Kind::Fair && lock.subscribers.value_or(0) > 0;
}

bool mayHaveMoreWaiters(const LockState &lock) { return std::ssize(lock.waiters) >= MaxWaiters; }

std::optional<Millis> clockDifference(const SourceStatus &status)
{
    return status.clockAhead && std::chrono::abs(*status.clockAhead) >= std::chrono::seconds(1) ? status.clockAhead
                                                                                                : std::nullopt;
}

} // namespace lockcore
