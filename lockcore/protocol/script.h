// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace lockcore::protocol {

/// A server-side script that is part of the library.
struct Script {
    std::string_view name; // of its file, for messages
    std::string_view text;
    std::string_view sha1; // 40 lower-case hex characters, what EVALSHA wants
    bool readOnly = false; // sent by EVALSHA_RO, so that the server itself refuses writes
};

} // namespace lockcore::protocol
