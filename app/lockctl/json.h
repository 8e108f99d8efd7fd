// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// JSON as text, fields in the order given. Pure ASCII where a terminal or an eye could be deceived: control,
/// invisible and bidirectional characters are escaped.
namespace lockctl::json {

/// Bytes that are not UTF-8 stand as `\xNN`.
std::string text(std::string_view bytes);
std::string number(std::int64_t value);
std::string boolean(bool value);
std::string array(const std::vector<std::string> &elements);
std::string base64(std::string_view bytes);

using Field = std::pair<std::string_view, std::string>;
std::string object(const std::vector<Field> &fields);

inline std::string orNull(const std::optional<std::int64_t> &value) { return value ? number(*value) : "null"; }
inline std::string textOrNull(const std::optional<std::string> &value) { return value ? text(*value) : "null"; }

} // namespace lockctl::json
