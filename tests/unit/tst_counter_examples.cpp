// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/join.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/recognition.h"
#include "tests/unit/analysis_bench.h"
#include "tests/unit/engine_bench.h"

#include <QTest>
#include <functional>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;
using namespace std::chrono_literals;

namespace {

/// Plays a situation; whether the statement was made in the end.
using Situation = std::function<bool()>;

} // namespace

Q_DECLARE_METATYPE(Situation)

namespace {

void beginTable()
{
    QTest::addColumn<bool>("isTrue");
    QTest::addColumn<Situation>("isConcluded");
}
void holds(const char *when, Situation isConcluded) { QTest::newRow(when) << true << std::move(isConcluded); }
void fails(const char *when, Situation isConcluded) { QTest::newRow(when) << false << std::move(isConcluded); }

void compare()
{
    QFETCH(const bool, isTrue);
    QFETCH(const Situation, isConcluded);
    QCOMPARE(isConcluded(), isTrue);
}

/// Shows the locks to an analyst for so long; whether it suspects that.
Situation suspected(SuspectKind kind, std::function<void(AnalysisBench &)> show, Millis time)
{
    return [=] {
        AnalysisBench bench;
        show(bench);
        const auto &suspects = bench.watch(time).suspects;
        return std::ranges::any_of(suspects, [kind](const auto &suspect) { return suspect.kind == kind; });
    };
}

/// A lock as the bench has it held, changed.
using Change = std::function<void(LockState &)>;
std::function<void(AnalysisBench &)> with(Kind kind, Change change)
{
    return [=](AnalysisBench &bench) {
        auto lock = bench.held("order", A, kind);
        change(lock);
        bench.show(lock);
    };
}

void freed(LockState &lock)
{
    lock.holders.clear();
    lock.expiresAt.reset();
}

std::function<void(AnalysisBench &)> queueOf(std::function<Waiter(const AnalysisBench &)> waiter, Change change = {})
{
    return [=](AnalysisBench &bench) {
        auto lock = bench.held("order", A, Kind::Fair);
        lock.waiters.push_back(waiter(bench));
        if (change)
            change(lock);
        bench.show(lock);
    };
}

Waiter live(const AnalysisBench &bench) { return bench.waiter(B, 60s); }
Waiter silent(const AnalysisBench &bench) { return bench.waiter(B, 60s, false); }

void listen(AnalysisBench &bench, std::int64_t subscribers)
{
    bench.snapshot.channels = std::make_shared<const std::vector<ChannelState>>(
        1, ChannelState{ key_layout::lockChannel("order"), "n1", subscribers, bench.mono });
}

/// A hold on one of three independent servers.
struct PartSeen {
    int server = 0;
    OwnerId owner;
    Since since{};
    std::optional<HoldMode> mode{};
};

OwnerId client(const char *name, const char *thread = "7") { return { std::string(name), std::string(thread) }; }

constexpr Since taken(Millis at) { return { MonoTime(at), true }; }
constexpr Since seenAt(Millis at) { return { MonoTime(at), false }; }

std::shared_ptr<const LockState> joined(const std::vector<PartSeen> &parts)
{
    Join join("servers", Sharing::Copies);
    join.setNodes({ { "0", {} }, { "1", {} }, { "2", {} } });
    for (int server = 0; server < 3; ++server) {
        LockState lock;
        lock.name = "red";
        lock.node = std::to_string(server);
        for (const PartSeen &part : parts) {
            if (part.server != server)
                continue;
            Holder holder;
            holder.owner = part.owner;
            holder.since = part.since;
            holder.mode = part.mode;
            holder.expiresAt = MonoTime(60s);
            lock.kind = part.mode ? Kind::ReadWrite : Kind::Reentrant;
            lock.holders.push_back(holder);
        }
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->status.phase = SourcePhase::Live;
        snapshot->nodes.resize(1);
        snapshot->nodes.front().node = lock.node;
        snapshot->nodes.front().status = snapshot->status;
        if (!lock.holders.empty())
            snapshot->locks = std::vector{ std::make_shared<const LockState>(lock) };
        join.put(std::to_string(server), snapshot);
    }
    return join.join({})->locks.front();
}

Situation heldByMostOf(std::vector<PartSeen> parts)
{
    return [parts = std::move(parts)] {
        const Quorum quorum = *joined(parts)->quorum;
        return quorum.held >= quorum.needed();
    };
}

/// Stands in the queue of the free name `billing`, and listens for a lock of another name.
void joinQueue(EngineBench &bench, const OwnerId &waiter, const char *lock)
{
    auto &queue = bench.server["billing"];
    queue.name = "billing";
    queue.kind = Kind::Fair;
    queue.waiters.push_back({ waiter, bench.now().wall + 60s });
    queue.keys = { key_layout::fairQueue("billing") };
    bench.channels.emplace_back(key_layout::fairChannel(lock, waiter), 1);
}

/// Two locks that may have put their waiters into one queue; B, who stands in it, listens for the first.
void showMappedQueue(EngineBench &bench)
{
    bench.take("app:billing", A, Millis{ 60'000 });
    bench.take("test:billing", A, Millis{ 60'000 });
    joinQueue(bench, B, "app:billing");
    bench.up();
    bench.pass(Millis{ 6'000 });
}

} // namespace

/// What the monitor concludes is not what it sees: beside each such statement the situations that look much like it and
/// in which it would be false. Each row of a table is one.
class CounterExamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // "One holder has this RedLock on more than half of the servers."
    void quorum_data()
    {
        beginTable();
        holds("three clients of one RedLock, taken one after the other",
            heldByMostOf({ { 0, client("a"), taken(1s) }, { 1, client("b"), taken(1'020ms) },
                { 2, client("c"), taken(1'050ms) } }));
        holds("two of its clients, and a stranger at the third server",
            heldByMostOf(
                { { 0, client("a"), taken(1s) }, { 1, client("b"), taken(1s) }, { 2, client("c", "8"), taken(1s) } }));
        holds("held when it was first seen, at each server at another moment",
            heldByMostOf(
                { { 0, client("a"), seenAt(1s) }, { 1, client("b"), seenAt(1s) }, { 2, client("c"), seenAt(20s) } }));
        holds("one client for all servers",
            heldByMostOf({ { 0, client("a"), taken(1s) }, { 1, client("a"), taken(9s) } }));
        fails("other threads: they contend",
            heldByMostOf({ { 0, client("a", "1"), taken(1s) }, { 1, client("b", "2"), taken(1s) },
                { 2, client("c", "3"), taken(1s) } }));
        fails("the same thread id by chance, but no attempt lasts that long",
            heldByMostOf(
                { { 0, client("a"), taken(1s) }, { 1, client("b"), taken(11s) }, { 2, client("c"), taken(21s) } }));
        fails("the second was seen to take it long after the first was known",
            heldByMostOf({ { 0, client("a"), seenAt(1s) }, { 1, client("b"), taken(11s) } }));
        fails("two clients of lockcore: each has one id for all servers, as another lock of theirs shows",
            heldByMostOf({ { 0, client("a"), taken(1s) }, { 1, client("b"), taken(1s) },
                { 2, client("a", "8"), taken(1s), HoldMode::Read },
                { 2, client("b", "9"), taken(1s), HoldMode::Read } }));
        fails("a reader and a writer",
            heldByMostOf(
                { { 0, client("a"), taken(1s), HoldMode::Read }, { 1, client("b"), taken(1s), HoldMode::Write } }));
        fails("one server alone", heldByMostOf({ { 0, client("a"), taken(1s) } }));
        fails("two readers on one server",
            heldByMostOf(
                { { 0, client("a"), taken(1s), HoldMode::Read }, { 0, client("b"), taken(1s), HoldMode::Read } }));
    }
    void quorum() { compare(); }

    // "A port of Redisson holds this lock."
    void lockOfAPort_data()
    {
        beginTable();
        const auto read = [](HashFields fields, std::int64_t pttl) {
            return Situation([fields = std::move(fields), pttl] {
                LockLook look;
                look.fields = fields;
                look.pttl = pttl;
                const auto reading = recognise("order", look);
                return reading && reading->holders.at(0).fromPort;
            });
        };
        holds("an owner with a named worker, for a time", read({ { A.client + ":worker-7", "1" } }, 30'000));
        fails("Redisson's own form", read({ { toString(A), "1" } }, 30'000));
        fails("a counter of something with an id", read({ { A.client + ":clicks", "7" } }, 30'000));
        fails("a numbered one that never ends", read({ { A.client + ":page-2", "7" } }, -1));
        fails("no count", read({ { A.client + ":worker-7", "busy" } }, 30'000));
        fails("one of several fields", read({ { A.client + ":page-1", "7" }, { A.client + ":page-2", "7" } }, 30'000));
    }
    void lockOfAPort() { compare(); }

    // "This queue is that of a lock whose name is mapped."
    void mappedQueue_data()
    {
        beginTable();
        const auto mapped = [](std::function<void(EngineBench &)> change = {}) {
            return Situation([=] {
                EngineBench bench;
                bench.take("app:billing", A, Millis{ 30'000 });
                auto &queue = bench.server["billing"];
                queue.name = "billing";
                queue.kind = Kind::Fair;
                queue.waiters = { { B, bench.now().wall + 60s } };
                queue.keys = { key_layout::fairQueue("billing") };
                bench.channels = { { key_layout::fairChannel("app:billing", B), 1 } };
                if (change)
                    change(bench);
                bench.up();
                bench.pass(Millis{ 6'000 });
                return !bench.shown("billing"); // but with the lock that it is taken to belong to
            });
        };
        holds("its waiter listens on the channel of the mapped name", mapped());
        fails("its waiter listens on its own channel, and on another one",
            mapped([](EngineBench &bench) { bench.channels.emplace_back(key_layout::fairChannel("billing", B), 1); }));
        fails("another one listens there", mapped([](EngineBench &bench) {
            bench.channels = { { key_layout::fairChannel("app:billing", A), 1 } };
        }));
        fails(
            "nobody listens any more: it may be anyone's", mapped([](EngineBench &bench) { bench.channels.clear(); }));
        fails("its name is held, too", mapped([](EngineBench &bench) {
            bench.server["billing"].holders = { HolderReading{ B, 1, {}, {}, false } };
        }));
        fails("its name was held a moment ago", mapped([](EngineBench &bench) {
            bench.up();
            const auto queue = bench.server.extract("billing");
            bench.take("billing", A, Millis{ 30'000 });
            bench.changed("billing");
            bench.unlock("billing");
            bench.server.insert_or_assign("billing", queue.mapped());
            bench.changed("billing");
        }));
        fails("its waiter listens still for another lock, which it waited for before", mapped([](EngineBench &bench) {
            bench.take("stock", A, Millis{ 30'000 });
            bench.channels = { { key_layout::fairChannel("stock", B), 1 } };
        }));
        fails("the entry was left behind by a thread that waits in the queue of the other lock now",
            mapped([](EngineBench &bench) {
                auto &lock = bench.server["app:billing"];
                lock.kind = Kind::Fair;
                lock.waiters = bench.server["billing"].waiters;
                lock.keys.push_back(key_layout::fairQueue("app:billing"));
            }));
    }
    void mappedQueue() { compare(); }

    // "It lined up for the lock to which the queue was joined." And "it left that queue."
    void changeOfAMappedQueue_data()
    {
        beginTable();
        const auto told = [](EventKind kind, std::function<void(EngineBench &)> change) {
            return Situation([=] {
                EngineBench bench;
                showMappedQueue(bench);
                change(bench);
                bench.changed(key_layout::fairQueue("billing"));
                bench.pass(Millis{ 6'000 });
                return std::ranges::any_of(bench.events,
                    [&](const Event &event) { return event.kind == kind && event.lock == "app:billing"; });
            });
        };
        const auto joins = [](const char *lock) { return [=](EngineBench &bench) { joinQueue(bench, C, lock); }; };
        holds("who comes listens for it", told(EventKind::Queued, joins("app:billing")));
        holds("who comes listens still for another lock, which it waited for before",
            told(EventKind::Queued, joins("stock")));
        fails(
            "who comes listens for another lock that shares the queue", told(EventKind::Queued, joins("test:billing")));
        fails("who comes listens for a lock of the queue's own name", told(EventKind::Queued, joins("billing")));
        holds("it is gone from the queue",
            told(EventKind::Dequeued, [](EngineBench &bench) { bench.server.erase("billing"); }));
        fails("the queue turned out to be shared", told(EventKind::Dequeued, joins("test:billing")));
    }
    void changeOfAMappedQueue() { compare(); }

    // "It acquired the lock." Of a lock with two holders.
    void acquiredByTwo_data()
    {
        beginTable();
        const auto told = [](std::optional<Millis> before, std::size_t holdersBefore) {
            return Situation([=] {
                EngineBench bench;
                bench.up();
                bench.pass(Millis{ 6'000 });
                bench.take("job", A, Millis{ 60'000 });
                auto &lock = bench.server["job"];
                lock.ttl = before;
                const HolderReading second{ B, 1, {}, {}, false };
                if (holdersBefore == 2)
                    lock.holders.push_back(second);
                bench.changed("job");
                bench.pass(Millis{ 1'000 });
                if (holdersBefore == 1)
                    lock.holders.push_back(second);
                lock.ttl = Millis{ 60'000 };
                bench.changed("job");
                bench.pass(Millis{ 1'000 });
                return std::ranges::any_of(bench.events,
                    [](const Event &event) { return event.kind == EventKind::Acquired && event.owner == B; });
            });
        };
        holds("comes to a lock that was seen", told(Millis{ 60'000 }, 1));
        fails("was there before the hash looked like a lock", told(std::nullopt, 2));
    }
    void acquiredByTwo() { compare(); }

    // "This queue is that of both."
    void sharedQueue_data()
    {
        beginTable();
        const auto shared = [](const char *lock) {
            return Situation([=] {
                EngineBench bench;
                showMappedQueue(bench);
                joinQueue(bench, C, lock);
                bench.changed(key_layout::fairQueue("billing"));
                bench.pass(Millis{ 6'000 });
                const auto unclaimed = bench.shown("billing");
                return unclaimed && unclaimed->waiters.size() == 2 && bench.shown("app:billing")->waiters.empty();
            });
        };
        holds("its waiters listen for two locks", shared("test:billing"));
        fails("its waiters listen for one", shared("app:billing"));
    }
    void sharedQueue() { compare(); }

    // "The client of this waiter is gone."
    void deadWaiter_data()
    {
        beginTable();
        const auto row = [](auto tell, const char *when, auto show, Millis time = 10s) {
            tell(when, suspected(SuspectKind::DeadWaiter, show, time));
        };
        row(holds, "nobody listens on its channel for long", queueOf(silent));
        row(fails, "somebody listens", queueOf(live));
        row(fails, "it came a moment ago: it enters the queue before it listens", queueOf(silent), 3s);
        row(fails, "nobody has asked yet, or may ask, or could not ask everywhere",
            queueOf([](const AnalysisBench &bench) {
                auto waiter = silent(bench);
                waiter.subscribed.reset();
                return waiter;
            }));
        row(fails, "its server is not to be seen", [](AnalysisBench &bench) {
            queueOf(silent)(bench);
            bench.snapshot.nodes[0].status.staleSince = bench.mono;
        });
    }
    void deadWaiter() { compare(); }

    // "Nobody takes the lock, though some are queued."
    void orphanQueue_data()
    {
        beginTable();
        const auto row = [](auto tell, const char *when, auto show, Millis time = 10s) {
            tell(when, suspected(SuspectKind::OrphanQueue, show, time));
        };
        row(holds, "free for long", queueOf(live, freed));
        row(fails, "held", queueOf(live));
        row(fails, "a moment between release and next hold", queueOf(live, freed), 1s);
        row(fails, "changes are not told of: it was held at other moments", [](AnalysisBench &bench) {
            bench.snapshot.nodes[0].status.feed = Feed::Rereading;
            queueOf(live, freed)(bench);
        });
        fails("each look finds it free, but it changed hands in between", [] {
            AnalysisBench bench;
            queueOf(live, freed)(bench);
            for (int i = 0; i < 10; ++i) {
                bench.look();
                bench.hear(EventKind::Acquired, "order", B);
                bench.hear(EventKind::Released, "order", B);
                bench.pass(1s);
            }
            return !bench.look().suspects.empty();
        });
    }
    void orphanQueue() { compare(); }

    // "Its watchdog should have renewed it by now."
    void lateRenewal_data()
    {
        beginTable();
        const auto row = [](auto tell, const char *when, Change change, Kind kind = Kind::Reentrant) {
            tell(when, suspected(SuspectKind::LateRenewal, with(kind, change), 15s));
        };
        const auto watchdog = [](LockState &lock) { lock.lease = Lease::Watchdog; };
        row(holds, "a watchdog, and half of the lease is over", watchdog);
        row(fails, "a fixed lease", [](LockState &lock) { lock.lease = Lease::Fixed; });
        row(fails, "a lease of which nothing is known yet", [](LockState &) {});
        row(fails, "taken again with a longer lease, which the watchdog will not bring back", [](LockState &lock) {
            lock.lease = Lease::Watchdog;
            lock.leaseSeen = Millis{ 90'000 };
            lock.expiresAt = *lock.expiresAt + 10s;
            lock.ttlHistory = { { lock.holders[0].since.at, 80s, 40s, true } }; // renewed with another
        });
        row(fails, "free", [&](LockState &lock) {
            watchdog(lock);
            freed(lock);
        });
    }
    void lateRenewal() { compare(); }

    // "It never ends by itself."
    void neverExpires_data()
    {
        beginTable();
        const auto row = [](auto tell, const char *when, Change change, Kind kind = Kind::Reentrant) {
            tell(when, suspected(SuspectKind::NoTtl, with(kind, change), 5s));
        };
        row(holds, "held without a time to live", [](LockState &lock) { lock.expiresAt.reset(); });
        row(fails, "held for a time", [](LockState &) {});
        row(fails, "free", freed);
        row(fails, "a semaphore never ends, and need not", freed, Kind::Semaphore);
    }
    void neverExpires() { compare(); }

    // "They wait though it is free."
    void freeButWaitedFor_data()
    {
        beginTable();
        const auto row = [](auto tell, const char *when, auto show, Millis time = 15s) {
            tell(when, suspected(SuspectKind::FreeButWaitedFor, show, time));
        };
        row(holds, "clients listen, and nobody holds it", [](AnalysisBench &bench) { listen(bench, 2); });
        row(fails, "it is held", [](AnalysisBench &bench) {
            listen(bench, 2);
            with(Kind::Reentrant, [](LockState &) {})(bench);
        });
        row(
            fails, "their subscription ends in a moment", [](AnalysisBench &bench) { listen(bench, 2); }, 5s);
        row(fails, "nobody listens", [](AnalysisBench &bench) { listen(bench, 0); });
        row(fails, "not all servers can be seen: it may be held there", [](AnalysisBench &bench) {
            listen(bench, 2);
            bench.snapshot.nodes[0].status.phase = SourcePhase::Stale;
        });
        row(fails, "no permit is left", [](AnalysisBench &bench) {
            auto lock = bench.held("order", A, Kind::Semaphore);
            freed(lock);
            lock.permits = PermitsReading{};
            bench.show(lock);
            bench.snapshot.channels = std::make_shared<const std::vector<ChannelState>>(
                1, ChannelState{ key_layout::semaphoreChannel("order"), "n1", 1, bench.mono });
        });
        fails("it was taken and released meanwhile", [] {
            AnalysisBench bench;
            listen(bench, 2);
            for (int i = 0; i < 4; ++i) {
                bench.watch(5s);
                bench.hear(EventKind::Acquired, "order", B);
            }
            return !bench.look().suspects.empty();
        });
    }
    void freeButWaitedFor() { compare(); }
};

QTEST_APPLESS_MAIN(CounterExamples)
#include "tst_counter_examples.moc"
