// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/count_down_latch.h"
#include "lockcore/client/permit_expirable_semaphore.h"
#include "lockcore/client/semaphore.h"
#include "lockcore/service/monitor.h"
#include "lockcore/synchronizers/key_layout.h"
#include "tests/integration/random_keyspace.h"
#include "tests/support/answer_to.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_server.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;
using protocol::Command;

namespace {

constexpr int Limit = 30'000;
const std::string Uuid = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10";
const std::string Id = "0123456789abcdef0123456789abcdef";
using Kinds = std::map<LockName, Kind>;

std::string inTenMinutes()
{
    const auto now = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    return std::to_string((now + 600s).time_since_epoch().count());
}

/// Numbers, zsets and other keys that look much like semaphores and latches.
std::vector<Command> similarKeys(int times)
{
    std::vector<Command> commands;
    const auto deadline = inTenMinutes();
    for (int i = 0; i < times; ++i) {
        const auto n = std::to_string(i);
        commands.insert(commands.end(),
            { { "SET", "views:" + n, n }, { "SET", "stock:" + n, "-" + n, "EX", "600" },
                { "SET", "redisson_bqs:{jobs" + n + '}', n }, { "SET", "stats:semaphore" + n, n },
                { "SET", "{map}:" + n + ":countdownlatch", "3" },
                // Topics keep their subscribers' deadlines in the same way.
                { "XADD", "topic:" + n, "*", "m", "1" }, { "ZADD", "{topic:" + n + "}:timeout", deadline, Id },
                { "SET", "session:" + n, n }, { "ZADD", "{session:" + n + "}:timeout", deadline, "user:12345678901" },
                { "SET", "page:" + n, n }, { "ZADD", "{page:" + n + "}:timeout", "1732174560", Id },
                { "HSET", "cart:" + n, "timeout", "5" }, { "ZADD", "{cart:" + n + "}:timeout", deadline, Id },
                { "ZADD", "{gone:" + n + "}:timeout", deadline, Id }, { "SET", "board:" + n + ":timeout", n },
                { "ZADD", "board:" + n, deadline, Id } });
    }
    return commands;
}

} // namespace

class TestEveryKind : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        m_redis = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
    }
    void init() { m_redis->run({ "FLUSHALL" }); }

    void showsAllThereIsAndNothingElse_data()
    {
        QTest::addColumn<bool>("byScript");
        QTest::newRow("by script") << true;
        QTest::newRow("in commands") << false;
    }
    void showsAllThereIsAndNothingElse();
    void seesCountersLiveThoughNobodyWaits();
    void tellsHowManyWaitForWhatIsMissing();
    void countsWhoWaitsInACluster();

private:
    void fill(Kinds &expected);
    void useClients(LockUser &holder, LockUser &waiter, Kinds &expected);
    Kinds shown(const Monitor &monitor) const
    {
        Kinds kinds;
        const auto snapshot = monitor.latest();
        for (const auto &lock : snapshot->locks)
            kinds.emplace(lock->name, lock->kind);
        return kinds;
    }
    std::shared_ptr<const LockState> state(const Monitor &monitor, const LockName &name) const
    {
        return monitor.latest()->locks.find(name);
    }

    RedisServer m_server;
    std::unique_ptr<BlockingClient> m_redis;
};

void TestEveryKind::fill(Kinds &expected)
{
    const RandomKeyspace keyspace(20'000, 300);
    m_redis->runAll(keyspace.commands());
    for (const auto &lock : keyspace.locks())
        expected.emplace(lock.name, lock.kind);
    m_redis->runAll(similarKeys(300));
    // As clients of earlier versions, of other languages and other objects write them.
    const auto deadline = inTenMinutes();
    m_redis->runAll({ { "SET", "old:permits", "3" }, { "ZADD", "{old:permits}:timeout", deadline, Id },
        { "HSET", "port", Uuid + ':' + Uuid, "1" }, { "HSET", "moved:transaction_lock", Uuid + ":57:" + Id, "1" },
        { "HSET", "{cache}:Zm9vYmFyYmF6cXV4cXV1eA:key", Uuid + ":57", "1" },
        { "SET", "{map}:Zm9vYmFyYmF6cXV4cXV1eA:semaphore", "1" },
        { "SET", "{map}:Zm9vYmFyYmF6cXV4cXV1eA:countdownlatch", "1" } });
    expected.emplace("old:permits", Kind::PermitExpirableSemaphore);
    for (const std::string name : { "port", "moved:transaction_lock", "{cache}:Zm9vYmFyYmF6cXV4cXV1eA:key" })
        expected.emplace(name, Kind::Reentrant);
    expected.emplace("{map}:Zm9vYmFyYmF6cXV4cXV1eA:semaphore", Kind::Semaphore);
    expected.emplace("{map}:Zm9vYmFyYmF6cXV4cXV1eA:countdownlatch", Kind::CountDownLatch);
}

void TestEveryKind::useClients(LockUser &holder, LockUser &waiter, Kinds &expected)
{
    for (const auto &[name, kind] :
        Kinds{ { "plain", Kind::Reentrant }, { "fair", Kind::Fair }, { "fenced", Kind::Fenced } }) {
        QVERIFY(holder.tryLock({ name, kind, {} }, "1", 600s));
        expected.emplace(name, kind);
    }
    QVERIFY(holder.tryLock({ "rw", Kind::ReadWrite, HoldMode::Read }, "1", 600s));
    expected.emplace("rw", Kind::ReadWrite);
    waiter.startAcquire({ { "fair", Kind::Fair, {} }, "1", {}, {} });

    Semaphore jobs(*holder.client, "jobs");
    QVERIFY(answerTo<bool>([&](auto done) { jobs.trySetPermits(2, {}, done); }).value());
    Semaphore(*waiter.client, "jobs").acquire(5, {}, [](const auto &) {});
    expected.emplace("jobs", Kind::Semaphore);
    PermitExpirableSemaphore seats(*holder.client, "seats");
    QVERIFY(answerTo<bool>([&](auto done) { seats.trySetPermits(3, done); }).value());
    QVERIFY(answerTo<PermitOutcome>([&](auto done) { seats.acquire(2, 600s, 0ms, done); }).value().acquired);
    expected.emplace("seats", Kind::PermitExpirableSemaphore);
    CountDownLatch start(*holder.client, "start");
    QVERIFY(answerTo<bool>([&](auto done) { start.trySetCount(2, done); }).value());
    CountDownLatch(*waiter.client, "start").wait({}, [](const auto &) {});
    expected.emplace("start", Kind::CountDownLatch);
    QTRY_COMPARE_WITH_TIMEOUT(m_redis->run({ "PUBSUB", "CHANNELS", "redisson_*" }).array()->size(), 3U, Limit);
}

void TestEveryKind::showsAllThereIsAndNothingElse()
{
    QFETCH(const bool, byScript);
    Kinds expected;
    fill(expected);
    LockUser holder(m_server.endpoint());
    LockUser waiter(m_server.endpoint());
    useClients(holder, waiter, expected);
    m_redis->run({ "ACL", "SETUSER", "lockmon", "reset", "on", ">secret", "~*", "&*", "+@all",
        byScript ? "+eval_ro" : "-@scripting" });
    auto endpoint = m_server.endpoint();
    endpoint.user = "lockmon";
    endpoint.password = "secret";
    Monitor monitor(MonitorOptions{});
    monitor.open(endpoint);
    QTRY_COMPARE_WITH_TIMEOUT(monitor.latest()->status.phase, SourcePhase::Live, Limit);
    QCOMPARE(monitor.latest()->status.lastSweep->byScript, byScript);
    // At once: whoever looks only once sees all of it.
    const auto kinds = shown(monitor);
    for (const auto &[name, kind] : expected) {
        QVERIFY2(kinds.contains(name), name.c_str());
        QVERIFY2(kinds.at(name) == kind, name.c_str());
    }
    for (const auto &[name, kind] : kinds)
        QVERIFY2(expected.contains(name), name.c_str());

    const auto jobs = state(monitor, "jobs");
    QVERIFY(jobs->permits->available == 2 && jobs->otherKinds == std::vector<Kind>{ Kind::PermitExpirableSemaphore });
    const auto seats = state(monitor, "seats");
    QVERIFY(seats->permits->available == 1 && seats->permits->leased == 2 && seats->permits->leases.size() == 2);
    QVERIFY(state(monitor, "start")->count == 2);
    QVERIFY(state(monitor, "port")->holders.front().fromPort);
    QTRY_VERIFY_WITH_TIMEOUT(waitingCount(*state(monitor, "jobs")) == 1, Limit);
    QTRY_VERIFY_WITH_TIMEOUT(waitingCount(*state(monitor, "start")) == 1, Limit);
    QCOMPARE(monitor.latest()->channels->size(), std::size_t(3));
    QCOMPARE(shown(monitor).size(), expected.size());
}

void TestEveryKind::seesCountersLiveThoughNobodyWaits()
{
    Monitor monitor(MonitorOptions{});
    std::vector<Event> events;
    connect(&monitor, &Monitor::eventsReported, this,
        [&](const EventList &list) { events.insert(events.end(), list->begin(), list->end()); });
    monitor.open(m_server.endpoint());
    QTRY_COMPARE_WITH_TIMEOUT(monitor.latest()->status.phase, SourcePhase::Live, Limit);
    LockUser user(m_server.endpoint());
    Semaphore jobs(*user.client, "jobs");
    CountDownLatch start(*user.client, "start");
    QVERIFY(answerTo<bool>([&](auto done) { jobs.trySetPermits(3, {}, done); }).value());
    QVERIFY(answerTo<bool>([&](auto done) { start.trySetCount(1, done); }).value());
    m_redis->run({ "SET", "views", "3" });
    m_redis->run({ "SET", "jcache_sync:0.5:{cache}", "1" });
    QTRY_COMPARE_WITH_TIMEOUT(shown(monitor),
        (Kinds{ { "jcache_sync:0.5:{cache}", Kind::Semaphore }, { "jobs", Kind::Semaphore },
            { "start", Kind::CountDownLatch } }),
        Limit);
    QVERIFY(answerTo<AcquireOutcome>([&](auto done) { jobs.acquire(2, 0ms, done); }).value().acquired);
    QTRY_VERIFY_WITH_TIMEOUT(state(monitor, "jobs")->permits->available == 1, Limit);
    QVERIFY(answerTo<void>([&](auto done) { start.countDown(done); }));
    QTRY_VERIFY_WITH_TIMEOUT(!state(monitor, "start"), Limit);

    const auto last = [&](const LockName &name) {
        const auto event
            = std::find_if(events.rbegin(), events.rend(), [&](const Event &each) { return each.lock == name; });
        return event == events.rend() ? Event{} : *event;
    };
    QTRY_COMPARE_WITH_TIMEOUT(last("start").kind, EventKind::CountChanged, Limit);
    QCOMPARE(last("start").count, std::optional<std::int64_t>(0));
    QCOMPARE(last("jobs").kind, EventKind::PermitsChanged);
    QCOMPARE(last("jobs").count, std::optional<std::int64_t>(1));
}

void TestEveryKind::tellsHowManyWaitForWhatIsMissing()
{
    LockUser user(m_server.endpoint());
    Semaphore(*user.client, "never set").acquire(1, {}, [](const auto &) {});
    QTRY_COMPARE_WITH_TIMEOUT(m_redis->run({ "PUBSUB", "CHANNELS", "redisson_*" }).array()->size(), 1U, Limit);
    Monitor monitor(MonitorOptions{});
    monitor.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(state(monitor, "never set"), Limit);
    const auto missing = state(monitor, "never set");
    QVERIFY(missing->subscribers == 1 && !hasKeys(*missing) && !missing->permits);
    Semaphore jobs(*user.client, "never set");
    QVERIFY(answerTo<bool>([&](auto done) { jobs.trySetPermits(1, {}, done); }).value());
    QTRY_VERIFY_WITH_TIMEOUT(state(monitor, "never set")->permits, Limit);
}

void TestEveryKind::countsWhoWaitsInACluster()
{
    RedisCluster cluster;
    QVERIFY(cluster.start());
    const auto name = cluster.nameAt(1, "jobs:");
    LockUser user(cluster.deployment());
    QVERIFY(user.waitReady());
    Semaphore jobs(*user.client, name);
    QVERIFY(answerTo<bool>([&](auto done) { jobs.trySetPermits(1, {}, done); }).value());
    Monitor monitor(MonitorOptions{});
    monitor.open(cluster.deployment());
    QTRY_COMPARE_WITH_TIMEOUT(monitor.latest()->status.phase, SourcePhase::Live, Limit);
    QVERIFY(!state(monitor, name));

    jobs.acquire(2, {}, [](const auto &) {}); // listens on a sharded channel
    QTRY_VERIFY_WITH_TIMEOUT(state(monitor, name), Limit);
    QCOMPARE(state(monitor, name)->kind, Kind::Semaphore);
    QTRY_VERIFY_WITH_TIMEOUT(waitingCount(*state(monitor, name)) == 1, Limit);
    // A client of before 3.22 listens on a plain one.
    BlockingClient old(cluster.node(1).socketPath().toStdString());
    old.run({ "SUBSCRIBE", key_layout::semaphoreChannel(name) });
    QTRY_VERIFY_WITH_TIMEOUT(waitingCount(*state(monitor, name)) == 2, Limit);
}

QTEST_GUILESS_MAIN(TestEveryKind)
#include "tst_every_kind.moc"
