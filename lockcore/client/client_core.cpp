// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/client_core.h"

#include "lockcore/client/random_ids.h"

#include <QPointer>

namespace lockcore {

namespace {

constexpr ConnectionOptions Writable{ .readOnly = false };

} // namespace

void Outbox::add(std::function<void()> message)
{
    if (m_messages.empty())
        QMetaObject::invokeMethod(
            this, [this] { deliver(); }, Qt::QueuedConnection);
    m_messages.push_back(std::move(message));
}

void Outbox::deliver()
{
    const QPointer<Outbox> alive(this);
    const auto messages = std::exchange(m_messages, {});
    for (const auto &message : messages) {
        message();
        if (!alive)
            return;
    }
}

ClientCore::ClientCore(const Endpoint &endpoint, const LockClientOptions &clientOptions)
    : id(randomUuid())
    , options(clientOptions)
    , connection(endpoint, Writable)
    , subscriber(endpoint, Writable)
{
}

void ClientCore::send(const ScriptCall &call, Connection::ReplyHandler handler)
{
    connection.eval(*call.script, call.keys, call.arguments, std::move(handler));
}

} // namespace lockcore
