// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/server_clock.h"

#include <chrono>
#include <cstdint>
#include <ratio>

namespace lockcore::service {

namespace {

constexpr Millis Tolerance{ 100 }; // also for clocks that are put right little by little

} // namespace

void ServerClock::answered(MonoTime asked, MonoTime answered, WallTime said)
{
    const Reference read{ asked + (answered - asked) / 2, said, (answered - asked) / 2 + Millis(1) };
    if (m_reference) {
        const auto differs = std::chrono::abs(at(read.mono) - said);
        const bool contradicts = differs > read.uncertainty + m_reference->uncertainty;
        if (!contradicts && read.uncertainty >= m_reference->uncertainty)
            return;
    }
    m_reference = read;
}

WallTime ServerClock::at(MonoTime mono) const
{
    return m_reference->wall + std::chrono::floor<Millis>(mono - m_reference->mono);
}

Millis ServerClock::ahead(Now now)
{
    if (!m_reference)
        return Millis{ 0 };
    const Millis ahead = at(now.mono) - now.wall;
    if (std::chrono::abs(ahead) < Tolerance)
        m_ahead = Millis{ 0 };
    else if (std::chrono::abs(ahead - m_ahead) >= Tolerance)
        m_ahead = std::chrono::round<std::chrono::duration<std::int64_t, std::deci>>(ahead);
    return m_ahead;
}

} // namespace lockcore::service
