// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"

#include <optional>
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
    bool hasLastMoment = false; // its first argument: after it, by the server's clock, it does nothing
};

/// The last moment of a call until it is sent, or where the server's clock is not known.
inline constexpr const char *AnyTime = "";

/// EVALSHA, or EVALSHA_RO.
Command byDigest(const Script &script, std::span<const std::string> keys, std::span<const std::string> arguments);
Command bySource(Command byDigest, const Script &script); // the same call with EVAL, or EVAL_RO
void setLastMoment(Command &call, std::optional<WallTime> moment); // of a call that has one; absent: AnyTime
/// The answer to a call that came after its last moment and has done nothing: the server's time then.
std::optional<WallTime> cameLateAt(const Reply &reply);

} // namespace lockcore::protocol
