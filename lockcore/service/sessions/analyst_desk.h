// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analyst.h"
#include "lockcore/service/sessions/monitor_session.h"

#include <QObject>
#include <QThread>
#include <QTimer>
#include <cstdint>
#include <memory>
#include <optional>

namespace lockcore::service {

/// Stands between those who see and those who show: adds to the snapshots on their way out what follows from them. The
/// analyst thinks on a thread of its own, so that nobody waits meanwhile to see what changed.
/// Thread: that of the object.
class AnalystDesk : public QObject {
public:
    AnalystDesk(monitor::AnalystSettings settings, MonitorSession::Sink sink);
    ~AnalystDesk() override;

    MonitorSession::Sink sink();
    void restart(); // for other servers

private:
    void heard(const monitor::EventList &events);
    void take(std::shared_ptr<const monitor::Snapshot> snapshot);
    void look();
    void looked(std::shared_ptr<const monitor::Analysis> analysis);
    void passOn();

    const monitor::AnalystSettings m_settings;
    MonitorSession::Sink m_sink;
    QThread m_thread;
    QObject m_there; // on that thread
    std::shared_ptr<monitor::Analyst> m_analyst; // to be touched there
    std::uint64_t m_run = 0;
    bool m_isLooking = false;
    std::shared_ptr<const monitor::Snapshot> m_snapshot;
    std::shared_ptr<const monitor::Analysis> m_analysis;
    std::optional<MonoTime> m_lookedAt;
    QTimer m_timer;
};

} // namespace lockcore::service
