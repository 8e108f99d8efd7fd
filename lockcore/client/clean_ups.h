// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"

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
        std::string place = {}; // a queue's: left for good, unless somebody takes it again
        bool repeatable = true; // false: once sent, a second time could do harm
    };

    explicit CleanUps(ClientCore &core);
    ~CleanUps();

    std::function<void(const Error &)> failed = [](const Error &) {}; // called where something stays undone

    void start(Task task);
    void withdraw(const std::string &place); // it is taken again
    void connected();
    void failAll(const Error &error);
    bool isEmpty() const { return m_unanswered == 0 && !isPutOff(); }
    bool isPutOff() const { return m_isScheduled || !m_pending.empty(); } // until it can be sent

private:
    struct Pending {
        Task task;
        std::uint64_t number = 0;
        int attempts = 0;
    };
    void send(Pending pending);
    void answered(Pending pending, const Result<protocol::Reply> &reply);
    void keep(Pending pending);
    void giveUp(const Task &task, Error why);
    void sendAll();

    ClientCore &m_core;
    std::multimap<std::string, Pending> m_pending; // by place
    std::uint64_t m_lastNumber = 0;
    int m_unanswered = 0;
    bool m_isScheduled = false;
    QTimer m_retry;
};

} // namespace lockcore
