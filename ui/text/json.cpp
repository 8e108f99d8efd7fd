// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/json.h"

#include "lockcore/base/utf8.h"
#include "ui/text/printable_text.h"

#include <QChar>
#include <cstdio>

namespace lockui::json {

namespace {

std::string unicodeEscape(const char *format, unsigned value)
{
    char text[16];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string escapedUtf16(char32_t codePoint)
{
    if (!QChar::requiresSurrogates(codePoint))
        return unicodeEscape("\\u%04x", codePoint);
    return unicodeEscape("\\u%04x", QChar::highSurrogate(codePoint))
        + unicodeEscape("\\u%04x", QChar::lowSurrogate(codePoint));
}

} // namespace

std::string text(std::string_view bytes)
{
    std::string text;
    while (!bytes.empty()) {
        const std::string_view before = bytes;
        if (lockcore::takeCodePoint(bytes))
            text += before.substr(0, before.size() - bytes.size());
        else
            text += unicodeEscape("\\x%02x", static_cast<unsigned char>(before.front()));
    }
    return text;
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::string_view group = bytes.substr(at, 3);
        unsigned bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = (bits << 8U) | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= group.size() ? Digits[(bits >> (18U - 6U * i)) & 0x3fU] : '=';
    }
    return text;
}

JsonValue owner(const lockcore::OwnerId &of)
{
    JsonValue object{ { "client", text(of.client) }, { "thread", text(of.thread) } };
    if (!isUtf8(of.client))
        object["clientBase64"] = base64(of.client);
    if (!isUtf8(of.thread))
        object["threadBase64"] = base64(of.thread);
    return object;
}

std::string line(const JsonValue &value)
{
    const std::string plain = value.dump(-1, ' ', false, JsonValue::error_handler_t::replace);
    std::string line;
    bool isInText = false;
    bool isEscaped = false;
    for (std::string_view rest = plain; !rest.empty();) {
        const std::string_view before = rest;
        const char32_t codePoint = lockcore::takeCodePoint(rest).value_or(QChar::ReplacementCharacter);
        if (codePoint == '"' && !isEscaped)
            isInText = !isInText;
        isEscaped = codePoint == '\\' && !isEscaped;
        if (isHazardous(codePoint))
            line += escapedUtf16(codePoint);
        else
            line += before.substr(0, before.size() - rest.size());
        if (!isInText && (codePoint == ',' || codePoint == ':'))
            line += ' '; // for whoever reads it
    }
    return line;
}

} // namespace lockui::json
