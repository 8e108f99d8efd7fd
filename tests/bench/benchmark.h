// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/bench/rounds.h"
#include "tests/bench/watchdogs.h"

#include <optional>
#include <vector>

namespace lockbench {

struct Plan : Rounds {
    bool redisson = true;
    lockcore::Millis warmUp{ 300 };
    lockcore::Millis measured{ 1'500 };
    lockcore::Millis redissonWarmUp{ 3'000 }; // before the first round: what Java has not compiled yet is slow
    int handOvers = 200; // a round
    WatchdogLoad watchdogs;
};

Plan quickPlan();

/// Starts a private redis-server. Within a round limit, lockcore and peer take turns, so that a busy machine hits all.
/// None: could not start.
std::optional<std::vector<Row>> measure(const Plan &plan);

} // namespace lockbench
