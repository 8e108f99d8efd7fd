// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockbench {

/// What a client of lockcore sends for a lock and its unlock: for those who set the limits.
lockcore::synchronizers::ScriptCall acquireCall(const lockcore::synchronizers::HoldName &hold);
lockcore::synchronizers::ScriptCall unlockCall(
    const lockcore::synchronizers::HoldName &hold, const std::string &requestId);

lockcore::synchronizers::HoldName holdOf(int lock); // of the locks that pairs are counted on

inline lockcore::protocol::Command command(const lockcore::synchronizers::ScriptCall &call)
{
    return lockcore::protocol::byDigest(*call.script, call.keys, call.arguments);
}

} // namespace lockbench
