// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

namespace lockbench {

/// How large the database is that the monitor looks at.
struct KeyspaceSize {
    int keys = 1'000'000; // of all types, the locks among them; some are nearly locks
    int locks = 100'000; // of all kinds
};

/// How many locks and semaphores a monitor is to find there; zero: the server did not take them.
int fill(const testsupport::RedisServer &server, const KeyspaceSize &size);

} // namespace lockbench
