// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/lock_table.h"

#include "app/common/printable_text.h"
#include "app/lockctl/duration_text.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"
#include "app/lockctl/troubles.h"
#include "lockcore/monitor/quorum_holds.h"

#include <algorithm>

namespace lockctl {

using lockcore::Holder;
using lockcore::LockState;
using lockcore::MonoTime;

namespace {

std::string ownerText(const lockcore::OwnerId &owner)
{
    const bool isLong = owner.client.size() > ShortClient + 1;
    return app::printable(owner.client.substr(0, isLong ? ShortClient : owner.client.size())) + (isLong ? "…" : "")
        + (owner.thread.empty() ? "" : ":" + app::printable(owner.thread));
}

std::string holderText(const LockState &lock)
{
    if (isCounter(lock.kind))
        return stateText(lock);
    if (lock.holders.empty())
        return "–";
    if (const auto holds = quorumHolds(lock); holds.size() == 1 && holds.front().inferred)
        return std::to_string(holds.front().parts.size()) + " clients:" + app::printable(lock.holders[0].owner.thread);
    if (lock.holders.size() > 1)
        return std::to_string(lock.holders.size()) + " holders";
    const Holder &holder = lock.holders.front();
    return ownerText(holder.owner) + (holder.count > 1 ? " ×" + std::to_string(holder.count) : "");
}

std::string leaseText(const LockState &lock) { return isCounter(lock.kind) ? "–" : nameOf(lock.lease); }

/// A fair queue is exact unless it is too long to be read whole; of the others Redis knows how many client instances
/// wait, each with at least one thread; `3?` where they may wait for a lock of another database.
std::string waitingText(const LockState &lock, const lockcore::Snapshot &snapshot)
{
    const auto waiting = lockcore::waitingCount(lock);
    if (!waiting)
        return "?";
    if (mayWaitElsewhere(snapshot, lock))
        return std::to_string(*waiting) + "?";
    const bool atLeast = lock.waiters.empty() ? *waiting > 0 : mayHaveMoreWaiters(lock);
    return (atLeast ? "≥" : "") + std::to_string(*waiting);
}

} // namespace

std::string ttlText(const LockState &lock, MonoTime now)
{
    if (isCounter(lock.kind))
        return "–";
    if (!isHeld(lock))
        return "free";
    const auto ttl = lockcore::ttlAt(lock, now);
    return ttl ? durationText(*ttl) : "never ends";
}

std::string heldText(const LockState &lock, MonoTime now)
{
    if (lock.holders.empty())
        return "–";
    const auto held = heldFor(lock, now);
    if (!held)
        return "?";
    return (isHeldForExact(lock) ? "" : "≥ ") + durationText(*held);
}

bool saysHowLong(lockcore::Millis atLeast) { return atLeast >= std::chrono::seconds(1); }

std::string kindText(const LockState &lock)
{
    std::string kind = nameOf(lock.kind);
    for (const lockcore::Kind other : lock.otherKinds)
        kind += std::string(" or ") + nameOf(other);
    return lock.mode ? kind + " (" + nameOf(*lock.mode) + ")" : kind;
}

std::string stateText(const LockState &lock)
{
    if (lock.count)
        return "count " + std::to_string(*lock.count);
    if (!lock.permits)
        return "does not exist";
    std::string text = std::to_string(freePermits(*lock.permits)) + " free";
    if (lock.permits->overdue > 0)
        text += " (" + std::to_string(lock.permits->overdue) + " overdue)";
    if (lock.permits->leased)
        text += ", " + std::to_string(*lock.permits->leased) + " leased";
    return text;
}

std::string quorumCount(const lockcore::Quorum &quorum)
{
    const auto text = std::to_string(quorum.held) + " of " + std::to_string(quorum.servers);
    return quorum.unknown > 0 ? text + ", " + std::to_string(quorum.unknown) + " unknown" : text;
}

std::string quorumText(const LockState &lock)
{
    if (!lock.quorum)
        return "–";
    std::string text = quorumCount(*lock.quorum);
    const auto holds = quorumHolds(lock);
    if (isContended(holds))
        text += ", contended";
    else if (!holds.empty() && holds.front().inferred)
        text += ", inferred";
    return text;
}

TableView tableView(const lockcore::Snapshot &snapshot, MonoTime now)
{
    const bool independent = std::any_of(
        snapshot.locks.begin(), snapshot.locks.end(), [](const auto &lock) { return lock->quorum.has_value(); });
    return { snapshot, now, !independent && snapshot.nodes.size() > 1, independent };
}

std::vector<std::string> lockTable(const Locks &locks, const TableView &view, std::optional<int> width)
{
    std::vector<Column> columns{ { .title = "LOCK", .least = 12, .elide = Elide::Middle },
        { .title = "KIND", .least = 8, .priority = 3 }, { .title = "HOLDER", .least = 9, .elide = Elide::Middle },
        { .title = "TTL", .right = true }, { .title = "LEASE", .least = 5, .priority = 2 },
        { .title = "WAITING", .right = true }, { .title = "HELD FOR", .right = true, .priority = 1 } };
    if (view.quorum)
        columns.push_back({ .title = "QUORUM" });
    if (view.nodes)
        columns.push_back({ .title = "NODE", .least = 9, .priority = 4, .elide = Elide::Middle });
    const bool suspects
        = std::any_of(locks.begin(), locks.end(), [analysis = view.snapshot.analysis.get()](const auto &lock) {
              return !suspectsText(analysis, lock->name).empty();
          });
    if (suspects)
        columns.push_back({ .title = "SUSPECT", .least = 10 });
    std::vector<Row> rows;
    for (const auto &lock : locks) {
        Row row{ app::printable(lock->name), kindText(*lock), holderText(*lock), ttlText(*lock, view.now),
            leaseText(*lock), waitingText(*lock, view.snapshot), heldText(*lock, view.now) };
        if (view.quorum)
            row.push_back(quorumText(*lock));
        if (view.nodes)
            row.push_back(app::printable(lock->node));
        if (suspects)
            row.push_back(suspectsText(view.snapshot.analysis.get(), lock->name));
        rows.push_back(std::move(row));
    }
    return tableLines(std::move(columns), std::move(rows), width);
}

} // namespace lockctl
