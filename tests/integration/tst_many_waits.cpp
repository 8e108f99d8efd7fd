// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/semaphore.h"
#include "tests/support/answer_to.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_user.h"
#include "tests/support/server_test.h"

#include <QElapsedTimer>
#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int Many = 10'000;
constexpr int Limit = 60'000; // of a slow machine; a loop over all for each one would take far longer

} // namespace

/// Thousands of waits from one thread.
class ManyWaitsTest : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override { m_cancelled = m_acquired = 0; }

private Q_SLOTS:
    void cancelsThousandsAtOnce()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 600s));
        LockUser user(m_server.endpoint());
        startMany(user, Job);
        QElapsedTimer timer;
        timer.start();
        for (const AcquireId id : m_acquires)
            user.client->cancel(id);
        QTRY_COMPARE(m_cancelled, Many);
        qInfo("%d waits cancelled in %lld ms", Many, timer.elapsed());
        QTRY_COMPARE(subscribers(), 0);
        QVERIFY(user.client->isReady());
    }

    /// The message woke one alone; the others know of nothing but the ten minutes that the lock had before.
    void looksWhenALeaseIsOverOfWhichNobodyIsTold()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 600s));
        LockUser user(m_server.endpoint());
        const auto first = user.startAcquire({ Job, "1", 1s, {} });
        QTRY_COMPARE(subscribers(), 1);
        const auto second = user.startAcquire({ Job, "2", {}, {} });
        QVERIFY(!user.tryLock(Job, "3")); // by now both have been refused
        QVERIFY(holder.release(Job));
        QVERIFY(first->wait(5'000));
        QVERIFY(first->result->value().acquired);
        QVERIFY(second->wait(20'000));
        QVERIFY(second->result->value().acquired);
    }

    void wakesOneOfThousands()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 600s));
        LockUser user(m_server.endpoint());
        startMany(user, Job);
        QCOMPARE(subscribers(), 1);
        forgetCalls(m_server);
        QVERIFY(holder.release(Job));
        QTRY_COMPARE(m_acquired, 1);
        QVERIFY(user.tryLock({ "barrier" }));
        QCOMPARE(calls("evalsha"), 3); // the release, its waiter, the barrier
    }

    void closesWithThousandsOutstanding()
    {
        LockUser user(m_server.endpoint());
        Semaphore none(*user.client, "none");
        QVERIFY(user.waitReady());
        forgetCalls(m_server);
        for (int i = 0; i < Many; ++i)
            none.acquire(1, {}, counting());
        QTRY_COMPARE_WITH_TIMEOUT(calls("evalsha"), 2 * Many, Limit);
        QSignalSpy closed(user.client.get(), &LockClient::closed);
        user.client->close();
        QVERIFY(closed.wait(Limit));
        QTRY_COMPARE(m_cancelled, Many);
    }

    void leavesAQueueInOrderWhenClosed()
    {
        const LockTarget fair{ "fair", Kind::Fair };
        LockUser holder(m_server.endpoint());
        LockUser other(m_server.endpoint());
        LockUser user(m_server.endpoint());
        QVERIFY(holder.tryLock(fair, "1", 600s));
        constexpr int Queued = 300; // what one leaves, the server searches: close() gives up after five seconds
        QVERIFY(user.waitReady());
        for (int i = 0; i < Queued; ++i)
            user.client->acquire({ fair, std::to_string(i), {}, {} }, counting());
        QTRY_COMPARE_WITH_TIMEOUT(queueLength(), Queued, Limit);
        const auto last = other.startAcquire({ fair, "1", {}, {} });
        QTRY_COMPARE(queueLength(), Queued + 1);
        QSignalSpy closed(user.client.get(), &LockClient::closed);
        QElapsedTimer timer;
        timer.start();
        user.client->close();
        QVERIFY(closed.wait(Limit));
        qInfo("%d places of a queue left in %lld ms", Queued, timer.elapsed());
        QCOMPARE(m_cancelled, Queued);
        QCOMPARE(
            m_server.cli({ u"lrange"_s, u"redisson_lock_queue:{fair}"_s, u"0"_s, u"-1"_s }), other.owner().toLatin1());
        QCOMPARE(m_server.cli({ u"zcard"_s, u"redisson_lock_timeout:{fair}"_s }), "1");
        QVERIFY(holder.release(fair));
        QVERIFY(last->wait(10'000));
    }

    void isDestroyedWithThousandsOutstanding()
    {
        LockUser holder(m_server.endpoint());
        QVERIFY(holder.tryLock(Job, "1", 600s));
        LockUser user(m_server.endpoint());
        startMany(user, Job);
        QElapsedTimer timer;
        timer.start();
        user.client.reset();
        QVERIFY(timer.elapsed() < 5'000);
        QTRY_COMPARE(subscribers(), 0);
        QCOMPARE(m_cancelled, 0); // dropped
        QCOMPARE(m_server.cli({ u"hlen"_s, u"job"_s }), "1");
    }

private:
    LockClient::AcquireHandler counting()
    {
        return [this](const Result<AcquireOutcome> &outcome) {
            if (!outcome && outcome.error().code == ErrorCode::Cancelled)
                ++m_cancelled;
            else if (outcome && outcome->acquired)
                ++m_acquired;
        };
    }
    /// Until all sleep.
    void startMany(LockUser &user, const LockTarget &target)
    {
        m_acquires.clear();
        m_cancelled = m_acquired = 0;
        QVERIFY(user.waitReady());
        forgetCalls(m_server);
        for (int i = 0; i < Many; ++i)
            m_acquires.push_back(user.client->acquire({ target, std::to_string(i), {}, {} }, counting()));
        QTRY_COMPARE_WITH_TIMEOUT(calls("evalsha"), 2 * Many, Limit);
    }
    int queueLength() const { return m_server.cli({ u"llen"_s, u"redisson_lock_queue:{fair}"_s }).toInt(); }
    int subscribers() const
    {
        return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_lock__channel:{job}"_s }).split('\n').last().toInt();
    }
    int calls(const char *command) const { return commandCalls(m_server, command); }

    const LockTarget Job{ "job" };
    std::vector<AcquireId> m_acquires;
    int m_cancelled = 0;
    int m_acquired = 0;
};

QTEST_GUILESS_MAIN(ManyWaitsTest)
#include "tst_many_waits.moc"
