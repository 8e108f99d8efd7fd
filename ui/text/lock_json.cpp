// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/lock_json.h"

#include "lockcore/monitor/names.h"
#include "lockcore/monitor/quorum_holds.h"
#include "ui/text/printable_text.h"
#include "ui/text/suspect_json.h"

#include <QDateTime>
#include <algorithm>

namespace lockui {

using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::Now;
using lockcore::WallTime;
using lockcore::monitor::Event;
using lockcore::monitor::EventKind;
using lockcore::monitor::Holder;
using lockcore::monitor::LockState;
using lockcore::monitor::Waiter;

namespace {

template <typename Enum>
JsonValue nameOrNull(const std::optional<Enum> &value)
{
    return value ? JsonValue(nameOf(*value)) : JsonValue();
}

JsonValue millisOrNull(const std::optional<Millis> &value) { return value ? JsonValue(value->count()) : JsonValue(); }

template <typename Moment>
std::optional<Millis> left(const std::optional<Moment> &deadline, Moment now)
{
    if (!deadline)
        return std::nullopt;
    return std::max(Millis(0), std::chrono::ceil<Millis>(*deadline - now));
}

JsonValue holderJson(const Holder &holder, MonoTime now)
{
    JsonValue object = json::owner(holder.owner);
    object.update(JsonValue{
        { "count", holder.count },
        { "mode", nameOrNull(holder.mode) },
        { "ttlMs", millisOrNull(left(holder.expiresAt, now)) },
        { "fromPort", holder.fromPort },
        { "ranOut", holder.expired },
    });
    return object;
}

JsonValue waiterJson(const Waiter &waiter, std::size_t position, const Now &now)
{
    JsonValue timeoutIn, overdue; // null: no time limit is known
    if (waiter.deadline) {
        const Millis left(*waiter.deadline - now.wall);
        timeoutIn = left.count();
        overdue = left <= Millis(0);
    }
    JsonValue object = json::owner(waiter.owner);
    object.update(JsonValue{
        { "position", static_cast<std::int64_t>(position) },
        { "timeoutInMs", timeoutIn },
        { "overdue", overdue },
        { "waitsAtLeastMs", std::chrono::floor<Millis>(now.mono - waiter.since.at).count() },
        { "listens", json::orNull(waiter.subscribed) },
    });
    return object;
}

template <typename Each>
JsonValue holdersJson(const Each &each, MonoTime now)
{
    JsonValue holders = JsonValue::array();
    for (const Holder &holder : each)
        holders.push_back(holderJson(holder, now));
    return holders;
}

JsonValue waitersJson(const LockState &lock, const Now &now)
{
    JsonValue waiters = JsonValue::array();
    for (const Waiter &waiter : lock.waiters)
        waiters.push_back(waiterJson(waiter, waiters.size() + 1, now));
    return waiters;
}

JsonValue permitsJson(const LockState &lock, WallTime now)
{
    if (!lock.permits)
        return {};
    JsonValue leases = JsonValue::array(); // those that end first
    for (const auto &permit : lock.permits->leases)
        leases.push_back(
            JsonValue{ { "id", json::text(permit.id) }, { "ttlMs", millisOrNull(left(permit.deadline, now)) } });
    return {
        { "available", lockcore::monitor::freePermits(*lock.permits) },
        { "leased", json::orNull(lock.permits->leased) },
        { "overdue", lock.permits->overdue },
        { "leases", std::move(leases) },
    };
}

JsonValue kindsJson(const std::vector<lockcore::synchronizers::Kind> &kinds)
{
    JsonValue names = JsonValue::array();
    for (const lockcore::synchronizers::Kind kind : kinds)
        names.push_back(nameOf(kind));
    return names;
}

JsonValue quorumJson(const LockState &lock, const lockcore::monitor::Snapshot &snapshot, const Now &now)
{
    const auto &quorum = *lock.quorum;
    const auto holds = quorumHolds(lock);
    JsonValue members = JsonValue::array();
    for (const auto &member : lock.members) {
        const auto stale = staleSince(snapshot, *member);
        members.push_back(JsonValue{ { "node", json::text(member->node) },
            { "holders", holdersJson(member->holders, seenUntil(snapshot, *member, now.mono)) },
            { "staleSince", stale ? JsonValue(isoTime(*stale, now)) : JsonValue() } });
    }
    return {
        { "held", quorum.held },
        { "unknown", quorum.unknown },
        { "servers", quorum.servers },
        { "needed", quorum.needed() },
        { "certainty", !holds.empty() && holds.front().inferred ? "inferred" : "seen" },
        { "contended", isContended(holds) },
        { "members", members },
    };
}

JsonValue keysJson(const LockState &lock)
{
    JsonValue keys = JsonValue::array();
    for (const std::string &key : keysOf(lock))
        keys.push_back(json::text(key));
    return keys;
}

JsonValue unreadKeysJson(const LockState &lock)
{
    JsonValue keys = JsonValue::array();
    for (const std::string &key : keysOf(lock)) {
        if (key.starts_with("redisson_lock_queue:") && key != lock.name)
            keys.push_back(json::text(key));
    }
    return keys;
}

} // namespace

std::string isoTime(WallTime time)
{
    return QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count(), Qt::UTC)
        .toString(Qt::ISODateWithMs)
        .toStdString();
}

std::string isoTime(MonoTime time, const Now &now)
{
    return isoTime(now.wall + std::chrono::floor<Millis>(time - now.mono));
}

void addName(JsonValue &object, const char *field, const lockcore::LockName &name)
{
    object[field] = json::text(name);
    if (!isUtf8(name))
        object["nameBase64"] = json::base64(name);
}

std::optional<Millis> heldFor(const LockState &lock, MonoTime now)
{
    std::optional<Millis> longest;
    for (const Holder &holder : lock.holders)
        longest = std::max(longest.value_or(Millis(0)), std::chrono::floor<Millis>(now - holder.since.at));
    return longest && (isHeldForExact(lock) || saysHowLong(*longest)) ? longest : std::nullopt;
}

bool isHeldForExact(const LockState &lock)
{
    return std::ranges::all_of(lock.holders, [](const Holder &holder) { return holder.since.exact; });
}

bool saysHowLong(Millis atLeast) { return atLeast >= std::chrono::seconds(1); }

namespace {

/// That nobody listens is not known where not all servers are seen.
JsonValue subscribersJson(const LockState &lock)
{
    const auto clients = subscribedClients(lock);
    return clients == 0 && isSeenInPart(lock) ? JsonValue() : json::orNull(clients);
}

} // namespace

JsonValue lockJson(
    const LockState &lock, const Now &now, const lockcore::monitor::Snapshot &snapshot, Deadlocks deadlocks)
{
    const auto *analysis = snapshot.analysis.get();
    const Now seen = seenUntil(snapshot, lock, now);
    const auto stale = staleSince(snapshot, lock);
    const auto cycles = cyclesOf(analysis, [&](const lockcore::LockName &name) { return name == lock.name; });
    JsonValue object;
    addName(object, "name", lock.name);
    object.update(JsonValue{
        { "kind", nameOf(lock.kind) },
        { "state", isStateUnknown(lock) ? JsonValue() : JsonValue(isHeld(lock) ? "held" : "free") },
        { "mode", nameOrNull(lock.mode) },
        { "holders", holdersJson(lock.holders, seen.mono) },
        { "ttlMs", millisOrNull(lockcore::monitor::ttlAt(lock, seen.mono)) },
        { "lease", nameOf(lock.lease) },
        { "heldAtLeastMs", millisOrNull(heldFor(lock, seen.mono)) },
        { "waiters", hasUnreadQueue(lock) ? JsonValue() : waitersJson(lock, seen) },
        { "moreWaitersPossible", mayHaveMoreWaiters(lock) || isSeenInPart(lock) },
        { "subscribers", subscribersJson(lock) },
        { "otherDatabasePossible", mayWaitElsewhere(snapshot, lock) },
        { "permits", permitsJson(lock, seen.wall) },
        { "count", json::orNull(lock.count) },
        { "token", json::orNull(lock.token) },
        { "keys", keysJson(lock) },
        { "node", lock.node.empty() ? JsonValue() : JsonValue(json::text(lock.node)) },
        { "slot", lock.slot },
        { "readAt", isoTime(lock.readAt) },
        { "staleSince", stale ? JsonValue(isoTime(*stale, now)) : JsonValue() },
        { "suspects", suspectsJson(analysis, lock.name) },
        { "deadlocks", deadlocks == Deadlocks::NotLookedFor ? JsonValue() : deadlocksJson(cycles) },
        { "statistics", statisticsJson(analysis, lock.name) },
    });
    if (const auto others = lock.otherKinds; !others.empty())
        object["alsoPossible"] = kindsJson(others);
    if (mayBeNoLock(lock))
        object["mayBeNoLock"] = true;
    if (hasUnreadQueue(lock))
        object["unreadableKeys"] = unreadKeysJson(lock);
    if (lock.quorum)
        object["quorum"] = quorumJson(lock, snapshot, now);
    return object;
}

JsonValue eventJson(const Event &event)
{
    const bool concernsAll = (event.kind == EventKind::Gap || isOfServer(event.kind)) && event.lock.empty();
    JsonValue object{
        { "at", isoTime(event.at) },
        { "event", nameOf(event.kind) },
    };
    if (concernsAll)
        object["lock"] = nullptr;
    else
        addName(object, "lock", event.lock);
    object["kind"] = nameOrNull(event.lockKind);
    object.update(event.owner ? json::owner(*event.owner) : JsonValue{ { "client", nullptr }, { "thread", nullptr } });
    object.update(JsonValue{
        { "count", json::orNull(event.count) },
        { "ttlMs", millisOrNull(event.ttl) },
        { "certainty", nameOf(event.certainty) },
    });
    if (event.since) {
        object["since"] = isoTime(event.since->at);
        object["sinceIsAtLatest"] = !event.since->exact;
    }
    if (isOfServer(event.kind))
        object["node"] = json::text(event.node);
    else if (event.kind == EventKind::Gap)
        object["node"] = event.node.empty() ? JsonValue() : JsonValue(json::text(event.node));
    if (event.kind == EventKind::SlowCommand) {
        object["command"] = event.command.empty() ? JsonValue() : JsonValue(json::text(event.command));
        if (event.key.empty())
            object["key"] = nullptr;
        else
            addName(object, "key", event.key);
        object["sentBy"] = event.byLockscope ? JsonValue("lockscope") : JsonValue();
    }
    if (!event.formerMaster.empty())
        object["formerMaster"] = json::text(event.formerMaster);
    return object;
}

} // namespace lockui
