// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/names.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/transport/clock.h"
#include "tests/support/lock_user.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_cluster.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace std::chrono_literals;
using testsupport::BlockingClient;
using testsupport::LockUser;
using testsupport::MonitorWatch;
using testsupport::RedisCluster;

namespace {

constexpr int Limit = 30'000;

/// What a move or a failover must not look like: anything but renewals, with when it happened.
QByteArray storm(const MonitorWatch &watch, const std::string &name)
{
    QByteArray storm;
    for (const Event &event : watch.events) {
        if (event.lock == name && event.kind != EventKind::Renewed) {
            storm += QByteArray::number(qlonglong(event.at.time_since_epoch().count())) + ' ' + nameOf(event.kind)
                + " at " + QByteArray::fromStdString(event.node) + "; ";
        }
    }
    return storm;
}

} // namespace

/// The slots share one cluster; those that change it for good come last.
class TestMonitorCluster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        m_cluster = std::make_unique<RedisCluster>(1);
        QVERIFY(m_cluster->start());
        m_user = std::make_unique<LockUser>(m_cluster->deployment());
        QVERIFY(m_user->waitReady());
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            m_names.push_back(m_cluster->nameAt(master, "order:" + std::to_string(master) + ":"));
            QVERIFY(m_user->tryLock({ m_names.back(), Kind::Reentrant, {} }));
        }
    }
    void cleanupTestCase()
    {
        m_user.reset();
        m_cluster.reset();
    }

    void seesTheLocksOfEveryMaster();
    void countsWhoListensOnOtherNodes();
    void readsWithoutScriptsToo();
    void releasesOnTheNodeThatKeepsTheLock();
    void followsASlotThatMovesUnderASweep();
    void showsAPausedNodeAsStaleAndTheOthersLive();
    void followsAManualFailover();
    void followsAFailoverAfterACrash();

private:
    void requireFullCoverage(const char *answer) const
    {
        for (int node = 0; node < 2 * RedisCluster::Masters; ++node)
            m_cluster->run(node, { "CONFIG", "SET", "cluster-require-full-coverage", answer });
    }
    std::string address(int number) const { return m_cluster->node(number).endpoint().display(); }

    std::unique_ptr<RedisCluster> m_cluster;
    std::unique_ptr<LockUser> m_user;
    std::vector<std::string> m_names; // one lock held on each master
};

void TestMonitorCluster::seesTheLocksOfEveryMaster()
{
    MonitorWatch watch(m_cluster->deployment());
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    QTRY_COMPARE_WITH_TIMEOUT(
        watch.service.latest()->nodes.size(), std::size_t(2 * RedisCluster::Masters), Limit); // with a replica each
    const auto snapshot = watch.service.latest();
    for (int replica = RedisCluster::Masters; replica < 2 * RedisCluster::Masters; ++replica) {
        const auto *node = watch.node(address(replica));
        QVERIFY(node && node->role == NodeRole::Replica && node->replicaLag && node->slots.empty());
        QVERIFY(node->status.server.empty()); // listed only
    }
    int slots = 0;
    for (const NodeStatus &node : snapshot->nodes) {
        if (node.role == NodeRole::Replica)
            continue;
        QCOMPARE(node.role, NodeRole::Master);
        QCOMPARE(node.status.feed, Feed::ClientTracking);
        for (const SlotSpan &span : node.slots)
            slots += span.last - span.first + 1;
    }
    QCOMPARE(slots, 16'384);
    for (int master = 0; master < RedisCluster::Masters; ++master) {
        const auto lock = watch.lock(m_names.at(static_cast<std::size_t>(master)));
        QVERIFY(lock);
        QCOMPARE(lock->node, address(master));
        QCOMPARE(lock->slot, m_cluster->slotOf(lock->name));
    }
    const std::string late = m_cluster->nameAt(2, "late");
    QVERIFY(m_user->tryLock({ late, Kind::Reentrant, {} }));
    QTRY_COMPARE_WITH_TIMEOUT(watch.kinds(late), std::vector{ EventKind::Acquired }, Limit);
    QVERIFY(m_user->release({ late, Kind::Reentrant, {} }));
    QTRY_COMPARE_WITH_TIMEOUT(watch.kinds(late), (std::vector{ EventKind::Acquired, EventKind::Released }), Limit);
}

/// A message reaches every node of a cluster, and a client may listen on any of them, or on a replica.
void TestMonitorCluster::countsWhoListensOnOtherNodes()
{
    constexpr int Other = 1;
    constexpr int Replica = RedisCluster::Masters; // of the first master
    const std::string name = m_cluster->nameAt(0, "queue");
    std::vector<OwnerId> owners;
    for (int thread = 1; thread <= 5; ++thread)
        owners.push_back({ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", std::to_string(thread) });
    m_cluster->run(0, { "HSET", name, toString(owners[4]), "1" });
    m_cluster->run(0, { "PEXPIRE", name, "600000" });
    std::vector<std::unique_ptr<BlockingClient>> listeners;
    const auto listen = [&](int node, const char *command, const std::string &channel) {
        listeners.push_back(std::make_unique<BlockingClient>(m_cluster->node(node).socketPath().toStdString()));
        QVERIFY(!listeners.back()->run({ command, channel }).isError());
    };
    listen(Other, "SUBSCRIBE", key_layout::fairChannel(name, owners[0]));
    listen(Replica, "SUBSCRIBE", key_layout::fairChannel(name, owners[1]));
    listen(Replica, "SSUBSCRIBE", key_layout::fairChannel(name, owners[2]));
    listen(Other, "SUBSCRIBE", key_layout::lockChannel(m_names[0]));
    for (std::size_t i = 0; i < 4; ++i) { // nobody listens for the last
        m_cluster->run(0, { "RPUSH", key_layout::fairQueue(name), toString(owners[i]) });
        m_cluster->run(0, { "ZADD", key_layout::fairTimeouts(name), "9999999999999", toString(owners[i]) });
    }
    MonitorWatch watch(m_cluster->deployment());
    const auto listens = [&] {
        std::vector<std::optional<bool>> all;
        if (const auto lock = watch.lock(name)) {
            for (const Waiter &waiter : lock->waiters)
                all.push_back(waiter.subscribed);
        }
        return all;
    };
    using Expected = std::vector<std::optional<bool>>;
    QTRY_COMPARE_WITH_TIMEOUT(listens(), (Expected{ true, true, true, false }), Limit);
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock(m_names[0])->subscribers, std::optional<std::int64_t>(1), Limit);
    const auto isCalledDead = [&](const OwnerId &owner) {
        const auto analysis = watch.service.latest()->analysis;
        return analysis && std::ranges::any_of(suspectsOf(*analysis, name), [&](const Suspect &suspect) {
            return suspect.kind == SuspectKind::DeadWaiter && suspect.subject == toString(owner);
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isCalledDead(owners[3]), Limit);
    QVERIFY(!isCalledDead(owners[0]) && !isCalledDead(owners[1]) && !isCalledDead(owners[2]));

    m_cluster->node(Replica).pause(); // who listens there cannot be said
    QTRY_COMPARE_WITH_TIMEOUT(listens(), (Expected{ true, {}, {}, {} }), Limit);
    QTRY_VERIFY_WITH_TIMEOUT(!isCalledDead(owners[3]), Limit);
    m_cluster->node(Replica).resume();
    QTRY_COMPARE_WITH_TIMEOUT(listens(), (Expected{ true, true, true, false }), Limit);
    m_cluster->run(0, { "DEL", name, key_layout::fairQueue(name), key_layout::fairTimeouts(name) });
}

void TestMonitorCluster::readsWithoutScriptsToo()
{
    for (int master = 0; master < RedisCluster::Masters; ++master) {
        m_cluster->run(
            master, { "ACL", "SETUSER", "plain", "on", ">pw", "~*", "&*", "+@all", "-eval_ro", "-evalsha_ro" });
    }
    Deployment deployment = m_cluster->deployment();
    for (Endpoint &seed : deployment.seeds) {
        seed.user = "plain";
        seed.password = "pw";
    }
    MonitorWatch watch(deployment);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    for (const std::string &name : m_names)
        QVERIFY(watch.lock(name));
    QVERIFY(!watch.status().lastSweep->byScript);
    QVERIFY(!watch.status().missingRights.empty());
}

void TestMonitorCluster::releasesOnTheNodeThatKeepsTheLock()
{
    const LockTarget target{ m_cluster->nameAt(1, "stuck"), Kind::Reentrant, {} };
    QVERIFY(m_user->tryLock(target));
    LockUser waiter(m_cluster->deployment());
    QVERIFY(waiter.waitReady());
    const auto waits = waiter.startAcquire({ target, "1", {}, {} });

    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    MonitorWatch watch(m_cluster->deployment(), options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.lock(target.name) && watch.lock(target.name)->subscribers == 1, Limit);
    watch.submit(ForceRelease{ target.name, Kind::Reentrant, { { { m_user->client->id(), "1" }, {} } }, "test" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
    QVERIFY(*watch.outcome && (*watch.outcome)->done);
    QVERIFY(waits->wait()); // it was told, by a sharded message
    QFile audit(options.auditFile);
    QVERIFY(audit.open(QIODevice::ReadOnly));
    QVERIFY(audit.readAll().contains(QByteArray::fromStdString(address(1))));
    QVERIFY(waiter.release(target));
}

void TestMonitorCluster::followsASlotThatMovesUnderASweep()
{
    const std::string &name = m_names.at(0);
    MonitorOptions options;
    options.sweepEvery = 50ms;
    MonitorWatch watch(m_cluster->deployment(), options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    const auto before = watch.lock(name);
    QVERIFY(before);
    watch.forgetEvents();
    watch.keepAnEyeOn(name);

    const int slot = m_cluster->slotOf(name);
    m_cluster->startToMove(slot, 0, 1);
    QVERIFY(m_cluster->moveKeys(slot, 0, 1));
    const auto begunHalfMoved = [&watch, halfMoved = monoNow()] {
        const auto sweep = watch.status().lastSweep;
        return sweep && sweep->finishedAt - sweep->duration > halfMoved;
    };
    QTRY_VERIFY_WITH_TIMEOUT(begunHalfMoved(), Limit); // each node was swept

    QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf(name), address(1), Limit); // it has gone ahead
    m_cluster->endMove(slot, 1);
    QVERIFY(watch.goesOn(*before));

    QVERIFY(m_cluster->move(slot, 1, 0));
    QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf(name), address(0), Limit);
    QVERIFY2(watch.missed.empty(), watch.missed.c_str());
    QCOMPARE(watch.doubled, 0);
    QCOMPARE(storm(watch, name), QByteArray());
    QVERIFY(m_user->release({ name, Kind::Reentrant, {} }));
    QTRY_VERIFY_WITH_TIMEOUT(!watch.lock(name), Limit);
    QVERIFY(m_user->tryLock({ name, Kind::Reentrant, {} }));
}

void TestMonitorCluster::showsAPausedNodeAsStaleAndTheOthersLive()
{
    requireFullCoverage("no"); // else the others refuse everything, too
    MonitorWatch watch(m_cluster->deployment());
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    QCOMPARE(m_cluster->run(4, { "CONFIG", "SET", "cluster-replica-no-failover", "yes" }).isError(), false);
    m_cluster->node(1).pause();
    QTRY_VERIFY_WITH_TIMEOUT(watch.isStale(m_names.at(1)), Limit);
    QVERIFY(!watch.isStale(m_names.at(2)));
    QCOMPARE(watch.status().phase, SourcePhase::Stale);
    const auto *node = watch.node(address(1));
    QVERIFY(node && node->status.phase == SourcePhase::Stale);
    node = watch.node(address(4)); // its replica answers; who tells of it is not heard
    QVERIFY(node && node->role == NodeRole::Replica);
    QCOMPARE(node->status, SourceStatus());
    QCOMPARE(node->replicaLag, std::nullopt);
    m_cluster->node(1).resume();
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && !watch.isStale(m_names.at(1)), Limit);
    QTRY_VERIFY_WITH_TIMEOUT(watch.told(EventKind::Gap, address(1)), Limit);
    QVERIFY(!watch.told(EventKind::Gap, address(2)));
    m_cluster->run(4, { "CONFIG", "SET", "cluster-replica-no-failover", "no" });
    requireFullCoverage("yes");
}

void TestMonitorCluster::followsAManualFailover()
{
    const std::string &name = m_names.at(2);
    MonitorWatch watch(m_cluster->deployment());
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    const auto before = watch.lock(name);
    QVERIFY(before);
    watch.forgetEvents();
    watch.keepAnEyeOn(name);
    QVERIFY(!m_cluster->run(5, { "CLUSTER", "FAILOVER" }).isError());
    QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf(name), address(5), Limit);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    QVERIFY(!watch.node(address(2)) || watch.node(address(2))->role == NodeRole::Replica);
    QVERIFY(watch.goesOn(*before));
    QTRY_VERIFY_WITH_TIMEOUT(watch.told(EventKind::Gap, address(5)), Limit);
    QVERIFY2(watch.missed.empty(), watch.missed.c_str());
    QCOMPARE(watch.doubled, 0);
    QCOMPARE(storm(watch, name), QByteArray());
}

void TestMonitorCluster::followsAFailoverAfterACrash()
{
    const std::string &name = m_names.at(0);
    LockUser waiter(m_cluster->deployment());
    QVERIFY(waiter.waitReady());
    const auto waits = waiter.startAcquire({ { name, Kind::Reentrant, {} }, "1", {}, {} });
    MonitorWatch watch(m_cluster->deployment());
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    QVERIFY(watch.lock(name));
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock(name)->subscribers, std::optional<std::int64_t>(1), Limit);
    watch.forgetEvents();
    watch.keepAnEyeOn(name);
    m_cluster->node(0).kill();
    QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf(name), address(3), Limit);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    QVERIFY(!watch.isStale(name));
    QTRY_VERIFY_WITH_TIMEOUT(watch.told(EventKind::Gap, address(3)), Limit);
    QVERIFY2(watch.missed.empty(), watch.missed.c_str());
    QCOMPARE(watch.doubled, 0);
    QCOMPARE(storm(watch, name), QByteArray());
    QTRY_VERIFY_WITH_TIMEOUT(m_user->client->isReady(), Limit);
    QVERIFY(m_user->release({ name, Kind::Reentrant, {} }));
    QVERIFY(waits->wait());
    QTRY_VERIFY_WITH_TIMEOUT(
        watch.lock(name) && watch.lock(name)->holders.at(0).owner.client == waiter.client->id(), Limit);
}

QTEST_GUILESS_MAIN(TestMonitorCluster)
#include "tst_monitor_cluster.moc"
