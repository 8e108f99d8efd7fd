// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/lock_request.h"
#include "lockcore/client/wake_order.h"
#include "lockcore/synchronizers/acquire_fsm.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <optional>
#include <string>

namespace lockcore {

inline AcquireFsm::Settings waitSettings(const ClientTimes &times, std::optional<Millis> wait)
{
    AcquireFsm::Settings settings;
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
    virtual std::string tried() const { return "acquiring " + name(); } // for errors
    virtual AcquireFsm::Settings settings() const = 0;
    virtual std::string channel() const = 0; // empty with settings().polls
    virtual WakeOrder::Message messages() const = 0; // what those on the channel mean
    virtual WakeOrder::Share share() const { return {}; } // which of them are for this wait

    /// Those of one place are tried one after the other, since each counts on the answers to those before; empty: all
    /// at any time.
    virtual std::string place() const { return {}; }
    virtual ScriptCall attempt() = 0;
    /// What it gets ends by itself that long after the try, if it is not renewed; absent: it never does.
    virtual std::optional<Millis> lease() const { return std::nullopt; }
    virtual Result<TryReply> read(const protocol::Reply &reply) = 0;

    virtual void answerLost() { } // to an attempt that was sent: a copy of it may still come
    virtual void acquired() { } // it is ours
    virtual void giveUp() { } // only with settings().leavesQueue
    virtual void undo() = 0; // it was, or with settings().repeatable may have been, acquired and is not wanted
    virtual void finish(const Result<AcquireOutcome> &outcome) = 0;
};

} // namespace lockcore
