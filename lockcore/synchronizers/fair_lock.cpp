// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/fair_lock.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers {

namespace {

std::vector<std::string> queueKeys(const LockName &name)
{
    return { name, key_layout::fairQueue(name), key_layout::fairTimeouts(name) };
}

ScriptCall acquireFair(const TryCall &call)
{
    return { &scripts::fairAcquire(), queueKeys(call.name),
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner), milliseconds(call.wait),
            call.linesUp ? "queue" : "try", holdsArgument(call) } };
}

ScriptCall acquireFairOnce(const TryCall &call)
{
    ScriptCall result = acquireFair(call);
    result.arguments.emplace_back("once");
    return result;
}

ScriptCall giveUpFair(const TryCall &call)
{
    std::vector<std::string> keys = queueKeys(call.name);
    keys.push_back(key_layout::lockChannel(call.name));
    return { &scripts::fairGiveUp(), std::move(keys),
        { toString(call.owner), milliseconds(call.wait), "0", call.publish } };
}

ScriptCall unlockFair(const UnlockCall &call)
{
    std::vector<std::string> keys = queueKeys(call.name);
    keys.push_back(key_layout::lockChannel(call.name));
    keys.push_back(key_layout::unlockLatch(call.name, call.requestId));
    ScriptCall result{ &scripts::fairUnlock(), std::move(keys),
        { "0", milliseconds(call.lease), toString(call.owner), call.publish, milliseconds(call.latchTtl) } };
    appendKeep(result.arguments, call);
    return result;
}

} // namespace

const LockBehaviour &fairLock()
{
    static constexpr LockBehaviour behaviour{ acquireFair, key_layout::fairChannel, giveUpFair, unlockFair, renewPlain,
        setLeasePlain };
    return behaviour;
}

const LockBehaviour &nonReentrantFairLock()
{
    static constexpr LockBehaviour behaviour{ acquireFairOnce, key_layout::fairChannel, giveUpFair, unlockFair,
        renewPlain, setLeasePlain };
    return behaviour;
}

} // namespace lockcore::synchronizers
