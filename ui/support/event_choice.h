// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "ui/support/event_store.h"

#include <bitset>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace lockui {

/// Which events a person wants to see. Times in which nothing was seen are always among them.
struct EventChoice {
    lockcore::monitor::LockFilter filter;
    std::bitset<EventStore::KindCount> kinds; // none: all

    bool isEverything() const { return filter.isEmpty() && kinds.none(); }
};

/// Asks a filter once for each lock, kind and owner. Short-lived: names that nobody uses any more make room for others.
class EventMatcher {
public:
    EventMatcher(const EventStore &store, const EventChoice &choice);

    bool matches(EventStore::Place place);

private:
    const EventStore &m_store;
    const EventChoice &m_choice;
    std::unordered_map<std::uint64_t, bool> m_answers;
};

/// How many of the events that are chosen happened in which second. Gaps are no events.
class EventTally {
public:
    using Seconds = std::map<std::int64_t, std::uint32_t>; // since 1970

    void restart() { *this = EventTally(); }
    /// Looks at so many events at most, to be called again; true: nothing is left to look at.
    bool advance(const EventStore &store, const EventChoice &choice, EventStore::Place end, std::size_t most);
    const Seconds &seconds() const { return m_seconds; }

private:
    EventStore::Place m_next = 0;
    Seconds m_seconds;
};

} // namespace lockui
