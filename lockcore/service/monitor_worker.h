// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/service/actions/audit_log.h"
#include "lockcore/service/sessions/analyst_desk.h"
#include "lockcore/service/sessions/deployment_session.h"

#include <QObject>
#include <QPointer>
#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace lockcore {

class AdminCommandRunner;

/// What of the monitor service lives on the worker's thread: the session of the moment, and the actions under way.
/// Thread: the worker's.
class MonitorWorker : public QObject {
    Q_OBJECT
public:
    using Sent = std::function<void(CommandId)>;
    using Finished = std::function<void(CommandId, const Result<CommandOutcome> &)>;

    MonitorWorker(MonitorOptions options, MonitorSession::Sink sink, Sent sent, Finished finished);

    void open(const Deployment &deployment);
    void close();
    void refresh();
    void setFeed(std::optional<Feed> feed);
    void submit(CommandId id, AdminCommand command);
    void cancel(CommandId id); // if it is not sent yet
    void cancelAll(const char *why); // of those that are not sent yet
    Result<CommandOutcome> withWhatPermitsIt(Result<CommandOutcome> result, std::string line) const;

private:
    void doneAt(const std::string &node, const AdminCommand &command);

    MonitorOptions m_options;
    std::unique_ptr<AnalystDesk> m_desk;
    MonitorSession::Sink m_sink; // leads to the desk
    Sent m_sent;
    Finished m_finished;
    std::map<CommandId, QPointer<AdminCommandRunner>> m_runners; // under way
    AuditLog m_audit;
    std::unique_ptr<DeploymentSession> m_session;
};

} // namespace lockcore
