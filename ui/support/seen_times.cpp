// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/seen_times.h"

#include <algorithm>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

SeenTimes::SeenTimes(const Snapshot &snapshot)
    : m_isAnyStale(snapshot.status.staleSince.has_value())
    , m_elsewhere(snapshot.status.staleSince)
{
    for (const NodeStatus &node : snapshot.nodes) {
        m_staleSince.emplace(node.node, node.status.staleSince);
        m_isAnyStale = m_isAnyStale || node.status.staleSince;
    }
}

MonoTime SeenTimes::seenUntil(const LockState &lock, MonoTime now) const
{
    if (!m_isAnyStale)
        return now;
    if (lock.members.empty()) {
        const auto server = m_staleSince.find(lock.node);
        const auto since = server == m_staleSince.end() ? m_elsewhere : server->second;
        return std::min(now, std::max(since.value_or(now), lock.readAtMono));
    }
    MonoTime last;
    for (const auto &member : lock.members)
        last = std::max(last, seenUntil(*member, now));
    return last;
}

bool matches(const LockFilter &filter, const SeenTimes &seen, const LockState &lock, MonoTime now)
{
    return filter.isEmpty() || filter.matches(lock, filter.dependsOnTime() ? seen.seenUntil(lock, now) : now);
}

} // namespace lockui
