// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/transport/endpoint.h"

#include <optional>

namespace lockbench {

struct WatchdogLoad {
    int locks = 10'000;
    lockcore::Millis watchdogTimeout{ 30'000 };
    lockcore::Millis measured{ 20'000 };
};

struct WatchdogCost {
    double cpuPercent = 0; // of one core, the whole process
    double renewalsPerSecond = 0; // as told to the owner
};

/// Holds so many locks without a lease in one client. None: something failed, told on stderr.
std::optional<WatchdogCost> watchdogCost(const lockcore::transport::Endpoint &endpoint, const WatchdogLoad &load);

} // namespace lockbench
