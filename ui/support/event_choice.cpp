// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/event_choice.h"

#include <algorithm>

namespace lockui {

using namespace lockcore::monitor;

namespace {

constexpr unsigned AnswerBits = 16;

bool isFound(EventKind kind) { return kind == EventKind::Appeared || kind == EventKind::FoundQueued; }

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
    if (m_answers.empty() || m_first != m_store.first()) {
        m_answers.assign(std::size_t{ 1 } << AnswerBits, {});
        m_first = m_store.first();
    }
    constexpr std::uint64_t Spread = 0x9E3779B97F4A7C15; // of the golden ratio: neighbours come to different places
    Answer &answer = m_answers[(who * Spread) >> (64 - AnswerBits)];
    if (answer.who != who)
        answer = { who, m_choice.filter.matches(m_store.event(place)) };
    return answer.passes;
}

void EventMatcher::forget() { m_answers.clear(); }

EventTally::EventTally(const EventStore &store, const EventChoice &choice)
    : m_store(store)
    , m_choice(choice)
    , m_matcher(store, choice)
{
}

void EventTally::restart()
{
    m_matcher.forget();
    m_next = m_store.shownEnd();
    m_whole = false;
    m_corrections = m_store.corrected().size();
    m_seconds.clear();
    m_found.clear();
    m_chosen = 0;
    m_kinds = {};
    m_looked.clear();
}

bool EventTally::advance(std::size_t most)
{
    forgetGone();
    correct();
    const EventStore::Place end = m_store.shownEnd();
    if (m_looked.empty() || end > m_next + MostInOrder)
        restart();
    for (; m_next < end && most > 0; ++m_next, --most)
        m_looked.push_back(look(m_next));
    for (; begin() > m_store.first() && most > 0; --most)
        m_looked.push_front(look(begin() - 1));
    for (Seconds *seconds : { &m_seconds, &m_found })
        if (m_store.size() > 0) // of what is no longer kept
            seconds->erase(seconds->begin(), seconds->lower_bound(secondAt(m_store.record(m_store.first()).at)));
    m_whole = m_next >= end && begin() <= m_store.first();
    return m_whole;
}

bool EventTally::isChosen(EventStore::Place place) const
{
    const std::uint8_t kind = m_looked[place - begin()];
    return kind != Filtered && m_choice.hasKind(static_cast<EventKind>(kind));
}

std::uint8_t EventTally::look(EventStore::Place place)
{
    const EventStore::Record &record = m_store.record(place);
    if (!m_matcher.passesFilter(place))
        return Filtered;
    const auto kind = static_cast<std::uint8_t>(record.kind);
    ++m_kinds[kind];
    if (!m_choice.hasKind(record.kind))
        return kind;
    ++m_chosen;
    if (record.kind != EventKind::Gap)
        ++m_seconds[secondAt(record.at)];
    if (isFound(record.kind))
        ++m_found[secondAt(record.at)];
    return kind;
}

/// A store that was emptied begins behind all that was looked at.
void EventTally::forgetGone()
{
    for (; !m_looked.empty() && begin() < m_store.first(); m_looked.pop_front()) {
        const std::uint8_t kind = m_looked.front();
        if (kind == Filtered)
            continue;
        --m_kinds[kind];
        m_chosen -= m_choice.hasKind(static_cast<EventKind>(kind)) ? 1 : 0;
    }
}

/// It became known what they were.
void EventTally::correct()
{
    const std::vector<EventStore::Place> &corrected = m_store.corrected();
    for (m_corrections = std::min(m_corrections, corrected.size()); m_corrections < corrected.size(); ++m_corrections) {
        const EventStore::Place place = corrected[m_corrections];
        if (place >= m_next || place < begin())
            continue; // not looked at yet, or gone
        std::uint8_t &kind = m_looked[place - begin()];
        if (kind == Filtered)
            continue;
        const EventStore::Record &record = m_store.record(place);
        const int more = int(m_choice.hasKind(record.kind)) - int(m_choice.hasKind(static_cast<EventKind>(kind)));
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
