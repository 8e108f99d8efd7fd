// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/faster_multi_lock.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/scripts.h"
#include "lockcore/synchronizers/value_hash.h"

#include <algorithm>

namespace lockcore {

namespace {

/// Each value once: it would be counted twice.
std::vector<std::string> hashes(const std::vector<std::string> &values)
{
    std::vector<std::string> result;
    for (const std::string &value : values) {
        std::string hash = valueHash(value);
        if (std::ranges::find(result, hash) == result.end())
            result.push_back(std::move(hash));
    }
    return result;
}

void append(std::vector<std::string> &arguments, const std::vector<std::string> &more)
{
    arguments.insert(arguments.end(), more.begin(), more.end());
}

ScriptCall acquire(const TryCall &call)
{
    ScriptCall result{ &scripts::fasterAcquire(), { call.name },
        { milliseconds(call.lease), toString(call.owner), holdsArgument(call) } };
    append(result.arguments, hashes(call.values));
    return result;
}

ScriptCall unlock(const UnlockCall &call)
{
    ScriptCall result{ &scripts::fasterUnlock(),
        { call.name, key_layout::unlockLatch(call.name, call.requestId), key_layout::lockChannel(call.name) },
        { "0", milliseconds(call.lease), toString(call.owner), call.publish, milliseconds(call.latchTtl) } };
    append(result.arguments, hashes(call.values));
    return result;
}

ScriptCall renew(std::span<const HoldName> holds, Millis lease)
{
    ScriptCall result{ &scripts::fasterRenew(), {}, { milliseconds(lease) } };
    for (const HoldName &hold : holds) {
        const auto values = hashes(hold.values);
        result.keys.push_back(hold.name);
        append(result.arguments, { toString(hold.owner), std::to_string(values.size()) });
        append(result.arguments, values);
    }
    return result;
}

ScriptCall setLease(const HoldName &hold, Millis lease)
{
    ScriptCall result{ &scripts::fasterSetLease(), { hold.name }, { milliseconds(lease), toString(hold.owner) } };
    append(result.arguments, hashes(hold.values));
    return result;
}

} // namespace

const LockBehaviour &fasterMultiLock()
{
    static constexpr LockBehaviour behaviour{ acquire, plainChannel, nullptr, unlock, renew, setLease };
    return behaviour;
}

} // namespace lockcore
