// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

namespace lockcore {

/// A value that mostly is `T{}`, and then costs no more than a pointer. Copied and compared as the value.
template <typename T>
class Rare {
public:
    Rare() = default;
    Rare(T value) { *this = std::move(value); }
    Rare(const Rare &other)
        : m_value(other.m_value ? std::make_unique<T>(*other.m_value) : nullptr)
    {
    }
    Rare(Rare &&) noexcept = default;
    Rare &operator=(const Rare &other) { return *this = Rare(other); }
    Rare &operator=(Rare &&) noexcept = default;
    Rare &operator=(T value)
    {
        if (value == T{})
            m_value.reset();
        else if (m_value)
            *m_value = std::move(value);
        else
            m_value = std::make_unique<T>(std::move(value));
        return *this;
    }
    ~Rare() = default;

    const T &operator*() const
    {
        static const T usual{};
        return m_value ? *m_value : usual;
    }
    const T *operator->() const { return &**this; }

    template <typename Change>
    void change(Change change)
    {
        T value = m_value ? std::move(*m_value) : T{};
        change(value);
        *this = std::move(value);
    }

    bool operator==(const Rare &other) const { return **this == *other; }

private:
    std::unique_ptr<T> m_value; // null: as usual
};

} // namespace lockcore
