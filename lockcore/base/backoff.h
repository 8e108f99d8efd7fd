// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace lockcore {

/// Pauses between attempts at something that has not worked: doubled each time up to a limit, each one shortened by up
/// to a half at random, so that many clients of a restarted server do not come back in the same moment.
class Backoff {
public:
    Backoff(Millis first, Millis longest, std::uint32_t seed = std::random_device{}())
        : m_first(first)
        , m_longest(longest)
        , m_ceiling(first)
        , m_random(seed)
    {
    }

    Millis next()
    {
        const auto ceiling = m_ceiling.count();
        m_ceiling = std::min(m_ceiling * 2, m_longest);
        return Millis(std::uniform_int_distribution<Millis::rep>(ceiling - ceiling / 2, ceiling)(m_random));
    }

    void reset() { m_ceiling = m_first; }

private:
    Millis m_first;
    Millis m_longest;
    Millis m_ceiling;
    std::minstd_rand m_random;
};

} // namespace lockcore
