// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/waits.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"

namespace lockcore {

namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

Error tried(Error error, const LockName &name)
{
    error.context = "acquiring " + name + (error.context.empty() ? "" : ", " + error.context);
    return error;
}

} // namespace

Waits::Waits(ClientCore &core, Callbacks callbacks)
    : m_core(core)
    , m_callbacks(std::move(callbacks))
    , m_deadlines([this](std::uint64_t id) { feed(id, AcquireFsm::TimerFired{}); })
    , m_hub(*core.link,
          { [this](std::uint64_t id) { feed(id, AcquireFsm::Subscribed{}); },
              [this](std::uint64_t id, const Error &error) { feed(id, AcquireFsm::SubscribeFailed{ error }); },
              [this](const std::string &channel) { wakeOne(channel); },
              [this](const std::string &channel) { wakeAll(channel); } })
{
}

void Waits::start(
    std::uint64_t id, AcquireRequest request, const LockBehaviour &behaviour, LockClient::AcquireHandler handler)
{
    const bool oneTry = request.wait == Millis(0);
    AcquireFsm::Settings settings;
    settings.wait = request.wait;
    settings.leavesQueue = behaviour.giveUp && !oneTry;
    const OwnerId owner = m_core.owner(request.thread);
    TryCall call{ request.target.name, owner, request.lease.value_or(m_core.options.watchdogTimeout),
        request.wait && !oneTry ? *request.wait : m_core.options.fairWait, !oneTry, {}, {} };
    std::string channel = behaviour.channel(request.target.name, owner);
    const bool isReady = m_core.isReadyFor(request.target.name);
    HoldKey key{ std::move(request.target), std::move(request.thread) };
    m_giveUps.erase(key); // it stands in the queue still, and wants to again
    m_operations.emplace(id,
        Operation{ std::move(key), std::move(call), request.lease, &behaviour, std::move(handler), std::move(channel),
            AcquireFsm(settings) });
    feed(id, AcquireFsm::Start{ isReady });
}

void Waits::refuse(std::uint64_t id, const Error &error) { feed(id, AcquireFsm::Disconnected{ error }); }

void Waits::cancel(std::uint64_t id) { feed(id, AcquireFsm::Cancel{}); }

void Waits::cancelAll()
{
    feedAll(AcquireFsm::Cancel{}, [](const Operation &) { return true; });
}

void Waits::connected()
{
    const auto giveUps = std::exchange(m_giveUps, {});
    for (const auto &giveUp : giveUps)
        sendGiveUp(giveUp);
    feedAll(AcquireFsm::Connected{}, [this](const Operation &each) { return isReady(each); });
}

void Waits::disconnected(const Error &error)
{
    feedAll(AcquireFsm::Disconnected{ error }, [this](const Operation &each) { return !isReady(each); });
}

void Waits::messagesMissed()
{
    feedAll(AcquireFsm::Woken{}, [](const Operation &) { return true; });
}

bool Waits::isReady(const Operation &operation) const { return m_core.isReadyFor(operation.key.target.name); }

void Waits::feedAll(const Input &input, const std::function<bool(const Operation &)> &isMeant)
{
    for (const auto &[id, operation] : m_operations) {
        if (isMeant(operation))
            m_inputs.emplace_back(id, input);
    }
    feed(0, AcquireFsm::TimerFired{}); // nobody has this number
}

// What an action sets off comes as another input: never from inside the state machine.
void Waits::feed(std::uint64_t id, Input input)
{
    m_inputs.emplace_back(id, std::move(input));
    if (m_processing)
        return;
    m_processing = true;
    while (!m_inputs.empty()) {
        const auto next = std::move(m_inputs.front());
        m_inputs.pop_front();
        process(next.first, next.second);
    }
    m_processing = false;
}

void Waits::process(std::uint64_t id, const Input &input)
{
    const auto found = m_operations.find(id);
    if (found == m_operations.end())
        return;
    Operation &operation = found->second;
    for (const AcquireFsm::Action &action : operation.fsm.handle(input, monoNow()))
        perform(id, operation, action);
    if (operation.fsm.isOver()) {
        m_deadlines.disarm(id);
        m_operations.erase(found);
        m_core.progress();
    }
}

void Waits::perform(std::uint64_t id, Operation &operation, const AcquireFsm::Action &action)
{
    std::visit(Overloaded{
                   [&](const AcquireFsm::SendTry &send) { sendTry(id, operation, send.answerWasLost); },
                   [&](const AcquireFsm::Subscribe &) { m_hub.add(operation.channel, id); },
                   [&](const AcquireFsm::ArmTimer &timer) { m_deadlines.arm(id, timer.at); },
                   [&](const AcquireFsm::GiveUp &) { giveUp(id, operation); },
                   [&](const AcquireFsm::ReleaseHold &) {
                       m_core.holds.acquired(operation.key, operation.call.lease);
                       m_callbacks.release(operation.key, *operation.behaviour);
                   },
                   [&](const AcquireFsm::Finish &end) { finish(id, operation, end); },
               },
        action);
}

void Waits::sendTry(std::uint64_t id, Operation &operation, bool answerWasLost)
{
    operation.call.now = wallNow();
    operation.call.publish = m_core.link->publishCommand();
    operation.call.holdsKnown.reset();
    if (answerWasLost)
        operation.call.holdsKnown = m_core.holds.count(operation.key);
    m_core.send(operation.behaviour->acquire(operation.call),
        [this, id](const Result<protocol::Reply> &reply) { answered(id, reply); });
}

void Waits::answered(std::uint64_t id, const Result<protocol::Reply> &reply)
{
    if (!reply) {
        feed(id, AcquireFsm::Disconnected{ reply.error() });
        if (const auto found = m_operations.find(id); found != m_operations.end()
            && isReady(found->second)) // again, since this try was refused for want of a connection
            feed(id, AcquireFsm::Connected{});
        return;
    }
    if (reply->isError())
        return feed(id, AcquireFsm::Refused{ protocol::toError(*reply, {}) });
    const auto answer = parseTryReply(*reply);
    if (answer)
        feed(id, AcquireFsm::Replied{ *answer });
    else
        feed(id, AcquireFsm::Refused{ answer.error() });
}

void Waits::finish(std::uint64_t id, Operation &operation, const AcquireFsm::Finish &end)
{
    m_hub.remove(operation.channel, id);
    m_deadlines.disarm(id);
    if (end.acquired)
        m_callbacks.acquired(operation.key, operation.lease);
    else if (operation.fsm.hasUnusedWakeUp())
        wakeOne(operation.channel);
    Result<AcquireOutcome> outcome = AcquireOutcome{ end.acquired, end.holderTtl, end.waited };
    if (end.error)
        outcome = tl::unexpected(tried(*end.error, operation.key.target.name));
    m_core.outbox.add([handler = std::move(operation.handler), outcome = std::move(outcome)] { handler(outcome); });
}

void Waits::giveUp(std::uint64_t id, const Operation &operation)
{
    // Another wait of the same thread stands in the same place of the queue.
    const auto &sameOwner = m_hub.waiters(operation.channel);
    if (sameOwner.size() == sameOwner.count(id))
        sendGiveUp({ operation.key, operation.behaviour->giveUp(operation.call) });
}

void Waits::sendGiveUp(const std::pair<HoldKey, ScriptCall> &giveUp)
{
    if (!m_core.isReadyFor(giveUp.first.target.name)) {
        m_giveUps.insert(giveUp);
        return;
    }
    ++m_giveUpsSent;
    m_core.send(giveUp.second, [this, giveUp](const Result<protocol::Reply> &reply) {
        --m_giveUpsSent;
        if (!reply)
            m_giveUps.insert(giveUp);
        m_core.progress();
    });
}

void Waits::wakeOne(const std::string &channel)
{
    const auto &waiters = m_hub.waiters(channel);
    const auto first = [&](auto isFit) {
        for (const std::uint64_t id : waiters) {
            if (isFit(m_operations.at(id).fsm))
                return id;
        }
        return std::uint64_t(0);
    };
    std::uint64_t id = first([](const AcquireFsm &fsm) { return fsm.isWaiting(); });
    if (id == 0) // its try may have been answered before the release
        id = first([](const AcquireFsm &fsm) { return fsm.isTrying() && !fsm.hasUnusedWakeUp(); });
    if (id != 0)
        feed(id, AcquireFsm::Woken{});
}

void Waits::wakeAll(const std::string &channel)
{
    for (const std::uint64_t id : m_hub.waiters(channel))
        m_inputs.emplace_back(id, AcquireFsm::Woken{});
    feed(0, AcquireFsm::TimerFired{});
}

} // namespace lockcore
