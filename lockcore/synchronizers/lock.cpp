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
        { milliseconds(call.lease), toString(call.owner), holdsArgument(call) } };
}

std::string channel(std::string_view name, const OwnerId &) { return key_layout::lockChannel(name); }

ScriptCall unlock(const UnlockCall &call)
{
    return { &scripts::lockUnlock(),
        { call.name, key_layout::lockChannel(call.name), key_layout::unlockLatch(call.name, call.requestId) },
        { "0", milliseconds(call.lease), toString(call.owner), PublishCommand, milliseconds(call.latchTtl) } };
}

} // namespace

const LockBehaviour &reentrantLock()
{
    static constexpr LockBehaviour behaviour{ acquire, channel, nullptr, unlock, renewPlain, setLeasePlain };
    return behaviour;
}

} // namespace lockcore
