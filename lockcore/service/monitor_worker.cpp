// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/monitor_worker.h"

#include "lockcore/service/admin_action.h"
#include "lockcore/synchronizers/lock_reader.h"

namespace lockcore {

MonitorWorker::MonitorWorker(MonitorOptions options, MonitorSession::Outlet outlet, Finished finished)
    : m_options(std::move(options))
    , m_outlet(std::move(outlet))
    , m_finished(std::move(finished))
    , m_audit(m_options.auditFile)
{
    if (m_options.onlyLock)
        m_options.keyPattern = exactPattern(*m_options.onlyLock);
}

void MonitorWorker::open(const Deployment &deployment)
{
    close();
    const auto &endpoint = deployment.seeds.front();
    m_endpoint = endpoint;
    m_session = std::make_unique<MonitorSession>(endpoint, m_options, m_outlet);
    m_session->open();
}

void MonitorWorker::close()
{
    m_session.reset();
    m_endpoint.reset();
    m_outlet.publish(std::make_shared<const Snapshot>());
}

void MonitorWorker::refresh()
{
    if (m_session)
        m_session->refresh();
}

void MonitorWorker::submit(CommandId id, const AdminCommand &command)
{
    if (!m_endpoint)
        return m_finished(id, failure(ErrorCode::ConnectionClosed, "no server is open", actionName(command)));
    const auto finished = [this, id, command](const auto &result) { finish(id, command, result); };
    (new AdminAction(*m_endpoint, command, m_audit, finished, this))->start();
}

void MonitorWorker::finish(CommandId id, const AdminCommand &command, const Result<CommandOutcome> &result)
{
    const auto *release = std::get_if<ForceRelease>(&command);
    if (m_session && result && result->done && release && !release->onlyThese)
        m_session->forceReleased(release->name);
    m_finished(id, result);
}

} // namespace lockcore
