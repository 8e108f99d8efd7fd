// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace interop {

inline std::vector<std::string> split(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    for (;;) {
        const auto end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + 1);
    }
}

/// `TAG COMMAND THREAD WORD…`; a dash stands for a value that is absent.
class Arguments {
public:
    explicit Arguments(std::string_view line)
        : m_words(split(line, ' '))
    {
        m_words.resize(std::max<std::size_t>(m_words.size(), 10));
    }

    const std::string &tag() const { return m_words[0]; }
    const std::string &command() const { return m_words[1]; }
    const std::string &thread() const { return m_words[2]; }
    const std::string &word(std::size_t index) const { return m_words[3 + index]; }
    std::int64_t number(std::size_t index) const { return std::stoll(word(index)); }
    std::optional<lockcore::Millis> millis(std::size_t index) const
    {
        if (word(index) == "-")
            return std::nullopt;
        return lockcore::Millis(number(index));
    }
    std::vector<std::string> list(std::size_t index) const { return split(word(index), ','); }

private:
    std::vector<std::string> m_words;
};

} // namespace interop
