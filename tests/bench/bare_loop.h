// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/transport/endpoint.h"

#include <optional>

namespace lockbench {

/// What redis-benchmark would do if it could alternate two commands: sockets with one request under way on each,
/// EVALSHA of lockcore's scripts, the requests made beforehand, the replies hardly read. Returns pairs a second; none:
/// something failed, told on stderr.
std::optional<double> bareRate(
    const lockcore::transport::Endpoint &endpoint, int connections, lockcore::Millis warmUp, lockcore::Millis measured);

} // namespace lockbench
