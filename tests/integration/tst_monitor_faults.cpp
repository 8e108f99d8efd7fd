// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/clock.h"
#include "tests/support/blocking_client.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/monitor_watch.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <thread>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace testsupport;

namespace {

constexpr int Limit = 30'000;

} // namespace

/// What goes wrong with servers; afterwards the monitor agrees with them again.
class TestMonitorFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }
    void cleanup()
    {
        m_watch.reset();
        m_server.reset();
    }

    void isStaleWhileTheServerIsPaused()
    {
        start();
        take(*m_server, QStringLiteral("brief"), OwnerA, 4'000);
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        watch();
        m_server->pause();
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->status().phase, SourcePhase::Stale, Limit);
        QCOMPARE(m_watch->status().error->code, ErrorCode::ReplyTimeout);
        QVERIFY(m_watch->lock("order"));
        m_server->resume();
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), Limit);
        QCOMPARE(m_watch->gaps().size(), std::size_t{ 1 });
        QVERIFY(m_watch->gaps()[0] > Millis{ 0 });
        take(*m_server, QStringLiteral("late"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->lock("late") && !m_watch->lock("brief"), Limit);
        QVERIFY(agrees());
    }

    void takesOverAnOlderDataSet()
    {
        start();
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        take(*m_server, QStringLiteral("stock"), OwnerA, 600'000);
        m_server->cli(words("SAVE"));
        watch();
        m_server->cli(words("DEL order"));
        take(*m_server, QStringLiteral("order"), OwnerB, 600'000);
        take(*m_server, QStringLiteral("new"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->lock("new"), Limit);
        m_server->kill();
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->status().phase, SourcePhase::Stale, Limit);
        QVERIFY(m_server->restart());
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(agrees(), Limit);
        QCOMPARE(m_watch->holders().at("order"), OwnerA.toStdString());
        QCOMPARE(m_watch->holders().size(), std::size_t{ 2 });
    }

    void isStaleWhileTheServerLoads()
    {
        start({ QStringLiteral("enable-debug-command yes"),
            QStringLiteral("loading-process-events-interval-bytes 1024") });
        fill(2'000, 600'000);
        watch();
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->holders().size(), std::size_t{ 2'000 }, Limit);
        m_server->cli(words("CONFIG SET key-load-delay 1500"));
        QProcess reload;
        reload.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server->socketPath(), QStringLiteral("DEBUG"), QStringLiteral("RELOAD") });
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->status().phase, SourcePhase::Stale, Limit);
        QVERIFY(m_watch->status().error->code == ErrorCode::Loading
            || m_watch->status().error->code == ErrorCode::ReplyTimeout);
        QCOMPARE(m_watch->holders().size(), std::size_t{ 2'000 });
        QVERIFY(reload.waitForFinished(Limit));
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(agrees(), Limit);
    }

    void isStaleWhileAScriptKeepsTheServerBusy()
    {
        start({ QStringLiteral("busy-reply-threshold 200") });
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        watch();
        QProcess script;
        script.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server->socketPath(), QStringLiteral("EVAL"), QStringLiteral("while true do end"),
                QStringLiteral("0") });
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->status().phase, SourcePhase::Stale, Limit);
        QCOMPARE(m_watch->status().error->code, ErrorCode::ScriptBusy);
        m_server->cli(words("SCRIPT KILL"));
        QVERIFY(script.waitForFinished(Limit));
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), Limit);
        take(*m_server, QStringLiteral("late"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(agrees() && m_watch->lock("late"), Limit);
    }

    void showsAQueueThatIsTooLargeToBeReadAndAllElse()
    {
        start();
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        m_server->cli({ QStringLiteral("EVAL"),
            QStringLiteral("redis.call('RPUSH', 'redisson_lock_queue:{evil}', string.rep('x', 70000000))"),
            QStringLiteral("0") });
        MonitorOptions options;
        options.sweepEvery = Millis{ 200 };
        m_watch = std::make_unique<MonitorWatch>(m_server->endpoint(), options);
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLiveAndSwept() && m_watch->lock("evil"), Limit);
        QVERIFY(hasUnreadQueue(*m_watch->lock("evil")));
        QVERIFY(!waitingCount(*m_watch->lock("evil")));
        QVERIFY(m_watch->lock("order"));
        const auto firstSweep = m_watch->status().lastSweep->finishedAt;
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->status().lastSweep->finishedAt > firstSweep, Limit);
        QVERIFY(m_watch->isLive());
        QVERIFY(m_watch->gaps().empty());
        m_server->cli(words("DEL redisson_lock_queue:{evil}"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock("evil"), Limit);
    }

    void goesOnReadingWhereMemoryIsUsedUp()
    {
        start();
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        take(*m_server, QStringLiteral("stock"), OwnerA, 600'000);
        m_server->cli(words("CONFIG SET maxmemory 1"));
        QVERIFY(m_server->cli(words("SET a b")).contains("OOM"));
        watch();
        QCOMPARE(m_watch->holders().size(), std::size_t{ 2 });
        QVERIFY(m_watch->status().lastSweep && m_watch->status().lastSweep->byScript);
        m_server->cli(words("DEL order"));
        QTRY_VERIFY_WITH_TIMEOUT(!m_watch->lock("order"), Limit);
        QVERIFY(m_watch->isLive() && agrees());
    }

    void survivesAnswersThatAreCutOff()
    {
        start();
        fill(300, 600'000);
        LossyProxy proxy(m_server->port());
        auto endpoint = m_server->endpoint();
        endpoint.port = proxy.port();
        m_watch = std::make_unique<MonitorWatch>(endpoint, rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), Limit);
        proxy.cutAnswers(true);
        take(*m_server, QStringLiteral("late"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(proxy.hasLost() && m_watch->status().phase == SourcePhase::Stale, Limit);
        m_server->cli(words("DEL k1"));
        proxy.cutAnswers(false);
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(agrees(), Limit);
        QVERIFY(!m_watch->gaps().empty());
    }

    void followsWhatChangesEverything()
    {
        start();
        fill(50, 600'000);
        watch();
        m_server->cli(words("RENAME k1 other"));
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->lock("other") && !m_watch->lock("k1"), Limit);
        for (const char *command : { "SWAPDB 0 1", "SWAPDB 1 0", "FLUSHDB", "SWAPDB 0 1", "FLUSHALL ASYNC" }) {
            m_server->cli(words(command));
            QTRY_VERIFY2_WITH_TIMEOUT(agrees(), command, Limit);
            take(*m_server, QStringLiteral("after"), OwnerB, 600'000);
            QTRY_VERIFY2_WITH_TIMEOUT(agrees(), command, Limit);
        }
    }

    void agreesAfterAHundredThousandLocksRanOutAtOnce()
    {
        start();
        fill(100'000, 600'000);
        take(*m_server, QStringLiteral("stays"), OwnerB, 600'000);
        watch();
        QCOMPARE(m_watch->holders().size(), std::size_t{ 100'001 });
        fill(100'000, 4'000);
        const auto end = monoNow() + Millis{ 4'000 };
        QTRY_COMPARE_WITH_TIMEOUT(m_watch->service.latest()->locks.size(), std::size_t{ 1 }, 4 * Limit);
        qInfo("all gone %lld ms after they ran out",
            static_cast<long long>(std::chrono::duration_cast<Millis>(monoNow() - end).count()));
        QVERIFY(agrees() && m_watch->isLive());
    }

    void agreesAfterFiveThousandLocksASecond()
    {
        start();
        watch();
        const auto path = m_server->socketPath().toStdString();
        QElapsedTimer elapsed;
        elapsed.start();
        std::thread load([path] {
            BlockingClient client(path);
            constexpr int Seconds = 3, Batches = 50, Locks = 100;
            const auto begin = std::chrono::steady_clock::now();
            for (int batch = 0; batch < Seconds * Batches; ++batch) {
                std::vector<protocol::Command> commands;
                for (int i = 0; i < Locks; ++i) {
                    const auto name = "lock" + std::to_string(batch * Locks + i);
                    const auto old = "lock" + std::to_string((batch - 3) * Locks + i);
                    commands.push_back({ "HINCRBY", name, OwnerA.toStdString(), "1" });
                    commands.push_back({ "PEXPIRE", name, "60000" });
                    if (i % 10 != 0) { // the others stay
                        commands.push_back({ "DEL", old });
                        commands.push_back({ "PUBLISH", "redisson_lock__channel:{" + old + "}", "0" });
                    }
                }
                client.runAll(commands);
                std::this_thread::sleep_until(begin + std::chrono::milliseconds(1'000 / Batches * (batch + 1)));
            }
        });
        load.join();
        elapsed.start();
        QTRY_VERIFY_WITH_TIMEOUT(agrees(), Limit); // what only the next sweep finds comes later
        qInfo("agreed %lld ms after the last change", static_cast<long long>(elapsed.elapsed()));
        QVERIFY(m_watch->holders().size() > 1'500);
        QCOMPARE(m_watch->status().feed, Feed::ClientTracking); // locks are no flood
        QVERIFY(m_watch->status().feedReason.scope == FeedScope());
        QVERIFY(m_watch->gaps().empty());
    }

private:
    void start(const QStringList &config = {})
    {
        RedisServerOptions options;
        options.config = config;
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY(m_server->start());
    }
    void watch()
    {
        m_watch = std::make_unique<MonitorWatch>(m_server->endpoint(), rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(m_watch->isLive(), 4 * Limit);
    }
    void fill(int locks, int ttlMs)
    {
        m_server->cli({ QStringLiteral("EVAL"),
            QStringLiteral("local at = redis.call('TIME')[1] * 1000 + ARGV[3] for i = 1, ARGV[2] do "
                           "redis.call('HSET', 'k' .. i, ARGV[1], 1) redis.call('PEXPIREAT', 'k' .. i, at) end"),
            QStringLiteral("0"), OwnerA, QString::number(locks), QString::number(ttlMs) });
    }
    bool agrees() const { return m_watch->holders() == heldDirectly(*m_server); }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<MonitorWatch> m_watch;
};

QTEST_GUILESS_MAIN(TestMonitorFaults)
#include "tst_monitor_faults.moc"
