// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/channel_hub.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/deadline_queue.h"
#include "lockcore/synchronizers/acquire_fsm.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lockcore {

/// Acquires under way: carries out what each one's state machine asks for.
class Waits {
public:
    struct Callbacks {
        std::function<void(const HoldKey &, std::optional<Millis> lease)> acquired;
        std::function<void(const HoldKey &, const LockBehaviour &)> release; // got when it was no longer wanted
    };

    Waits(ClientCore &core, Callbacks callbacks);

    void start(
        std::uint64_t id, AcquireRequest request, const LockBehaviour &behaviour, LockClient::AcquireHandler handler);
    void refuse(std::uint64_t id, const Error &error); // there is no connection
    void cancel(std::uint64_t id);
    void cancelAll();

    void connected();
    void disconnected(const Error &error);
    void messagesMissed(); // all try again
    bool isEmpty() const { return m_operations.empty() && m_giveUpsSent == 0; }

private:
    struct Operation {
        HoldKey key;
        TryCall call;
        std::optional<Millis> lease; // absent: the watchdog's
        const LockBehaviour *behaviour;
        LockClient::AcquireHandler handler;
        std::string channel;
        AcquireFsm fsm;
    };
    using Input = AcquireFsm::Input;

    void feed(std::uint64_t id, Input input);
    void feedAll(const Input &input, const std::function<bool(const Operation &)> &isMeant);
    bool isReady(const Operation &operation) const;
    void process(std::uint64_t id, const Input &input);
    void perform(std::uint64_t id, Operation &operation, const AcquireFsm::Action &action);
    void sendTry(std::uint64_t id, Operation &operation, bool answerWasLost);
    void answered(std::uint64_t id, const Result<protocol::Reply> &reply);
    void finish(std::uint64_t id, Operation &operation, const AcquireFsm::Finish &end);
    void giveUp(std::uint64_t id, const Operation &operation);
    void sendGiveUp(const std::pair<HoldKey, ScriptCall> &giveUp);
    void wakeOne(const std::string &channel);
    void wakeAll(const std::string &channel);

    ClientCore &m_core;
    Callbacks m_callbacks;
    DeadlineQueue m_deadlines;
    ChannelHub m_hub;
    std::map<std::uint64_t, Operation> m_operations;
    std::map<HoldKey, ScriptCall> m_giveUps; // to be sent when the connection is back
    int m_giveUpsSent = 0;
    std::deque<std::pair<std::uint64_t, Input>> m_inputs;
    bool m_processing = false;
};

} // namespace lockcore
