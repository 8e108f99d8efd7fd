// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/monitor/wait_count.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lockui {

/// How many waited for locks without a queue, and in a recording who of its own clients did, over time: each change, in
/// the order in which it was seen, whichever page is shown. Beyond the limit the oldest go.
class WaitCounts {
public:
    using Place = std::uint64_t; // counts all that were ever told
    static constexpr std::size_t Most = 200'000;

    void look(const lockcore::monitor::Snapshot &snapshot); // at a server
    void add(const std::vector<lockcore::monitor::WaitCount> &counts); // of a recording
    void clear(); // another connection, or another moment of a recording

    void hold(bool held); // while a moment is held, what comes after it is kept, and not shown
    Place shownEnd() const { return m_heldEnd ? std::max(*m_heldEnd, m_first) : end(); }
    Place first() const { return m_first; }
    bool hasDropped() const { return m_dropped; } // older ones were told, too
    const lockcore::monitor::WaitCountState &before() const { return m_before; } // what those dropped led to
    const lockcore::monitor::WaitCount &at(Place place) const { return m_counts[place - m_first]; }

private:
    Place end() const { return m_first + m_counts.size(); }
    void keep(lockcore::monitor::WaitCount count);

    std::deque<lockcore::monitor::WaitCount> m_counts;
    Place m_first = 0;
    bool m_dropped = false;
    lockcore::monitor::WaitCountState m_before;
    lockcore::monitor::LockList m_looked;
    std::optional<Place> m_heldEnd; // absent: the newest is shown
};

} // namespace lockui
