// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/multi_lock_user.h"

#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class MultiLockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_servers.start());
    }

    void init() { QVERIFY(m_servers.reset()); }

    void takesLocksOfAllKindsAndLeavesNothingBehind()
    {
        MultiLockUser a(m_servers.endpoints(),
            { { "job", Kind::Reentrant }, { "job", Kind::Fair }, { "job", Kind::ReadWrite, HoldMode::Write } });
        const auto got = a.acquire(std::nullopt, std::nullopt);
        QVERIFY2(got && got->acquired, got ? "" : toString(got.error()).c_str());
        QCOMPARE(got->held, (std::vector<std::size_t>{ 0, 1, 2 }));
        QVERIFY(!got->validity);
        QCOMPARE(m_servers[0].cli({ u"hget"_s, u"job"_s, a.users[0]->owner() }), "1");
        QCOMPARE(m_servers[1].cli({ u"hget"_s, u"job"_s, a.users[1]->owner() }), "1");
        QCOMPARE(m_servers[2].cli({ u"hget"_s, u"job"_s, a.users[2]->owner() + u":write"_s }), "1");
        QVERIFY(a.release());
        for (std::size_t i = 0; i < 3; ++i)
            QTRY_COMPARE(m_servers[i].cli({ u"dbsize"_s }), "0");
        QCOMPARE(a.release().error().code, ErrorCode::NotHeld);
    }

    void getsNoneWhenOneIsTaken()
    {
        LockUser other(m_servers[2].endpoint());
        QVERIFY(other.tryLock(Job));
        MultiLockUser a(m_servers.endpoints(), Jobs);
        const auto refused = a.acquire(std::nullopt, 0ms);
        QVERIFY(refused && !refused->acquired);
        QCOMPARE(m_servers.held("job"), 1);
        const auto late = a.acquire(60s, 300ms);
        QVERIFY(late && !late->acquired && late->waited >= 300ms);
        QCOMPARE(m_servers.held("job"), 1);
    }

    void waitsForTheOneThatIsTaken()
    {
        LockUser other(m_servers[2].endpoint());
        QVERIFY(other.tryLock(Job));
        MultiLockUser a(m_servers.endpoints(), Jobs);
        const auto waiting = a.startAcquire(std::nullopt, std::nullopt);
        QVERIFY(QTest::qWaitFor([this] { return m_servers.held("job") == 3; }));
        QVERIFY(other.release(Job));
        QVERIFY(waiting->wait(8'000)); // the lease would let it wait for 30 s
        QVERIFY(waiting->result->value().acquired);
    }

    void setsTheRealLeaseOnTheLocksAlone()
    {
        MultiLockUser a(m_servers.endpoints(), { Job, { "job", Kind::Fair }, { "job", Kind::Fenced } });
        LockUser waiter(m_servers[1].endpoint());
        LockUser other(m_servers[2].endpoint());
        QVERIFY(other.tryLock({ "job", Kind::Fenced }));
        const auto waiting = a.startAcquire(60s, 15s);
        QTRY_COMPARE(m_servers.held("job"), 3);
        QVERIFY2(ttl(0) < 20'000, "a lease for the round");
        waiter.startAcquire({ { "job", Kind::Fair }, "1", {}, {} });
        QTRY_COMPARE(m_servers[1].cli({ u"llen"_s, u"redisson_lock_queue:{job}"_s }), "1");
        QVERIFY(other.release({ "job", Kind::Fenced }));
        QVERIFY(waiting->wait());
        QVERIFY(waiting->result->value().acquired);
        QVERIFY(*waiting->result->value().validity > 50s && *waiting->result->value().validity <= 60s - 602ms);
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY2(ttl(i) > 50'000 && ttl(i) <= 60'000, QByteArray::number(ttl(i)).constData());
        QCOMPARE(m_servers[1].cli({ u"pttl"_s, u"redisson_lock_queue:{job}"_s }), "-1");
        QCOMPARE(m_servers[1].cli({ u"pttl"_s, u"redisson_lock_timeout:{job}"_s }), "-1");
        QCOMPARE(m_servers[2].cli({ u"pttl"_s, u"redisson_lock_token:{job}"_s }), "-1");
    }

    void doesNotLockUpWhenTheOrderIsCrossed()
    {
        const std::vector<Endpoint> servers{ m_servers[0].endpoint(), m_servers[0].endpoint() };
        MultiLockUser a(servers, { { "first" }, { "second" } });
        MultiLockUser b(servers, { { "second" }, { "first" } });
        QVERIFY(a.waitReady() && b.waitReady());
        TurnTaking turns({ &a, &b }, 4);
        QVERIFY(turns.wait(60'000));
    }

    void cleansUpWhenCancelled()
    {
        LockUser other(m_servers[2].endpoint());
        QVERIFY(other.tryLock(Job));
        MultiLockUser a(m_servers.endpoints(), Jobs);
        const auto waiting = a.startAcquire(std::nullopt, std::nullopt);
        QTRY_COMPARE(m_servers.held("job"), 3);
        a.lock->cancel(a.lastAcquire);
        QVERIFY(!waiting->isHere()); // never from inside the call
        QVERIFY(waiting->wait());
        QCOMPARE(waiting->result->error().code, ErrorCode::Cancelled);
        QCOMPARE(m_servers.held("job"), 1);
        QVERIFY(other.release(Job));
        QTRY_COMPARE(m_servers.held("job"), 0);
    }

    void leavesNothingOfAWaitWhenDestroyed()
    {
        LockUser other(m_servers[2].endpoint());
        QVERIFY(other.tryLock(Job));
        MultiLockUser a(m_servers.endpoints(), Jobs);
        const auto waiting = a.startAcquire(std::nullopt, std::nullopt);
        QTRY_COMPARE(m_servers.held("job"), 3);
        a.lock.reset();
        QTRY_COMPARE(m_servers.held("job"), 1);
        QVERIFY(!waiting->isHere());
    }

    void tellsOnceWhenAMemberIsLost()
    {
        MultiLockUser a(m_servers.endpoints(), Jobs, {}, { .watchdogTimeout = 600ms });
        QSignalSpy lost(a.lock.get(), &MultiLock::lockLost);
        QCOMPARE(a.acquire(std::nullopt, 0ms, "7")->held.size(), std::size_t(3));
        QVERIFY2(!lost.wait(900), "renewed");
        m_servers[1].cli({ u"del"_s, u"job"_s });
        QTRY_COMPARE(lost.count(), 1);
        QCOMPARE(lost.first().at(0).value<std::string>(), std::string("7"));
        m_servers[2].cli({ u"del"_s, u"job"_s });
        QVERIFY2(!lost.wait(500), "once");
        const auto done = a.release("7");
        QCOMPARE(done.error().code, ErrorCode::NotHeld);
        QTRY_COMPARE(m_servers.held("job"), 0);
    }

    void canBeTakenAgainByItsThread()
    {
        MultiLockUser a(m_servers.endpoints(), Jobs);
        QCOMPARE(a.tryLock().size(), std::size_t(3));
        QCOMPARE(a.tryLock(60s).size(), std::size_t(3));
        QCOMPARE(m_servers[2].cli({ u"hvals"_s, u"job"_s }), "2");
        QVERIFY(a.release());
        QCOMPARE(m_servers.held("job"), 3);
        QVERIFY(a.release());
        QTRY_COMPARE(m_servers.held("job"), 0);
    }

    void saysWhatIsWrongAndGivesBackTheRest()
    {
        m_servers[1].cli({ u"set"_s, u"job"_s, u"text"_s });
        MultiLockUser a(m_servers.endpoints(), Jobs);
        const auto failed = a.acquire(std::nullopt, std::nullopt);
        QCOMPARE(failed.error().code, ErrorCode::WrongType);
        QVERIFY2(toString(failed.error()).find("job") != std::string::npos, toString(failed.error()).c_str());
        QCOMPARE(m_servers[1].cli({ u"get"_s, u"job"_s }), "text");
        QCOMPARE(m_servers.held("job"), 1);
    }

    void failsWhenAServerIsDown()
    {
        m_servers[1].kill();
        MultiLockUser a(m_servers.endpoints(), Jobs);
        const auto failed = a.acquire(std::nullopt, std::nullopt);
        QVERIFY(!failed);
        QVERIFY(failed.error().code != ErrorCode::ReplyTimeout);
        QTRY_COMPARE(m_servers.held("job", 1), 0);
    }

    void refusesNonsense()
    {
        MultiLockUser a(m_servers.endpoints(), Jobs);
        MultiLock none({});
        MultiLock tooMany({ { a.users[0]->client.get(), Job } }, { .required = 2 });
        const auto code = [](MultiLock &lock, std::optional<Millis> lease, std::optional<Millis> wait,
                              const std::string &thread = "1") {
            std::optional<ErrorCode> told;
            lock.acquire(thread, lease, wait, [&](const Result<MultiLockOutcome> &outcome) {
                told = outcome ? ErrorCode::Cancelled : outcome.error().code;
            });
            [&] { QTRY_VERIFY(told); }();
            return *told;
        };
        QCOMPARE(code(none, {}, 0ms), ErrorCode::InvalidArgument);
        QCOMPARE(code(tooMany, {}, 0ms), ErrorCode::InvalidArgument);
        QCOMPARE(code(*a.lock, 2ms, 0ms), ErrorCode::InvalidArgument);
        QCOMPARE(code(*a.lock, 0ms, 0ms), ErrorCode::InvalidArgument);
        QCOMPARE(code(*a.lock, Millis::max(), {}), ErrorCode::InvalidArgument);
        QCOMPARE(code(*a.lock, {}, -1ms), ErrorCode::InvalidArgument);
        QCOMPARE(code(*a.lock, {}, Millis::max()), ErrorCode::InvalidArgument);
        QCOMPARE(code(*a.lock, {}, 0ms, "main"), ErrorCode::InvalidArgument);
    }

private:
    int ttl(std::size_t server) { return m_servers[server].cli({ u"pttl"_s, u"job"_s }).toInt(); }

    const LockTarget Job{ "job" };
    const std::vector<LockTarget> Jobs{ Job, Job, Job };
    RedisServers m_servers{ 3 };
};

QTEST_GUILESS_MAIN(MultiLockTest)
#include "tst_multi_lock.moc"
