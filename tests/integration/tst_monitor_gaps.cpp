// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/clock.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/monitor_watch.h"

#include <QElapsedTimer>
#include <QTest>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

} // namespace

/// What is shown as seen was seen; and a time in which it was not is told as long as it was.
class TestMonitorGaps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }
    void init()
    {
        RedisServerOptions options;
        options.config = { QStringLiteral("notify-keyspace-events KEA") };
        options.users = { QStringLiteral("lockmon on >secret ~* &* +@all -client|tracking") };
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY(m_server->start());
        take(*m_server, QStringLiteral("order"), OwnerA, 600'000);
    }
    void cleanup() { m_server.reset(); }

    void saysWhenNotificationsAreTurnedOff_data()
    {
        QTest::addColumn<bool>("mayTrack");
        QTest::addColumn<QString>("how");
        QTest::addColumn<Feed>("next");
        QTest::addColumn<FeedObstacle>("reason");
        const auto off = QStringLiteral("CONFIG SET notify-keyspace-events");
        QTest::newRow("off") << false << off + u' ' << Feed::Rereading << FeedObstacle::NotificationsOff;
        QTest::newRow("too few") << false << off + u" Ex" << Feed::Rereading
                                 << FeedObstacle::NotificationsTellTooLittle;
        QTest::newRow("not to be asked") << false << QStringLiteral("ACL SETUSER lockmon -config") << Feed::Rereading
                                         << FeedObstacle::SettingsUnknown;
        QTest::newRow("chosen by hand") << true << off + u' ' << Feed::ClientTracking << FeedObstacle::NotificationsOff;
    }
    void saysWhenNotificationsAreTurnedOff()
    {
        QFETCH(const bool, mayTrack);
        QFETCH(const QString, how);
        QFETCH(const Feed, next);
        QFETCH(const FeedObstacle, reason);
        auto endpoint = m_server->endpoint();
        auto options = rarelySweeping();
        if (mayTrack) {
            options.feed = Feed::KeyspaceNotifications;
        } else {
            endpoint.user = "lockmon";
            endpoint.password = "secret";
        }
        MonitorWatch watch(endpoint, options);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        QCOMPARE(watch.status().feed, Feed::KeyspaceNotifications);

        QElapsedTimer off;
        off.start();
        m_server->cli(how.split(u' '));
        m_server->cli({ QStringLiteral("DEL"), QStringLiteral("order") });
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, next, Limit);
        const auto seenAfter = off.elapsed();
        QVERIFY(watch.saysObstacle(reason));
        QTRY_COMPARE_WITH_TIMEOUT(watch.gaps().size(), std::size_t{ 1 }, Limit);
        QVERIFY2(watch.gaps()[0].count() >= seenAfter - 1'000, qPrintable(QString::number(watch.gaps()[0].count())));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
    }

    void isStaleSinceTheServerAnsweredLast()
    {
        MonitorWatch watch(m_server->endpoint(), rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        m_server->pause();
        const auto pausedAt = monoNow();
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Stale, Limit);
        const auto staleSince = watch.status().staleSince.value();
        QVERIFY(staleSince <= pausedAt);
        QVERIFY(staleSince > pausedAt - Millis{ 5'000 });
        const auto shownAfter = monoNow() - pausedAt;
        m_server->resume();
        QTRY_COMPARE_WITH_TIMEOUT(watch.gaps().size(), std::size_t{ 1 }, Limit);
        QVERIFY(watch.gaps()[0] >= shownAfter - Millis{ 1 });
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
    }

    /// Both connections are lost, one after the other, and a lock was taken just before.
    void tellsOfALostServerOnceAndWhenThatIsOver()
    {
        MonitorWatch watch(m_server->endpoint(), rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        take(*m_server, QStringLiteral("late"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.certainty("late", EventKind::Acquired), Limit);
        const auto seenAt = watch.events.back().at;
        m_server->kill();
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Stale, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().retryAt, Limit);
        QCOMPARE(watch.gaps(), std::vector<Millis>());
        QVERIFY(m_server->restart());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && !watch.lock("order"), Limit);
        QCOMPARE(watch.gaps().size(), std::size_t{ 1 });
        const auto gap = std::ranges::find(watch.events, EventKind::Gap, &Event::kind);
        QVERIFY(gap->at - *gap->ttl >= seenAt);
    }

    void seesThatTheConnectionForAnnouncementsIsDead()
    {
        LossyProxy proxy(m_server->port());
        auto endpoint = m_server->endpoint();
        endpoint.port = proxy.port();
        MonitorWatch watch(endpoint, rarelySweeping());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        proxy.silenceSubscribers();
        QElapsedTimer silent;
        silent.start();
        m_server->cli({ QStringLiteral("DEL"), QStringLiteral("order") });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("order"), Limit);
        QVERIFY2(silent.elapsed() < 9'000, qPrintable(QString::number(silent.elapsed())));
        QTRY_COMPARE_WITH_TIMEOUT(watch.gaps().size(), std::size_t{ 1 }, Limit);
        QVERIFY2(watch.gaps()[0] >= Millis{ 2'000 }, qPrintable(QString::number(watch.gaps()[0].count())));
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().feed, Feed::ClientTracking, Limit);
        take(*m_server, QStringLiteral("late"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("late"), Limit);
    }

private:
    std::unique_ptr<RedisServer> m_server;
};

QTEST_GUILESS_MAIN(TestMonitorGaps)
#include "tst_monitor_gaps.moc"
