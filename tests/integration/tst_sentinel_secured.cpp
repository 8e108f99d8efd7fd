// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/sentinel_setup.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

RedisServerOptions secured()
{
    RedisServerOptions options;
    options.tls = true;
    options.users = { QStringLiteral("looker on >pw ~* &redisson_* &__redis__:invalidate -@all +@read +@connection "
                                     "-@dangerous +subscribe +psubscribe +unsubscribe +punsubscribe +pubsub +info "
                                     "+time +eval_ro +evalsha_ro"),
        QStringLiteral("worker on >pw ~* &* +@all") };
    return options;
}

} // namespace

/// Sentinels and servers that speak TLS and know their users.
class TestSentinelSecured : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_setup.start());
        m_setup.sentinel(0).cli(words("ACL SETUSER looker on >pw -@all"));
        m_setup.sentinel(0).cli(words("ACL SETUSER worker on >pw -@all"));
        m_setup.sentinel(0).cli(
            words("ACL SETUSER worker +sentinel|get-master-addr-by-name +subscribe &+switch-master"));
    }

    void saysWhatTheSentinelsRefuse()
    {
        const auto line = words("ACL SETUSER looker +sentinel|get-master-addr-by-name +subscribe &+switch-master");
        MonitorWatch watch(deployment("looker"));
        QTRY_VERIFY_WITH_TIMEOUT(watch.saysMissing(Right::SentinelMaster), Limit);
        QCOMPARE(watch.status().phase, SourcePhase::Failed);
        QCOMPARE(watch.status().error->code, ErrorCode::PermissionDenied);
        QCOMPARE(words(watch.status().aclLine.c_str()), line);
        m_setup.sentinel(0).cli(line);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.status().missingRights.empty(), Limit);
        QVERIFY(watch.status().aclLine.empty());
    }

    void followsAFailover()
    {
        LockUser worker(deployment("worker"));
        QVERIFY(worker.waitReady());
        const LockTarget target{ "job", Kind::Reentrant, {} };
        QVERIFY(worker.tryLock(target));
        MonitorWatch watch(deployment("looker"));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("job"), Limit);
        QVERIFY2(watch.status().missingRights.empty(), watch.status().aclLine.c_str());
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        QCOMPARE(watch.lock("job")->node, m_setup.first().tlsEndpoint().display());
        m_setup.startToFailOver();
        const auto successor = m_setup.second().tlsEndpoint().display();
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock("job") && watch.lock("job")->node == successor, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(worker.client->isReady(), Limit);
        QVERIFY(worker.release(target));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("job"), Limit);
        QVERIFY(watch.status().missingRights.empty());
    }

    void isRefusedWithoutTheAuthority()
    {
        auto stranger = deployment("looker");
        stranger.seeds.front().tls.caFile.clear();
        MonitorWatch watch(stranger);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().phase, SourcePhase::Failed, Limit);
        QCOMPARE(watch.status().error->code, ErrorCode::CertificateRejected);
    }

private:
    Deployment deployment(const char *user) const
    {
        auto deployment = m_setup.deployment();
        deployment.sentinelUser = user;
        deployment.sentinelPassword = "pw";
        for (Endpoint &seed : deployment.seeds) {
            seed.user = user;
            seed.password = "pw";
        }
        return deployment;
    }

    SentinelSetup m_setup{ 1, secured() };
};

QTEST_GUILESS_MAIN(TestSentinelSecured)
#include "tst_sentinel_secured.moc"
