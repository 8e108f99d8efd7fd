// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/synchronizers/lock_reader.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace lockcore {

/// How many keys a page of the first sweep takes, so that the server is at it for about a millisecond: a key of a
/// larger page costs less, and whoever sends the server something else waits for a smaller one less.
class SweepPace {
public:
    using Duration = MonoTime::duration;

    explicit SweepPace(int mostKeys)
        : m_mostKeys(mostKeys)
        , m_keys(std::min(mostKeys, FirstKeys))
    {
    }

    int keys() const { return m_keys; }
    void wayTook(Duration took) { m_way = took; }
    /// `waited`: for how long we had nothing else to do. A page that was there before took less than it seems.
    void pageTook(Duration took, Duration waited)
    {
        constexpr Duration Wanted = std::chrono::milliseconds(1);
        constexpr Duration JustNow = std::chrono::microseconds(50);
        const Duration atServer = took - std::min(m_way, took);
        if (atServer < Wanted)
            m_keys = std::min(m_mostKeys, m_keys * 5 / 4);
        else if (waited > JustNow)
            m_keys = std::max(std::min(m_mostKeys, FewestKeys), m_keys * 3 / 4);
    }

private:
    static constexpr int FewestKeys = 50;
    static constexpr int FirstKeys = 200;

    int m_mostKeys;
    int m_keys;
    Duration m_way{ 0 };
};

/// How far a sweep is, by the keys that were asked for: a cursor of SCAN means something to its server alone.
class SweepProgress {
public:
    void passed(const std::string &cursor, int keys, SweepPage &page)
    {
        constexpr double NotTheEnd = 0.99;
        if (cursor == "0") {
            m_size = page.keysSeen;
            m_passed = 0;
        }
        m_passed += keys;
        const double part = static_cast<double>(m_passed) / static_cast<double>(std::max(m_size, m_passed));
        page.progress = page.nextCursor == "0" ? 1 : std::min(part, NotTheEnd);
    }

private:
    std::int64_t m_size = 0;
    std::int64_t m_passed = 0;
};

} // namespace lockcore
