// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/reply.h"

#include <string>

namespace lockcore {

/// What a server may refuse to whoever only looks.
enum class Right { Info, Scan, ReadScripts, CountWaiters, Tracking, Invalidations, ConnectionId, UnlockMessages };

/// One sentence for people: what is refused to this user, what that costs, the ACL rule that permits it.
std::string missingRight(Right right);

/// The same after an answer: for want of the right, or for whatever the server said.
std::string missingRight(Right right, const protocol::Reply &refusal);

} // namespace lockcore
