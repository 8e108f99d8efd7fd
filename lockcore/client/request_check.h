// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_client.h"
#include "lockcore/synchronizers/lock_behaviour.h"

namespace lockcore {

/// What a caller asks for, before anything is sent: how the lock is acted on, or what is wrong with the request.
[[nodiscard]] Result<const LockBehaviour *> checkAcquire(const AcquireRequest &request);
[[nodiscard]] Result<const LockBehaviour *> checkHold(const LockTarget &target, const std::string &thread);
[[nodiscard]] Result<const LockBehaviour *> checkRenewal(
    const LockTarget &target, const std::string &thread, Millis lease);

} // namespace lockcore
