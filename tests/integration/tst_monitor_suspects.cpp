// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "lockcore/synchronizers/key_layout.h"
#include "tests/integration/program.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/monitor_watch.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimer>
#include <csignal>
#include <set>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;

/// What the monitor concludes, now and since the beginning.
struct Watcher : MonitorWatch {
    explicit Watcher(const Deployment &servers)
        : MonitorWatch(servers)
    {
        QObject::connect(&service, &Monitor::snapshotReady, &service, [this] {
            const auto analysis = service.latest()->analysis;
            if (!analysis)
                return;
            for (const auto &suspect : analysis->suspects)
                ever.insert({ suspect.kind, suspect.lock });
            deadlocks += static_cast<int>(analysis->graph->cycles.size());
        });
    }

    std::optional<Suspect> suspect(SuspectKind kind, const LockName &lock) const
    {
        const auto analysis = service.latest()->analysis;
        if (!analysis)
            return std::nullopt;
        for (const auto &suspect : suspectsOf(*analysis, lock)) {
            if (suspect.kind == kind)
                return suspect;
        }
        return std::nullopt;
    }
    std::vector<WaitCycle> cycles() const
    {
        const auto analysis = service.latest()->analysis;
        return analysis ? analysis->graph->cycles : std::vector<WaitCycle>{};
    }
    LockStatistics numbers(const LockName &lock) const
    {
        const auto analysis = service.latest()->analysis;
        const auto *found = analysis ? statisticsOf(*analysis, lock) : nullptr;
        return found ? *found : LockStatistics{};
    }

    std::set<std::pair<SuspectKind, LockName>> ever;
    int deadlocks = 0;
};

/// Takes a lock, keeps it for a moment, gives it back, and again.
class Worker {
public:
    Worker(const Deployment &servers, std::vector<LockTarget> targets, int holdMs)
        : m_user(servers)
        , m_targets(std::move(targets))
        , m_holdMs(holdMs)
    {
    }

    bool waitReady() { return m_user.waitReady(); }
    void run()
    {
        const auto &target = m_targets[static_cast<std::size_t>(rounds) % m_targets.size()];
        m_user.client->acquire({ target, "1", std::nullopt, std::nullopt }, [this, target](const auto &outcome) {
            if (!outcome || !outcome->acquired)
                return;
            QTimer::singleShot(m_holdMs, m_user.client.get(), [this, target] {
                m_user.client->release(target, "1", [this](const auto &) {
                    ++rounds;
                    if (!stopping)
                        run();
                });
            });
        });
    }

    int rounds = 0;
    bool stopping = false;

private:
    LockUser m_user;
    std::vector<LockTarget> m_targets;
    int m_holdMs;
};

} // namespace

class TestMonitorSuspects : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }
    void init()
    {
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
    }
    void cleanup() { m_server.reset(); }

    void namesADeadlockOfTwoFairLocksTakenCrosswise()
    {
        Watcher watch(m_server->endpoint());
        LockUser one(m_server->endpoint());
        LockUser two(m_server->endpoint());
        QVERIFY(one.waitReady() && two.waitReady());
        const LockTarget stock{ "stock", Kind::Fair };
        const LockTarget order{ "order", Kind::Fair };
        QVERIFY(one.tryLock(stock) && two.tryLock(order));
        const auto first = one.startAcquire({ order, "1", std::nullopt, std::nullopt });
        const auto second = two.startAcquire({ stock, "1", std::nullopt, std::nullopt });
        QTRY_COMPARE_WITH_TIMEOUT(watch.cycles().size(), std::size_t{ 1 }, Limit);
        const auto cycle = watch.cycles().front();
        QCOMPARE(cycle.size(), std::size_t{ 2 });
        QVERIFY(cycle[0].holder == cycle[1].waiter);
        QVERIFY(cycle[1].holder == cycle[0].waiter);
        QCOMPARE((std::set<LockName>{ cycle[0].lock, cycle[1].lock }), (std::set<LockName>{ "stock", "order" }));
        QVERIFY(two.release(order));
        QVERIFY(first->wait());
        QTRY_VERIFY_WITH_TIMEOUT(watch.cycles().empty(), Limit);
        QVERIFY(one.release(order) && one.release(stock));
        QVERIFY(second->wait());
        QTRY_COMPARE_WITH_TIMEOUT(watch.numbers("stock").handOvers, std::int64_t{ 1 }, Limit);
        QVERIFY(watch.numbers("stock").waits == 1 && watch.numbers("stock").blocked > Millis{ 0 });
    }

    void suspectsAWaiterThatWasKilled()
    {
        Watcher watch(m_server->endpoint());
        LockUser holder(m_server->endpoint());
        QVERIFY(holder.waitReady() && holder.tryLock({ "stock", Kind::Fair }));
        Program waiter(QStringLiteral(LOCKCTL),
            { QStringLiteral("--url"), m_server->url(), QStringLiteral("hold"), QStringLiteral("stock"),
                QStringLiteral("--kind"), QStringLiteral("fair") });
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("stock") && watch.lock("stock")->waiters.size() == 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(watch.lock("stock")->waiters[0].subscribed, std::optional(true), Limit);
        const auto owner = toString(watch.lock("stock")->waiters[0].owner);
        QVERIFY(!watch.suspect(SuspectKind::DeadWaiter, "stock"));
        waiter.signal(SIGKILL);
        QTRY_VERIFY_WITH_TIMEOUT(watch.suspect(SuspectKind::DeadWaiter, "stock"), Limit);
        QCOMPARE(watch.suspect(SuspectKind::DeadWaiter, "stock")->subject, owner);
        QVERIFY(holder.release({ "stock", Kind::Fair })); // to a dead one
        QTRY_VERIFY_WITH_TIMEOUT(watch.suspect(SuspectKind::OrphanQueue, "stock"), Limit);
    }

    /// Nobody holds the lock: the first in its queue died, and nobody gets past it.
    void countsHowLongIsWaitedBehindAGhost()
    {
        Watcher watch(m_server->endpoint());
        const auto timeOut = QDateTime::currentMSecsSinceEpoch() + 600'000;
        m_server->cli(words("RPUSH redisson_lock_queue:{stock}") << OwnerA);
        m_server->cli(words("ZADD redisson_lock_timeout:{stock}") << QString::number(timeOut) << OwnerA);
        LockUser living(m_server->endpoint());
        QVERIFY(living.waitReady());
        const auto wait = living.startAcquire({ { "stock", Kind::Fair }, "1", std::nullopt, std::nullopt });
        const auto isCountedAlone = [&watch] {
            const auto snapshot = watch.service.latest();
            const auto stock = snapshot->locks.find("stock");
            const auto blocked = watch.numbers("stock").blocked;
            return stock && stock->waiters.size() == 2 && blocked > Millis{ 1'000 }
            && blocked <= snapshot->analysis->at - stock->waiters[1].since.at;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isCountedAlone(), Limit);
        QCOMPARE(watch.numbers("stock").acquires, std::int64_t{ 0 });
    }

    void suspectsALockWithoutTimeToLive()
    {
        Watcher watch(m_server->endpoint());
        take(*m_server, QStringLiteral("stock"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("stock"), Limit);
        m_server->cli(words("PERSIST stock"));
        QTRY_VERIFY_WITH_TIMEOUT(watch.suspect(SuspectKind::NoTtl, "stock"), Limit);
        QCOMPARE(watch.suspect(SuspectKind::NoTtl, "stock")->certainty, Certainty::Seen);
        m_server->cli(words("PEXPIRE stock 60000"));
        QTRY_VERIFY_WITH_TIMEOUT(!watch.suspect(SuspectKind::NoTtl, "stock"), Limit);
    }

    void saysWhatFollowsThoughAServerWasNeverReached()
    {
        Deployment servers(m_server->endpoint());
        servers.topology = Topology::Nodes;
        servers.seeds.push_back(m_server->endpoint());
        servers.seeds.back().socketPath += ".not-there";
        take(*m_server, QStringLiteral("stock"), OwnerA, 60'000);
        m_server->cli(words("PERSIST stock"));
        Watcher watch(servers);
        QTRY_VERIFY_WITH_TIMEOUT(watch.suspect(SuspectKind::NoTtl, "stock"), Limit);
    }

    void suspectsAFreeLockThatIsListenedFor()
    {
        Watcher watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        QProcess listener; // its client has missed the message
        listener.start(QStringLiteral("redis-cli"),
            { QStringLiteral("-s"), m_server->socketPath(), QStringLiteral("SUBSCRIBE"),
                QString::fromStdString(key_layout::lockChannel("stock")) });
        QTRY_VERIFY_WITH_TIMEOUT(watch.suspect(SuspectKind::FreeButWaitedFor, "stock"), Limit);
        take(*m_server, QStringLiteral("stock"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!watch.suspect(SuspectKind::FreeButWaitedFor, "stock"), Limit);
        listener.kill();
        listener.waitForFinished();
    }

    /// The keys of a fair lock of Redisson 3.16.8 with a NameMapper that puts `app:` before each name.
    void joinsAQueueToTheLockWhoseNameIsMapped()
    {
        const auto enqueue = [&](const OwnerId &owner) {
            const auto text = QString::fromStdString(toString(owner));
            m_server->cli({ QStringLiteral("ZADD"), QStringLiteral("redisson_lock_timeout:{billing}"),
                QString::number(QDateTime::currentMSecsSinceEpoch() + 300'000), text });
            m_server->cli({ QStringLiteral("RPUSH"), QStringLiteral("redisson_lock_queue:{billing}"), text });
            auto listener = std::make_unique<BlockingClient>(m_server->socketPath().toStdString());
            listener->run({ "SUBSCRIBE", key_layout::fairChannel("app:billing", owner) });
            return listener;
        };
        const OwnerId first{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };
        const OwnerId second{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "113" };
        Watcher watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        take(*m_server, QStringLiteral("app:billing"), OwnerA, 60'000);
        const auto one = enqueue(first);
        const auto two = enqueue(second);
        const auto isWhole = [](const MonitorWatch &each) {
            const auto lock = each.lock("app:billing");
            return lock && !each.lock("billing") && lock->kind == Kind::Fair && lock->holders.size() == 1
                && lock->waiters.size() == 2 && lock->waiters[0].subscribed == true
                && lock->waiters[1].subscribed == true;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(watch), Limit);
        Watcher later(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(isWhole(later), Limit);
        QCOMPARE(watch.kinds("billing"), std::vector<EventKind>());
        const auto list = testsupport::run(QStringLiteral(LOCKCTL),
            { QStringLiteral("--url"), m_server->url(), QStringLiteral("--json"), QStringLiteral("ls") });
        const auto locks = QJsonDocument::fromJson(list.out).array();
        QCOMPARE(locks.size(), 1);
        QCOMPARE(locks[0][u"waiters"].toArray().size(), 2);
        QCOMPARE(locks[0][u"suspects"].toArray().size(), 0);

        m_server->cli(words("DEL redisson_lock_queue:{billing} redisson_lock_timeout:{billing}"));
        QTRY_VERIFY_WITH_TIMEOUT(watch.lock("app:billing")->waiters.empty(), Limit);
        QVERIFY(!watch.lock("billing"));
        for (const Watcher *each : { &watch, &later }) {
            for (const auto &[kind, name] : each->ever)
                QFAIL(name.c_str());
        }
    }

    void lockctlNamesSuspectsAfterOneLook()
    {
        // Each holds one lock and waits for the other one, listening as its client would.
        BlockingClient waiters(m_server->socketPath().toStdString());
        const std::string a = OwnerA.toStdString();
        const std::string b = OwnerB.toStdString();
        const auto deadline = std::to_string(QDateTime::currentMSecsSinceEpoch() + 600'000);
        take(*m_server, QStringLiteral("stock"), OwnerA, 600'000);
        take(*m_server, QStringLiteral("order"), OwnerB, 600'000);
        for (const auto &[lock, waiter] : { std::pair("{stock}", b), std::pair("{order}", a) }) {
            waiters.run({ "RPUSH", std::string("redisson_lock_queue:") + lock, waiter });
            waiters.run({ "ZADD", std::string("redisson_lock_timeout:") + lock, deadline, waiter });
        }
        waiters.run({ "SUBSCRIBE", "redisson_lock__channel:{stock}:" + b });
        waiters.run({ "SUBSCRIBE", "redisson_lock__channel:{order}:" + a });
        take(*m_server, QStringLiteral("for ever"), OwnerA, 60'000);
        m_server->cli({ QStringLiteral("PERSIST"), QStringLiteral("for ever") });
        const QStringList server{ QStringLiteral("--url"), m_server->url() };
        const auto deadlocks = [&] { // a slow look ends before it has lasted long enough
            const auto again = testsupport::run(QStringLiteral(LOCKCTL), server + QStringList{ QStringLiteral("ls") });
            return again.out.count("deadlock (inferred): ");
        };
        QTRY_COMPARE_WITH_TIMEOUT(deadlocks(), 1, Limit);
        const auto all = testsupport::run(
            QStringLiteral(LOCKCTL), server + QStringList{ QStringLiteral("--json"), QStringLiteral("ls") });
        for (const auto &each : QJsonDocument::fromJson(all.out).array()) {
            const auto circles = each[u"deadlocks"].toArray();
            QCOMPARE(circles.size(), each[u"name"].toString() == QStringLiteral("for ever") ? 0 : 1);
            for (const auto &circle : circles)
                QCOMPARE(circle.toArray().size(), 2);
        }
        const auto queued = testsupport::run(
            QStringLiteral(LOCKCTL), server + QStringList{ QStringLiteral("show"), QStringLiteral("order") });
        QVERIFY2(queued.out.contains("deadlock (inferred): "), queued.out.constData());
        const auto told = testsupport::run(QStringLiteral(LOCKCTL),
            server + QStringList{ QStringLiteral("--json"), QStringLiteral("diagnose"), QStringLiteral("for ever") });
        QCOMPARE(told.status, 1);
        const auto suspects = QJsonDocument::fromJson(told.out)[u"suspected"][0][u"suspects"].toArray();
        QCOMPARE(suspects.size(), 1);
        QCOMPARE(suspects[0][u"kind"].toString(), QStringLiteral("noTtl"));
        QCOMPARE(suspects[0][u"certainty"].toString(), QStringLiteral("seen"));
    }

    void suspectsNothingOfAHealthyCrowd()
    {
        Watcher watch(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLive(), Limit);
        const std::vector<LockTarget> targets{ { "plain" }, { "fair", Kind::Fair },
            { "rw", Kind::ReadWrite, HoldMode::Read }, { "rw", Kind::ReadWrite, HoldMode::Write },
            { "fenced", Kind::Fenced } };
        std::vector<std::unique_ptr<Worker>> workers;
        for (int i = 0; i < 8; ++i) {
            auto mixed = targets;
            std::rotate(mixed.begin(), mixed.begin() + i % 5, mixed.end());
            // Half of them stay with one lock, which is so handed over all the time.
            workers.push_back(std::make_unique<Worker>(m_server->endpoint(),
                i % 2 == 0 ? std::vector{ targets[static_cast<std::size_t>(i) / 2 % 2] } : mixed, i));
            QVERIFY(workers.back()->waitReady());
        }
        for (const auto &worker : workers)
            worker->run();
        QElapsedTimer time;
        time.start();
        QTRY_VERIFY_WITH_TIMEOUT(time.elapsed() > 20'000, Limit);
        for (const auto &[kind, lock] : watch.ever)
            qWarning("suspected: %d of %s", static_cast<int>(kind), lock.c_str());
        QVERIFY(watch.ever.empty());
        QCOMPARE(watch.deadlocks, 0);
        const auto numbers = watch.numbers("fair");
        QVERIFY(numbers.acquires > 10 && numbers.holds > 10 && numbers.waits > 10 && numbers.handOvers > 10);
        QVERIFY(numbers.heldP99 <= numbers.heldLongest);
        for (const auto &worker : workers)
            worker->stopping = true;
    }

private:
    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(TestMonitorSuspects)
#include "tst_monitor_suspects.moc"
