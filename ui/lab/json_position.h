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

/// As editors count, from 1.
struct TextPosition {
    std::size_t line = 1;
    std::size_t column = 1;
};

/// Where a value begins in a text that is known to be JSON. Of a path that leads nowhere: where it ends to lead.
TextPosition positionOf(std::string_view json, const JsonPath &path);

TextPosition positionAt(std::string_view text, std::size_t offset);

} // namespace lockui::lab
