// SPDX-License-Identifier: Apache-2.0
#include "lockcore/synchronizers/kryo5_string.h"

#include "lockcore/base/utf8.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace lockcore::synchronizers {

namespace {

constexpr char StringClass = 0x03;
constexpr unsigned char LastOfAscii = 0x80; // marks the last byte of a short text
constexpr unsigned char HasLength = 0x80; // marks the first byte of a length
constexpr std::size_t LongestPlainAscii = 32;

std::optional<std::vector<std::uint16_t>> utf16(std::string_view text)
{
    std::vector<std::uint16_t> units;
    while (!text.empty()) {
        const auto point = takeCodePoint(text);
        if (!point)
            return std::nullopt;
        if (*point >= 0x10000) {
            units.push_back(static_cast<std::uint16_t>(0xD800 + ((*point - 0x10000) >> 10U)));
            units.push_back(static_cast<std::uint16_t>(0xDC00 + ((*point - 0x10000) & 0x3FFU)));
        } else {
            units.push_back(static_cast<std::uint16_t>(*point));
        }
    }
    return units;
}

void append(std::string &bytes, std::size_t byte) { bytes.push_back(static_cast<char>(byte)); }

/// Six bits in the first byte, seven in each further one.
void appendLength(std::string &bytes, std::size_t length)
{
    append(bytes, HasLength | (length & 0x3FU) | (length >= 0x40 ? 0x40U : 0U));
    for (length >>= 6U; length != 0; length >>= 7U)
        append(bytes, (length & 0x7FU) | (length >= 0x80 ? 0x80U : 0U));
}

/// Each half of a surrogate pair by itself.
void appendUnit(std::string &bytes, std::uint16_t unit)
{
    if (unit < 0x80) {
        append(bytes, unit);
    } else if (unit < 0x800) {
        append(bytes, 0xC0U | (unit >> 6U));
        append(bytes, 0x80U | (unit & 0x3FU));
    } else {
        append(bytes, 0xE0U | (unit >> 12U));
        append(bytes, 0x80U | ((unit >> 6U) & 0x3FU));
        append(bytes, 0x80U | (unit & 0x3FU));
    }
}

} // namespace

Result<std::string> kryo5String(std::string_view utf8)
{
    const auto units = utf16(utf8);
    if (!units)
        return failure(ErrorCode::InvalidArgument, { Phrase::ValueNotUtf8 });
    std::string bytes(1, StringClass);
    const bool ascii = std::ranges::all_of(*units, [](std::uint16_t unit) { return unit < 0x80; });
    if (ascii && units->size() > 1 && units->size() <= LongestPlainAscii) {
        bytes += utf8;
        bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) | LastOfAscii);
        return bytes;
    }
    appendLength(bytes, units->size() + 1);
    for (const std::uint16_t unit : *units)
        appendUnit(bytes, unit);
    return bytes;
}

} // namespace lockcore::synchronizers
