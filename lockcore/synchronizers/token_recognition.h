// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::synchronizers {

/// Patterns, as of SCAN's MATCH, of the names under which other libraries keep their locks: redis-py, go-redsync,
/// node-redlock, ShedLock and many more write `SET name token NX PX lease`. That leaves a string with a time to live
/// and no mark that tells it from any other, so that a string is a lock only where a person says so of its name. None:
/// no string is.
using TokenNames = std::vector<std::string>;

/// Errors: local/invalid-argument for a pattern that is empty, or more than can be looked for in one step.
LOCKCORE_EXPORT Result<void> checkTokenNames(const TokenNames &names);

/// Whether a string of this name is such a lock. Not what Redisson keeps beside its own locks, however wide a pattern
/// is.
bool isTokenName(const TokenNames &names, std::string_view name);

/// The lock that a string of such a name is: its value is the token of whoever holds it. Absent: no library writes such
/// a token, since it is empty, or longer than LongestElement and so some other value. `pttl` is as Redis replies it: -1
/// where it never expires, as redis-py writes it without a time-out.
std::optional<LockReading> recogniseToken(const LockName &name, const std::string &token, std::int64_t pttl);

/// What a plain number is under such a name. Semaphores and latches are numbers, too: what is known for one by its
/// keys, or by who listens for it, stays one whatever the patterns say, since that is written by Redisson alone; a
/// number that nothing tells of is a token.
LockReading tokenLockOf(const LockReading &number);

} // namespace lockcore::synchronizers
