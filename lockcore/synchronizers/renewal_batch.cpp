// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/renewal_batch.h"

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

ScriptCall alsoToLess(ScriptCall renewal)
{
    renewal.arguments.emplace_back("set");
    return renewal;
}

ScriptCall setLeasePlain(const HoldName &hold, Millis lease) { return alsoToLess(renewPlain({ &hold, 1 }, lease)); }

} // namespace lockcore
