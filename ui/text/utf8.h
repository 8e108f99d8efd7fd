// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace lockui {

bool isUtf8(std::string_view bytes);

/// Characters that act on a terminal or on the direction of text, or that cannot be seen.
bool isHazardous(char32_t codePoint);

} // namespace lockui
