// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/count_down_latch.h"
#include "tests/support/answer_to.h"
#include "tests/support/lock_user.h"
#include "tests/support/server_test.h"

using namespace lockcore;
using namespace lockcore::client;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class CountDownLatchTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void opensForAllAtZero()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        CountDownLatch gate(*a.client, "gate");
        CountDownLatch counter(*b.client, "gate");
        QVERIFY(setCount(counter, 2).value());
        QVERIFY2(!setCount(counter, 5).value(), "it has one");
        std::vector<LockUser::Acquired> waiting;
        for (int i = 0; i < 50; ++i)
            waiting.push_back(wait(gate));
        waitForSubscribers(1);
        QVERIFY(countDown(counter));
        QCOMPARE(countOf(gate), 1);
        const auto arrived = [&] {
            return std::count_if(waiting.begin(), waiting.end(), [](const auto &each) { return each->isHere(); });
        };
        QCOMPARE(arrived(), 0);
        QVERIFY(countDown(counter));
        QTRY_COMPARE_WITH_TIMEOUT(arrived(), 50, 10'000); // by itself it would look after 20 s
        QVERIFY(waiting.front()->result->value().acquired);
        QCOMPARE(countOf(gate), 0);
        QCOMPARE(m_server.cli({ u"exists"_s, u"gate"_s }), "0");
        waitForSubscribers(0);
    }

    void opensWhenItIsRemoved()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        CountDownLatch gate(*a.client, "gate");
        CountDownLatch other(*b.client, "gate");
        QVERIFY(setCount(gate, 2).value());
        const auto waiting = wait(gate);
        waitForSubscribers(1);
        QVERIFY(answerTo<bool>([&](auto done) { other.remove(done); }).value());
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
        QVERIFY(!answerTo<bool>([&](auto done) { other.remove(done); }).value());
    }

    void noticesThatItIsGoneWithoutAMessage()
    {
        LockUser a(m_server.endpoint(), { .lookAgain = 300ms });
        CountDownLatch gate(*a.client, "gate");
        QVERIFY(setCount(gate, 2).value());
        const auto waiting = wait(gate);
        waitForSubscribers(1);
        m_server.cli({ u"del"_s, u"gate"_s });
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void looksOnceOrForATime()
    {
        LockUser a(m_server.endpoint());
        CountDownLatch gate(*a.client, "gate");
        QVERIFY(answered(wait(gate, 0ms))->acquired);
        QVERIFY(setCount(gate, 1).value());
        QVERIFY(!answered(wait(gate, 0ms))->acquired);
        const auto late = answered(wait(gate, 200ms));
        QVERIFY(!late->acquired && late->waited >= 200ms);
    }

    void refusesNonsense()
    {
        LockUser a(m_server.endpoint());
        CountDownLatch gate(*a.client, "gate");
        CountDownLatch unnamed(*a.client, "");
        QCOMPARE(answered(wait(unnamed)).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(answered(wait(gate, -1ms)).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(setCount(gate, 0).error().code, ErrorCode::InvalidArgument);
        m_server.cli({ u"rpush"_s, u"gate"_s, u"x"_s });
        QCOMPARE(answered(wait(gate)).error().code, ErrorCode::WrongType);
        QCOMPARE(countDown(gate).error().code, ErrorCode::WrongType);
        QCOMPARE(m_server.cli({ u"llen"_s, u"gate"_s }), "1");
    }

private:
    static LockUser::Acquired wait(CountDownLatch &latch, std::optional<Millis> limit = std::nullopt)
    {
        return startCall<AcquireOutcome>([&](auto done) { latch.wait(limit, done); });
    }
    static Result<AcquireOutcome> answered(const LockUser::Acquired &waiting)
    {
        return waiting->wait() ? *waiting->result : Result<AcquireOutcome>(failure(ErrorCode::ReplyTimeout, "in vain"));
    }
    static Result<bool> setCount(CountDownLatch &latch, std::int64_t count)
    {
        return answerTo<bool>([&](auto done) { latch.trySetCount(count, done); });
    }
    static Result<void> countDown(CountDownLatch &latch)
    {
        return answerTo<void>([&](auto done) { latch.countDown(done); });
    }
    static int countOf(CountDownLatch &latch)
    {
        return static_cast<int>(answerTo<std::int64_t>([&](auto done) { latch.count(done); }).value_or(-1));
    }
    void waitForSubscribers(int number) const
    {
        const auto subscribers = [this] {
            return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_countdownlatch__channel__{gate}"_s })
                .split('\n')
                .last()
                .toInt();
        };
        QTRY_COMPARE(subscribers(), number);
    }
};

QTEST_GUILESS_MAIN(CountDownLatchTest)
#include "tst_count_down_latch.moc"
