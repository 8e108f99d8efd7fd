// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/server_test.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <csignal>

using testsupport::BlockingClient;
using testsupport::Ending;
using testsupport::Program;
using testsupport::ServerTest;
using namespace Qt::StringLiterals;

namespace {

const QString Lockctl = QStringLiteral(LOCKCTL);
const std::string Holder = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7";
const std::string Gone = "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f:9";
const std::string There = "b1c2d3e4-0b51-4c7e-8a11-9f0d2b3c4e5f:11";
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
        const bool isMarked = list.out.contains("Dead waiter?") || list.out.contains("Queue without a holder?");
        QVERIFY2(list.out.contains("SUSPECT") && isMarked, list.out.constData());
        QVERIFY2(list.err.contains(" suspect and take") && list.err.contains("lockctl diagnose"), list.err.constData());
        const Ending shown = lockctl({ u"show"_s, u"stock"_s });
        QCOMPARE(shown.status, 0);
        QVERIFY2(!shown.out.contains("suspect "), shown.out.constData());
    }

    /// Silent once is not yet gone: whoever is asked for must be asked for twice.
    void tellsWhoListensInAQueueWithOneThatIsGone()
    {
        queueOneThatIsGone();
        BlockingClient waiting(m_server.socketPath().toStdString());
        queueOneThatListens(waiting);
        const Ending text = lockctl({ u"show"_s, u"stock"_s });
        QVERIFY2(text.out.contains("waiting   2 in the queue, ghosts among them: 1; 1 client instance subscribed\n"),
            text.out.constData());
        QVERIFY2(text.out.contains("nobody listens on its channel"), text.out.constData());
        QVERIFY2(text.err.contains(" suspect and take") && text.err.contains("lockctl diagnose"), text.err.constData());
        const Ending json = lockctl({ u"--json"_s, u"show"_s, u"stock"_s });
        const QJsonDocument shown = QJsonDocument::fromJson(json.out);
        QCOMPARE(shown[u"subscribers"].toInt(-1), 1);
        QVERIFY2(shown[u"deadlocks"].isArray(), json.out.constData());
        const QJsonArray listed = QJsonDocument::fromJson(lockctl({ u"--json"_s, u"ls"_s }).out).array();
        QCOMPARE(listed[0][u"subscribers"].toInt(-1), 1);
    }

    void leavesOutWhatOneLookCannotCount()
    {
        BlockingClient waiting(m_server.socketPath().toStdString());
        hold("stock");
        queueOneThatListens(waiting);
        QVERIFY(!lockctl({ u"show"_s, u"stock"_s }).out.contains("total waiting time"));
        for (const char *command : { "show", "ls" }) {
            const Ending json
                = lockctl(QByteArray(command) == "show" ? QStringList{ u"--json"_s, u"show"_s, u"stock"_s }
                                                        : QStringList{ u"--json"_s, u"ls"_s });
            const QJsonDocument told = QJsonDocument::fromJson(json.out);
            const QJsonObject lock = told.isArray() ? told[0].toObject() : told.object();
            QVERIFY2(lock.contains(u"statistics") && lock[u"statistics"].isNull(), json.out.constData());
        }
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
        QVERIFY2(text.out.contains(("stock\n  Dead waiter, " + Gone).c_str()), text.out.constData());
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
                       "1 \xE2\x80\x93 Free but waited for?"));
        QVERIFY2(list.err.contains("1 thing looks suspect and takes"), list.err.constData());

        const QJsonArray locks = QJsonDocument::fromJson(lockctl({ u"--json"_s, u"ls"_s }).out).array();
        QCOMPARE(locks.size(), 1);
        QCOMPARE(locks[0][u"state"].toString(), u"free"_s);
        QCOMPARE(locks[0][u"subscribers"].toInt(), 1);
        QVERIFY(locks[0][u"holders"].toArray().isEmpty() && locks[0][u"keys"].toArray().isEmpty());

        const Ending shown = lockctl({ u"show"_s, u"report"_s });
        QCOMPARE(shown.status, 0);
        QVERIFY2(shown.out.contains("TTL       free\n") && shown.out.contains("1 client instance subscribed"),
            shown.out.constData());

        for (const QStringList &which : { QStringList{}, QStringList{ u"report"_s } }) {
            Ending told;
            const auto isWrong = [&] { // a slow machine takes longer to be sure
                told = lockctl(QStringList{ u"diagnose"_s } + which);
                return told.status == 1;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isWrong(), 180'000);
            QVERIFY2(
                told.out.contains("report\n  Free but waited for, redisson_lock__channel:{report}: 1 client instance"),
                told.out.constData());
        }
        hold("report");
        const Ending held = lockctl({ u"diagnose"_s });
        QVERIFY2(held.status == 0 && held.out.contains("with 1 lock,"), held.out.constData());
    }

    void namesASemaphoreThatDoesNotExist()
    {
        BlockingClient waiter(m_server.socketPath().toStdString());
        waiter.run({ "SUBSCRIBE", "redisson_sc:{permits}" });
        Ending told;
        const auto isWrong = [&] { // a slow machine takes longer to be sure
            told = lockctl({ u"diagnose"_s });
            return told.status == 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWrong(), 120'000);
        QVERIFY2(told.out.contains("permits\n  Free but waited for, redisson_sc:{permits}: 1 client instance"),
            told.out.constData());
        QVERIFY2(told.out.contains("there is nothing of that name to wait for"), told.out.constData());
    }

    void findsNothingWrongWithWhatIsFine()
    {
        hold("fine");
        const Ending ending = lockctl({ u"diagnose"_s, u"--for"_s, u"300ms"_s });
        QCOMPARE(ending.status, 0);
        QVERIFY2(ending.out.startsWith("Nothing looks wrong with 1 lock, watched for "), ending.out.constData());
        QVERIFY2(ending.out.contains("Some things show only after half a minute or more: try it with --for 1m."),
            ending.out.constData());
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
        if (ending.status == 3) // too early
            QCOMPARE(ending.out, QByteArray());
        else
            QVERIFY2(ending.status <= 1 && ending.out.contains("watched for "), ending.out.constData());
    }

    void namesTheDeadlockThatALockIsPartOf()
    {
        BlockingClient clients(m_server.socketPath().toStdString());
        deadlock(clients, "d1", "d2");
        hold("fine");
        Ending text;
        const auto isNamed = [&] { // a slow machine takes longer to be sure
            text = lockctl({ u"diagnose"_s, u"d1"_s });
            return text.status == 1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isNamed(), 60'000);
        QVERIFY2(text.out.contains("deadlock (inferred): "), text.out.constData());
        QVERIFY2(text.out.contains("That is all with 1 lock, "), text.out.constData());
        QCOMPARE(text.err, QByteArray());
        const Ending other = lockctl({ u"diagnose"_s, u"fine"_s, u"--for"_s, u"3s"_s });
        QCOMPARE(other.status, 0);
        QVERIFY2(other.out.startsWith("Nothing looks wrong with 1 lock, "), other.out.constData());
        const Ending filtered = lockctl({ u"diagnose"_s, u"--filter"_s, u"name:fine"_s, u"--for"_s, u"3s"_s });
        QCOMPARE(filtered.status, 0);
        QVERIFY2(!filtered.out.contains("deadlock"), filtered.out.constData());
        const Ending list = lockctl({ u"ls"_s, u"--filter"_s, u"name:fine"_s });
        QVERIFY2(!list.out.contains("deadlock"), list.out.constData());
    }

    void saysThatItCouldNotLookForDeadlocks()
    {
        client().run({ "ACL", "SETUSER", "poor", "on", ">secret", "~*", "&*", "+@all", "-scan" });
        BlockingClient clients(m_server.socketPath().toStdString());
        deadlock(clients, "d1", "d2");
        const QStringList poor{ u"--url"_s, u"redis://poor:secret@127.0.0.1:%1"_s.arg(m_server.port()) };
        const Ending text
            = testsupport::run(Lockctl, poor + QStringList{ u"diagnose"_s, u"d1"_s, u"--for"_s, u"2s"_s });
        QCOMPARE(text.status, 3);
        QVERIFY2(text.out.startsWith("Nothing looks wrong with what could be watched: 1 lock, "), text.out.constData());
        QVERIFY2(text.err.contains("deadlocks of d1 were not looked for"), text.err.constData());
        const Ending shown = testsupport::run(Lockctl, poor + QStringList{ u"--json"_s, u"show"_s, u"d1"_s });
        QCOMPARE(shown.status, 0);
        QVERIFY2(QJsonDocument::fromJson(shown.out)[u"deadlocks"].isNull(), shown.out.constData());
        QVERIFY2(shown.err.contains("deadlocks of d1 were not looked for"), shown.err.constData());
    }

    void looksNoLongerThanAPersonWaitsToShowALock()
    {
        BlockingClient clients(m_server.socketPath().toStdString());
        deadlock(clients, "d1", "d2");
        BlockingClient filler(m_server.socketPath().toStdString());
        constexpr int Keys = 1'000'000; // a look at all is not over at once
        filler.run(
            { "EVAL", "for i = 1, ARGV[1] do redis.call('SET', 'other:' .. i, '') end", "0", std::to_string(Keys) });
        Program show(Lockctl, on({ u"--json"_s, u"show"_s, u"d1"_s }));
        QTRY_VERIFY(testsupport::commandCalls(m_server, "scan") > 0);
        m_server.pause();
        const Ending shown = show.end();
        m_server.resume();
        QCOMPARE(shown.status, 0);
        QVERIFY2(QJsonDocument::fromJson(shown.out)[u"deadlocks"].isNull(), shown.out.constData());
        QVERIFY2(shown.err.contains("deadlocks of d1 were not looked for"), shown.err.constData());
    }

    void choosesBeforeItLimitsWhatItLists()
    {
        testsupport::Commands commands;
        for (int i = 0; i < 1'300; ++i)
            commands.push_back({ "HSET", "a:" + std::to_string(i), Holder, "1" });
        commands.push_back({ "HSET", "z:wanted", Holder, "1" });
        client().runAll(commands);
        const Ending chosen = lockctl({ u"diagnose"_s, u"--filter"_s, u"name:wanted"_s, u"--for"_s, u"5s"_s });
        QCOMPARE(chosen.status, 1);
        QVERIFY2(chosen.out.contains("z:wanted\n  Never ends"), chosen.out.constData());
        QVERIFY2(chosen.out.contains("That is all with 1 lock, "), chosen.out.constData());
        QVERIFY2(!chosen.out.contains("Not listed"), chosen.out.constData());
        const Ending none = lockctl({ u"diagnose"_s, u"--filter"_s, u"name:nobody"_s, u"--for"_s, u"1s"_s });
        QCOMPARE(none.status, 0);
        QVERIFY2(none.out.startsWith("No lock matches the filter, "), none.out.constData());
    }

    void saysThatThereIsNoSuchLock()
    {
        hold("fine");
        const Ending ending = lockctl({ u"diagnose"_s, u"nothere"_s, u"--for"_s, u"300ms"_s });
        QCOMPARE(ending.status, 1);
        QCOMPARE(ending.out, QByteArray());
        QVERIFY2(ending.err.contains("nothere") && ending.err.contains("there is no lock of this name"),
            ending.err.constData());
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

    void hold(const std::string &name, const std::string &owner = Holder)
    {
        testsupport::Commands commands;
        testsupport::addHold(commands, name, owner, LeaseMs);
        client().runAll(commands);
    }
    /// Each of two has one of these locks and waits for the other one, listening as its client would.
    void deadlock(BlockingClient &clients, const std::string &first, const std::string &second)
    {
        hold(first, Holder);
        hold(second, Gone);
        const auto deadline = std::to_string(QDateTime::currentMSecsSinceEpoch() + LeaseMs + 60'000);
        const auto queue = [&](const std::string &lock, const std::string &waiter) {
            client().run({ "RPUSH", "redisson_lock_queue:{" + lock + "}", waiter });
            client().run({ "ZADD", "redisson_lock_timeout:{" + lock + "}", deadline, waiter });
            clients.run({ "SUBSCRIBE", "redisson_lock__channel:{" + lock + "}:" + waiter });
        };
        queue(first, Gone);
        queue(second, Holder);
    }
    void queueOneThatListens(BlockingClient &waiting)
    {
        const auto deadline = std::to_string(QDateTime::currentMSecsSinceEpoch() + LeaseMs + 120'000);
        client().run({ "RPUSH", "redisson_lock_queue:{stock}", There });
        client().run({ "ZADD", "redisson_lock_timeout:{stock}", deadline, There });
        waiting.run({ "SUBSCRIBE", "redisson_lock__channel:{stock}:" + There });
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
