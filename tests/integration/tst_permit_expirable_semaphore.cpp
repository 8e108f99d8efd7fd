// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/permit_expirable_semaphore.h"
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

using Permits = PermitExpirableSemaphore;

class PermitExpirableSemaphoreTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void givesEachPermitAnId()
    {
        LockUser user(m_server.endpoint());
        Permits jobs(*user.client, "jobs");
        setPermits(jobs, 3);
        const auto got = acquire(jobs, 2, 60s);
        QVERIFY(got && got->acquired);
        QCOMPARE(got->permits.size(), std::size_t(2));
        QVERIFY(got->permits.front() != got->permits.back());
        QCOMPARE(m_server.cli({ u"zcard"_s, u"{jobs}:timeout"_s }), "2");
        QCOMPARE(count(jobs, &Permits::availablePermits), 1);
        QCOMPARE(count(jobs, &Permits::acquiredPermits), 2);
        QCOMPARE(count(jobs, &Permits::permits), 3);
        const auto refused = acquire(jobs, 2, 60s);
        QVERIFY(refused && !refused->acquired && refused->permits.empty());

        QVERIFY(release(jobs, got->permits).value());
        QVERIFY2(!release(jobs, got->permits).value(), "not held any more");
        QCOMPARE(count(jobs, &Permits::availablePermits), 3);
    }

    void keepsALeaseForEach()
    {
        LockUser user(m_server.endpoint());
        Permits jobs(*user.client, "jobs");
        setPermits(jobs, 2);
        const PermitId leased = acquire(jobs, 1, 60s)->permits.at(0);
        const PermitId kept = acquire(jobs, 1, {})->permits.at(0);
        using Lease = std::optional<Millis>;
        const auto leaseOf
            = [&](const PermitId &permit) { return answerTo<Lease>([&](auto done) { jobs.lease(permit, done); }); };
        QVERIFY(*leaseOf(leased).value() > 50s && *leaseOf(leased).value() <= 60s);
        QVERIFY(!leaseOf(kept).value());
        QVERIFY(answerTo<bool>([&](auto done) { jobs.updateLease(kept, 90s, done); }).value());
        QVERIFY(*leaseOf(kept).value() > 80s);
        QVERIFY(release(jobs, { leased }).value());
        QCOMPARE(leaseOf(leased).error().code, ErrorCode::NotHeld);
        QVERIFY(!answerTo<bool>([&](auto done) { jobs.updateLease(leased, 90s, done); }).value());
    }

    void getsThePermitOfOneThatDied()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        Permits jobs(*a.client, "jobs");
        Permits others(*b.client, "jobs");
        setPermits(jobs, 1);
        QVERIFY(acquire(jobs, 1, 800ms)->acquired);
        const auto waiting = start(others, 1, 60s);
        QVERIFY2(waiting->wait(10'000), "nobody tells that a permit has run out");
        QVERIFY(waiting->result->value().acquired);
        QVERIFY(waiting->result->value().waited >= 400ms);
    }

    void isWokenByARelease()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        Permits jobs(*a.client, "jobs");
        Permits others(*b.client, "jobs");
        setPermits(jobs, 4);
        const auto held = acquire(jobs, 4, {});
        std::vector<std::shared_ptr<Answer<PermitOutcome>>> waiting{ start(others, 3, {}), start(others, 1, {}) };
        waitForCalls("subscribe", 1);
        QVERIFY(release(jobs, { held->permits.begin(), held->permits.begin() + 1 }).value());
        QVERIFY2(waiting.back()->wait(10'000), "the one for three starves nobody");
        QVERIFY(release(jobs, { held->permits.begin() + 1, held->permits.end() }).value());
        QVERIFY(waiting.front()->wait(10'000));
        QCOMPARE(count(jobs, &Permits::availablePermits), 0);
    }

    void takesNothingTwiceThoughTheAnswerIsLost()
    {
        LossyProxy proxy(m_server.port());
        Endpoint endpoint = m_server.endpoint();
        endpoint.port = proxy.port();
        LockUser a(endpoint);
        LockUser b(m_server.endpoint());
        Permits jobs(*a.client, "jobs");
        Permits others(*b.client, "jobs");
        setPermits(others, 3);
        QVERIFY(acquire(others, 2, 1'500ms)->acquired); // the server knows the script from now on
        QVERIFY(a.waitReady());
        const auto waiting = start(jobs, 2, {});
        waitForCalls("evalsha", 4); // the set, three tries
        proxy.loseNextAnswer(); // to the try when the lease is over
        QVERIFY(waiting->wait());
        QVERIFY(waiting->result->value().acquired);
        QVERIFY(proxy.hasLost());
        QCOMPARE(count(others, &Permits::acquiredPermits), 2);
        QVERIFY(release(others, waiting->result->value().permits).value());
    }

    void givesBackWhatItGetsWhileItIsCancelled()
    {
        LockUser a(m_server.endpoint());
        Permits jobs(*a.client, "jobs");
        setPermits(jobs, 3);
        const auto cancelled = start(jobs, 2, {});
        a.client->cancel(m_lastAcquire);
        QVERIFY(cancelled->wait());
        QCOMPARE(cancelled->result->error().code, ErrorCode::Cancelled);
        QTRY_COMPARE(m_server.cli({ u"get"_s, u"jobs"_s }), "3");
        QCOMPARE(m_server.cli({ u"exists"_s, u"{jobs}:timeout"_s }), "0");
    }

    void refusesNonsense()
    {
        LockUser a(m_server.endpoint());
        Permits jobs(*a.client, "jobs");
        Permits unnamed(*a.client, "");
        const auto code = [](const auto &answer) { return answer.error().code; };
        QCOMPARE(code(acquire(unnamed, 1, {})), ErrorCode::InvalidArgument);
        QCOMPARE(code(acquire(jobs, 0, {})), ErrorCode::InvalidArgument);
        QCOMPARE(code(acquire(jobs, 1'001, {})), ErrorCode::InvalidArgument);
        QCOMPARE(code(acquire(jobs, 1, 0ms)), ErrorCode::InvalidArgument);
        QCOMPARE(code(acquire(jobs, 1, Millis::max())), ErrorCode::InvalidArgument);
        QCOMPARE(code(release(jobs, {})), ErrorCode::InvalidArgument);
        QCOMPARE(code(release(jobs, { "permit" })), ErrorCode::InvalidArgument);
        m_server.cli({ u"rpush"_s, u"jobs"_s, u"x"_s });
        QCOMPARE(code(acquire(jobs, 1, {})), ErrorCode::WrongType);
        QCOMPARE(m_server.cli({ u"lrange"_s, u"jobs"_s, u"0"_s, u"-1"_s }), "x");
    }

private:
    static void setPermits(Permits &semaphore, std::int64_t permits)
    {
        QVERIFY(answerTo<bool>([&](auto done) { semaphore.trySetPermits(permits, done); }).value());
    }
    std::shared_ptr<Answer<PermitOutcome>> start(Permits &semaphore, std::int64_t permits, std::optional<Millis> lease)
    {
        return startCall<PermitOutcome>(
            [&](auto done) { m_lastAcquire = semaphore.acquire(permits, lease, {}, done); });
    }
    static Result<PermitOutcome> acquire(Permits &semaphore, std::int64_t permits, std::optional<Millis> lease)
    {
        return answerTo<PermitOutcome>([&](auto done) { semaphore.acquire(permits, lease, 0ms, done); });
    }
    static Result<bool> release(Permits &semaphore, const std::vector<PermitId> &permits)
    {
        return answerTo<bool>([&](auto done) { semaphore.release(permits, done); });
    }
    static int count(Permits &semaphore, void (Permits::*what)(Permits::CountHandler))
    {
        return static_cast<int>(answerTo<std::int64_t>([&](auto done) { (semaphore.*what)(done); }).value_or(-1));
    }
    void waitForCalls(const char *command, int number) const { QTRY_COMPARE(commandCalls(m_server, command), number); }

    AcquireId m_lastAcquire{};
};

QTEST_GUILESS_MAIN(PermitExpirableSemaphoreTest)
#include "tst_permit_expirable_semaphore.moc"
