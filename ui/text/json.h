// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/ids.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace lockui {

using JsonValue = nlohmann::ordered_json; // fields in the order given

/// What is ours about JSON: bytes that are no text, and characters that deceive.
namespace json {

/// What stands in Redis as a string of JSON has to be: bytes that are not UTF-8 as `\xNN`.
std::string text(std::string_view bytes);
std::string base64(std::string_view bytes);

/// `client` and `thread`; what is not UTF-8 of them also exactly, in `clientBase64` and `threadBase64`.
JsonValue owner(const lockcore::OwnerId &of);

template <typename Value>
JsonValue orNull(const std::optional<Value> &value)
{
    return value ? JsonValue(*value) : JsonValue();
}

/// On one line. Pure ASCII where a terminal or an eye could be deceived: control, invisible and bidirectional
/// characters are escaped.
std::string line(const JsonValue &value);

} // namespace json

} // namespace lockui
