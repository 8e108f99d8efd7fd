// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/client/withdrawals.h"

#include <QTimer>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace lockcore {

/// What a wait that is over leaves to be put right on the server. Sent on the next turn of the event loop, or when
/// there is a connection, and again for a while when the server refuses for now. The newest first: to leave a queue at
/// its end moves nobody.
class CleanUps {
public:
    struct Task {
        LockName name;
        ScriptCall call;
        /// A queue's: left for good, unless somebody takes it again. Its script takes a latch as last key, and as last
        /// argument the latch's time to live, or nothing where it is not to be written.
        std::string place = {};
        bool repeatable = true; // false: once sent, a second time could do harm
    };

    CleanUps(ClientCore &core, Withdrawals &withdrawals);
    ~CleanUps();

    std::function<void(const Error &)> failed = [](const Error &) {}; // called where something stays undone

    void start(Task task);
    void withdraw(const std::string &place); // it is about to be taken again
    void connected();
    void failAll(const Error &error);
    bool isEmpty() const { return m_pending.empty() && !m_isScheduled; }
    bool isPutOff() const { return m_isScheduled || m_pending.size() > m_unanswered; } // until it can be sent

private:
    struct Pending {
        Task task;
        std::string requestId = {}; // of a task with a place
        int attempts = 0;
        bool isUnderWay = false;
        bool isAnswerLost = false; // to an earlier attempt: a copy of it may come late
        bool isUnwanted = false; // its place is taken again
    };
    using Number = std::uint64_t;
    void send(Number number, Pending &pending);
    void answered(Number number, const Result<protocol::Reply> &reply);
    void end(Number number);
    void giveUp(const Task &task, Error why);
    void sendAll();

    ClientCore &m_core;
    Withdrawals &m_withdrawals;
    std::map<Number, Pending> m_pending;
    std::multimap<std::string, Number> m_places; // of those that have one
    Number m_lastNumber = 0;
    std::size_t m_unanswered = 0;
    bool m_isScheduled = false;
    QTimer m_retry;
};

} // namespace lockcore
