// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/lock.h"

#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers {

namespace {

ScriptCall acquirePlain(const TryCall &call)
{
    return { &scripts::lockAcquire(), { call.name },
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner), holdsArgument(call) } };
}

ScriptCall acquirePlainOnce(const TryCall &call)
{
    ScriptCall result = acquirePlain(call);
    result.arguments.emplace_back("once");
    return result;
}

ScriptCall unlockSpin(const UnlockCall &call)
{
    ScriptCall result = unlockPlain(call);
    result.keys.pop_back(); // the channel
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

ScriptCall renewFields(
    std::span<const HoldName> holds, const std::function<std::string(const OwnerId &)> &field, Millis lease)
{
    ScriptCall call{ &scripts::lockRenew(), {}, { milliseconds(lease) } };
    for (const HoldName &hold : holds) {
        call.keys.push_back(hold.name);
        call.arguments.push_back(field(hold.owner));
    }
    return call;
}

ScriptCall renewPlain(std::span<const HoldName> holds, Millis lease)
{
    return renewFields(
        holds, [](const OwnerId &owner) { return toString(owner); }, lease);
}

ScriptCall setLeaseOfField(const SetLeaseCall &call, const std::string &field)
{
    return { &scripts::lockSetLease(), { call.name, key_layout::unlockLatch(call.name, call.requestId) },
        { milliseconds(call.lease), field, latchTtlArgument(call) } };
}

ScriptCall setLeasePlain(const SetLeaseCall &call) { return setLeaseOfField(call, toString(call.owner)); }

ScriptCall forceReleaseExclusive(const ForceRelease &command, const std::string &lastMoment, const std::string &publish)
{
    const LockName &name = command.name;
    const LockName &queue = command.queue.value_or(name);
    ScriptCall call{ &scripts::forceRelease(),
        { name, key_layout::lockChannel(name), key_layout::fairQueue(queue), key_layout::fairTimeouts(queue) },
        { lastMoment, publish, std::to_string(command.listeners.size()) } };
    for (const OwnerId &listener : command.listeners)
        call.arguments.push_back(toString(listener));
    return call;
}

ScriptCall setTtlExclusive(const SetTtl &command, const std::string &lastMoment)
{
    return { &scripts::setTtl(), { command.name }, { lastMoment, milliseconds(command.ttl) } };
}

const LockBehaviour &reentrantLock()
{
    static constexpr LockBehaviour behaviour{ acquirePlain, plainChannel, nullptr, unlockPlain, renewPlain,
        setLeasePlain };
    return behaviour;
}

const LockBehaviour &nonReentrantLock()
{
    static constexpr LockBehaviour behaviour{ acquirePlainOnce, plainChannel, nullptr, unlockPlain, renewPlain,
        setLeasePlain };
    return behaviour;
}

const LockBehaviour &spinLock()
{
    static constexpr LockBehaviour behaviour{ acquirePlain, nullptr, nullptr, unlockSpin, renewPlain, setLeasePlain };
    return behaviour;
}

} // namespace lockcore::synchronizers
