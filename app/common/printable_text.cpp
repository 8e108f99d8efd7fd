// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/common/printable_text.h"

#include "app/common/utf8.h"

#include <algorithm>
#include <cstdio>
#include <cwchar>

namespace app {
namespace {

std::string escaped(const char *format, unsigned value)
{
    char text[16];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

int cellsOf(std::optional<char32_t> codePoint)
{
    return codePoint ? std::max(0, ::wcwidth(static_cast<wchar_t>(*codePoint))) : 1;
}

/// As much of the beginning as fits, whole characters with what combines with them.
std::string_view head(std::string_view text, int cells)
{
    std::string_view rest = text;
    std::size_t kept = 0;
    for (int used = 0; !rest.empty(); kept = text.size() - rest.size()) {
        used += cellsOf(takeCodePoint(rest));
        if (used > cells)
            break;
    }
    return text.substr(0, kept);
}

/// As much of the end as fits; never begins with what combines with the character before.
std::string_view lastCells(std::string_view text, int cells)
{
    int width = cellWidth(text);
    while (!text.empty()) {
        std::string_view rest = text;
        const int first = cellsOf(takeCodePoint(rest));
        if (width <= cells && first > 0)
            break;
        width -= first;
        text = rest;
    }
    return text;
}

} // namespace

std::string printable(std::string_view bytes)
{
    std::string text;
    while (!bytes.empty()) {
        const std::string_view before = bytes;
        const std::optional<char32_t> codePoint = takeCodePoint(bytes);
        if (!codePoint || *codePoint < 0x20 || *codePoint == 0x7f)
            text += escaped("\\x%02x", static_cast<unsigned char>(before.front()));
        else if (isHazardous(*codePoint))
            text += escaped("\\u{%04x}", *codePoint);
        else
            text += before.substr(0, before.size() - bytes.size());
    }
    return text;
}

int cellWidth(std::string_view printableText)
{
    int cells = 0;
    while (!printableText.empty())
        cells += cellsOf(takeCodePoint(printableText));
    return cells;
}

std::string elided(std::string_view printableText, int cells, Elide where)
{
    if (cellWidth(printableText) <= cells)
        return std::string(printableText);
    if (cells < 1)
        return {};
    const int tail = where == Elide::Middle ? (cells - 1) / 2 : 0;
    return std::string(head(printableText, cells - 1 - tail)) + "…" + std::string(lastCells(printableText, tail));
}

} // namespace app
