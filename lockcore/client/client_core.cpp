// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/client_core.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/link_factory.h"

#include <QByteArray>
#include <QPointer>
#include <QRandomGenerator>
#include <QUuid>
#include <array>
#include <utility>

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

ConnectionOptions writable(const ClientTimes &times)
{
    return { .readOnly = false,
        .connectTimeout = times.connect,
        .replyTimeout = times.answer,
        .keepAlive = times.keepAlive,
        .backoff = times.reconnect,
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
    : id(QUuid::createUuid().toString(QUuid::WithoutBraces).toStdString())
    , options(clientOptions)
{
    auto created = makeLink(deployment, writable(options.times));
    if (created) {
        link = std::move(*created);
    } else {
        unusable = created.error();
        link = makeUnusableLink(*unusable);
    }
}

void ClientCore::send(const ScriptCall &call, Link::ReplyHandler handler)
{
    link->eval(*call.script, call.keys, call.arguments, std::move(handler));
}

std::string randomRequestId()
{
    std::array<quint32, 4> words{};
    QRandomGenerator::global()->fillRange(words.data(), words.size());
    return QByteArray::fromRawData(reinterpret_cast<const char *>(words.data()), sizeof(words)).toHex().toStdString();
}

bool isPassing(const protocol::Reply &reply)
{
    if (!reply.isError())
        return false;
    if (reply.error()->text.starts_with("NOREPLICAS"))
        return true;
    switch (protocol::toError(reply, {}).code) {
    case ErrorCode::Loading:
    case ErrorCode::ScriptBusy:
    case ErrorCode::ClusterBusy:
    case ErrorCode::ReadOnlyReplica:
    case ErrorCode::OutOfMemory:
        return true;
    default:
        return false;
    }
}

Error afterLostAnswer(Error error)
{
    addBefore(error, { Phrase::AnswerLost });
    return error;
}

} // namespace lockcore::client
