// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analyst.h"
#include "lockcore/service/monitor_session.h"

#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>

namespace lockcore {

/// Stands between those who see and those who show: adds to the snapshots on their way out what follows from them.
/// Thread: that of the object.
class AnalystDesk : public QObject {
    Q_OBJECT
public:
    AnalystDesk(AnalystSettings settings, MonitorSession::Outlet outlet);

    MonitorSession::Outlet inlet();
    void restart(); // for other servers

private:
    void take(std::shared_ptr<const Snapshot> snapshot);
    void look();
    void passOn();

    const AnalystSettings m_settings;
    MonitorSession::Outlet m_outlet;
    std::unique_ptr<Analyst> m_analyst;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const Analysis> m_analysis;
    std::optional<MonoTime> m_lookedAt;
    QTimer m_timer;
};

} // namespace lockcore
