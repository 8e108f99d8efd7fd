// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/hold_table.h"

#include <algorithm>

namespace lockcore {

bool Hold::hasNoLease(std::size_t holds) const
{
    return std::any_of(leases.begin(), leases.begin() + static_cast<std::ptrdiff_t>(holds),
        [](const std::optional<Millis> &lease) { return !lease; });
}

bool Hold::staysRenewed() const
{
    const auto asked = static_cast<std::size_t>(std::max(0, releasing));
    return asked < leases.size() && hasNoLease(leases.size() - asked);
}

void HoldTable::acquired(const HoldKey &key, std::optional<Millis> lease)
{
    const auto [place, isNew] = m_holds.try_emplace(key);
    Hold &hold = place->second;
    if (isNew) {
        hold.id = HoldId(++m_lastId);
        m_byId.emplace(m_lastId, &*place);
    }
    hold.leases.push_back(lease);
    if (lease)
        hold.newestLease = *lease;
}

void HoldTable::released(const HoldKey &key, std::int64_t left)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    auto &leases = hold->second.leases;
    leases.resize(std::min(leases.size() - 1, static_cast<std::size_t>(std::max<std::int64_t>(left, 0))));
    if (leases.empty())
        erase(hold);
}

void HoldTable::dropNewest(const HoldKey &key)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    hold->second.leases.pop_back();
    if (hold->second.leases.empty())
        erase(hold);
}

void HoldTable::forget(const HoldKey &key)
{
    if (const auto hold = m_holds.find(key); hold != m_holds.end())
        erase(hold);
}

void HoldTable::clear()
{
    m_holds.clear();
    m_byId.clear();
    m_wheel.clear();
}

std::int64_t HoldTable::count(const HoldKey &key) const
{
    const auto hold = m_holds.find(key);
    return hold == m_holds.end() ? 0 : static_cast<std::int64_t>(hold->second.leases.size());
}

Millis HoldTable::leaseAfterRelease(const HoldKey &key, Millis watchdogTimeout) const
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end() || hold->second.newestLease == Millis(0)
        || hold->second.hasNoLease(hold->second.leases.size() - 1))
        return watchdogTimeout;
    return hold->second.newestLease;
}

void HoldTable::releaseBegins(const HoldKey &key)
{
    if (const auto hold = m_holds.find(key); hold != m_holds.end())
        ++hold->second.releasing;
}

void HoldTable::releaseEnds(const HoldKey &key)
{
    if (const auto hold = m_holds.find(key); hold != m_holds.end())
        --hold->second.releasing;
}

HoldTable::Entry *HoldTable::find(const HoldKey &key)
{
    const auto hold = m_holds.find(key);
    return hold == m_holds.end() ? nullptr : &*hold;
}

HoldTable::Entry *HoldTable::find(HoldId id)
{
    const auto entry = m_byId.find(static_cast<std::uint64_t>(id));
    return entry == m_byId.end() ? nullptr : entry->second;
}

void HoldTable::lookAt(Entry &entry, MonoTime at)
{
    Hold &hold = entry.second;
    if (hold.timer != TimerWheel::Timer::None)
        m_wheel.disarm(hold.timer);
    hold.timer = m_wheel.arm(at, static_cast<std::uint64_t>(hold.id));
}

std::vector<HoldId> HoldTable::toLookAt(MonoTime now, Millis ahead)
{
    std::vector<HoldId> ids;
    for (const std::uint64_t id : m_wheel.advance(now, ahead)) {
        m_byId.at(id)->second.timer = TimerWheel::Timer::None;
        ids.push_back(HoldId(id));
    }
    return ids;
}

std::vector<HoldId> HoldTable::renewed() const
{
    std::vector<HoldId> ids;
    for (const auto &[key, hold] : m_holds) {
        if (hold.isRenewed())
            ids.push_back(hold.id);
    }
    return ids;
}

void HoldTable::erase(Holds::iterator hold)
{
    if (hold->second.timer != TimerWheel::Timer::None)
        m_wheel.disarm(hold->second.timer);
    m_byId.erase(static_cast<std::uint64_t>(hold->second.id));
    m_holds.erase(hold);
}

} // namespace lockcore
