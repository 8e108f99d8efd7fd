// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/common/words.h"
#include "ui/text/printable_text.h"

#include <optional>
#include <string>
#include <vector>

namespace lockctl {

using lockui::Elide;

struct Column {
    std::string title;
    bool right = false; // aligned
    int least = 0; // cells that it keeps when the terminal is narrow; 0: is never cut
    int priority = 0; // where even that is too much, the columns of the highest number are left out first; 0: never
    Elide elide = Elide::End;
};

/// Of a column; marked for the translator where it is used.
inline std::string title(const char *text) { return app::Words::tr(text).toStdString(); }

using Row = std::vector<std::string>; // printable text

/// Lines without line break. Too wide: the columns that may be cut share what is missing, and some may be left out.
std::vector<std::string> tableLines(std::vector<Column> columns, std::vector<Row> rows, std::optional<int> width);

/// On stdout, as wide as the terminal that it is.
void printTable(const std::vector<Column> &columns, const std::vector<Row> &rows);

struct TerminalSize {
    int columns = 80;
    int rows = 24;
};

/// Of the terminal that stdout is; absent: it is none.
std::optional<TerminalSize> terminalSize();

} // namespace lockctl
