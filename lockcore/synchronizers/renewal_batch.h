// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/synchronizers/lock_behaviour.h"

#include <functional>

namespace lockcore {

/// Prolongs holds that are one field of a hash each.
ScriptCall renewFields(
    std::span<const HoldName> holds, const std::function<std::string(const OwnerId &)> &field, Millis lease);

/// Where the field is the owner: reentrant and fair locks.
ScriptCall renewPlain(std::span<const HoldName> holds, Millis lease);
/// The same for one hold, also to less.
ScriptCall setLeaseOfField(const SetLeaseCall &call, const std::string &field);
ScriptCall setLeasePlain(const SetLeaseCall &call);

} // namespace lockcore
