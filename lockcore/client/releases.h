// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/channel_waiters.h"
#include "lockcore/client/clean_ups.h"
#include "lockcore/client/client_core.h"
#include "lockcore/client/deadline_timer.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <QTimer>
#include <cstdint>
#include <map>
#include <optional>

namespace lockcore::client {

/// Unlocks under way. One whose answer was lost with the connection is sent again as the same unlock: the latch in
/// Redis remembers what it did, and stays there, since copies of it may come late. One that the server refuses for now
/// is sent again too. One that ends with an error is over for its hold only: what else the thread holds goes on. If the
/// answer says that this is gone too, ClientEvents::lost tells it of what was renewed.
/// Also the giving back of holds that the server counts and nobody knows of.
/// Source: Redisson: RedissonBaseLock.unlockInnerAsync and getUnlockLatchName.
class Releases {
public:
    Releases(ClientCore &core, CleanUps &cleanUps, ChannelWaiters &waiters);
    ~Releases();

    void start(const HoldKey &key, const synchronizers::LockBehaviour &behaviour, ReleaseHandler handler);
    /// Holds that this client does not know of when it is sent: of tries whose answers were lost. Tried until the lease
    /// of what may be there has surely ended.
    void giveBack(const HoldKey &key, const synchronizers::LockBehaviour &behaviour, Millis lease);
    void connected(); // sends what waits for the connection
    void failAll(const Error &error);
    void deleteSpentLatches(); // now, not in a while
    bool isGivingBack() const { return m_givingBack > 0; }
    bool isEmpty() const { return m_pending.empty() && m_latchesLeft == 0; }

private:
    struct Pending {
        HoldKey key;
        synchronizers::UnlockCall call;
        const synchronizers::LockBehaviour *behaviour;
        ReleaseHandler handler; // may be empty
        int losses = 0; // of the answer
        bool isUnderWay = false; // sent, and not answered
        Error lastError;
        std::optional<ChannelWaiters::HandOver> handOver = {}; // while its outcome is open
        bool isSurplus = false; // nobody knows of it, and it is given back
        bool hasTurn = false; // in its place
    };
    std::uint64_t add(const HoldKey &key, const synchronizers::LockBehaviour &behaviour, ReleaseHandler handler);
    void takeTurn(std::uint64_t id, HoldTurns::Rank rank);
    void send(std::uint64_t id);
    void beginHandOver(Pending &pending);
    void endHandOver(Pending &pending, bool released);
    void answered(std::uint64_t id, const Result<protocol::Reply> &reply);
    void deleteLatchSoon(const Pending &pending);
    void deleteLatches(protocol::Command command, const LockName &name);
    void notHeld(std::uint64_t id, const Error &error);
    void released(std::uint64_t id, std::int64_t left);
    void gaveBack(std::uint64_t id, std::int64_t left);
    void finish(std::uint64_t id, Result<ReleaseOutcome> outcome);
    void dropHold(const HoldKey &key, const Error &why);

    ClientCore &m_core;
    CleanUps &m_cleanUps; // of releases that were given up
    ChannelWaiters &m_waiters;
    DeadlineTimer m_deadlines;
    DeadlineTimer m_retries;
    std::map<std::uint64_t, Pending> m_pending;
    std::uint64_t m_lastId = 0;
    protocol::Command m_spentLatches; // their deletion, to be sent; empty: there are none
    LockName m_spentName; // of one of their locks
    QTimer m_spentTimer;
    int m_givingBack = 0;
    int m_latchesLeft = 0; // deletions not answered, or not sent
};

} // namespace lockcore::client
