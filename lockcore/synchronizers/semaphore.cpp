// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/semaphore.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers::semaphore {

ScriptCall acquire(const LockName &name, std::int64_t permits)
{
    return { &scripts::semaphoreAcquire(), { name }, { protocol::AnyTime, std::to_string(permits) } };
}

ScriptCall release(const LockName &name, std::int64_t permits, const std::string &publish)
{
    return { &scripts::semaphoreRelease(), { name, key_layout::semaphoreChannel(name) },
        { std::to_string(permits), publish } };
}

ScriptCall releaseIfExists(const LockName &name, std::int64_t permits, const std::string &publish)
{
    ScriptCall call = release(name, permits, publish);
    call.arguments.emplace_back("existing");
    return call;
}

ScriptCall trySetPermits(
    const LockName &name, std::int64_t permits, std::optional<Millis> ttl, const std::string &publish)
{
    const std::string number = std::to_string(permits);
    return { &scripts::counterCreate(), { name, key_layout::semaphoreChannel(name) },
        { number, number, publish, ttl ? std::to_string(ttl->count()) : std::string() } };
}

ScriptCall addPermits(const LockName &name, std::int64_t permits, const std::string &publish)
{
    return { &scripts::semaphoreAdd(), { name, key_layout::semaphoreChannel(name) },
        { std::to_string(permits), publish } };
}

ScriptCall drainPermits(const LockName &name) { return { &scripts::semaphoreDrain(), { name }, {} }; }

ScriptCall availablePermits(const LockName &name) { return { &scripts::counterValue(), { name }, {} }; }

ScriptCall remove(const LockName &name) { return { &scripts::counterRemove(), { name }, {} }; }

} // namespace lockcore::synchronizers::semaphore
