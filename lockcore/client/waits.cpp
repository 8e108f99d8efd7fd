// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/waits.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/chance.h"
#include "lockcore/transport/clock.h"

namespace lockcore::client {

using namespace synchronizers;
using namespace transport;

namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

bool isAnswer(const AcquireFsm::Input &input)
{
    return std::holds_alternative<AcquireFsm::Replied>(input) || std::holds_alternative<AcquireFsm::Refused>(input)
        || std::holds_alternative<AcquireFsm::Unanswered>(input);
}

Error inContext(Error error, const WaitPlan &plan)
{
    addTried(error, plan.tried());
    return error;
}

} // namespace

Waits::Waits(ClientCore &core)
    : m_core(core)
    , m_deadlines([this](Id id) { feed(id, AcquireFsm::TimerFired{}); })
    , m_channels(*core.link,
          { [this](Id id) { feed(id, AcquireFsm::Subscribed{}); },
              [this](Id id, const Error &error) { feed(id, AcquireFsm::SubscribeFailed{ error }); },
              [this](const std::vector<Id> &woken) {
                  for (const Id id : woken)
                      m_inputs.emplace_back(id, AcquireFsm::Woken{});
                  processInputs();
              } })
{
}

void Waits::start(Id id, std::unique_ptr<WaitPlan> plan)
{
    const AcquireFsm::Settings settings = plan->settings();
    Operation operation{ std::move(plan), AcquireFsm(settings), {}, {} };
    operation.channel = operation.plan->channel();
    operation.place = operation.plan->place();
    const bool ready = isReady(operation);
    const bool mayWait = !settings.polls && settings.wait != Millis(0);
    Operation &placed = m_operations.emplace(id, std::move(operation)).first->second;
    placed.isOnChannel = mayWait && m_channels.join(placed.channel, id, placed.plan->share());
    feed(id, AcquireFsm::Start{ ready, placed.isOnChannel });
}

void Waits::refuse(Id id, const Error &error) { feed(id, AcquireFsm::Disconnected{ error }); }

void Waits::cancel(Id id) { feed(id, AcquireFsm::Cancel{}); }

// The last ones first: whoever leaves a queue at its end moves nobody.
void Waits::cancelAll()
{
    m_endingAll = true;
    for (auto each = m_operations.rbegin(); each != m_operations.rend(); ++each)
        m_inputs.emplace_back(each->first, AcquireFsm::Cancel{});
    processInputs();
    m_endingAll = false;
}

void Waits::connected()
{
    feedAll(AcquireFsm::Connected{}, [this](const Operation &each) { return isReady(each); });
}

void Waits::disconnected(const Error &error)
{
    feedAll(AcquireFsm::Disconnected{ error }, [this](const Operation &each) { return !isReady(each); });
}

void Waits::messagesMissed()
{
    m_channels.messagesMissed();
    feedAll(AcquireFsm::Woken{}, [](const Operation &each) { return each.isOnChannel; });
}

void Waits::feedAll(const Input &input, const std::function<bool(const Operation &)> &isMeant)
{
    for (const auto &[id, operation] : m_operations) {
        if (isMeant(operation))
            m_inputs.emplace_back(id, input);
    }
    processInputs();
}

void Waits::feed(Id id, Input input)
{
    m_inputs.emplace_back(id, std::move(input));
    processInputs();
}

// What an action sets off comes as another input: never from inside the state machine.
void Waits::processInputs()
{
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

void Waits::process(Id id, const Input &input)
{
    const auto found = m_operations.find(id);
    if (found == m_operations.end())
        return;
    Operation &operation = found->second;
    const bool wasWoken = operation.fsm.hasUnusedWakeUp();
    const bool endsTurn = isAnswer(input) && std::exchange(operation.hasTurn, false);
    const std::string place = endsTurn ? operation.place : std::string();
    for (const AcquireFsm::Action &action : operation.fsm.handle(input, monoNow()))
        perform(id, operation, action);
    if (operation.isOnChannel) {
        tellReadiness(id, operation);
        if (wasWoken && operation.fsm.isWaiting())
            m_channels.passOn(operation.channel, id);
    }
    if (operation.fsm.isOver()) {
        m_operations.erase(found);
        m_core.events.ended();
    }
    if (endsTurn)
        m_core.turns.end(place);
}

void Waits::perform(Id id, Operation &operation, const AcquireFsm::Action &action)
{
    std::visit(Overloaded{
                   [&](const AcquireFsm::SendTry &) { sendTry(id, operation); },
                   [&](const AcquireFsm::Subscribe &) { subscribe(id, operation); },
                   [&](const AcquireFsm::ArmTimer &timer) { m_deadlines.arm(id, timer.at); },
                   [&](const AcquireFsm::GiveUp &) { giveUp(id, operation); },
                   [&](const AcquireFsm::ReleaseHold &) { operation.plan->undo(); },
                   [&](const AcquireFsm::Finish &end) {
                       m_deadlines.disarm(id);
                       finish(id, operation, end);
                   },
               },
        action);
}

void Waits::subscribe(Id id, Operation &operation)
{
    operation.isOnChannel = true;
    m_channels.subscribe(operation.channel, id, operation.plan->share(), operation.plan->messages());
}

void Waits::sendTry(Id id, Operation &operation)
{
    if (operation.place.empty())
        return send(id, operation);
    m_core.turns.take(
        operation.place, HoldTurns::Rank::Last, [this, id, place = operation.place] { turnCame(id, place); });
}

void Waits::turnCame(Id id, const std::string &place)
{
    const auto found = m_operations.find(id);
    if (found == m_operations.end())
        return m_core.turns.end(place);
    Operation &operation = found->second;
    operation.hasTurn = true;
    if (operation.fsm.isEnding())
        feed(id, AcquireFsm::Unanswered{ errorOf(ErrorCode::Cancelled, { Phrase::NotWanted }), false });
    else
        send(id, operation);
}

void Waits::send(Id id, Operation &operation)
{
    if (!isReady(operation))
        return feed(
            id, AcquireFsm::Unanswered{ errorOf(ErrorCode::ConnectionClosed, { Phrase::NotConnected }), false });
    operation.fsm.handle(AcquireFsm::Sent{}, monoNow());
    m_core.send(operation.plan->attempt(), [this, id](const Result<protocol::Reply> &reply) { answered(id, reply); });
}

void Waits::answered(Id id, const Result<protocol::Reply> &reply)
{
    const auto found = m_operations.find(id);
    if (found == m_operations.end())
        return;
    if (!reply) {
        found->second.plan->answerLost();
        return feed(id, AcquireFsm::Unanswered{ reply.error() });
    }
    if (reply->isError())
        return feed(id, AcquireFsm::Refused{ protocol::toError(*reply, {}) });
    const auto answer = found->second.plan->read(*reply);
    if (!answer)
        return feed(id, AcquireFsm::Refused{ answer.error() });
    const auto left = answer->acquired ? found->second.plan->lease() : answer->pause;
    if (left != Millis(0)) // else it asks again soon by itself
        m_channels.holderHas(found->second.channel, left);
    feed(id, AcquireFsm::Replied{ *answer, drawChance() });
}

// Another wait of the same thread stands in the same place of the queue.
void Waits::giveUp(Id id, Operation &operation)
{
    if (!m_channels.isListenedToByOthers(operation.channel, id))
        operation.plan->giveUp();
}

void Waits::finish(Id id, Operation &operation, const AcquireFsm::Finish &end)
{
    using WakeUp = ChannelWaiters::WakeUp;
    const bool leavesWakeUp = operation.fsm.hasUnusedWakeUp() && !m_endingAll;
    if (std::exchange(operation.isOnChannel, false))
        m_channels.leave(operation.channel, id, leavesWakeUp ? WakeUp::Unused : WakeUp::Used);
    if (end.acquired)
        operation.plan->acquired();
    Result<AcquireOutcome> outcome = AcquireOutcome{ end.acquired, end.holderTtl, end.waited, {}, end.head };
    if (end.error)
        outcome = tl::unexpected(inContext(*end.error, *operation.plan));
    operation.plan->finish(outcome);
}

void Waits::tellReadiness(Id id, const Operation &operation)
{
    using Readiness = ChannelWaiters::Readiness;
    const AcquireFsm &fsm = operation.fsm;
    Readiness readiness = Readiness::Unfit;
    if (fsm.isWaiting())
        readiness = Readiness::Asleep;
    else if (fsm.isTrying()) // it may miss a second message too: its try may be older
        readiness = fsm.willTryAgain() ? Readiness::TryingAgain : Readiness::Trying;
    m_channels.set(operation.channel, id, readiness);
}

} // namespace lockcore::client
