// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/rare.h"

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

/// What may be absent, for things of which there are very many. Thread: as values.
namespace lockcore {

/// Used as std::optional is. `Place` holds the value, or tells that there is none.
template <typename T, typename Place>
class OptionalIn {
public:
    OptionalIn() = default;
    OptionalIn(std::nullopt_t) { }
    OptionalIn(T value)
        : m_place(std::move(value))
    {
    }
    OptionalIn(std::optional<T> value)
        : m_place(value ? Place(*std::move(value)) : Place())
    {
    }
    operator std::optional<T>() const { return has_value() ? std::optional<T>(**this) : std::nullopt; }

    bool has_value() const { return static_cast<bool>(m_place); }
    explicit operator bool() const { return has_value(); }
    const T &operator*() const { return *m_place; }
    const T *operator->() const { return &**this; }
    T &operator*() { return *m_place; }
    T *operator->() { return &**this; }
    T value_or(T other) const { return has_value() ? **this : std::move(other); }
    void reset() { m_place = {}; }

    friend bool operator==(const OptionalIn &a, const OptionalIn &b) { return isSame(a, b); }
    friend bool operator==(const OptionalIn &a, const std::optional<T> &b) { return isSame(a, b); }
    friend bool operator==(const OptionalIn &a, const T &b) { return a && *a == b; }
    friend bool operator==(const OptionalIn &a, std::nullopt_t) { return !a; }

private:
    static bool isSame(const OptionalIn &a, const auto &b)
    {
        return a.has_value() == b.has_value() && (!a || *a == *b);
    }

    Place m_place;
};

/// A number or a time of which the least one stands for none.
template <typename T>
class LeastIsNone {
public:
    LeastIsNone() = default;
    explicit LeastIsNone(T value)
        : m_value(value)
    {
    }

    explicit operator bool() const { return m_value != least(); }
    const T &operator*() const { return m_value; }
    T &operator*() { return m_value; }

private:
    static constexpr T least()
    {
        if constexpr (std::is_integral_v<T>)
            return std::numeric_limits<T>::min();
        else
            return T::min();
    }

    T m_value = least();
};

/// No larger than the number or time itself, which is never the least there is.
template <typename T>
using LeanOptional = OptionalIn<T, LeastIsNone<T>>;

/// As large as a pointer, while there is none.
template <typename T>
using RareOptional = OptionalIn<T, Boxed<T>>;

/// A list that mostly is empty: as large as a pointer then.
template <typename T>
class RareList {
public:
    using value_type = T;
    using List = std::vector<T>;

    RareList() = default;
    RareList(List list)
        : m_list(list.empty() ? Boxed<List>() : Boxed<List>(std::move(list)))
    {
    }
    RareList(std::initializer_list<T> list)
        : RareList(List(list))
    {
    }
    operator const List &() const { return list(); }

    const List &list() const
    {
        static const List nothing;
        return m_list ? *m_list : nothing;
    }
    List &edit()
    {
        if (!m_list)
            m_list = Boxed<List>(List());
        return *m_list;
    }

    bool empty() const { return list().empty(); }
    std::size_t size() const { return list().size(); }
    auto begin() const { return list().begin(); }
    auto end() const { return list().end(); }
    const T &front() const { return list().front(); }
    const T &back() const { return list().back(); }
    const T &operator[](std::size_t index) const { return list()[index]; }
    const T &at(std::size_t index) const { return list().at(index); }
    void push_back(T value) { edit().push_back(std::move(value)); }
    void clear() { m_list = {}; }

    bool operator==(const RareList &other) const { return list() == other.list(); }

private:
    Boxed<List> m_list; // none: empty
};

} // namespace lockcore
