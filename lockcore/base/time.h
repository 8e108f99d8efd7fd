// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace lockcore {

using Millis = std::chrono::milliseconds;

/// Goes on while the computer sleeps, as the leases in Redis do, and is never stepped by an administrator: on Linux
/// CLOCK_BOOTTIME. std::chrono::steady_clock stands still in a sleep, so times of the two cannot be compared, and have
/// different types. What reads this clock is in lockcore/transport/clock.h: most of lockcore is told the time.
struct BootClock {
    using duration = std::chrono::microseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<BootClock>;
    static constexpr bool is_steady = true;
};

/// For countdowns and durations.
using MonoTime = BootClock::time_point;

/// For people and for fair queues' deadlines, which Redisson writes as epoch milliseconds.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Millis>;

/// Both clocks, read together. Logic takes the time as a parameter and never reads a clock.
struct Now {
    MonoTime mono;
    WallTime wall;
};

} // namespace lockcore
