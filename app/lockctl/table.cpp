// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/table.h"

#include "app/lockctl/output.h"

#include <algorithm>
#include <numeric>
#include <sys/ioctl.h>
#include <unistd.h>

namespace lockctl {
namespace {

constexpr int Gap = 2;
constexpr int AlwaysAligned = 40; // cells

/// For a table of which nothing is cut: cells of ordinary width stand below each other. One that is much wider takes
/// its place in its own row, and does not push all others apart.
int ordinaryWidth(const Column &column, std::vector<int> cells)
{
    const auto middle = cells.begin() + std::ssize(cells) / 2;
    std::ranges::nth_element(cells, middle);
    const int widest = std::max(AlwaysAligned, cells.empty() ? 0 : 2 * *middle);
    int width = lockui::cellWidth(column.title);
    for (const int each : cells)
        width = std::max(width, each > widest ? 0 : each);
    return width;
}

std::vector<int> ordinaryWidths(const std::vector<Column> &columns, const std::vector<Row> &rows)
{
    std::vector<int> widths;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        std::vector<int> cells;
        for (const Row &row : rows)
            cells.push_back(lockui::cellWidth(row[c]));
        widths.push_back(ordinaryWidth(columns[c], std::move(cells)));
    }
    return widths;
}

std::vector<int> naturalWidths(const std::vector<Column> &columns, const std::vector<Row> &rows)
{
    std::vector<int> widths;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        int width = lockui::cellWidth(columns[c].title);
        for (const Row &row : rows)
            width = std::max(width, lockui::cellWidth(row[c]));
        widths.push_back(width);
    }
    return widths;
}

int leastWidth(const std::vector<Column> &columns, const std::vector<int> &widths)
{
    int width = Gap * (static_cast<int>(columns.size()) - 1);
    for (std::size_t c = 0; c < columns.size(); ++c)
        width += columns[c].least > 0 ? std::min(columns[c].least, widths[c]) : widths[c];
    return width;
}

/// Leaves out the columns that matter least, until the others fit.
void leaveOut(std::vector<Column> &columns, std::vector<Row> &rows, int width)
{
    while (leastWidth(columns, naturalWidths(columns, rows)) > width) {
        const auto least = std::max_element(columns.begin(), columns.end(),
            [](const Column &left, const Column &right) { return left.priority < right.priority; });
        if (least == columns.end() || least->priority == 0)
            return;
        const auto place = least - columns.begin();
        columns.erase(least);
        for (Row &row : rows)
            row.erase(row.begin() + place);
    }
}

/// Takes cells from the widest column that may be cut, until the line fits.
void shrink(std::vector<int> &widths, const std::vector<Column> &columns, int width)
{
    const int gaps = Gap * (static_cast<int>(columns.size()) - 1);
    int surplus = std::accumulate(widths.begin(), widths.end(), gaps) - width;
    for (; surplus > 0; --surplus) {
        std::optional<std::size_t> widest;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const bool canGive = columns[c].least > 0 && widths[c] > columns[c].least;
            if (canGive && (!widest || widths[c] > widths[*widest]))
                widest = c;
        }
        if (!widest)
            return;
        --widths[*widest];
    }
}

std::string line(const std::vector<Column> &columns, const std::vector<int> &widths, const Row &cells, bool isCut)
{
    std::string text;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const std::string cell = isCut ? lockui::elided(cells[c], widths[c], columns[c].elide) : cells[c];
        const auto padding = static_cast<std::size_t>(std::max(0, widths[c] - lockui::cellWidth(cell)));
        text += c == 0 ? "" : std::string(Gap, ' ');
        text += columns[c].right ? std::string(padding, ' ') + cell : cell + std::string(padding, ' ');
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

} // namespace

std::vector<std::string> tableLines(std::vector<Column> columns, std::vector<Row> rows, std::optional<int> width)
{
    if (width)
        leaveOut(columns, rows, *width);
    std::vector<int> widths = width ? naturalWidths(columns, rows) : ordinaryWidths(columns, rows);
    if (width)
        shrink(widths, columns, *width);
    const bool isCut = width.has_value();
    Row titles;
    for (const Column &column : columns)
        titles.push_back(column.title);
    std::vector<std::string> lines{ line(columns, widths, titles, isCut) };
    for (const Row &row : rows)
        lines.push_back(line(columns, widths, row, isCut));
    if (width) {
        for (std::string &text : lines)
            text = lockui::elided(text, *width);
    }
    return lines;
}

void printTable(const std::vector<Column> &columns, const std::vector<Row> &rows)
{
    const auto terminal = terminalSize();
    for (const std::string &line :
        tableLines(columns, rows, terminal ? std::optional(terminal->columns) : std::nullopt)) {
        if (!addLine(line))
            return;
    }
    flushLines();
}

std::optional<TerminalSize> terminalSize()
{
    winsize size = {};
    if (::isatty(STDOUT_FILENO) == 0)
        return std::nullopt;
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        return TerminalSize();
    return TerminalSize{ size.ws_col, size.ws_row };
}

} // namespace lockctl
