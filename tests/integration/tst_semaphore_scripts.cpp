// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/count_down_latch.h"
#include "lockcore/synchronizers/semaphore.h"
#include "tests/integration/script_test.h"

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

const LockName Name = "gate";
const std::string Channel = "redisson_sc:{gate}";
const std::string LatchChannel = "redisson_countdownlatch__channel__{gate}";

} // namespace

class SemaphoreScripts : public ScriptTest {
    Q_OBJECT

private Q_SLOTS:
    void takesAllOrNone()
    {
        const auto absent = m_redis.tryTo(semaphore::acquire(Name, 1));
        QVERIFY(absent && !absent->acquired);
        QVERIFY2(!absent->pause, "only a message helps");
        QVERIFY(m_redis.says(semaphore::trySetPermits(Name, 3, {}, Told)));
        QVERIFY(!m_redis.says(semaphore::trySetPermits(Name, 9, {}, Told)));
        QVERIFY(m_redis.acquires(semaphore::acquire(Name, 2)));
        QVERIFY(!m_redis.acquires(semaphore::acquire(Name, 2)));
        QVERIFY(m_redis.acquires(semaphore::acquire(Name, 1)));
        QCOMPARE(m_redis.counts(semaphore::availablePermits(Name)), 0);
        QCOMPARE(m_redis.told(Channel), (Texts{ "3" }));
    }

    void releaseMakesASemaphoreAndReleaseIfExistsDoesNot()
    {
        QVERIFY(!m_redis.says(semaphore::releaseIfExists(Name, 2, Told)));
        QCOMPARE(m_redis.keys(), Texts{});
        QVERIFY(m_redis.says(semaphore::release(Name, 2, Told)));
        QVERIFY(m_redis.says(semaphore::releaseIfExists(Name, 3, Told)));
        QCOMPARE(m_redis.told(Channel), (Texts{ "2", "5" }));
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("5"));
    }

    void neverTellsWaitersOfLessThanOnePermit()
    {
        QVERIFY(m_redis.says(semaphore::addPermits(Name, -3, Told)));
        QVERIFY(m_redis.says(semaphore::release(Name, 3, Told)));
        QVERIFY(m_redis.says(semaphore::addPermits(Name, -1, Told)));
        QVERIFY(m_redis.says(semaphore::release(Name, 2, Told)));
        QCOMPARE(m_redis.told(Channel), (Texts{ "1" }));
    }

    void losesItsTimeToLiveWhereRedissonDropsIt()
    {
        QVERIFY(m_redis.says(semaphore::trySetPermits(Name, 5, 50s, Told)));
        QVERIFY(m_redis.acquires(semaphore::acquire(Name, 2)));
        QVERIFY(m_redis.says(semaphore::release(Name, 1, Told)));
        QVERIFY(m_redis.pttl(Name) > 40'000 && m_redis.pttl(Name) <= 50'000);
        QVERIFY(m_redis.says(semaphore::addPermits(Name, 1, Told)));
        QCOMPARE(m_redis.pttl(Name), -1);
        m_redis.ask({ "PEXPIRE", Name, "50000" });
        QCOMPARE(m_redis.counts(semaphore::drainPermits(Name)), 5);
        QCOMPARE(m_redis.pttl(Name), -1);
        QCOMPARE(m_redis.counts(semaphore::availablePermits(Name)), 0);
    }

    void drainsNothingFromNothing()
    {
        QCOMPARE(m_redis.counts(semaphore::drainPermits(Name)), 0);
        QCOMPARE(m_redis.keys(), Texts{});
        m_redis.ask({ "SET", Name, "-3" });
        QCOMPARE(m_redis.counts(semaphore::drainPermits(Name)), -3);
        QCOMPARE(m_redis.text({ "GET", Name }), std::string("0"));
        QVERIFY(m_redis.says(semaphore::remove(Name)));
        QVERIFY(!m_redis.says(semaphore::remove(Name)));
    }

    void opensALatchForAllWhenItComesToZero()
    {
        QVERIFY2(m_redis.acquires(count_down_latch::pass(Name)), "a latch that does not exist is open");
        QVERIFY(m_redis.says(count_down_latch::trySetCount(Name, 2, Told)));
        QVERIFY(!m_redis.says(count_down_latch::trySetCount(Name, 5, Told)));
        const auto shut = m_redis.tryTo(count_down_latch::pass(Name));
        QVERIFY(shut && !shut->acquired && !shut->pause);
        QCOMPARE(m_redis.counts(count_down_latch::countDown(Name, Told)), 1);
        QCOMPARE(m_redis.counts(count_down_latch::count(Name)), 1);
        QCOMPARE(m_redis.told(LatchChannel), (Texts{ "1" }));
        QCOMPARE(m_redis.counts(count_down_latch::countDown(Name, Told)), 0);
        QCOMPARE(m_redis.told(LatchChannel), (Texts{ "0" }));
        QCOMPARE(m_redis.keys(), Texts{});
        QVERIFY(m_redis.acquires(count_down_latch::pass(Name)));
        QCOMPARE(m_redis.counts(count_down_latch::countDown(Name, Told)), 0);
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void saysOfARemovedLatchWhatRedissonSays()
    {
        QVERIFY(!m_redis.says(count_down_latch::remove(Name, Told)));
        QVERIFY(m_redis.says(count_down_latch::trySetCount(Name, 2, Told)));
        QVERIFY(m_redis.says(count_down_latch::remove(Name, Told)));
        QCOMPARE(m_redis.told(LatchChannel), (Texts{ "1", "1" }));
        QCOMPARE(m_redis.keys(), Texts{});
    }

    void putsBracesIntoTheChannelOfAnyLatch()
    {
        QVERIFY(m_redis.says(count_down_latch::trySetCount("{a}b", 1, Told)));
        QCOMPARE(m_redis.told("redisson_countdownlatch__channel__{{a}b}"), (Texts{ "1" }));
    }

    void leavesKeysOfAnotherTypeAlone_data()
    {
        QTest::addColumn<std::vector<std::string>>("command");
        QTest::newRow("hash") << Texts{ "HSET", Name, "mode", "read" };
        QTest::newRow("list") << Texts{ "RPUSH", Name, "1" };
        QTest::newRow("zset") << Texts{ "ZADD", Name, "1", "1" };
        QTest::newRow("no number") << Texts{ "SET", Name, "12 permits" };
        QTest::newRow("a fraction") << Texts{ "SET", Name, "1.5" };
        QTest::newRow("empty") << Texts{ "SET", Name, "" };
    }
    void leavesKeysOfAnotherTypeAlone()
    {
        QFETCH(std::vector<std::string>, command);
        m_redis.ask(command);
        const auto before = m_redis.everything();
        const std::vector<ScriptCall> calls{ semaphore::acquire(Name, 1), semaphore::release(Name, 1, Told),
            semaphore::releaseIfExists(Name, 1, Told), semaphore::trySetPermits(Name, 1, {}, Told),
            semaphore::trySetPermits(Name, 1, 1s, Told), semaphore::addPermits(Name, 1, Told),
            semaphore::drainPermits(Name), semaphore::availablePermits(Name), semaphore::remove(Name),
            count_down_latch::pass(Name), count_down_latch::trySetCount(Name, 1, Told),
            count_down_latch::countDown(Name, Told), count_down_latch::count(Name),
            count_down_latch::remove(Name, Told) };
        for (std::size_t i = 0; i < calls.size(); ++i)
            QVERIFY2(m_redis.refusal(calls[i]) == ErrorCode::WrongType, std::to_string(i).c_str());
        QCOMPARE(m_redis.everything(), before);
    }

private:
};

QTEST_GUILESS_MAIN(SemaphoreScripts)
#include "tst_semaphore_scripts.moc"
