// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/clock.h"
#include "tests/support/blocking_client.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"

#include <QTest>
#include <algorithm>
#include <atomic>
#include <thread>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

RedisServerOptions withNotifications(const char *flags)
{
    RedisServerOptions options;
    options.config = { QStringLiteral("notify-keyspace-events \"%1\"").arg(QLatin1String(flags)) };
    return options;
}

MonitorOptions byHand(Feed feed)
{
    MonitorOptions options;
    options.feed = feed;
    return options;
}

using Extent = FeedScope::Extent;

bool hears(const MonitorWatch &watch, const std::string &prefix)
{
    const FeedScope scope = watch.status().feedReason.scope;
    return scope.extent == Extent::Prefixes && std::ranges::find(scope.prefixes, prefix) != scope.prefixes.end();
}

/// Writes keys that are no locks, many thousands a second.
class Flood {
public:
    Flood(const RedisServer &server, std::string stem)
        : m_thread([this, path = server.socketPath().toStdString(), stem = std::move(stem)] {
            BlockingClient client(path);
            for (int i = 0; !m_ended; i += 500) {
                std::vector<protocol::Command> commands;
                for (int key = i; key < i + 500; ++key)
                    commands.push_back({ "SET", stem + std::to_string(key % 20'000), "x" });
                client.runAll(commands);
                std::this_thread::sleep_for(Millis{ 25 });
            }
        })
    {
    }
    ~Flood()
    {
        m_ended = true;
        m_thread.join();
    }

private:
    std::atomic_bool m_ended = false;
    std::thread m_thread;
};

} // namespace

class TestMonitorFeeds : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }
    void cleanup() { m_server.reset(); }

    void prefersClientTracking()
    {
        start(withNotifications("KEA"));
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QCOMPARE(watch.status().feedReason, FeedReason());
    }

    void hearsByNotifications_data()
    {
        QTest::addColumn<QByteArray>("flags");
        QTest::newRow("events") << QByteArray("Eg$lhzx");
        QTest::newRow("keys") << QByteArray("KA");
    }
    void hearsByNotifications()
    {
        QFETCH(QByteArray, flags);
        start(withNotifications(flags.constData()));
        MonitorOptions options = byHand(Feed::KeyspaceNotifications);
        options.sweepEvery = Millis{ 600'000 };
        auto endpoint = m_server->endpoint();
        endpoint.database = 2;
        MonitorWatch watch(endpoint, options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().feed, Feed::KeyspaceNotifications);
        QVERIFY(watch.status().feedReason.isByHand);
        BlockingClient client(m_server->socketPath().toStdString());
        client.run({ "SELECT", "2" });
        const auto takeIt = [&](const char *name, const char *ttl) {
            client.run({ "EVAL", "redis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], ARGV[2])",
                "1", name, OwnerA.toStdString(), ttl });
        };
        takeIt("order", "60000");
        takeIt("brief", "400");
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order") && watch.lock("order")->holders[0].since.exact, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.kinds("brief").empty() && !watch.lock("brief"), Limit);
        client.run({ "RENAME", "order", "other" });
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("other") && !watch.lock("order"), Limit);
        client.run({ "FLUSHDB" }); // of which there is no notification
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("other"), Limit);
    }

    void tellsTheEndOfALeaseThatWasSetFromALockTakenAgain_data()
    {
        QTest::addColumn<Feed>("feed");
        QTest::newRow("client tracking") << Feed::ClientTracking;
        QTest::newRow("notifications") << Feed::KeyspaceNotifications;
    }
    /// Its locks were deleted before, as a client's end that leaves no trace when it releases a spin lock.
    void tellsTheEndOfALeaseThatWasSetFromALockTakenAgain()
    {
        QFETCH(const Feed, feed);
        start(withNotifications("KEA"));
        MonitorWatch watch(m_server->endpoint(), byHand(feed));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.status().feed, feed);
        for (int i = 0; i < 3; ++i) {
            take(*m_server, QStringLiteral("order"), OwnerA, 900'000);
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
            m_server->cli({ QStringLiteral("DEL"), QStringLiteral("order") });
            QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
        }
        take(*m_server, QStringLiteral("order"), OwnerA, 900'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order"), Limit);
        watch.forgetEvents();
        m_server->cli({ QStringLiteral("PEXPIRE"), QStringLiteral("order"), QStringLiteral("300000") });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.kinds("order").empty(), Limit);
        QCOMPARE(watch.kinds("order"), std::vector{ EventKind::Renewed });
    }

    void saysWhyNotificationsDoNotServe_data()
    {
        QTest::addColumn<QByteArray>("flags");
        QTest::addColumn<FeedObstacle>("reason");
        QTest::newRow("off") << QByteArray() << FeedObstacle::NotificationsOff;
        QTest::newRow("too few") << QByteArray("Ex") << FeedObstacle::NotificationsTellTooLittle;
    }
    void saysWhyNotificationsDoNotServe()
    {
        QFETCH(QByteArray, flags);
        QFETCH(FeedObstacle, reason);
        start(withNotifications(flags.constData()));
        MonitorWatch watch(m_server->endpoint(), byHand(Feed::KeyspaceNotifications));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QVERIFY(watch.saysObstacle(reason));
        QCOMPARE(m_server->cli(words("CONFIG GET notify-keyspace-events")).split('\n').value(1).size(),
            flags.isEmpty() ? 0 : flags.size()); // and leaves them as they are
    }

    void fallsToNotificationsWhereTrackingIsRefused()
    {
        auto options = withNotifications("KEA");
        options.users = { QStringLiteral("lockmon on >secret ~* &* +@all -client|tracking") };
        start(options);
        auto endpoint = m_server->endpoint();
        endpoint.user = "lockmon";
        endpoint.password = "secret";
        MonitorWatch watch(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().feed, Feed::KeyspaceNotifications);
        QVERIFY(watch.saysObstacle(FeedObstacle::TrackingRefused));
        QCOMPARE(watch.status().aclLine, std::string("ACL SETUSER lockmon +client|tracking"));
    }

    void changesTheFeedAtRunTime()
    {
        start(withNotifications("KEA"));
        take(*m_server, QStringLiteral("early"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        int taken = 0;
        for (const auto feed : { Feed::Rereading, Feed::KeyspaceNotifications, Feed::ClientTracking }) {
            watch.service.setFeed(feed);
            QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, feed, Limit);
            QVERIFY(watch.status().feedReason.isByHand);
            QVERIFY(watch.isLive());
            m_server->cli(words("PEXPIRE early 500000"));
            const auto renewals = [&] { return watch.lock("early")->renewals; };
            const auto before = renewals();
            QTRY_VERIFY_WITH_TIMEOUT(ttlAt(*watch.lock("early"), monoNow()) < Millis{ 510'000 }, Limit);
            m_server->cli(words("PEXPIRE early 600000"));
            QTRY_VERIFY_WITH_TIMEOUT(renewals() > before, Limit);
            if (feed == Feed::Rereading)
                continue;
            const auto name = QStringLiteral("late%1").arg(++taken);
            take(*m_server, name, OwnerB, 600'000);
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock(name.toStdString()), Limit);
        }
        watch.service.setFeed(std::nullopt);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.status().feedReason.isByHand, Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QVERIFY(watch.gaps().empty());
        QVERIFY(m_server->cli(words("PUBSUB NUMPAT")) == "1"); // nothing is left of the others
    }

    void findsNewLocksWithinTheTimeThatItPromises()
    {
        start({});
        constexpr int ForABusyMachine = 2'000;
        MonitorOptions options;
        options.feed = Feed::Rereading;
        MonitorWatch watch(m_server->endpoint(), options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().feedReason.mayMiss, Limit);
        const auto promise = static_cast<int>(
            std::chrono::duration_cast<std::chrono::seconds>(*watch.status().feedReason.mayMiss).count());
        QVERIFY(promise > 0);
        watch.wereSeen.emplace();
        for (int i = 0; i < 6; ++i) { // each right after a sweep has passed
            const auto name = "order:" + std::to_string(i);
            take(*m_server, QString::fromStdString(name), OwnerA, promise * 1'000 + ForABusyMachine);
            QTRY_VERIFY_WITH_TIMEOUT(watch.wereSeen->contains(name), Limit);
        }
    }

    void asksOnlyForKeysThatMayMatchTheFilter()
    {
        start({});
        MonitorOptions options;
        options.keyPattern = "order:*";
        MonitorWatch watch(m_server->endpoint(), options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QVERIFY(m_server->cli(words("INFO clients")).contains("tracking_clients:1"));
        QCOMPARE(m_server->cli(words("INFO stats")).contains("tracking_total_prefixes:3"), true);
        take(*m_server, QStringLiteral("order:1"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order:1"), Limit);
    }

    void limitsTheFeedInAFloodAndSaysSo()
    {
        start({});
        take(*m_server, QStringLiteral("order:1"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        Flood flood(*m_server, "session:");
        QTRY_VERIFY_WITH_TIMEOUT(hears(watch, "order:"), Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QCOMPARE(watch.status().feedReason.scope.extent, Extent::Prefixes);
        QVERIFY(watch.status().feedLimited);
        take(*m_server, QStringLiteral("order:2"), OwnerB, 600'000); // of the same family
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("order:2"), Limit);
        take(*m_server, QStringLiteral("night"), OwnerB, 600'000);
        watch.service.refresh(); // a sweep
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("night"), Limit);
        QVERIFY(watch.isLive());
    }

    void missesNothingWhileTheFeedIsBeingLimited_data()
    {
        QTest::addColumn<Feed>("feed");
        QTest::newRow("tracking") << Feed::ClientTracking;
        QTest::newRow("notifications") << Feed::KeyspaceNotifications;
    }
    void missesNothingWhileTheFeedIsBeingLimited()
    {
        QFETCH(Feed, feed);
        auto serverOptions = withNotifications("KA");
        if (feed == Feed::KeyspaceNotifications)
            serverOptions.users = { QStringLiteral("default on nopass ~* &* +@all -client|tracking") };
        start(serverOptions);
        take(*m_server, QStringLiteral("order:x"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint(), rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().feed, feed);
        std::atomic_int taken = 0;
        std::atomic_bool ended = false;
        std::thread taker([&, path = m_server->socketPath().toStdString()] {
            BlockingClient client(path);
            for (; !ended; ++taken) {
                client.run({ "HSET", "order:" + std::to_string(taken), OwnerA.toStdString(), "1" });
                std::this_thread::sleep_for(std::chrono::microseconds{ 500 });
            }
        });
        {
            const Flood flood(*m_server, "session:");
            [&] { QTRY_VERIFY_WITH_TIMEOUT(hears(watch, "order:"), Limit); }();
        }
        ended = true;
        taker.join();
        const auto all = static_cast<std::size_t>(taken) + 1;
        QTRY_COMPARE_WITH_TIMEOUT(watch.service.latest()->locks.size(), all, Limit);
        QVERIFY(watch.status().lastSweep->keysSeen < 100); // no other sweep has found them
    }

    void readsWhatThePrefixesLeftOutWhenTheyWiden()
    {
        start({});
        take(*m_server, QStringLiteral("order:1"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint(), rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        const Flood flood(*m_server, "session:");
        QTRY_VERIFY_WITH_TIMEOUT(hears(watch, "order:"), Limit);
        for (const char *name : { "zeta", "yew", "xylem", "walnut" }) { // on a slow machine they may widen too early
            take(*m_server, QString::fromLatin1(name), OwnerA, 600'000);
            watch.service.refresh(); // a sweep
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock(name), Limit);
            QVERIFY(!watch.lock(name)->holders[0].since.exact);
            release(*m_server, QString::fromLatin1(name));
            QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(name), Limit); // there was a message
            watch.forgetEvents();
            take(*m_server, QString::fromLatin1(name), OwnerB, 600'000);
            if (hears(watch, name))
                continue;
            QTRY_VERIFY_WITH_TIMEOUT(hears(watch, name), Limit);
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock(name), 5'000);
            QCOMPARE(watch.holders().at(name), OwnerB.toStdString());
            QVERIFY(!watch.lock(name)->holders[0].since.exact);
            QTRY_COMPARE_WITH_TIMEOUT(watch.certainty(name, EventKind::Acquired), Certainty::Inferred, Limit);
            return;
        }
        QFAIL("the prefixes widened each time before the lock was taken again");
    }

    void rereadsWhereTheLocksFoundBeginInTooManyWays()
    {
        start({});
        for (char c = 'a'; c < 'a' + 16; ++c)
            take(*m_server, QString(QLatin1Char(c)) + QStringLiteral(":1"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        const Flood flood(*m_server, "session:");
        QTRY_VERIFY_WITH_TIMEOUT(hears(watch, "a:"), Limit);
        take(*m_server, QStringLiteral("zeta"), OwnerA, 600'000);
        watch.service.refresh(); // a sweep
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("zeta"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::Rereading, Limit);
        QCOMPARE(watch.status().feedReason.scope.extent, Extent::Nothing);
        QVERIFY(watch.status().feedLimited);
        m_server->cli(words("DEL zeta")); // of which nobody tells
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("zeta"), Limit);
    }

    void rereadsWhereAFloodLooksLikeTheLocks()
    {
        start({});
        take(*m_server, QStringLiteral("k17"), OwnerA, 600'000);
        for (char c = 'a'; c <= 'z'; ++c)
            take(*m_server, QString(QLatin1Char(c)) + QStringLiteral("1:x"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        Flood flood(*m_server, "k17");
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::Rereading, Limit);
        QCOMPARE(watch.status().feedReason.scope.extent, Extent::Nothing);
        QVERIFY(watch.status().feedLimited);
        release(*m_server, QStringLiteral("k17"));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("k17"), Limit);
    }

    void hearsEverythingAgainAfterASilence_data()
    {
        QTest::addColumn<bool>("alike");
        QTest::newRow("prefixes before") << false;
        QTest::newRow("nothing before") << true;
    }
    void hearsEverythingAgainAfterASilence()
    {
        QFETCH(bool, alike);
        start({});
        take(*m_server, QStringLiteral("order:1"), OwnerA, 600'000);
        for (char c = 'a'; alike && c <= 'z'; ++c)
            take(*m_server, QString(QLatin1Char(c)) + QStringLiteral("1:x"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint(), rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        {
            const Flood flood(*m_server, alike ? "order:1" : "session:");
            [&] { QTRY_VERIFY_WITH_TIMEOUT(watch.status().feedLimited, Limit); }();
        }
        QCOMPARE(watch.status().feed, alike ? Feed::Rereading : Feed::ClientTracking);
        m_server->pause();
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Stale, Limit);
        m_server->resume();
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QVERIFY(!watch.status().feedLimited && watch.status().feedReason.scope == FeedScope());
        take(*m_server, QStringLiteral("night"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("night"), Limit);
    }

    void comesBackWhenItIsCutOffForReadingTooSlowly()
    {
        RedisServerOptions options;
        options.config = { QStringLiteral("client-output-buffer-limit pubsub 20kb 0 0") };
        start(options);
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        // One announcement of all these keys is larger than what the server keeps for us.
        m_server->cli({ QStringLiteral("EVAL"),
            QStringLiteral(
                "for i = 1, 20000 do redis.call('SET', 'session:' .. i, 'x') end redis.call('DEL', KEYS[1])"),
            QStringLiteral("1"), QStringLiteral("order") });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.gaps().empty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.status().feed == Feed::ClientTracking, Limit);
        take(*m_server, QStringLiteral("stock"), OwnerA, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("stock"), Limit);
    }

    void rereadsWhileTheConnectionForAnnouncementsIsAway()
    {
        start({});
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        BlockingClient intruder(m_server->socketPath().toStdString());
        intruder.run({ "CONFIG", "SET", "maxclients", "2" }); // it and one of ours
        intruder.run({ "CLIENT", "KILL", "TYPE", "pubsub" });
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::Rereading, Limit);
        QVERIFY(watch.isLive());
        QVERIFY(watch.saysObstacle(FeedObstacle::AnnouncementsLost));
        QTRY_COMPARE_WITH_TIMEOUT(watch.gaps().size(), std::size_t{ 1 }, Limit); // until they were read in turn
        intruder.run({ "DEL", "order" });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
        intruder.run({ "CONFIG", "SET", "maxclients", "100" });
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::ClientTracking, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.gaps().size(), std::size_t{ 1 });
    }

    void tellsOfAGapThatASilenceDidNotEnd()
    {
        start({});
        MonitorWatch watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        BlockingClient intruder(m_server->socketPath().toStdString());
        intruder.run({ "CONFIG", "SET", "maxclients", "2" }); // it and one of ours
        intruder.run({ "CLIENT", "KILL", "TYPE", "pubsub" });
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::Rereading, Limit);
        m_server->pause();
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Stale, Limit);
        m_server->resume();
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QVERIFY(watch.saysObstacle(FeedObstacle::AnnouncementsLost));
        QTRY_COMPARE_WITH_TIMEOUT(watch.gaps().size(), std::size_t{ 2 }, Limit);
        intruder.run({ "CONFIG", "SET", "maxclients", "100" });
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::ClientTracking, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QCOMPARE(watch.gaps().size(), std::size_t{ 2 });
    }

    void hearsShardedChannelsWhereSomebodyWaits()
    {
        RedisServerOptions options;
        options.cluster = true;
        start(options);
        m_server->cli(words("CLUSTER ADDSLOTSRANGE 0 16383"));
        QTRY_VERIFY_WITH_TIMEOUT(m_server->cli(words("CLUSTER INFO")).contains("cluster_state:ok"), Limit);
        m_server->cli({ QStringLiteral("HSET"), QStringLiteral("order"), OwnerA, QStringLiteral("1") });
        MonitorWatch watch(m_server->endpoint());
        const MonitorWatch other(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order") && other.lock("order"), Limit);
        QVERIFY(watch.status().missingRights.empty());
        QProcess waiter;
        const auto channel = QStringLiteral("redisson_lock__channel:{order}");
        waiter.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server->socketPath(), QStringLiteral("SSUBSCRIBE"), channel });
        const auto listeners = [&] {
            return m_server->cli({ QStringLiteral("PUBSUB"), QStringLiteral("SHARDNUMSUB"), channel })
                .split('\n')
                .value(1)
                .toInt();
        };
        QTRY_COMPARE_WITH_TIMEOUT(listeners(), 3, Limit);
        const std::optional<std::int64_t> one = 1; // neither of the monitors
        QTRY_COMPARE_WITH_TIMEOUT(watch.lock("order")->subscribers, one, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(other.lock("order")->subscribers, one, Limit);
        m_server->cli(words("DEL order"));
        m_server->cli({ QStringLiteral("SPUBLISH"), channel, QStringLiteral("0") });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.kinds("order").empty(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.kinds("order").back(), EventKind::Released, Limit);
        waiter.kill();
        waiter.waitForFinished();
        QTRY_COMPARE_WITH_TIMEOUT(listeners(), 0, Limit); // nor do they stay
    }

private:
    void start(const RedisServerOptions &options)
    {
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY(m_server->start());
    }

    std::unique_ptr<RedisServer> m_server;
};

QTEST_GUILESS_MAIN(TestMonitorFeeds)
#include "tst_monitor_feeds.moc"
