// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <optional>

namespace lockbench {

/// Requests a second of `redis-benchmark -c connections` with EVALSHA of the acquire script, on a lock that its owner
/// holds already: the one step of a pair that leaves things as they were, so that it can be repeated.
std::optional<double> redisBenchmarkAcquires(
    const testsupport::RedisServer &server, int connections, lockcore::Millis about);

} // namespace lockbench
