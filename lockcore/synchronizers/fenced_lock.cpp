// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/fenced_lock.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers {

namespace {

ScriptCall acquireFenced(const TryCall &call)
{
    return { &scripts::fencedAcquire(), { call.name, key_layout::token(call.name) },
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner), holdsArgument(call) } };
}

} // namespace

const LockBehaviour &fencedLock()
{
    static constexpr LockBehaviour behaviour{ acquireFenced, plainChannel, nullptr, unlockPlain, renewPlain,
        setLeasePlain };
    return behaviour;
}

} // namespace lockcore::synchronizers
