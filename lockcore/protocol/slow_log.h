// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace lockcore::protocol {

/// A command that took long, as the server's slow log has it, without what may be a secret in it.
struct SlowCommand {
    std::int64_t id = 0; // they count up, and begin anew with the process
    WallTime at; // by the server's clock, in whole seconds
    std::chrono::microseconds took{ 0 };
    std::string command; // its name in capitals, with the word behind it where it has one: `CONFIG SET`
    std::string key; // on which it worked, or the pattern of KEYS; empty: it has none, or nobody knows where it stands
    bool isOfScript = false; // run by the script that is logged behind it, which tells its time, too
    std::string client; // the name of the connection that sent it; empty: it had none, or the server is too old to tell

    bool operator==(const SlowCommand &) const = default;
};

/// The reply to SLOWLOG GET, newest first. What does not look like an entry is left out.
std::vector<SlowCommand> parseSlowLog(const Reply &reply);

} // namespace lockcore::protocol
