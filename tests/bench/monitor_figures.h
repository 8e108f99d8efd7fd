// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "tests/bench/big_keyspace.h"
#include "tests/bench/rounds.h"

#include <optional>
#include <vector>

namespace lockbench {

struct MonitorPlan : Rounds {
    KeyspaceSize size;
    KeyspaceSize smallSize{ 100'000, 10'000 }; // for the start
    int changesPerSecond = 1'000;
    lockcore::Millis measured{ 5'000 };
    int requests = 300'000; // of redis-benchmark
};

MonitorPlan quickMonitorPlan();

/// What seeing costs, on two private servers. None: could not start.
std::optional<std::vector<Row>> measureMonitor(const MonitorPlan &plan);

} // namespace lockbench
