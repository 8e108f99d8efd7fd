// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/deadline_queue.h"

#include "lockcore/client/clock.h"

#include <algorithm>

namespace lockcore {

DeadlineQueue::DeadlineQueue(std::function<void(std::uint64_t)> fired)
    : m_fired(std::move(fired))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { fire(); });
}

void DeadlineQueue::arm(std::uint64_t id, MonoTime at)
{
    disarm(id);
    m_deadlines.emplace(id, at);
    const auto place = m_order.emplace(at, id).first;
    if (place == m_order.begin() && (!m_timer.isActive() || at < m_firesAt))
        restart();
}

void DeadlineQueue::disarm(std::uint64_t id)
{
    const auto deadline = m_deadlines.find(id);
    if (deadline == m_deadlines.end())
        return;
    m_order.erase({ deadline->second, id });
    m_deadlines.erase(deadline);
}

void DeadlineQueue::fire()
{
    const MonoTime now = monoNow();
    while (!m_order.empty() && m_order.begin()->first <= now) {
        const std::uint64_t id = m_order.begin()->second;
        disarm(id);
        m_fired(id);
    }
    restart();
}

void DeadlineQueue::restart()
{
    if (m_order.empty())
        return m_timer.stop();
    m_firesAt = m_order.begin()->first;
    m_timer.start(timerFor(m_firesAt));
}

} // namespace lockcore
