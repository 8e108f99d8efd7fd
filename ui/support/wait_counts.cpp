// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/wait_counts.h"

#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

void WaitCounts::look(const Snapshot &snapshot)
{
    visitWaitChanges(m_looked, snapshot.locks, [&](const LockName &lock, std::int64_t count) {
        keep({ .lock = lock, .count = count, .at = snapshot.takenAt.wall });
    });
    m_looked = snapshot.locks;
}

void WaitCounts::add(const std::vector<WaitCount> &counts)
{
    for (const WaitCount &count : counts)
        keep(count);
}

void WaitCounts::keep(WaitCount count)
{
    m_counts.push_back(std::move(count));
    if (m_counts.size() <= Most)
        return;
    m_before.take(m_counts.front());
    m_counts.pop_front();
    ++m_first;
    m_dropped = true;
}

void WaitCounts::clear()
{
    m_first = end(); // no place is used twice
    m_counts.clear();
    m_before.clear();
    m_dropped = false;
    m_looked = {};
}

void WaitCounts::hold(bool held) { m_heldEnd = held ? std::optional(end()) : std::nullopt; }

} // namespace lockui
