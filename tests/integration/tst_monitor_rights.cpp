// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/rights/connection_probe.h"
#include "tests/integration/rights_test.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

} // namespace

/// Each right that a user who only looks may have, taken away alone.
class TestMonitorRights : public RightsTest {
    Q_OBJECT
private Q_SLOTS:
    void missesNothingWithTheRightsOfTheManual()
    {
        permit({});
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QCOMPARE(watch.status().missingRights.size(), std::size_t{ 0 });
        QVERIFY(watch.status().aclLine.empty());
    }

    void showsWhatItCanAndSaysWhatItCannot_data()
    {
        QTest::addColumn<QByteArray>("without");
        QTest::addColumn<QByteArray>("line"); // what is to be granted
        QTest::addColumn<bool>("findsEarly"); // what was there before
        QTest::addColumn<bool>("findsLate"); // without a sweep
        const auto row = [](const char *without, const char *line, bool early = true, bool late = true) {
            QTest::newRow(without) << QByteArray(without) << QByteArray(line) << early << late;
        };
        row("-info", "+info");
        row("-time", "+time");
        row("-scan", "+scan", false);
        row("-eval_ro -evalsha_ro", "+eval_ro +evalsha_ro");
        row("-pttl", "+@read", false, false);
        row("-pubsub", "+pubsub|channels +pubsub|numsub");
        row("-client|tracking", "+client|tracking", true, false);
        row("-client|id", "+client|id", true, false);
        row("-subscribe", "+subscribe &__redis__:invalidate", true, false);
        row("-psubscribe", "+psubscribe &redisson_*");
        row("resetchannels &redisson_*", "+subscribe &__redis__:invalidate", true, false);
        row("resetchannels &__redis__:invalidate", "+psubscribe &redisson_*");
        row("resetkeys ~early", "~*", true, false);
    }
    void showsWhatItCanAndSaysWhatItCannot()
    {
        QFETCH(QByteArray, without);
        QFETCH(QByteArray, line);
        QFETCH(bool, findsEarly);
        QFETCH(bool, findsLate);
        take(m_server, QStringLiteral("early"), OwnerA, 600'000);
        m_server.cli(words("RPUSH redisson_lock_queue:{early} 7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"));
        take(m_server, QStringLiteral("hidden"), OwnerA, 600'000);
        permit(words(without.constData()));
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        if (findsEarly)
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock("early"), Limit);
        else
            QVERIFY(!watch.lock("early"));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.status().missingRights.empty(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().aclLine, "ACL SETUSER lockmon " + line.toStdString(), Limit);
        take(m_server, QStringLiteral("late"), OwnerB, 600'000);
        if (findsLate)
            QTRY_VERIFY_WITH_TIMEOUT(watch.lock("late"), Limit);
        QVERIFY(watch.isLive());

        // The report before connecting says the same.
        ConnectionProbe test;
        QSignalSpy finished(&test, &ConnectionProbe::finished);
        test.start(user());
        QVERIFY(finished.wait(Limit));
        const auto report = finished.first().first().value<Result<ConnectionReport>>();
        QVERIFY(report);
        if (!without.contains("key") && !without.contains("client|id"))
            QVERIFY2(QByteArray(report->aclLine.c_str()).contains(line.split(' ').first()), report->aclLine.c_str());

        // And whoever does as it says has everything.
        m_server.cli(words(watch.status().aclLine.c_str()));
        MonitorWatch then(user());
        QTRY_VERIFY_WITH_TIMEOUT(then.isLive() && then.lock("early") && then.lock("late"), Limit);
        QCOMPARE(then.status().feed, Feed::ClientTracking);
        QVERIFY2(then.status().missingRights.empty(), then.status().aclLine.c_str());
    }

    void keysThatMayBeReadAreNotCalledRefused()
    {
        take(m_server, QStringLiteral("order"), OwnerA, 600'000);
        permit(words("-@all +get +hgetall +type +ping +hello +auth"));
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().aclLine.find("+@read") != std::string::npos, Limit);
        QVERIFY2(watch.status().aclLine.find("~*") == std::string::npos, watch.status().aclLine.c_str());
    }

    void knowsWhatItSawOfAServerThatDoesNotSayWhoItIs()
    {
        take(m_server, QStringLiteral("order"), OwnerA, 600'000);
        permit(words("-info"));
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("order"), Limit);
        m_server.pause();
        QTRY_VERIFY_WITH_TIMEOUT(!watch.isLive(), Limit);
        QCOMPARE(watch.status().phase, SourcePhase::Stale);
        QVERIFY(watch.isStale("order"));
        m_server.resume();
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && !watch.gaps().empty(), Limit);
        QVERIFY(!watch.isStale("order"));
    }

    void takesNoOtherMonitorForAClientThatWaits()
    {
        take(m_server, QStringLiteral("order"), OwnerA, 600'000);
        permit(words("-psubscribe")); // they listen to each channel by its name
        const MonitorWatch watch(user());
        const MonitorWatch other(user());
        const auto listeners = [this] {
            return m_server.cli(words("PUBSUB NUMSUB redisson_lock__channel:{order}")).split('\n').value(1).toInt();
        };
        QTRY_COMPARE_WITH_TIMEOUT(listeners(), 2, Limit);
        QProcess waiter;
        waiter.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server.socketPath(), QStringLiteral("SUBSCRIBE"),
                QStringLiteral("redisson_lock__channel:{order}") });
        QTRY_COMPARE_WITH_TIMEOUT(listeners(), 3, Limit);
        const std::optional<std::int64_t> one = 1;
        QTRY_COMPARE_WITH_TIMEOUT(watch.lock("order")->subscribers, one, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(other.lock("order")->subscribers, one, Limit);
        waiter.kill();
        waiter.waitForFinished();
    }

    void doesNotAskAgainAndAgainForWhatIsRefused()
    {
        take(m_server, QStringLiteral("early"), OwnerA, 600'000);
        permit(words("-scan -eval_ro -evalsha_ro -psubscribe -pubsub -client|tracking -info -pttl"));
        m_server.cli(words("ACL LOG RESET"));
        MonitorWatch watch(user());
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().missingRights.size() >= 5, Limit);
        take(m_server, QStringLiteral("late"), OwnerB, 600'000);
        const auto refusals = [this] {
            int sum = 0;
            for (const auto &text : m_server.cli(words("INFO stats")).split('\n')) {
                if (text.startsWith("acl_access_denied_cmd:"))
                    sum = text.mid(text.indexOf(':') + 1).trimmed().toInt();
            }
            if (sum == 0) { // before Redis 7.2
                for (const auto &text : m_server.cli(words("INFO commandstats")).split('\n')) {
                    const auto at = text.indexOf("rejected_calls=");
                    sum += at < 0 ? 0 : text.mid(at + 15).split(',').first().toInt();
                }
            }
            return sum;
        };
        QTRY_VERIFY_WITH_TIMEOUT(refusals() > 0, Limit);
        const int before = refusals();
        QTest::qWait(3'000); // nothing is waited for: what must not happen takes its time
        QVERIFY2(refusals() - before <= 4, qPrintable(QString::number(refusals() - before)));
    }

private:
    void permit(const QStringList &change)
    {
        m_server.cli(words("ACL SETUSER lockmon") + Everything.split(QLatin1Char(' ')) + change);
    }
};

QTEST_GUILESS_MAIN(TestMonitorRights)
#include "tst_monitor_rights.moc"
