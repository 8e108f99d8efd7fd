// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/semaphore.h"
#include "tests/support/answer_to.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_server.h"

#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// Nonsense from callers, and servers that are not as they should be.
class BadInputTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init()
    {
        m_server.cli({ u"replicaof"_s, u"no"_s, u"one"_s });
        m_server.cli({ u"config"_s, u"set"_s, u"maxmemory"_s, u"0"_s });
        m_server.cli({ u"flushall"_s });
    }

    void refusesTimesThatCannotBe_data()
    {
        QTest::addColumn<qlonglong>("lease");
        QTest::addColumn<qlonglong>("wait");
        QTest::newRow("no lease") << 0LL << 0LL;
        QTest::newRow("negative lease") << -1LL << 0LL;
        QTest::newRow("least lease") << std::numeric_limits<qlonglong>::min() << 0LL;
        QTest::newRow("greatest lease") << std::numeric_limits<qlonglong>::max() << 0LL;
        QTest::newRow("lease beyond a deadline") << (1LL << 49) + 1 << 0LL;
        QTest::newRow("negative wait") << 1'000LL << -1LL;
        QTest::newRow("greatest wait") << 1'000LL << std::numeric_limits<qlonglong>::max();
        QTest::newRow("least wait") << 1'000LL << std::numeric_limits<qlonglong>::min();
    }
    void refusesTimesThatCannotBe()
    {
        QFETCH(qlonglong, lease);
        QFETCH(qlonglong, wait);
        LockUser a(m_server.endpoint());
        for (const LockTarget &target : targets()) {
            const auto refused = a.acquire({ target, "1", Millis(lease), Millis(wait) });
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
        }
        QCOMPARE(m_server.cli({ u"dbsize"_s }), "0");
    }

    void takesTheLongestTimesThereAre()
    {
        LockUser a(m_server.endpoint());
        constexpr Millis Longest{ 1LL << 49 };
        for (const LockTarget &target : targets()) {
            const auto got = a.acquire({ target, "1", Longest, Longest });
            QVERIFY2(got && got->acquired, got ? "" : toString(got.error()).c_str());
            QVERIFY(a.renew(target, "1", Longest));
            QCOMPARE(a.release(target).value(), ReleaseOutcome::Released);
        }
    }

    void refusesEmptyNames()
    {
        LockUser a(m_server.endpoint());
        for (LockTarget target : targets()) {
            target.name.clear();
            QCOMPARE(a.acquire({ target, "1", {}, 0ms }).error().code, ErrorCode::InvalidArgument);
            QCOMPARE(a.release(target).error().code, ErrorCode::InvalidArgument);
            QCOMPARE(a.renew(target, "1", 1s).error().code, ErrorCode::InvalidArgument);
            const auto state = answerTo<LockReading>([&](auto done) { a.client->state(target, done); });
            QCOMPARE(state.error().code, ErrorCode::InvalidArgument);
        }
        Semaphore unnamed(*a.client, "");
        const auto permits = answerTo<void>([&](auto done) { unnamed.release(1, done); });
        QCOMPARE(permits.error().code, ErrorCode::InvalidArgument);
    }

    void refusesPermitsThatCannotBe()
    {
        LockUser a(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        for (const std::int64_t permits : { std::int64_t(0), std::int64_t(-1), std::int64_t(1) << 53 }) {
            const auto acquired = answerTo<AcquireOutcome>([&](auto done) { jobs.acquire(permits, Millis(0), done); });
            QCOMPARE(acquired.error().code, ErrorCode::InvalidArgument);
            const auto released = answerTo<void>([&](auto done) { jobs.release(permits, done); });
            QCOMPARE(released.error().code, ErrorCode::InvalidArgument);
        }
        QCOMPARE(m_server.cli({ u"dbsize"_s }), "0");
    }

    void leavesKeysOfOtherTypesAlone()
    {
        LockUser a(m_server.endpoint());
        m_server.cli({ u"rpush"_s, u"key"_s, u"other"_s });
        for (LockTarget target : targets()) {
            target.name = "key";
            QCOMPARE(a.acquire({ target, "1", {}, {} }).error().code, ErrorCode::WrongType);
            QCOMPARE(a.release(target).error().code, ErrorCode::WrongType);
        }
        Semaphore semaphore(*a.client, "key");
        QCOMPARE(answerTo<AcquireOutcome>([&](auto done) { semaphore.acquire(1, {}, done); }).error().code,
            ErrorCode::WrongType);
        QCOMPARE(answerTo<void>([&](auto done) { semaphore.release(1, done); }).error().code, ErrorCode::WrongType);
        QCOMPARE(m_server.cli({ u"lrange"_s, u"key"_s, u"0"_s, u"-1"_s }), "other");
        QCOMPARE(m_server.cli({ u"keys"_s, u"*"_s }), "key");
    }

    void namesTheHolderToAStranger_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(targets().size()); ++i)
            QTest::addRow("%s", targets().at(std::size_t(i)).name.c_str()) << i;
    }
    void namesTheHolderToAStranger()
    {
        QFETCH(int, index);
        const LockTarget target = targets().at(std::size_t(index));
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(target, "4711"));
        const auto refused = b.release(target);
        QCOMPARE(refused.error().code, ErrorCode::NotHeld);
        QVERIFY2(refused.error().message.find(a.client->id() + ":4711") != std::string::npos,
            refused.error().message.c_str());
    }

    void tellsALockThatVanished_data() { namesTheHolderToAStranger_data(); }
    void tellsALockThatVanished()
    {
        QFETCH(int, index);
        const LockTarget target = targets().at(std::size_t(index));
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 900ms });
        QSignalSpy lost(a.client.get(), &LockClient::lockLost);
        QVERIFY(a.tryLock(target));
        m_server.cli({ u"flushall"_s });
        QTRY_COMPARE(lost.count(), 1);
        QCOMPARE(lost.first().at(0).value<LockTarget>(), target);
        QCOMPARE(a.release(target).error().code, ErrorCode::NotHeld);
    }

    void saysAtOnceThatAServerCannotBeWrittenTo_data() { troubles(); }
    void saysAtOnceThatAServerCannotBeWrittenTo()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.waitReady());
        begin();
        for (const LockTarget &target : targets()) {
            const auto outcome = a.acquire({ target, "1", {}, {} });
            if (target.kind == Kind::Fair && trouble() == Full) // lets a script end that has begun by taking away
                QVERIFY(outcome && outcome->acquired);
            else
                QCOMPARE(outcome.error().code, expectedCode());
        }
    }

    void keepsWaitingWhileAServerCannotBeWrittenTo_data() { troubles(); }
    void keepsWaitingWhileAServerCannotBeWrittenTo()
    {
        LockUser holder(m_server.endpoint());
        LockUser a(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 700ms));
        const auto waiting = a.startAcquire({ Job, "1", {}, {} });
        const auto impatient = a.startAcquire({ Job, "2", {}, 2'500ms });
        QVERIFY(waitForSubscribers());
        begin();
        QVERIFY(impatient->wait());
        QVERIFY(!impatient->result->has_value());
        QCOMPARE(impatient->result->error().code, expectedCode());
        QVERIFY(!waiting->isHere());
        end();
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void releasesOnceAServerCanBeWrittenTo_data() { troubles(); }
    void releasesOnceAServerCanBeWrittenTo()
    {
        LockUser a(m_server.endpoint());
        QVERIFY(a.tryLock(Job));
        QVERIFY(a.tryLock(Job));
        begin();
        const auto released = a.startRelease(Job);
        QVERIFY(!released->wait(1'000));
        end();
        QVERIFY(released->wait(10'000));
        QVERIFY2(*released->result, *released->result ? "" : toString(released->result->error()).c_str());
        QCOMPARE(released->result->value(), ReleaseOutcome::StillHeld);
        QCOMPARE(m_server.cli({ u"hget"_s, u"job"_s, a.owner() }), "1");
    }

    void renewsOnceAServerCanBeWrittenTo_data() { troubles(); }
    void renewsOnceAServerCanBeWrittenTo()
    {
        LockUser a(m_server.endpoint(), { .watchdogTimeout = 6'000ms });
        QSignalSpy lost(a.client.get(), &LockClient::lockLost);
        QSignalSpy renewed(a.client.get(), &LockClient::renewed);
        QVERIFY(a.tryLock(Job));
        begin();
        if (trouble() == ReadOnly) // a full server still renews
            QVERIFY(QTest::qWaitFor([&] { return ttl() < 3'000; }, 8'000));
        end();
        renewed.clear();
        QVERIFY(renewed.wait(5'000));
        QCOMPARE(lost.count(), 0);
        QVERIFY(ttl() > 3'000);
    }

    void leavesAQueueOnceAServerCanBeWrittenTo_data() { troubles(); }
    void leavesAQueueOnceAServerCanBeWrittenTo()
    {
        const LockTarget fair{ "fair", Kind::Fair };
        LockUser holder(m_server.endpoint());
        LockUser a(m_server.endpoint());
        LockUser behind(m_server.endpoint());
        QVERIFY(holder.tryLock(fair, "1", 60s));
        const auto waiting = a.startAcquire({ fair, "1", {}, {} });
        QTRY_COMPARE(queueLength(), 1);
        const auto next = behind.startAcquire({ fair, "1", {}, {} });
        QTRY_COMPARE(queueLength(), 2);
        begin();
        a.client->cancel(a.lastAcquire);
        QVERIFY(waiting->wait());
        end();
        QTRY_COMPARE(queueLength(), 1);
        QVERIFY(holder.release(fair));
        QVERIFY(next->wait(10'000));
    }

private:
    enum Trouble { ReadOnly, Full };

    static void troubles()
    {
        QTest::addColumn<int>("trouble");
        QTest::newRow("read-only") << int(ReadOnly);
        QTest::newRow("out of memory") << int(Full);
    }
    static Trouble trouble()
    {
        QFETCH(int, trouble);
        return Trouble(trouble);
    }
    static ErrorCode expectedCode()
    {
        return trouble() == ReadOnly ? ErrorCode::ReadOnlyReplica : ErrorCode::OutOfMemory;
    }
    void begin() const
    {
        if (trouble() == ReadOnly) // of a master that is not there
            m_server.cli({ u"replicaof"_s, u"127.0.0.1"_s, u"1"_s });
        else
            m_server.cli({ u"config"_s, u"set"_s, u"maxmemory"_s, u"1"_s });
    }
    void end() const
    {
        m_server.cli({ u"replicaof"_s, u"no"_s, u"one"_s });
        m_server.cli({ u"config"_s, u"set"_s, u"maxmemory"_s, u"0"_s });
    }
    static const std::vector<LockTarget> &targets()
    {
        static const std::vector<LockTarget> all{
            { "reentrant" },
            { "spin", Kind::Reentrant, {}, LockVariant::Spin },
            { "once", Kind::Reentrant, {}, LockVariant::NonReentrant },
            { "fair", Kind::Fair },
            { "fair once", Kind::Fair, {}, LockVariant::NonReentrant },
            { "read", Kind::ReadWrite, HoldMode::Read },
            { "write", Kind::ReadWrite, HoldMode::Write },
            { "fenced", Kind::Fenced },
            { "group", Kind::FasterMulti, {}, {}, { "a", "b" } },
        };
        return all;
    }
    int ttl() const { return m_server.cli({ u"pttl"_s, u"job"_s }).toInt(); }
    int queueLength() const { return m_server.cli({ u"llen"_s, u"redisson_lock_queue:{fair}"_s }).toInt(); }
    bool waitForSubscribers() const
    {
        return QTest::qWaitFor(
            [this] {
                return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_lock__channel:{job}"_s }).endsWith('1');
            },
            GenerousMs);
    }

    const LockTarget Job{ "job" };
    RedisServer m_server;
};

QTEST_GUILESS_MAIN(BadInputTest)
#include "tst_bad_input.moc"
