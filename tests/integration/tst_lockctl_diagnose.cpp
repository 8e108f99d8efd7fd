// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/server_test.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <csignal>

using lockcore::protocol::Command;
using testsupport::BlockingClient;
using testsupport::Ending;
using testsupport::Program;
using testsupport::ServerTest;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const std::string Holder = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7";
const std::string Gone = "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:9";
constexpr int LeaseMs = 600'000;

} // namespace

/// What one look tells, and what takes a moment of watching.
class LockctlDiagnose : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override { client().run({ "FLUSHALL" }); }

private Q_SLOTS:
    void listsAtOnceAndSaysWhereMoreIsTold()
    {
        queueOneThatIsGone();
        client().run({ "DEL", "stock" });
        const Ending list = lockctl({ u"ls"_s });
        QCOMPARE(list.status, 0);
        QVERIFY2(list.out.contains("stock") && !list.out.contains("SUSPECT"), list.out.constData());
        QVERIFY2(list.err.contains(" suspect and take") && list.err.contains("lockctl diagnose"), list.err.constData());
        const Ending shown = lockctl({ u"show"_s, u"stock"_s });
        QCOMPARE(shown.status, 0);
        QVERIFY2(!shown.out.contains("suspect "), shown.out.constData());
    }

    void watchesAndNamesWhatLooksWrong()
    {
        queueOneThatIsGone();
        hold("fine");
        Ending text;
        const auto isWrong = [&] { // a slow machine takes longer to be sure
            text = lockctl({ u"diagnose"_s, u"stock"_s });
            return text.status == 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWrong(), 60'000);
        QVERIFY2(text.out.contains(("stock\n  deadWaiter, " + Gone).c_str()), text.out.constData());
        QVERIFY2(text.out.contains("That is all with 1 lock, watched for "), text.out.constData());

        Ending json;
        const auto isWrongInJson = [&] {
            json = lockctl({ u"--json"_s, u"diagnose"_s, u"--for"_s, u"8s"_s });
            return json.status == 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWrongInJson(), 60'000);
        const QJsonObject told = QJsonDocument::fromJson(json.out).object();
        QVERIFY2(told[u"watchedMs"].toInt() >= 8'000, json.out.constData());
        QCOMPARE(told[u"locks"].toInt(), 2);
        QCOMPARE(told[u"suspected"].toArray().size(), 1);
        const QJsonObject suspected = told[u"suspected"][0].toObject();
        QCOMPARE(suspected[u"name"].toString(), u"stock"_s);
        QCOMPARE(suspected[u"suspects"][0][u"kind"].toString(), u"deadWaiter"_s);
        QCOMPARE(suspected[u"suspects"][0][u"subject"].toString(), QString::fromStdString(Gone));
        QVERIFY(told[u"deadlocks"].toArray().isEmpty());
    }

    /// It missed the message, and sleeps on: nothing but its subscription tells of it.
    void namesAFreeLockThatIsWaitedFor()
    {
        BlockingClient waiter(m_server.socketPath().toStdString());
        waiter.run({ "SUBSCRIBE", "redisson_lock__channel:{report}" });
        const Ending list = lockctl({ u"ls"_s });
        QCOMPARE(list.status, 0);
        const QByteArray row = list.out.split('\n').value(1).simplified();
        QCOMPARE(row,
            QByteArray("report reentrant \xE2\x80\x93 free unknown \xE2\x89\xA5"
                       "1 \xE2\x80\x93"));
        QVERIFY2(list.err.contains("1 thing looks suspect and takes"), list.err.constData());

        const QJsonArray locks = QJsonDocument::fromJson(lockctl({ u"--json"_s, u"ls"_s }).out).array();
        QCOMPARE(locks.size(), 1);
        QCOMPARE(locks[0][u"state"].toString(), u"free"_s);
        QCOMPARE(locks[0][u"subscribers"].toInt(), 1);
        QVERIFY(locks[0][u"holders"].toArray().isEmpty() && locks[0][u"keys"].toArray().isEmpty());

        const Ending shown = lockctl({ u"show"_s, u"report"_s });
        QCOMPARE(shown.status, 0);
        QVERIFY2(shown.out.contains("TTL       free\n") && shown.out.contains("1 client instances subscribed"),
            shown.out.constData());

        for (const QStringList &which : { QStringList{}, QStringList{ u"report"_s } }) {
            Ending told;
            const auto isWrong = [&] { // a slow machine takes longer to be sure
                told = lockctl(QStringList{ u"diagnose"_s } + which);
                return told.status == 1;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isWrong(), 180'000);
            QVERIFY2(
                told.out.contains("report\n  freeButWaitedFor, redisson_lock__channel:{report}: 1 client instance"),
                told.out.constData());
        }
        hold("report");
        const Ending held = lockctl({ u"diagnose"_s });
        QVERIFY2(held.status == 0 && held.out.contains("with 1 lock,"), held.out.constData());
    }

    void findsNothingWrongWithWhatIsFine()
    {
        hold("fine");
        const Ending ending = lockctl({ u"diagnose"_s, u"--for"_s, u"300ms"_s });
        QCOMPARE(ending.status, 0);
        QVERIFY2(ending.out.startsWith("Nothing looks wrong with 1 lock, watched for "), ending.out.constData());
        QCOMPARE(ending.err, QByteArray());
    }

    void endsWithWhatIsKnownWhenInterrupted()
    {
        client().run({ "HSET", "for ever", Holder, "1" });
        Program diagnose(Lockctl, on({ u"diagnose"_s, u"--for"_s, u"1h"_s }));
        // The monitor itself has several connections, those that only try the server are over by then.
        QTRY_VERIFY_WITH_TIMEOUT(m_server.cli({ u"CLIENT"_s, u"LIST"_s }).count("name=lockctl") > 1, 30'000);
        diagnose.signal(SIGINT);
        const Ending ending = diagnose.end();
        QVERIFY(ending.status == 0 || ending.status == 1);
        QVERIFY2(ending.out.isEmpty() || ending.out.contains("watched for "), ending.out.constData()); // or too early
    }

    void refusesATimeItDoesNotUnderstand()
    {
        for (const QString &time : { u"5x"_s, u"s"_s, u"-1s"_s, u"0"_s, u"9999999h"_s }) {
            const Ending ending = lockctl({ u"diagnose"_s, u"--for"_s, time });
            QCOMPARE(ending.status, 2);
            QVERIFY2(
                ending.err.contains("--for takes milliseconds") && ending.err.contains("5s"), ending.err.constData());
        }
    }

private:
    BlockingClient client() const { return BlockingClient(m_server.socketPath().toStdString()); }
    QStringList on(const QStringList &command) const
    {
        return QStringList{ u"--url"_s, m_server.socketUrl() } + command;
    }
    Ending lockctl(const QStringList &command) const { return testsupport::run(Lockctl, on(command)); }

    void hold(const std::string &name)
    {
        testsupport::Commands commands;
        testsupport::addHold(commands, name, Holder, LeaseMs);
        client().runAll(commands);
    }
    /// A waiter nobody listens for, whose time is not over.
    void queueOneThatIsGone()
    {
        hold("stock");
        const auto deadline = std::to_string(QDateTime::currentMSecsSinceEpoch() + LeaseMs + 60'000);
        client().run({ "ZADD", "redisson_lock_timeout:{stock}", deadline, Gone });
        client().run({ "RPUSH", "redisson_lock_queue:{stock}", Gone });
    }
};

QTEST_GUILESS_MAIN(LockctlDiagnose)
#include "tst_lockctl_diagnose.moc"
