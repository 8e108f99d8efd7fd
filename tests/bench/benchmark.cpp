// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchmark.h"

#include "tests/bench/bare_loop.h"
#include "tests/bench/hand_over.h"
#include "tests/bench/lock_pairs.h"
#include "tests/bench/redis_benchmark.h"
#include "tests/bench/redisson_peer.h"

#include <array>

using namespace Qt::StringLiterals;

namespace lockbench {

using lockcore::Millis;

namespace {

constexpr std::array<int, 3> Clients{ 1, 8, 64 };
constexpr double OfLimit = 0.9;
constexpr double OfPeer = 1.5;
constexpr double HandOverOfPeer = 0.8;
constexpr double MostWatchdogPercent = 2;

class Benchmark : BenchmarkInRounds {
public:
    explicit Benchmark(const Plan &plan)
        : BenchmarkInRounds(plan)
        , m_plan(plan)
    {
    }

    std::optional<std::vector<Row>> run()
    {
        if (!m_server.start())
            return std::nullopt;
        if (m_plan.redisson && startRedisson())
            warmUpRedisson();
        return measure([this] {
            for (const int clients : Clients)
                ownLocks(clients);
            for (const int clients : Clients)
                oneLock(clients);
            handOver();
            watchdogs();
        });
    }

private:
    using Series = std::vector<double> Row::*;

    bool startRedisson()
    {
        return m_redisson.start(
            QStringLiteral(LOCKBENCH_PEER_FOLDER), m_server.url(), m_plan.watchdogs.watchdogTimeout);
    }

    void warmUpRedisson()
    {
        for (const QString &lock : { u"own"_s, u"one"_s })
            m_redisson.ask(u"pairs 64 %1 0 %2"_s.arg(lock).arg(m_plan.redissonWarmUp.count()));
    }

    void note(Row &row, Series series, const std::optional<double> &value)
    {
        if (value)
            (row.*series).push_back(*value);
        m_server.cli({ u"FLUSHALL"_s });
    }

    Row pairsRow(const QString &name) const { return { name, u"pairs/s"_s, Better::Higher, OfLimit, OfPeer }; }

    struct Limits {
        std::optional<double> redisBenchmark;
        std::optional<double> bareLoop;
    };

    Limits limits(int connections)
    {
        const auto bare = bareRate(m_server.endpoint(), connections, m_plan.warmUp, m_plan.measured);
        m_server.cli({ u"FLUSHALL"_s });
        return { redisBenchmarkPairs(m_server, connections, m_plan.measured), bare };
    }

    void note(Row &row, const Limits &limits)
    {
        note(row, &Row::limit, limits.redisBenchmark);
        note(row, &Row::bare, limits.bareLoop);
    }

    std::optional<double> pairs(const PairLoad &load)
    {
        return lockPairs(m_server.endpoint(), load, m_plan.warmUp, m_plan.measured);
    }

    std::optional<double> redissonPairs(int threads, const QString &lock)
    {
        if (!m_redisson.isRunning())
            return std::nullopt;
        const auto answer = m_redisson.ask(
            u"pairs %1 %2 %3 %4"_s.arg(threads).arg(lock).arg(m_plan.warmUp.count()).arg(m_plan.measured.count()));
        return answer.size() == 1 ? std::optional(answer.front()) : std::nullopt;
    }

    void ownLocks(int clients)
    {
        const QString name = u"own locks, %1 clients"_s.arg(clients);
        if (!isWanted(name))
            return;
        const Limits limit = limits(clients);
        Row &separate = row(pairsRow(name));
        note(separate, limit);
        note(separate, &Row::ours, pairs({ clients, 1, false }));
        const auto peer = redissonPairs(clients, u"own"_s);
        note(separate, &Row::peer, peer);
        if (clients == 1)
            return;
        Row &shared = row(pairsRow(u"own locks, %1 users of a client"_s.arg(clients)));
        note(shared, limit);
        note(shared, &Row::ours, pairs({ 1, clients, false }));
        note(shared, &Row::peer, peer);
    }

    /// Its limit: one connection that has the lock for itself. Each pair is two answers, one after the other.
    void oneLock(int clients)
    {
        const QString name = u"one lock, %1 users of a client"_s.arg(clients);
        if (!isWanted(name) || clients == 1)
            return;
        Row &one = row(pairsRow(name));
        note(one, limits(1));
        note(one, &Row::ours, pairs({ 1, clients, true }));
        note(one, &Row::peer, redissonPairs(clients, u"one"_s));
        Row &separate = row({ u"one lock, %1 clients"_s.arg(clients), u"pairs/s"_s });
        note(separate, &Row::ours, pairs({ clients, 1, true }));
    }

    void handOver()
    {
        const QString name = u"hand-over"_s;
        if (!isWanted(name))
            return;
        const auto ours = handOvers(m_server.endpoint(), m_plan.handOvers);
        std::vector<double> peer;
        if (m_redisson.isRunning())
            peer = m_redisson.ask(u"handover %1"_s.arg(m_plan.handOvers));
        Row medians{ u"hand-over, median"_s, u"µs"_s, Better::Lower, {}, HandOverOfPeer };
        Row late{ u"hand-over, p99"_s, u"µs"_s, Better::Lower };
        noteLatencies(row(medians), ours, peer, 0.5);
        noteLatencies(row(late), ours, peer, 0.99);
    }

    void noteLatencies(Row &row, const std::vector<double> &ours, const std::vector<double> &peer, double share)
    {
        if (!ours.empty())
            note(row, &Row::ours, percentile(ours, share));
        if (!peer.empty())
            note(row, &Row::peer, percentile(peer, share));
    }

    void watchdogs()
    {
        const QString name = u"%1 watchdogs"_s.arg(m_plan.watchdogs.locks);
        if (!isWanted(name))
            return;
        Row &cpu = row({ name + u", CPU"_s, u"% of a core"_s, Better::Lower, {}, {}, MostWatchdogPercent });
        Row &renewals = row({ name + u", renewals told"_s, u"1/s"_s });
        if (const auto cost = watchdogCost(m_server.endpoint(), m_plan.watchdogs)) {
            note(cpu, &Row::ours, cost->cpuPercent);
            note(renewals, &Row::ours, cost->renewalsPerSecond);
        }
        if (!m_redisson.isRunning())
            return;
        const auto answer
            = m_redisson.ask(u"watchdogs %1 %2"_s.arg(m_plan.watchdogs.locks).arg(m_plan.watchdogs.measured.count()));
        if (answer.size() == 1)
            note(cpu, &Row::peer, answer.front());
    }

    const Plan m_plan;
    testsupport::RedisServer m_server;
    RedissonPeer m_redisson;
};

} // namespace

Plan quickPlan()
{
    Plan plan;
    plan.warmUp = Millis(20);
    plan.measured = Millis(100);
    plan.redissonWarmUp = Millis(200);
    plan.handOvers = 10;
    plan.watchdogs = { 300, Millis(1'500), Millis(500) };
    return plan;
}

std::optional<std::vector<Row>> measure(const Plan &plan) { return Benchmark(plan).run(); }

} // namespace lockbench
