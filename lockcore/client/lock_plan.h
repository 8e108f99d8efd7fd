// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/clean_ups.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/wait_plan.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <functional>
#include <optional>

namespace lockcore {

/// What the waits for locks set off in the rest of the client.
struct LockPlanContext {
    ClientCore &core;
    CleanUps &cleanUps;
    std::function<void(const HoldKey &, std::optional<Millis> lease)> acquired;
    std::function<void(const HoldKey &, const LockBehaviour &)> release; // got when it was no longer wanted
};

/// A wait for a lock, of whatever kind.
class LockPlan : public WaitPlan {
public:
    LockPlan(LockPlanContext &context, AcquireRequest request, const LockBehaviour &behaviour, AcquireHandler handler);

    const LockName &name() const override { return m_key.target.name; }
    AcquireFsm::Settings settings() const override;
    std::string channel() const override { return m_channel; }
    WakeOrder::Message messages() const override { return WakeOrder::Message::Lock; }
    WakeOrder::Share share() const override;

    ScriptCall attempt(bool answerWasLost) override;
    Result<TryReply> read(const protocol::Reply &reply) override;

    void acquired() override;
    void giveUp() override;
    void undo() override;
    void finish(const Result<AcquireOutcome> &outcome) override;

private:
    bool isOneTry() const { return m_wait == Millis(0); }
    bool linesUp() const { return m_behaviour.giveUp && !isOneTry(); }

    LockPlanContext &m_context;
    const LockBehaviour &m_behaviour;
    HoldKey m_key;
    std::optional<Millis> m_lease; // absent: the watchdog's
    std::optional<Millis> m_wait;
    TryCall m_call;
    std::string m_channel;
    std::optional<std::int64_t> m_token;
    AcquireHandler m_handler;
};

} // namespace lockcore
