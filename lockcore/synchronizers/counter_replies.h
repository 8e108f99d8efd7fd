// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/reply.h"

#include <cstdint>
#include <optional>

namespace lockcore {

/// What the scripts of semaphores and latches answer. That to a try is read by parseTryReply().
/// Errors: as protocol::toError() when the server refused; protocol/malformed-reply.
Result<bool> parseAnswer(const protocol::Reply &reply);
Result<std::int64_t> parseCount(const protocol::Reply &reply);
Result<void> parseDone(const protocol::Reply &reply); // a count that nobody asked for

/// What a permit has left; absent: no lease.
/// Errors: lock/not-held when the permit is gone.
Result<std::optional<Millis>> parsePermitLease(const protocol::Reply &reply);

} // namespace lockcore
