// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_position.h"

#include <algorithm>

namespace lockui::lab {

TextPosition positionAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const std::size_t lastBreak = before.rfind('\n');
    const std::string_view line = lastBreak == std::string_view::npos ? before : before.substr(lastBreak + 1);
    const auto characters
        = std::ranges::count_if(line, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; });
    return { static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1, static_cast<std::size_t>(characters) + 1,
        before.size() };
}

} // namespace lockui::lab
