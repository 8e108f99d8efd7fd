// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/monitor_worker.h"

#include "lockcore/monitor/join_status.h"
#include "lockcore/service/actions/admin_command_runner.h"
#include "lockcore/synchronizers/lock_reader.h"

namespace lockcore {

MonitorWorker::MonitorWorker(MonitorOptions options, MonitorSession::Sink sink, Sent sent, Finished finished)
    : m_options(std::move(options))
    , m_sent(std::move(sent))
    , m_finished(std::move(finished))
    , m_audit(m_options.auditFile)
{
    if (m_options.onlyLock)
        m_options.keyPattern = exactPattern(*m_options.onlyLock);
    m_desk = std::make_unique<AnalystDesk>(
        AnalystSettings{ .keyPattern = m_options.keyPattern, .suspectsOf = m_options.suspectsOf }, std::move(sink));
    m_sink = m_desk->sink();
}

void MonitorWorker::open(const Deployment &deployment)
{
    close();
    m_session = std::make_unique<DeploymentSession>(deployment, m_options, m_sink);
    m_session->open();
}

void MonitorWorker::close()
{
    cancelAll("the connection was closed");
    m_session.reset();
    m_desk->restart();
    m_sink.publish(std::make_shared<const Snapshot>());
}

void MonitorWorker::refresh()
{
    if (m_session)
        m_session->refresh();
}

void MonitorWorker::setFeed(std::optional<Feed> feed)
{
    m_options.feed = feed;
    if (m_session)
        m_session->setFeed(feed);
}

void MonitorWorker::submit(CommandId id, AdminCommand command)
{
    if (!m_session)
        return m_finished(id, failure(ErrorCode::ConnectionClosed, "no server is open", actionName(command)));
    if (const auto snapshot = m_session->snapshot()) {
        auto fitting = fitToListeners(std::move(command), *snapshot);
        if (!fitting)
            return m_finished(id, tl::unexpected(fitting.error()));
        command = std::move(*fitting);
    }
    const Deployment &deployment = m_session->deployment();
    const auto lock = m_session->find(lockOf(command));
    auto targets = routeCommand(command, deployment.topology, m_session->nodes(), lock.get());
    if (!targets)
        return m_finished(id, tl::unexpected(targets.error()));
    const bool sharded = m_session->isSharded() && !deployment.plainMessages;
    AdminCommandRunner::Callbacks callbacks;
    callbacks.doneAt = [this](const std::string &node, const AdminCommand &done) { doneAt(node, done); };
    callbacks.moved = [this] {
        if (m_session)
            m_session->lookSoon();
    };
    callbacks.sent = [this, id] { m_sent(id); };
    const std::string publish = sharded ? "SPUBLISH" : "PUBLISH";
    const std::string line = aclLineFor(command, deployment.seeds.front().user, publish);
    callbacks.finished = [this, id, line](const Result<CommandOutcome> &result) {
        m_runners.erase(id);
        m_finished(id, withWhatPermitsIt(result, line));
    };
    auto *runner = new AdminCommandRunner(
        std::move(*targets), publish, m_options.actionLimit, m_audit, std::move(callbacks), this);
    m_runners.emplace(id, runner);
    runner->start();
}

/// The line ends the message, so that it can be copied. It says all that is needed, also to look: the server tells of
/// one thing at a time.
Result<CommandOutcome> MonitorWorker::withWhatPermitsIt(Result<CommandOutcome> result, std::string line) const
{
    if (result || result.error().code != ErrorCode::PermissionDenied)
        return result;
    if (m_session)
        addAclRules(line, m_session->aclLine());
    result.error().message += ". This permits it: " + line;
    return result;
}

void MonitorWorker::cancel(CommandId id)
{
    if (const auto found = m_runners.find(id); found != m_runners.end())
        found->second->cancel("cancelled");
}

void MonitorWorker::cancelAll(const char *why)
{
    const auto runners = m_runners; // each takes itself out
    for (const auto &[id, runner] : runners)
        runner->cancel(why);
}

void MonitorWorker::doneAt(const std::string &node, const AdminCommand &command)
{
    const auto *release = std::get_if<ForceRelease>(&command);
    if (m_session && release && !release->onlyThese)
        m_session->changedByUs(node, release->name, Heard::Forced);
    if (const auto *setTtl = std::get_if<SetTtl>(&command); m_session && setTtl)
        m_session->changedByUs(node, setTtl->name, Heard::LeaseSet);
}

} // namespace lockcore
