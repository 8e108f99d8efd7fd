// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockcore {

/// A holder as the person saw it; the guard of every action.
struct ExpectedHolder {
    OwnerId owner;
    std::optional<HoldMode> mode; // read/write locks only

    auto operator<=>(const ExpectedHolder &) const = default;
};

/// Frees a lock whoever holds it, and wakes who waits, if and only if its holders are those that were seen.
struct ForceRelease {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::vector<ExpectedHolder> expected; // never empty
    std::string reason; // for the audit log
};

using AdminCommand = std::variant<ForceRelease>;

/// What an action did, as the server reported it in the same step.
struct CommandOutcome {
    bool done = false; // false: the holders were not those expected, and nothing was changed
    std::vector<HolderReading> found; // the holders at that moment
    bool published = false; // waiters were told

    bool operator==(const CommandOutcome &) const = default;
};

} // namespace lockcore
