// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <sys/socket.h>
#include <unistd.h>

using lockcore::protocol::Command;
using testsupport::addHold;
using testsupport::addLocks;
using testsupport::addOthers;
using testsupport::BlockingClient;
using testsupport::Ending;
using testsupport::RedisServer;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const std::string Client = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
const std::string Other = "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f";

QJsonArray arrayOf(const Ending &ending) { return QJsonDocument::fromJson(ending.out).array(); }

} // namespace

class LockctlLs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void agreesWithRedisOnAMixedKeyspace();
    void saysNothingThatItDoesNotKnow();
    void carriesStrangeNamesExactly_data();
    void carriesStrangeNamesExactly();
    void saysThatAQueueIsLongerThanWhatWasRead();
    void saysWhenThereIsNothingToList();
    void saysWhichWordsItTakesForText();
    void showsOneLock();
    void carriesOwnersExactlyThatAreNoText();
    void saysWhichQueueWasNotRead();
    void filters();
    void saysTheSameStateWhereverItTells();
    void tellsWhatItInfersOfIndependentServers();
    void tellsGhostsFromThoseWhoWait();
    void claimsNothingOfWhoWaitsOnServersOutOfSight();
    void writesInLargePieces();
    void padsAPipedTableByOrdinaryNames();
    void leavesOpenForHowLongItWasHeldWhereItHasJustBegunToLook();
    void listsALockThatHadTwoHoldersBeforeItLooked();
    void saysOfWhatItLeavesOutThatItMayBeNoLock();
    void tellsOfANumberThatItIsAskedFor();
    void tellsHowLongEachReaderHasLeft();
    void countsTheMarksOfItsTable();
    void countsOneInTheSingular();
    void leavesTheStateOfASemaphoreWithoutAKeyOpen();
    void listsALockThatIsFreeForWhichSomebodyListens();
    void tellsThatChannelsKnowNoDatabase();
    void takesBackWhatItPrints();

private:
    Ending ls(const QStringList &arguments) const
    {
        return testsupport::run(Lockctl, QStringList{ QStringLiteral("--url"), m_server.socketUrl() } + arguments);
    }

    RedisServer m_server;
    std::unique_ptr<BlockingClient> m_client;
};

void LockctlLs::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
    m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
}

void LockctlLs::init() { m_client->run({ "FLUSHALL" }); }

void LockctlLs::padsAPipedTableByOrdinaryNames()
{
    const std::string longName(300, 'x');
    testsupport::Commands commands;
    for (const std::string &name : { longName, std::string("short"), std::string("order:8812") })
        addHold(commands, name, Client + ":1", 60'000);
    m_client->runAll(commands);
    const Ending ending = ls({ QStringLiteral("ls") });
    const QByteArrayList lines = ending.out.split('\n');
    QVERIFY2(ending.out.contains(longName.c_str()), ending.out.constData()); // nothing is cut
    const auto columnOfKind = [&](const char *start, const char *kind) {
        const auto row = std::ranges::find_if(lines, [&](const QByteArray &line) { return line.startsWith(start); });
        return row == lines.end() ? -1 : static_cast<int>(row->indexOf(kind));
    };
    const int column = static_cast<int>(qstrlen("order:8812")) + 2;
    QCOMPARE(columnOfKind("LOCK", "KIND"), column);
    QCOMPARE(columnOfKind("short", "reentrant"), column);
    QCOMPARE(columnOfKind("order:8812", "reentrant"), column);
    QCOMPARE(columnOfKind("xxx", "reentrant"), 302);

    // Where long names are the ordinary ones, they stand in a column, too.
    m_client->run({ "FLUSHALL" });
    commands.clear();
    for (int i = 0; i < 5; ++i)
        addHold(commands, "long:" + std::string(static_cast<std::size_t>(50 + i), 'y'), Client + ":1", 60'000);
    m_client->runAll(commands);
    for (const QByteArray &line : ls({ QStringLiteral("ls") }).out.split('\n').mid(1, 5))
        QCOMPARE(line.indexOf("reentrant"), 61);
}

void LockctlLs::leavesOpenForHowLongItWasHeldWhereItHasJustBegunToLook()
{
    testsupport::Commands commands;
    addHold(commands, "order", Client + ":1", 60'000);
    m_client->runAll(commands);
    const Ending table = ls({ QStringLiteral("ls") });
    QVERIFY2(!table.out.contains("≥ 0"), table.out.constData());
    QVERIFY2(table.out.split('\n').value(1).endsWith(" ?"), table.out.constData());
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("order") });
    QVERIFY2(!shown.out.contains("≥ 0"), shown.out.constData());
    QVERIFY2(shown.out.contains(":1, since when is not known\n"), shown.out.constData());
}

void LockctlLs::saysOfWhatItLeavesOutThatItMayBeNoLock()
{
    const auto at = [](int thread) { return Client + ":" + std::to_string(thread); };
    m_client->runAll({ { "HSET", "five", at(1), "1", at(2), "1", at(3), "1", at(4), "1", at(5), "1" },
        { "PEXPIRE", "five", "60000" }, { "HSET", "mixed", at(1), "1", "name", "bob" }, { "PEXPIRE", "mixed", "60000" },
        { "HSET", "endless", at(1), "1", at(2), "1" }, { "HSET", "order", at(1), "1", at(2), "1" },
        { "PEXPIRE", "order", "60000" } });
    const QJsonArray listed = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") }));
    QCOMPARE(listed.size(), 1);
    QVERIFY(!listed.at(0).toObject().contains(u"mayBeNoLock"));
    for (const char *name : { "five", "mixed", "endless", "order" }) {
        const bool doubted = QByteArray(name) != "order";
        const Ending shown = ls({ QStringLiteral("show"), QString::fromLatin1(name) });
        QVERIFY2(shown.out.contains("\nnote      this may be no lock") == doubted, shown.out.constData());
        const Ending json = ls({ QStringLiteral("--json"), QStringLiteral("show"), QString::fromLatin1(name) });
        QCOMPARE(QJsonDocument::fromJson(json.out)[u"mayBeNoLock"].toBool(), doubted);
    }
}

void LockctlLs::listsALockThatHadTwoHoldersBeforeItLooked()
{
    const std::string first = Client + ":7";
    const std::string second = Client + ":8";
    testsupport::Commands commands{ { "HSET", "order", first, "1", second, "1" }, { "PEXPIRE", "order", "60000" },
        { "HSET", "stock", "mode", "write", first + ":write", "1", second + ":write", "1" },
        { "PEXPIRE", "stock", "60000" }, { "HSET", "visits", first, "1", second, "0" },
        { "PEXPIRE", "visits", "60000" } };
    m_client->runAll(commands);
    const QJsonArray locks = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") }));
    QCOMPARE(locks.size(), 2);
    for (const QJsonValue &lock : locks)
        QCOMPARE(lock[u"holders"].toArray().size(), 2);
}

void LockctlLs::tellsOfANumberThatItIsAskedFor()
{
    m_client->run({ "SET", "gate", "5" });
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("gate") });
    QCOMPARE(shown.status, 0);
    QVERIFY2(shown.out.contains("semaphore or permitExpirableSemaphore or countDownLatch")
            && shown.out.contains("the number 5, which may be no such thing at all"),
        shown.out.constData());
    QCOMPARE(arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") })).size(), 0);

    BlockingClient atGate(m_server.socketPath().toStdString());
    atGate.run({ "SUBSCRIBE", "redisson_countdownlatch__channel__{gate}" });
    const Ending waited = ls({ QStringLiteral("--json"), QStringLiteral("show"), QStringLiteral("gate") });
    const QJsonDocument latch = QJsonDocument::fromJson(waited.out);
    QVERIFY2(latch[u"kind"] == QStringLiteral("countDownLatch") && latch[u"subscribers"] == 1 && latch[u"count"] == 5,
        waited.out.constData());
    m_client->run({ "SET", "jobs", "0" });
    BlockingClient forJobs(m_server.socketPath().toStdString());
    forJobs.run({ "SUBSCRIBE", "redisson_sc:{jobs}" });
    const Ending jobs = ls({ QStringLiteral("show"), QStringLiteral("jobs") });
    QVERIFY2(jobs.out.contains("semaphore or permitExpirableSemaphore\n")
            && jobs.out.contains("1 client instance subscribed") && !jobs.out.contains("as long as nobody waits"),
        jobs.out.constData());
}

void LockctlLs::tellsHowLongEachReaderHasLeft()
{
    const std::string first = Client + ":7";
    const std::string second = Client + ":8";
    m_client->runAll({ { "HSET", "order", "mode", "read", first, "1", second, "1" }, { "PEXPIRE", "order", "60000" },
        { "SET", "{order}:" + first + ":rwlock_timeout:1", "1", "PX", "60000" },
        { "SET", "{order}:" + second + ":rwlock_timeout:1", "1", "PX", "20000" } });
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("order") });
    static const QRegularExpression first60(QStringLiteral(":7, read, [^\n]*, (59\\.\\d s|1 m 00 s) left\n"));
    static const QRegularExpression second20(QStringLiteral(":8, read, [^\n]*, (19|20)\\.\\d s left\n"));
    QVERIFY2(shown.out.contains(":7, read"), shown.out.constData());
    const QString text = QString::fromUtf8(shown.out);
    QVERIFY2(first60.match(text).hasMatch() && second20.match(text).hasMatch(), shown.out.constData());
}

void LockctlLs::countsOneInTheSingular()
{
    BlockingClient waiting(m_server.socketPath().toStdString());
    waiting.run({ "SUBSCRIBE", "redisson_lock__channel:{order}" });
    testsupport::Commands commands;
    addHold(commands, "order", Client + ":1", 60'000);
    m_client->runAll(commands);
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("order") });
    QVERIFY2(shown.out.contains("waiting   1 client instance subscribed\n"), shown.out.constData());
}

/// Two readers without a time-out are one mark.
void LockctlLs::countsTheMarksOfItsTable()
{
    m_client->runAll({ { "HSET", "order", "mode", "read", Client + ":7", "1", Client + ":8", "1" },
        { "PEXPIRE", "order", "60000" } });
    const Ending table = ls({ QStringLiteral("ls") });
    QVERIFY2(table.out.count("Time-outs of readers?") == 1, table.out.constData());
    QVERIFY2(table.err.contains("1 thing looks suspect and takes some seconds"), table.err.constData());
}

void LockctlLs::leavesTheStateOfASemaphoreWithoutAKeyOpen()
{
    BlockingClient waiting(m_server.socketPath().toStdString());
    waiting.run({ "SUBSCRIBE", "redisson_sc:{jobs}" });
    BlockingClient atGate(m_server.socketPath().toStdString());
    atGate.run({ "SUBSCRIBE", "redisson_countdownlatch__channel__{gate}" });
    const auto namesIn = [this](const QString &filter) {
        QStringList names;
        for (const QJsonValue &lock :
            arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json"), QStringLiteral("--filter"), filter })))
            names.append(lock[u"name"].toString());
        return names;
    };
    const QJsonArray locks = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") }));
    QCOMPARE(locks.size(), 2);
    QCOMPARE(locks[0][u"name"].toString(), QStringLiteral("gate"));
    QCOMPARE(locks[0][u"state"].toString(), QStringLiteral("free")); // who awaits a latch without a key goes on
    QCOMPARE(locks[1][u"name"].toString(), QStringLiteral("jobs"));
    QVERIFY(locks[1].toObject().contains(u"state") && locks[1][u"state"].isNull());
    QVERIFY(locks[1][u"permits"].isNull());
    QCOMPARE(namesIn(QStringLiteral("state:free")), QStringList{ QStringLiteral("gate") });
    QCOMPARE(namesIn(QStringLiteral("state:held")), QStringList());
    QCOMPARE(namesIn(QStringLiteral("state:waited")), (QStringList{ QStringLiteral("gate"), QStringLiteral("jobs") }));

    const Ending table = ls({ QStringLiteral("ls"), QStringLiteral("--filter"), QStringLiteral("jobs") });
    QVERIFY2(table.out.contains("does not exist") && !table.out.contains("free"), table.out.constData());
    const Ending gate = ls({ QStringLiteral("show"), QStringLiteral("gate") });
    QVERIFY2(gate.out.contains("state     open\n") && !gate.out.contains("does not exist"), gate.out.constData());
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("jobs") });
    QVERIFY2(shown.out.contains("state     does not exist\n") && !shown.out.contains("free"), shown.out.constData());
}

/// As after FLUSHALL: those who waited in the queue of a fair lock still listen, each on a channel of its own.
void LockctlLs::listsALockThatIsFreeForWhichSomebodyListens()
{
    const std::string lock = "redisson_lock__channel:{order}";
    BlockingClient first(m_server.socketPath().toStdString());
    first.run({ "SUBSCRIBE", lock + ':' + Client + ":1" });
    BlockingClient second(m_server.socketPath().toStdString());
    second.run({ "SUBSCRIBE", lock + ':' + Other + ":1" });
    const QJsonArray locks = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") }));
    QCOMPARE(locks.size(), 1);
    QCOMPARE(locks[0][u"name"].toString(), QStringLiteral("order"));
    QCOMPARE(locks[0][u"state"].toString(), QStringLiteral("free"));
    QCOMPARE(locks[0][u"subscribers"].toInt(), 2);
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("order") });
    QVERIFY2(shown.out.contains("2 client instances subscribed"), shown.out.constData());
}

void LockctlLs::tellsThatChannelsKnowNoDatabase()
{
    BlockingClient waiting(m_server.socketPath().toStdString());
    waiting.run({ "SUBSCRIBE", "redisson_lock__channel:{order}" });
    testsupport::Commands commands;
    addHold(commands, "order", Client + ":1", 60'000);
    addHold(commands, "alone", Client + ":2", 60'000);
    m_client->runAll(commands);
    const auto look = [this](const QString &database) {
        const QString url = m_server.socketUrl() + u"?db=" + database;
        const auto say = [&](const QStringList &words) {
            return testsupport::run(Lockctl, QStringList{ QStringLiteral("--url"), url } + words);
        };
        const QJsonArray locks = arrayOf(say({ QStringLiteral("ls"), QStringLiteral("--json") }));
        QStringList said;
        for (const QJsonValue &lock : locks) {
            const bool isOpen = lock[u"otherDatabasePossible"].toBool();
            said << lock[u"name"].toString() + u' ' + QString::number(lock[u"subscribers"].toInt())
                    + (isOpen ? u"?" : u"");
        }
        const QByteArray shown = say({ QStringLiteral("show"), QStringLiteral("order") }).out;
        said << QString::fromUtf8(shown.mid(shown.indexOf("waiting "))).section(u'\n', 0, 0).mid(10);
        const QByteArray table = say({ QStringLiteral("ls"), QStringLiteral("--filter"), QStringLiteral("order") }).out;
        said << QString::fromUtf8(table.split('\n').value(1)).simplified().section(u' ', -2, -2);
        return said;
    };
    const QStringList sure{ QStringLiteral("alone 0"), QStringLiteral("order 1"),
        QStringLiteral("1 client instance subscribed"), QStringLiteral("≥1") };
    QCOMPARE(look(QStringLiteral("0")), sure);
    const QStringList open{ QStringLiteral("alone 0"), QStringLiteral("order 1?"),
        QStringLiteral("1 client instance subscribed, for this lock or one of this name in another database"),
        QStringLiteral("1?") };
    m_client->runAll({ { "SELECT", "1" }, { "SET", "other", "text" }, { "SELECT", "0" } });
    QCOMPARE(look(QStringLiteral("0")), open);
    m_client->run({ "FLUSHALL" });
    commands.insert(commands.begin(), { "SELECT", "1" });
    commands.push_back({ "SELECT", "0" });
    m_client->runAll(commands);
    QCOMPARE(look(QStringLiteral("1")), open);
}

void LockctlLs::takesBackWhatItPrints()
{
    const QTemporaryDir folder;
    const std::string names[]{ "pay\x1b", "pay\\x1b", "a\xff\nb", "a\u202e" };
    testsupport::Commands commands;
    for (const std::string &name : names)
        addHold(commands, name, Client + ":1", 60'000);
    m_client->runAll(commands);
    for (const char *printed : { "pay\\x1b", "pay\\\\x1b", "a\\xff\\x0ab", "a\\u{202e}" }) {
        const QString name = QString::fromLatin1(printed);
        const auto start = [&](const char *before) { return QByteArray(before).append(printed); };
        QVERIFY2(ls({ QStringLiteral("ls") }).out.contains(start("\n")), printed);
        const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("--escaped"), name });
        QVERIFY2(shown.out.startsWith(start("name      ").append('\n')), shown.err.constData());
        const Ending freed
            = ls({ QStringLiteral("force-release"), name, QStringLiteral("--escaped"), QStringLiteral("--writable"),
                QStringLiteral("--expect"), QString::fromStdString(Client + ":1"), QStringLiteral("--reason"),
                QStringLiteral("r"), QStringLiteral("--audit-file"), folder.filePath(QStringLiteral("audit")) });
        QVERIFY2(freed.status == 0, freed.err.constData());
    }
    QCOMPARE(ls({ QStringLiteral("ls"), QStringLiteral("--json") }).out, QByteArray("[]\n"));
    const Ending other = ls({ QStringLiteral("show"), QStringLiteral("--escaped"), QStringLiteral("pay\\n") });
    QCOMPARE(other.status, 2);
}

void LockctlLs::agreesWithRedisOnAMixedKeyspace()
{
    constexpr int Locks = 300;
    std::vector<Command> commands;
    addLocks(commands, Locks);
    addOthers(commands, 20'000);
    m_client->runAll(commands);

    const Ending ending = ls({ QStringLiteral("ls"), QStringLiteral("--json") });
    QCOMPARE(ending.status, 0);
    const QJsonArray locks = arrayOf(ending);
    // Nobody listens there. That somebody will wait for years is nothing to suspect besides.
    const auto queues
        = std::ranges::count_if(locks, [](const QJsonValue &lock) { return !lock[u"waiters"].toArray().isEmpty(); });
    QVERIFY2(ending.err.contains(QByteArray(QByteArray::number(qlonglong(queues)) + " things look suspect")),
        ending.err.constData());
    QSet<QString> names;
    for (const QJsonValue &value : locks) {
        const QJsonObject lock = value.toObject();
        const QString name = lock[u"name"].toString();
        names.insert(name);
        QVERIFY2(!name.startsWith(u"other:"), qPrintable(name));
        for (const QJsonValue &key : lock[u"keys"].toArray())
            QCOMPARE(m_server.cli({ QStringLiteral("EXISTS"), key.toString() }), QByteArray("1"));
        const QJsonObject holder = lock[u"holders"].toArray().at(0).toObject();
        const QString field = holder[u"client"].toString() + u':' + holder[u"thread"].toString();
        QCOMPARE(m_server.cli({ QStringLiteral("HGET"), name, field }), QByteArray("1"));
        const qint64 ttl = m_server.cli({ QStringLiteral("PTTL"), name }).toLongLong();
        QVERIFY2(lock[u"ttlMs"].toInteger() >= ttl && lock[u"ttlMs"].toInteger() <= 90'000, qPrintable(name));
    }
    QCOMPARE(locks.size(), Locks);
    QCOMPARE(names.size(), Locks);
    const auto ofKind = [&](const char *kind) {
        return std::count_if(locks.begin(), locks.end(),
            [&](const QJsonValue &lock) { return lock.toObject()[u"kind"].toString() == QLatin1String(kind); });
    };
    QCOMPARE(ofKind("fair"), Locks / 10);
    QCOMPARE(ofKind("readWrite"), Locks / 10);
    QCOMPARE(ofKind("reentrant"), Locks * 8 / 10);
}

void LockctlLs::saysNothingThatItDoesNotKnow()
{
    std::vector<Command> commands;
    addHold(commands, "plain", Client + ":1", 30'000);
    commands.push_back({ "HSET", "for ever", Client + ":2", "3" });
    m_client->runAll(commands);

    const QJsonArray locks = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") }));
    QCOMPARE(locks.size(), 2);
    const QJsonObject forEver = locks.at(0).toObject();
    QCOMPARE(forEver[u"name"].toString(), QStringLiteral("for ever"));
    QVERIFY(forEver[u"ttlMs"].isNull());
    QCOMPARE(forEver[u"holders"].toArray().at(0).toObject()[u"count"].toInt(), 3);
    const QJsonObject plain = locks.at(1).toObject();
    QCOMPARE(plain[u"lease"].toString(), QStringLiteral("unknown"));
    QCOMPARE(plain[u"state"].toString(), QStringLiteral("held"));
    for (const char *absent : { "mode", "permits", "count", "token" })
        QVERIFY2(plain.contains(QLatin1String(absent)) && plain[QLatin1String(absent)].isNull(), absent);
    QVERIFY(!plain.contains(u"nameBase64"));
    // As the table's `?`: one look tells nothing, unless it took a second.
    const QJsonValue held = plain[u"heldAtLeastMs"];
    QVERIFY(held.isNull() || (held.toInteger() >= 1'000 && held.toInteger() < 10'000));
    QVERIFY(plain[u"readAt"].toString().endsWith(u'Z'));
}

void LockctlLs::carriesStrangeNamesExactly_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QString>("shown"); // as JSON text
    QTest::newRow("braces") << QByteArray("order:{8812}:pay") << QStringLiteral("order:{8812}:pay");
    QTest::newRow("one brace") << QByteArray("a{b") << QStringLiteral("a{b");
    QTest::newRow("HTML") << QByteArray("<b>x</b>&amp;") << QStringLiteral("<b>x</b>&amp;");
    QTest::newRow("quotes") << QByteArray("\"a\\b\"") << QStringLiteral("\"a\\b\"");
    QTest::newRow("newline") << QByteArray("a\nb\r\tc") << QStringLiteral("a\nb\r\tc");
    QTest::newRow("escape") << QByteArray("\x1b[2J\x07") << QStringLiteral("\x1b[2J\x07");
    QTest::newRow("C1 control") << QByteArray("a\xc2\x9b"
                                              "31m")
                                << QString::fromUtf8("a\xc2\x9b"
                                                     "31m");
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << QString(QStringLiteral("a") + QChar(u'\0') + u'b');
    QTest::newRow("right to left") << QByteArray("a\u202e"
                                                 "cba")
                                   << QString::fromUtf8("a\u202e"
                                                        "cba");
    QTest::newRow("emoji") << QByteArray("lock \U0001F512") << QString::fromUtf8("lock \U0001F512");
    QTest::newRow("Hangul filler") << QByteArray("pay\u3164") << QString::fromUtf8("pay\u3164");
    QTest::newRow("ideographic space") << QByteArray("pay\u3000") << QString::fromUtf8("pay\u3000");
    QTest::newRow("variation selector") << QByteArray("pay\ufe0f") << QString::fromUtf8("pay\ufe0f");
    QTest::newRow("not UTF-8") << QByteArray("a\xff\xfe") << QStringLiteral("a\\xff\\xfe");
    QTest::newRow("overlong") << QByteArray("\xc0\xaf") << QStringLiteral("\\xc0\\xaf");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QStringLiteral("\\xed\\xa0\\x80");
    QTest::newRow("empty") << QByteArray("") << QString();
}

void LockctlLs::carriesStrangeNamesExactly()
{
    QFETCH(const QByteArray, name);
    QFETCH(const QString, shown);
    std::vector<Command> commands;
    addHold(commands, name.toStdString(), Client + ":1", 30'000);
    m_client->runAll(commands);

    const Ending json = ls({ QStringLiteral("ls"), QStringLiteral("--json") });
    const QJsonArray locks = arrayOf(json);
    QCOMPARE(locks.size(), 1);
    const QJsonObject lock = locks.at(0).toObject();
    QCOMPARE(lock[u"name"].toString(), shown);
    const bool isText = QString::fromUtf8(name).toUtf8() == name;
    QCOMPARE(lock.contains(u"nameBase64"), !isText);
    if (!isText)
        QCOMPARE(QByteArray::fromBase64(lock[u"nameBase64"].toString().toLatin1()), name);

    for (const Ending &ending : { json, ls({ QStringLiteral("ls") }) }) {
        for (const QChar character : QString::fromUtf8(ending.out)) {
            const bool isSeen = character.category() != QChar::Other_Control
                && character.category() != QChar::Other_Format && character != QChar(0x3164)
                && character != QChar(0xfe0f) && (character == u' ' || !character.isSpace());
            QVERIFY2(character == u'\n' || isSeen, ending.out.toHex(' ').constData());
        }
    }
    QCOMPARE(ls({ QStringLiteral("ls") }).out.count('\n'), 2);
}

void LockctlLs::carriesOwnersExactlyThatAreNoText()
{
    m_client->run({ "SET", "lock:order", "job\xff", "PX", "60000" });
    const auto listed
        = ls({ QStringLiteral("ls"), QStringLiteral("--also"), QStringLiteral("lock:*"), QStringLiteral("--json") });
    const auto holder = arrayOf(listed).at(0).toObject()[u"holders"].toArray().at(0).toObject();
    QCOMPARE(holder[u"client"].toString(), QStringLiteral("job\\xff"));
    QCOMPARE(QByteArray::fromBase64(holder[u"clientBase64"].toString().toLatin1()), QByteArray("job\xff"));
    QVERIFY(!holder.contains(u"threadBase64"));
}

void LockctlLs::saysWhichQueueWasNotRead()
{
    m_client->run({ "RPUSH", "redisson_lock_queue:{evil}", std::string(100'000, 'x') });
    const auto lock = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") })).at(0).toObject();
    QCOMPARE(lock[u"name"].toString(), QStringLiteral("evil"));
    QVERIFY(lock[u"waiters"].isNull());
    QCOMPARE(lock[u"unreadableKeys"].toArray(), QJsonArray{ QStringLiteral("redisson_lock_queue:{evil}") });
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("evil") });
    QVERIFY2(shown.out.contains("not read"), shown.out.constData());
}

void LockctlLs::saysThatAQueueIsLongerThanWhatWasRead()
{
    testsupport::Commands commands;
    for (int thread = 0; thread < 1'500; ++thread)
        commands.push_back({ "RPUSH", "redisson_lock_queue:{long}", Client + ":" + std::to_string(thread) });
    m_client->runAll(commands);
    const Ending table = ls({ QStringLiteral("ls") });
    QVERIFY2(table.out.contains("≥1000"), table.out.constData());
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("long") });
    QVERIFY2(shown.out.contains("no more than the first 1000 are read"), shown.out.right(1'000).constData());
    const auto lock = arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") })).at(0).toObject();
    QCOMPARE(lock[u"waiters"].toArray().size(), 1'000);
    QVERIFY(lock[u"moreWaitersPossible"].toBool());
}

void LockctlLs::saysWhenThereIsNothingToList()
{
    m_client->run({ "SET", "other", "text" });
    QCOMPARE(
        ls({ QStringLiteral("ls") }).out, "No locks on " + m_server.socketPath().toUtf8() + ". 1 key was looked at.\n");
    QCOMPARE(ls({ QStringLiteral("ls"), QStringLiteral("--json") }).out, QByteArray("[]\n"));
    testsupport::Commands commands;
    addHold(commands, "order", Client + ":1", 60'000);
    m_client->runAll(commands);
    const Ending filtered = ls({ QStringLiteral("ls"), QStringLiteral("--filter"), QStringLiteral("stock") });
    QCOMPARE(filtered.out, QByteArray("None of 1 lock matches the filter.\n"));
    QCOMPARE(filtered.err, QByteArray());
}

void LockctlLs::saysWhichWordsItTakesForText()
{
    testsupport::Commands commands;
    addHold(commands, "order", Client + ":1", 60'000);
    m_client->runAll(commands);
    const auto said = [this](const QString &filter) {
        return ls({ QStringLiteral("ls"), QStringLiteral("--filter"), filter }).err;
    };
    QCOMPARE(said(QStringLiteral("foo:bar")),
        QByteArray("lockctl: filter: 'foo:bar' is looked for as text, since 'foo' is no key\n"));
    QVERIFY2(said(QStringLiteral("held:>1m")).contains("one look cannot tell for how long a lock was held before"),
        said(QStringLiteral("held:>1m")).constData());
    QCOMPARE(said(QStringLiteral("order")), QByteArray());
}

void LockctlLs::showsOneLock()
{
    // The shell brings bytes into argv that are no text.
    std::vector<Command> commands;
    addHold(commands, "a\xff", Client + ":1", 30'000);
    addHold(commands, "", Client + ":2", 30'000);
    m_client->runAll(commands);
    const QString script = QStringLiteral("exec \"$0\" --url \"$1\" show --json \"$(printf 'a\\377')\"");
    const Ending bytes
        = testsupport::run(QStringLiteral("/bin/sh"), { QStringLiteral("-c"), script, Lockctl, m_server.socketUrl() });
    QCOMPARE(bytes.status, 0);
    const QJsonObject lock = QJsonDocument::fromJson(bytes.out).object();
    QCOMPARE(lock[u"name"].toString(), QStringLiteral("a\\xff"));

    const Ending empty = ls({ QStringLiteral("show"), QString() });
    QCOMPARE(empty.status, 0);
    QVERIFY(empty.out.toStdString().find(Client + ":2") != std::string::npos);

    // Another program has written into it, and it keeps everybody out.
    m_server.cli({ QStringLiteral("HSET"), QStringLiteral("damaged"), testsupport::OwnerA, QStringLiteral("1"),
        QStringLiteral("other"), QStringLiteral("1") });
    const Ending damaged = ls({ QStringLiteral("show"), QStringLiteral("damaged") });
    QVERIFY2(
        damaged.out.contains("other") && damaged.out.contains(testsupport::OwnerA.toUtf8()), damaged.out.constData());
    m_server.cli({ QStringLiteral("DEL"), QStringLiteral("damaged") });
    const Ending unknown = ls({ QStringLiteral("show"), QStringLiteral("b") });
    QCOMPARE(unknown.status, 1);
    QCOMPARE(unknown.err, "lockctl: show b: there is no lock of this name on " + m_server.socketPath().toUtf8() + '\n');
}

void LockctlLs::filters()
{
    std::vector<Command> commands;
    addHold(commands, "order:1", Client + ":1", 30'000);
    addHold(commands, "stock:1", Other + ":1", 30'000);
    m_client->runAll(commands);
    const auto names = [this](const QString &filter) {
        QStringList found;
        for (const QJsonValue &lock :
            arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json"), QStringLiteral("--filter"), filter })))
            found.append(lock.toObject()[u"name"].toString());
        return found;
    };
    QCOMPARE(names(QStringLiteral("order")), QStringList{ QStringLiteral("order:1") });
    QCOMPARE(names(QStringLiteral("holder:5d0e77c1")), QStringList{ QStringLiteral("stock:1") });
    QCOMPARE(names(QStringLiteral("kind:fair")), QStringList());
}

void LockctlLs::saysTheSameStateWhereverItTells()
{
    const auto past = QString::number(QDateTime::currentMSecsSinceEpoch() - 60'000).toStdString();
    const auto future = QString::number(QDateTime::currentMSecsSinceEpoch() + 60'000).toStdString();
    const std::string value(22, 'H');
    const std::string owner = Client + ":1";
    std::vector<Command> commands;
    for (const auto &[name, deadline] : { std::pair("ran out", past), std::pair("leased", future) }) {
        commands.push_back({ "SET", name, "0" });
        commands.push_back(
            { "ZADD", std::string("{") + name + "}:timeout", deadline, "0123456789abcdef0123456789abcdef" });
        const std::string group = std::string("group ") + name;
        commands.push_back({ "HSET", group, value, owner, value + ':' + owner + ":expire_time", deadline,
            value + ':' + owner + ":lock_count", "1" });
        commands.push_back({ "PEXPIRE", group, "60000" });
    }
    m_client->runAll(commands);

    const auto namesIn = [this](const QString &filter) {
        QStringList names;
        for (const QJsonValue &lock :
            arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json"), QStringLiteral("--filter"), filter })))
            names.append(lock[u"name"].toString());
        return names;
    };
    const QStringList free{ QStringLiteral("group ran out"), QStringLiteral("ran out") };
    const QStringList held{ QStringLiteral("group leased"), QStringLiteral("leased") };
    QCOMPARE(namesIn(QStringLiteral("state:free")), free); // a tryAcquire would succeed
    QCOMPARE(namesIn(QStringLiteral("state:held")), held);
    for (const QJsonValue &lock : arrayOf(ls({ QStringLiteral("ls"), QStringLiteral("--json") }))) {
        const QString name = lock[u"name"].toString();
        const bool isFree = free.contains(name);
        QCOMPARE(lock[u"state"].toString(), isFree ? QStringLiteral("free") : QStringLiteral("held"));
        if (!lock[u"permits"].isNull()) {
            QCOMPARE(lock[u"permits"][u"available"].toInt(), isFree ? 1 : 0);
            QCOMPARE(lock[u"permits"][u"overdue"].toInt(), isFree ? 1 : 0);
        } else {
            QCOMPARE(lock[u"holders"][0][u"ranOut"].toBool(), isFree);
        }
    }
    const QByteArray shown = ls({ QStringLiteral("show"), QStringLiteral("group ran out") }).out;
    QVERIFY2(shown.contains("its lease ran out"), shown.constData());
}

void LockctlLs::tellsWhatItInfersOfIndependentServers()
{
    testsupport::RedisServers servers(3);
    QVERIFY(servers.start());
    QStringList hosts;
    const char *const clients[]{ "7f21aa09", "5d0e77c1", "0c5d1be0" };
    for (std::size_t i = 0; i < servers.size(); ++i) {
        const QString id = QLatin1String(clients[i]) + QStringLiteral("-41c2-4e0b-9f55-0c5d1be0a7d2:");
        testsupport::take(servers[i], QStringLiteral("red"), id + u'7', 60'000); // as RedissonRedLock does
        testsupport::take(servers[i], QStringLiteral("split"), id + QString::number(i), 60'000);
        hosts << QStringLiteral("127.0.0.1:%1").arg(servers[i].port());
    }
    const QString url = QStringLiteral("redis-nodes://") + hosts.join(u',');
    const auto show = [&](const char *name, const QStringList &options = {}) {
        return testsupport::run(Lockctl,
            QStringList{ QStringLiteral("--url"), url } + options
                + QStringList{ QStringLiteral("show"), QLatin1String(name) })
            .out;
    };
    const QByteArray red = show("red");
    QVERIFY2(red.contains("quorum    3 of 3, needs 2; inferred: "), red.constData());
    const QByteArray split = show("split");
    QVERIFY2(split.contains("quorum    1 of 3, needs 2; contended: 3 "), split.constData());
    for (const char *client : clients) // which one is where
        QVERIFY2(red.contains(QByteArray(", held by ").append(client)), red.constData());
    const auto quorum
        = QJsonDocument::fromJson(show("red", { QStringLiteral("--json") })).object()[u"quorum"].toObject();
    QCOMPARE(quorum[u"certainty"].toString(), QStringLiteral("inferred"));
    QCOMPARE(quorum[u"held"].toInt(), 3);
    QCOMPARE(quorum[u"members"].toArray().size(), 3);
    QVERIFY(!quorum[u"contended"].toBool(true));
    const auto all = testsupport::run(Lockctl, { QStringLiteral("--url"), url, QStringLiteral("ls") }).out;
    QVERIFY2(all.contains("3 clients:7") && all.contains("1 of 3, contended"), all.constData());
}

void LockctlLs::tellsGhostsFromThoseWhoWait()
{
    testsupport::Commands commands;
    addHold(commands, "order", Client + ":1", 60'000);
    const auto later = std::to_string(QDateTime::currentMSecsSinceEpoch() + 60'000);
    for (const char *thread : { ":2", ":3" }) {
        commands.push_back({ "RPUSH", "redisson_lock_queue:{order}", Client + thread });
        commands.push_back({ "ZADD", "redisson_lock_timeout:{order}", later, Client + thread });
    }
    m_client->runAll(commands);
    BlockingClient listening(m_server.socketPath().toStdString());
    listening.run({ "SUBSCRIBE", "redisson_lock__channel:{order}:" + Client + ":3" });
    const Ending shown = ls({ QStringLiteral("show"), QStringLiteral("order") });
    QVERIFY2(shown.out.contains("waiting   2 in the queue, ghosts among them: 1; 1 client instance subscribed\n"),
        shown.out.constData());
    const Ending all = ls({ QStringLiteral("ls") });
    QVERIFY2(all.out.contains(" 2, ghosts: 1 "), all.out.constData());
}

void LockctlLs::claimsNothingOfWhoWaitsOnServersOutOfSight()
{
    testsupport::RedisServers servers(3);
    QVERIFY(servers.start());
    const QString owner = QStringLiteral("7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7");
    QStringList hosts;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        testsupport::take(servers[i], QStringLiteral("red"), owner, 60'000);
        hosts << QStringLiteral("127.0.0.1:%1").arg(servers[i].port());
    }
    servers[2].kill();
    const auto run = [&](const QStringList &what) {
        return testsupport::run(
            Lockctl, QStringList{ QStringLiteral("--url"), QStringLiteral("redis-nodes://") + hosts.join(u',') } + what)
            .out;
    };
    const QByteArray all = run({ QStringLiteral("ls") });
    static const QRegularExpression row(QStringLiteral("red +reentrant .* \\? +≥? ?[0-9]"));
    QVERIFY2(row.match(QString::fromUtf8(all)).hasMatch(), all.constData());
    const QByteArray one = run({ QStringLiteral("show"), QStringLiteral("red") });
    QVERIFY2(one.contains("waiting   ? client instances subscribed"), one.constData());
    QVERIFY2(one.contains("1 of its 3 servers"), one.constData());
    const auto json
        = QJsonDocument::fromJson(run({ QStringLiteral("--json"), QStringLiteral("show"), QStringLiteral("red") }))
              .object();
    QVERIFY(json[u"subscribers"].isNull());
    QVERIFY(json[u"moreWaitersPossible"].toBool());
}

void LockctlLs::writesInLargePieces()
{
    constexpr int Locks = 1'000;
    std::vector<Command> commands;
    addLocks(commands, Locks);
    m_client->runAll(commands);
    int ends[2]; // of a socket that keeps apart what is written at once
    QCOMPARE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    const timeval limit{ .tv_sec = 30, .tv_usec = 0 };
    ::setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    QProcess process;
    process.setChildProcessModifier([end = ends[1]] { ::dup2(end, STDOUT_FILENO); });
    process.start(
        Lockctl, { QStringLiteral("--url"), m_server.socketUrl(), QStringLiteral("ls"), QStringLiteral("--json") });
    QVERIFY(process.waitForStarted());
    ::close(ends[1]);
    QByteArray all;
    QByteArray piece(1'000'000, Qt::Uninitialized);
    int pieces = 0;
    for (auto size = ::recv(ends[0], piece.data(), static_cast<std::size_t>(piece.size()), 0); size > 0; ++pieces) {
        all.append(piece.constData(), size);
        size = ::recv(ends[0], piece.data(), static_cast<std::size_t>(piece.size()), 0);
    }
    ::close(ends[0]);
    QVERIFY(process.waitForFinished());
    QCOMPARE(QJsonDocument::fromJson(all).array().size(), Locks);
    QVERIFY2(pieces <= all.size() / 30'000 + 2, QByteArray::number(pieces).constData());
}

QTEST_GUILESS_MAIN(LockctlLs)
#include "tst_lockctl_ls.moc"
