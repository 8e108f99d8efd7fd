// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/client_core.h"

#include "lockcore/client/random_ids.h"

#include <QPointer>

namespace lockcore {

namespace {

ConnectionOptions writable(const ClientTimes &times)
{
    return { .readOnly = false,
        .connectTimeout = times.connect,
        .replyTimeout = times.answer,
        .keepAlive = times.keepAlive,
        .firstBackoff = times.firstReconnect,
        .longestBackoff = times.longestReconnect,
        .asksTime = true };
}

} // namespace

void Outbox::add(std::function<void()> message)
{
    m_messages.push_back(std::move(message));
    m_delivery.ask();
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

ClientCore::ClientCore(const Deployment &deployment, const LockClientOptions &clientOptions)
    : id(randomUuid())
    , options(clientOptions)
{
    auto created = Link::create(deployment, writable(options.times));
    if (created) {
        link = std::move(*created);
    } else {
        unusable = created.error();
        link = Link::unusable(*unusable);
    }
}

void ClientCore::send(const ScriptCall &call, Link::ReplyHandler handler)
{
    link->eval(*call.script, call.keys, call.arguments, std::move(handler));
}

} // namespace lockcore
