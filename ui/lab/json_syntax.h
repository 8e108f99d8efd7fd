// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <string_view>

namespace lockui::lab {

/// The first place at which a text is no JSON, and what was expected there in words for who wrote it.
struct JsonFault {
    std::size_t offset = 0; // in bytes; at the end of a line where something is missing there
    QString message;
};

/// Absent: it is JSON, as far as its brackets, texts, numbers and words go.
std::optional<JsonFault> firstFault(std::string_view json);

} // namespace lockui::lab
