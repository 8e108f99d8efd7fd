// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/calls.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/clock.h"

namespace lockcore::client {

using namespace transport;

namespace {

constexpr int MostCallAttempts = 5;

} // namespace

Calls::Calls(ClientCore &core)
    : m_core(core)
    , m_deadlines([this](std::uint64_t id) { timedOut(id); })
{
}

void Calls::start(Call call, Handler handler)
{
    const std::uint64_t id = ++m_lastId;
    m_pending.emplace(id,
        Pending{ std::move(call), std::move(handler), 0, false, false,
            errorOf(ErrorCode::ConnectionClosed, { Phrase::NotConnected }) });
    m_deadlines.arm(id, monoNow() + m_core.options.times.call);
    send(id);
}

void Calls::connected()
{
    for (auto &[id, pending] : m_pending) {
        if (!pending.sent)
            send(id);
    }
}

void Calls::disconnected(const Error &error)
{
    std::vector<std::uint64_t> impatient;
    for (const auto &[id, pending] : m_pending) {
        if (!pending.sent && !pending.call.patient && !isReady(pending))
            impatient.push_back(id);
    }
    for (const std::uint64_t id : impatient)
        finish(id, tl::unexpected(error));
}

void Calls::failAll(const Error &error)
{
    while (!m_pending.empty())
        finish(m_pending.begin()->first, tl::unexpected(error));
}

void Calls::send(std::uint64_t id)
{
    Pending &pending = m_pending.at(id);
    if (!isReady(pending))
        return; // connected() sends it
    pending.sent = true;
    const bool isRepeated = pending.lost && pending.call.repetition;
    m_core.send(isRepeated ? *pending.call.repetition : pending.call.script,
        [this, id](const Result<protocol::Reply> &reply) { answered(id, reply); });
}

void Calls::answered(std::uint64_t id, const Result<protocol::Reply> &reply)
{
    const auto found = m_pending.find(id);
    if (found == m_pending.end())
        return; // given up meanwhile
    Pending &pending = found->second;
    if (reply && reply->isError())
        return finish(id, tl::unexpected(protocol::toError(*reply, {})));
    if (reply)
        return finish(id, reply);
    pending.lost = true;
    pending.sent = false;
    pending.lastError = reply.error();
    if (pending.call.repeat == Repeat::Harmful)
        finish(id, reply);
    else if (++pending.attempts < MostCallAttempts)
        send(id);
    else
        finish(id, reply);
}

void Calls::timedOut(std::uint64_t id)
{
    Pending &pending = m_pending.at(id);
    pending.lost = pending.lost || pending.sent;
    const Error error = pending.lastError;
    finish(id, tl::unexpected(error));
}

void Calls::finish(std::uint64_t id, Result<protocol::Reply> reply)
{
    m_deadlines.disarm(id);
    const auto node = m_pending.extract(id);
    const Pending &pending = node.mapped();
    if (!reply) {
        Error &error = reply.error();
        if (pending.lost)
            error = afterLostAnswer(std::move(error));
        addTried(error, pending.call.tried);
    }
    pending.handler(reply, pending.lost);
    m_core.events.ended();
}

} // namespace lockcore::client
