// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>

namespace lockcore {

/// Whether the connection for announcements still carries anything: it may be dead though the server answers on
/// another one, and silence is what is usual there.
/// Thread: that of the object.
class SubscriberPulse : public QObject {
    Q_OBJECT
public:
    SubscriberPulse(Subscriber &subscriber, QObject *parent);

    void start(); // with the subscriber ready
    void stop();
    void beat(); // the server has answered elsewhere, as it does every second
    MonoTime heardAt() const { return m_heardAt; } // for the last time

Q_SIGNALS:
    void silent(); // once

private:
    void heard();

    Subscriber &m_subscriber;
    std::uint64_t m_period = 0;
    bool m_running = false;
    bool m_waiting = false;
    int m_beatsWaited = 0;
    MonoTime m_heardAt;
};

} // namespace lockcore
