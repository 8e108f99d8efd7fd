// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/command.h"

namespace lockcore::protocol {

/// True for the few commands that a read-only connection may send: none of them can change data or disturb others.
/// Whatever is not known is refused.
bool isReadOnly(const Command &command);

} // namespace lockcore::protocol
