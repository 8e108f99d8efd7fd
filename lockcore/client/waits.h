// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/channel_waiters.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/deadline_timer.h"
#include "lockcore/synchronizers/acquire_fsm.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace lockcore::client {

inline synchronizers::AcquireFsm::Settings waitSettings(const ClientTimes &times, std::optional<Millis> wait)
{
    synchronizers::AcquireFsm::Settings settings;
    settings.wait = wait;
    settings.longestPause = times.lookAtLocks;
    settings.pauseInTrouble = times.inTrouble;
    settings.pauseOffline = times.offline;
    settings.graceForReply = times.grace;
    return settings;
}

/// What is waited for: how a try is made and read, where a chance is told, and what follows the end.
/// Everything else is the same for locks, permits and gates, see Waits.
class WaitPlan {
public:
    virtual ~WaitPlan() = default;

    virtual const LockName &name() const = 0;
    virtual Said tried() const { return { Phrase::Acquiring, { name() } }; } // for errors
    virtual synchronizers::AcquireFsm::Settings settings() const = 0;
    virtual std::string channel() const = 0; // empty with settings().polls
    virtual WakeOrder::Message messages() const = 0; // what those on the channel mean
    virtual WakeOrder::Share share() const { return {}; } // which of them are for this wait

    /// Where this wait has its turn to try, see HoldTurns; empty: it tries at any time.
    virtual std::string place() const { return {}; }
    virtual synchronizers::ScriptCall attempt() = 0;
    /// What the wait gets ends by itself that long after the try, unless it is renewed; absent: it never does.
    virtual std::optional<Millis> lease() const { return std::nullopt; }
    virtual Result<synchronizers::TryReply> read(const protocol::Reply &reply) = 0;

    virtual void answerLost() { } // to an attempt that was sent: a copy of it may still come
    virtual void acquired() { }
    virtual void giveUp() { } // only with settings().leavesQueue
    /// What was acquired, or with settings().repeatable may have been, is not wanted any more.
    virtual void undo() = 0;
    virtual void finish(const Result<AcquireOutcome> &outcome) = 0;
};

/// All that this client waits for: each wait has a plan, which knows what is waited for, and a state machine
/// (AcquireFsm), which knows when to try; what the machine asks for is carried out here. Tries of one place have their
/// turns (HoldTurns); who is woken when is up to ChannelWaiters.
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

    ChannelWaiters &channels() { return m_channels; }
    bool isEmpty() const { return m_operations.empty(); }

private:
    using Id = std::uint64_t;
    using Input = synchronizers::AcquireFsm::Input;

    struct Operation {
        std::unique_ptr<WaitPlan> plan;
        synchronizers::AcquireFsm fsm;
        std::string channel;
        std::string place;
        bool hasTurn = false; // the try under way, in that place
        bool isOnChannel = false; // it has subscribed, or is about to
    };

    void feed(Id id, Input input);
    void feedAll(const Input &input, const std::function<bool(const Operation &)> &isMeant);
    void processInputs();
    void process(Id id, const Input &input);
    void perform(Id id, Operation &operation, const synchronizers::AcquireFsm::Action &action);
    void subscribe(Id id, Operation &operation);
    void sendTry(Id id, Operation &operation);
    void turnCame(Id id, const std::string &place);
    void send(Id id, Operation &operation);
    void answered(Id id, const Result<protocol::Reply> &reply);
    void giveUp(Id id, Operation &operation);
    void finish(Id id, Operation &operation, const synchronizers::AcquireFsm::Finish &end);
    void tellReadiness(Id id, const Operation &operation);
    bool isReady(const Operation &operation) const { return m_core.isReadyFor(operation.plan->name()); }

    ClientCore &m_core;
    DeadlineTimer m_deadlines;
    ChannelWaiters m_channels;
    std::map<Id, Operation> m_operations;
    std::deque<std::pair<Id, Input>> m_inputs;
    bool m_processing = false;
    bool m_endingAll = false;
};

} // namespace lockcore::client
