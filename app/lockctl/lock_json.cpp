// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/lock_json.h"

#include "app/lockctl/json.h"
#include "app/lockctl/lock_table.h"
#include "app/lockctl/names.h"
#include "app/lockctl/troubles.h"
#include "lockcore/monitor/quorum_holds.h"
#include "ui/text/utf8.h"

#include <QDateTime>
#include <algorithm>

namespace lockctl {

using lockcore::Event;
using lockcore::EventKind;
using lockcore::Holder;
using lockcore::LockState;
using lockcore::Millis;
using lockcore::MonoTime;
using lockcore::Now;
using lockcore::Waiter;
using lockcore::WallTime;

namespace {

using json::Field;

template <typename Enum>
std::string nameOrNull(const std::optional<Enum> &value)
{
    return value ? json::text(nameOf(*value)) : "null";
}

std::string millisOrNull(const std::optional<Millis> &value) { return value ? json::number(value->count()) : "null"; }

std::optional<Millis> left(const std::optional<MonoTime> &deadline, MonoTime now)
{
    if (!deadline)
        return std::nullopt;
    return std::max(Millis(0), std::chrono::ceil<Millis>(*deadline - now));
}

std::string holderJson(const Holder &holder, MonoTime now)
{
    return json::object({
        { "client", json::text(holder.owner.client) },
        { "thread", json::text(holder.owner.thread) },
        { "count", json::number(holder.count) },
        { "mode", nameOrNull(holder.mode) },
        { "ttlMs", millisOrNull(left(holder.expiresAt, now)) },
        { "fromPort", json::boolean(holder.fromPort) },
        { "ranOut", json::boolean(holder.expired) },
    });
}

std::string waiterJson(const Waiter &waiter, std::size_t position, WallTime now)
{
    const std::optional<Millis> timeout
        = waiter.deadline ? std::optional(Millis(*waiter.deadline - now)) : std::nullopt;
    return json::object({
        { "client", json::text(waiter.owner.client) },
        { "thread", json::text(waiter.owner.thread) },
        { "position", json::number(static_cast<std::int64_t>(position)) },
        { "timeoutInMs", millisOrNull(timeout) },
        { "overdue", timeout ? json::boolean(*timeout <= Millis(0)) : "null" },
    });
}

template <typename Each>
std::string holdersJson(const Each &each, MonoTime now)
{
    std::vector<std::string> holders;
    for (const Holder &holder : each)
        holders.push_back(holderJson(holder, now));
    return json::array(holders);
}

std::string waitersJson(const LockState &lock, WallTime now)
{
    std::vector<std::string> waiters;
    for (const Waiter &waiter : lock.waiters)
        waiters.push_back(waiterJson(waiter, waiters.size() + 1, now));
    return json::array(waiters);
}

std::string permitsJson(const LockState &lock)
{
    if (!lock.permits)
        return "null";
    return json::object({
        { "available", json::number(freePermits(*lock.permits)) },
        { "leased", json::orNull(lock.permits->leased) },
        { "overdue", json::number(lock.permits->overdue) },
    });
}

std::string kindsJson(const std::vector<lockcore::Kind> &kinds)
{
    std::vector<std::string> names;
    for (const lockcore::Kind kind : kinds)
        names.push_back(json::text(nameOf(kind)));
    return json::array(names);
}

std::string quorumJson(const LockState &lock, MonoTime now)
{
    const auto &quorum = *lock.quorum;
    const auto holds = quorumHolds(lock);
    std::vector<std::string> members;
    for (const auto &member : lock.members)
        members.push_back(
            json::object({ { "node", json::text(member->node) }, { "holders", holdersJson(member->holders, now) } }));
    return json::object({
        { "held", json::number(quorum.held) },
        { "unknown", json::number(quorum.unknown) },
        { "servers", json::number(quorum.servers) },
        { "needed", json::number(quorum.needed()) },
        { "certainty", json::text(!holds.empty() && holds.front().inferred ? "inferred" : "seen") },
        { "contended", json::boolean(isContended(holds)) },
        { "members", json::array(members) },
    });
}

std::string keysJson(const LockState &lock)
{
    std::vector<std::string> keys;
    for (const std::string &key : keysOf(lock))
        keys.push_back(json::text(key));
    return json::array(keys);
}

std::string unreadKeysJson(const LockState &lock)
{
    std::vector<std::string> keys;
    for (const std::string &key : keysOf(lock)) {
        if (key.starts_with("redisson_lock_queue:") && key != lock.name)
            keys.push_back(json::text(key));
    }
    return json::array(keys);
}

} // namespace

std::string isoTime(WallTime time)
{
    return json::text(QDateTime::fromMSecsSinceEpoch(time.time_since_epoch().count(), Qt::UTC)
                          .toString(Qt::ISODateWithMs)
                          .toStdString());
}

void addName(std::vector<Field> &fields, std::string_view field, const lockcore::LockName &name)
{
    fields.emplace_back(field, json::text(name));
    if (!lockui::isUtf8(name))
        fields.emplace_back("nameBase64", json::base64(name));
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

std::string lockJson(const LockState &lock, const Now &now, const lockcore::Snapshot &snapshot, Deadlocks deadlocks)
{
    const auto *analysis = snapshot.analysis.get();
    const auto cycles = cyclesOf(analysis, [&](const lockcore::LockName &name) { return name == lock.name; });
    std::vector<Field> fields;
    addName(fields, "name", lock.name);
    const std::vector<Field> rest{
        { "kind", json::text(nameOf(lock.kind)) },
        { "state", isStateUnknown(lock) ? "null" : json::text(isHeld(lock) ? "held" : "free") },
        { "mode", nameOrNull(lock.mode) },
        { "holders", holdersJson(lock.holders, now.mono) },
        { "ttlMs", millisOrNull(lockcore::ttlAt(lock, now.mono)) },
        { "lease", json::text(nameOf(lock.lease)) },
        { "heldAtLeastMs", millisOrNull(heldFor(lock, now.mono)) },
        { "waiters", hasUnreadQueue(lock) ? "null" : waitersJson(lock, now.wall) },
        { "moreWaitersPossible", json::boolean(mayHaveMoreWaiters(lock)) },
        { "subscribers", json::orNull(subscribedClients(lock)) },
        { "otherDatabasePossible", json::boolean(mayWaitElsewhere(snapshot, lock)) },
        { "permits", permitsJson(lock) },
        { "count", json::orNull(lock.count) },
        { "token", json::orNull(lock.token) },
        { "keys", keysJson(lock) },
        { "node", lock.node.empty() ? "null" : json::text(lock.node) },
        { "slot", json::number(lock.slot) },
        { "readAt", isoTime(lock.readAt) },
        { "suspects", suspectsJson(analysis, lock.name) },
        { "deadlocks", deadlocks == Deadlocks::NotLookedFor ? "null" : deadlocksJson(cycles) },
        { "statistics", statisticsJson(analysis, lock.name) },
    };
    fields.insert(fields.end(), rest.begin(), rest.end());
    if (const auto others = lock.otherKinds; !others.empty())
        fields.emplace_back("alsoPossible", kindsJson(others));
    if (mayBeNoLock(lock))
        fields.emplace_back("mayBeNoLock", json::boolean(true));
    if (hasUnreadQueue(lock))
        fields.emplace_back("unreadableKeys", unreadKeysJson(lock));
    if (lock.quorum)
        fields.emplace_back("quorum", quorumJson(lock, now.mono));
    return json::object(fields);
}

std::string eventJson(const Event &event)
{
    const bool concernsAll = event.kind == EventKind::Gap && event.lock.empty();
    std::vector<Field> fields{
        { "at", isoTime(event.at) },
        { "event", json::text(nameOf(event.kind)) },
    };
    if (concernsAll)
        fields.emplace_back("lock", "null");
    else
        addName(fields, "lock", event.lock);
    const std::vector<Field> rest{
        { "kind", nameOrNull(event.lockKind) },
        { "client", event.owner ? json::text(event.owner->client) : "null" },
        { "thread", event.owner ? json::text(event.owner->thread) : "null" },
        { "count", json::orNull(event.count) },
        { "ttlMs", millisOrNull(event.ttl) },
        { "certainty", json::text(nameOf(event.certainty)) },
    };
    fields.insert(fields.end(), rest.begin(), rest.end());
    return json::object(fields);
}

} // namespace lockctl
