// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lockcore {

/// A hashed timer wheel: setting and clearing a timer cost the same however many there are. A bucket holds the timers
/// of one tick and of those whole rounds later.
/// No timer is due early; it is found with the first advance() that is a tick or more behind it.
class TimerWheel {
public:
    enum class Timer : std::uint32_t { None = UINT32_MAX };

    explicit TimerWheel(Millis tick, std::size_t buckets = 128);

    Timer arm(MonoTime at, std::uint64_t what);
    void disarm(Timer timer); // one that is armed
    void clear();

    /// Takes out what is due, and what will be so shortly after.
    std::vector<std::uint64_t> advance(MonoTime now, Millis ahead = Millis(0));
    /// Not later than when the next one is due; nothing without timers.
    std::optional<MonoTime> next() const;
    std::size_t size() const { return m_size; }

private:
    static constexpr std::uint32_t Nobody = UINT32_MAX;
    struct Entry {
        std::uint64_t what = 0;
        std::int64_t tick = 0;
        std::uint32_t previous = Nobody;
        std::uint32_t next = Nobody; // in its bucket, or among the free ones
    };

    std::uint32_t &head(std::int64_t tick) { return m_heads[static_cast<std::size_t>(tick) % m_heads.size()]; }
    void remove(std::uint32_t index);

    std::chrono::microseconds m_tick;
    std::vector<std::uint32_t> m_heads;
    std::vector<Entry> m_entries;
    std::uint32_t m_free = Nobody;
    std::size_t m_size = 0;
    std::int64_t m_now = 0; // the last tick that is over
};

} // namespace lockcore
