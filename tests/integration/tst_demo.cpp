// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/redis_server.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <csignal>

using testsupport::Ending;
using testsupport::Environment;
using testsupport::Program;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);

} // namespace

class Demo : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void isAShopInFullSwing();
    void runsIntoADeadlock();
    void staysPrivate();
    void isGoneWithTheProgram_data();
    void isGoneWithTheProgram();
    void saysWhatToInstall();

private:
    Environment inFolder(const QTemporaryDir &folder) const { return { { QStringLiteral("TMPDIR"), folder.path() } }; }
    QString socketIn(const QTemporaryDir &folder) const
    {
        const QStringList folders = QDir(folder.path()).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        return folders.isEmpty() ? QString() : folder.filePath(folders.front()) + QStringLiteral("/redis.sock");
    }
    QByteArray ask(const QTemporaryDir &folder, const QStringList &command) const
    {
        return testsupport::run(
            QStringLiteral("redis-cli"), QStringList{ QStringLiteral("-s"), socketIn(folder) } + command)
            .out;
    }
};

void Demo::initTestCase() { NEED_REDIS_SERVER(); }

void Demo::isAShopInFullSwing()
{
    Ending ending;
    const auto hasDeadWaiter = [&] { return ending.err.contains(" looks suspect and takes some seconds to tell"); };
    for (int days = 0; days < 5 && !hasDeadWaiter(); ++days) // on a busy machine it dies too late for this look
        ending
            = testsupport::run(Lockctl, { QStringLiteral("--demo"), QStringLiteral("--json"), QStringLiteral("ls") });
    QVERIFY2(hasDeadWaiter(), ending.err.constData());
    QCOMPARE(ending.err.count('\n'), 1);
    QCOMPARE(ending.status, 0);
    std::map<QString, QJsonObject> locks;
    const QJsonArray listed = QJsonDocument::fromJson(ending.out).array();
    for (const auto value : listed)
        locks[value.toObject()[u"name"].toString()] = value.toObject();
    QVERIFY(locks.size() >= 10);

    const QJsonObject fair = locks[QStringLiteral("inventory:sku:1093")];
    QCOMPARE(fair[u"kind"].toString(), QStringLiteral("fair"));
    QCOMPARE(fair[u"waiters"].toArray().size(), 5);
    const QJsonObject first = fair[u"waiters"].toArray().at(0).toObject();
    QVERIFY(first[u"listens"].toBool() && first[u"waitsAtLeastMs"].isDouble());
    const QJsonObject pay = locks[QStringLiteral("order:{8812}:pay")];
    QCOMPARE(pay[u"holders"].toArray().at(0).toObject()[u"count"].toInt(), 2);
    QVERIFY(pay[u"subscribers"].toInt() >= 2);
    const QJsonObject report = locks[QStringLiteral("report:monthly")];
    QCOMPARE(report[u"mode"].toString(), QStringLiteral("read"));
    QVERIFY(report[u"holders"].toArray().size() >= 3);
    QVERIFY(report[u"subscribers"].toInt() >= 1);
    QCOMPARE(locks[QStringLiteral("shard:07:compact")][u"mode"].toString(), QStringLiteral("write"));
    QVERIFY(locks[QStringLiteral("billing:close")][u"ttlMs"].toInteger() < 15'000);
}

/// Of two who soon give up; it is the same at every start.
void Demo::runsIntoADeadlock()
{
    const Ending ending = testsupport::run(Lockctl,
        { QStringLiteral("--demo"), QStringLiteral("--json"), QStringLiteral("diagnose"), QStringLiteral("--for"),
            QStringLiteral("6s") });
    QCOMPARE(ending.err, QByteArray());
    const QJsonArray deadlocks = QJsonDocument::fromJson(ending.out).object()[u"deadlocks"].toArray();
    QVERIFY2(deadlocks.size() == 1, ending.out.constData());
    QCOMPARE(deadlocks.at(0).toArray().size(), 2);
}

void Demo::staysPrivate()
{
    const QTemporaryDir folder;
    Program program(
        Lockctl, { QStringLiteral("--demo"), QStringLiteral("--json"), QStringLiteral("watch") }, inFolder(folder));
    QVERIFY(!program.lineWith("\"appeared\"").isEmpty());
    QCOMPARE(QFileInfo(QFileInfo(socketIn(folder)).path()).permissions() & 0x0fff,
        QFileDevice::Permissions(QFileDevice::ReadUser | QFileDevice::WriteUser | QFileDevice::ExeUser));
    const auto setting = [&](const char *name) {
        return ask(folder, { QStringLiteral("CONFIG"), QStringLiteral("GET"), QString::fromLatin1(name) })
            .trimmed()
            .mid(static_cast<qsizetype>(qstrlen(name)))
            .trimmed();
    };
    QCOMPARE(setting("port"), QByteArray("0"));
    QCOMPARE(setting("save"), QByteArray());
    QCOMPARE(setting("appendonly"), QByteArray("no"));
}

void Demo::isGoneWithTheProgram_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("SIGINT") << SIGINT;
    QTest::newRow("SIGKILL") << SIGKILL;
}

void Demo::isGoneWithTheProgram()
{
    QFETCH(const int, number);
    const QTemporaryDir folder;
    Program program(
        Lockctl, { QStringLiteral("--demo"), QStringLiteral("--json"), QStringLiteral("watch") }, inFolder(folder));
    QVERIFY(!program.lineWith("\"appeared\"").isEmpty());
    const QByteArray info = ask(folder, { QStringLiteral("INFO"), QStringLiteral("server") });
    const qsizetype at = info.indexOf("process_id:") + 11;
    const auto server = static_cast<pid_t>(info.mid(at, info.indexOf('\r', at) - at).toInt());
    QVERIFY(server > 1 && ::kill(server, 0) == 0);

    program.signal(number);
    QCOMPARE(program.end().status, number == SIGINT ? 0 : -1);
    QTRY_VERIFY_WITH_TIMEOUT(::kill(server, 0) != 0, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(QDir(folder.path()).isEmpty(), 30'000);
}

void Demo::saysWhatToInstall()
{
    const Ending ending = testsupport::run(Lockctl, { QStringLiteral("--demo"), QStringLiteral("ls") },
        { { QStringLiteral("PATH"), QStringLiteral("/nowhere") } });
    QCOMPARE(ending.status, 3);
    QVERIFY(ending.err.contains("install the package redis-server"));
    QCOMPARE(ending.err.count('\n'), 1);
}

QTEST_GUILESS_MAIN(Demo)
#include "tst_demo.moc"
