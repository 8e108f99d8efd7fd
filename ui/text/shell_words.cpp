// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text/shell_words.h"

#include "lockcore/base/utf8.h"
#include "ui/text/printable_text.h"

#include <algorithm>
#include <cstdio>

namespace lockui {

namespace {

bool isPlainInShell(char c)
{
    constexpr std::string_view Others = "_-./:@%+=,";
    const bool isAlphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return isAlphanumeric || Others.find(c) != Others.npos;
}

std::string hexEscapes(std::string_view bytes)
{
    std::string text;
    for (const char byte : bytes) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(byte));
        text += escape;
    }
    return text;
}

} // namespace

std::string shellWord(std::string_view bytes)
{
    if (!bytes.empty() && std::ranges::all_of(bytes, isPlainInShell))
        return std::string(bytes);
    std::string word = "'";
    for (const char c : bytes)
        word += c == '\'' ? "'\\''" : std::string(1, c);
    return word + '\'';
}

/// Source: redis-cli: sdssplitargs in sds.c.
std::string redisCliWord(std::string_view bytes)
{
    constexpr std::u32string_view Marks = U"\"\\";
    std::string word = "\"";
    while (!bytes.empty()) {
        const std::string_view before = bytes;
        const auto codePoint = lockcore::takeCodePoint(bytes);
        const std::string_view taken = before.substr(0, before.size() - bytes.size());
        if (codePoint && Marks.find(*codePoint) != Marks.npos)
            word.append("\\").append(taken);
        else if (!codePoint || *codePoint == U'\'' || isHazardous(*codePoint))
            word += hexEscapes(taken);
        else
            word += taken;
    }
    return word + '"';
}

std::string lockctlName(std::string_view name)
{
    const std::string printed = printable(name);
    const std::string escaped = printed == name ? std::string() : "--escaped ";
    const std::string end = printed.starts_with('-') ? "-- " : "";
    return escaped + end + shellWord(printed);
}

} // namespace lockui
