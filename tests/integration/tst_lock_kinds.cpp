// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/answer_to.h"
#include "tests/support/command_calls.h"
#include "tests/support/lock_user.h"
#include "tests/support/server_test.h"

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

/// What is special to a client about spin, non-reentrant, fenced and faster multi-locks.
class LockKindsTest : public ServerTest {
    Q_OBJECT

private Q_SLOTS:
    void aSpinLockAsksNowAndThenAndNeverSubscribes()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Spin));
        const auto waiting = b.startAcquire({ Spin, "1", {}, {} });
        QTRY_VERIFY(calls("evalsha") >= 15);
        QVERIFY(!waiting->isHere());
        QCOMPARE(calls("subscribe"), 0);
        QVERIFY(a.release(Spin));
        QVERIFY(waiting->wait(5'000));
        QVERIFY(waiting->result->value().acquired);
        QCOMPARE(calls("publish"), 0);
    }

    void aSpinLockIsGentle()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(Spin));
        QVERIFY(b.waitReady());
        const auto outcome = b.acquire({ Spin, "1", {}, 2'000ms });
        QVERIFY(outcome && !outcome->acquired);
        QVERIFY2(calls("evalsha") < 60, "each 64 to 128 ms, after the first few");
    }

    void aNonReentrantLockIsTakenOnce_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("plain") << int(Kind::Reentrant);
        QTest::newRow("fair") << int(Kind::Fair);
    }
    void aNonReentrantLockIsTakenOnce()
    {
        QFETCH(int, kind);
        const LockTarget once{ "once", Kind(kind), {}, LockVariant::NonReentrant };
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(once));
        QCOMPARE(a.acquire({ once, "1", {}, {} }).error().code, ErrorCode::AlreadyHeld);
        const auto waiting = b.startAcquire({ once, "1", {}, {} });
        QTRY_COMPARE(calls("subscribe"), 1);
        QCOMPARE(a.release(once).value(), ReleaseOutcome::Released);
        QVERIFY(waiting->wait(10'000));
        QVERIFY(waiting->result->value().acquired);
        QCOMPARE(m_server.cli({ u"llen"_s, u"redisson_lock_queue:{once}"_s }), "0");
    }

    void aFencedLockTellsAGrowingToken()
    {
        const LockTarget fenced{ "fenced", Kind::Fenced };
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QCOMPARE(a.acquire({ fenced, "1", {}, 0ms })->token, std::optional<std::int64_t>(1));
        QCOMPARE(a.acquire({ fenced, "1", {}, 0ms })->token, std::optional<std::int64_t>(2));
        const auto refused = b.acquire({ fenced, "1", {}, 0ms });
        QVERIFY(refused && !refused->acquired && !refused->token);
        const auto waiting = b.startAcquire({ fenced, "1", {}, {} });
        QTRY_COMPARE(calls("subscribe"), 1);
        QVERIFY(a.release(fenced));
        QVERIFY(a.release(fenced));
        QVERIFY(waiting->wait(10'000));
        QCOMPARE(waiting->result->value().token, std::optional<std::int64_t>(3));
        QCOMPARE(m_server.cli({ u"get"_s, u"redisson_lock_token:{fenced}"_s }), "3");
    }

    void aFasterMultiLockTakesValuesOfAGroup()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        QVERIFY(a.tryLock(group({ "x", "y" })));
        QVERIFY2(b.tryLock(group({ "z" })), "other values");
        QVERIFY(!b.tryLock(group({ "y", "w" })));
        const auto x = b.startAcquire({ group({ "x" }), "1", {}, {} });
        const auto y = b.startAcquire({ group({ "y" }), "2", {}, {} });
        waitUntilAsleep();
        QCOMPARE(a.release(group({ "x", "y" })).value(), ReleaseOutcome::Released);
        QVERIFY2(x->wait(10'000) && y->wait(10'000), "one message, and both can have what they want");
        QVERIFY(x->result->value().acquired && y->result->value().acquired);
        QCOMPARE(a.acquire({ group({}), "1", {}, 0ms }).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(a.acquire({ { "plain", Kind::Reentrant, {}, {}, { "v" } }, "1", {}, 0ms }).error().code,
            ErrorCode::InvalidArgument);
    }

    void tellsTheState()
    {
        LockUser a(m_server.endpoint());
        const LockTarget job{ "job", Kind::Fair };
        const auto state = [&] { return answerTo<LockReading>([&](auto done) { a.client->state(job, done); }); };
        QVERIFY(state() && state()->holders.empty());
        QVERIFY(a.tryLock(job, "7", 60s));
        const auto held = state();
        QCOMPARE(held->name, job.name);
        QVERIFY((held->holders.at(0).owner == OwnerId{ a.client->id(), "7" }));
        QVERIFY(*held->ttl > 50s);
    }

    void forcesOnlyWhatWasSeen()
    {
        LockUser a(m_server.endpoint());
        LockUser b(m_server.endpoint());
        const LockTarget job{ "job" };
        QVERIFY(a.tryLock(job, "1", 60s));
        const auto waiting = b.startAcquire({ job, "9", {}, {} });
        QTRY_COMPARE(calls("subscribe"), 1);
        const auto force = [&](const OwnerId &seen) {
            return answerTo<CommandOutcome>([&](auto done) {
                b.client->forceRelease(job, { { seen, std::nullopt } }, done);
            });
        };
        const auto wrong = force({ a.client->id(), "2" });
        QVERIFY(wrong && !wrong->done);
        QVERIFY((wrong->found.at(0).owner == OwnerId{ a.client->id(), "1" }));
        QVERIFY(!waiting->isHere());
        QVERIFY(force({ a.client->id(), "1" })->done);
        QVERIFY(waiting->wait(10'000));
        QCOMPARE(a.release(job).error().code, ErrorCode::NotHeld);
        const auto nobody = answerTo<CommandOutcome>([&](auto done) { b.client->forceRelease(job, {}, done); });
        QCOMPARE(nobody.error().code, ErrorCode::InvalidArgument);
    }

private:
    static LockTarget group(std::vector<std::string> values)
    {
        return { "group", Kind::FasterMulti, {}, {}, std::move(values) };
    }
    /// Subscribed and refused again: only a message helps.
    void waitUntilAsleep() const
    {
        QTRY_COMPARE(calls("subscribe"), 1);
        QTRY_COMPARE(calls("evalsha"), 3 + 2 * 2);
    }
    int calls(const char *command) const { return commandCalls(m_server, command); }

    const LockTarget Spin{ "spin", Kind::Reentrant, {}, LockVariant::Spin };
};

QTEST_GUILESS_MAIN(LockKindsTest)
#include "tst_lock_kinds.moc"
