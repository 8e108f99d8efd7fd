// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/error.h"
#include "lockcore/protocol/reply.h"

namespace lockcore::protocol {

/// What a server error reply means, with the context of what was tried.
Error toError(const Reply &errorReply, std::string context);

} // namespace lockcore::protocol
