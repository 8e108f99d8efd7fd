// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/non_lock_keys.h"

#include <algorithm>
#include <utility>

namespace lockcore::monitor {

namespace {

constexpr Millis QuietTime{ 250 };
constexpr Millis ReadingPeriod{ 100 };
constexpr int ReadsPerPeriod = 500;
constexpr std::size_t MostNonLockKeys = 50'000;

} // namespace

void NonLockKeys::hold(const LockName &name, MonoTime until)
{
    if (m_held.size() >= MostNonLockKeys) {
        m_overflow = true;
        return;
    }
    if (m_held.insert(name).second)
        m_order.emplace(until, name);
}

bool NonLockKeys::hasReadsLeft(MonoTime now)
{
    if (now - m_periodStart >= ReadingPeriod) {
        m_periodStart = now;
        m_readsInPeriod = 0;
    }
    return m_readsInPeriod < ReadsPerPeriod;
}

bool NonLockKeys::mayRead(const LockName &name, MonoTime now)
{
    if (const auto quiet = m_quietUntil.find(name); quiet != m_quietUntil.end()) {
        if (quiet->second > now) {
            hold(name, quiet->second);
            return false;
        }
        m_quietUntil.erase(quiet);
    }
    const bool othersComeFirst = !m_order.empty() && m_order.begin()->first <= now;
    if (!hasReadsLeft(now) || othersComeFirst) {
        hold(name, now);
        return false;
    }
    ++m_readsInPeriod;
    return true;
}

void NonLockKeys::foundNoLock(const LockName &name, MonoTime now)
{
    if (m_quietUntil.size() >= MostNonLockKeys)
        std::erase_if(m_quietUntil, [&](const auto &entry) { return entry.second <= now; });
    if (m_quietUntil.size() < MostNonLockKeys)
        m_quietUntil.insert_or_assign(name, now + QuietTime);
}

std::vector<LockName> NonLockKeys::takeDue(MonoTime now)
{
    std::vector<LockName> due;
    while (!m_order.empty() && m_order.begin()->first <= now && hasReadsLeft(now)) {
        ++m_readsInPeriod;
        due.push_back(std::move(m_order.begin()->second));
        m_held.erase(due.back());
        m_quietUntil.erase(due.back());
        m_order.erase(m_order.begin());
    }
    return due;
}

std::optional<MonoTime> NonLockKeys::next() const
{
    if (m_order.empty())
        return std::nullopt;
    const auto due = m_order.begin()->first;
    return m_readsInPeriod < ReadsPerPeriod ? due : std::max(due, m_periodStart + ReadingPeriod);
}

bool NonLockKeys::takeOverflow() { return std::exchange(m_overflow, false); }

void NonLockKeys::clear() { *this = {}; }

} // namespace lockcore::monitor
