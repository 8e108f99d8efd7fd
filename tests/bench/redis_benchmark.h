// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "tests/support/redis_server.h"

#include <optional>

namespace lockbench {

struct ForegroundRate {
    double perSecond = 0;
    double p99Ms = 0;
};

/// One run of redis-benchmark. None: it failed, told on stderr.
std::optional<ForegroundRate> redisBenchmark(const testsupport::RedisServer &server, QStringList arguments);

/// The limit: pairs a second by `redis-benchmark -c connections` with EVALSHA of lockcore's scripts. It repeats one
/// command and cannot alternate two, so that the time of a pair is the sum of two runs: acquires by the holder, and
/// unlocks of one of very many holds. Both leave the lock as they found it.
std::optional<double> redisBenchmarkPairs(
    const testsupport::RedisServer &server, int connections, lockcore::Millis about);

} // namespace lockbench
