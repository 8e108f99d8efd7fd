// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/replica_waits.h"

#include "lockcore/protocol/key_slot.h"
#include "lockcore/protocol/server_error.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr std::size_t MostAskedAtOnce = 4; // one node may be asked all of them, and has to answer within the time-out
constexpr int ShareOfAnswer = 5;
constexpr const char *Context = "waiting for replicas";

Result<std::int64_t> connectedReplicas(const Result<protocol::Reply> &role)
{
    if (!role)
        return tl::unexpected(role.error());
    if (role->isError())
        return tl::unexpected(protocol::toError(*role, Context));
    const protocol::Reply::Array *parts = role->array();
    const protocol::Reply::Array *replicas = parts && parts->size() == 3 ? parts->at(2).array() : nullptr;
    if (!replicas)
        return failure(ErrorCode::ReadOnlyReplica, "the server is no master", Context);
    return static_cast<std::int64_t>(replicas->size());
}

} // namespace

ReplicaWaits::ReplicaWaits(ClientCore &core)
    : m_core(core)
{
    QObject::connect(m_core.link.get(), &Link::lost, &m_context, [this] { ++m_losses; });
}

void ReplicaWaits::confirm(const LockName &name, Handler handler)
{
    const int slot = m_core.link->isSharded() ? protocol::keySlot(name) : 0;
    Question &question = m_waiting.try_emplace(slot, Question{ name, m_losses, {} }).first->second;
    question.handlers.push_back(std::move(handler));
    askNext();
}

void ReplicaWaits::askNext()
{
    for (auto question = m_waiting.begin(); question != m_waiting.end() && m_asked.size() < MostAskedAtOnce;) {
        const auto next = std::next(question);
        const int slot = question->first;
        if (!m_asked.contains(slot)) {
            m_asked.insert(m_waiting.extract(question));
            askWho(slot);
        }
        question = next;
    }
}

void ReplicaWaits::askWho(int slot)
{
    m_core.link->send({ "ROLE" }, m_asked.at(slot).name, [this, slot](const Result<protocol::Reply> &role) {
        const auto connected = connectedReplicas(role);
        if (!connected)
            answered(slot, tl::unexpected(connected.error()));
        else if (*connected == 0)
            answered(slot, {});
        else
            askForReplicas(slot, *connected);
    });
}

void ReplicaWaits::askForReplicas(int slot, std::int64_t connected)
{
    const std::int64_t needed = std::clamp<std::int64_t>(m_core.options.replicas->atLeast, 1, connected);
    const Millis timeout = std::clamp(
        m_core.options.replicas->timeout, Millis(1), std::max(Millis(1), m_core.options.times.answer / ShareOfAnswer));
    m_core.link->send({ "WAIT", std::to_string(needed), std::to_string(timeout.count()) }, m_asked.at(slot).name,
        [this, slot, needed](const Result<protocol::Reply> &reply) {
            Result<void> answer = read(reply, needed);
            if (answer && m_asked.at(slot).losses != m_losses)
                answer = failure(ErrorCode::NotReplicated, "the connection was lost meanwhile", Context);
            answered(slot, answer);
        });
}

Result<void> ReplicaWaits::read(const Result<protocol::Reply> &reply, std::int64_t needed) const
{
    if (!reply)
        return tl::unexpected(reply.error());
    const std::int64_t *number = reply->integer();
    if (!number)
        return tl::unexpected(protocol::toError(*reply, Context));
    if (*number < needed)
        return failure(ErrorCode::NotReplicated,
            std::to_string(*number) + (*number == 1 ? " replica has" : " replicas have") + " it after "
                + std::to_string(m_core.options.replicas->timeout.count()) + " ms, not " + std::to_string(needed),
            Context);
    return {};
}

void ReplicaWaits::answered(int slot, const Result<void> &answer)
{
    const auto question = m_asked.extract(slot);
    for (const Handler &handler : question.mapped().handlers)
        handler(answer);
    askNext();
}

} // namespace lockcore
