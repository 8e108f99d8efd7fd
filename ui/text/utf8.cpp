// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/utf8.h"

#include "lockcore/base/default_ignorable.h"

#include <QChar>
#include <array>
#include <bit>

namespace lockui {
namespace {

std::optional<char32_t> decode(std::string_view bytes, std::size_t length)
{
    static constexpr std::array<char32_t, 5> Smallest = { 0, 0, 0x80, 0x800, 0x10000 };
    if (length < 2 || length > 4 || bytes.size() < length)
        return std::nullopt;
    char32_t codePoint = static_cast<unsigned char>(bytes[0]) & (0x7fU >> length);
    for (const char c : bytes.substr(1, length - 1)) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xc0U) != 0x80)
            return std::nullopt;
        codePoint = (codePoint << 6U) | (byte & 0x3fU);
    }
    const bool surrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
    if (codePoint < Smallest[length] || codePoint > 0x10ffff || surrogate)
        return std::nullopt;
    return codePoint;
}

} // namespace

std::optional<char32_t> takeCodePoint(std::string_view &rest)
{
    const auto lead = static_cast<unsigned char>(rest.front());
    const auto length = static_cast<std::size_t>(std::countl_one(lead));
    const std::optional<char32_t> codePoint = length == 0 ? lead : decode(rest, length);
    rest.remove_prefix(codePoint && length > 0 ? length : 1);
    return codePoint;
}

bool isUtf8(std::string_view bytes)
{
    while (!bytes.empty()) {
        if (!takeCodePoint(bytes))
            return false;
    }
    return true;
}

bool isHazardous(char32_t codePoint)
{
    if (lockcore::isDefaultIgnorable(codePoint))
        return true;
    switch (QChar::category(codePoint)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    case QChar::Separator_Space:
        return codePoint != U' ';
    default:
        return false;
    }
}

} // namespace lockui
