// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/interop/keyspace_dump.h"
#include "tests/interop/peer_process.h"
#include "tests/support/redis_server.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace interop {

/// Who acts, in the words of a dump.
inline std::string alias(int client, int thread)
{
    return std::string("client") + char('A' + client) + ":thread" + std::to_string(thread);
}

/// One step of a story. `%1` in a command is the name of what the story is about, `#3` the third permit given out.
struct StoryStep {
    int client = 0;
    int thread = 0;
    QByteArray command; // without tag and thread: `lock` and `fair %1 - -`
    QByteArray arguments;
    bool waits = false; // not answered before another step makes it so
};

/// The same story lived twice: by lockcore on one server and by Redisson on another.
/// After each step both have to answer alike, and to leave the same behind.
class Twins {
public:
    static constexpr int Clients = 2;
    static constexpr int Threads = 2;

    /// Waits show as subscriptions: one a thread (fair locks), or one for all; which Redisson may leave behind.
    enum class Channels { PerThread, Shared, SharedAndMayStay };
    /// Whether a wait is about to end as things are.
    using Proceeds = bool (*)(const KeyspaceDump &dump, const std::string &name, const StoryStep &wait);

    explicit Twins(Language other);

    /// Empty: done.
    QString start();
    void begin(const QByteArray &name, Channels channels, Proceeds proceeds);
    /// What differs after the step, empty: nothing.
    std::string play(const StoryStep &step);
    void end(); // of the story: whatever waits is cancelled

    bool isWaiting(int client, int thread) const { return waiting(client, thread) != nullptr; }
    std::size_t waitingCount() const { return m_waits.size(); }
    /// How often Redisson slept on though its lock was free, until it was told once more.
    int nudges() const { return m_nudges; }
    const KeyspaceDump &found() const { return m_ours; }
    const std::string &about() const { return m_about; }
    int permitsGiven() const { return m_permits; }
    /// By how much times may differ: as long as the longest step took until both had done it, since it was done by the
    /// one at its begin at the earliest and by the other at its end at the latest. Nothing adds up: a time is set from
    /// the clock, or moved by numbers that both have from the step.
    std::int64_t toleranceMs() const { return m_toleranceMs; }

private:
    struct Side {
        testsupport::RedisServer server;
        std::unique_ptr<testsupport::BlockingClient> redis;
        std::array<std::unique_ptr<PeerProcess>, Clients> peers;
        Aliases owners;
        Aliases permits;
    };
    struct Wait {
        StoryStep step;
        std::array<QByteArray, 2> tags;
    };
    void warmUp();
    void nudge();
    const Wait *waiting(int client, int thread) const;
    std::string settle();
    std::string unsettled();
    std::string collectAnswers();
    QByteArray common(Side &side, QByteArray answer);
    Aliases aliases(const Side &side) const;
    bool isAwaited() const;

    std::array<Side, 2> m_sides; // ours, theirs
    std::array<Language, 2> m_languages;
    QByteArray m_name;
    std::string m_about;
    std::vector<Wait> m_waits; // not answered yet
    Channels m_channels = Channels::Shared;
    Proceeds m_proceeds = nullptr;
    std::int64_t m_toleranceMs = 0;
    int m_permits = 0;
    int m_nudges = 0;
    KeyspaceDump m_ours;
    KeyspaceDump m_theirs;
};

} // namespace interop
