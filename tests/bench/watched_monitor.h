// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/monitor.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTimer>
#include <functional>

namespace lockbench {

/// A monitor as a program would use it, and an event loop that runs until it has seen something.
class WatchedMonitor {
public:
    explicit WatchedMonitor(
        const lockcore::transport::Deployment &deployment, lockcore::service::MonitorOptions options = {})
        : service(std::move(options))
    {
        QObject::connect(&service, &lockcore::service::Monitor::eventsReported, &m_loop,
            [this](const lockcore::monitor::EventList &events) { told(*events); });
        QObject::connect(&service, &lockcore::service::Monitor::snapshotReady, &m_loop, [this] {
            if (onSnapshot)
                onSnapshot();
            endWhenSo();
        });
        m_limit.setSingleShot(true);
        QObject::connect(&m_limit, &QTimer::timeout, &m_loop, &QEventLoop::quit);
        service.open(deployment);
    }

    bool isLive() const
    {
        const auto snapshot = service.latest();
        const auto &status = snapshot->status;
        return status.phase == lockcore::monitor::SourcePhase::Live && status.lastSweep;
    }

    /// False: not within the limit.
    bool waitFor(std::function<bool()> condition, lockcore::Millis limit)
    {
        m_condition = std::move(condition);
        if (!m_condition()) {
            m_limit.start(limit);
            m_loop.exec();
            m_limit.stop();
        }
        const bool isSo = m_condition();
        m_condition = nullptr;
        return isSo;
    }
    void wait(lockcore::Millis duration)
    {
        waitFor([] { return false; }, duration);
    }

    std::function<void()> onSnapshot;
    std::int64_t renewalsSeen = 0;
    std::int64_t gapsSeen = 0;
    QElapsedTimer sinceRenewal;

private:
    void told(const std::vector<lockcore::monitor::Event> &events)
    {
        for (const auto &event : events) {
            if (event.kind == lockcore::monitor::EventKind::Renewed) {
                ++renewalsSeen;
                sinceRenewal.start();
            } else if (event.kind == lockcore::monitor::EventKind::Gap) {
                ++gapsSeen;
            }
        }
        endWhenSo();
    }
    void endWhenSo()
    {
        if (m_condition && m_condition())
            m_loop.quit();
    }

    QEventLoop m_loop;
    QTimer m_limit;
    std::function<bool()> m_condition;

public:
    lockcore::service::Monitor service; // gone before what it calls
};

} // namespace lockbench
