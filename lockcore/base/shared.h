// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace lockcore {

/// A value that its copies share, or none: as large as a pointer, half of a std::shared_ptr.
/// Thread: as a value; what copies share is immutable.
template <typename T>
class Shared {
public:
    Shared() = default;
    Shared(std::nullptr_t) { }
    explicit Shared(T value)
        : m_held(new Held{ std::move(value) })
    {
    }
    Shared(const Shared &other) noexcept
        : m_held(other.m_held)
    {
        if (m_held)
            m_held->copies.fetch_add(1, std::memory_order_relaxed);
    }
    Shared(Shared &&other) noexcept
        : m_held(std::exchange(other.m_held, nullptr))
    {
    }
    Shared &operator=(Shared other) noexcept
    {
        std::swap(m_held, other.m_held);
        return *this;
    }
    ~Shared()
    {
        if (m_held && m_held->copies.fetch_sub(1, std::memory_order_acq_rel) == 1)
            delete m_held;
    }

    explicit operator bool() const { return m_held != nullptr; }
    const T &operator*() const { return m_held->value; }
    const T *operator->() const { return &m_held->value; }
    bool isLast() const { return !m_held || m_held->copies.load(std::memory_order_relaxed) == 1; }

    /// Whether it is the same one.
    bool operator==(const Shared &other) const { return m_held == other.m_held; }
    bool operator==(std::nullptr_t) const { return !m_held; }

private:
    struct Held {
        const T value;
        std::atomic<std::size_t> copies{ 1 };
    };

    Held *m_held = nullptr;
};

} // namespace lockcore
