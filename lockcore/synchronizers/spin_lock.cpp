// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/spin_lock.h"

#include "lockcore/synchronizers/lock.h"

namespace lockcore {

namespace {

ScriptCall unlock(const UnlockCall &call)
{
    ScriptCall result = unlockPlain(call);
    result.keys.pop_back(); // the channel
    return result;
}

} // namespace

const LockBehaviour &spinLock()
{
    static const LockBehaviour behaviour = [] {
        LockBehaviour spin = reentrantLock();
        spin.channel = nullptr;
        spin.unlock = unlock;
        return spin;
    }();
    return behaviour;
}

} // namespace lockcore
