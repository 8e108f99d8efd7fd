// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/protocol/command.h"
#include "lockcore/transport/endpoint.h"

#include <optional>

namespace lockbench {

enum class BareLoad {
    Pairs, // acquire and unlock in turn
    Acquires, // by the holder: what redis-benchmark can repeat as well
};

/// What redis-benchmark would do if it could alternate two commands: sockets with one request under way on each,
/// EVALSHA of lockcore's scripts, the requests made beforehand, the replies hardly read. Returns pairs or acquires a
/// second; none: something failed, told on stderr.
std::optional<double> bareRate(const lockcore::Endpoint &endpoint, BareLoad load, int connections,
    lockcore::Millis warmUp, lockcore::Millis measured);

/// The acquire of the first of its connections.
lockcore::protocol::Command bareAcquire();

} // namespace lockbench
