// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <string_view>

namespace lockcore {

/// Takes one code point of UTF-8 off the front; absent, and one byte taken, where the bytes are none: overlong forms
/// and surrogates are none either. QStringDecoder does not tell which bytes were wrong, and they are to be shown.
inline std::optional<char32_t> takeCodePoint(std::string_view &rest)
{
    constexpr char32_t Smallest[]{ 0, 0, 0x80, 0x800, 0x10000 };
    const auto lead = static_cast<unsigned char>(rest.front());
    const auto length = static_cast<std::size_t>(std::countl_one(lead));
    const std::string_view bytes = rest.substr(0, length);
    rest.remove_prefix(1);
    if (length == 0)
        return lead;
    if (length == 1 || length > 4 || bytes.size() < length)
        return std::nullopt;
    char32_t codePoint = lead & (0x7fU >> length);
    for (const char c : bytes.substr(1)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0U) != 0x80)
            return std::nullopt;
        codePoint = (codePoint << 6U) | (byte & 0x3fU);
    }
    const bool isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
    if (codePoint < Smallest[length] || codePoint > 0x10ffff || isSurrogate)
        return std::nullopt;
    rest.remove_prefix(length - 1);
    return codePoint;
}

} // namespace lockcore
