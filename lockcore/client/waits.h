// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/channel_hub.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/deadlines.h"
#include "lockcore/client/wait_plan.h"
#include "lockcore/synchronizers/acquire_fsm.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace lockcore {

/// All that this client waits for: carries out what each one's state machine asks for. One timer, and one subscription
/// a channel, however many wait.
class Waits {
public:
    explicit Waits(ClientCore &core);

    void start(std::uint64_t id, std::unique_ptr<WaitPlan> plan);
    void refuse(std::uint64_t id, const Error &error); // there is no connection
    void cancel(std::uint64_t id);
    void cancelAll();

    void connected();
    void disconnected(const Error &error);
    void messagesMissed(); // all try again

    /// A hold of a lock with one holder is being given back, and whoever waits for it here longest tries right behind,
    /// in the same piece: the message that would wake it comes a round trip later. Absent: nobody is to.
    std::optional<std::uint64_t> handOver(const std::string &channel);
    /// What became of it. Released: with a message to `channel`.
    void handedOver(const std::string &channel, std::uint64_t nextWaiter, bool released);
    bool isListenedTo(const std::string &channel) const { return !m_hub.waiters(channel).empty(); }
    bool isEmpty() const { return m_operations.empty(); }

private:
    using Id = std::uint64_t;
    using Input = AcquireFsm::Input;
    struct Sleepers {
        WakeOrder order;
        std::uint64_t number; // of the deadline at which one of them looks
    };
    using Room = std::map<std::string, Sleepers>::iterator; // all that wait on one channel

    struct Operation {
        std::unique_ptr<WaitPlan> plan;
        AcquireFsm fsm;
        std::string channel;
        std::string place;
        WakeOrder::Share share;
        bool hasTurn = false; // the try under way, in that place
        std::optional<Room> room = {}; // once subscribed
        WakeOrder::Readiness readiness = WakeOrder::Readiness::Unfit; // as the room knows it
    };

    void feed(Id id, Input input);
    void feedAll(const Input &input, const std::function<bool(const Operation &)> &isMeant);
    void processInputs();
    void process(Id id, const Input &input);
    void perform(Id id, Operation &operation, const AcquireFsm::Action &action);
    bool join(Id id, Operation &operation);
    void subscribe(Id id, Operation &operation);
    void sendTry(Id id, Operation &operation);
    void turnCame(Id id, const std::string &place);
    void send(Id id, Operation &operation);
    void answered(Id id, const Result<protocol::Reply> &reply);
    void heardOfHolder(const Operation &operation, const TryReply &reply);
    void holderIsOver(std::uint64_t room);
    void giveUp(Id id, Operation &operation);
    void finish(Operation &operation, const AcquireFsm::Finish &end);
    void updateRoom(Id id, Operation &operation);
    void leaveRoom(Id id, Operation &operation);
    void passOn(std::optional<Id> waiter);
    void messageCame(const std::string &channel, const std::string &payload);
    bool isReady(const Operation &operation) const { return m_core.isReadyFor(operation.plan->name()); }

    ClientCore &m_core;
    Deadlines m_deadlines;
    Deadlines m_holders; // when one of a room is to look, since whoever has it by then may leave no word
    ChannelHub m_hub;
    std::map<Id, Operation> m_operations;
    std::map<std::string, Sleepers> m_rooms; // by channel
    std::map<std::uint64_t, Room> m_roomsByNumber;
    std::uint64_t m_lastRoom = 0;
    std::deque<std::pair<Id, Input>> m_inputs;
    bool m_processing = false;
    bool m_endingAll = false;
};

} // namespace lockcore
