// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/token_lock.h"

#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers {

namespace {

ScriptCall acquireToken(const TryCall &call)
{
    return { &scripts::tokenAcquire(), { call.name },
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner), holdsArgument(call) } };
}

ScriptCall unlockToken(const UnlockCall &call)
{
    ScriptCall result{ &scripts::tokenUnlock(), { call.name, key_layout::unlockLatch(call.name, call.requestId) },
        { toString(call.owner), milliseconds(call.latchTtl) } };
    appendKeep(result.arguments, call);
    return result;
}

ScriptCall renewToken(std::span<const HoldName> holds, Millis lease)
{
    ScriptCall call{ &scripts::tokenRenew(), {}, { milliseconds(lease) } };
    for (const HoldName &hold : holds) {
        call.keys.push_back(hold.name);
        call.arguments.push_back(toString(hold.owner));
    }
    return call;
}

ScriptCall setLeaseToken(const SetLeaseCall &call)
{
    return { &scripts::tokenSetLease(), { call.name, key_layout::unlockLatch(call.name, call.requestId) },
        { milliseconds(call.lease), toString(call.owner), latchTtlArgument(call) } };
}

} // namespace

ScriptCall forceReleaseToken(const ForceRelease &command, const std::string &lastMoment, const std::string &)
{
    return { &scripts::forceReleaseToken(), { command.name }, { lastMoment } };
}

ScriptCall setTtlToken(const SetTtl &command, const std::string &lastMoment)
{
    return { &scripts::setTtlToken(), { command.name }, { lastMoment, milliseconds(command.ttl) } };
}

const LockBehaviour &tokenLock()
{
    static constexpr LockBehaviour behaviour{ acquireToken, nullptr, nullptr, unlockToken, renewToken, setLeaseToken };
    return behaviour;
}

} // namespace lockcore::synchronizers
