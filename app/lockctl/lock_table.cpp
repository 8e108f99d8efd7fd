// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/lock_table.h"

#include "app/common/printable_text.h"
#include "app/lockctl/lock_json.h"
#include "app/lockctl/names.h"

#include <algorithm>
#include <cstdio>

namespace lockctl {

using lockcore::Holder;
using lockcore::LockState;
using lockcore::Millis;
using lockcore::MonoTime;

namespace {

constexpr std::size_t ShortClient = 8;

std::string pair(std::int64_t large, const char *largeUnit, std::int64_t small, const char *smallUnit)
{
    char text[64];
    std::snprintf(text, sizeof text, "%lld %s %02lld %s", static_cast<long long>(large), largeUnit,
        static_cast<long long>(small), smallUnit);
    return text;
}

std::string ownerText(const lockcore::OwnerId &owner)
{
    const bool isLong = owner.client.size() > ShortClient + 1;
    return app::printable(owner.client.substr(0, isLong ? ShortClient : owner.client.size())) + (isLong ? "…:" : ":")
        + app::printable(owner.thread);
}

std::string holderText(const LockState &lock)
{
    if (lock.holders.empty())
        return "–";
    if (lock.holders.size() > 1)
        return std::to_string(lock.holders.size()) + " holders";
    const Holder &holder = lock.holders.front();
    return ownerText(holder.owner) + (holder.count > 1 ? " ×" + std::to_string(holder.count) : "");
}

/// A fair queue is exact; of the others Redis knows how many client instances wait, each with at least one thread.
std::string waitingText(const LockState &lock)
{
    const auto waiting = lockcore::waitingCount(lock);
    if (!waiting)
        return "?";
    return (lock.waiters.empty() && *waiting > 0 ? "≥" : "") + std::to_string(*waiting);
}

} // namespace

std::string durationText(Millis duration)
{
    const std::int64_t seconds = duration.count() / 1'000;
    if (seconds < 60) {
        char text[32];
        const std::int64_t tenths = duration.count() / 100;
        std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(tenths) / 10);
        return text;
    }
    if (seconds < 3'600)
        return pair(seconds / 60, "m", seconds % 60, "s");
    return pair(seconds / 3'600, "h", seconds / 60 % 60, "m");
}

std::string ttlText(const LockState &lock, MonoTime now)
{
    if (lock.holders.empty())
        return "free";
    const auto ttl = lockcore::ttlAt(lock, now);
    return ttl ? durationText(*ttl) : "never ends";
}

std::string heldText(const LockState &lock, MonoTime now)
{
    const auto held = heldAtLeast(lock, now);
    if (!held)
        return "–";
    const bool exact = std::all_of(
        lock.holders.begin(), lock.holders.end(), [](const Holder &holder) { return holder.since.exact; });
    return (exact ? "" : "≥ ") + durationText(*held);
}

std::string kindText(const LockState &lock)
{
    const std::string kind = nameOf(lock.kind);
    return lock.mode ? kind + " (" + nameOf(*lock.mode) + ")" : kind;
}

std::vector<std::string> lockTable(const Locks &locks, MonoTime now, std::optional<int> width)
{
    static const std::vector<Column> columns{ { "LOCK", false, 12 }, { "KIND", false, 8 }, { "HOLDER", false, 9 },
        { "TTL", true }, { "LEASE", false, 5 }, { "WAITING", true }, { "HELD FOR", true } };
    std::vector<Row> rows;
    for (const auto &lock : locks) {
        rows.push_back({ app::printable(lock->name), kindText(*lock), holderText(*lock), ttlText(*lock, now),
            nameOf(lock->lease), waitingText(*lock), heldText(*lock, now) });
    }
    return tableLines(columns, rows, width);
}

} // namespace lockctl
