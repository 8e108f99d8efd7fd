// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/redis_server.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QSet>
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
    void showsOneLock();
    void filters();
    void writesInLargePieces();

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

void LockctlLs::agreesWithRedisOnAMixedKeyspace()
{
    constexpr int Locks = 300;
    std::vector<Command> commands;
    addLocks(commands, Locks);
    addOthers(commands, 20'000);
    m_client->runAll(commands);

    const Ending ending = ls({ QStringLiteral("ls"), QStringLiteral("--json") });
    QCOMPARE(ending.err, QByteArray());
    QCOMPARE(ending.status, 0);
    const QJsonArray locks = arrayOf(ending);
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
    QVERIFY(plain[u"heldAtLeastMs"].toInteger() < 10'000);
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
            QVERIFY2(character == u'\n'
                    || (character.category() != QChar::Other_Control && character.category() != QChar::Other_Format),
                ending.out.toHex(' ').constData());
        }
    }
    QCOMPARE(ls({ QStringLiteral("ls") }).out.count('\n'), 2);
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

    const Ending unknown = ls({ QStringLiteral("show"), QStringLiteral("b") });
    QCOMPARE(unknown.status, 1);
    QCOMPARE(unknown.err, QByteArray("lockctl: show b: there is no lock of this name\n"));
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
