// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/late_copies.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_time.h"

#include <utility>

namespace lockcore {

LateCopies::LateCopies(ClientCore &core)
    : m_core(core)
    , m_deadlines([this](std::uint64_t id) { over(id); })
{
}

// It was sent no later than now, and its last moment is that of its time-out.
void LateCopies::expect(const std::string &place, std::function<void()> putRight)
{
    const auto [known, isFirst] = m_ids.try_emplace(place, m_lastId + 1);
    if (isFirst)
        ++m_lastId;
    m_expected[known->second] = { place, std::move(putRight) };
    m_deadlines.arm(known->second, monoNow() + m_core.options.times.answer + protocol::LatestTime::MostAhead);
}

void LateCopies::clear()
{
    for (const auto &[id, expected] : std::exchange(m_expected, {}))
        m_deadlines.disarm(id);
    m_ids.clear();
}

void LateCopies::over(std::uint64_t id)
{
    const auto node = m_expected.extract(id);
    m_ids.erase(node.mapped().place);
    node.mapped().putRight();
    m_core.progress();
}

} // namespace lockcore
