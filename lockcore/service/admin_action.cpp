// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/admin_action.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/node_address.h"

#include <QTimer>
#include <tuple>
#include <utility>

namespace lockcore {

namespace {

constexpr int MostRedirections = 5;
constexpr Millis Patience{ 2'000 }; // with a slot that is being moved
constexpr Millis Pause{ 200 };

ConnectionOptions writableOnce()
{
    ConnectionOptions options;
    options.readOnly = false;
    options.reconnect = false;
    return options;
}

} // namespace

AdminAction::AdminAction(const Endpoint &endpoint, AdminCommand command, std::string publish, AuditLog &audit,
    Moved moved, Finished finished, QObject *parent)
    : QObject(parent)
    , m_keeper(endpoint)
    , m_command(std::move(command))
    , m_publish(std::move(publish))
    , m_audit(audit)
    , m_moved(std::move(moved))
    , m_finished(std::move(finished))
{
}

void AdminAction::start()
{
    m_patience.setRemainingTime(Patience);
    visit(m_keeper, false);
}

void AdminAction::visit(const Endpoint &endpoint, bool asking)
{
    if (m_connection)
        m_connection.release()->deleteLater(); // it may be its answer that sends us on
    m_sent = false;
    m_connection = std::make_unique<Connection>(endpoint, writableOnce());
    connect(m_connection.get(), &Connection::ready, this, [this, asking] { send(asking); });
    connect(
        m_connection.get(), &Connection::lost, this,
        [this, connection = m_connection.get()](const Error &error) {
            if (connection == m_connection.get() && !m_sent)
                finish(tl::unexpected(error));
        },
        Qt::QueuedConnection);
    m_connection->open();
}

void AdminAction::send(bool asking)
{
    if (m_connection->serverInfo().role == "slave") {
        return finish(failure(ErrorCode::ReadOnlyReplica,
            "this server is a replica and can only be looked at: open its master to act on it", context()));
    }
    const auto call = prepare(m_command, wallNow(), m_publish);
    if (!call)
        return finish(tl::unexpected(call.error()));
    if (const auto recorded = record(); !recorded)
        return finish(tl::unexpected(recorded.error())); // what cannot be recorded is not done
    m_sent = true;
    const auto answer = [this](const Result<protocol::Reply> &reply) { answered(reply); };
    if (!asking) {
        m_connection->eval(*call->script, call->keys, call->arguments, answer);
        return;
    }
    m_connection->send({ "ASKING" }, {}); // for the next command alone: no second attempt with the script's text
    m_connection->send(
        protocol::bySource(protocol::byDigest(*call->script, call->keys, call->arguments), *call->script), answer);
}

Result<void> AdminAction::record()
{
    if (!m_record.empty())
        return {};
    m_recordedNode = m_connection->endpoint().display();
    return m_audit.begin(m_command, m_recordedNode, wallNow()).map([this](const std::string &id) { m_record = id; });
}

void AdminAction::answered(const Result<protocol::Reply> &reply)
{
    if (!reply) {
        auto error = reply.error();
        error.message += "; whether it was carried out is not known";
        return finish(tl::unexpected(std::move(error)));
    }
    if (!reply->isError())
        return finish(decodeOutcome(*reply));
    using Way = protocol::Redirection::Kind;
    const auto redirection = protocol::toRedirection(*reply, m_connection->endpoint().host);
    if (!redirection || redirection->kind == Way::Demoted) {
        auto error = protocol::toError(*reply, context());
        if (error.code == ErrorCode::PermissionDenied) // of the script itself, or of how it looks at the lock
            error.message += "; nothing was changed. The ACL rules that permit it: +eval +evalsha +@read";
        return finish(tl::unexpected(std::move(error)));
    }
    m_moved();
    if (follow(*redirection))
        return;
    const char *why = redirection->kind == Way::Down ? "nobody keeps its slot now" : "its slot is moving";
    finish(failure(ErrorCode::ClusterBusy,
        why + std::string(": nothing was changed, try again in a moment. The server said: ") + reply->error()->text,
        context()));
}

bool AdminAction::follow(const protocol::Redirection &redirection)
{
    using Way = protocol::Redirection::Kind;
    if (m_patience.hasExpired() || (redirection.kind == Way::Moved && ++m_redirections > MostRedirections))
        return false;
    if (redirection.kind == Way::Moved) {
        m_keeper = endpointAt(m_keeper, redirection.node);
        visit(m_keeper, false);
    } else if (redirection.kind == Way::Ask) {
        visit(endpointAt(m_keeper, redirection.node), true);
    } else {
        QTimer::singleShot(Pause, this, [this] { visit(m_keeper, false); });
    }
    return true;
}

std::string AdminAction::context() const
{
    return std::string(actionName(m_command)) + " on " + m_connection->endpoint().display();
}

void AdminAction::finish(Result<CommandOutcome> result)
{
    const auto finished = std::exchange(m_finished, {});
    if (!finished)
        return;
    const std::string node = m_connection->endpoint().display();
    // It is done whether this can be written or not; the record then reads as interrupted.
    if (!m_record.empty())
        std::ignore = m_audit.end(m_record, result, wallNow(), node == m_recordedNode ? std::string() : node);
    finished(result, node);
    deleteLater();
}

} // namespace lockcore
