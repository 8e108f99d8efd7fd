// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/clean_ups.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/late_copies.h"
#include "lockcore/client/wait_plan.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <functional>
#include <optional>

namespace lockcore {

/// What the waits for locks set off in the rest of the client.
struct LockPlanContext {
    ClientCore &core;
    CleanUps &cleanUps;
    LateCopies &lateCopies;
    struct Got {
        std::optional<Millis> lease;
        MonoTime sent; // the try: from then on the lease runs
        std::int64_t unknownBefore = 0; // see TryReply
    };
    std::function<void(const HoldKey &, const LockBehaviour &, const Got &)> acquired;
    /// Got, or perhaps got, when it was no longer wanted.
    std::function<void(const HoldKey &, const LockBehaviour &, Millis lease, MonoTime sent)> giveBack;
    std::function<bool(const std::string &channel)> isListenedTo; // by somebody who waits

    void leaveQueue(const HoldKey &key, CleanUps::Task task); // unless somebody waits in that place again
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

    std::string place() const override { return placeOf(m_key); }
    ScriptCall attempt() override;
    std::optional<Millis> lease() const override { return m_call.lease; }
    Result<TryReply> read(const protocol::Reply &reply) override;

    void answerLost() override;
    void acquired() override;
    void giveUp() override;
    void undo() override;
    void finish(const Result<AcquireOutcome> &outcome) override;

private:
    bool isOneTry() const { return m_wait == Millis(0); }
    bool linesUp() const { return m_behaviour.giveUp && !isOneTry(); }
    CleanUps::Task leaving() const { return { m_key.target.name, m_behaviour.giveUp(m_call), m_channel }; }

    LockPlanContext &m_context;
    const LockBehaviour &m_behaviour;
    HoldKey m_key;
    std::optional<Millis> m_lease; // absent: the watchdog's
    std::optional<Millis> m_wait;
    TryCall m_call;
    std::string m_channel;
    MonoTime m_sent; // the last try
    TryReply m_reply; // to it
    AcquireHandler m_handler;
};

} // namespace lockcore
