// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/soak.h"

#include "tests/bench/soak_crowd.h"
#include "tests/bench/watched_monitor.h"
#include "tests/support/redis_cluster.h"

#include <QCoreApplication>
#include <QFile>
#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <unistd.h>
#include <utility>

using namespace Qt::StringLiterals;

namespace lockbench {

using lockcore::Millis;
using lockcore::protocol::Command;
using testsupport::BlockingClient;
using testsupport::RedisCluster;

namespace {

constexpr int Nodes = 2 * RedisCluster::Masters;
constexpr int Crowds = 4;
constexpr Millis LookEvery{ 100 };
constexpr qint64 TroubleEveryMs = 7'000;
constexpr qint64 TellEveryMs = 10'000;
constexpr qint64 MostMs = 1'000; // that the two may disagree

using Fields = std::map<std::string, std::string>; // of the lock's hash

/// What the servers themselves say of one lock, and since when the monitor says something else.
struct Watched {
    std::optional<Fields> fields; // absent: nobody could be asked
    int node = -1; // that keeps it
    std::optional<qint64> differsSince; // from the same fields
    bool told = false;
};

Fields fieldsOf(const lockcore::protocol::Reply::Array &reply)
{
    Fields fields;
    for (std::size_t i = 0; i + 1 < reply.size(); i += 2) {
        if (reply[i].bulk() && reply[i + 1].bulk())
            fields[*reply[i].bulk()] = *reply[i + 1].bulk();
    }
    return fields;
}

Fields fieldsOf(const lockcore::monitor::LockState *lock)
{
    Fields fields;
    if (lock) {
        for (const auto &holder : lock->holders)
            fields[toString(holder.owner)] = std::to_string(holder.count);
    }
    return fields;
}

std::string text(const Fields &fields)
{
    std::string result;
    for (const auto &[field, value] : fields)
        result += ' ' + field + '=' + value;
    return result.empty() ? " free" : result;
}

double residentMegabytes()
{
    QFile file(u"/proc/self/statm"_s);
    return file.open(QIODevice::ReadOnly)
        ? file.readAll().split(' ').at(1).toDouble() * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20)
        : 0;
}

class Soak {
public:
    explicit Soak(Millis duration)
        : m_duration(duration)
    {
    }

    int run()
    {
        if (!m_cluster.start()) {
            std::fprintf(stderr, "the cluster did not start\n");
            return 1;
        }
        for (int number = 0; number < Nodes; ++number)
            connectTo(number);
        for (auto &crowd : m_crowds)
            startCrowd(crowd);
        m_monitor.emplace(m_cluster.deployment());
        m_elapsed.start();
        std::printf("%8s %10s %7s %10s %9s %6s %9s %9s %12s\n", "s", "memory/MB", "locks", "renewals", "not live",
            "kills", "failovers", "moves", "disagreements");
        while (m_elapsed.elapsed() < m_duration.count()) {
            m_monitor->wait(LookEvery);
            readDirectly();
            compare();
            if (m_elapsed.elapsed() >= m_nextTrouble)
                makeTrouble();
            if (m_elapsed.elapsed() >= m_nextLine)
                tell();
        }
        tell();
        return m_disagreements == 0 ? 0 : 1;
    }

    ~Soak()
    {
        for (auto &crowd : m_crowds) {
            crowd.kill();
            crowd.waitForFinished();
        }
    }

private:
    int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }

    void connectTo(int number)
    {
        m_clients.at(static_cast<std::size_t>(number))
            = std::make_unique<BlockingClient>(m_cluster.node(number).socketPath().toStdString());
    }

    void startCrowd(QProcess &crowd)
    {
        crowd.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        crowd.start(QCoreApplication::applicationFilePath(),
            { u"--crowd"_s, QString::fromStdString(m_cluster.deployment().display()) });
    }

    /// Plain HGETALLs at every node: one that does not keep the slot says so.
    void readDirectly()
    {
        std::vector<Command> commands;
        for (int lock = 0; lock < SoakLocks; ++lock)
            commands.push_back({ "HGETALL", soakLock(lock) });
        std::vector<Watched> found(SoakLocks);
        for (int number = 0; number < Nodes; ++number) {
            const auto replies = m_clients.at(static_cast<std::size_t>(number))->runAll(commands);
            if (replies.empty() || replies.front().isNil())
                connectTo(number);
            for (std::size_t lock = 0; lock < replies.size(); ++lock) {
                if (const auto *array = replies[lock].array()) {
                    found[lock].fields = fieldsOf(*array);
                    found[lock].node = number;
                }
            }
        }
        for (std::size_t lock = 0; lock < found.size(); ++lock) {
            if (m_locks[lock].fields == found[lock].fields && m_locks[lock].node == found[lock].node)
                continue;
            if (m_locks[lock].told)
                tellEnd(static_cast<int>(lock), "the servers say otherwise");
            m_locks[lock] = std::move(found[lock]);
        }
    }

    void compare()
    {
        const auto snapshot = m_monitor->service.latest();
        if (snapshot->status.phase != lockcore::monitor::SourcePhase::Live)
            ++m_looksNotLive; // it says that it does not know
        for (int number = 0; number < SoakLocks; ++number) {
            Watched &watched = m_locks.at(static_cast<std::size_t>(number));
            const auto shown = snapshot->locks.find(soakLock(number));
            const auto *lock = shown.get();
            const bool isKnown = lock ? !lockcore::monitor::staleSince(*snapshot, *lock)
                                      : snapshot->status.phase == lockcore::monitor::SourcePhase::Live;
            if (!isKnown || !watched.fields || *watched.fields == fieldsOf(lock)) {
                if (std::exchange(watched.told, false))
                    tellEnd(number, isKnown ? "they agree" : "the monitor says that it does not know");
                watched.differsSince.reset();
                continue;
            }
            watched.differsSince = watched.differsSince.value_or(m_elapsed.elapsed());
            if (m_elapsed.elapsed() - *watched.differsSince > MostMs && !watched.told)
                tellDisagreement(watched, number, lock);
        }
    }

    void tellDisagreement(Watched &watched, int number, const lockcore::monitor::LockState *lock)
    {
        watched.told = true;
        ++m_disagreements;
        std::printf("%8.1f s: %s: the server says%s, the monitor%s\n", static_cast<double>(m_elapsed.elapsed()) / 1e3,
            soakLock(number).c_str(), text(*watched.fields).c_str(), text(fieldsOf(lock)).c_str());
    }

    void tellEnd(int number, const char *how)
    {
        const qint64 lasted = m_elapsed.elapsed() - *m_locks.at(static_cast<std::size_t>(number)).differsSince;
        std::printf("%8.1f s: %s: %s after %.1f s\n", static_cast<double>(m_elapsed.elapsed()) / 1e3,
            soakLock(number).c_str(), how, static_cast<double>(lasted) / 1e3);
    }

    void makeTrouble()
    {
        m_nextTrouble = m_elapsed.elapsed() + TroubleEveryMs;
        switch (m_troubles++ % 3) {
        case 0:
            return killCrowd();
        case 1:
            return failOver();
        default:
            moveSlot();
        }
    }

    void killCrowd()
    {
        QProcess &crowd = m_crowds.at(static_cast<std::size_t>(below(Crowds)));
        crowd.kill();
        crowd.waitForFinished();
        startCrowd(crowd);
        ++m_kills;
    }

    /// Every other time the master dies, and comes back as a replica.
    void failOver()
    {
        const int first = below(Nodes);
        for (int i = 0; i < Nodes; ++i) {
            const int number = (first + i) % Nodes;
            const auto role = m_cluster.run(number, { "ROLE" });
            const bool isMaster
                = role.array() && role.array()->front() == lockcore::protocol::Reply(std::string("master"));
            if (m_failovers % 2 == 0 && !isMaster) {
                m_cluster.run(number, { "CLUSTER", "FAILOVER" });
                break;
            }
            if (m_failovers % 2 == 1 && isMaster && !role.array()->at(2).array()->empty()) {
                m_cluster.node(number).kill();
                m_monitor->wait(Millis(5'000));
                m_cluster.node(number).restart();
                break;
            }
        }
        ++m_failovers;
    }

    void moveSlot()
    {
        const int lock = below(SoakLocks);
        const int from = m_locks.at(static_cast<std::size_t>(lock)).node;
        int to = -1;
        for (const Watched &other : m_locks)
            to = other.node >= 0 && other.node != from ? other.node : to;
        if (from < 0 || to < 0)
            return;
        m_cluster.move(m_cluster.slotOf(soakLock(lock)), from, to);
        ++m_moves;
    }

    void tell()
    {
        m_nextLine = m_elapsed.elapsed() + TellEveryMs;
        std::printf("%8.0f %10.1f %7zu %10lld %9d %6d %9d %9d %12d\n", static_cast<double>(m_elapsed.elapsed()) / 1e3,
            residentMegabytes(), m_monitor->service.latest()->locks.size(),
            static_cast<long long>(m_monitor->renewalsSeen), m_looksNotLive, m_kills, m_failovers, m_moves,
            m_disagreements);
        std::fflush(stdout);
    }

    const Millis m_duration;
    RedisCluster m_cluster{ 1 };
    std::array<std::unique_ptr<BlockingClient>, Nodes> m_clients;
    std::array<QProcess, Crowds> m_crowds;
    std::optional<WatchedMonitor> m_monitor;
    std::vector<Watched> m_locks{ SoakLocks };
    std::mt19937 m_random{ std::random_device{}() };
    QElapsedTimer m_elapsed;
    qint64 m_nextTrouble = TroubleEveryMs;
    qint64 m_nextLine = 0;
    int m_troubles = 0;
    int m_looksNotLive = 0;
    int m_kills = 0;
    int m_failovers = 0;
    int m_moves = 0;
    int m_disagreements = 0;
};

} // namespace

int soak(Millis duration) { return Soak(duration).run(); }

} // namespace lockbench
