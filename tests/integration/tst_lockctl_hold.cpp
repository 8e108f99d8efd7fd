// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_cluster.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <csignal>

using testsupport::Ending;
using testsupport::Program;
using testsupport::RedisServer;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const QString Name = QStringLiteral("order:{8812}:pay");
const QString Channel = QStringLiteral("redisson_lock__channel:order:{8812}:pay");

QDateTime timeOf(const QJsonObject &line) { return QDateTime::fromString(line[u"at"].toString(), Qt::ISODateWithMs); }

} // namespace

class LockctlHold : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void handsOverAndWatchTellsIt();
    void isFreeWithinOneLeaseAfterKill();
    void givesUpWhenNotWaiting();
    void saysWhatTheHolderHasLeftInTheEnd();
    void saysWhoseTurnItIsWhenNobodyHoldsIt();
    void saysThatItIsUnknownAndGivesBack();
    void releasesAfterItsTime();
    void namesAllRightsThatItNeeds_data();
    void namesAllRightsThatItNeeds();
    void takesNoRightAway();
    void saysWhereNoLockStands();
    void saysWhatStandsThereInstead();
    void saysThatThereIsNoSuchSemaphore();
    void saysWhoseLockItWaitsFor();
    void saysWhichSignalEndedIt();
    void saysThatItsLeaseRanOutWithoutTheServer();
    void tellsALostLock_data();
    void tellsALostLock();
    void holdsOtherKinds_data();
    void holdsOtherKinds();
    void leavesTheQueueOfAFairLock_data();
    void leavesTheQueueOfAFairLock();
    void saysThatItCouldNotLeaveTheQueue();
    void saysWhatIsLeftWhenTheServerIsGone_data();
    void saysWhatIsLeftWhenTheServerIsGone();
    void tellsTheTokenOfAFencedLock();
    void holdsOnePermit_data();
    void holdsOnePermit();
    void losesAPermitWhoseLeaseRunsOut();
    void saysWhichKindsItCannotHold();
    void holdsInACluster();
    void watchEndsWell_data();
    void watchEndsWell();
    void watchHearsOfChangesAsOneChooses();

private:
    QStringList arguments(const QStringList &command) const
    {
        return QStringList{ QStringLiteral("--url"), m_server.url(), QStringLiteral("--json") } + command;
    }
    QStringList hold(const QStringList &options = {}) const
    {
        return arguments(QStringList{ QStringLiteral("hold"), Name } + options);
    }
    QStringList watch() const { return arguments({ QStringLiteral("watch") }); }
    QByteArray queueLength() const
    {
        return m_server.cli({ QStringLiteral("LLEN"), QStringLiteral("redisson_lock_queue:") + Name });
    }
    void waitUntilSubscribed() const
    {
        QTRY_COMPARE_WITH_TIMEOUT(m_server.cli({ QStringLiteral("PUBSUB"), QStringLiteral("NUMSUB"), Channel }),
            Channel.toUtf8() + "\n1", 30'000);
    }
    void waitUntilWatched() const
    {
        QTRY_VERIFY_WITH_TIMEOUT(
            m_server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).contains(" psub=1"), 30'000);
    }

    RedisServer m_server;
};

void LockctlHold::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
}

void LockctlHold::init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

void LockctlHold::handsOverAndWatchTellsIt()
{
    Program first(Lockctl, hold());
    const QJsonObject got = first.jsonWith("\"acquired\"");
    QCOMPARE(got[u"lock"].toString(), Name);
    const QString owner = got[u"client"].toString() + u':' + got[u"thread"].toString();
    QCOMPARE(m_server.cli({ QStringLiteral("HGET"), Name, owner }), QByteArray("1"));

    Program watcher(Lockctl, watch());
    const QJsonObject appeared = watcher.jsonWith("\"appeared\"");
    QCOMPARE(appeared[u"lock"].toString(), Name);
    QCOMPARE(appeared[u"client"].toString(), got[u"client"].toString());

    Program second(Lockctl, hold());
    waitUntilSubscribed();
    first.signal(SIGINT);
    const QJsonObject released = first.jsonWith("\"released\"");
    const QJsonObject gotNext = second.jsonWith("\"acquired\"");
    QCOMPARE(first.end().status, 0);
    // Woken by the message; the holder's time to live would have been half a minute.
    QVERIFY(timeOf(released).msecsTo(timeOf(gotNext)) < 5'000);
    QVERIFY(gotNext[u"waitedMs"].toInteger() > 0);

    const QJsonObject seenRelease = watcher.jsonWith("\"released\"");
    QCOMPARE(seenRelease[u"client"].toString(), got[u"client"].toString());
    QCOMPARE(seenRelease[u"certainty"].toString(), QStringLiteral("seen"));
    const QJsonObject seenAcquire = watcher.jsonWith("\"acquired\"");
    QCOMPARE(seenAcquire[u"client"].toString(), gotNext[u"client"].toString());
    QCOMPARE(seenAcquire[u"kind"].toString(), QStringLiteral("reentrant"));

    second.signal(SIGTERM);
    QCOMPARE(second.end().status, 0);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
    watcher.signal(SIGINT);
    QCOMPARE(watcher.end().status, 0);
}

void LockctlHold::isFreeWithinOneLeaseAfterKill()
{
    Program first(Lockctl, hold());
    const QJsonObject got = first.jsonWith("\"acquired\"");
    Program watcher(Lockctl, watch());
    QVERIFY(!watcher.lineWith("\"appeared\"").isEmpty());
    Program second(Lockctl, hold());
    waitUntilSubscribed();
    first.signal(SIGKILL);

    const qint64 left = m_server.cli({ QStringLiteral("PTTL"), Name }).toLongLong();
    QVERIFY(left > 0 && left <= 30'000);
    QElapsedTimer sinceKill;
    sinceKill.start();
    const QJsonObject gotNext = second.jsonWith("\"acquired\"", 60'000);
    QVERIFY(!gotNext.isEmpty());
    QVERIFY2(sinceKill.elapsed() < left + 3'000, qPrintable(QString::number(sinceKill.elapsed() - left)));

    const QJsonObject expired = watcher.jsonWith("\"expired\"");
    QCOMPARE(expired[u"client"].toString(), got[u"client"].toString());
    QCOMPARE(watcher.jsonWith("\"acquired\"")[u"client"].toString(), gotNext[u"client"].toString());
}

void LockctlHold::givesUpWhenNotWaiting()
{
    Program first(Lockctl, hold());
    QVERIFY(!first.lineWith("\"acquired\"").isEmpty());
    for (const char *wait : { "0", "300" }) {
        const Ending ending = testsupport::run(Lockctl, hold({ QStringLiteral("--wait"), QString::fromLatin1(wait) }));
        QCOMPARE(ending.status, 1);
        QVERIFY2(ending.err.contains("not acquired"), ending.err.constData());
        QCOMPARE(ending.err.count('\n'), 1);
    }
}

/// Not what it had left when the waiting began.
void LockctlHold::saysWhatTheHolderHasLeftInTheEnd()
{
    m_server.cli({ QStringLiteral("HSET"), Name, QStringLiteral("5d0e77c1-0a1b-4c2d-8e3f-405162738495:112"),
        QStringLiteral("1") });
    m_server.cli({ QStringLiteral("PEXPIRE"), Name, QStringLiteral("21500") });
    const Ending ending = testsupport::run(Lockctl, hold({ QStringLiteral("--wait"), QStringLiteral("3000") }));
    QCOMPARE(ending.status, 1);
    const QRegularExpressionMatch told
        = QRegularExpression(QStringLiteral("its holder has ([0-9.]+) s left")).match(QString::fromUtf8(ending.err));
    QVERIFY2(told.hasMatch(), ending.err.constData());
    const double seconds = told.captured(1).toDouble();
    QVERIFY2(seconds > 5 && seconds < 18.6, ending.err.constData());
}

/// The client at the head of the queue is gone.
void LockctlHold::saysWhoseTurnItIsWhenNobodyHoldsIt()
{
    const QString queue = QStringLiteral("redisson_lock_queue:") + Name;
    const QString dead = QStringLiteral("5d0e77c1-0a1b-4c2d-8e3f-405162738495:112");
    m_server.cli({ QStringLiteral("RPUSH"), queue, dead });
    const auto told = [&] {
        return testsupport::run(Lockctl,
            hold({ QStringLiteral("--kind"), QStringLiteral("fair"), QStringLiteral("--wait"), QStringLiteral("50") }));
    };
    const Ending forEver = told();
    QCOMPARE(forEver.status, 1);
    const QByteArray turn = "nobody holds it, but " + dead.toLatin1() + " stands at the head of its queue ";
    QVERIFY2(forEver.err.contains(QByteArray(turn + "without a time-out")), forEver.err.constData());

    m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("redisson_lock_timeout:") + Name,
        QString::number(QDateTime::currentMSecsSinceEpoch() + 100'000), dead });
    const Ending forAWhile = told();
    QVERIFY2(forAWhile.err.contains(QByteArray(turn + "for 1 m 3")), forAWhile.err.constData());

    m_server.cli({ QStringLiteral("RPUSH"), queue, QStringLiteral("5d0e77c1-0a1b-4c2d-8e3f-405162738495:113") });
    const Ending oneOfTwo = told();
    QVERIFY2(oneOfTwo.err.contains(" stands at the head of its queue of 2 for 1 m "), oneOfTwo.err.constData());
}

void LockctlHold::saysThatItIsUnknownAndGivesBack()
{
    const auto client
        = [this](const QStringList &words) { m_server.cli(QStringList{ QStringLiteral("CLIENT") } + words); };
    client({ QStringLiteral("PAUSE"), QStringLiteral("60000"), QStringLiteral("WRITE") });
    Program held(Lockctl,
        hold({ QStringLiteral("--wait"), QStringLiteral("100"), QStringLiteral("--lease"), QStringLiteral("600000") }));
    const bool told = held.complains("unknown whether it was acquired");
    client({ QStringLiteral("UNPAUSE") });
    QVERIFY(told);
    QCOMPARE(held.end().status, 3);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), "0");
}

void LockctlHold::releasesAfterItsTime()
{
    const Ending ending = testsupport::run(Lockctl, hold({ QStringLiteral("--for"), QStringLiteral("100") }));
    QCOMPARE(ending.status, 0);
    QCOMPARE(ending.err, QByteArray());
    QVERIFY(ending.out.contains("\"released\""));
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
}

void LockctlHold::namesAllRightsThatItNeeds_data()
{
    QTest::addColumn<QStringList>("options");
    for (const char *kind :
        { "reentrant", "fair", "fenced", "spin", "nonReentrant", "token", "semaphore", "permitExpirableSemaphore" })
        QTest::newRow(kind) << QStringList{ QStringLiteral("--kind"), QString::fromLatin1(kind) };
    for (const char *mode : { "read", "write" })
        QTest::newRow(mode) << QStringList{ QStringLiteral("--kind"), QStringLiteral("readWrite"),
            QStringLiteral("--mode"), QString::fromLatin1(mode) };
}

/// A user without any rights who does what it is told may hold a lock, and wait for one.
void LockctlHold::namesAllRightsThatItNeeds()
{
    QFETCH(const QStringList, options);
    m_server.cli({ QStringLiteral("ACL"), QStringLiteral("SETUSER"), QStringLiteral("limited"), QStringLiteral("reset"),
        QStringLiteral("on"), QStringLiteral(">pw"), QStringLiteral("-@all") });
    const bool isPermit = options.back().endsWith(QStringLiteral("emaphore"));
    if (isPermit)
        m_server.cli({ QStringLiteral("SET"), Name, QStringLiteral("1") });
    QString url = m_server.url();
    url.replace(QStringLiteral("redis://"), QStringLiteral("redis://limited:pw@"));
    const QStringList held
        = QStringList{ QStringLiteral("--url"), url, QStringLiteral("--json"), QStringLiteral("hold"), Name } + options;
    const Ending refused = testsupport::run(Lockctl, held);
    QCOMPARE(refused.status, 3);
    int lines = 0;
    for (qsizetype at = refused.err.indexOf("ACL SETUSER limited "); at >= 0;
         at = refused.err.indexOf("ACL SETUSER limited ", at + 1), ++lines) {
        const QByteArray line = refused.err.mid(at).split('\n').first();
        QCOMPARE(m_server.cli(QString::fromUtf8(line).split(QLatin1Char(' '))), QByteArray("OK"));
    }
    QCOMPARE(lines, 3); // for commands, its keys, and its channels
    const QString list = QString::fromUtf8(m_server.cli({ QStringLiteral("ACL"), QStringLiteral("LIST") }));
    QVERIFY2(!list.section(QStringLiteral("user limited"), 1).section(u'\n', 0, 0).contains(QStringLiteral(" ~* ")),
        "other keys are not opened up");

    Program first(Lockctl, held);
    QVERIFY(!first.lineWith("\"acquired\"").isEmpty());
    Program second(Lockctl, held + QStringList{ QStringLiteral("--for"), QStringLiteral("1") });
    const QStringList askAgain{ QStringLiteral("read"), QStringLiteral("spin"), QStringLiteral("token") };
    if (!askAgain.contains(options.back()))
        QTRY_VERIFY_WITH_TIMEOUT(
            !m_server.cli({ QStringLiteral("PUBSUB"), QStringLiteral("CHANNELS"), QStringLiteral("redisson_*") })
                 .isEmpty(),
            30'000);
    first.signal(SIGINT);
    const Ending ending = first.end();
    QVERIFY2(ending.status == 0 && ending.err.isEmpty(), ending.err.constData());
    const Ending after = second.end();
    QVERIFY2(after.status == 0 && !after.err.contains("ACL SETUSER"), after.err.constData());
}

/// The server refuses a pattern beside `~*`, so that line is needed only where not all keys are permitted.
void LockctlHold::takesNoRightAway()
{
    m_server.cli({ QStringLiteral("ACL"), QStringLiteral("SETUSER"), QStringLiteral("reader"), QStringLiteral("reset"),
        QStringLiteral("on"), QStringLiteral(">pw"), QStringLiteral("~*"), QStringLiteral("&*"),
        QStringLiteral("-@all"), QStringLiteral("+@read"), QStringLiteral("+@connection") });
    QString url = m_server.url();
    url.replace(QStringLiteral("redis://"), QStringLiteral("redis://reader:pw@"));
    const QStringList held{ QStringLiteral("--url"), url, QStringLiteral("hold"), Name, QStringLiteral("--for"),
        QStringLiteral("1") };
    const Ending refused = testsupport::run(Lockctl, held);
    QCOMPARE(refused.status, 3);
    const auto told = [&](const QByteArray &before) {
        const qsizetype at = refused.err.indexOf(QByteArray(before + ": ACL SETUSER reader "));
        const QByteArray line = at < 0 ? QByteArray() : refused.err.mid(at).split('\n').first();
        return QString::fromUtf8(line.mid(before.size() + 2));
    };
    QVERIFY2(!told("unless all keys are permitted").isEmpty(), refused.err.constData());
    const QString line = told("All that holding it needs");
    QVERIFY2(!line.contains(u'~') && !line.contains(QStringLiteral(" -")), qPrintable(line));
    QCOMPARE(m_server.cli(line.split(u' ')), QByteArray("OK"));
    for (const char *command : { "scan", "randomkey", "hscan" }) {
        const bool needsKey = qstrcmp(command, "hscan") == 0;
        QStringList dry{ QStringLiteral("ACL"), QStringLiteral("DRYRUN"), QStringLiteral("reader"),
            QString::fromLatin1(command) };
        if (needsKey)
            dry << QStringLiteral("some");
        if (qstrcmp(command, "randomkey") != 0)
            dry << QStringLiteral("0");
        QCOMPARE(m_server.cli(dry), QByteArray("OK"));
    }
    const Ending ending = testsupport::run(Lockctl, held);
    QVERIFY2(ending.status == 0 && ending.err.isEmpty(), ending.err.constData());
}

void LockctlHold::saysWhereNoLockStands()
{
    m_server.cli({ QStringLiteral("HSET"), Name, QStringLiteral("colour"), QStringLiteral("red") });
    const Ending ending = testsupport::run(Lockctl, hold({ QStringLiteral("--wait"), QStringLiteral("0") }));
    QCOMPARE(ending.status, 1);
    QVERIFY2(ending.err.contains("never ends: lockctl show tells whether that is a lock"), ending.err.constData());
}

void LockctlHold::saysWhatStandsThereInstead()
{
    m_server.cli({ QStringLiteral("SET"), Name, QStringLiteral("text") });
    const Ending text = testsupport::run(Lockctl, hold({ QStringLiteral("--wait"), QStringLiteral("0") }));
    QCOMPARE(text.status, 3);
    QVERIFY2(text.err.contains("is no such lock") && !text.err.contains("WRONGTYPE"), text.err.constData());
    m_server.cli({ QStringLiteral("DEL"), Name });
    m_server.cli({ QStringLiteral("REPLICAOF"), QStringLiteral("127.0.0.1"), QStringLiteral("1") });
    const Ending replica = testsupport::run(Lockctl, hold({ QStringLiteral("--wait"), QStringLiteral("0") }));
    m_server.cli({ QStringLiteral("REPLICAOF"), QStringLiteral("NO"), QStringLiteral("ONE") });
    QCOMPARE(replica.status, 3);
    QVERIFY2(
        replica.err.contains("this server is a replica") && !replica.err.contains("READONLY"), replica.err.constData());
}

void LockctlHold::saysThatThereIsNoSuchSemaphore()
{
    const QStringList semaphore{ QStringLiteral("--kind"), QStringLiteral("semaphore"), QStringLiteral("--wait"),
        QStringLiteral("100") };
    const Ending none = testsupport::run(Lockctl, hold(semaphore));
    QCOMPARE(none.status, 1);
    QVERIFY2(none.err.contains("there is no such semaphore"), none.err.constData());
    m_server.cli({ QStringLiteral("SET"), Name, QStringLiteral("0") });
    const Ending taken = testsupport::run(Lockctl, hold(semaphore));
    QCOMPARE(taken.status, 1);
    QVERIFY2(taken.err.contains("no permit is free"), taken.err.constData());
}

void LockctlHold::saysWhoseLockItWaitsFor()
{
    testsupport::take(m_server, Name, testsupport::OwnerA, 600'000);
    Program waiter(Lockctl, hold());
    QVERIFY(waiter.complains("waiting for " + Name.toUtf8() + ", held by " + testsupport::OwnerA.toUtf8()));
    Program permit(Lockctl,
        arguments(
            { QStringLiteral("hold"), QStringLiteral("none"), QStringLiteral("--kind"), QStringLiteral("semaphore") }));
    QVERIFY(permit.complains("waiting for none: there is no such semaphore"));
}

void LockctlHold::saysWhichSignalEndedIt()
{
    testsupport::take(m_server, Name, testsupport::OwnerA, 600'000);
    Program waiter(Lockctl, hold());
    QVERIFY(waiter.complains("waiting for"));
    waiter.signal(SIGTERM);
    const Ending ending = waiter.end();
    QCOMPARE(ending.status, 1);
    QVERIFY2(ending.err.contains("ended by SIGTERM before it was acquired"), ending.err.constData());
}

void LockctlHold::saysThatItsLeaseRanOutWithoutTheServer()
{
    RedisServer server;
    QVERIFY(server.start());
    Program holder(Lockctl,
        { QStringLiteral("--url"), server.url(), QStringLiteral("hold"), Name, QStringLiteral("--lease"),
            QStringLiteral("1500"), QStringLiteral("--for"), QStringLiteral("60000") });
    QVERIFY(!holder.lineWith("acquired").isEmpty());
    server.pause();
    const bool told = holder.complains("its lease of 1500 ms ran out");
    const Ending ending = holder.end();
    server.resume();
    QVERIFY2(told && !ending.err.contains("may still be held"), ending.err.constData());
    QCOMPARE(ending.status, 1);
}

void LockctlHold::tellsALostLock_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("how");
    const QByteArray ranOut("lost: its lease of 300 ms ran out");
    QTest::newRow("lease ran out") << QStringList{ QStringLiteral("--lease"), QStringLiteral("300") } << ranOut;
    QTest::newRow("lease ran out before the work was done") << QStringList{ QStringLiteral("--lease"),
        QStringLiteral("300"), QStringLiteral("--for"), QStringLiteral("600") }
                                                            << ranOut;
    QTest::newRow("deleted, found by the watchdog") << QStringList() << QByteArray("lost: the watchdog found it gone");
}

void LockctlHold::tellsALostLock()
{
    QFETCH(const QStringList, options);
    QFETCH(const QByteArray, how);
    Program holder(Lockctl, hold(options));
    QVERIFY(!holder.lineWith("\"acquired\"").isEmpty());
    if (options.isEmpty())
        m_server.cli({ QStringLiteral("DEL"), Name });
    QVERIFY(!holder.lineWith("\"lost\"").isEmpty());
    const Ending ending = holder.end();
    QCOMPARE(ending.status, 1);
    QVERIFY2(ending.err.contains(how), ending.err.constData());
}

void LockctlHold::holdsOtherKinds_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("field");
    QTest::newRow("fair") << QStringList{ QStringLiteral("--kind"), QStringLiteral("fair") } << QByteArray();
    QTest::newRow("reader") << QStringList{ QStringLiteral("--kind"), QStringLiteral("readWrite"),
        QStringLiteral("--mode"), QStringLiteral("read") }
                            << QByteArray("read");
    QTest::newRow("writer") << QStringList{ QStringLiteral("--kind"), QStringLiteral("readWrite"),
        QStringLiteral("--mode"), QStringLiteral("write") }
                            << QByteArray("write");
    QTest::newRow("spin") << QStringList{ QStringLiteral("--kind"), QStringLiteral("spin") } << QByteArray();
    QTest::newRow("once") << QStringList{ QStringLiteral("--kind"), QStringLiteral("nonReentrant") } << QByteArray();
}

void LockctlHold::holdsOtherKinds()
{
    QFETCH(const QStringList, options);
    QFETCH(const QByteArray, field);
    Program holder(Lockctl, hold(options));
    QVERIFY(!holder.lineWith("\"acquired\"").isEmpty());
    QCOMPARE(m_server.cli({ QStringLiteral("HGET"), Name, QStringLiteral("mode") }), field);
    holder.signal(SIGINT);
    QCOMPARE(holder.end().status, 0);
    QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), Name }), QByteArray("0"));
}

void LockctlHold::leavesTheQueueOfAFairLock_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<int>("number");
    QTest::newRow("time is over") << QStringList{ QStringLiteral("--wait"), QStringLiteral("300") } << 0;
    QTest::newRow("SIGINT") << QStringList() << SIGINT;
    QTest::newRow("SIGTERM") << QStringList() << SIGTERM;
}

void LockctlHold::leavesTheQueueOfAFairLock()
{
    QFETCH(const QStringList, options);
    QFETCH(const int, number);
    m_server.cli({ QStringLiteral("SCRIPT"), QStringLiteral("FLUSH") });
    testsupport::take(m_server, Name, testsupport::OwnerA, 60'000);
    Program waiter(Lockctl, hold(options + QStringList{ QStringLiteral("--kind"), QStringLiteral("fair") }));
    if (number != 0) {
        QTRY_COMPARE_WITH_TIMEOUT(queueLength(), QByteArray("1"), 30'000);
        waiter.signal(number);
    }
    const Ending ending = waiter.end();
    QCOMPARE(ending.status, 1);
    QCOMPARE(ending.err.count('\n'), 1);
    QCOMPARE(queueLength(), QByteArray("0"));
    QCOMPARE(m_server.cli({ QStringLiteral("KEYS"), QStringLiteral("*") }), Name.toUtf8());
}

void LockctlHold::saysThatItCouldNotLeaveTheQueue()
{
    testsupport::take(m_server, Name, testsupport::OwnerA, 60'000);
    Program waiter(Lockctl, hold({ QStringLiteral("--kind"), QStringLiteral("fair") }));
    QTRY_COMPARE_WITH_TIMEOUT(queueLength(), QByteArray("1"), 30'000);
    m_server.pause();
    waiter.signal(SIGINT);
    const bool complains = waiter.complains("the place in the queue");
    const Ending ending = waiter.end();
    m_server.resume();
    QVERIFY2(complains, ending.err.constData());
    QCOMPARE(ending.status, 1);
}

void LockctlHold::saysWhatIsLeftWhenTheServerIsGone_data()
{
    QTest::addColumn<bool>("isDead");
    QTest::newRow("stopped") << false;
    QTest::newRow("dead") << true;
}

void LockctlHold::saysWhatIsLeftWhenTheServerIsGone()
{
    QFETCH(const bool, isDead);
    RedisServer server;
    QVERIFY(server.start());
    Program holder(Lockctl, { QStringLiteral("--url"), server.url(), QStringLiteral("hold"), Name });
    QVERIFY(!holder.lineWith("acquired").isEmpty());
    if (isDead)
        server.stop();
    else
        server.pause();
    QElapsedTimer took;
    took.start();
    holder.signal(SIGINT);
    const bool told = holder.complains("may still be held");
    const Ending ending = holder.end();
    const qint64 ms = took.elapsed();
    if (!isDead)
        server.resume();
    QVERIFY2(told, ending.err.constData());
    QCOMPARE(ending.status, 3);
    QVERIFY2(ms < 20'000, qPrintable(QString::number(ms))); // the patience of a release is longer
}

void LockctlHold::tellsTheTokenOfAFencedLock()
{
    for (const int token : { 1, 2 }) {
        Program holder(Lockctl,
            hold({ QStringLiteral("--kind"), QStringLiteral("fenced"), QStringLiteral("--for"), QStringLiteral("1") }));
        QCOMPARE(holder.jsonWith("\"acquired\"")[u"token"].toInt(), token);
        QCOMPARE(holder.end().status, 0);
    }
}

void LockctlHold::holdsOnePermit_data()
{
    QTest::addColumn<QString>("kind");
    QTest::newRow("semaphore") << QStringLiteral("semaphore");
    QTest::newRow("with an id") << QStringLiteral("permitExpirableSemaphore");
}

void LockctlHold::holdsOnePermit()
{
    QFETCH(const QString, kind);
    m_server.cli({ QStringLiteral("SET"), Name, QStringLiteral("1") });
    const QStringList options{ QStringLiteral("--kind"), kind };
    Program holder(Lockctl, hold(options));
    const QJsonObject got = holder.jsonWith("\"acquired\"");
    QCOMPARE(got[u"kind"].toString(), kind);
    QCOMPARE(got[u"permit"].toString().isEmpty(), kind == QStringLiteral("semaphore"));
    QCOMPARE(m_server.cli({ QStringLiteral("GET"), Name }), QByteArray("0"));
    const Ending refused
        = testsupport::run(Lockctl, hold(options + QStringList{ QStringLiteral("--wait"), QStringLiteral("0") }));
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.err.contains("no permit is free"), refused.err.constData());
    holder.signal(SIGINT);
    QCOMPARE(holder.end().status, 0);
    QCOMPARE(m_server.cli({ QStringLiteral("GET"), Name }), QByteArray("1"));
}

void LockctlHold::losesAPermitWhoseLeaseRunsOut()
{
    m_server.cli({ QStringLiteral("SET"), Name, QStringLiteral("1") });
    const Ending ending = testsupport::run(Lockctl,
        hold({ QStringLiteral("--kind"), QStringLiteral("permitExpirableSemaphore"), QStringLiteral("--lease"),
            QStringLiteral("200") }));
    QCOMPARE(ending.status, 1);
    QVERIFY2(ending.err.contains("ran out"), ending.err.constData());
}

void LockctlHold::saysWhichKindsItCannotHold()
{
    for (const char *kind : { "fasterMulti", "countDownLatch", "mutex" }) {
        const Ending ending = testsupport::run(Lockctl, hold({ QStringLiteral("--kind"), QString::fromLatin1(kind) }));
        QCOMPARE(ending.status, 2);
    }
    const Ending leased = testsupport::run(Lockctl,
        hold(
            { QStringLiteral("--kind"), QStringLiteral("semaphore"), QStringLiteral("--lease"), QStringLiteral("5") }));
    QCOMPARE(leased.status, 2);
    const Ending nowhere = testsupport::run(Lockctl,
        { QStringLiteral("--url"), QStringLiteral("redis-cluster://127.0.0.1:1"), QStringLiteral("hold"), Name });
    QCOMPARE(nowhere.status, 3);
}

void LockctlHold::holdsInACluster()
{
    testsupport::RedisCluster cluster;
    QVERIFY(cluster.start());
    const quint16 port = cluster.deployment().seeds.back().port;
    const Ending ending = testsupport::run(Lockctl,
        { QStringLiteral("--url"), QStringLiteral("redis-cluster://127.0.0.1:%1").arg(port), QStringLiteral("hold"),
            Name, QStringLiteral("--for"), QStringLiteral("1") });
    QVERIFY2(ending.status == 0, ending.err.constData());
    QVERIFY(ending.out.contains("released"));
}

void LockctlHold::watchEndsWell_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
}

void LockctlHold::watchEndsWell()
{
    QFETCH(const int, number);
    Program watcher(Lockctl, watch());
    waitUntilWatched();
    watcher.signal(number);
    const Ending ending = watcher.end();
    QCOMPARE(ending.status, 0);
    QCOMPARE(ending.err, QByteArray());
}

void LockctlHold::watchHearsOfChangesAsOneChooses()
{
    const auto trackingClients = [this](const char *count) {
        return m_server.cli({ QStringLiteral("INFO"), QStringLiteral("clients") })
            .contains(QByteArray(QByteArray("tracking_clients:") + count));
    };
    {
        Program watcher(Lockctl, watch());
        QTRY_VERIFY_WITH_TIMEOUT(trackingClients("1"), 30'000);
    }
    QTRY_VERIFY_WITH_TIMEOUT(trackingClients("0"), 30'000);
    const auto watchBy = [this](const char *feed) {
        return watch() + QStringList{ QStringLiteral("--feed"), QLatin1String(feed) };
    };
    Program first(Lockctl, hold());
    QVERIFY(!first.jsonWith("\"acquired\"").isEmpty());
    Program watcher(Lockctl, watchBy("rereading"));
    QVERIFY(!watcher.lineWith("\"appeared\"").isEmpty());
    QVERIFY(trackingClients("0"));
    first.signal(SIGINT);
    QVERIFY(!watcher.lineWith("\"released\"").isEmpty());
    QVERIFY(trackingClients("0"));
    const auto refused = testsupport::run(Lockctl, watchBy("guessing"));
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.contains("tracking, notifications or rereading"), refused.err.constData());
}

QTEST_GUILESS_MAIN(LockctlHold)
#include "tst_lockctl_hold.moc"
