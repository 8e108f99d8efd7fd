// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/waits.h"

#include "lockcore/client/clock.h"
#include "lockcore/protocol/server_error.h"

#include <QRandomGenerator>

namespace lockcore {

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
    error.context = plan.tried() + (error.context.empty() ? "" : ", " + error.context);
    return error;
}

} // namespace

Waits::Waits(ClientCore &core)
    : m_core(core)
    , m_deadlines([this](Id id) { feed(id, AcquireFsm::TimerFired{}); })
    , m_holders([this](std::uint64_t room) { holderIsOver(room); })
    , m_hub(*core.link,
          { [this](Id id) { feed(id, AcquireFsm::Subscribed{}); },
              [this](Id id, const Error &error) { feed(id, AcquireFsm::SubscribeFailed{ error }); },
              [this](const std::string &channel, const std::string &payload) { messageCame(channel, payload); } })
{
}

void Waits::start(Id id, std::unique_ptr<WaitPlan> plan)
{
    const AcquireFsm::Settings settings = plan->settings();
    Operation operation{ std::move(plan), AcquireFsm(settings), {}, {}, {} };
    operation.channel = operation.plan->channel();
    operation.place = operation.plan->place();
    operation.share = operation.plan->share();
    const bool ready = isReady(operation);
    const bool mayWait = !settings.polls && settings.wait != Millis(0);
    Operation &placed = m_operations.emplace(id, std::move(operation)).first->second;
    const bool subscribed = mayWait && join(id, placed);
    feed(id, AcquireFsm::Start{ ready, subscribed });
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
    for (auto &[channel, room] : m_rooms)
        room.order.messagesMissed();
    feedAll(AcquireFsm::Woken{}, [](const Operation &each) { return each.room.has_value(); });
}

std::optional<std::uint64_t> Waits::handOver(const std::string &channel)
{
    const auto room = m_rooms.find(channel);
    if (room == m_rooms.end() || !m_hub.isConfirmed(channel))
        return std::nullopt;
    const auto nextWaiter = room->second.order.nextWaiter();
    passOn(nextWaiter);
    return nextWaiter;
}

// A message that was not its own may have been taken for it, so that somebody has to try unless all went as expected:
// the next waiter's try is under way still, for answers come in the order in which the server acted.
void Waits::handedOver(const std::string &channel, std::uint64_t nextWaiter, bool released)
{
    const auto room = m_rooms.find(channel);
    if (room == m_rooms.end())
        return;
    if (!released)
        room->second.order.noMessage();
    const auto operation = m_operations.find(nextWaiter);
    const bool waits = operation != m_operations.end() && operation->second.room;
    if (!waits)
        passOn(room->second.order.insteadOf({}));
    else if (!released || !operation->second.fsm.isTrying())
        passOn(nextWaiter);
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
    updateRoom(id, operation);
    if (wasWoken && operation.fsm.isWaiting() && operation.room) // not enough for this one
        passOn((*operation.room)->second.order.contentWithLess(operation.share));
    if (operation.fsm.isOver()) {
        m_operations.erase(found);
        m_core.progress();
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
                       leaveRoom(id, operation);
                       finish(operation, end);
                   },
               },
        action);
}

/// Others wait on this channel already.
bool Waits::join(Id id, Operation &operation)
{
    const auto room = m_rooms.find(operation.channel);
    if (room == m_rooms.end() || !m_hub.join(operation.channel, id))
        return false;
    operation.room = room;
    return true;
}

void Waits::subscribe(Id id, Operation &operation)
{
    const auto [room, isNew]
        = m_rooms.try_emplace(operation.channel, Sleepers{ WakeOrder(operation.plan->messages()), 0 });
    if (isNew) {
        room->second.number = ++m_lastRoom;
        m_roomsByNumber.emplace(m_lastRoom, room);
    }
    operation.room = room;
    m_hub.add(operation.channel, id);
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
        feed(id, AcquireFsm::Unanswered{ { ErrorCode::Cancelled, "not wanted any more", {} }, false });
    else
        send(id, operation);
}

void Waits::send(Id id, Operation &operation)
{
    if (!isReady(operation))
        return feed(id, AcquireFsm::Unanswered{ { ErrorCode::ConnectionClosed, "not connected", {} }, false });
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
    heardOfHolder(found->second, *answer);
    feed(id, AcquireFsm::Replied{ *answer, QRandomGenerator::global()->generateDouble() });
}

// A message wakes one. Of the time that the next holder has, the others know nothing but by the answer to that one.
void Waits::heardOfHolder(const Operation &operation, const TryReply &reply)
{
    const auto room = m_rooms.find(operation.channel);
    const auto left = reply.acquired ? operation.plan->lease() : reply.pause;
    if (room == m_rooms.end() || left == Millis(0)) // it asks again soon by itself
        return;
    if (left)
        m_holders.arm(room->second.number, monoNow() + *left + Millis(1)); // the server drops the fractions
    else
        m_holders.disarm(room->second.number);
}

void Waits::holderIsOver(std::uint64_t room)
{
    for (const Id id : m_roomsByNumber.at(room)->second.order.firsts())
        m_inputs.emplace_back(id, AcquireFsm::Woken{});
    processInputs();
}

// Another wait of the same thread stands in the same place of the queue.
void Waits::giveUp(Id id, Operation &operation)
{
    const auto &sameOwner = m_hub.waiters(operation.channel);
    if (sameOwner.size() == sameOwner.count(id))
        operation.plan->giveUp();
}

void Waits::finish(Operation &operation, const AcquireFsm::Finish &end)
{
    if (end.acquired)
        operation.plan->acquired();
    Result<AcquireOutcome> outcome = AcquireOutcome{ end.acquired, end.holderTtl, end.waited, {}, end.head };
    if (end.error)
        outcome = tl::unexpected(inContext(*end.error, *operation.plan));
    operation.plan->finish(outcome);
}

void Waits::updateRoom(Id id, Operation &operation)
{
    using Readiness = WakeOrder::Readiness;
    if (!operation.room)
        return;
    const AcquireFsm &fsm = operation.fsm;
    const bool mayMiss = fsm.isTrying() && !fsm.willTryAgain(); // also of a second message: its try may be older
    const Readiness readiness = fsm.isWaiting() ? Readiness::Asleep : mayMiss ? Readiness::Trying : Readiness::Unfit;
    if (readiness != operation.readiness)
        (*operation.room)->second.order.set(id, operation.share, readiness);
    operation.readiness = readiness;
}

void Waits::leaveRoom(Id id, Operation &operation)
{
    if (!operation.room)
        return;
    const Room room = *std::exchange(operation.room, {});
    room->second.order.set(id, operation.share, WakeOrder::Readiness::Unfit);
    if (operation.fsm.hasUnusedWakeUp() && !m_endingAll)
        passOn(room->second.order.insteadOf(operation.share));
    m_hub.remove(operation.channel, id);
    if (!m_hub.waiters(operation.channel).empty())
        return;
    m_holders.disarm(room->second.number);
    m_roomsByNumber.erase(room->second.number);
    m_rooms.erase(room);
}

void Waits::passOn(std::optional<Id> waiter)
{
    if (waiter)
        feed(*waiter, AcquireFsm::Woken{});
}

void Waits::messageCame(const std::string &channel, const std::string &payload)
{
    const auto room = m_rooms.find(channel);
    if (room == m_rooms.end())
        return;
    for (const Id id : room->second.order.wokenBy(payload))
        m_inputs.emplace_back(id, AcquireFsm::Woken{});
    processInputs();
}

} // namespace lockcore
