// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace lockctl {

struct Column {
    std::string title;
    bool right = false; // aligned
    int least = 0; // cells that it keeps when the terminal is narrow; 0: is never cut
};

using Row = std::vector<std::string>; // printable text

/// Lines without line break. Too wide: the columns that may be cut share what is missing.
std::vector<std::string> tableLines(
    const std::vector<Column> &columns, const std::vector<Row> &rows, std::optional<int> width);

struct TerminalSize {
    int columns = 80;
    int rows = 24;
};

/// Of the terminal that stdout is; absent: it is none.
std::optional<TerminalSize> terminalSize();

} // namespace lockctl
