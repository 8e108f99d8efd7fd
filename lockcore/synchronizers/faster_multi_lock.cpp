// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/faster_multi_lock.h"

#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/scripts.h"
#include "lockcore/synchronizers/value_hash.h"

#include <algorithm>

namespace lockcore::synchronizers {

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

/// Each hash with the holds known of its value.
void appendCounted(
    std::vector<std::string> &arguments, const std::vector<std::string> &values, const std::optional<HoldsKnown> &known)
{
    std::vector<std::string> done;
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::string hash = valueHash(values[i]);
        if (std::ranges::find(done, hash) != done.end())
            continue;
        done.push_back(hash);
        arguments.push_back(std::move(hash));
        const bool isOfEach = known && i < known->ofValues.size();
        arguments.push_back(!known ? "" : std::to_string(isOfEach ? known->ofValues[i] : known->ofOwner));
    }
}

void appendAll(std::vector<std::string> &arguments, const std::vector<std::string> &more)
{
    arguments.insert(arguments.end(), more.begin(), more.end());
}

ScriptCall acquireFaster(const TryCall &call)
{
    ScriptCall result{ &scripts::fasterAcquire(), { call.name },
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner) } };
    appendCounted(result.arguments, call.values, call.holdsKnown);
    return result;
}

ScriptCall giveBack(const UnlockCall &call, std::vector<std::string> keys)
{
    ScriptCall result{ &scripts::fasterGiveBack(), std::move(keys),
        { "0", toString(call.owner), call.publish, milliseconds(call.latchTtl) } };
    appendCounted(result.arguments, call.values, call.keep);
    return result;
}

ScriptCall unlockFaster(const UnlockCall &call)
{
    std::vector<std::string> keys{ call.name, key_layout::unlockLatch(call.name, call.requestId),
        key_layout::lockChannel(call.name) };
    if (call.keep)
        return giveBack(call, std::move(keys));
    ScriptCall result{ &scripts::fasterUnlock(), std::move(keys),
        { "0", milliseconds(call.lease), toString(call.owner), call.publish, milliseconds(call.latchTtl) } };
    appendAll(result.arguments, hashes(call.values));
    return result;
}

ScriptCall renewFaster(std::span<const HoldName> holds, Millis lease)
{
    ScriptCall result{ &scripts::fasterRenew(), {}, { milliseconds(lease) } };
    for (const HoldName &hold : holds) {
        const auto values = hashes(hold.values);
        result.keys.push_back(hold.name);
        appendAll(result.arguments, { toString(hold.owner), std::to_string(values.size()) });
        appendAll(result.arguments, values);
    }
    return result;
}

ScriptCall setLeaseFaster(const SetLeaseCall &call)
{
    ScriptCall result{ &scripts::fasterSetLease(), { call.name, key_layout::unlockLatch(call.name, call.requestId) },
        { milliseconds(call.lease), toString(call.owner), latchTtlArgument(call) } };
    appendAll(result.arguments, hashes(call.values));
    return result;
}

} // namespace

ScriptCall forceReleaseFasterMulti(
    const ForceRelease &command, const std::string &lastMoment, const std::string &publish)
{
    return { &scripts::forceReleaseFasterMulti(), { command.name, key_layout::lockChannel(command.name) },
        { lastMoment, publish } };
}

ScriptCall setTtlFasterMulti(const SetTtl &command, const std::string &lastMoment)
{
    return { &scripts::setTtlFasterMulti(), { command.name }, { lastMoment, milliseconds(command.ttl) } };
}

const LockBehaviour &fasterMultiLock()
{
    static constexpr LockBehaviour behaviour{ acquireFaster, plainChannel, nullptr, unlockFaster, renewFaster,
        setLeaseFaster };
    return behaviour;
}

} // namespace lockcore::synchronizers
