// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/monitor_figures.h"

#include "tests/bench/lock_changes.h"
#include "tests/bench/redis_benchmark.h"
#include "tests/bench/renewal_load.h"
#include "tests/bench/scan_loop.h"
#include "tests/bench/watched_monitor.h"
#include "tests/support/heap.h"

#include <algorithm>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace lockbench {

using lockcore::Millis;
using lockcore::service::MonitorOptions;

namespace {

constexpr double SweepOfScan = 1.4;
constexpr double SweepOfScanWithManyLocks = 2.2;
constexpr double SweepOfItsPages = 1.3;
constexpr int ManyLocks = 100'000;
constexpr double MostStepMs = 2;
constexpr double ForegroundOfAlone = 1.05;
constexpr double MostLatencyMs = 25;
constexpr double RenewalsOfServer = 0.3;
constexpr double MostBytesOfLock = 1'000;
constexpr double MostBytesBeside = 1'000'000; // whatever is watched: buffers of the connections, and what threads keep
constexpr double MostStartSeconds = 0.5;
constexpr double Shares[] = { 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7 };
constexpr Millis Patience{ 120'000 };
constexpr Millis Settling{ 1'500 }; // until nothing is left of a sweep
constexpr Millis MostLag{ 1'000 }; // of the last renewal

class MonitorFigures : BenchmarkInRounds {
public:
    explicit MonitorFigures(const MonitorPlan &plan)
        : BenchmarkInRounds(plan)
        , m_plan(plan)
    {
    }

    std::optional<std::vector<Row>> run()
    {
        if (!m_server.start() || !m_smallServer.start())
            return std::nullopt;
        std::fprintf(stderr, "filling the servers\n");
        m_locks = fill(m_server, m_plan.size);
        m_smallLocks = fill(m_smallServer, m_plan.smallSize);
        if (m_locks == 0 || m_smallLocks == 0)
            return std::nullopt;
        return measure([this] {
            start();
            sweep();
            steps();
            foreground();
            latency(20); // as the window asks for
            latency(MonitorOptions().snapshotsPerSecond);
            renewals();
        });
    }

private:
    static bool waitLive(WatchedMonitor &monitor)
    {
        if (monitor.waitFor([&] { return monitor.isLive(); }, Patience))
            return true;
        const auto status = monitor.service.latest()->status;
        std::fprintf(stderr, "the monitor is not live, but at %.0f %% of a sweep: %s\n", 100 * status.sweepProgress,
            status.error ? status.error->message.c_str() : "no error");
        return false;
    }

    void start()
    {
        const QString first = u"start to first rows, %1 locks"_s.arg(m_smallLocks);
        if (!isWanted(first))
            return;
        QElapsedTimer elapsed;
        elapsed.start();
        WatchedMonitor monitor(m_smallServer.endpoint());
        const auto note = [&](Row &row, std::size_t rows) {
            if (monitor.waitFor([&] { return monitor.service.latest()->locks.size() >= rows; }, Patience))
                row.ours.push_back(static_cast<double>(elapsed.nsecsElapsed()) / 1e9);
        };
        note(row({ first, u"s"_s, Better::Lower, {}, {}, MostStartSeconds }), 1);
        note(row({ u"start to all rows, %1 locks"_s.arg(m_smallLocks), u"s"_s, Better::Lower }),
            static_cast<std::size_t>(m_smallLocks));
    }

    /// And what it has in memory then.
    void sweep()
    {
        const QString name = u"first sweep, %1 keys"_s.arg(m_plan.size.keys);
        if (!isWanted(name))
            return;
        const double most = m_locks < ManyLocks ? SweepOfScan : SweepOfScanWithManyLocks;
        Row &time = row({ name, u"s"_s, Better::Lower, {}, {}, {}, most });
        Row &pages = row({ u"first sweep, its pages in a bare loop"_s, u"s"_s, Better::Lower });
        Row &beside = row({ u"first sweep, beside that"_s, u"s"_s, Better::Lower, {}, {}, {}, SweepOfItsPages });
        const auto bare = scanSeconds(m_server);
        const auto server = pageSeconds(m_server);
        const auto before = static_cast<double>(testsupport::heapBytes());
        QElapsedTimer elapsed;
        elapsed.start();
        WatchedMonitor monitor(m_server.endpoint());
        if (!bare || !server || !waitLive(monitor))
            return;
        const double ours = static_cast<double>(elapsed.nsecsElapsed()) / 1e9;
        const auto enter = [](Row &figure, double bareLoop, double other) {
            figure.bare.push_back(bareLoop);
            figure.ours.push_back(other);
        };
        enter(time, *bare, ours);
        enter(pages, *bare, *server);
        enter(beside, *server, ours);
        monitor.wait(Settling);
        const auto seen = monitor.service.latest()->locks.size();
        std::fprintf(stderr, "  %zu of %d locks seen\n", seen, m_locks);
        const double mostBytes = MostBytesOfLock + MostBytesBeside / m_locks;
        add({ u"memory per lock"_s, u"bytes"_s, Better::Lower, {}, {}, mostBytes },
            (static_cast<double>(testsupport::heapBytes()) - before)
                / static_cast<double>(std::max<std::size_t>(1, seen)));
    }

    void steps()
    {
        const QString name = u"slowest step of a sweep"_s;
        if (!isWanted(name))
            return;
        const StepTimes times(m_server);
        if (!scanSeconds(m_server))
            return;
        {
            lockcore::transport::Endpoint endpoint = m_server.endpoint();
            endpoint.clientName = "lockcore";
            WatchedMonitor monitor(endpoint);
            if (!waitLive(monitor))
                return;
        }
        Row &slowest = row({ name, u"ms"_s, Better::Lower, {}, {}, MostStepMs });
        slowest.ours.push_back(times.slowestOf("lockcore"));
        slowest.bare.push_back(times.slowestOf("bare"));
    }

    void foreground()
    {
        for (const QString &test : { u"get"_s, u"set"_s }) {
            const QString name = u"foreground's p99, %1"_s.arg(test);
            if (!isWanted(name))
                continue;
            const QStringList arguments{ u"-t"_s, test, u"-c"_s, u"50"_s, u"-r"_s, u"10000"_s, u"-n"_s,
                QString::number(m_plan.requests) };
            Row &late = row({ name, u"ms"_s, Better::Lower, ForegroundOfAlone });
            Row &rate = row({ u"foreground's rate, %1"_s.arg(test), u"1/s"_s });
            Row &surprised = row({ u"while the monitor adapts, %1"_s.arg(test), u"ms"_s, Better::Lower });
            const LockChanges changes(m_server, m_plan.changesPerSecond);
            const auto alone = redisBenchmark(m_server, arguments);
            MonitorOptions options;
            options.sweepEvery = Millis{ 1 }; // never without a sweep
            WatchedMonitor monitor(m_server.endpoint(), options);
            if (!alone || !waitLive(monitor))
                return;
            const auto atFirst = redisBenchmark(m_server, arguments);
            const auto watched = redisBenchmark(m_server, arguments);
            if (!atFirst || !watched)
                return;
            late.limit.push_back(alone->p99Ms);
            late.ours.push_back(watched->p99Ms);
            rate.limit.push_back(alone->perSecond);
            rate.ours.push_back(watched->perSecond);
            surprised.limit.push_back(alone->p99Ms);
            surprised.ours.push_back(atFirst->p99Ms);
        }
    }

    void latency(int snapshotsPerSecond)
    {
        const QString name = u"change to snapshot, p99, %1 snapshots/s"_s.arg(snapshotsPerSecond);
        if (!isWanted(name))
            return;
        MonitorOptions options;
        options.snapshotsPerSecond = snapshotsPerSecond;
        WatchedMonitor monitor(m_server.endpoint(), options);
        if (!waitLive(monitor))
            return;
        monitor.wait(Settling);
        LockChanges changes(m_server, m_plan.changesPerSecond);
        monitor.onSnapshot = [&] { changes.seen(*monitor.service.latest()); };
        monitor.wait(m_plan.measured);
        monitor.onSnapshot = nullptr;
        if (changes.unseen() > 0)
            std::fprintf(stderr, "  %d changes were never shown\n", changes.unseen());
        if (changes.latencies().empty())
            return;
        const bool isUsual = snapshotsPerSecond == MonitorOptions().snapshotsPerSecond;
        add({ name, u"ms"_s, Better::Lower, {}, {}, isUsual ? std::optional(MostLatencyMs) : std::nullopt },
            percentile(changes.latencies(), 0.99));
        add({ u"change to snapshot, median, %1 snapshots/s"_s.arg(snapshotsPerSecond), u"ms"_s, Better::Lower },
            percentile(changes.latencies(), 0.5));
        add({ u"changes, %1 snapshots/s"_s.arg(snapshotsPerSecond), u"1/s"_s }, changes.perSecond());
    }

    void renewals()
    {
        const QString name = u"renewals seen without loss"_s;
        if (!isWanted(name))
            return;
        takeRenewedLocks(m_server);
        const auto limit = redisBenchmarkRenewals(m_server, m_plan.requests);
        if (!limit)
            return;
        WatchedMonitor monitor(m_server.endpoint());
        if (!waitLive(monitor))
            return;
        monitor.wait(Settling);
        double best = 0;
        for (const double share : Shares) {
            const double reached = renewalsSeen(monitor, *limit * share);
            if (reached == 0)
                break;
            best = reached;
        }
        Row &figure = row({ name, u"1/s"_s, Better::Higher, RenewalsOfServer });
        figure.limit.push_back(*limit);
        figure.ours.push_back(best);
    }

    /// The rate that was reached; zero: not all were seen, or late.
    double renewalsSeen(WatchedMonitor &monitor, double perSecond)
    {
        const auto wanted = static_cast<std::int64_t>(perSecond * static_cast<double>(m_plan.measured.count()) / 1e3);
        monitor.renewalsSeen = 0;
        monitor.gapsSeen = 0;
        const RenewalLoad load(m_server, perSecond, wanted);
        monitor.waitFor([&] { return load.isDone(); }, Patience);
        const auto seenAtEnd = monitor.renewalsSeen;
        monitor.waitFor([&] { return monitor.renewalsSeen >= wanted; }, MostLag);
        std::fprintf(stderr, "  %.0f renewals/s asked, %.0f sent, %lld of %lld seen, %lld of them late, %lld gaps\n",
            perSecond, load.perSecond(), static_cast<long long>(monitor.renewalsSeen), static_cast<long long>(wanted),
            static_cast<long long>(monitor.renewalsSeen - seenAtEnd), static_cast<long long>(monitor.gapsSeen));
        return monitor.renewalsSeen >= wanted && monitor.gapsSeen == 0 ? load.perSecond() : 0;
    }

    const MonitorPlan m_plan;
    testsupport::RedisServer m_server;
    testsupport::RedisServer m_smallServer;
    int m_locks = 0;
    int m_smallLocks = 0;
};

} // namespace

MonitorPlan quickMonitorPlan()
{
    MonitorPlan plan;
    plan.size = { 20'000, 2'000 };
    plan.smallSize = { 2'000, 500 };
    plan.changesPerSecond = 100;
    plan.measured = Millis(500);
    plan.requests = 5'000;
    return plan;
}

std::optional<std::vector<Row>> measureMonitor(const MonitorPlan &plan) { return MonitorFigures(plan).run(); }

} // namespace lockbench
