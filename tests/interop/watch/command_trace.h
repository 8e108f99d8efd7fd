// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace crowdwatch {

/// Since 1970, by the server's clock, which is that of this machine.
using Moment = std::chrono::microseconds;

/// A command as MONITOR prints it: also each one that a script calls, after the call of the script.
struct TracedCommand {
    Moment at;
    bool fromScript = false;
    std::vector<std::string> words;
};

/// A line of MONITOR: `1700000000.123456 [0 lua] "hincrby" "name" "…"`. Absent: it is none.
std::optional<TracedCommand> parseLine(std::string_view line);

/// What a server does, read by itself: nothing of lockcore takes part in it.
/// Thread: the sink is called on one of its own.
class CommandTrace {
public:
    CommandTrace(std::string socketPath, std::function<void(TracedCommand)> sink);
    ~CommandTrace(); // nothing is told any more when it returns

    bool isListening() const { return m_listening; }
    bool isBroken() const { return m_broken; } // something may be missing

private:
    void run();

    const std::string m_socketPath;
    const std::function<void(TracedCommand)> m_sink;
    std::atomic<bool> m_listening = false;
    std::atomic<bool> m_broken = false;
    std::atomic<bool> m_stopping = false;
    std::thread m_thread;
};

} // namespace crowdwatch
