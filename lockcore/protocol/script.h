// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/command.h"

#include <span>
#include <string>
#include <string_view>

namespace lockcore::protocol {

/// A server-side script that is part of the library.
struct Script {
    std::string_view name; // of its file, for messages
    std::string_view text;
    std::string_view sha1; // 40 lower-case hex characters, what EVALSHA wants
    bool readOnly = false; // sent by EVALSHA_RO, so that the server itself refuses writes
};

/// EVALSHA, or EVALSHA_RO.
Command byDigest(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments);
Command bySource(Command byDigest, const Script &script); // the same call with EVAL, or EVAL_RO

} // namespace lockcore::protocol
