// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/admin_action.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"

#include <tuple>
#include <utility>

namespace lockcore {

namespace {

ConnectionOptions writableOnce()
{
    ConnectionOptions options;
    options.readOnly = false;
    options.reconnect = false;
    return options;
}

} // namespace

AdminAction::AdminAction(const Endpoint &endpoint, AdminCommand command, std::string publish, AuditLog &audit,
    Finished finished, QObject *parent)
    : QObject(parent)
    , m_connection(endpoint, writableOnce())
    , m_command(std::move(command))
    , m_publish(std::move(publish))
    , m_audit(audit)
    , m_finished(std::move(finished))
{
    connect(&m_connection, &Connection::ready, this, [this] { send(); });
    connect(
        &m_connection, &Connection::lost, this,
        [this](const Error &error) {
            if (!m_sent)
                finish(tl::unexpected(error));
        },
        Qt::QueuedConnection);
}

void AdminAction::start() { m_connection.open(); }

void AdminAction::send()
{
    if (m_connection.serverInfo().role == "slave") {
        return finish(failure(ErrorCode::ReadOnlyReplica,
            "this server is a replica and can only be looked at: open its master to act on it", context()));
    }
    const auto call = prepare(m_command, wallNow(), m_publish);
    if (!call)
        return finish(tl::unexpected(call.error()));
    const auto record = m_audit.begin(m_command, m_connection.endpoint().display(), wallNow());
    if (!record)
        return finish(tl::unexpected(record.error())); // what cannot be recorded is not done
    m_record = *record;
    m_sent = true;
    m_connection.eval(
        *call->script, call->keys, call->arguments, [this](const Result<protocol::Reply> &reply) { answered(reply); });
}

void AdminAction::answered(const Result<protocol::Reply> &reply)
{
    Result<CommandOutcome> outcome;
    std::optional<protocol::Redirection> redirection;
    if (!reply) {
        auto error = reply.error();
        error.message += "; whether it was carried out is not known";
        outcome = tl::unexpected(std::move(error));
    } else if (reply->isError()) {
        outcome = tl::unexpected(protocol::toError(*reply, context()));
        redirection = protocol::toRedirection(*reply, m_connection.endpoint().host);
    } else {
        outcome = decodeOutcome(*reply);
    }
    // It is done whether this can be written or not; the record then reads as interrupted.
    std::ignore = m_audit.end(m_record, outcome, wallNow());
    finish(outcome, redirection);
}

std::string AdminAction::context() const
{
    return std::string(actionName(m_command)) + " on " + m_connection.endpoint().display();
}

void AdminAction::finish(const Result<CommandOutcome> &result, const std::optional<protocol::Redirection> &redirection)
{
    if (const auto finished = std::exchange(m_finished, {}))
        finished(result, redirection);
    deleteLater();
}

} // namespace lockcore
