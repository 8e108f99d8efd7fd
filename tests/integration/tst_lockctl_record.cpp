// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"
#include "tests/support/server_test.h"

#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <csignal>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using testsupport::BlockingClient;
using testsupport::Ending;
using testsupport::GenerousMs;
using testsupport::LockUser;
using testsupport::Program;
using testsupport::ServerTest;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);

Ending replay(const QStringList &arguments)
{
    return testsupport::run(Lockctl, QStringList{ QStringLiteral("replay") } + arguments);
}

qint64 momentOf(const QJsonObject &event)
{
    return QDateTime::fromString(event[u"at"].toString(), Qt::ISODateWithMs).toMSecsSinceEpoch();
}

} // namespace

class LockctlRecord : public ServerTest {
    Q_OBJECT
protected:
    void prepareNext() override { m_file = m_folder.filePath(QLatin1String(QTest::currentTestFunction())); }

private Q_SLOTS:
    void recordsAndReplays();
    void replaysAFreeLockThatIsWaitedFor();
    void saysSinceWhenTheServerWasNotSeen();
    void tellsOfAServerThatIsNotSeenAtTheEnd_data();
    void tellsOfAServerThatIsNotSeenAtTheEnd();
    void tellsNoGapWhereOneLockIsTooLarge();
    void losesNoMoreThanASecondWhenKilled();
    void saysWhereTheRestOfACopyIs();
    void keepsASizeThatManyLocksFitInto();
    void refusesWhatIsNotItsOwn();
    void refusesWhatIsOfAnotherServer();
    void tellsWhatComesBeforeAFilesMissingEnd();
    void saysWhatOfItIsDamaged();
    void tellsTheSessionsBehindADamagedOne();
    void tellsWhichOfIndependentServersWasLost();

private:
    QStringList recordArguments(const QStringList &more = {}) const
    {
        return QStringList{ QStringLiteral("--url"), m_server.socketUrl(), QStringLiteral("record"), m_file } + more;
    }

    Ending replayAt(qint64 afterMs, const QStringList &more = {}) const
    {
        return replay(QStringList{ m_file, QStringLiteral("--at"), QStringLiteral("+%1").arg(afterMs) } + more);
    }

    void change(const QString &statement) const;
    void damagePicture(const char *which) const;
    QList<QJsonObject> gapsInFile() const;
    int eventsInFile() const { return static_cast<int>(replay({ m_file, QStringLiteral("--json") }).out.count('\n')); }

    QTemporaryDir m_folder;
    QString m_file;
};

QList<QJsonObject> LockctlRecord::gapsInFile() const
{
    QList<QJsonObject> gaps;
    for (const QByteArray &line : replay({ m_file, QStringLiteral("--json") }).out.split('\n')) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        if (event[u"event"].toString() == QStringLiteral("gap"))
            gaps << event;
    }
    return gaps;
}

void LockctlRecord::recordsAndReplays()
{
    LockUser user(m_server.endpoint());
    QVERIFY(user.waitReady());
    const LockTarget target{ "it\xff", Kind::Reentrant, std::nullopt };
    BlockingClient redis(m_server.socketPath().toStdString());
    redis.run({ "EVAL",
        "redis.call('HSET', 'there', '7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1', 1) "
        "return redis.call('PEXPIRE', 'there', 600000)",
        "0" });
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    QVERIFY(user.tryLock(target, "1", 60s));
    QTRY_VERIFY_WITH_TIMEOUT(*redis.run({ "PTTL", target.name }).integer() < 59'000, GenerousMs);
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 2, GenerousMs);
    QVERIFY(user.release(target));
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 3, GenerousMs);
    record.signal(SIGINT);
    const Ending ending = record.end();
    QCOMPARE(ending.status, 0);
    QCOMPARE(ending.err, QByteArray());
    QVERIFY(!QFile::exists(m_file + QStringLiteral("-wal"))); // one file

    const Ending events = replay({ m_file, QStringLiteral("--json") });
    QCOMPARE(events.status, 0);
    QList<QJsonObject> lines;
    for (const QByteArray &line : events.out.split('\n'))
        if (!line.isEmpty())
            lines << QJsonDocument::fromJson(line).object();
    QCOMPARE(lines.size(), 3);
    QVERIFY2(ending.out.contains(", 3 events"), ending.out.constData()); // as it said itself
    QCOMPARE(lines[0][u"event"].toString(), QStringLiteral("appeared"));
    QCOMPARE(lines[0][u"lock"].toString(), QStringLiteral("there"));
    QCOMPARE(lines[1][u"event"].toString(), QStringLiteral("acquired"));
    QCOMPARE(lines[2][u"event"].toString(), QStringLiteral("released"));

    const auto held = QDateTime::fromString(lines[1][u"at"].toString(), Qt::ISODateWithMs).addMSecs(1'000);
    const Ending locks
        = replay({ m_file, QStringLiteral("--json"), QStringLiteral("--at"), held.toString(Qt::ISODateWithMs) });
    QCOMPARE(locks.err, QByteArray());
    const QJsonArray array = QJsonDocument::fromJson(locks.out).array();
    QCOMPARE(array.size(), 2);
    const auto left = array[0][u"ttlMs"].toInteger();
    QVERIFY2(left > 58'000 && left <= 59'100, qPrintable(QString::number(left)));
    QCOMPARE(QByteArray::fromBase64(array[0][u"nameBase64"].toString().toLatin1()), QByteArray("it\xff"));
    const Ending before = replay({ m_file, QStringLiteral("--at"), QStringLiteral("2020-01-01T00:00:00Z") });
    QCOMPARE(before.status, 2);
    QVERIFY(before.err.contains("it reaches from"));
}

void LockctlRecord::replaysAFreeLockThatIsWaitedFor()
{
    BlockingClient waiter(m_server.socketPath().toStdString());
    waiter.run({ "SUBSCRIBE", "redisson_lock__channel:{waited for}" });
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    BlockingClient(m_server.socketPath().toStdString())
        .run({ "EVAL",
            "redis.call('HSET', 'there', '7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1', 1) "
            "return redis.call('PEXPIRE', 'there', 600000)",
            "0" });
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 1, GenerousMs);
    record.signal(SIGINT);
    QCOMPARE(record.end().status, 0);

    bool isThere = false;
    Ending seen{ .status = 0, .out = {}, .err = {} };
    for (int after = 0; seen.status == 0 && !isThere; after += 50) {
        const QString moment = QStringLiteral("+%1").arg(after);
        seen = replay({ m_file, QStringLiteral("--json"), QStringLiteral("--at"), moment });
        const QJsonArray locks = QJsonDocument::fromJson(seen.out).array();
        isThere = std::any_of(locks.begin(), locks.end(), [](const QJsonValue &lock) {
            return lock[u"name"] == QStringLiteral("waited for") && lock[u"state"] == QStringLiteral("free")
                && lock[u"subscribers"].toInt() == 1;
        });
    }
    QVERIFY2(isThere, seen.err.constData());
}

void LockctlRecord::saysSinceWhenTheServerWasNotSeen()
{
    m_server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("redis.call('HSET', 'it', '7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1', 1) "
                       "return redis.call('PEXPIRE', 'it', 60000)"),
        QStringLiteral("0") });
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 1, GenerousMs);
    const qint64 stopped = QDateTime::currentMSecsSinceEpoch();
    m_server.stop();
    QVERIFY(record.complains("trying again"));
    QVERIFY(m_server.restart());
    QTRY_VERIFY_WITH_TIMEOUT(replay({ m_file }).out.contains("not seen"), GenerousMs);
    record.signal(SIGINT);
    QCOMPARE(record.end().status, 0);

    const QList<QJsonObject> gaps = gapsInFile();
    QCOMPARE(gaps.size(), 1);
    const qint64 gapEnd = momentOf(gaps[0]);
    QVERIFY(gapEnd > stopped);
    const auto middle = QDateTime::fromMSecsSinceEpoch((stopped + gapEnd) / 2, Qt::UTC).toString(Qt::ISODateWithMs);
    const Ending inside = replay({ m_file, QStringLiteral("--at"), middle });
    QCOMPARE(inside.status, 0);
    const QByteArray start
        = QByteArray("lockctl: in the recording " + m_server.socketPath().toUtf8() + " was not seen any more from ");
    QVERIFY2(inside.err.startsWith(start), inside.err.constData());
    QVERIFY2(inside.err.contains("what stands here of it was true then") && !inside.err.contains("asking "),
        inside.err.constData());
    const Ending asJson = replay({ m_file, QStringLiteral("--at"), middle, QStringLiteral("--json") });
    QCOMPARE(asJson.err, inside.err);
    const QString since = QJsonDocument::fromJson(asJson.out).array().at(0)[u"staleSince"].toString();
    QVERIFY2(inside.err.contains(QByteArray(start + since.toUtf8() + " on")), qPrintable(since));
    const qint64 seen = QDateTime::fromString(since, Qt::ISODateWithMs).toMSecsSinceEpoch();
    QVERIFY2(seen > stopped - 10'000 && seen < gapEnd, qPrintable(since));
    const QByteArray appeared = replay({ m_file, QStringLiteral("--json") }).out.split('\n').front();
    const QJsonObject first = QJsonDocument::fromJson(appeared).object();
    const qint64 leftThen = momentOf(first) + first[u"ttlMs"].toInteger() - seen; // its end was never set anew
    const qint64 left = QJsonDocument::fromJson(asJson.out).array().at(0)[u"ttlMs"].toInteger();
    QVERIFY2(std::abs(left - leftThen) <= 5, asJson.out.constData());
    const auto seconds = QRegularExpression(QStringLiteral(R"((\d+\.\d) s)")).match(QString::fromUtf8(inside.out));
    QVERIFY2(std::abs(seconds.captured(1).toDouble() * 1'000 - double(leftThen)) <= 105, inside.out.constData());

    const Ending before = replayAt(0, { QStringLiteral("--json") });
    QCOMPARE(before.err, QByteArray());
    const QJsonObject held = QJsonDocument::fromJson(before.out).array().at(0).toObject();
    QVERIFY(held.contains(u"staleSince") && held[u"staleSince"].isNull());
}

void LockctlRecord::tellsOfAServerThatIsNotSeenAtTheEnd_data()
{
    QTest::addColumn<bool>("isGone"); // else it does not answer
    QTest::addColumn<int>("ending");
    QTest::newRow("it does not answer") << false << SIGINT;
    QTest::newRow("it is gone") << true << SIGINT;
    QTest::newRow("it is gone, and who records it is killed") << true << SIGKILL;
}

void LockctlRecord::tellsOfAServerThatIsNotSeenAtTheEnd()
{
    QFETCH(const bool, isGone);
    QFETCH(const int, ending);
    m_file = m_folder.filePath(QLatin1String(QTest::currentDataTag()));
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    m_server.cli({ QStringLiteral("HSET"), QStringLiteral("it"),
        QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1"), QStringLiteral("1") });
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 1, GenerousMs);
    const qint64 lost = QDateTime::currentMSecsSinceEpoch();
    if (isGone)
        m_server.kill();
    else
        m_server.pause();
    QVERIFY(record.complains("trying again"));
    const auto isTold = [&] {
        const QList<QJsonObject> gaps = gapsInFile();
        return gaps.size() == 1 && momentOf(gaps[0]) >= lost + 1'000; // and goes on
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), GenerousMs);
    record.signal(ending);
    (void)record.end();

    QVERIFY(isTold());
    const QJsonObject gap = gapsInFile()[0];
    const qint64 begin = momentOf(gap) - gap[u"ttlMs"].toInteger();
    QVERIFY2(begin <= lost && begin > lost - 5'000, qPrintable(QString::number(begin - lost)));
    const QString end = gap[u"at"].toString();
    QVERIFY(replay({ m_file, QStringLiteral("--at"), end }).err.contains("was not seen any more from "));
    QVERIFY(replay({ m_file, QStringLiteral("--at"), QStringLiteral("+1h") }).err.contains(end.toUtf8()));
}

/// It makes its server stale, which is seen all the same.
void LockctlRecord::tellsNoGapWhereOneLockIsTooLarge()
{
    testsupport::take(m_server, QStringLiteral("huge"), testsupport::OwnerA, 600'000);
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 1, GenerousMs);
    m_server.cli({ QStringLiteral("EVAL"),
        QStringLiteral("for i = 1, 3000 do redis.call('HSET', 'huge', '%1' .. i, 1) end").arg(testsupport::OwnerA),
        QStringLiteral("0") });
    QVERIFY(record.complains("too large to be read"));
    testsupport::take(m_server, QStringLiteral("other"), testsupport::OwnerB, 600'000);
    QTRY_VERIFY_WITH_TIMEOUT(replay({ m_file }).out.contains("other"), GenerousMs);
    record.signal(SIGINT);
    QCOMPARE(record.end().status, 0);
    QVERIFY(gapsInFile().isEmpty());
}

void LockctlRecord::losesNoMoreThanASecondWhenKilled()
{
    LockUser user(m_server.endpoint());
    QVERIFY(user.waitReady());
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    qint64 last = 0;
    for (int i = 0; i < 60; ++i) {
        QVERIFY(user.tryLock({ "lock" + std::to_string(i), Kind::Reentrant, std::nullopt }, "1", 60s));
        last = QDateTime::currentMSecsSinceEpoch();
        QTest::qWait(50);
    }
    record.signal(SIGKILL);
    (void)record.end();

    const Ending events = replay({ m_file, QStringLiteral("--json") });
    QCOMPARE(events.err, QByteArray());
    QCOMPARE(events.status, 0);
    const QByteArrayList lines = events.out.trimmed().split('\n');
    const auto at = QJsonDocument::fromJson(lines.back()).object()[u"at"].toString();
    const qint64 lost = last - QDateTime::fromString(at, Qt::ISODateWithMs).toMSecsSinceEpoch();
    QVERIFY2(lost <= 1'000, qPrintable(QString::number(lost)));

    // It is gone on with, and the time between is a gap.
    QCOMPARE(testsupport::run(Lockctl, recordArguments({ QStringLiteral("--for"), QStringLiteral("300") })).status, 0);
    QVERIFY(replay({ m_file }).out.contains("not seen"));
}

/// All of a short recording is in the log beside the file while nobody has ended it.
void LockctlRecord::saysWhereTheRestOfACopyIs()
{
    LockUser user(m_server.endpoint());
    QVERIFY(user.waitReady());
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    QVERIFY(user.tryLock({ "it", Kind::Reentrant, std::nullopt }, "1", 60s));
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 1, GenerousMs);
    record.signal(SIGKILL);
    (void)record.end();
    QVERIFY(QFile::exists(m_file + QStringLiteral("-wal")));
    const QString copy = m_file + QStringLiteral(".copy");
    QVERIFY(QFile::copy(m_file, copy));
    const Ending alone = replay({ copy });
    QCOMPARE(alone.status, 3);
    QVERIFY2(alone.err.contains("without the file beside it that ends in -wal"), alone.err.constData());
    QVERIFY2(!alone.err.contains("nothing has been recorded"), alone.err.constData());
    QVERIFY(QFile::copy(m_file + QStringLiteral("-wal"), copy + QStringLiteral("-wal")));
    QCOMPARE(replay({ copy }).status, 0);
}

/// Whether there is room is known as soon as the locks are; killed at any time, the file is still small and readable.
void LockctlRecord::keepsASizeThatManyLocksFitInto()
{
    BlockingClient redis(m_server.socketPath().toStdString());
    const protocol::Reply made = redis.run({ "EVAL",
        "for i = 1, 20000 do redis.call('HSET', 'lock:' .. i, '7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1', 1) "
        "redis.call('PEXPIRE', 'lock:' .. i, 600000) end return 1",
        "0" });
    QVERIFY(made.integer() && *made.integer() == 1);
    const Ending small = testsupport::run(Lockctl,
        recordArguments({ QStringLiteral("--max-size"), QStringLiteral("1000000"), QStringLiteral("--for"),
            QString::number(GenerousMs) }));
    QCOMPARE(small.status, 3);
    const auto named = QRegularExpression(QStringLiteral(R"(locks seen so far: allow at least (\d+) bytes)"))
                           .match(QString::fromUtf8(small.err));
    QVERIFY2(named.hasMatch(), small.err.constData());

    constexpr qint64 Limit = 40'000'000;
    QVERIFY(named.captured(1).toLongLong() < Limit);
    QFile::remove(m_file);
    Program record(Lockctl, recordArguments({ QStringLiteral("--max-size"), QString::number(Limit) }));
    QVERIFY(!record.lineWith("recording ").isEmpty());
    LockUser user(m_server.endpoint());
    QVERIFY(user.waitReady());
    for (int i = 0; i < 20; ++i) {
        QVERIFY(user.tryLock({ "one" + std::to_string(i), Kind::Reentrant, std::nullopt }, "1", 60s));
        const qint64 bytes = QFile(m_file).size() + QFile(m_file + QStringLiteral("-wal")).size();
        QVERIFY2(bytes <= Limit, qPrintable(QString::number(bytes)));
    }
    QTRY_VERIFY_WITH_TIMEOUT(replay({ m_file }).out.contains("one19"), GenerousMs);
    record.signal(SIGKILL);
    (void)record.end();
    const Ending moment = replay({ m_file, QStringLiteral("--at"), QStringLiteral("+0") });
    QCOMPARE(moment.err, QByteArray());
    QCOMPARE(moment.status, 0);
    QCOMPARE(replay({ m_file, QStringLiteral("--at"), QStringLiteral("+0s") }).out, moment.out);
    QVERIFY(replay({ m_file, QStringLiteral("--at"), QStringLiteral("+1h") }).err.contains("it reaches from"));
    QCOMPARE(replay({ m_file, QStringLiteral("--at"), QStringLiteral("+1d") }).status, 2);
    QVERIFY(replay({ m_file }).out.contains("one19"));
}

void LockctlRecord::refusesWhatIsNotItsOwn()
{
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("dear diary");
    file.close();
    const Ending ending
        = testsupport::run(Lockctl, recordArguments({ QStringLiteral("--for"), QStringLiteral("100") }));
    QCOMPARE(ending.status, 3);
    QVERIFY2(ending.err.contains("not a recording"), ending.err.constData());
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("dear diary"));
    m_file = m_folder.filePath(QStringLiteral("no such folder/it"));
    const Ending nowhere = testsupport::run(Lockctl, recordArguments());
    QCOMPARE(nowhere.status, 3);
    QCOMPARE(nowhere.out, QByteArray()); // it does not say that it records
    QCOMPARE(
        testsupport::run(Lockctl, recordArguments({ QStringLiteral("--max-size"), QStringLiteral("5") })).status, 2);
}

void LockctlRecord::refusesWhatIsOfAnotherServer()
{
    const QStringList briefly{ QStringLiteral("--for"), QStringLiteral("100") };
    QCOMPARE(testsupport::run(Lockctl, recordArguments(briefly)).status, 0);
    const Ending before = replay({ m_file, QStringLiteral("--json") });
    testsupport::RedisServer other;
    QVERIFY(other.start());
    const Ending refused = testsupport::run(
        Lockctl, QStringList{ QStringLiteral("--url"), other.socketUrl(), QStringLiteral("record"), m_file } + briefly);
    QCOMPARE(refused.status, 1);
    QVERIFY2(refused.err.contains(QByteArray("is a recording of " + m_server.socketPath().toUtf8())),
        refused.err.constData());
    const QStringList momentarily{ QStringLiteral("--for"), QStringLiteral("1") }; // over before anything is written
    QCOMPARE(
        testsupport::run(Lockctl,
            QStringList{ QStringLiteral("--url"), other.socketUrl(), QStringLiteral("record"), m_file } + momentarily)
            .status,
        1);
    QCOMPARE(replay({ m_file, QStringLiteral("--json") }).out, before.out);
    QCOMPARE(testsupport::run(Lockctl, recordArguments(briefly)).status, 0);
}

void LockctlRecord::tellsWhatComesBeforeAFilesMissingEnd()
{
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    // So few that the root of SQLite's tree names each page of events itself. Of more it would name pages between,
    // which are the last ones of the file, and without them no event is found.
    constexpr int Locks = 500;
    const QString take = QStringLiteral("for i = 1, %1 do redis.call('HSET', 'lock:' .. i, "
                                        "'7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1', 1) end")
                             .arg(Locks);
    m_server.cli({ QStringLiteral("EVAL"), take, QStringLiteral("0") });
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), Locks, GenerousMs);
    record.signal(SIGINT);
    QCOMPARE(record.end().status, 0);
    QFile file(m_file);
    // Where in the file the events are is SQLite's business: page after page goes, until some are missing.
    constexpr qint64 Pages = 4 * 4'096;
    Ending events;
    qsizetype told = Locks;
    while (told == Locks && file.size() > Pages) { // pictures may be missing first
        QVERIFY(file.resize(file.size() - Pages));
        events = replay({ m_file, QStringLiteral("--json") });
        told = events.out.count('\n');
    }
    QCOMPARE(events.status, 3);
    QVERIFY2(events.err.contains("the file was cut short"), events.err.constData());
    QVERIFY2(told > 0 && told < Locks, qPrintable(QString::number(told)));
}

/// Behind its back.
void LockctlRecord::change(const QString &statement) const
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
        database.setDatabaseName(m_file);
        QVERIFY(database.open());
        QVERIFY(QSqlQuery(database).exec(statement));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("test"));
}

void LockctlRecord::damagePicture(const char *which) const
{
    change(QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = (SELECT %1(at) FROM frame)")
               .arg(QLatin1String(which)));
}

/// Of what the pictures would have told: that the server was not seen any more at the end, and since when what was
/// there at the beginning was held. The rest is told.
void LockctlRecord::saysWhatOfItIsDamaged()
{
    m_server.cli({ QStringLiteral("HSET"), QStringLiteral("it"),
        QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1"), QStringLiteral("1") });
    Program record(Lockctl, recordArguments());
    QVERIFY(!record.lineWith("recording ").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 1, GenerousMs);
    m_server.kill();
    QVERIFY(record.complains("trying again"));
    QTRY_COMPARE_WITH_TIMEOUT(gapsInFile().size(), 1, GenerousMs);
    record.signal(SIGINT);
    QCOMPARE(record.end().status, 0);
    QCOMPARE(replay({ m_file }).status, 0);

    damagePicture("max");
    const Ending withoutEnd = replay({ m_file });
    QVERIFY2(
        withoutEnd.out.contains("there already") && !withoutEnd.out.contains("not seen"), withoutEnd.out.constData());
    const QRegularExpression damaged(QStringLiteral(R"(is damaged (\d+\.\d s) after its beginning\n$)"));
    const auto told = damaged.match(QString::fromUtf8(withoutEnd.err));
    QVERIFY2(told.hasMatch() && withoutEnd.err.count('\n') == 1, withoutEnd.err.constData());
    QCOMPARE(withoutEnd.status, 3);
    const Ending before = replayAt(0);
    QVERIFY2(
        before.out.contains("it") && damaged.match(QString::fromUtf8(before.err)).hasMatch(), before.err.constData());
    QCOMPARE(before.status, 3);

    damagePicture("min");
    const Ending withoutBegin = replay({ m_file });
    QVERIFY2(withoutBegin.out.contains("since unknown"), withoutBegin.out.constData());
    QVERIFY2(withoutBegin.err.contains("is damaged 0.0 s after its beginning"), withoutBegin.err.constData());
    QCOMPARE(withoutBegin.status, 3);
}

void LockctlRecord::tellsTheSessionsBehindADamagedOne()
{
    int events = 0;
    for (const QString &lock : { QStringLiteral("first"), QStringLiteral("second") }) {
        Program record(Lockctl, recordArguments());
        QVERIFY(!record.lineWith("recording ").isEmpty());
        testsupport::take(m_server, lock, testsupport::OwnerA, 600'000);
        events = events == 0 ? 1 : events + 3; // the gap between both, what is there at first, and the lock
        QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), events, GenerousMs);
        record.signal(SIGINT);
        QCOMPARE(record.end().status, 0);
    }
    change(QStringLiteral("UPDATE event SET ttl = 1 WHERE at = (SELECT min(at) FROM event)"));

    const Ending told = replay({ m_file, QStringLiteral("--json") });
    QCOMPARE(told.status, 3);
    QVERIFY2(told.err.contains("is damaged ") && told.err.count('\n') == 1, told.err.constData());
    QStringList kinds;
    for (const QByteArray &line : told.out.trimmed().split('\n'))
        kinds << QJsonDocument::fromJson(line).object()[u"event"].toString();
    QCOMPARE(kinds, (QStringList{ QStringLiteral("gap"), QStringLiteral("appeared"), QStringLiteral("acquired") }));
}

/// What the others have is as it was seen, and time goes on for it.
void LockctlRecord::tellsWhichOfIndependentServersWasLost()
{
    testsupport::RedisServers servers(2);
    QVERIFY(servers.start());
    QStringList hosts;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        for (const QString &lock : { QStringLiteral("both"), QStringLiteral("on:%1").arg(i) })
            testsupport::take(servers[i], lock, QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7"), 600'000);
        hosts << QStringLiteral("127.0.0.1:%1").arg(servers[i].port());
    }
    Program record(Lockctl,
        { QStringLiteral("--url"), QStringLiteral("redis-nodes://") + hosts.join(u','), QStringLiteral("record"),
            m_file });
    QVERIFY(!record.lineWith("recording ").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(eventsInFile(), 4, GenerousMs); // of each on each
    servers[1].kill();
    QVERIFY(record.complains("trying again"));
    const auto isTold = [&] {
        const QList<QJsonObject> gaps = gapsInFile();
        return gaps.size() == 1 && gaps[0][u"ttlMs"].toInteger() >= 2'000; // and goes on
    };
    QTRY_VERIFY_WITH_TIMEOUT(isTold(), GenerousMs);
    record.signal(SIGINT);
    QCOMPARE(record.end().status, 0);

    const QString end = gapsInFile().at(0)[u"at"].toString();
    const QJsonArray locks
        = QJsonDocument::fromJson(replay({ m_file, QStringLiteral("--json"), QStringLiteral("--at"), end }).out)
              .array();
    QCOMPARE(locks.size(), 3); // both, on:0, on:1
    QVERIFY(locks[0][u"staleSince"].isNull() && locks[1][u"staleSince"].isNull());
    QVERIFY(locks[2][u"staleSince"].isString());
    const QJsonArray members = locks[0][u"quorum"][u"members"].toArray();
    QCOMPARE(members.size(), 2); // by their names: ports are as they come
    const bool isFirstLost = members[0][u"node"].toString() == hosts[1];
    const QJsonValue seen = members[isFirstLost ? 1 : 0];
    const QJsonValue lost = members[isFirstLost ? 0 : 1];
    QVERIFY(seen[u"staleSince"].isNull() && lost[u"staleSince"] == locks[2][u"staleSince"]);
    const auto ttl = [](const QJsonValue &lock) { return lock[u"holders"][0][u"ttlMs"].toInteger(); };
    QVERIFY(ttl(lost) >= ttl(seen) + 1'000 && std::abs(ttl(lost) - ttl(locks[2])) <= 1'000);
    const QByteArray table = replay({ m_file, QStringLiteral("--at"), end }).out;
    for (const QByteArray &line : table.split('\n'))
        QVERIFY2(line.startsWith("on:") == (line.count("127.0.0.1:") == 1), table.constData());
}

QTEST_GUILESS_MAIN(LockctlRecord)
#include "tst_lockctl_record.moc"
