// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/script.h"

#include <string>
#include <vector>

namespace lockcore {

/// A script with what it is to be sent with.
struct ScriptCall {
    const protocol::Script *script = nullptr;
    std::vector<std::string> keys;
    std::vector<std::string> arguments;
};

} // namespace lockcore
