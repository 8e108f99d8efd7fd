// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace lockbench {

/// Takes and releases locks at a steady pace from a thread of its own, with lockcore's scripts.
class LockChanges {
public:
    LockChanges(const testsupport::RedisServer &server, int perSecond);
    ~LockChanges(); // ends it

    /// Notes for each change when a snapshot first shows it.
    void seen(const lockcore::monitor::Snapshot &snapshot);
    /// From just before a change was sent to its snapshot, in milliseconds.
    const std::vector<double> &latencies() const { return m_latencies; }
    int unseen() const { return m_unseen; } // changed once more before it was shown
    double perSecond() const; // so far

private:
    using Clock = std::chrono::steady_clock;

    struct Change {
        int lock = 0;
        std::string thread; // of the new holder; empty: released
        Clock::time_point at;
    };

    void run();
    void change(testsupport::BlockingClient &client, int lock, std::string &holder, std::int64_t number);
    void fetch();

    const std::string m_socketPath;
    const int m_perSecond;
    const Clock::time_point m_begin = Clock::now();
    std::atomic<bool> m_stop = false;
    std::atomic<std::int64_t> m_done = 0;
    std::mutex m_mutex;
    std::vector<Change> m_changes; // guarded by it: not fetched yet
    std::vector<Change> m_pending;
    std::vector<double> m_latencies;
    int m_unseen = 0;
    std::thread m_thread;
};

} // namespace lockbench
