// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/rights_test.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

/// Marked as no longer true, or not shown.
bool isLiveNow(const MonitorWatch &watch, const char *name)
{
    const auto snapshot = watch.service.latest();
    const auto lock = watch.lock(name);
    return lock && !staleSince(*snapshot, *lock);
}

bool lacksNothing(const MonitorWatch &watch)
{
    return watch.isLive() && watch.status().missingRights.empty() && watch.status().aclLine.empty()
        && watch.status().feed == Feed::ClientTracking && watch.status().lastSweep
        && watch.status().lastSweep->byScript;
}

} // namespace

/// A user whose rights are changed while the monitor is connected.
class TestRightsTaken : public RightsTest {
    Q_OBJECT
private Q_SLOTS:
    void staysTrueWithoutScripts()
    {
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && watch.lock("hidden"), Limit);
        set("-eval_ro -evalsha_ro");
        take(m_server, QStringLiteral("hidden"), OwnerA, 500'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("hidden")->holders.at(0).count == 2, Limit);
        QVERIFY(isLiveNow(watch, "hidden"));
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().aclLine, "ACL SETUSER lockmon +eval_ro +evalsha_ro", Limit);
        set("+eval_ro +evalsha_ro");
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch), Limit);
    }

    void marksWhatMayNoLongerBeRead_data()
    {
        QTest::addColumn<QByteArray>("taken");
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("keys") << QByteArray("resetkeys ~early ~redisson_*:{early}*") << QByteArray("~*");
        QTest::newRow("commands") << QByteArray("-hlen -type") << QByteArray("+@read");
    }
    void marksWhatMayNoLongerBeRead()
    {
        QFETCH(QByteArray, taken);
        QFETCH(QByteArray, line);
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "hidden"), Limit);
        set(taken.constData());
        m_server.cli({ QStringLiteral("EVAL"), // in one step: it is never seen free
            QStringLiteral("redis.call('DEL', KEYS[1]) redis.call('HSET', KEYS[1], ARGV[1], 1) "
                           "redis.call('PEXPIRE', KEYS[1], 600000)"),
            QStringLiteral("1"), QStringLiteral("hidden"), OwnerB });
        QTRY_VERIFY_WITH_TIMEOUT(!isLiveNow(watch, "hidden"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Stale, Limit);
        QVERIFY(watch.status().error);
        QCOMPARE(watch.status().error->code, ErrorCode::PermissionDenied);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().aclLine, "ACL SETUSER lockmon " + line.toStdString(), Limit);
        m_server.cli(words(watch.status().aclLine.c_str()));
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "hidden"), Limit);
        QCOMPARE(toString(watch.lock("hidden")->holders.at(0).owner), OwnerB.toStdString());
        QVERIFY(!watch.status().error);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.gaps().empty(), Limit);
    }

    void forgetsWhatCannotBeTrueAnyMore()
    {
        take(m_server, QStringLiteral("short"), OwnerA, 3'000);
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "short"), Limit);
        set("resetkeys ~early ~redisson_*:{early}* ~hidden ~redisson_*:{hidden}*");
        take(m_server, QStringLiteral("short"), OwnerA, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(!isLiveNow(watch, "short"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("short"), Limit); // the time to live that was seen
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && isLiveNow(watch, "hidden"), Limit);
        QVERIFY(!watch.status().missingRights.empty());
        set("~*");
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "short"), Limit);
    }

    void doesNotKeepTheNumberOfWaiters()
    {
        QProcess listener;
        listener.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("SUBSCRIBE"),
                QStringLiteral("redisson_lock__channel:{early}") });
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("early") && watch.lock("early")->subscribers == 1, Limit);
        set("-pubsub");
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("early")->subscribers, Limit);
        QVERIFY(!watch.service.latest()->channels);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().aclLine, "ACL SETUSER lockmon +pubsub|channels +pubsub|numsub", Limit);
        set("+pubsub");
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && watch.lock("early")->subscribers == 1, Limit);
        listener.kill();
        listener.waitForFinished();
    }

    void doesNotKnowTheRoleWithoutInfo()
    {
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(
            lacksNothing(watch) && watch.service.latest()->nodes.at(0).role == NodeRole::Master, Limit);
        set("-info");
        QTRY_COMPARE_WITH_TIMEOUT(watch.service.latest()->nodes.at(0).role, NodeRole::Unknown, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().aclLine, std::string("ACL SETUSER lockmon +info"), Limit);
        set("+info");
        QTRY_VERIFY_WITH_TIMEOUT(
            lacksNothing(watch) && watch.service.latest()->nodes.at(0).role == NodeRole::Master, Limit);
    }

    void saysThatTheUserIsGone()
    {
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "early"), Limit);
        m_server.cli(words("ACL DELUSER lockmon"));
        QTRY_VERIFY_WITH_TIMEOUT(
            watch.status().error && watch.status().error->code == ErrorCode::AuthenticationFailed, Limit);
        QVERIFY(!isLiveNow(watch, "early"));
        m_server.cli(words("ACL SETUSER lockmon") + Everything.split(QLatin1Char(' ')));
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "early"), Limit);
    }

    void followsAUserWhoGainsRights()
    {
        set("-client|tracking -psubscribe");
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.status().feed == Feed::Rereading, Limit);
        set("+client|tracking +psubscribe");
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch), Limit);
    }

    void oneLineGivesAPoorUserAllThatItNeeds()
    {
        m_server.cli(words("ACL SETUSER poor reset on >secret"));
        auto endpoint = user();
        endpoint.user = "poor";
        MonitorWatch watch(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && !watch.status().aclLine.empty(), Limit);
        const auto line = watch.status().aclLine;
        m_server.cli(words(line.c_str()));
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && isLiveNow(watch, "hidden"), Limit);
        MonitorWatch then(endpoint);
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(then) && isLiveNow(then, "hidden"), Limit);
        QCOMPARE(then.service.latest()->nodes.at(0).role, NodeRole::Master);
        QTRY_COMPARE_WITH_TIMEOUT(
            then.lock("hidden")->subscribers, std::optional<std::int64_t>(0), Limit); // and who waits
        QVERIFY2(lacksNothing(then), line.c_str());
    }

private:
    void prepareNext() override
    {
        RightsTest::prepareNext();
        m_server.cli(words("ACL SETUSER lockmon") + Everything.split(QLatin1Char(' ')));
        take(m_server, QStringLiteral("early"), OwnerA, 600'000);
        take(m_server, QStringLiteral("hidden"), OwnerA, 600'000);
    }
    void set(const char *change) { m_server.cli(words("ACL SETUSER lockmon") + words(change)); }
};

QTEST_GUILESS_MAIN(TestRightsTaken)
#include "tst_rights_taken.moc"
