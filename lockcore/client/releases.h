// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/client/deadlines.h"
#include "lockcore/client/waits.h"
#include "lockcore/client/withdrawals.h"
#include "lockcore/synchronizers/lock_behaviour.h"

#include <QTimer>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace lockcore {

/// Unlocks under way. One whose answer was lost with the connection is sent again as the same unlock: the latch in
/// Redis remembers what it did, and stays there, since copies of it may come late. One that the server refuses for now
/// is sent again too. One that ends with an error is over for its hold only: what else the thread holds goes on.
/// Also the giving back of holds that the server counts and nobody knows of.
/// Source: wire format, section 1.4.
class Releases {
public:
    /// The answer to a release says that what else the thread holds there is gone too; no longer in the table.
    using LostHandler = std::function<void(const HoldKey &)>;

    Releases(ClientCore &core, Waits &waits, Withdrawals &withdrawals, LostHandler lost);
    ~Releases();

    std::function<void(const Error &)> failed = [](const Error &) {}; // called where something is not given back

    void start(const HoldKey &key, const LockBehaviour &behaviour, ReleaseHandler handler);
    /// Holds that this client does not know of when it is sent: of tries whose answers were lost. Tried until the lease
    /// of what may be there has surely ended.
    void giveBack(const HoldKey &key, const LockBehaviour &behaviour, Millis lease);
    void connected(); // sends what waits for the connection
    void failAll(const Error &error);
    void deleteSpentLatches(); // now, not in a while
    bool isGivingBack() const { return m_givingBack > 0; }
    bool isEmpty() const { return m_pending.empty() && m_latchesLeft == 0; }

private:
    struct Pending {
        HoldKey key;
        UnlockCall call;
        const LockBehaviour *behaviour;
        ReleaseHandler handler; // may be empty
        int losses = 0; // of the answer
        bool isUnderWay = false; // sent, and not answered
        Error lastError;
        std::string channel = {}; // where the waiters of a lock with one holder listen
        std::optional<std::uint64_t> nextWaiter = {}; // the wait that tries right behind
        bool isSurplus = false; // nobody knows of it, and it is given back
        bool hasTurn = false; // in its place
    };
    std::uint64_t add(const HoldKey &key, const LockBehaviour &behaviour, ReleaseHandler handler);
    void takeTurn(std::uint64_t id, HoldTurns::Rank rank);
    void send(std::uint64_t id);
    void handOver(Pending &pending);
    void handedOver(Pending &pending, bool released);
    void answered(std::uint64_t id, const Result<protocol::Reply> &reply);
    void deleteLatchSoon(const Pending &pending);
    void deleteLatches(protocol::Command command, const LockName &name);
    void notHeld(std::uint64_t id, const Error &error);
    void released(std::uint64_t id, std::int64_t left);
    void gaveBack(std::uint64_t id, std::int64_t left);
    void finish(std::uint64_t id, Result<ReleaseOutcome> outcome);
    void dropHold(const HoldKey &key, const Error &why);

    ClientCore &m_core;
    Waits &m_waits;
    Withdrawals &m_withdrawals; // of releases that were given up
    const LostHandler m_lost;
    Deadlines m_deadlines;
    Deadlines m_retries;
    std::map<std::uint64_t, Pending> m_pending;
    std::uint64_t m_lastId = 0;
    protocol::Command m_spentLatches; // their deletion, to be sent; empty: there are none
    LockName m_spentName; // of one of their locks
    QTimer m_spentTimer;
    int m_givingBack = 0;
    int m_latchesLeft = 0; // deletions not answered, or not sent
};

} // namespace lockcore
