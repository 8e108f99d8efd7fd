// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/event_choice.h"

#include <algorithm>

namespace lockui {

using namespace lockcore::monitor;

namespace {

constexpr std::size_t MostAnswers = 200'000;

std::int64_t secondAt(lockcore::WallTime at)
{
    return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

} // namespace

EventMatcher::EventMatcher(const EventStore &store, const EventChoice &choice)
    : m_store(store)
    , m_choice(choice)
{
}

bool EventMatcher::matches(EventStore::Place place)
{
    return m_choice.hasKind(m_store.record(place).kind) && passesFilter(place);
}

bool EventMatcher::passesFilter(EventStore::Place place)
{
    const EventStore::Record &record = m_store.record(place);
    if (m_choice.filter.isEmpty() || record.kind == EventKind::Gap || isOfServer(record.kind)) // of all locks
        return true;
    constexpr unsigned IdBits = 28; // far more than there are events
    const std::uint64_t who
        = (std::uint64_t{ record.lock } << (64 - IdBits)) | (std::uint64_t{ record.owner } << 8U) | record.lockKind;
    if (const auto known = m_answers.find(who); known != m_answers.end())
        return known->second;
    if (m_answers.size() > MostAnswers)
        m_answers.clear();
    return m_answers.emplace(who, m_choice.filter.matches(m_store.event(place))).first->second;
}

bool EventTally::advance(const EventStore &store, const EventChoice &choice, EventStore::Place end, std::size_t most)
{
    forgetBefore(store.first(), choice);
    correct(store, choice);
    EventMatcher matcher(store, choice);
    for (; m_next < end && most > 0; ++m_next, --most)
        look(store, choice, matcher);
    if (store.size() > 0) // the seconds of what is no longer kept
        m_seconds.erase(m_seconds.begin(), m_seconds.lower_bound(secondAt(store.record(store.first()).at)));
    m_whole = m_next >= end;
    return m_whole;
}

void EventTally::look(const EventStore &store, const EventChoice &choice, EventMatcher &matcher)
{
    const EventStore::Record &record = store.record(m_next);
    if (!matcher.passesFilter(m_next)) {
        m_looked.push_back(Filtered);
        return;
    }
    m_looked.push_back(static_cast<std::uint8_t>(record.kind));
    ++m_kinds[static_cast<std::size_t>(record.kind)];
    if (!choice.hasKind(record.kind))
        return;
    ++m_chosen;
    if (record.kind != EventKind::Gap)
        ++m_seconds[secondAt(record.at)];
}

/// A store that was emptied begins behind all that was looked at.
void EventTally::forgetBefore(EventStore::Place first, const EventChoice &choice)
{
    for (; !m_looked.empty() && m_next - m_looked.size() < first; m_looked.pop_front()) {
        const std::uint8_t kind = m_looked.front();
        if (kind == Filtered)
            continue;
        --m_kinds[kind];
        m_chosen -= choice.hasKind(static_cast<EventKind>(kind)) ? 1 : 0;
    }
    m_next = std::max(m_next, first);
}

/// It became known what they were.
void EventTally::correct(const EventStore &store, const EventChoice &choice)
{
    const std::vector<EventStore::Place> &corrected = store.corrected();
    for (m_corrections = std::min(m_corrections, corrected.size()); m_corrections < corrected.size(); ++m_corrections) {
        const EventStore::Place place = corrected[m_corrections];
        if (place >= m_next || place + m_looked.size() < m_next)
            continue; // not looked at yet, or gone
        std::uint8_t &kind = m_looked[place + m_looked.size() - m_next];
        if (kind == Filtered)
            continue;
        const EventStore::Record &record = store.record(place);
        const int more = int(choice.hasKind(record.kind)) - int(choice.hasKind(static_cast<EventKind>(kind)));
        --m_kinds[kind];
        kind = static_cast<std::uint8_t>(record.kind);
        ++m_kinds[kind];
        m_chosen += static_cast<std::size_t>(more);
        if (more > 0)
            ++m_seconds[secondAt(record.at)];
        else if (const auto second = m_seconds.find(secondAt(record.at)); more < 0 && second != m_seconds.end())
            if (--second->second == 0)
                m_seconds.erase(second);
    }
}

} // namespace lockui
