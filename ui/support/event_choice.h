// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/lock_filter.h"
#include "ui/support/event_store.h"

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

namespace lockui {

/// Which events a person wants to see. Times in which nothing was seen are always among them.
struct EventChoice {
    using Kinds = std::bitset<EventStore::KindCount>;

    lockcore::monitor::LockFilter filter;
    Kinds kinds; // none: all

    bool isEverything() const { return filter.isEmpty() && kinds.none(); }
    bool hasKind(lockcore::monitor::EventKind kind) const
    {
        return kind == lockcore::monitor::EventKind::Gap || kinds.none() || kinds.test(static_cast<std::size_t>(kind));
    }
};

/// Asks a filter mostly once for each lock, kind and owner.
class EventMatcher {
public:
    EventMatcher(const EventStore &store, const EventChoice &choice);

    bool matches(EventStore::Place place);
    bool passesFilter(EventStore::Place place); // whatever its kind
    void forget(); // another filter is chosen

private:
    /// A later answer takes the place of one that came to the same: a table that grows takes long to be cleared.
    struct Answer {
        std::uint64_t who = 0; // none yet
        bool passes = false;
    };

    const EventStore &m_store;
    const EventChoice &m_choice;
    std::vector<Answer> m_answers;
    EventStore::Place m_first = 0; // of the store then: a name that goes makes room for another
};

/// Which events are chosen, how many, of which kinds, and how many of them happened in which second. Looks at them from
/// the newest back, a few at a time, and at those that come.
class EventTally {
public:
    static constexpr EventStore::Place MostInOrder = 50'000; // that came; of more the newest are looked at first
    using Seconds = std::map<std::int64_t, std::uint32_t>; // since 1970

    EventTally(const EventStore &store, const EventChoice &choice);

    void restart(); // with the newest, since another choice was made
    /// Looks at so many events at most, to be called again; true: nothing is left to look at.
    bool advance(std::size_t most);
    bool isWhole() const { return m_whole; } // nothing was left to look at

    EventStore::Place begin() const { return m_next - m_looked.size(); } // from here to the end all were looked at
    EventStore::Place end() const { return m_next; }
    bool isChosen(EventStore::Place place) const; // one of these

    const Seconds &seconds() const { return m_seconds; } // gaps are no events
    const Seconds &found() const { return m_found; } // of these, what a look found: when that happened nobody knows
    std::size_t chosen() const { return m_chosen; } // a gap is one row among them
    std::size_t countOf(lockcore::monitor::EventKind kind) const { return m_kinds[std::size_t(kind)]; } // filtered

private:
    static constexpr std::uint8_t Filtered = 255;

    std::uint8_t look(EventStore::Place place); // its kind, or that it is filtered
    void forgetGone();
    void correct();

    const EventStore &m_store;
    const EventChoice &m_choice;
    EventMatcher m_matcher;
    EventStore::Place m_next = 0;
    bool m_whole = false;
    std::size_t m_corrections = 0; // of the store, that are counted
    Seconds m_seconds;
    Seconds m_found;
    std::size_t m_chosen = 0;
    std::array<std::size_t, EventStore::KindCount> m_kinds{};
    std::deque<std::uint8_t> m_looked; // the kinds of those that were looked at, up to the next
};

} // namespace lockui
