// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/json_position.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lockui::lab {

namespace {

/// Goes through a text that is known to be JSON.
class Walk {
public:
    explicit Walk(std::string_view json)
        : m_json(json)
    {
        skipSpace();
    }

    std::size_t at() const { return m_at; }

    /// To the value of a member or to an element; false: there is none, and nothing has moved.
    bool enter(const std::variant<std::string, std::size_t> &step)
    {
        const std::size_t before = m_at;
        const auto *name = std::get_if<std::string>(&step);
        const char opening = name ? '{' : '[';
        if (peek() != opening)
            return false;
        move();
        for (std::size_t index = 0; peek() != '}' && peek() != ']'; ++index) {
            std::string key;
            if (name) {
                key = string();
                move(); // the colon
            }
            if (name ? key == *name : index == std::get<std::size_t>(step))
                return true;
            skipValue();
            if (peek() == ',')
                move();
        }
        m_at = before;
        return false;
    }

private:
    char peek() const { return m_at < m_json.size() ? m_json[m_at] : '}'; }

    void move()
    {
        ++m_at;
        skipSpace();
    }

    void skipSpace() { m_at = std::min(m_json.find_first_not_of(" \t\r\n", m_at), m_json.size()); }

    std::string string()
    {
        const std::size_t begin = m_at;
        while (++m_at < m_json.size() && m_json[m_at] != '"') {
            if (m_json[m_at] == '\\')
                ++m_at;
        }
        const std::string_view quoted = m_json.substr(begin, m_at + 1 - begin);
        move();
        return nlohmann::json::parse(quoted).get<std::string>();
    }

    void skipValue()
    {
        int depth = 0;
        do {
            const char first = peek();
            if (first == '"') {
                string();
            } else if (first == '{' || first == '[') {
                ++depth;
                move();
            } else if (first == '}' || first == ']') {
                --depth;
                move();
            } else if (first == ',' || first == ':') {
                move();
            } else {
                m_at = std::min(m_json.find_first_of(",]} \t\r\n", m_at), m_json.size());
                skipSpace();
            }
        } while (depth > 0 && m_at < m_json.size());
    }

    std::string_view m_json;
    std::size_t m_at = 0;
};

} // namespace

TextPosition positionOf(std::string_view json, const JsonPath &path)
{
    Walk walk(json);
    for (const auto &step : path) {
        if (!walk.enter(step))
            break;
    }
    return positionAt(json, walk.at());
}

TextPosition positionAt(std::string_view text, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const std::size_t lastBreak = before.rfind('\n');
    return { static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
        lastBreak == std::string_view::npos ? offset + 1 : offset - lastBreak };
}

} // namespace lockui::lab
