// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/printable_text.h"

#include "lockcore/base/utf8.h"

#include <QChar>
#include <QString>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cwchar>
#include <optional>

namespace lockui {

using lockcore::takeCodePoint;

namespace {

/// Characters that are drawn as nothing at all, or as blank, though some count as letters: two names that differ in
/// them alone look the same. All code points that have the property, those of no character yet among them. Source:
/// Unicode 15.1, DerivedCoreProperties.txt, Default_Ignorable_Code_Point; and the blank Braille pattern.
constexpr bool isDefaultIgnorable(char32_t character)
{
    struct Span {
        char32_t first;
        char32_t last;
    };
    constexpr std::array<Span, 18> Spans{ { { 0x00AD, 0x00AD }, { 0x034F, 0x034F }, { 0x061C, 0x061C },
        { 0x115F, 0x1160 }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F }, { 0x200B, 0x200F }, { 0x202A, 0x202E },
        { 0x2060, 0x206F }, { 0x2800, 0x2800 }, { 0x3164, 0x3164 }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF },
        { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFF8 }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF } } };
    return std::ranges::any_of(
        Spans, [character](const Span &span) { return character >= span.first && character <= span.last; });
}

} // namespace

bool isUtf8(std::string_view bytes)
{
    while (!bytes.empty()) {
        if (!lockcore::takeCodePoint(bytes))
            return false;
    }
    return true;
}

bool isHazardous(char32_t codePoint)
{
    if (isDefaultIgnorable(codePoint))
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

namespace {

std::string escaped(const char *format, unsigned value)
{
    char text[16];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

int cellsOf(std::optional<char32_t> codePoint)
{
    return codePoint ? std::max(0, ::wcwidth(static_cast<wchar_t>(*codePoint))) : 1;
}

bool isMark(char32_t codePoint)
{
    const QChar::Category category = QChar::category(codePoint);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_Enclosing;
}

std::optional<char32_t> takeLastCodePoint(std::string_view &bytes)
{
    std::size_t start = bytes.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(bytes[start]) & 0xc0U) == 0x80)
        --start;
    std::string_view last = bytes.substr(start);
    bytes = bytes.substr(0, start);
    const auto codePoint = takeCodePoint(last);
    return last.empty() ? codePoint : std::nullopt;
}

/// Whether one mark more would be drawn over the lines around, as each is put on top of the one before, or on what
/// stands in front of the text. No script needs more of them on one letter.
bool isTooManyMarks(std::string_view before)
{
    constexpr int MostOnOneLetter = 3;
    for (int marks = 0; marks < MostOnOneLetter && !before.empty(); ++marks) {
        const auto codePoint = takeLastCodePoint(before);
        if (!codePoint || !isMark(*codePoint))
            return false;
    }
    return true;
}

bool isHidden(char32_t codePoint, std::string_view before)
{
    return isHazardous(codePoint) || QChar::category(codePoint) == QChar::Other_PrivateUse // which all look the same
        || (isMark(codePoint) && isTooManyMarks(before));
}

/// Takes a character, or a byte that is part of none, off the front, and writes it so that it can be trusted.
std::string take(std::string_view &bytes, bool backslashToo, std::string_view before)
{
    const std::string_view rest = bytes;
    const std::optional<char32_t> codePoint = takeCodePoint(bytes);
    const bool isAtAnEnd = before.empty() || bytes.empty(); // where nobody would see a blank, or copy it
    const bool isUnseenBlank = backslashToo && codePoint == U' ' && isAtAnEnd;
    if (!codePoint || *codePoint < 0x20 || *codePoint == 0x7f || isUnseenBlank)
        return escaped("\\x%02x", static_cast<unsigned char>(rest.front()));
    if (backslashToo ? isHidden(*codePoint, before) : isHazardous(*codePoint))
        return escaped("\\u{%04x}", *codePoint);
    if (*codePoint == U'\\' && backslashToo)
        return "\\\\";
    return std::string(rest.substr(0, rest.size() - bytes.size()));
}

std::string rewritten(std::string_view bytes, bool backslashToo)
{
    const std::string_view all = bytes;
    std::string text;
    while (!bytes.empty())
        text += take(bytes, backslashToo, all.substr(0, all.size() - bytes.size()));
    return text;
}

/// All of it hexadecimal digits.
std::optional<char32_t> readHex(std::string_view digits)
{
    std::uint32_t value = 0;
    const char *end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, value, 16);
    return read.ec == std::errc{} && read.ptr == end ? std::optional<char32_t>(value) : std::nullopt;
}

/// What an escape at the front stands for; it is taken off.
std::optional<std::string> takeEscape(std::string_view &text)
{
    constexpr std::size_t Byte = 4; // `\xNN`
    if (text.starts_with("\\\\")) {
        text.remove_prefix(2);
        return "\\";
    }
    if (text.starts_with("\\x") && text.size() >= Byte) {
        const auto byte = readHex(text.substr(2, 2));
        text.remove_prefix(Byte);
        return byte ? std::optional(std::string(1, static_cast<char>(*byte))) : std::nullopt;
    }
    const auto end = text.find('}');
    if (!text.starts_with("\\u{") || end == text.npos)
        return std::nullopt;
    const auto codePoint = readHex(text.substr(3, end - 3));
    text.remove_prefix(end + 1);
    if (!codePoint || *codePoint > 0x10ffff || (*codePoint >= 0xd800 && *codePoint < 0xe000))
        return std::nullopt;
    return QString::fromUcs4(&*codePoint, 1).toStdString();
}

/// Takes a character, or an escape as a whole, off the front; returns the cells that it takes up.
int takeUnit(std::string_view &text)
{
    std::string_view rest = text;
    if (!rest.starts_with('\\') || !takeEscape(rest))
        return cellsOf(takeCodePoint(text));
    const auto cells = static_cast<int>(text.size() - rest.size());
    text = rest;
    return cells;
}

/// As much of the beginning as fits, whole characters with what combines with them.
std::string_view head(std::string_view text, int cells)
{
    std::string_view rest = text;
    std::size_t kept = 0;
    for (int used = 0; !rest.empty(); kept = text.size() - rest.size()) {
        used += takeUnit(rest);
        if (used > cells)
            break;
    }
    return text.substr(0, kept);
}

/// As much of the end as fits; never begins with what combines with the character before.
std::string_view lastCells(std::string_view text, int cells)
{
    int width = cellWidth(text);
    while (!text.empty()) {
        std::string_view rest = text;
        const int first = takeUnit(rest);
        if (width <= cells && first > 0)
            break;
        width -= first;
        text = rest;
    }
    return text;
}

} // namespace

std::string printable(std::string_view bytes) { return rewritten(bytes, true); }

std::string takePrintable(std::string_view &bytes, std::string_view before) { return take(bytes, true, before); }

std::string withoutControls(std::string_view text) { return rewritten(text, false); }

std::optional<std::string> fromPrintable(std::string_view text)
{
    std::string bytes;
    while (!text.empty()) {
        const auto plain = text.substr(0, text.find('\\'));
        bytes += plain;
        text.remove_prefix(plain.size());
        if (text.empty())
            break;
        const auto taken = takeEscape(text);
        if (!taken)
            return std::nullopt;
        bytes += *taken;
    }
    return bytes;
}

int cellWidth(std::string_view printableText)
{
    int cells = 0;
    while (!printableText.empty())
        cells += cellsOf(takeCodePoint(printableText));
    return cells;
}

std::string elided(std::string_view printableText, int cells, Elide where)
{
    if (cellWidth(printableText) <= cells)
        return std::string(printableText);
    if (cells < 1)
        return {};
    const int tail = where == Elide::Middle ? (cells - 1) / 2 : 0;
    return std::string(head(printableText, cells - 1 - tail)) + "…" + std::string(lastCells(printableText, tail));
}

} // namespace lockui
