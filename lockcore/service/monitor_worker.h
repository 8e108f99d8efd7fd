// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/audit_log.h"
#include "lockcore/service/monitor_session.h"

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

namespace lockcore {

/// What of the monitor service lives on the worker's thread: the session of the moment, and the actions under way.
/// Thread: the worker's.
class MonitorWorker : public QObject {
    Q_OBJECT
public:
    using Finished = std::function<void(CommandId, const Result<CommandOutcome> &)>;

    MonitorWorker(MonitorOptions options, MonitorSession::Outlet outlet, Finished finished);

    void open(const Deployment &deployment);
    void close();
    void refresh();
    void submit(CommandId id, const AdminCommand &command);

private:
    void finish(CommandId id, const AdminCommand &command, const Result<CommandOutcome> &result);

    MonitorOptions m_options;
    MonitorSession::Outlet m_outlet;
    Finished m_finished;
    AuditLog m_audit;
    std::optional<Endpoint> m_endpoint;
    std::unique_ptr<MonitorSession> m_session;
};

} // namespace lockcore
