// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/shared.h"

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace lockcore {

/// A text that many values have: all copies of it are the same one. Used as a constant std::string is.
/// Thread: as a value; what copies share is immutable.
class SharedText {
public:
    SharedText() = default;
    SharedText(std::string text)
        : m_text(text.empty() ? Shared<std::string>() : Shared<std::string>(std::move(text)))
    {
    }
    SharedText(std::string_view text)
        : SharedText(std::string(text))
    {
    }
    SharedText(const char *text)
        : SharedText(std::string(text))
    {
    }

    const std::string &text() const
    {
        static const std::string nothing;
        return m_text ? *m_text : nothing;
    }
    operator const std::string &() const { return text(); }
    operator std::string_view() const { return text(); }
    bool empty() const { return !m_text; }
    std::size_t size() const { return text().size(); }

    friend bool operator==(const SharedText &a, const SharedText &b)
    {
        return a.m_text == b.m_text || a.text() == b.text();
    }
    friend bool operator==(const SharedText &a, const std::string &b) { return a.text() == b; }
    friend bool operator==(const SharedText &a, const char *b) { return a.text() == b; }
    friend auto operator<=>(const SharedText &a, const SharedText &b) { return a.text() <=> b.text(); }
    friend std::string operator+(const SharedText &a, const std::string &b) { return a.text() + b; }
    friend std::string operator+(const SharedText &a, const char *b) { return a.text() + b; }
    friend std::string operator+(const SharedText &a, char b) { return a.text() + b; }
    friend std::string operator+(const std::string &a, const SharedText &b) { return a + b.text(); }

    /// There is no other copy, and so nobody from whom to take one: it stays so.
    bool isLast() const { return m_text.isLast(); }

private:
    Shared<std::string> m_text; // null: empty
};

} // namespace lockcore
