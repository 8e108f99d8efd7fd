// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace lockcore {

using Millis = std::chrono::milliseconds;

/// For countdowns and durations; never stepped by an administrator.
using MonoTime = std::chrono::time_point<std::chrono::steady_clock, std::chrono::microseconds>;

/// For people and for fair queues' deadlines, which Redisson writes as epoch milliseconds.
using WallTime = std::chrono::time_point<std::chrono::system_clock, Millis>;

/// Both clocks, read together. Logic takes the time as a parameter and never reads a clock.
struct Now {
    MonoTime mono;
    WallTime wall;
};

} // namespace lockcore
