// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/monitor_line.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace lockcore::protocol {

std::string LineSieve::pass(std::string_view bytes)
{
    std::string whole;
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const auto piece = bytes.substr(0, end == bytes.npos ? end : end + 1);
        bytes.remove_prefix(piece.size());
        m_isTooLong = m_isTooLong || m_begun.size() + piece.size() > m_longest;
        if (m_isTooLong)
            m_begun.clear();
        else
            m_begun += piece;
        if (end == bytes.npos)
            break;
        whole += std::exchange(m_begun, {});
        m_heldBack += std::exchange(m_isTooLong, false) ? 1 : 0;
    }
    return whole;
}

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::optional<int> hexDigit(char c)
{
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return std::nullopt;
}

std::optional<char> escaped(char c)
{
    switch (c) {
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    case 'a':
        return '\a';
    case 'b':
        return '\b';
    case '\\':
    case '"':
        return c;
    default:
        return std::nullopt;
    }
}

/// Takes one piece after the other from the front of a line.
class Scanner {
public:
    explicit Scanner(std::string_view rest)
        : m_rest(rest)
    {
    }

    bool atEnd() const { return m_rest.empty(); }

    bool take(char wanted)
    {
        if (m_rest.empty() || m_rest.front() != wanted)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    std::optional<std::string_view> digits()
    {
        const auto end = std::find_if_not(m_rest.begin(), m_rest.end(), isDigit);
        const auto length = static_cast<std::size_t>(end - m_rest.begin());
        if (length == 0)
            return std::nullopt;
        const auto found = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        return found;
    }

    /// A path of a socket may hold anything, so the last bracket before the first word ends it.
    std::optional<std::string> client()
    {
        const auto end = m_rest.find("] \"");
        if (end == std::string_view::npos || end == 0)
            return std::nullopt;
        std::string found(m_rest.substr(0, end));
        m_rest.remove_prefix(end);
        return found;
    }

    std::optional<std::string> word()
    {
        if (!take('"'))
            return std::nullopt;
        std::string text;
        while (!m_rest.empty()) {
            if (take('"'))
                return text;
            const auto next = take('\\') ? escape() : std::optional(plain());
            if (!next)
                return std::nullopt;
            text += *next;
        }
        return std::nullopt; // no closing quote
    }

private:
    char plain()
    {
        const char c = m_rest.front();
        m_rest.remove_prefix(1);
        return c;
    }

    std::optional<char> escape()
    {
        if (m_rest.empty())
            return std::nullopt;
        if (!take('x')) {
            const auto found = escaped(m_rest.front());
            m_rest.remove_prefix(1);
            return found;
        }
        if (m_rest.size() < 2)
            return std::nullopt;
        const auto high = hexDigit(m_rest[0]);
        const auto low = hexDigit(m_rest[1]);
        m_rest.remove_prefix(2);
        return high && low ? std::optional(static_cast<char>(*high * 16 + *low)) : std::nullopt;
    }

    std::string_view m_rest;
};

} // namespace

std::optional<MonitorLine> parseMonitorLine(std::string_view line)
{
    Scanner scanner(line);
    if (!scanner.digits() || !scanner.take('.') || !scanner.digits() || !scanner.take(' ') || !scanner.take('['))
        return std::nullopt;
    MonitorLine parsed;
    const auto database = scanner.digits();
    if (!database
        || std::from_chars(database->data(), database->data() + database->size(), parsed.database).ec != std::errc{})
        return std::nullopt;
    if (!scanner.take(' '))
        return std::nullopt;
    auto client = scanner.client();
    if (!client || !scanner.take(']'))
        return std::nullopt;
    parsed.client = std::move(*client);
    while (!scanner.atEnd()) {
        if (!scanner.take(' '))
            return std::nullopt;
        auto word = scanner.word();
        if (!word)
            return std::nullopt;
        parsed.words.push_back(std::move(*word));
    }
    return parsed;
}

} // namespace lockcore::protocol
