// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_outline.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace lockui::lab {

namespace {

/// Twice of what a scenario has. A text of brackets alone shall not use up the stack.
constexpr int DeepestOutline = 16;

/// Goes through a text that is known to be JSON.
class Walk {
public:
    explicit Walk(std::string_view json)
        : m_json(json)
    {
        constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";
        if (m_json.starts_with(ByteOrderMark))
            m_at = ByteOrderMark.size();
        skipSpace();
    }

    JsonSpan value(int depth = 0)
    {
        JsonSpan span{ .begin = m_at, .end = m_at };
        const char first = peek();
        if (first == '"')
            skipString();
        else if ((first == '{' || first == '[') && depth < DeepestOutline)
            enter(span, depth);
        else if (first == '{' || first == '[')
            skipNested();
        else
            m_at = std::min(m_json.find_first_of(",]} \t\r\n", m_at), m_json.size());
        span.end = m_at;
        return span;
    }

private:
    void enter(JsonSpan &span, int depth)
    {
        const bool isObject = peek() == '{';
        move();
        while (m_at < m_json.size() && peek() != '}' && peek() != ']') {
            if (isObject) {
                const std::size_t begin = m_at;
                skipString();
                span.keys.push_back(
                    { nlohmann::json::parse(m_json.substr(begin, m_at - begin)).get<std::string>(), begin });
                skipSpace();
                move(); // the colon
            }
            span.values.push_back(value(depth + 1));
            skipSpace();
            if (peek() == ',')
                move();
        }
        ++m_at;
    }

    void skipNested()
    {
        int open = 0;
        do {
            const char next = peek();
            if (next == '"') {
                skipString();
                continue;
            }
            open += next == '{' || next == '[' ? 1 : next == '}' || next == ']' ? -1 : 0;
            ++m_at;
        } while (open > 0 && m_at < m_json.size());
    }

    void skipString()
    {
        while (++m_at < m_json.size() && m_json[m_at] != '"') {
            if (m_json[m_at] == '\\')
                ++m_at;
        }
        ++m_at;
    }

    char peek() const { return m_at < m_json.size() ? m_json[m_at] : '}'; }

    void move()
    {
        ++m_at;
        skipSpace();
    }

    void skipSpace() { m_at = std::min(m_json.find_first_not_of(" \t\r\n", m_at), m_json.size()); }

    std::string_view m_json;
    std::size_t m_at = 0;
};

const JsonSpan *innerSpan(const JsonSpan &span, const std::variant<std::string, std::size_t> &step)
{
    const auto *name = std::get_if<std::string>(&step);
    if (!name) {
        const std::size_t index = std::get<std::size_t>(step);
        return span.keys.empty() && index < span.values.size() ? &span.values[index] : nullptr;
    }
    const auto found = std::ranges::find(span.keys, *name, &JsonKey::name);
    return found == span.keys.end() ? nullptr : &span.values[static_cast<std::size_t>(found - span.keys.begin())];
}

} // namespace

JsonSpan outlineOf(std::string_view json) { return Walk(json).value(); }

const JsonSpan &spanOf(const JsonSpan &root, const JsonPath &path)
{
    const JsonSpan *span = &root;
    for (const auto &step : path) {
        const JsonSpan *next = innerSpan(*span, step);
        if (!next)
            break;
        span = next;
    }
    return *span;
}

TextPosition positionOf(std::string_view json, const JsonPath &path)
{
    return positionAt(json, spanOf(outlineOf(json), path).begin);
}

std::optional<JsonKey> repeatedKey(const JsonSpan &root)
{
    std::set<std::string_view> names;
    for (const JsonKey &key : root.keys) {
        if (!names.insert(key.name).second)
            return key;
    }
    for (const JsonSpan &value : root.values) {
        if (auto inner = repeatedKey(value))
            return inner;
    }
    return std::nullopt;
}

} // namespace lockui::lab
