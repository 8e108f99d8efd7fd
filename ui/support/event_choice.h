// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "ui/support/event_store.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>

namespace lockui {

/// Which events a person wants to see. Times in which nothing was seen are always among them.
struct EventChoice {
    lockcore::monitor::LockFilter filter;
    std::bitset<EventStore::KindCount> kinds; // none: all

    bool isEverything() const { return filter.isEmpty() && kinds.none(); }
    bool hasKind(lockcore::monitor::EventKind kind) const
    {
        return kind == lockcore::monitor::EventKind::Gap || kinds.none() || kinds.test(static_cast<std::size_t>(kind));
    }
};

/// Asks a filter once for each lock, kind and owner. Short-lived: names that nobody uses any more make room for others.
class EventMatcher {
public:
    EventMatcher(const EventStore &store, const EventChoice &choice);

    bool matches(EventStore::Place place);
    bool passesFilter(EventStore::Place place); // whatever its kind

private:
    const EventStore &m_store;
    const EventChoice &m_choice;
    std::unordered_map<std::uint64_t, bool> m_answers;
};

/// How many events are chosen, of which kinds, and how many of them happened in which second.
class EventTally {
public:
    using Seconds = std::map<std::int64_t, std::uint32_t>; // since 1970

    void restart() { *this = EventTally(); }
    /// Looks at so many events at most, to be called again; true: nothing is left to look at.
    bool advance(const EventStore &store, const EventChoice &choice, EventStore::Place end, std::size_t most);
    bool isWhole() const { return m_whole; } // nothing was left to look at
    const Seconds &seconds() const { return m_seconds; } // gaps are no events
    std::size_t chosen() const { return m_chosen; } // a gap is one row among them
    std::size_t countOf(lockcore::monitor::EventKind kind) const { return m_kinds[std::size_t(kind)]; } // filtered

private:
    static constexpr std::uint8_t Filtered = 255;

    void look(const EventStore &store, const EventChoice &choice, EventMatcher &matcher);
    void forgetBefore(EventStore::Place first, const EventChoice &choice);
    void correct(const EventStore &store, const EventChoice &choice);

    EventStore::Place m_next = 0;
    bool m_whole = false;
    std::size_t m_corrections = 0; // of the store, that are counted
    Seconds m_seconds;
    std::size_t m_chosen = 0;
    std::array<std::size_t, EventStore::KindCount> m_kinds{};
    std::deque<std::uint8_t> m_looked; // the kinds of the last that were looked at, up to the next: they may be gone
};

} // namespace lockui
