// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/read_write_lock.h"

#include "lockcore/synchronizers/admin_command.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore::synchronizers {

namespace {

std::string writeField(const OwnerId &owner) { return ownerField(owner, true); }

std::string channel(std::string_view name, const OwnerId &) { return key_layout::readWriteChannel(name); }

ScriptCall acquireRead(const TryCall &call)
{
    return { &scripts::readAcquire(), { call.name, key_layout::readTimeoutPrefix(call.name, call.owner) },
        { protocol::AnyTime, milliseconds(call.lease), toString(call.owner), writeField(call.owner),
            holdsArgument(call) } };
}

ScriptCall unlockRead(const UnlockCall &call)
{
    ScriptCall result{ &scripts::readUnlock(),
        { call.name, key_layout::readWriteChannel(call.name), key_layout::readTimeoutPrefix(call.name, call.owner),
            key_layout::suffixed(call.name, {}), key_layout::unlockLatch(call.name, call.requestId) },
        { "0", toString(call.owner), call.publish, milliseconds(call.latchTtl) } };
    appendKeep(result.arguments, call);
    return result;
}

ScriptCall renewRead(std::span<const HoldName> holds, Millis lease)
{
    ScriptCall call{ &scripts::readRenew(), {}, { milliseconds(lease) } };
    for (const HoldName &hold : holds) {
        call.keys.push_back(hold.name);
        call.keys.push_back(key_layout::readTimeoutPrefix(hold.name, hold.owner));
        call.arguments.push_back(toString(hold.owner));
    }
    return call;
}

ScriptCall setReadLease(const SetLeaseCall &call)
{
    return { &scripts::readSetLease(),
        { call.name, key_layout::readTimeoutPrefix(call.name, call.owner), key_layout::suffixed(call.name, {}),
            key_layout::unlockLatch(call.name, call.requestId) },
        { milliseconds(call.lease), toString(call.owner), latchTtlArgument(call) } };
}

ScriptCall acquireWrite(const TryCall &call)
{
    return { &scripts::writeAcquire(), { call.name },
        { protocol::AnyTime, milliseconds(call.lease), writeField(call.owner), holdsArgument(call) } };
}

ScriptCall unlockWrite(const UnlockCall &call)
{
    ScriptCall result{ &scripts::writeUnlock(),
        { call.name, key_layout::readWriteChannel(call.name), key_layout::unlockLatch(call.name, call.requestId),
            key_layout::suffixed(call.name, {}) },
        { "1", milliseconds(call.lease), writeField(call.owner), call.publish, milliseconds(call.latchTtl) } };
    appendKeep(result.arguments, call);
    return result;
}

ScriptCall renewWrite(std::span<const HoldName> holds, Millis lease) { return renewFields(holds, writeField, lease); }

ScriptCall setWriteLease(const SetLeaseCall &call) { return setLeaseOfField(call, writeField(call.owner)); }

} // namespace

ScriptCall forceReleaseReadWrite(const ForceRelease &command, const std::string &lastMoment, const std::string &publish)
{
    const LockName &name = command.name;
    return { command.onlyThese ? &scripts::forceReleaseReaders() : &scripts::forceReleaseReadWrite(),
        { name, key_layout::readWriteChannel(name), key_layout::suffixed(name, {}) }, { lastMoment, publish } };
}

ScriptCall setTtlReadWrite(const SetTtl &command, const std::string &lastMoment)
{
    return { &scripts::setTtlReadWrite(), { command.name, key_layout::suffixed(command.name, {}) },
        { lastMoment, milliseconds(command.ttl) } };
}

const LockBehaviour &readLock()
{
    static constexpr LockBehaviour behaviour{ acquireRead, channel, nullptr, unlockRead, renewRead, setReadLease };
    return behaviour;
}

const LockBehaviour &writeLock()
{
    static constexpr LockBehaviour behaviour{ acquireWrite, channel, nullptr, unlockWrite, renewWrite, setWriteLease };
    return behaviour;
}

} // namespace lockcore::synchronizers
