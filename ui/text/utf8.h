// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace lockui {

/// Takes one code point off the front; nothing, and one byte taken, where the bytes are not UTF-8.
std::optional<char32_t> takeCodePoint(std::string_view &rest);

bool isUtf8(std::string_view bytes);

/// Characters that act on a terminal or on the direction of text, or that cannot be seen.
bool isHazardous(char32_t codePoint);

} // namespace lockui
