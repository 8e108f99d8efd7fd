// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/held_timer.h"

#include "lockcore/transport/clock.h"

#include <algorithm>
#include <utility>

namespace app {

using lockcore::transport::monoNow;

HeldTimer::HeldTimer(QObject *parent)
    : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &HeldTimer::look);
}

void HeldTimer::start(lockcore::Millis length, double speed)
{
    m_left = length;
    m_speed = speed;
    m_isTold = false;
    m_since = monoNow();
    go();
}

void HeldTimer::setSpeed(double speed)
{
    settle();
    m_speed = speed;
    go();
}

void HeldTimer::setHeld(bool held)
{
    if (held == m_isHeld)
        return;
    settle();
    m_isHeld = held;
    go();
}

bool HeldTimer::isOver() const { return m_left <= Left(0) && !m_isHeld; }

void HeldTimer::settle()
{
    const auto now = monoNow();
    const auto passed = now - std::exchange(m_since, now);
    if (!m_isHeld)
        m_left = std::max(Left(0), m_left - std::chrono::duration_cast<Left>(passed) * m_speed);
}

void HeldTimer::go()
{
    m_timer.stop();
    if (!m_isHeld && !m_isTold)
        m_timer.start(lockcore::transport::timerFor(m_since + std::chrono::ceil<lockcore::Millis>(m_left / m_speed)));
}

void HeldTimer::look()
{
    settle();
    if (!isOver())
        return go();
    m_isTold = true;
    Q_EMIT over();
}

} // namespace app
