// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/count_down_latch.h"
#include "lockcore/client/permit_expirable_semaphore.h"
#include "lockcore/client/semaphore.h"
#include "tests/support/answer_to.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_cluster.h"

using namespace lockcore;
using namespace lockcore::client;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

constexpr int PromptMs = 10'000; // by itself a wait looks after 20 s

/// What one waits for and another one gives.
struct Jobs {
    Semaphore semaphore;
    static constexpr const char *Channel = "redisson_sc:";

    Jobs(LockClient &client, const std::string &name)
        : semaphore(client, name)
    {
    }
    bool close() { return true; }
    auto startWait()
    {
        return startCall<AcquireOutcome>([&](auto done) { semaphore.acquire(1, {}, done); });
    }
    bool open()
    {
        return answerTo<void>([&](auto done) { semaphore.release(1, done); }).has_value();
    }
};

struct Seats {
    PermitExpirableSemaphore semaphore;
    std::vector<PermitId> held;
    static constexpr const char *Channel = "redisson_sc:";

    Seats(LockClient &client, const std::string &name)
        : semaphore(client, name)
    {
    }
    bool close()
    {
        if (!answerTo<bool>([&](auto done) { semaphore.trySetPermits(1, done); }))
            return false;
        const auto got = answerTo<PermitOutcome>([&](auto done) { semaphore.acquire(1, {}, 0ms, done); });
        held = got ? got->permits : std::vector<PermitId>();
        return held.size() == 1;
    }
    auto startWait()
    {
        return startCall<PermitOutcome>([&](auto done) { semaphore.acquire(1, {}, {}, done); });
    }
    bool open()
    {
        const auto released = answerTo<bool>([&](auto done) { semaphore.release(held, done); });
        return released && *released;
    }
};

struct Gate {
    CountDownLatch latch;
    static constexpr const char *Channel = "redisson_countdownlatch__channel__";

    Gate(LockClient &client, const std::string &name)
        : latch(client, name)
    {
    }
    bool close()
    {
        const auto set = answerTo<bool>([&](auto done) { latch.trySetCount(1, done); });
        return set && *set;
    }
    auto startWait()
    {
        return startCall<AcquireOutcome>([&](auto done) { latch.wait({}, done); });
    }
    bool open()
    {
        return answerTo<void>([&](auto done) { latch.countDown(done); }).has_value();
    }
};

} // namespace

/// Semaphores and latches where keys and channels have slots.
class CountersInClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        m_cluster = std::make_unique<RedisCluster>();
        QVERIFY(m_cluster->start());
        m_a = std::make_unique<LockUser>(m_cluster->deployment());
        m_b = std::make_unique<LockUser>(m_cluster->deployment());
        QVERIFY(m_a->waitReady() && m_b->waitReady());
    }

    void cleanupTestCase()
    {
        m_a.reset();
        m_b.reset();
        m_cluster.reset();
    }

    void areWokenByMessagesOfTheirShard_data()
    {
        QTest::addColumn<int>("master");
        for (int master = 0; master < RedisCluster::Masters; ++master)
            QTest::addRow("master %d", master) << master;
    }
    void areWokenByMessagesOfTheirShard()
    {
        QFETCH(int, master);
        wakes<Jobs>(m_cluster->nameAt(master, "jobs"), master, master);
        wakes<Seats>(m_cluster->nameAt(master, "seats"), master, master);
        wakes<Gate>(m_cluster->nameAt(master, "gate"), master, master);
    }

    void areWaitedForWhereTheirSlotWasMoved()
    {
        wakes<Jobs>(m_cluster->nameAt(0, "moved jobs"), 0, 1);
        wakes<Seats>(m_cluster->nameAt(1, "moved seats"), 1, 2);
        wakes<Gate>(m_cluster->nameAt(2, "moved gate"), 2, 0);
    }

    void areRefusedWhereTheirKeysWouldBeApart()
    {
        for (const char *name : { "a{b", "{}x", "a}b" }) {
            Semaphore semaphore(*m_a->client, name);
            const auto permits = answerTo<std::int64_t>([&](auto done) { semaphore.availablePermits(done); });
            QVERIFY(!permits && permits.error().code == ErrorCode::InvalidArgument);
        }
        CountDownLatch tagged(*m_a->client, "{tag}x");
        const auto count = answerTo<std::int64_t>([&](auto done) { tagged.count(done); });
        QVERIFY(!count && count.error().code == ErrorCode::InvalidArgument);
        QVERIFY2(m_a->tryLock({ "{tag}x" }), "the channel of a lock has no braces of its own");
    }

private:
    template <typename Counter>
    void wakes(const std::string &name, int master, int laterMaster)
    {
        Counter ours(*m_a->client, name);
        Counter theirs(*m_b->client, name);
        QVERIFY(theirs.close());
        const auto waiting = ours.startWait();
        QTRY_VERIFY_WITH_TIMEOUT(isAwaited(Counter::Channel, name, master), GenerousMs);
        if (laterMaster != master) {
            QVERIFY(m_cluster->move(m_cluster->slotOf(name), master, laterMaster));
            QTRY_VERIFY_WITH_TIMEOUT(isAwaited(Counter::Channel, name, laterMaster), GenerousMs);
        }
        settle(laterMaster);
        QVERIFY(!waiting->isHere());
        QVERIFY(theirs.open());
        QVERIFY2(waiting->wait(PromptMs), name.c_str());
        QVERIFY(*waiting->result && (*waiting->result)->acquired);
    }

    bool isAwaited(const std::string &channel, const std::string &name, int master) const
    {
        const auto found = m_cluster->run(master, { "PUBSUB", "SHARDCHANNELS", channel + '{' + name + '}' });
        return found.array() && found.array()->size() == 1;
    }

    /// The try that follows on a subscription is done after two round trips.
    void settle(int master)
    {
        for (int trip = 0; trip < 2; ++trip)
            QVERIFY(m_a->tryLock({ m_cluster->nameAt(master, "settled") }, "1", 5ms));
    }

    std::unique_ptr<RedisCluster> m_cluster;
    std::unique_ptr<LockUser> m_a;
    std::unique_ptr<LockUser> m_b;
};

QTEST_GUILESS_MAIN(CountersInClusterTest)
#include "tst_counters_in_cluster.moc"
