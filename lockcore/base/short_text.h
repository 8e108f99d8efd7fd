// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace lockcore {

/// A text of which there are very many, and which hardly ever has more than seven bytes: those lie in it, longer ones
/// elsewhere. As large as a pointer. Used as a constant std::string is. Thread: as a value.
class ShortText {
public:
    ShortText() = default;
    ShortText(std::string_view text)
    {
        if (text.size() > Most) {
            put(new std::string(text));
            return;
        }
        text.copy(m_place.data() + First, text.size());
        m_place[Mark] = static_cast<char>(text.size() << 1U);
    }
    ShortText(const std::string &text)
        : ShortText(std::string_view(text))
    {
    }
    ShortText(const char *text)
        : ShortText(std::string_view(text))
    {
    }
    ShortText(const ShortText &other)
        : m_place(other.m_place)
    {
        if (const auto *text = other.elsewhere())
            put(new std::string(*text));
    }
    ShortText(ShortText &&other) noexcept
        : m_place(std::exchange(other.m_place, {}))
    {
    }
    ShortText &operator=(ShortText other) noexcept
    {
        std::swap(m_place, other.m_place);
        return *this;
    }
    ~ShortText() { delete elsewhere(); }

    std::string_view text() const
    {
        if (const auto *text = elsewhere())
            return *text;
        return { m_place.data() + First, static_cast<std::size_t>(m_place[Mark]) >> 1U };
    }
    operator std::string_view() const { return text(); }
    operator std::string() const { return std::string(text()); }
    bool empty() const { return text().empty(); }
    std::size_t size() const { return text().size(); }

    friend bool operator==(const ShortText &a, const ShortText &b) { return a.text() == b.text(); }
    friend bool operator==(const ShortText &a, const std::string &b) { return a.text() == b; }
    friend bool operator==(const ShortText &a, const char *b) { return a.text() == b; }
    friend auto operator<=>(const ShortText &a, const ShortText &b) { return a.text() <=> b.text(); }

private:
    using Place = std::array<char, sizeof(void *)>;

    // The byte with the lowest bit of a pointer. Of a pointer to a string it is zero: of the next byte, which stands
    // here for a string that lies elsewhere, it is set.
    static constexpr bool IsLittle = std::endian::native == std::endian::little;
    static constexpr std::size_t Mark = IsLittle ? 0 : sizeof(void *) - 1;
    static constexpr std::size_t First = IsLittle ? 1 : 0;
    static constexpr std::size_t Most = sizeof(void *) - 1;
    static_assert(alignof(std::string) > 1);

    void put(const std::string *text)
    {
        const char *const next = reinterpret_cast<const char *>(text) + 1;
        std::memcpy(m_place.data(), &next, sizeof next);
    }
    const std::string *elsewhere() const // null: it lies here
    {
        if ((m_place[Mark] & 1) == 0)
            return nullptr;
        const char *next = nullptr;
        std::memcpy(&next, m_place.data(), sizeof next);
        return reinterpret_cast<const std::string *>(next - 1);
    }

    alignas(void *) Place m_place{};
};

} // namespace lockcore
