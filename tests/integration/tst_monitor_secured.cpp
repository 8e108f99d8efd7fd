// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_user.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_cluster.h"

#include <QTest>

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
                                     "-@dangerous +subscribe +psubscribe +ssubscribe +unsubscribe +punsubscribe "
                                     "+sunsubscribe +pubsub +info +time +eval_ro +evalsha_ro +cluster|slots "
                                     "+asking"),
        QStringLiteral("worker on >pw ~* &* +@all") };
    return options;
}

Deployment as(const char *user, Deployment deployment)
{
    for (Endpoint &seed : deployment.seeds) {
        seed.user = user;
        seed.password = "pw";
    }
    return deployment;
}

/// Servers that know nothing of each other, each with an authority of its own.
Deployment independent(const std::vector<std::unique_ptr<RedisServer>> &servers)
{
    Deployment deployment;
    deployment.topology = Topology::Nodes;
    for (const auto &server : servers)
        deployment.seeds.push_back(server->tlsEndpoint());
    return deployment;
}

bool isWatchedByLooker(const RedisServer &server)
{
    return server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).contains("user=looker");
}

} // namespace

/// What is seen of several servers that all speak TLS and know their users.
class TestMonitorSecured : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void seesTheLocksOfEachMasterOfACluster()
    {
        RedisCluster cluster(0, secured());
        QVERIFY(cluster.start());
        LockUser worker(as("worker", cluster.deployment()));
        QVERIFY(worker.waitReady());
        Deployment first = as("looker", cluster.deployment());
        first.seeds.resize(1); // the others are found by their TLS ports
        MonitorWatch watch(first);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QVERIFY2(watch.status().missingRights.empty(), watch.status().aclLine.c_str());
        QCOMPARE(watch.status().feed, Feed::ClientTracking);
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            const LockTarget target{ cluster.nameAt(master, "secured"), Kind::Reentrant, {} };
            QVERIFY(worker.tryLock(target));
            QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf(target.name), cluster.node(master).tlsEndpoint().display(), Limit);
            MonitorWatch late(first);
            QTRY_VERIFY_WITH_TIMEOUT(late.isLiveAndSwept() && late.lock(target.name), Limit);
            QVERIFY(isWatchedByLooker(cluster.node(master)));
            QVERIFY(worker.release(target));
            QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(target.name) && !late.lock(target.name), Limit);
        }
    }

    void joinsIndependentServers()
    {
        std::vector<std::unique_ptr<RedisServer>> servers;
        std::vector<std::unique_ptr<LockUser>> workers;
        for (int i = 0; i < 3; ++i) {
            servers.push_back(std::make_unique<RedisServer>(secured()));
            QVERIFY(servers.back()->start());
        }
        const Deployment all = independent(servers);
        const LockTarget target{ "shared", Kind::Reentrant, {} };
        for (const Endpoint &seed : as("worker", all).seeds) {
            workers.push_back(std::make_unique<LockUser>(seed));
            QVERIFY(workers.back()->waitReady());
            QVERIFY(workers.back()->tryLock(target));
        }
        MonitorWatch watch(as("looker", all));
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && watch.lock("shared"), Limit);
        QVERIFY2(watch.status().missingRights.empty(), watch.status().aclLine.c_str());
        QCOMPARE(watch.lock("shared")->members.size(), servers.size());
        for (const auto &server : servers)
            QVERIFY(isWatchedByLooker(*server));
        for (std::size_t i = 0; i < servers.size(); ++i) {
            QVERIFY(watch.lock("shared"));
            QVERIFY(workers[i]->release(target));
            const auto name = servers[i]->tlsEndpoint().display();
            QTRY_VERIFY_WITH_TIMEOUT(!isHeldAt(watch, name), Limit);
        }
        QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("shared"), Limit);
    }

private:
    static bool isHeldAt(const MonitorWatch &watch, const std::string &node)
    {
        const auto lock = watch.lock("shared");
        return lock && std::ranges::any_of(lock->members, [&](const auto &member) {
            return member->node == node && !member->holders.empty();
        });
    }
};

QTEST_GUILESS_MAIN(TestMonitorSecured)
#include "tst_monitor_secured.moc"
