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
    const EventStore::Record &record = m_store.record(place);
    if (record.kind == EventKind::Gap)
        return true;
    if (m_choice.kinds.any() && !m_choice.kinds.test(static_cast<std::size_t>(record.kind)))
        return false;
    if (m_choice.filter.isEmpty() || isOfServer(record.kind)) // it concerns all locks
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
    m_next = std::max(m_next, store.first());
    EventMatcher matcher(store, choice);
    for (; m_next < end && most > 0; ++m_next, --most)
        if (store.record(m_next).kind != EventKind::Gap && matcher.matches(m_next))
            ++m_seconds[secondAt(store.record(m_next).at)];
    if (store.size() > 0) // the seconds of what is no longer kept
        m_seconds.erase(m_seconds.begin(), m_seconds.lower_bound(secondAt(store.record(store.first()).at)));
    return m_next >= end;
}

} // namespace lockui
