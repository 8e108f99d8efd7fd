// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/client/client_core.h"
#include "lockcore/client/deadline_timer.h"

#include <QTimer>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace lockcore::client {

/// What is put right on the server after a wait or a request is over. Sent on the next turn of the event loop, or when
/// there is a connection, and again for a while when the server refuses for now. Where something stays undone,
/// ClientEvents::cleanUpFailed is told.
///
/// Late copies: when a connection breaks before the answer to a request has come, whoever passes that request on may
/// keep a copy, and deliver it long after what the client has sent since. Two things keep such a copy from doing harm.
/// A request with an id of its own has a latch on the server, as unlocks have: once that is written, a copy does
/// nothing. A try has a last moment after which it takes nothing: what was put right before that is put right once more
/// after it.
class CleanUps {
public:
    struct Task {
        LockName name;
        synchronizers::ScriptCall call;
        /// The place in a queue that the task leaves, unless somebody takes that place again. The script takes a latch
        /// as last key, and as last argument the latch's time to live, or nothing where it is not to be written.
        std::string place = {};
        bool repeatable = true; // false: once sent, a second time could do harm
    };

    explicit CleanUps(ClientCore &core);
    ~CleanUps();

    /// The newest task is sent first: to leave a queue at its end moves nobody.
    void start(Task task);
    void keepPlace(const std::string &place); // it is about to be taken again
    /// Nobody waits for this request any more: its latch is written.
    void withdraw(const LockName &name, const std::string &requestId);
    /// From now on a late copy of a try may come. `where`: what the copy acts on; the newest of several that act on the
    /// same is enough.
    void expectCopy(const std::string &where, std::function<void()> putRight);

    void connected(); // latches go first: before anything that a copy could harm
    void forgetCopies(); // copies matter to later holds only, and there will be none
    void failAll(const Error &error);
    bool isEmpty() const { return m_tasks.empty() && !m_isScheduled && m_copies.empty(); }
    /// Something cannot be sent yet.
    bool isPutOff() const { return m_isScheduled || m_tasks.size() > m_unanswered || !m_copies.empty(); }

private:
    using Number = std::uint64_t;
    struct Pending {
        Task task;
        std::string requestId = {}; // of a task with a place
        int attempts = 0;
        bool isUnderWay = false;
        bool isAnswerLost = false; // to an earlier attempt: a copy of it may come late
        bool isUnwanted = false; // its place is taken again
    };
    struct Withdrawal {
        LockName name;
        std::string latch;
        int attempts = 0;
        bool isUnderWay = false;
    };
    struct Copy {
        std::string where;
        std::function<void()> putRight;
    };

    void sendTasks();
    void sendTask(Number number, Pending &pending);
    void taskAnswered(Number number, const Result<protocol::Reply> &reply);
    void endTask(Number number);
    void giveUp(const Task &task, Error why);
    void sendWithdrawal(Number number);
    void withdrawalAnswered(Number number, const Result<protocol::Reply> &reply);
    void copyIsOver(Number number);

    ClientCore &m_core;
    Number m_lastNumber = 0;
    std::map<Number, Pending> m_tasks;
    std::multimap<std::string, Number> m_places; // of the tasks that belong to a place
    std::size_t m_unanswered = 0; // tasks
    bool m_isScheduled = false;
    QTimer m_taskRetry;
    std::map<Number, Withdrawal> m_withdrawals;
    DeadlineTimer m_withdrawalRetries;
    std::map<Number, Copy> m_copies;
    std::map<std::string, Number> m_copiesByWhere;
    DeadlineTimer m_lastMoments; // of the copies
};

} // namespace lockcore::client
