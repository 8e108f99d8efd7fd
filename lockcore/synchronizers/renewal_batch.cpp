// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/renewal_batch.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/scripts.h"

namespace lockcore {

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

} // namespace lockcore
