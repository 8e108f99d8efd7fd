// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace lockcore::recording {

/// How a limit is divided: the pages in use hold two segments, of which the older one goes when a third begins; the
/// rest is for the write-ahead log, in which a whole frame passes once.
class SizeBudget {
public:
    explicit SizeBudget(std::optional<std::int64_t> limit)
        : m_limit(limit)
    {
    }

    bool isLimited() const { return m_limit.has_value(); }
    bool isSmall() const { return m_limit && *m_limit < Small; }

    /// How far the log grows before it is brought into the file, and a transaction as well.
    std::int64_t checkpointBytes() const { return isSmall() ? SmallCheckpoint : Checkpoint; }

    /// Of a file with whole frames of that size.
    std::int64_t fileBytes(std::int64_t whole) const { return *m_limit - logBytes(whole, checkpointBytes()); }

    /// Of the changes after a whole frame, until the next is worth while: a jump to any moment reads no more.
    std::int64_t segmentBytes(std::int64_t whole) const
    {
        if (!m_limit)
            return std::max(Segment, whole / 2);
        const auto wanted = std::max(std::min(Segment, *m_limit / 16), whole / 2);
        return std::min(wanted, std::max(fileBytes(whole) / 2 - onDisk(whole), whole / 8));
    }

    bool holds(std::int64_t whole) const
    {
        return !m_limit || fileBytes(whole) >= 2 * onDisk(whole + whole / 8) + Rest;
    }

    /// The least limit that does, with some room for locks that grow.
    static std::int64_t leastFor(std::int64_t whole)
    {
        const auto file = 2 * onDisk(whole + whole / 2) + Rest;
        const auto small = file + logBytes(whole, SmallCheckpoint);
        const auto least = small < Small ? small : file + logBytes(whole, Checkpoint);
        return (least / 100'000 + 1) * 100'000;
    }

    static std::int64_t onDisk(std::int64_t bytes) { return bytes + bytes / 32 + (16 << 10); }

private:
    static constexpr std::int64_t Segment = 2 << 20;
    static constexpr std::int64_t Small = 16 << 20;
    static constexpr std::int64_t SmallCheckpoint = 64 << 10;
    static constexpr std::int64_t Checkpoint = 512 << 10;
    static constexpr std::int64_t Rest = 64 << 10; // pages that are there, or written, whatever is recorded

    static std::int64_t logBytes(std::int64_t whole, std::int64_t checkpoint)
    {
        return onDisk(whole) + 2 * checkpoint + Rest;
    }

    std::optional<std::int64_t> m_limit;
};

} // namespace lockcore::recording
