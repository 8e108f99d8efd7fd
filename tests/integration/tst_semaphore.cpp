// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/semaphore.h"
#include "tests/support/answer_to.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_user.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/server_test.h"

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class SemaphoreTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void countsPermits()
    {
        LockUser user(m_server.endpoint());
        Semaphore jobs(*user.client, "jobs");
        const auto trySet = [&](auto done) { jobs.trySetPermits(3, {}, done); };
        QVERIFY(answerTo<bool>(trySet).value());
        QVERIFY2(!answerTo<bool>(trySet).value(), "it exists");
        QVERIFY(acquire(jobs, 2)->acquired);
        QCOMPARE(available(jobs), 1);
        QVERIFY2(!acquire(jobs, 2)->acquired, "all or none");
        QVERIFY(answerTo<void>([&](auto done) { jobs.release(2, done); }));
        QCOMPARE(m_server.cli({ u"get"_s, u"jobs"_s }), "3");
        QVERIFY(answerTo<void>([&](auto done) { jobs.addPermits(-1, done); }));
        QCOMPARE(answerTo<std::int64_t>([&](auto done) { jobs.drainPermits(done); }).value(), 2);
        QCOMPARE(available(jobs), 0);
        QVERIFY(answerTo<bool>([&](auto done) { jobs.remove(done); }).value());
        QVERIFY(!answerTo<bool>([&](auto done) { jobs.releaseIfExists(1, done); }).value());
        QCOMPARE(m_server.cli({ u"exists"_s, u"jobs"_s }), "0");
    }

    void wakesAsManyAsThereArePermits()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        Semaphore others(*b.client, "jobs");
        std::vector<LockUser::Acquired> waiting;
        for (int i = 0; i < 10; ++i)
            waiting.push_back(start(jobs, 1));
        waitForTries(20);
        const int triesBefore = calls("evalsha");
        QCOMPARE(subscribers(), 1);
        QVERIFY(answerTo<void>([&](auto done) { others.release(3, done); }));
        const auto arrived = [&] {
            return std::count_if(waiting.begin(), waiting.end(), [](const auto &each) { return each->isHere(); });
        };
        QTRY_COMPARE(arrived(), 3);
        QCOMPARE(available(jobs), 0);
        QCOMPARE(calls("evalsha"), triesBefore + 1 + 3 + 1); // nobody else tried
        QVERIFY2(waiting.front()->isHere(), "the longest waiting first");
    }

    void aWaiterForManyStarvesNobody()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        Semaphore others(*b.client, "jobs");
        const auto many = start(jobs, 5);
        waitForTries(2);
        const auto few = start(jobs, 1);
        waitForTries(3); // the channel is known: one is enough
        QVERIFY(answerTo<void>([&](auto done) { others.release(1, done); }));
        QVERIFY2(few->wait(10'000), "it looks by itself only after 20 s");
        QVERIFY(few->result->value().acquired);
        QVERIFY(!many->isHere());
        QVERIFY(answerTo<void>([&](auto done) { others.release(5, done); }));
        QVERIFY(many->wait(10'000));
        QCOMPARE(available(jobs), 0);
    }

    void findsPermitsThatNoMessageTellsOf()
    {
        LockUser a(m_server.endpoint(), { .lookAgain = 300ms });
        Semaphore jobs(*a.client, "jobs");
        const auto waiting = start(jobs, 1);
        QTRY_VERIFY(calls("evalsha") >= 2); // it goes on looking
        m_server.cli({ u"set"_s, u"jobs"_s, u"1"_s });
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
    }

    void givesUpOnTime()
    {
        LockUser a(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        const auto outcome = acquire(jobs, 1, 200ms);
        QVERIFY(outcome && !outcome->acquired);
        QVERIFY(outcome->waited >= 200ms);
        QTRY_COMPARE(subscribers(), 0);
    }

    void givesBackWhatItGetsWhileItIsCancelled()
    {
        LockUser a(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        m_server.cli({ u"set"_s, u"jobs"_s, u"3"_s });
        QVERIFY(a.waitReady());
        const auto cancelled = start(jobs, 2);
        a.client->cancel(m_lastAcquire);
        QVERIFY(cancelled->wait());
        QCOMPARE(cancelled->result->error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(calls("incrby"), 1);
        QCOMPARE(available(jobs), 3);
    }

    void saysThatPermitsMayHaveBeenTakenWhenAnAnswerIsLost()
    {
        LossyProxy proxy(m_server.port());
        Endpoint endpoint = m_server.endpoint();
        endpoint.port = proxy.port();
        LockUser a(endpoint);
        Semaphore jobs(*a.client, "jobs");
        m_server.cli({ u"set"_s, u"jobs"_s, u"3"_s });
        QVERIFY(acquire(jobs, 1)->acquired); // the server knows the script from now on
        proxy.loseNextAnswer();
        const auto lost = acquire(jobs, 1, 10s);
        QVERIFY(!lost);
        QVERIFY2(lost.error().message.find("may have succeeded") != std::string::npos, lost.error().message.c_str());
        QCOMPARE(m_server.cli({ u"get"_s, u"jobs"_s }), "1");
        QVERIFY(a.waitReady());
        QVERIFY(answerTo<void>([&](auto done) { jobs.release(1, done); }));
        proxy.loseNextAnswer();
        const auto released = answerTo<void>([&](auto done) { jobs.release(1, done); });
        QVERIFY2(!released && toString(released.error()).find("may have been carried out") != std::string::npos,
            "not sent again: it would count twice");
        QCOMPARE(m_server.cli({ u"get"_s, u"jobs"_s }), "3");
    }

    void releasesWhenSomebodyIsBack()
    {
        LockUser a(m_server.endpoint());
        Semaphore jobs(*a.client, "jobs");
        QVERIFY(a.waitReady());
        m_server.kill();
        QTRY_VERIFY(!a.client->isReady());
        QVERIFY2(!answerTo<std::int64_t>([&](auto done) { jobs.availablePermits(done); }), "told at once");
        const auto released = startCall<void>([&](auto done) { jobs.release(4, done); });
        QVERIFY(m_server.restart());
        QVERIFY(released->wait());
        QVERIFY2(*released->result, "its permits would be lost");
        QCOMPARE(m_server.cli({ u"get"_s, u"jobs"_s }), "4");
    }

private:
    LockUser::Acquired start(Semaphore &semaphore, std::int64_t permits, std::optional<Millis> wait = std::nullopt)
    {
        return startCall<AcquireOutcome>([&](auto done) { m_lastAcquire = semaphore.acquire(permits, wait, done); });
    }
    Result<AcquireOutcome> acquire(Semaphore &semaphore, std::int64_t permits, Millis wait = 0ms)
    {
        return answerTo<AcquireOutcome>([&](auto done) { semaphore.acquire(permits, wait, done); });
    }
    static int available(Semaphore &semaphore)
    {
        const auto count = answerTo<std::int64_t>([&](auto done) { semaphore.availablePermits(done); });
        return static_cast<int>(count.value_or(-1));
    }
    int subscribers() const
    {
        return m_server.cli({ u"pubsub"_s, u"numsub"_s, u"redisson_sc:{jobs}"_s }).split('\n').last().toInt();
    }
    int calls(const char *command) const { return commandCalls(m_server, command); }
    /// There are more where the machine stood still, and a try came too late.
    void waitForTries(int number) const { QTRY_VERIFY(calls("evalsha") >= number); }

    AcquireId m_lastAcquire{};
};

QTEST_GUILESS_MAIN(SemaphoreTest)
#include "tst_semaphore.moc"
