// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockui::lab {

/// Names of members and numbers of elements, from the whole document inwards.
using JsonPath = std::vector<std::variant<std::string, std::size_t>>;

/// A place in a text. Lines and columns are those of editors: characters, from 1.
struct TextPosition {
    std::size_t line = 1;
    std::size_t column = 1;
    std::size_t offset = 0; // in bytes
};

TextPosition positionAt(std::string_view text, std::size_t offset);

} // namespace lockui::lab
