// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/transport/endpoint.h"

#include <optional>

namespace lockbench {

struct PairLoad {
    int clients = 1; // LockClients, each with connections of its own
    int usersEach = 1; // threads of one client, as its peers see them: each has one request under way
    bool oneLock = false; // all want the same one
};

/// Lock and unlock without pause, on one event loop. Returns pairs a second; none: something failed, told on stderr.
std::optional<double> lockPairs(
    const lockcore::transport::Endpoint &endpoint, PairLoad load, lockcore::Millis warmUp, lockcore::Millis measured);

} // namespace lockbench
