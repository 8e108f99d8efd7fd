// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/recent_events.h"

#include <algorithm>
#include <iterator>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr std::size_t MostGaps = 64;
constexpr std::size_t MostOfOne = 512; // a busy lock is handed on some times a second, and 90 s are shown

bool begins(const Event &event) { return event.kind == EventKind::Acquired; }

bool ends(const Event &event)
{
    return event.kind == EventKind::Released || event.kind == EventKind::Expired
        || event.kind == EventKind::ForceReleased || event.kind == EventKind::Deleted;
}

} // namespace

void RecentEvents::add(const std::vector<Event> &events)
{
    for (const Event &event : events) {
        if (event.kind == EventKind::Gap && event.ttl) {
            m_gaps.push_back(event);
            if (m_gaps.size() > MostGaps)
                m_gaps.pop_front();
        }
        if (!begins(event) && !ends(event))
            continue;
        const QByteArray name = QByteArray::fromStdString(event.lock);
        auto *known = m_events.object(name);
        if (known == nullptr) {
            known = new std::vector<Event>();
            m_events.insert(name, known);
        }
        if (known->size() == MostOfOne)
            known->erase(known->begin(), known->begin() + MostOfOne / 2);
        known->push_back(event);
    }
}

void RecentEvents::clear()
{
    m_events.clear();
    m_gaps.clear();
}

std::vector<Event> RecentEvents::gapsOf(const std::string &node) const
{
    std::vector<Event> gaps;
    std::ranges::copy_if(
        m_gaps, std::back_inserter(gaps), [&](const Event &gap) { return gap.node.empty() || gap.node == node; });
    return gaps;
}

std::vector<Event> RecentEvents::beginningsOf(const LockName &lock) const
{
    std::vector<Event> beginnings;
    if (const auto *known = m_events.object(QByteArray::fromStdString(lock)))
        std::copy_if(known->begin(), known->end(), std::back_inserter(beginnings), begins);
    return beginnings;
}

std::optional<Event> RecentEvents::endOf(const LockName &lock) const
{
    const auto *known = m_events.object(QByteArray::fromStdString(lock));
    return known != nullptr && !known->empty() && ends(known->back()) ? std::optional(known->back()) : std::nullopt;
}

} // namespace lockui
