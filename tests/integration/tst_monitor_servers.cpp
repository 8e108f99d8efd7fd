// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "lockcore/service/actions/audit_reader.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/transport/clock.h"
#include "tests/support/lock_user.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_server.h"
#include "tests/support/sentinel_setup.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using testsupport::BlockingClient;
using testsupport::LockUser;
using testsupport::MonitorWatch;
using testsupport::RedisServer;
using testsupport::SentinelSetup;

namespace {

constexpr int Limit = 30'000;
const OwnerId Anna{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId Bert{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };

void take(const RedisServer &server, const std::string &name, const OwnerId &owner)
{
    BlockingClient client(server.socketPath().toStdString());
    client.run({ "HSET", name, toString(owner), "1" });
    client.run({ "PEXPIRE", name, "60000" });
}

Deployment independent(const std::vector<RedisServer *> &servers)
{
    Deployment deployment;
    deployment.topology = Topology::Nodes;
    for (const RedisServer *server : servers)
        deployment.seeds.push_back(server->endpoint());
    return deployment;
}

bool isWholeHistoryOfRenewals(const std::vector<EventKind> &kinds)
{
    return std::all_of(kinds.begin(), kinds.end(), [](EventKind kind) { return kind == EventKind::Renewed; });
}

} // namespace

class TestMonitorServers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void joinsIndependentServersToQuorums();
    void actsOnIndependentServersOnlyAsSeenOnAll();
    void tellsWhichIndependentServerWasNotAsked();
    void tellsWhichIndependentServerWasNotAskedWhenOthersFail();
    void tellsWhichIndependentServerWasNotAskedAsItsKeysWereNotLookedAt();
    void countsWhoListensOnAReplica();
    void watchesAReplicaAndLeavesItAlone();
    void speaksTlsAsAUserWithFewRights();
    void followsAFailoverBySentinel();
    void countsAWaitOnceOverFailoversBySentinel();
};

void TestMonitorServers::joinsIndependentServersToQuorums()
{
    RedisServer one;
    RedisServer two;
    RedisServer three;
    for (RedisServer *server : { &one, &two, &three })
        QVERIFY(server->start());
    for (RedisServer *server : { &one, &two, &three })
        take(*server, "red", Anna);
    take(one, "split", Anna);
    take(two, "split", Anna);
    take(three, "split", Bert);

    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    MonitorWatch watch(independent({ &one, &two, &three }), options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    QCOMPARE(watch.lock("red")->quorum, (Quorum{ 3, 0, 3 }));
    QCOMPARE(watch.lock("red")->members.size(), std::size_t(3));
    QCOMPARE(watch.lock("split")->quorum, (Quorum{ 2, 0, 3 }));
    QCOMPARE(watch.lock("split")->holders.size(), std::size_t(2));

    BlockingClient(two.socketPath().toStdString()).run({ "DEL", "red" });
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock("red")->quorum, (Quorum{ 2, 0, 3 }), Limit);

    three.kill();
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock("red")->quorum, (Quorum{ 1, 1, 3 }), Limit);
    QCOMPARE(watch.lock("split")->quorum, (Quorum{ 2, 1, 3 }));
    QCOMPARE(watch.status().phase, SourcePhase::Stale);

    watch.submit(ForceRelease{ "red", Kind::Reentrant, { { Anna, {} } }, "test" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
    QVERIFY(!*watch.outcome);
    const std::string message = watch.outcome->error().message;
    QVERIFY2(message.starts_with("done on " + one.endpoint().display() + ", not on " + three.endpoint().display()),
        message.c_str());
    QVERIFY(three.restart());
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock("split")->quorum, (Quorum{ 2, 0, 3 }), Limit);
    QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("red"), Limit);

    take(three, "split", Bert);
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock("split")->holders.size(), std::size_t(2), Limit);
    watch.submit(ForceRelease{ "split", Kind::Reentrant, { { Anna, {} }, { Bert, {} } }, "test" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
    QVERIFY(*watch.outcome && (*watch.outcome)->done); // each was told of the holder that was seen there
    QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("split"), Limit);
}

void TestMonitorServers::actsOnIndependentServersOnlyAsSeenOnAll()
{
    RedisServer one;
    RedisServer two;
    QVERIFY(one.start() && two.start());
    take(one, "red", Anna);
    take(two, "red", Anna);
    take(one, "split", Anna);
    take(two, "split", Bert);
    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    const Deployment both = independent({ &one, &two });
    MonitorWatch watch(both, options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    const auto refuses = [&](AdminCommand command, const std::vector<std::string> &named) {
        watch.submit(std::move(command));
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QVERIFY(!*watch.outcome);
        QCOMPARE(watch.outcome->error().code, ErrorCode::HolderChanged);
        const std::string message = watch.outcome->error().message;
        for (const std::string &name : named)
            QVERIFY2(message.find(name) != std::string::npos, message.c_str());
        for (const RedisServer *server : { &one, &two })
            QCOMPARE(server->cli({ QStringLiteral("EXISTS"), QStringLiteral("red"), QStringLiteral("split") }), "2");
    };
    const ExpectedHolder anna{ Anna, {} };
    const ExpectedHolder bert{ Bert, {} };
    refuses(ForceRelease{ "red", Kind::Reentrant, { anna, bert }, "test" }, { toString(Anna), toString(Bert) });
    refuses(SetTtl{ "red", Kind::Reentrant, { anna, bert }, Millis(1), "test" }, { toString(Anna), toString(Bert) });
    refuses(ForceRelease{ "split", Kind::Reentrant, { anna }, "test" },
        { toString(Bert) + " (" + two.endpoint().display() + ")" });
    const auto step = AuditReader(options.auditFile).read(1'000'000);
    QVERIFY(step && step->news.begun.size() == 3);
    for (const AuditEntryPtr &entry : step->news.begun)
        QVERIFY(entry->outcome && entry->outcome->isUnsent && entry->endpoint == both.display()); // nobody was asked
}

/// A lost server may have been told by anybody to take the lock, and have it still.
void TestMonitorServers::tellsWhichIndependentServerWasNotAsked()
{
    RedisServer one;
    RedisServer two;
    RedisServer three;
    for (RedisServer *server : { &one, &two, &three })
        QVERIFY(server->start());
    for (RedisServer *server : { &one, &two })
        take(*server, "red", Anna);
    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    MonitorWatch watch(independent({ &one, &two, &three }), options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    const std::string lost = three.endpoint().display();
    three.kill();
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock("red")->quorum, (Quorum{ 2, 1, 3 }), Limit);
    const auto force = [&watch](const std::string &name) {
        watch.submit(ForceRelease{ name, Kind::Reentrant, { { Anna, {} } }, "test" });
        QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
        QVERIFY(*watch.outcome && (*watch.outcome)->done);
    };
    force("red");
    QCOMPARE((*watch.outcome)->notAsked, std::vector{ lost });

    QVERIFY(three.restart());
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
    take(one, "red", Anna);
    QTRY_VERIFY_WITH_TIMEOUT(watch.lock("red"), Limit);
    force("red");
    QCOMPARE((*watch.outcome)->notAsked, std::vector<std::string>());

    AuditReader reader(options.auditFile);
    const auto step = reader.read(1'000'000);
    QVERIFY(step && step->news.begun.size() == 3); // two servers, then one
    for (const AuditEntryPtr &entry : step->news.begun)
        QCOMPARE(entry->notAsked, entry == step->news.begun.back() ? std::vector<std::string>() : std::vector{ lost });
}

void TestMonitorServers::tellsWhichIndependentServerWasNotAskedWhenOthersFail()
{
    RedisServer answers;
    RedisServer isSlow;
    RedisServer isLost;
    for (RedisServer *server : { &answers, &isSlow, &isLost })
        QVERIFY(server->start());
    for (RedisServer *server : { &answers, &isSlow })
        take(*server, "red", Anna);
    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    options.actionLimit = Millis(1'000);
    MonitorWatch watch(independent({ &answers, &isSlow, &isLost }), options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
    isLost.kill();
    QTRY_COMPARE_WITH_TIMEOUT(watch.lock("red")->quorum, (Quorum{ 2, 1, 3 }), Limit);
    isSlow.pause();
    watch.submit(ForceRelease{ "red", Kind::Reentrant, { { Anna, {} } }, "test" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
    isSlow.resume();
    QVERIFY(!*watch.outcome);
    const std::string message = watch.outcome->error().message;
    QVERIFY2(message.starts_with("done on " + answers.endpoint().display() + ", not on "), message.c_str());
    QVERIFY2(message.ends_with("; not asked, and may have it: " + isLost.endpoint().display()), message.c_str());
}

/// It is seen, and what it has of the lock is not: it was there before it was watched.
void TestMonitorServers::tellsWhichIndependentServerWasNotAskedAsItsKeysWereNotLookedAt()
{
    RedisServer one;
    RedisServer two;
    RedisServer hidden({ .users = { QStringLiteral("poor on >secret ~* &* +@all -scan") } });
    for (RedisServer *server : { &one, &two, &hidden }) {
        QVERIFY(server->start());
        take(*server, "red", Anna);
    }
    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    Deployment deployment = independent({ &one, &two, &hidden });
    deployment.seeds.back().user = "poor";
    deployment.seeds.back().password = "secret";
    MonitorWatch watch(deployment, options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
    QCOMPARE(watch.lock("red")->quorum, (Quorum{ 2, 1, 3 }));
    watch.submit(ForceRelease{ "red", Kind::Reentrant, { { Anna, {} } }, "test" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
    QVERIFY(*watch.outcome && (*watch.outcome)->done);
    const std::vector notAsked{ hidden.endpoint().display() };
    QCOMPARE((*watch.outcome)->notAsked, notAsked);
    const auto step = AuditReader(options.auditFile).read(1'000'000);
    QVERIFY(step && step->news.begun.size() == 2);
    for (const AuditEntryPtr &entry : step->news.begun)
        QCOMPARE(entry->notAsked, notAsked);
}

/// As clients with Redisson's `subscriptionMode=SLAVE` do.
void TestMonitorServers::countsWhoListensOnAReplica()
{
    RedisServer master;
    RedisServer replica({ .config = { QStringLiteral("repl-diskless-sync-delay 0") } });
    QVERIFY(master.start() && replica.start());
    BlockingClient atReplica(replica.socketPath().toStdString());
    atReplica.run({ "REPLICAOF", "127.0.0.1", std::to_string(master.port()) });
    BlockingClient atMaster(master.socketPath().toStdString());
    const OwnerId dead{ Bert.client, "113" };
    take(master, "queue", Anna);
    for (const OwnerId &waiter : { Bert, dead }) {
        atMaster.run({ "RPUSH", key_layout::fairQueue("queue"), toString(waiter) });
        atMaster.run({ "ZADD", key_layout::fairTimeouts("queue"), "9999999999999", toString(waiter) });
    }
    BlockingClient listener(replica.socketPath().toStdString());
    listener.run({ "SUBSCRIBE", key_layout::fairChannel("queue", Bert) });

    const auto listens = [](const MonitorWatch &watch) {
        const auto lock = watch.lock("queue");
        return lock && lock->waiters.size() == 2
            ? std::vector{ lock->waiters[0].subscribed, lock->waiters[1].subscribed }
            : std::vector<std::optional<bool>>();
    };
    using Expected = std::vector<std::optional<bool>>;
    MonitorWatch watch(master.endpoint());
    QTRY_COMPARE_WITH_TIMEOUT(listens(watch), (Expected{ true, false }), Limit);
    MonitorWatch fromReplica(replica.endpoint()); // what goes on at its master is not known
    QTRY_COMPARE_WITH_TIMEOUT(listens(fromReplica), (Expected{ true, {} }), Limit);
}

void TestMonitorServers::watchesAReplicaAndLeavesItAlone()
{
    RedisServer master;
    RedisServer replica({ .config = { QStringLiteral("repl-diskless-sync-delay 0") } });
    QVERIFY(master.start() && replica.start());
    BlockingClient atReplica(replica.socketPath().toStdString());
    atReplica.run({ "REPLICAOF", "127.0.0.1", std::to_string(master.port()) });
    take(master, "copied", Anna);

    const QTemporaryDir folder;
    MonitorOptions options;
    options.auditFile = folder.filePath(QStringLiteral("audit.jsonl"));
    MonitorWatch watch(replica.endpoint(), options);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && watch.lock("copied"), Limit);
    const std::string name = replica.endpoint().display();
    QTRY_VERIFY_WITH_TIMEOUT(watch.node(name)->role == NodeRole::Replica && watch.node(name)->replicaLag, Limit);
    QVERIFY(*watch.node(name)->replicaLag < std::chrono::minutes(1));

    BlockingClient(master.socketPath().toStdString()).run({ "DEL", "copied" });
    QTRY_VERIFY_WITH_TIMEOUT(!watch.lock("copied"), Limit);
    take(master, "copied", Bert);
    QTRY_VERIFY_WITH_TIMEOUT(watch.lock("copied"), Limit);
    watch.submit(ForceRelease{ "copied", Kind::Reentrant, { { Bert, {} } }, "test" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.outcome, Limit);
    QVERIFY(!*watch.outcome);
    QCOMPARE(watch.outcome->error().code, ErrorCode::ReadOnlyReplica);

    atReplica.run({ "REPLICAOF", "NO", "ONE" });
    QTRY_VERIFY_WITH_TIMEOUT(watch.node(name)->role == NodeRole::Master && !watch.node(name)->replicaLag, Limit);
}

void TestMonitorServers::speaksTlsAsAUserWithFewRights()
{
    RedisServer server({ .tls = true,
        .users = { QStringLiteral("looker on >pw ~* &redisson_* &__redis__:invalidate -@all +@read +@connection +info "
                                  "+subscribe +psubscribe +ping -keys") } });
    QVERIFY(server.start());
    take(server, "seen", Anna);
    Endpoint endpoint = server.tlsEndpoint();
    endpoint.user = "looker";
    endpoint.password = "pw";
    MonitorWatch watch(independent({ &server }));
    Deployment secured;
    secured.topology = Topology::Nodes;
    secured.seeds = { endpoint };
    MonitorWatch looker(secured);
    QTRY_VERIFY_WITH_TIMEOUT(looker.isLiveAndSwept() && looker.lock("seen"), Limit);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && watch.lock("seen"), Limit);
    QVERIFY(!looker.status().missingRights.empty()); // PUBSUB NUMSUB at least
    QVERIFY(watch.status().missingRights.empty());
}

void TestMonitorServers::followsAFailoverBySentinel()
{
    SentinelSetup setup(1, { .password = QStringLiteral("sesame") });
    QVERIFY(setup.start());
    LockUser user(setup.deployment());
    QVERIFY(user.waitReady());
    const LockTarget target{ "job", Kind::Reentrant, {} };
    QVERIFY(user.tryLock(target));
    LockUser waiter(setup.deployment());
    QVERIFY(waiter.waitReady());
    const auto waits = waiter.startAcquire({ target, "1", {}, {} });

    MonitorWatch watch(setup.deployment());
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && watch.lock("job") && watch.lock("job")->subscribers == 1, Limit);
    QCOMPARE(watch.nodeOf("job"), setup.first().endpoint().display());
    const auto before = watch.lock("job");
    watch.forgetEvents();
    watch.keepAnEyeOn("job");

    setup.first().kill();
    const std::string successor = setup.second().endpoint().display();
    QTRY_COMPARE_WITH_TIMEOUT(watch.nodeOf("job"), successor, Limit);
    QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept() && !watch.isStale("job"), Limit);
    QCOMPARE(watch.service.latest()->nodes.size(), std::size_t(1));
    QVERIFY(watch.goesOn(*before));
    QTRY_VERIFY_WITH_TIMEOUT(watch.told(EventKind::Gap, successor), Limit);
    QVERIFY2(watch.missed.empty(), watch.missed.c_str());
    QVERIFY(isWholeHistoryOfRenewals(watch.kinds("job")));

    QTRY_VERIFY_WITH_TIMEOUT(user.client->isReady(), Limit);
    QVERIFY(user.release(target));
    QVERIFY(waits->wait());
    QTRY_VERIFY_WITH_TIMEOUT(
        watch.lock("job") && watch.lock("job")->holders.at(0).owner.client == waiter.client->id(), Limit);
}

/// It began before the monitor came.
void TestMonitorServers::countsAWaitOnceOverFailoversBySentinel()
{
    SentinelSetup setup;
    QVERIFY(setup.start());
    LockUser user(setup.deployment());
    LockUser waiter(setup.deployment());
    QVERIFY(user.waitReady() && waiter.waitReady());
    const LockTarget target{ "fair", Kind::Fair, {} };
    QVERIFY(user.tryLock(target));
    const auto waits = waiter.startAcquire({ target, "1", {}, {} });
    QTRY_COMPARE_WITH_TIMEOUT(
        setup.first().cli({ QStringLiteral("LLEN"), QStringLiteral("redisson_lock_queue:{fair}") }), "1", Limit);
    MonitorWatch watch(setup.deployment());
    const auto isCountedAt = [&](const RedisServer &server) {
        const auto lock = watch.lock("fair");
        const auto analysis = watch.service.latest()->analysis;
        const auto *numbers = analysis ? statisticsOf(*analysis, "fair") : nullptr;
        const bool isSeen = watch.isLiveAndSwept() && numbers && lock && lock->waiters.size() == 1;
        return isSeen && lock->node == server.endpoint().display() && numbers->blocked > Millis{ 0 }
        && numbers->blocked + Millis{ 1 } >= analysis->at - lock->waiters.front().since.at;
    };
    const RedisServer *master = &setup.first();
    QTRY_VERIFY_WITH_TIMEOUT(isCountedAt(*master), Limit);
    for (int failover = 0; failover < 2; ++failover) {
        setup.startToFailOver();
        master = master == &setup.first() ? &setup.second() : &setup.first();
        QTRY_VERIFY_WITH_TIMEOUT(isCountedAt(*master), Limit);
        const MonoTime seen = transport::monoNow();
        QTRY_VERIFY_WITH_TIMEOUT(watch.service.latest()->analysis->at > seen && isCountedAt(*master), Limit);
        const auto analysis = watch.service.latest()->analysis;
        const Millis waited = statisticsOf(*analysis, "fair")->blocked;
        QVERIFY(waited <= analysis->at - watch.lock("fair")->waiters.front().since.at + Millis{ 1 });
    }
    QTRY_VERIFY_WITH_TIMEOUT(user.client->isReady(), Limit);
    QVERIFY(user.release(target));
    QVERIFY(waits->wait());
}

QTEST_GUILESS_MAIN(TestMonitorServers)
#include "tst_monitor_servers.moc"
