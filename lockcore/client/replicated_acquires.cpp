// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/replicated_acquires.h"

#include "lockcore/client/clock.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace lockcore {

namespace {

constexpr int MostAcquireAttempts = 3;

} // namespace

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
        return finish(id, failure(ErrorCode::Cancelled, "cancelled", "acquiring " + name));
    AcquireRequest again = operation.request;
    if (again.wait) {
        const auto passed = std::chrono::duration_cast<Millis>(monoNow() - operation.start);
        again.wait = std::max(Millis(0), *again.wait - passed);
    }
    if (why.code != ErrorCode::NotReplicated || operation.attempts == MostAcquireAttempts)
        return finish(id,
            failure(why.code, toString(why) + "; given back after try " + std::to_string(operation.attempts),
                "acquiring " + name));
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

} // namespace lockcore
