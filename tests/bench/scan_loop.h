// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <optional>

namespace lockbench {

/// The limit of a sweep: seconds that a bare hiredis loop of `SCAN … TYPE hash COUNT 1000` takes over all keys.
std::optional<double> scanSeconds(const testsupport::RedisServer &server);

/// What of a sweep is the server's part: seconds that a bare hiredis loop takes over its pages, one after the other.
std::optional<double> pageSeconds(const testsupport::RedisServer &server);

/// What the server itself measured of commands, in milliseconds, while it worked for a client of that name.
class StepTimes {
public:
    static constexpr double LeastMs
        = 0.3; // shorter ones are not logged: those within scripts would take longer by that

    explicit StepTimes(const testsupport::RedisServer &server); // from now on
    ~StepTimes();
    double slowestOf(const QByteArray &clientName) const; // LeastMs: none took longer

private:
    const testsupport::RedisServer &m_server;
};

} // namespace lockbench
