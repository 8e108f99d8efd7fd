// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_user.h"
#include "tests/support/redis_cluster.h"

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::transport;
using namespace testsupport;
using namespace std::chrono_literals;

/// A cluster whose nodes and clients speak TLS; every certificate is verified.
class TlsClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        m_cluster = std::make_unique<RedisCluster>(0, RedisServerOptions{ .tls = true });
        QVERIFY(m_cluster->start());
    }

    void cleanupTestCase() { m_cluster.reset(); }

    void handsOverAtEachMaster()
    {
        Deployment deployment = m_cluster->deployment();
        deployment.seeds.resize(1); // the others are found by their TLS ports
        LockUser holder(deployment);
        LockUser waiter(deployment);
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            const LockTarget target{ m_cluster->nameAt(master, "secured") };
            QVERIFY(holder.tryLock(target));
            const auto waiting = waiter.startAcquire({ target, "1", {}, {} });
            QTRY_VERIFY_WITH_TIMEOUT(isAwaited(master, target), GenerousMs);
            QVERIFY(waiter.tryLock({ m_cluster->nameAt(master, "barrier") }, "2", 5ms));
            QVERIFY(!waiting->isHere());
            QVERIFY(holder.release(target));
            QVERIFY(waiting->wait(10'000)); // the lease is longer
            QVERIFY(*waiting->result && (*waiting->result)->acquired);
            QVERIFY(waiter.release(target));
        }
    }

    void followsASlotThatWasMoved()
    {
        const LockTarget target{ m_cluster->nameAt(0, "moved") };
        LockUser user(m_cluster->deployment());
        QVERIFY(user.tryLock(target));
        QVERIFY(m_cluster->move(m_cluster->slotOf(target.name), 0, 2));
        QCOMPARE(user.release(target), Result<ReleaseOutcome>(ReleaseOutcome::Released));
    }

    void isRefusedWithoutItsAuthority()
    {
        Deployment deployment = m_cluster->deployment();
        for (Endpoint &seed : deployment.seeds)
            seed.tls.caFile.clear();
        LockUser stranger(deployment);
        const auto refused = stranger.acquire({ { "secured" }, "1", {}, {} });
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::CertificateRejected);
    }

private:
    bool isAwaited(int master, const LockTarget &target) const
    {
        const auto found
            = m_cluster->run(master, { "PUBSUB", "SHARDCHANNELS", "redisson_lock__channel:{" + target.name + '}' });
        return found.array() && found.array()->size() == 1;
    }

    std::unique_ptr<RedisCluster> m_cluster;
};

QTEST_GUILESS_MAIN(TlsClusterTest)
#include "tst_tls_cluster.moc"
