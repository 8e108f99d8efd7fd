// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace lockui {

/// How often which duration was seen, in the layout of HdrHistogram: each power of two of milliseconds is divided
/// into eight equal parts, so that a value is off by less than 13 %, whatever its size.
class DurationHistogram {
public:
    static constexpr int PartBits = 3;
    static constexpr int Parts = 1 << PartBits;
    static constexpr int Buckets = Parts * 28; // up to twelve days

    void add(lockcore::Millis duration)
    {
        ++m_counts[static_cast<std::size_t>(bucketOf(duration))];
        ++m_total;
        m_longest = std::max(m_longest, duration);
    }

    void add(const DurationHistogram &other)
    {
        for (std::size_t i = 0; i < m_counts.size(); ++i)
            m_counts[i] += other.m_counts[i];
        m_total += other.m_total;
        m_longest = std::max(m_longest, other.m_longest);
    }

    std::int64_t total() const { return m_total; }
    std::uint32_t at(int bucket) const { return m_counts[static_cast<std::size_t>(bucket)]; }

    /// The least duration that at least this part of all does not exceed; absent: nothing was seen.
    std::optional<lockcore::Millis> quantile(double part) const
    {
        if (m_total == 0)
            return std::nullopt;
        const auto wanted = std::max<std::int64_t>(1, static_cast<std::int64_t>(part * double(m_total) + 0.999999));
        std::int64_t seen = 0;
        for (int bucket = 0; bucket < Buckets; ++bucket) {
            seen += at(bucket);
            if (seen >= wanted)
                return std::min(lowest(bucket + 1) - lockcore::Millis(1), m_longest);
        }
        return std::nullopt;
    }

    static int bucketOf(lockcore::Millis duration)
    {
        const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count()));
        if (value < Parts)
            return static_cast<int>(value);
        const int power = std::bit_width(value) - 1 - PartBits; // how many bits are lost
        return std::min(Buckets - 1, Parts * power + static_cast<int>(value >> power));
    }

    static lockcore::Millis lowest(int bucket) // of what is in the bucket
    {
        if (bucket < 2 * Parts)
            return lockcore::Millis(bucket);
        const int power = bucket / Parts - 1;
        return lockcore::Millis(std::int64_t(bucket - Parts * power) << power);
    }

    bool operator==(const DurationHistogram &) const = default;

private:
    std::array<std::uint32_t, Buckets> m_counts{};
    std::int64_t m_total = 0;
    lockcore::Millis m_longest{ 0 };
};

} // namespace lockui
