// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/timer_wheel.h"

#include <algorithm>

namespace lockcore {

TimerWheel::TimerWheel(Millis tick, std::size_t buckets)
    : m_tick(std::max(tick, Millis(1)))
    , m_heads(buckets, Nobody)
{
}

TimerWheel::Timer TimerWheel::arm(MonoTime at, std::uint64_t what)
{
    std::uint32_t index = m_free;
    if (index == Nobody) {
        index = static_cast<std::uint32_t>(m_entries.size());
        m_entries.emplace_back();
    } else {
        m_free = m_entries[index].next;
    }
    const std::int64_t due = (at.time_since_epoch() + m_tick - std::chrono::microseconds(1)) / m_tick;
    const std::int64_t tick = std::max(due, m_now + 1);
    std::uint32_t &first = head(tick);
    m_entries[index] = { what, tick, Nobody, first };
    if (first != Nobody)
        m_entries[first].previous = index;
    first = index;
    ++m_size;
    return Timer(index);
}

void TimerWheel::disarm(Timer timer) { remove(static_cast<std::uint32_t>(timer)); }

void TimerWheel::clear()
{
    std::fill(m_heads.begin(), m_heads.end(), Nobody);
    m_entries.clear();
    m_free = Nobody;
    m_size = 0;
}

std::vector<std::uint64_t> TimerWheel::advance(MonoTime now, Millis ahead)
{
    std::vector<std::uint64_t> due;
    const std::int64_t last = (now + ahead).time_since_epoch() / m_tick;
    const std::int64_t lastBucket = std::min(last, m_now + static_cast<std::int64_t>(m_heads.size()));
    for (std::int64_t bucket = m_now + 1; bucket <= lastBucket; ++bucket) {
        for (std::uint32_t index = head(bucket); index != Nobody;) {
            const std::uint32_t next = m_entries[index].next;
            if (m_entries[index].tick <= last) {
                due.push_back(m_entries[index].what);
                remove(index);
            }
            index = next;
        }
    }
    m_now = std::max(m_now, static_cast<std::int64_t>(now.time_since_epoch() / m_tick));
    return due;
}

std::optional<MonoTime> TimerWheel::next() const
{
    if (m_size == 0)
        return std::nullopt;
    std::int64_t tick = m_now + 1;
    while (m_heads[static_cast<std::size_t>(tick) % m_heads.size()] == Nobody)
        ++tick;
    return MonoTime(tick * m_tick);
}

void TimerWheel::remove(std::uint32_t index)
{
    Entry &entry = m_entries[index];
    if (entry.previous == Nobody)
        head(entry.tick) = entry.next;
    else
        m_entries[entry.previous].next = entry.next;
    if (entry.next != Nobody)
        m_entries[entry.next].previous = entry.previous;
    entry.next = m_free;
    m_free = index;
    --m_size;
}

} // namespace lockcore
