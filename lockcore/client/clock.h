// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

namespace lockcore {

inline MonoTime monoNow()
{
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::steady_clock::now());
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

} // namespace lockcore
