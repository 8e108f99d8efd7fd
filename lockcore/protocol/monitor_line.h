// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::protocol {

/// Lets the lines of a stream pass, but for those that are too long: of these nothing is kept, however long they get.
class LineSieve {
public:
    explicit LineSieve(std::size_t longest) // with its end
        : m_longest(longest)
    {
    }

    std::string pass(std::string_view bytes); // the lines that are whole now
    std::size_t heldBack() const { return m_heldBack; } // how many lines were held back until now

private:
    const std::size_t m_longest;
    std::string m_begun;
    bool m_isTooLong = false;
    std::size_t m_heldBack = 0;
};

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
