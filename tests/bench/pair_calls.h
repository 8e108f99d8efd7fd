// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockbench {

/// What a client of lockcore sends for a lock and its unlock: for those who set the limits.
lockcore::ScriptCall acquireCall(const lockcore::HoldName &hold);
lockcore::ScriptCall unlockCall(const lockcore::HoldName &hold, const std::string &requestId);

lockcore::HoldName holdOf(int lock); // of the locks that pairs are counted on

inline lockcore::protocol::Command command(const lockcore::ScriptCall &call)
{
    return lockcore::protocol::byDigest(*call.script, call.keys, call.arguments);
}

} // namespace lockbench
