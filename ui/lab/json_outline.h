// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_position.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockui::lab {

struct JsonKey {
    std::string name;
    std::size_t begin; // of its quotation mark
};

/// Where a value lies in the text of a document, and what is in it.
struct JsonSpan {
    std::size_t begin = 0;
    std::size_t end = 0; // behind its last character
    std::vector<JsonKey> keys{}; // of an object, one for each of its values
    std::vector<JsonSpan> values{}; // of an object or a list
};

/// Of a text that is known to be JSON. Values that lie deeper than any of a scenario are not looked into.
JsonSpan outlineOf(std::string_view json);

/// As far as the path leads.
const JsonSpan &spanOf(const JsonSpan &root, const JsonPath &path);

/// Where a value begins in a text that is known to be JSON. Of a path that leads nowhere: where it ends to lead.
TextPosition positionOf(std::string_view json, const JsonPath &path);

/// A key that its object has twice: readers of JSON differ in which they believe. Absent: there is none.
std::optional<JsonKey> repeatedKey(const JsonSpan &root);

} // namespace lockui::lab
