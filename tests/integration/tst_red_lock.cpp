// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/clock.h"
#include "tests/support/lossy_proxy.h"
#include "tests/support/multi_lock_user.h"

#include <QSignalSpy>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;
using namespace testsupport;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using Indexes = std::vector<std::size_t>;

class RedLockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_servers.start());
    }

    void init() { QVERIFY(m_servers.reset()); }

    void holdsAllThatAreThere()
    {
        const auto a = user();
        const auto got = a->acquire(10s, 5s);
        QCOMPARE(got->held, (Indexes{ 0, 1, 2, 3, 4 }));
        QVERIFY(*got->validity > 5s);
        QVERIFY2(*got->validity <= 10s - 100ms - 2ms, "the drift");
        QCOMPARE(m_servers.held("job"), 5);
        QVERIFY(a->release());
        QTRY_COMPARE(m_servers.held("job"), 0);
    }

    void needsAMajorityOnly_data()
    {
        QTest::addColumn<bool>("isPaused");
        QTest::newRow("two servers are gone") << false;
        QTest::newRow("two servers do not answer") << true;
    }
    void needsAMajorityOnly()
    {
        QFETCH(bool, isPaused);
        const auto a = user();
        QVERIFY(a->waitReady());
        for (const std::size_t down : { std::size_t(1), std::size_t(3) }) {
            if (isPaused)
                m_servers[down].pause();
            else
                m_servers[down].kill();
        }
        const auto got = a->acquire(60s, 20s);
        QVERIFY2(got, got ? "" : toString(got.error()).c_str());
        QCOMPARE(got->held, (Indexes{ 0, 2, 4 }));
        QVERIFY(a->release());
        for (const std::size_t up : got->held)
            QTRY_COMPARE(m_servers[up].cli({ u"exists"_s, u"job"_s }), "0");
        if (isPaused) { // what they were asked before is done, and undone
            m_servers[1].resume();
            m_servers[3].resume();
            QVERIFY(a->users[1]->tryLock({ "barrier" }) && a->users[3]->tryLock({ "barrier" }));
            QTRY_COMPARE(m_servers.held("job"), 0);
        }
    }

    void getsNothingFromAMinority()
    {
        for (const std::size_t down : { std::size_t(0), std::size_t(1), std::size_t(2) })
            m_servers[down].kill();
        const auto a = user();
        const auto failed = a->acquire(60s, std::nullopt);
        QVERIFY(!failed);
        QVERIFY(failed.error().code != ErrorCode::ReplyTimeout);
        QCOMPARE(m_servers[3].cli({ u"exists"_s, u"job"_s }), "0");
        QCOMPARE(m_servers[4].cli({ u"exists"_s, u"job"_s }), "0");
    }

    /// A program that ends with the answer would leave the slow ones locked.
    void isReleasedWhenTheSlowOnesAreToo()
    {
        const auto a = user();
        QCOMPARE(a->tryLock(60s).size(), std::size_t(5));
        m_servers[4].pause();
        const auto before = monoNow();
        const auto releasing = a->startRelease();
        for (std::size_t i = 0; i < 4; ++i)
            QVERIFY(a->users[i]->tryLock({ "barrier" })); // answered after the release on that server
        QVERIFY(!releasing->isHere() || monoNow() - before >= 1s);
        m_servers[4].resume();
        QVERIFY(releasing->wait());
        QCOMPARE(m_servers.held("job"), 0);
    }

    void isReleasedThoughASlowOneDoesNotAnswer()
    {
        const auto a = user();
        QCOMPARE(a->tryLock(60s).size(), std::size_t(5));
        m_servers[4].pause();
        const auto before = monoNow();
        QVERIFY(a->release());
        QVERIFY2(monoNow() - before < 5s, "an answer is waited for 10 s");
        m_servers[4].resume();
        QTRY_COMPARE(m_servers.held("job"), 0);
    }

    void waitsOutAnOutageOfTheMajority()
    {
        const auto holder = user();
        const auto a = user();
        QVERIFY(a->waitReady());
        QCOMPARE(holder->tryLock().size(), std::size_t(5));
        const auto waiting = a->startAcquire(60s, std::nullopt);
        QTRY_VERIFY(m_servers[0].cli({ u"pubsub"_s, u"channels"_s }).contains("redisson_lock__channel"));
        QTRY_VERIFY_WITH_TIMEOUT(m_servers[2].cli({ u"pubsub"_s, u"channels"_s }).contains("channel"), 20'000);
        for (const std::size_t down : { std::size_t(0), std::size_t(1), std::size_t(2) })
            m_servers[down].kill();
        QVERIFY2(!QTest::qWaitFor([&] { return waiting->isHere(); }, 3'000), "two are not enough");
        for (const std::size_t down : { std::size_t(0), std::size_t(1), std::size_t(2) })
            QVERIFY(m_servers[down].restart()); // the locks of the other one are gone with them
        QVERIFY(waiting->wait(60'000));
        QVERIFY2(waiting->result->has_value(),
            waiting->result->has_value() ? "" : toString(waiting->result->error()).c_str());
        QVERIFY(waiting->result->value().acquired);
    }

    void givesBackItsMinority()
    {
        const auto a = user();
        for (const std::size_t taken : { std::size_t(1), std::size_t(2), std::size_t(4) })
            m_servers[taken].cli({ u"hset"_s, u"job"_s, u"somebody:1"_s, u"1"_s });
        const auto refused = a->acquire(60s, 1s);
        QVERIFY(refused && !refused->acquired);
        QVERIFY(refused->waited >= 1s);
        QCOMPARE(m_servers.held("job"), 3);
        QVERIFY(a->tryLock().empty());
        QCOMPARE(m_servers.held("job"), 3);
    }

    void isGotByOneAtATime()
    {
        const auto a = user();
        const auto b = user();
        const auto c = user();
        QVERIFY(a->waitReady() && b->waitReady() && c->waitReady());
        TurnTaking turns({ a.get(), b.get(), c.get() }, 5);
        QVERIFY(turns.wait(60'000));
    }

    void isLostWithItsMajority()
    {
        const auto a = user({ .watchdogTimeout = 600ms });
        QSignalSpy lost(a->lock.get(), &MultiLock::lockLost);
        QCOMPARE(a->tryLock().size(), std::size_t(5));
        m_servers[0].cli({ u"del"_s, u"job"_s });
        m_servers[1].cli({ u"del"_s, u"job"_s });
        QVERIFY2(!lost.wait(900), "three are enough");
        m_servers[2].cli({ u"del"_s, u"job"_s });
        QTRY_COMPARE(lost.count(), 1);
        QCOMPARE(a->release().error().code, ErrorCode::NotHeld);
        QTRY_COMPARE(m_servers.held("job"), 0);
    }

    void releasesWhatItGotThoughTheAnswerIsLost()
    {
        LossyProxy proxy(m_servers[0].port());
        Endpoint behind = m_servers[0].endpoint();
        behind.port = proxy.port();
        MultiLockUser a(
            { behind, m_servers[1].endpoint(), m_servers[2].endpoint() }, std::vector<LockTarget>(3, Job), redLock(3));
        QCOMPARE(a.tryLock(60s).size(), std::size_t(3)); // the server knows the scripts from now on
        QVERIFY(a.release());
        QVERIFY(a.users[0]->tryLock({ "barrier" }));
        proxy.loseNextAnswer();
        QCOMPARE(a.tryLock(60s), (Indexes{ 1, 2 }));
        QVERIFY(proxy.hasLost());
        QTRY_COMPARE(m_servers[0].cli({ u"exists"_s, u"job"_s }), "0");
    }

    void keepsAnEarlierHoldOfTheThreadWhenItReleasesOnSuspicion()
    {
        RedisServer lasting({ .config = { u"appendonly yes"_s, u"appendfsync always"_s } });
        QVERIFY(lasting.start());
        MultiLockUser a({ m_servers[0].endpoint(), m_servers[1].endpoint(), lasting.endpoint() },
            std::vector<LockTarget>(3, Job), redLock(3));
        QVERIFY(a.users[2]->tryLock(Job));
        lasting.kill();
        QTRY_VERIFY(!a.users[2]->client->isReady());
        QCOMPARE(a.acquire(60s, 20s)->held, (Indexes{ 0, 1 }));
        QVERIFY(lasting.restart());
        QVERIFY(a.users[2]->waitReady());
        QVERIFY(a.users[2]->tryLock({ "barrier" }));
        QCOMPARE(lasting.cli({ u"hvals"_s, u"job"_s }), "1");
    }

private:
    std::unique_ptr<MultiLockUser> user(LockClientOptions options = {})
    {
        const std::vector<LockTarget> targets(m_servers.size(), Job);
        return std::make_unique<MultiLockUser>(m_servers.endpoints(), targets, redLock(m_servers.size()), options);
    }

    const LockTarget Job{ "job" };
    RedisServers m_servers{ 5 };
};

QTEST_GUILESS_MAIN(RedLockTest)
#include "tst_red_lock.moc"
