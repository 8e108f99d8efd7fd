// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <atomic>
#include <optional>
#include <thread>

namespace lockbench {

constexpr int RenewedLocks = 20'000;

/// Takes the locks that are renewed then.
void takeRenewedLocks(const testsupport::RedisServer &server);

/// The limit: renewals a second by redis-benchmark, each of one lock, with lockcore's script.
std::optional<double> redisBenchmarkRenewals(const testsupport::RedisServer &server, int requests);

/// Renews lock after lock at a steady pace from a thread of its own, with the same script.
class RenewalLoad {
public:
    RenewalLoad(const testsupport::RedisServer &server, double perSecond, std::int64_t renewals);
    ~RenewalLoad() { m_thread.join(); }

    bool isDone() const { return m_done; }
    double perSecond() const { return m_reached; } // when it is done

private:
    void run(const std::string &socketPath, double perSecond, std::int64_t renewals);

    std::atomic<bool> m_done = false;
    std::atomic<double> m_reached = 0;
    std::thread m_thread;
};

} // namespace lockbench
