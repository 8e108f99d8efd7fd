// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <algorithm>
#include <ctime>

namespace lockcore::transport {

namespace clock_detail {

/// Goes on only while the computer is awake.
inline std::chrono::microseconds awakeNow()
{
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

} // namespace clock_detail

/// Goes on while the computer sleeps, as the leases in Redis do. Timers do not: what was due in a sleep is noticed
/// only by who looks at this clock again, see timerFor().
inline MonoTime monoNow()
{
#ifdef CLOCK_BOOTTIME
    timespec now{};
    if (::clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        return MonoTime(std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec)));
#endif
    return MonoTime(clock_detail::awakeNow());
}

inline WallTime wallNow() { return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()); }

/// Both clocks at one moment: read again when something came between.
inline Now readClocks()
{
    constexpr Millis Moment{ 1 };
    for (int triesLeft = 5;; --triesLeft) {
        const Now now{ monoNow(), wallNow() };
        if (triesLeft == 0 || monoNow() - now.mono < Moment)
            return now;
    }
}

/// For how long the computer has slept since it was started. Where something came between the two clocks it is a
/// little less.
inline Millis timeAsleep()
{
    const MonoTime now = monoNow();
    return std::chrono::duration_cast<Millis>(now.time_since_epoch() - clock_detail::awakeNow());
}

/// The time to start a timer with that waits for this moment. It may fire long before, so that a moment that passed
/// while the computer slept is noticed soon after it woke: what the timer calls looks at the clock.
inline Millis timerFor(MonoTime at)
{
    constexpr Millis Longest{ 500 };
    return std::clamp(std::chrono::ceil<Millis>(at - monoNow()), Millis(0), Longest);
}

} // namespace lockcore::transport
