// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lockcore {

// Tables with one row for each enumerator, in the order of the enumeration. A static_assert over hasRowForEach() beside
// the table makes it a compile error to add an enumerator and forget its row.

/// What an enumerator is called outside the program.
template <typename Enum>
struct NameRow {
    Enum value;
    const char *name; // in JSON, as a value of options, in completion
    std::uint8_t code; // in recordings: it stands in people's files and never changes
};

/// What an enumerator is called for people.
template <typename Enum>
struct TextRow {
    Enum value;
    const char *text;
};

/// Whether the enumeration has an enumerator of this value. Compilers write an enumerator by its name, and a value that
/// has none as a cast of its number: `(lockcore::synchronizers::Kind)8`.
template <auto Value>
constexpr bool isEnumerator()
{
    constexpr std::string_view Identifier = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_suffix(1); // the bracket behind the value
    const char first = text[text.find_last_not_of(Identifier) + 1];
    return first < '0' || first > '9';
}

template <typename Enum, std::size_t Counted = 0>
constexpr std::size_t enumeratorCount()
{
    if constexpr (isEnumerator<static_cast<Enum>(Counted)>())
        return enumeratorCount<Enum, Counted + 1>();
    else
        return Counted;
}

template <typename Row, std::size_t N>
constexpr bool hasRowForEach(const Row (&rows)[N])
{
    std::size_t next = 0;
    for (const Row &row : rows) {
        if (static_cast<std::size_t>(row.value) != next++)
            return false;
    }
    return N == enumeratorCount<decltype(Row::value)>();
}

template <typename Row, std::size_t N>
constexpr const Row &rowOf(const Row (&rows)[N], decltype(Row::value) value)
{
    return rows[static_cast<std::size_t>(value)];
}

/// Absent: no row has that name.
template <typename Row, std::size_t N>
constexpr std::optional<decltype(Row::value)> named(const Row (&rows)[N], std::string_view name)
{
    for (const Row &row : rows) {
        if (name == row.name)
            return row.value;
    }
    return std::nullopt;
}

/// The names in the order of the table, with commas between them.
template <typename Row, std::size_t N>
std::string joinedNames(const Row (&rows)[N])
{
    std::string names;
    for (const Row &row : rows)
        names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

} // namespace lockcore
