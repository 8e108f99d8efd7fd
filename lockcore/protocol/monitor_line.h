// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::protocol {

/// A command as MONITOR shows it.
struct MonitorLine {
    int database = 0;
    std::string client; // `10.0.0.7:51234`, `[::1]:51234`, `unix:/path`; `lua`: called by a script
    std::vector<std::string> words; // the command and its arguments, as bytes

    bool operator==(const MonitorLine &) const = default;
};

/// Reads `1339518083.107412 [0 127.0.0.1:60866] "SET" "k" "\x01"`, without the line's end.
/// Absent: it is not such a line, to its last byte.
std::optional<MonitorLine> parseMonitorLine(std::string_view line);

} // namespace lockcore::protocol
