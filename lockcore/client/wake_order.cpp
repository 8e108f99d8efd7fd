// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/wake_order.h"

#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <limits>

namespace lockcore {

void WakeOrder::set(Waiter waiter, const Share &share, Readiness readiness)
{
    const auto place = m_groups.try_emplace(share.group).first;
    Group &group = place->second;
    if (group.asleep.erase(waiter) != 0) {
        const auto alike = group.asleepByWants.find(share.wants);
        alike->second.erase(waiter);
        if (alike->second.empty())
            group.asleepByWants.erase(alike);
    }
    group.trying.erase(waiter);
    if (readiness == Readiness::Unfit) {
        group.wants.erase(waiter);
        if (group.wants.empty())
            m_groups.erase(place);
        return;
    }
    group.wants[waiter] = share.wants;
    if (readiness == Readiness::Trying) {
        group.trying.insert(waiter);
        return;
    }
    group.asleep.insert(waiter);
    group.asleepByWants[share.wants].insert(waiter);
}

std::vector<WakeOrder::Waiter> WakeOrder::wokenBy(std::string_view payload)
{
    if (m_usedUp > 0) {
        --m_usedUp;
        return {};
    }
    m_handOvers = 0;
    if (m_message == Message::Gate || (m_message == Message::Lock && payload == "1"))
        return all();
    const std::int64_t permits = m_message == Message::Permits ? parseInteger(payload).value_or(1) : 1;
    std::vector<Waiter> woken;
    for (const auto &[name, group] : m_groups)
        take(group, permits, woken);
    return woken;
}

std::optional<WakeOrder::Waiter> WakeOrder::nextWaiter()
{
    const bool onlyOneGroup = m_message == Message::Lock && m_groups.size() == 1;
    if (!onlyOneGroup || m_groups.begin()->second.asleep.empty() || m_handOvers == MostHandOvers)
        return std::nullopt;
    ++m_handOvers;
    ++m_usedUp;
    return *m_groups.begin()->second.asleep.begin();
}

void WakeOrder::noMessage() { m_usedUp = std::max(m_usedUp - 1, 0); }

void WakeOrder::messagesMissed() { m_usedUp = 0; }

std::vector<WakeOrder::Waiter> WakeOrder::firsts() const
{
    std::vector<Waiter> first;
    for (const auto &[name, group] : m_groups) {
        if (!group.asleep.empty())
            first.push_back(*group.asleep.begin());
    }
    return first;
}

std::optional<WakeOrder::Waiter> WakeOrder::insteadOf(const Share &share) const
{
    std::vector<Waiter> woken;
    if (const auto group = m_groups.find(share.group); group != m_groups.end())
        take(group->second, 1, woken);
    return woken.empty() ? std::nullopt : std::optional(woken.front());
}

std::optional<WakeOrder::Waiter> WakeOrder::contentWithLess(const Share &share) const
{
    const auto group = m_groups.find(share.group);
    if (group == m_groups.end())
        return std::nullopt;
    const auto &byWants = group->second.asleepByWants;
    std::optional<Waiter> longest;
    for (auto alike = byWants.begin(); alike != byWants.end() && alike->first < share.wants; ++alike) {
        const Waiter waiter = *alike->second.begin();
        longest = longest ? std::min(*longest, waiter) : waiter;
    }
    return longest;
}

// Each one was refused with less than it wants: so many, and no more, can have it now.
void WakeOrder::take(const Group &group, std::int64_t permits, std::vector<Waiter> &woken)
{
    for (const auto *waiters : { &group.asleep, &group.trying }) {
        for (auto waiter = waiters->begin(); waiter != waiters->end() && permits > 0; ++waiter) {
            woken.push_back(*waiter);
            permits -= group.wants.at(*waiter);
        }
    }
}

std::vector<WakeOrder::Waiter> WakeOrder::all() const
{
    constexpr auto Everything = std::numeric_limits<std::int64_t>::max();
    std::vector<Waiter> woken;
    for (const auto &[name, group] : m_groups)
        take(group, Everything, woken);
    return woken;
}

} // namespace lockcore
