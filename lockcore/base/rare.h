// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

namespace lockcore {

/// A value that lies elsewhere, or none: as large as a pointer. A copy has a value of its own.
template <typename T>
class Boxed {
public:
    Boxed() = default;
    explicit Boxed(T value)
        : m_value(std::make_unique<T>(std::move(value)))
    {
    }
    Boxed(const Boxed &other)
        : m_value(other ? std::make_unique<T>(*other) : nullptr)
    {
    }
    Boxed(Boxed &&) noexcept = default;
    Boxed &operator=(const Boxed &other) { return *this = Boxed(other); }
    Boxed &operator=(Boxed &&) noexcept = default;
    ~Boxed() = default;

    explicit operator bool() const { return m_value != nullptr; }
    const T &operator*() const { return *m_value; }
    T &operator*() { return *m_value; }

private:
    std::unique_ptr<T> m_value;
};

/// A value that mostly is `T{}`, and then costs no more than a pointer. Copied and compared as the value.
template <typename T>
class Rare {
public:
    Rare() = default;
    Rare(T value) { *this = std::move(value); }
    Rare &operator=(T value)
    {
        if (value == T{})
            m_value = {};
        else if (m_value)
            *m_value = std::move(value);
        else
            m_value = Boxed<T>(std::move(value));
        return *this;
    }

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

    /// To change parts of it: it costs more from then on.
    T &edit()
    {
        if (!m_value)
            m_value = Boxed<T>(T{});
        return *m_value;
    }

    bool operator==(const Rare &other) const { return **this == *other; }

private:
    Boxed<T> m_value; // none: as usual
};

} // namespace lockcore
