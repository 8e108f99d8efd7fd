// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/synchronizers/script_call.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockcore {

/// Frees a lock whoever holds it, and wakes who waits, if and only if its holders are those that were seen.
struct ForceRelease {
    LockName name;
    Kind kind = Kind::Reentrant;
    std::vector<ExpectedHolder> expected; // never empty
    std::string reason; // for the audit log
};

using AdminCommand = std::variant<ForceRelease>;

/// The one script that checks and acts. Publishes with `PUBLISH` or, where clients listen by shards, `SPUBLISH`.
/// Errors: local/invalid-argument when nothing is expected; local/not-supported for kinds that cannot be released so.
[[nodiscard]] Result<ScriptCall> prepare(
    const AdminCommand &command, WallTime now, const std::string &publish = "PUBLISH");

/// Errors: data/unknown-layout when the key is no lock any more.
[[nodiscard]] Result<CommandOutcome> decodeOutcome(const protocol::Reply &reply);

} // namespace lockcore
