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

std::string elided(std::string_view printableText, int cells)
{
    if (cellWidth(printableText) <= cells)
        return std::string(printableText);
    std::string_view rest = printableText;
    std::size_t kept = 0;
    for (int used = 0; !rest.empty(); kept = printableText.size() - rest.size()) {
        used += cellsOf(takeCodePoint(rest));
        if (used > cells - 1)
            break;
    }
    return std::string(printableText.substr(0, kept)) + (cells > 0 ? "…" : "");
}

} // namespace app
