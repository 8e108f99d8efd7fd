// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/lock.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/renewal_batch.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore {

namespace {

ScriptCall acquire(const TryCall &call)
{
    return { &scripts::lockAcquire(), { call.name },
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner), holdsArgument(call) } };
}

ScriptCall acquireOnce(const TryCall &call)
{
    ScriptCall result = acquire(call);
    result.arguments.emplace_back("once");
    return result;
}

} // namespace

std::string plainChannel(std::string_view name, const OwnerId &) { return key_layout::lockChannel(name); }

ScriptCall unlockPlain(const UnlockCall &call)
{
    ScriptCall result{ &scripts::lockUnlock(),
        { call.name, key_layout::unlockLatch(call.name, call.requestId), key_layout::lockChannel(call.name) },
        { "0", milliseconds(call.lease), toString(call.owner), call.publish, milliseconds(call.latchTtl) } };
    appendKeep(result.arguments, call);
    return result;
}

const LockBehaviour &reentrantLock()
{
    static constexpr LockBehaviour behaviour{ acquire, plainChannel, nullptr, unlockPlain, renewPlain, setLeasePlain };
    return behaviour;
}

const LockBehaviour &nonReentrantLock()
{
    static constexpr LockBehaviour behaviour{ acquireOnce, plainChannel, nullptr, unlockPlain, renewPlain,
        setLeasePlain };
    return behaviour;
}

} // namespace lockcore
