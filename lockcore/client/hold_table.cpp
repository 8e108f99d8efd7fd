// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/hold_table.h"

#include <algorithm>

namespace lockcore {

void HoldTable::acquired(const HoldKey &key, std::optional<Millis> lease)
{
    Hold &hold = m_holds[key];
    hold.leases.push_back(lease);
    if (lease)
        hold.newestLease = *lease;
}

void HoldTable::released(const HoldKey &key, std::int64_t left)
{
    const auto hold = m_holds.find(key);
    if (hold == m_holds.end())
        return;
    if (left <= 0)
        m_holds.erase(hold);
    else if (static_cast<std::size_t>(left) < hold->second.leases.size())
        hold->second.leases.resize(static_cast<std::size_t>(left));
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
        || hasNoLease(hold->second, hold->second.leases.size() - 1))
        return watchdogTimeout;
    return hold->second.newestLease;
}

std::vector<HoldKey> HoldTable::withoutLease() const
{
    std::vector<HoldKey> keys;
    for (const auto &[key, hold] : m_holds) {
        if (hasNoLease(hold, hold.leases.size()))
            keys.push_back(key);
    }
    return keys;
}

bool HoldTable::isRenewed(const HoldKey &key) const
{
    const auto hold = m_holds.find(key);
    return hold != m_holds.end() && hold->second.releasing == 0 && hasNoLease(hold->second, hold->second.leases.size());
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

bool HoldTable::hasNoLease(const Hold &hold, std::size_t holds)
{
    return std::any_of(hold.leases.begin(), hold.leases.begin() + static_cast<std::ptrdiff_t>(holds),
        [](const std::optional<Millis> &lease) { return !lease; });
}

} // namespace lockcore
