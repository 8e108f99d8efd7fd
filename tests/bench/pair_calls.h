// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/synchronizers/script_call.h"

namespace lockbench {

/// What a client of lockcore sends for a lock and its unlock: for those who set the limits.
lockcore::ScriptCall acquireCall(int lock);
lockcore::ScriptCall unlockCall(int lock, const std::string &requestId);

inline lockcore::protocol::Command command(const lockcore::ScriptCall &call)
{
    return lockcore::protocol::byDigest(*call.script, call.keys, call.arguments);
}

} // namespace lockbench
