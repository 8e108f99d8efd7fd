// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/deadline_timer.h"

#include "lockcore/transport/clock.h"

namespace lockcore::client {

using namespace transport;

DeadlineTimer::DeadlineTimer(std::function<void(std::uint64_t id)> fired)
    : m_fired(std::move(fired))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { fire(); });
}

void DeadlineTimer::arm(std::uint64_t id, MonoTime at)
{
    disarm(id);
    m_deadlines.emplace(id, at);
    m_order.emplace(at, id);
    if (!m_isFiring && (!m_timer.isActive() || at < m_firesAt))
        restart();
}

void DeadlineTimer::disarm(std::uint64_t id)
{
    const auto deadline = m_deadlines.find(id);
    if (deadline == m_deadlines.end())
        return;
    m_order.erase({ deadline->second, id });
    m_deadlines.erase(deadline);
}

void DeadlineTimer::clear()
{
    m_order.clear();
    m_deadlines.clear();
}

void DeadlineTimer::pause() { m_timer.stop(); }

std::vector<std::uint64_t> DeadlineTimer::take(MonoTime until)
{
    std::vector<std::uint64_t> ids;
    while (!m_order.empty() && m_order.begin()->first <= until) {
        ids.push_back(m_order.begin()->second);
        disarm(ids.back());
    }
    return ids;
}

void DeadlineTimer::fire()
{
    m_isFiring = true;
    const MonoTime now = monoNow();
    while (!m_order.empty() && m_order.begin()->first <= now) {
        const std::uint64_t id = m_order.begin()->second;
        disarm(id);
        m_fired(id);
    }
    m_isFiring = false;
    restart();
}

void DeadlineTimer::restart()
{
    if (m_order.empty())
        return m_timer.stop();
    m_firesAt = m_order.begin()->first;
    m_timer.start(timerFor(m_firesAt));
}

} // namespace lockcore::client
