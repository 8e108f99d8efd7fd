// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/subscriber_pulse.h"

#include "lockcore/client/clock.h"

namespace lockcore {

namespace {

constexpr int PatienceInBeats = 3;

} // namespace

SubscriberPulse::SubscriberPulse(Subscriber &subscriber, QObject *parent)
    : QObject(parent)
    , m_subscriber(subscriber)
{
    connect(&m_subscriber.connection(), &Connection::messageReceived, this, [this] { heard(); });
}

void SubscriberPulse::start()
{
    stop();
    m_running = true;
    heard();
}

void SubscriberPulse::stop()
{
    ++m_period;
    m_running = m_waiting = false;
}

void SubscriberPulse::beat()
{
    if (!m_running)
        return;
    if (m_waiting) {
        if (++m_beatsWaited < PatienceInBeats)
            return;
        stop();
        Q_EMIT silent();
        return;
    }
    m_waiting = true;
    m_beatsWaited = 0;
    m_subscriber.connection().send({ "PING" }, [this, period = m_period](const auto &reply) {
        if (period != m_period || !reply)
            return;
        m_waiting = false;
        heard();
    });
}

void SubscriberPulse::heard()
{
    m_beatsWaited = 0;
    m_heardAt = monoNow();
}

} // namespace lockcore
