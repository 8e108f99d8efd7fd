// SPDX-License-Identifier: GPL-3.0-or-later
// Changes of a JSON text that leave all else in it as it is written: order, spaces, line breaks, unknown members.
#pragma once

#include "ui/lab/json_position.h"
#include "ui/text/json.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace lockui::lab {

/// Bytes of a text, and what comes in their place.
struct TextChange {
    std::size_t at = 0;
    std::size_t size = 0;
    std::string by;
};

std::string changed(std::string_view text, const TextChange &change);

/// On one line, with a space behind each comma and colon.
std::string lineOf(const JsonValue &value);

// All of these are asked of a text that is JSON, with paths that lead to a value, an object or a list of it.

TextChange setValue(std::string_view json, const JsonPath &path, const JsonValue &value);

/// Of the object at the path; a member that is new comes behind the others, laid out as the last of them.
TextChange setMember(std::string_view json, const JsonPath &object, const std::string &name, const JsonValue &value);
/// Nothing is changed where there is no such member.
TextChange removeMember(std::string_view json, const JsonPath &object, const std::string &name);

/// `text`: of the new element, which is then the one with this index.
TextChange insertElement(std::string_view json, const JsonPath &list, std::size_t index, const std::string &text);
TextChange removeElement(std::string_view json, const JsonPath &list, std::size_t index);
/// An element and the one behind it change places.
TextChange swapWithNext(std::string_view json, const JsonPath &list, std::size_t index);

/// As it is written.
std::string textAt(std::string_view json, const JsonPath &path);

} // namespace lockui::lab
