// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore::client {

// What a caller asks for, before anything is sent.

[[nodiscard]] Result<void> checkName(const LockName &name);
/// A script's keys, and its channel where there are shards, have to be in one slot.
[[nodiscard]] Result<void> checkSlots(const ClientCore &core, const LockName &name, const std::string &channel);
[[nodiscard]] Result<void> checkWait(std::optional<Millis> wait, const LockName &name);
[[nodiscard]] Result<void> checkLease(std::optional<Millis> lease, const LockName &name);
/// Of permits or of a latch: exact on the server, and not below `least`.
[[nodiscard]] Result<void> checkCount(std::int64_t count, std::int64_t least, const LockName &name);
[[nodiscard]] Result<void> checkSemaphore(const ClientCore &core, const LockName &name);
[[nodiscard]] Result<void> checkPermits(
    const ClientCore &core, const LockName &name, std::int64_t permits, std::int64_t least);
/// Adding may take away as well; whole numbers are exact on the server down to there.
inline constexpr std::int64_t FewestPermits = -(std::int64_t(1) << 52);

/// How the lock is acted on, or what is wrong with the request.
[[nodiscard]] Result<const synchronizers::LockBehaviour *> checkAcquire(const AcquireRequest &request);
[[nodiscard]] Result<const synchronizers::LockBehaviour *> checkHold(
    const LockTarget &target, const std::string &thread);
[[nodiscard]] Result<const synchronizers::LockBehaviour *> checkRenewal(
    const LockTarget &target, const std::string &thread, Millis lease);

} // namespace lockcore::client
