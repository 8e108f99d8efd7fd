// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/connection_trial.h"
#include "tests/integration/program.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_cluster.h"

#include <algorithm>
#include <numeric>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::transport;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

/// Somebody who waits in a cluster.
class Listener {
public:
    Listener(const RedisServer &node, const std::string &channel)
    {
        m_process.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), node.socketPath(), QStringLiteral("SSUBSCRIBE"), QString::fromStdString(channel) });
    }
    ~Listener()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

} // namespace

/// What is said of a cluster as a whole. The slot that takes a master away comes last.
class TestClusterStatus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_cluster.start());
        for (int master = 0; master < RedisCluster::Masters; ++master) {
            m_names.push_back(m_cluster.nameAt(master, "held"));
            m_cluster.run(master, { "HSET", m_names.back(), OwnerA.toStdString(), "1" });
            m_cluster.run(master, { "PEXPIRE", m_names.back(), "600000" });
        }
    }

    void testsEveryMaster()
    {
        const auto report = tried(m_cluster.deployment(), Limit);
        QVERIFY(report);
        QCOMPARE(report->servers.size(), std::size_t{ 3 });
        QVERIFY(std::ranges::none_of(report->servers, [](const ServerAnswer &each) { return each.error.has_value(); }));
        QCOMPARE(std::accumulate(report->servers.begin(), report->servers.end(), 0,
                     [](int sum, const ServerAnswer &each) { return sum + each.slots; }),
            16'384);
        QVERIFY(report->missing.empty() && report->readOnlyScripts && report->clientTracking && report->pubSub);
    }

    void oneLineGivesAPoorUserAllThatItNeeds()
    {
        Deployment deployment = m_cluster.deployment();
        for (Endpoint &seed : deployment.seeds) {
            seed.user = "poor";
            seed.password = "secret";
        }
        tellAll(words("ACL SETUSER poor reset on >secret"));
        MonitorWatch watch(deployment);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.status().aclLine.empty(), Limit);
        QVERIFY(!watch.isLive());
        const auto line = watch.status().aclLine;
        const auto report = tried(deployment, Limit);
        QVERIFY(report);
        QCOMPARE(report->aclLine, line);
        for (const char *command : { "ls", "watch" }) {
            const auto told = lockctl(QStringLiteral("redis-cluster://poor:secret@") + address(), command);
            QVERIFY2(told.err.contains(line.c_str()), told.err.constData());
            QCOMPARE(told.status, 3);
        }
        tellAll(words(line.c_str()));
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && watch.lock(m_names.at(1)), Limit);
        const Listener listener(m_cluster.node(1), "redisson_lock__channel:{" + m_names.at(1) + '}');
        MonitorWatch then(deployment);
        QTRY_VERIFY_WITH_TIMEOUT(then.lock(m_names.at(1)) && then.lock(m_names.at(1))->subscribers == 1, Limit);
        QVERIFY2(lacksNothing(then), line.c_str());
        // And taken away again, it is missed.
        tellAll(words("ACL SETUSER poor -cluster|slots"));
        QTRY_VERIFY_WITH_TIMEOUT(then.saysMissing(Right::ClusterSlots), Limit);
        tellAll(words("ACL SETUSER poor +cluster|slots"));
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(then), Limit);
    }

    void takesNoNodeForTheWhole()
    {
        MonitorWatch watch(m_cluster.node(1).endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive() && watch.lock(m_names.at(1)), Limit);
        QVERIFY(!watch.lock(m_names.at(0)));
        QCOMPARE(watch.status().feedReason.partOfCluster, m_cluster.node(1).endpoint().display());
        const auto list = lockctl(QStringLiteral("redis://") + address(), "ls");
        QVERIFY2(list.err.contains("a node of a cluster"), list.err.constData());
        QVERIFY(list.out.contains(m_names.at(1).c_str()));
        const auto whole = lockctl(QStringLiteral("redis-cluster://") + address(), "ls");
        QVERIFY2(whole.err.isEmpty(), whole.err.constData());
    }

    void isStaleWhileTheClusterIsDown()
    {
        MonitorWatch watch(m_cluster.deployment());
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch) && watch.lock(m_names.at(1)), Limit);
        m_cluster.node(0).pause();
        for (const std::string &name : m_names)
            QTRY_VERIFY_WITH_TIMEOUT(staleSince(*watch.service.latest(), *watch.lock(name)), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(watch.status().error && watch.status().error->code == ErrorCode::ClusterBusy, Limit);
        QCOMPARE(watch.status().phase, SourcePhase::Stale);
        const auto list = lockctl(QStringLiteral("redis-cluster://") + address(), "ls");
        QVERIFY2(list.err.contains("CLUSTERDOWN"), list.err.constData());
        QCOMPARE(list.status, 3);
        m_cluster.node(0).resume();
        QTRY_VERIFY_WITH_TIMEOUT(lacksNothing(watch), Limit);
        for (const std::string &name : m_names)
            QVERIFY(watch.lock(name) && !staleSince(*watch.service.latest(), *watch.lock(name)));
        QVERIFY(!watch.status().error);
    }

private:
    static bool lacksNothing(const MonitorWatch &watch)
    {
        return watch.isLive() && watch.status().missingRights.empty() && watch.status().aclLine.empty()
            && watch.status().feed == Feed::ClientTracking && watch.status().lastSweep
            && watch.service.latest()->nodes.size() == RedisCluster::Masters;
    }
    void tellAll(const QStringList &command)
    {
        for (int master = 0; master < RedisCluster::Masters; ++master)
            m_cluster.node(master).cli(command);
    }
    QString address() { return QStringLiteral("127.0.0.1:%1").arg(m_cluster.node(1).port()); }
    static Ending lockctl(const QString &url, const char *command)
    {
        return testsupport::run(QStringLiteral(LOCKCTL), { QStringLiteral("--url"), url, QLatin1String(command) });
    }

    RedisCluster m_cluster;
    std::vector<std::string> m_names; // one lock held on each master
};

QTEST_GUILESS_MAIN(TestClusterStatus)
#include "tst_cluster_status.moc"
