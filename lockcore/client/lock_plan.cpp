// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/lock_plan.h"

#include "lockcore/client/clock.h"
#include "lockcore/synchronizers/lock_replies.h"

namespace lockcore {

// Once no try is under way: whoever was refused listens.
void LockPlanContext::leaveQueue(const HoldKey &key, CleanUps::Task task)
{
    const std::string place = placeOf(key);
    core.turns.take(place, HoldTurns::Rank::First, [this, place, task = std::move(task)] {
        if (!isListenedTo(task.place))
            cleanUps.start(task);
        core.turns.end(place);
    });
}

LockPlan::LockPlan(
    LockPlanContext &context, AcquireRequest request, const LockBehaviour &behaviour, AcquireHandler handler)
    : m_context(context)
    , m_behaviour(behaviour)
    , m_key{ std::move(request.target), std::move(request.thread) }
    , m_lease(request.lease)
    , m_wait(request.wait)
    , m_handler(std::move(handler))
{
    const LockClientOptions &options = m_context.core.options;
    m_call.name = m_key.target.name;
    m_call.owner = m_context.core.owner(m_key.thread);
    m_call.lease = m_lease.value_or(options.watchdogTimeout);
    m_call.wait = isOneTry() ? options.fairWait : m_wait.value_or(options.fairWait);
    m_call.linesUp = !isOneTry();
    m_call.values = m_key.target.values;
    if (m_behaviour.channel)
        m_channel = m_behaviour.channel(m_call.name, m_call.owner);
}

AcquireFsm::Settings LockPlan::settings() const
{
    AcquireFsm::Settings settings = waitSettings(m_context.core.options.times, m_wait);
    settings.leavesQueue = linesUp();
    settings.polls = !m_behaviour.channel;
    return settings;
}

// Who waits for other values of a group may have them at the same time.
WakeOrder::Share LockPlan::share() const
{
    std::string group;
    for (const std::string &value : m_key.target.values)
        group += std::to_string(value.size()) + ':' + value;
    return { std::move(group), 1 };
}

ScriptCall LockPlan::attempt()
{
    if (linesUp())
        m_context.cleanUps.withdraw(m_channel); // an earlier wait's place, which is this one's from now on
    m_call.publish = m_context.core.link->publishCommand();
    m_call.holdsKnown = m_context.core.holds.known(m_key);
    m_sent = monoNow();
    return m_behaviour.acquire(m_call);
}

Result<TryReply> LockPlan::read(const protocol::Reply &reply)
{
    auto answer = parseTryReply(reply);
    if (answer)
        m_reply = *answer;
    return answer;
}

// What a copy gets is as little wanted as what the try itself got when nobody waited for it any more.
void LockPlan::answerLost()
{
    const auto leave = linesUp() ? std::optional(leaving()) : std::nullopt;
    m_context.lateCopies.expect(placeOf(m_key) + ' ' + m_channel + (leave ? " queue " : " ") + share().group,
        [&context = m_context, &behaviour = m_behaviour, key = m_key, lease = m_call.lease, leave] {
            context.giveBack(key, behaviour, lease, monoNow());
            if (leave)
                context.leaveQueue(key, *leave);
        });
}

void LockPlan::acquired() { m_context.acquired(m_key, m_behaviour, { m_lease, m_sent, m_reply.unknownBefore }); }

void LockPlan::giveUp() { m_context.cleanUps.start(leaving()); }

void LockPlan::undo() { m_context.giveBack(m_key, m_behaviour, m_call.lease, m_sent); }

void LockPlan::finish(const Result<AcquireOutcome> &outcome)
{
    Result<AcquireOutcome> told = outcome;
    if (told && told->acquired)
        told->token = m_reply.token;
    m_context.core.outbox.add([handler = std::move(m_handler), told = std::move(told)] { handler(told); });
}

} // namespace lockcore
