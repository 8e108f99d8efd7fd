// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/server_test.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <csignal>
#include <functional>

using namespace Qt::StringLiterals;
using namespace testsupport;

namespace {

constexpr int Hour = 3'600;
constexpr int LeaseMs = 600'000;
const std::string Owner = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7";

} // namespace

/// The wall clock of the program is stepped by an hour, or the program is asleep for one, and nobody else is.
class WallClockTest : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override { step(0); }

private Q_SLOTS:
    void aSteppedClockNeitherExpiresNorProlongsALock_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::newRow("ahead") << Hour;
        QTest::newRow("back") << -Hour;
    }
    void aSteppedClockNeitherExpiresNorProlongsALock()
    {
        QFETCH(const int, seconds);
        hold("order", LeaseMs);
        Program watch(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"watch"_s }), environment());
        QVERIFY(!watch.lineWith("\"appeared\"").isEmpty());
        constexpr int ShortMs = 3'000;
        QElapsedTimer elapsed;
        elapsed.start();
        hold("short", ShortMs);
        QVERIFY(!watch.lineWith("\"acquired\"").isEmpty());
        step(seconds);

        const QJsonObject ended = next(watch);
        QCOMPARE(ended.value(u"event"_s).toString(), u"expired"_s);
        QCOMPARE(ended.value(u"lock"_s).toString(), u"short"_s);
        QVERIFY(elapsed.elapsed() >= ShortMs - 100);
        hold("order", LeaseMs);
        const QJsonObject renewed = next(watch);
        QCOMPARE(renewed.value(u"event"_s).toString(), u"renewed"_s);
        const double ttl = renewed.value(u"ttlMs"_s).toDouble();
        QVERIFY2(ttl > LeaseMs - 60'000 && ttl <= LeaseMs, qPrintable(QString::number(ttl)));
        const auto at = QDateTime::fromString(renewed.value(u"at"_s).toString(), Qt::ISODateWithMs);
        QVERIFY2(std::abs(QDateTime::currentDateTimeUtc().secsTo(at) - seconds) < 60, "its clock was not stepped");
    }

    void aGapIsAsLongAsItWas()
    {
        hold("order", LeaseMs);
        Program watch(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"watch"_s }), environment());
        QVERIFY(!watch.lineWith("\"appeared\"").isEmpty());
        QElapsedTimer elapsed;
        elapsed.start();
        m_server.kill();
        step(Hour);
        QVERIFY(m_server.restart());
        const QJsonObject gap = watch.jsonWith("\"gap\"");
        QVERIFY(gap.value(u"ttlMs"_s).isDouble());
        QVERIFY2(gap.value(u"ttlMs"_s).toDouble() <= static_cast<double>(elapsed.elapsed()) + 5'000,
            qPrintable(QString::number(gap.value(u"ttlMs"_s).toDouble())));
    }

    void aGapIsAsLongAsTheComputerSlept()
    {
        hold("order", LeaseMs);
        Program watch(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"watch"_s }), environment());
        QVERIFY(!watch.lineWith("\"appeared\"").isEmpty());
        sleepAnHour(watch, [this] {
            m_server.cli({ u"DEL"_s, u"order"_s });
            hold("other", LeaseMs);
            m_server.pause();
        });
        QVERIFY(watch.complains("asleep for 1 h")); // and so stale until the server answers
        m_server.resume();
        const QJsonObject gap = watch.jsonWith("\"gap\"");
        const double lasted = gap.value(u"ttlMs"_s).toDouble() / 1'000;
        QVERIFY2(lasted >= Hour && lasted < Hour + 60, qPrintable(QString::number(lasted)));
        QVERIFY(!watch.lineWith("\"other\"").isEmpty()); // what came meanwhile is read, though nobody told of it
    }

    /// What changed meanwhile was announced, to nobody: in the sockets lies that it did, and not how often.
    void aGapIsAsLongAsTheProgramStoodStill()
    {
        constexpr int Seconds = 12;
        hold("order", LeaseMs);
        Program watch(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"watch"_s }), environment());
        QVERIFY(!watch.lineWith("\"appeared\"").isEmpty());
        watch.signal(SIGSTOP);
        m_server.cli({ u"DEL"_s, u"order"_s });
        hold("order", 2 * LeaseMs);
        hold("other", LeaseMs);
        step(0, 0, Seconds);
        watch.signal(SIGCONT);
        QVERIFY(watch.complains("stood still for "));
        const QJsonObject gap = next(watch); // before all that came meanwhile
        QCOMPARE(gap[u"event"].toString(), u"gap"_s);
        const double lasted = gap[u"ttlMs"].toDouble() / 1'000;
        QVERIFY2(lasted >= Seconds && lasted < Seconds + 60, qPrintable(QString::number(lasted)));
        QMap<QString, QString> told;
        for (int i = 0; i < 2; ++i) {
            const QJsonObject event = next(watch);
            told[event[u"lock"].toString()] = event[u"certainty"].toString() + u' ' + event[u"event"].toString();
        }
        QCOMPARE(told[u"order"_s], u"inferred renewed"_s);
        QCOMPARE(told[u"other"_s], u"seen appeared"_s); // when it was taken is not known
    }

    /// Its timers do not know of the hour.
    void aLeaseThatRanOutInItsSleepIsLost_data()
    {
        QTest::addColumn<QStringList>("lease");
        QTest::newRow("fixed, for ten minutes") << QStringList{ u"--lease"_s, u"600000"_s };
        QTest::newRow("renewed every ten seconds") << QStringList{};
    }
    void aLeaseThatRanOutInItsSleepIsLost()
    {
        QFETCH(const QStringList, lease);
        constexpr int NextRenewalMs = 10'000;
        Program holder(
            QStringLiteral(LOCKCTL), arguments(QStringList{ u"--json"_s, u"hold"_s, u"job"_s } + lease), environment());
        QVERIFY(!holder.lineWith("\"acquired\"").isEmpty());
        QElapsedTimer elapsed;
        elapsed.start();
        sleepAnHour(holder, [this] {
            m_server.cli({ u"DEL"_s, u"job"_s });
            hold("job", LeaseMs);
        });
        QVERIFY(!holder.lineWith("\"lost\"").isEmpty());
        QVERIFY2(elapsed.elapsed() < NextRenewalMs - 1'000, qPrintable(QString::number(elapsed.elapsed())));
        QCOMPARE(holder.end().status, 1);
        QCOMPARE(m_server.cli({ u"HGET"_s, u"job"_s, QString::fromStdString(Owner) }), QByteArray("1"));
    }

    /// Nobody can tell it whether it still has it.
    void aLeaseThatRanOutInItsSleepIsInDoubtUntilTheServerAnswers()
    {
        Program holder(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"hold"_s, u"job"_s }), environment());
        QVERIFY(!holder.lineWith("\"acquired\"").isEmpty());
        m_server.pause();
        sleepAnHour(holder, [] {});
        QVERIFY(holder.complains("it may have run out", 8'000)); // without the sleep, due in thirty seconds
        m_server.resume();
        m_server.cli({ u"DEL"_s, u"job"_s });
        QVERIFY(!holder.lineWith("\"lost\"").isEmpty());
    }

    /// The server's clock goes on in its sleep. By what was known of it before, the next try would be too late for its
    /// own last moment, and be sent twice.
    void itKnowsTheServersTimeAfterItsSleep()
    {
        for (const char *name : { "LD_PRELOAD", "STEPPED_CLOCK" })
            qputenv(name, environment()[QString::fromLatin1(name)].toLocal8Bit());
        RedisServer server;
        const bool started = server.start();
        qunsetenv("LD_PRELOAD");
        qunsetenv("STEPPED_CLOCK");
        QVERIFY(started);
        const QString threeHours = QString::number(3 * Hour * 1'000);
        server.cli({ u"HSET"_s, u"job"_s, QString::fromStdString(Owner), u"1"_s });
        server.cli({ u"PEXPIRE"_s, u"job"_s, threeHours });
        Program waiter(QStringLiteral(LOCKCTL),
            { u"--url"_s, server.url(), u"hold"_s, u"job"_s, u"--wait"_s, threeHours }, environment());
        QTRY_COMPARE(commandCalls(server, "evalsha"), 2); // to take it, and again once it listens
        sleepAnHour(waiter, [&server] { forgetCalls(server); });
        QTRY_VERIFY(commandCalls(server, "evalsha") > 0); // it looks again when it wakes
        server.cli({ u"DEL"_s, u"job"_s });
        server.cli({ u"PUBLISH"_s, u"redisson_lock__channel:{job}"_s, u"0"_s });
        QVERIFY(!waiter.lineWith("acquired").isEmpty());
        QCOMPARE(commandCalls(server, "evalsha"), 2);
    }

    void aListingCountsDownByTheServersTime()
    {
        hold("order", LeaseMs);
        step(Hour);
        const Ending ending = run(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"ls"_s }), environment());
        QCOMPARE(ending.status, 0);
        const QJsonValue lock = QJsonDocument::fromJson(ending.out).array().first();
        const double ttl = lock[u"ttlMs"_s].toDouble();
        QVERIFY2(ttl > LeaseMs - 60'000 && ttl <= LeaseMs, qPrintable(QString::number(ttl)));
        QVERIFY(lock[u"heldAtLeastMs"_s].toDouble() < 60'000);
    }

    /// By the clock of the program both waiters have had their time.
    void aForceReleaseTakesNoLiveWaiterAlong()
    {
        hold("job", LeaseMs);
        lineUp(u"job"_s, { u"1"_s, u"2"_s });
        step(Hour / 4);
        const Ending ending = act(
            { u"force-release"_s, u"job"_s, u"--expect"_s, QString::fromStdString(Owner), u"--reason"_s, u"stuck"_s });
        QVERIFY2(ending.status == 0, ending.err.constData());
        QCOMPARE(m_server.cli({ u"EXISTS"_s, u"job"_s }), QByteArray("0"));
        QCOMPARE(m_server.cli({ u"LLEN"_s, u"redisson_lock_queue:{job}"_s }), QByteArray("2"));
    }

    void aClientTakesNoLiveWaiterForDead()
    {
        hold("job", LeaseMs);
        lineUp(u"job"_s, { u"1"_s, u"2"_s });
        step(Hour / 4);
        const Ending ending = run(QStringLiteral(LOCKCTL),
            arguments({ u"hold"_s, u"job"_s, u"--kind"_s, u"fair"_s, u"--wait"_s, u"10"_s }), environment());
        QCOMPARE(ending.status, 1);
        QCOMPARE(m_server.cli({ u"LINDEX"_s, u"redisson_lock_queue:{job}"_s, u"1"_s }),
            QByteArray("5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:2"));
    }

    void deadlinesAreToldByTheServersClock_data()
    {
        QTest::addColumn<int>("seconds");
        QTest::newRow("ahead") << 2 * Hour;
        QTest::newRow("back") << -2 * Hour;
    }
    void deadlinesAreToldByTheServersClock()
    {
        QFETCH(const int, seconds);
        hold("job", LeaseMs);
        lineUp(u"job"_s, { u"1"_s, u"2"_s });
        m_server.cli({ u"SET"_s, u"pool"_s, u"1"_s });
        m_server.cli({ u"ZADD"_s, u"{pool}:timeout"_s, QString::number(serverNow() + 600'000),
            u"00112233445566778899aabbccddeeff"_s });
        step(seconds);
        const Ending ending = run(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"ls"_s }), environment());
        QVERIFY2(ending.err.contains(seconds > 0 ? "behind the one of this computer" : "ahead of the one of"),
            ending.err.constData());
        QVERIFY2(!ending.err.contains("drift") && !ending.out.contains("lockDrift"), ending.err.constData());
        const QJsonArray locks = QJsonDocument::fromJson(ending.out).array();
        QCOMPARE(locks.size(), 2);
        const QJsonArray waiters = locks[0][u"waiters"].toArray();
        QCOMPARE(waiters.size(), 2);
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(waiters[i][u"overdue"], QJsonValue(false));
            const double left = waiters[i][u"timeoutInMs"].toDouble();
            QVERIFY2(left > 300'000 * (i + 1) - 60'000 && left <= 300'000 * (i + 1), qPrintable(QString::number(left)));
        }
        QCOMPARE(locks[1][u"permits"][u"leased"].toInt(), 1);
        QVERIFY2(!ending.out.contains("clock"), ending.out.constData());
    }

    /// The program runs while the clock is set.
    void deadlinesStayWhereTheyAreWhenTheClockIsSet()
    {
        hold("job", LeaseMs);
        Program watch(QStringLiteral(LOCKCTL), arguments({ u"--json"_s, u"watch"_s }), environment());
        QVERIFY(!watch.lineWith("\"appeared\"").isEmpty());
        step(2 * Hour);
        lineUp(u"job"_s, { u"1"_s });
        QVERIFY(!watch.lineWith("\"queued\"").isEmpty());
        m_server.cli({ u"DEL"_s, u"redisson_lock_queue:{job}"_s, u"redisson_lock_timeout:{job}"_s });
        const QJsonObject left = next(watch);
        QCOMPARE(left[u"event"].toString(), u"dequeued"_s);
    }

    void aRenewedGroupLastsFromTheServersNow()
    {
        const QString value(22, u'a');
        const QString owner = QString::fromStdString(Owner);
        const QString expiry = value + u':' + owner + u":expire_time"_s;
        m_server.cli({ u"HSET"_s, u"group"_s, value, owner, expiry, QString::number(serverNow() + 20'000),
            value + u':' + owner + u":lock_count"_s, u"1"_s });
        m_server.cli({ u"PEXPIRE"_s, u"group"_s, u"20000"_s });
        step(-Hour / 12);
        const Ending ending = act({ u"renew"_s, u"group"_s, u"--ttl"_s, u"60000"_s, u"--expect"_s, owner, u"--reason"_s,
            u"it needs longer"_s });
        QVERIFY2(ending.status == 0, ending.err.constData());
        const qint64 left = m_server.cli({ u"HGET"_s, u"group"_s, expiry }).toLongLong() - serverNow();
        QVERIFY2(left > 20'000 && left <= 61'000, qPrintable(QString::number(left)));
    }

private:
    qint64 serverNow() const { return m_server.cli({ u"TIME"_s }).split('\n').value(0).toLongLong() * 1'000; }
    void lineUp(const QString &lock, const QStringList &threads) const
    {
        const qint64 now = serverNow();
        for (const QString &thread : threads) {
            const QString waiter = u"5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:"_s + thread;
            m_server.cli({ u"RPUSH"_s, u"redisson_lock_queue:{%1}"_s.arg(lock), waiter });
            m_server.cli({ u"ZADD"_s, u"redisson_lock_timeout:{%1}"_s.arg(lock),
                QString::number(now + 300'000 * thread.toLongLong()), waiter });
        }
    }
    Ending act(const QStringList &command) const
    {
        return run(QStringLiteral(LOCKCTL),
            arguments(QStringList{ u"--writable"_s } + command
                + QStringList{ u"--audit-file"_s, m_folder.filePath(u"audit"_s) }),
            environment());
    }
    void step(int seconds, int asleep = 0, int still = 0)
    {
        QFile file(m_folder.filePath(u"clock"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::number(seconds) + ' ' + QByteArray::number(asleep) + ' ' + QByteArray::number(still));
    }
    /// The program does nothing meanwhile, and nothing tells it of the time but its clocks.
    void sleepAnHour(Program &program, const std::function<void()> &meanwhile)
    {
        program.signal(SIGSTOP);
        meanwhile();
        step(0, Hour);
        program.signal(SIGCONT);
    }
    Environment environment() const
    {
        return { { u"LD_PRELOAD"_s, QStringLiteral(STEPPED_CLOCK_LIBRARY) },
            { u"STEPPED_CLOCK"_s, m_folder.filePath(u"clock"_s) },
            { u"ASAN_OPTIONS"_s, u"verify_asan_link_order=0:"_s + qEnvironmentVariable("ASAN_OPTIONS") } };
    }
    QStringList arguments(const QStringList &command) const
    {
        return QStringList{ u"--url"_s, m_server.url() } + command;
    }
    void hold(const std::string &name, int leaseMs)
    {
        Commands commands;
        addHold(commands, name, Owner, leaseMs);
        commands.insert(commands.begin(), { "MULTI" });
        commands.push_back({ "EXEC" });
        BlockingClient(m_server.socketPath().toStdString()).runAll(commands);
    }
    static QJsonObject next(Program &watch) { return QJsonDocument::fromJson(watch.lineWith({})).object(); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(WallClockTest)
#include "tst_wall_clock.moc"
