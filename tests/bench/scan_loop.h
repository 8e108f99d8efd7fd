// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <optional>
#include <vector>

namespace lockbench {

/// The limit of a sweep: seconds that a bare hiredis loop of `SCAN … TYPE hash COUNT 1000` takes over all keys.
std::optional<double> scanSeconds(const testsupport::RedisServer &server);

/// What the server itself measured of every command, in milliseconds, while it worked for a client of that name.
class StepTimes {
public:
    explicit StepTimes(const testsupport::RedisServer &server); // from now on
    ~StepTimes();
    std::vector<double> of(const QByteArray &clientName) const;

private:
    const testsupport::RedisServer &m_server;
};

} // namespace lockbench
