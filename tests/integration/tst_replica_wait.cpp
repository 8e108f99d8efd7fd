// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/semaphore.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_server.h"

using namespace lockcore;
using namespace lockcore::client;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class ReplicaWaitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void init()
    {
        m_master = std::make_unique<RedisServer>(RedisServerOptions{ .config = { u"repl-diskless-sync-delay 0"_s } });
        QVERIFY(m_master->start());
    }

    void cleanup()
    {
        m_replica.reset();
        m_master.reset();
    }

    void waitsForNobodyWithoutReplicas()
    {
        LockUser a(m_master->endpoint(), { .replicas = ReplicaWait{} });
        const auto got = a.acquire({ Job, "1", {}, 0ms });
        QVERIFY2(got && got->acquired, got ? "" : toString(got.error()).c_str());
        QVERIFY2(got->waited < 900ms, "no time-out was waited for");
        QCOMPARE(calls("wait"), 0);
    }

    void isAcquiredOnceAReplicaHasIt()
    {
        QVERIFY(startReplica());
        LockUser a(m_master->endpoint(), { .replicas = ReplicaWait{ .atLeast = 3 } }); // all, since they are fewer
        QVERIFY(a.tryLock(Job));
        QCOMPARE(m_replica->cli({ u"hget"_s, u"job"_s, a.owner() }), "1");
        QCOMPARE(calls("wait"), 1);
        QVERIFY(a.release(Job));
    }

    void givesBackWhatNoReplicaHas()
    {
        QVERIFY(startReplica());
        LockUser a(m_master->endpoint(), { .replicas = ReplicaWait{ .timeout = 200ms } });
        QVERIFY(a.waitReady());
        m_replica->pause();
        const auto failed = a.acquire({ Job, "1", {}, 10s });
        QCOMPARE(failed.error().code, ErrorCode::NotReplicated);
        QVERIFY2(toString(failed.error()).find(": 0, not 1") != std::string::npos, toString(failed.error()).c_str());
        QCOMPARE(calls("wait"), 3);
        QTRY_COMPARE(m_master->cli({ u"dbsize"_s }), "0");
        QCOMPARE(a.client->holdsKnown(Job, "1"), 0);
        m_replica->resume();
        QTRY_VERIFY(a.tryLock(Job)); // it has to catch up first
    }

    void asksOnceForManyLocks()
    {
        QVERIFY(startReplica());
        LockUser a(m_master->endpoint(), { .replicas = ReplicaWait{} });
        QVERIFY(a.waitReady());
        std::vector<LockUser::Acquired> answers;
        for (int i = 0; i < 200; ++i)
            answers.push_back(a.startAcquire({ { "job" + std::to_string(i) }, "1", {}, 0ms }));
        for (const auto &answer : answers) {
            QVERIFY(answer->wait());
            QVERIFY(answer->result->value().acquired);
        }
        QVERIFY2(calls("wait") <= 20, QByteArray::number(calls("wait")).constData());
    }

    void canBeCancelledWhileItWaitsForReplicas()
    {
        QVERIFY(startReplica());
        LockUser a(m_master->endpoint(), { .replicas = ReplicaWait{ .timeout = 2s } });
        QVERIFY(a.waitReady());
        m_replica->pause();
        const auto waiting = a.startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(m_master->cli({ u"exists"_s, u"job"_s }), "1");
        a.client->cancel(a.lastAcquire);
        QVERIFY(waiting->wait());
        QCOMPARE(waiting->result->error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(m_master->cli({ u"exists"_s, u"job"_s }), "0"); // behind the question that was sent already
    }

    void leavesOtherWaitsToBeCancelled()
    {
        LockUser a(m_master->endpoint(), { .replicas = ReplicaWait{} });
        QVERIFY(a.waitReady());
        Answer<AcquireOutcome> answer;
        const AcquireId waiting
            = Semaphore(*a.client, "jobs").acquire(1, {}, [&](const Result<AcquireOutcome> &outcome) {
                  answer.result = outcome;
              });
        a.client->cancel(waiting);
        QVERIFY(answer.wait());
        QCOMPARE(answer.result->error().code, ErrorCode::Cancelled);
    }

    void canBeDeletedMeanwhile()
    {
        QVERIFY(startReplica());
        auto a = std::make_unique<LockUser>(m_master->endpoint(), LockClientOptions{ .replicas = ReplicaWait{} });
        m_replica->pause();
        const auto waiting = a->startAcquire({ Job, "1", {}, {} });
        QTRY_COMPARE(m_master->cli({ u"exists"_s, u"job"_s }), "1");
        a.reset();
        QVERIFY(!waiting->isHere());
    }

private:
    bool startReplica()
    {
        m_replica = std::make_unique<RedisServer>(
            RedisServerOptions{ .config = { u"replicaof 127.0.0.1 %1"_s.arg(m_master->port()) } });
        return m_replica->start()
            && QTest::qWaitFor(
                [this] {
                    const QByteArray info = m_master->cli({ u"info"_s, u"replication"_s });
                    return info.contains("state=online") && m_replica->cli({ u"role"_s }).contains("connected");
                },
                GenerousMs);
    }

    int calls(const char *command) const
    {
        const QByteArray key = QByteArray("cmdstat_") + command + ":calls=";
        const QByteArray stats = m_master->cli({ u"info"_s, u"commandstats"_s });
        const auto at = stats.indexOf(key);
        return at < 0 ? 0 : stats.mid(at + key.size()).split(',').first().toInt();
    }

    const LockTarget Job{ "job" };
    std::unique_ptr<RedisServer> m_master;
    std::unique_ptr<RedisServer> m_replica;
};

QTEST_GUILESS_MAIN(ReplicaWaitTest)
#include "tst_replica_wait.moc"
