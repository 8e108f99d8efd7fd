// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockcore::monitor {

/// How many waited for a lock, from then on, of whom nothing but their number is known: no queue lists them. Or whether
/// one waited of whom it is known apart from the server.
struct WaitCount {
    LockName lock;
    std::int64_t count = 0;
    WallTime at;
    std::optional<OwnerId> owner{}; // that one: there is one of it, or none; absent: it tells of all
    std::optional<WallTime> since{}; // that one waits; absent: since `at`
    std::optional<bool> got{}; // whether that one, who waits no more, has got it; absent: not known

    bool operator==(const WaitCount &) const = default;
};

using WaitCountList = std::shared_ptr<const std::vector<WaitCount>>;

/// What changes led to, without those for which nobody waits.
class WaitCountState {
public:
    void take(const WaitCount &change)
    {
        const auto set = [&](auto &list, const auto &key, const auto &value) {
            if (change.count > 0)
                list.insert_or_assign(key, value);
            else
                list.erase(key);
        };
        if (change.owner)
            set(m_known, std::pair(change.lock, *change.owner), change.since.value_or(change.at));
        else
            set(m_counts, change.lock, change.count);
    }
    void clear()
    {
        m_counts.clear();
        m_known.clear();
    }
    /// As told at that moment.
    std::vector<WaitCount> at(WallTime moment) const
    {
        std::vector<WaitCount> counts;
        counts.reserve(m_counts.size() + m_known.size());
        for (const auto &[lock, count] : m_counts)
            counts.push_back({ .lock = lock, .count = count, .at = moment });
        for (const auto &[wait, since] : m_known)
            counts.push_back({ .lock = wait.first, .count = 1, .at = moment, .owner = wait.second, .since = since });
        return counts;
    }

private:
    std::unordered_map<LockName, std::int64_t> m_counts;
    std::map<std::pair<LockName, OwnerId>, WallTime> m_known; // since when
};

/// Of a lock that has no queue, which tells more.
inline std::int64_t countedWaits(const LockState &lock)
{
    return lock.waiters.empty() ? waitingCount(lock).value_or(0) : 0;
}

/// `visit(name, count)` for each lock of which that is another one.
template <typename Visit>
void visitWaitChanges(const LockList &before, const LockList &after, Visit visit)
{
    forEachDifference(before, after, [&](const auto &earlier, const auto &lock) {
        const std::int64_t count = lock ? countedWaits(*lock) : 0;
        if (count != (earlier ? countedWaits(*earlier) : 0))
            visit((lock ? lock : earlier)->name, count);
    });
}

} // namespace lockcore::monitor
