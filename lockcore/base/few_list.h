// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/rare.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace lockcore {

/// A list that mostly has one value, which lies in it. Used as a vector is. Thread: as a value.
template <typename T>
class FewList {
public:
    using value_type = T;
    using iterator = T *;
    using const_iterator = const T *;
    using List = std::vector<T>;

    FewList() = default;
    FewList(List list)
    {
        if (list.size() == 1)
            m_place = std::move(list.front());
        else if (!list.empty())
            m_place = More(std::move(list));
    }
    FewList(std::initializer_list<T> list)
        : FewList(List(list))
    {
    }

    std::size_t size() const { return isOne() ? 1 : isMore() ? more().size() : 0; }
    bool empty() const { return size() == 0; }
    T *begin() { return const_cast<T *>(std::as_const(*this).begin()); }
    T *end() { return begin() + size(); }
    const T *begin() const { return isOne() ? &std::get<T>(m_place) : isMore() ? more().data() : nullptr; }
    const T *end() const { return begin() + size(); }
    T &front() { return *begin(); }
    T &back() { return *(end() - 1); }
    const T &front() const { return *begin(); }
    const T &back() const { return *(end() - 1); }
    T &operator[](std::size_t index) { return begin()[index]; }
    const T &operator[](std::size_t index) const { return begin()[index]; }
    const T &at(std::size_t index) const
    {
        return index < size() ? begin()[index] : throw std::out_of_range("FewList");
    }

    void push_back(T value)
    {
        if (isMore())
            return (*std::get<More>(m_place)).push_back(std::move(value));
        if (empty()) {
            m_place = std::move(value);
            return;
        }
        List both;
        both.reserve(2);
        both.push_back(std::move(front()));
        both.push_back(std::move(value));
        m_place = More(std::move(both));
    }
    void clear() { m_place = {}; }

    bool operator==(const FewList &other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

private:
    using More = Boxed<List>;

    bool isOne() const { return std::holds_alternative<T>(m_place); }
    bool isMore() const { return std::holds_alternative<More>(m_place); }
    const List &more() const { return *std::get<More>(m_place); }

    [[no_unique_address]] std::variant<std::monostate, T, More> m_place; // never a box with less than two
};

} // namespace lockcore
