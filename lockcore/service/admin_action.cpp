// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/admin_action.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"

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

AdminAction::AdminAction(const Endpoint &endpoint, AdminCommand command, Finished finished, QObject *parent)
    : QObject(parent)
    , m_connection(endpoint, writableOnce())
    , m_command(std::move(command))
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
    const auto call = prepare(m_command, wallNow());
    if (!call)
        return finish(tl::unexpected(call.error()));
    m_sent = true;
    m_connection.eval(*call->script, call->keys, call->arguments, [this](const Result<protocol::Reply> &reply) {
        if (!reply) {
            auto error = reply.error();
            error.message += "; whether it was carried out is not known";
            return finish(tl::unexpected(error));
        }
        if (reply->isError())
            return finish(
                tl::unexpected(protocol::toError(*reply, "force release on " + m_connection.endpoint().display())));
        finish(decodeOutcome(*reply));
    });
}

void AdminAction::finish(const Result<CommandOutcome> &result)
{
    if (const auto finished = std::exchange(m_finished, {}))
        finished(result);
    deleteLater();
}

} // namespace lockcore
