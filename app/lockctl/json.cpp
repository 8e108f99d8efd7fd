// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lockctl/json.h"

#include "app/common/utf8.h"
#include "lockcore/base/utf8.h"

#include <QByteArray>
#include <QChar>
#include <cstdio>

namespace lockctl::json {
namespace {

std::string escaped(const char *format, unsigned value)
{
    char text[16];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string escapedUtf16(char32_t codePoint)
{
    if (!QChar::requiresSurrogates(codePoint))
        return escaped("\\u%04x", codePoint);
    return escaped("\\u%04x", QChar::highSurrogate(codePoint)) + escaped("\\u%04x", QChar::lowSurrogate(codePoint));
}

std::string joined(const std::vector<std::string> &parts)
{
    std::string text;
    for (const std::string &part : parts)
        text += text.empty() ? part : ", " + part;
    return text;
}

} // namespace

std::string text(std::string_view bytes)
{
    std::string text = "\"";
    while (!bytes.empty()) {
        const std::string_view before = bytes;
        const std::optional<char32_t> codePoint = lockcore::takeCodePoint(bytes);
        if (!codePoint)
            text += escaped("\\\\x%02x", static_cast<unsigned char>(before.front()));
        else if (*codePoint == '"' || *codePoint == '\\')
            text += { '\\', before.front() };
        else if (app::isHazardous(*codePoint))
            text += escapedUtf16(*codePoint);
        else
            text += before.substr(0, before.size() - bytes.size());
    }
    return text + '"';
}

std::string number(std::int64_t value) { return std::to_string(value); }

std::string boolean(bool value) { return value ? "true" : "false"; }

std::string array(const std::vector<std::string> &elements) { return "[" + joined(elements) + "]"; }

std::string base64(std::string_view bytes)
{
    return text(QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size())).toBase64().toStdString());
}

std::string object(const std::vector<Field> &fields)
{
    std::vector<std::string> parts;
    for (const auto &[name, value] : fields)
        parts.push_back(text(name) + ": " + value);
    return "{" + joined(parts) + "}";
}

} // namespace lockctl::json
