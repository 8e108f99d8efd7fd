// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/replicated_acquires.h"

#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/clock.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace lockcore::client {

using namespace transport;

namespace {

constexpr int MostAcquireAttempts = 3;
constexpr std::size_t MostAskedAtOnce = 4; // one node may be asked all of them, and has to answer within the time-out
constexpr int ShareOfAnswer = 5;
const Said AskingReplicas{ Phrase::WaitingForReplicas };

Result<std::int64_t> connectedReplicas(const Result<protocol::Reply> &role)
{
    if (!role)
        return tl::unexpected(role.error());
    if (role->isError())
        return tl::unexpected(protocol::toError(*role, AskingReplicas));
    const protocol::Reply::Array *parts = role->array();
    const protocol::Reply::Array *replicas = parts && parts->size() == 3 ? parts->at(2).array() : nullptr;
    if (!replicas)
        return failure(ErrorCode::ReadOnlyReplica, { Phrase::ServerNoMaster }, AskingReplicas);
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
                answer = failure(ErrorCode::NotReplicated, { Phrase::LostMeanwhile }, AskingReplicas);
            answered(slot, answer);
        });
}

Result<void> ReplicaWaits::read(const Result<protocol::Reply> &reply, std::int64_t needed) const
{
    if (!reply)
        return tl::unexpected(reply.error());
    const std::int64_t *number = reply->integer();
    if (!number)
        return tl::unexpected(protocol::toError(*reply, AskingReplicas));
    if (*number < needed)
        return failure(ErrorCode::NotReplicated,
            { Phrase::TooFewReplicas,
                { std::to_string(m_core.options.replicas->timeout.count()), std::to_string(*number),
                    std::to_string(needed) } },
            AskingReplicas);
    return {};
}

void ReplicaWaits::answered(int slot, const Result<void> &answer)
{
    const auto question = m_asked.extract(slot);
    for (const Handler &handler : question.mapped().handlers)
        handler(answer);
    askNext();
}

AcquireId ReplicatedAcquires::start(AcquireRequest request, AcquireHandler handler)
{
    const auto known = std::make_shared<AcquireId>();
    *known = m_client.acquire(
        request, [this, known](const Result<AcquireOutcome> &outcome) { answered(*known, outcome); });
    m_operations.emplace(*known, Operation{ std::move(request), std::move(handler), monoNow(), *known });
    return *known;
}

void ReplicatedAcquires::cancel(AcquireId acquire)
{
    const auto found = m_operations.find(acquire);
    if (found == m_operations.end())
        return m_client.cancel(acquire); // not one of a lock, or over
    found->second.isCancelled = true;
    if (!found->second.isGot)
        m_client.cancel(found->second.attempt);
}

void ReplicatedAcquires::answered(AcquireId id, const Result<AcquireOutcome> &outcome)
{
    if (!outcome || !outcome->acquired)
        return finish(id, outcome);
    Operation &operation = m_operations.at(id);
    operation.isGot = true;
    m_waits.confirm(operation.request.target.name,
        [this, id, got = *outcome](const Result<void> &replicated) { confirmed(id, got, replicated); });
}

void ReplicatedAcquires::confirmed(AcquireId id, AcquireOutcome outcome, const Result<void> &replicated)
{
    Operation &operation = m_operations.at(id);
    if (replicated && !operation.isCancelled) {
        outcome.waited = std::chrono::duration_cast<Millis>(monoNow() - operation.start);
        return finish(id, outcome);
    }
    const Error why = replicated ? Error{} : replicated.error();
    m_client.release(operation.request.target, operation.request.thread,
        [this, id, why](const Result<ReleaseOutcome> &) { givenBack(id, why); });
}

void ReplicatedAcquires::givenBack(AcquireId id, const Error &why)
{
    Operation &operation = m_operations.at(id);
    const LockName &name = operation.request.target.name;
    if (operation.isCancelled)
        return finish(id, failure(ErrorCode::Cancelled, { Phrase::Cancelled }, { Phrase::Acquiring, { name } }));
    AcquireRequest again = operation.request;
    if (again.wait) {
        const auto passed = std::chrono::duration_cast<Millis>(monoNow() - operation.start);
        again.wait = std::max(Millis(0), *again.wait - passed);
    }
    if (why.code != ErrorCode::NotReplicated || operation.attempts == MostAcquireAttempts) {
        Error error = why;
        add(error, { Phrase::GivenBackAfterTry, { std::to_string(operation.attempts) } });
        addTried(error, { Phrase::Acquiring, { name } });
        return finish(id, tl::unexpected(std::move(error)));
    }
    ++operation.attempts;
    operation.isGot = false;
    operation.attempt = m_client.acquire(
        std::move(again), [this, id](const Result<AcquireOutcome> &outcome) { answered(id, outcome); });
}

void ReplicatedAcquires::finish(AcquireId id, Result<AcquireOutcome> outcome)
{
    auto operation = m_operations.extract(id);
    m_outbox.add([handler = std::move(operation.mapped().handler), outcome = std::move(outcome)] { handler(outcome); });
}

} // namespace lockcore::client
