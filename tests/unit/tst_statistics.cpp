// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/statistics.h"
#include "tests/unit/analysis_bench.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace testsupport;

namespace {

/// A store and its clock.
struct Bench {
    void hear(EventKind kind, const OwnerId &owner, Millis after, const std::string &node = "n1",
        const LockName &lock = "stock")
    {
        now += after;
        Event event;
        event.kind = kind;
        event.lock = lock;
        event.owner = owner;
        event.node = node;
        store.heard(event, now);
    }
    void gap(const std::string &node, Millis after, MonoTime::duration length = {})
    {
        now += after;
        Event event;
        event.kind = EventKind::Gap;
        event.node = node;
        event.ttl = std::chrono::duration_cast<Millis>(length);
        store.heard(event, now);
    }
    void conclude(EventKind kind, const OwnerId &owner, Millis after)
    {
        now += after;
        Event event;
        event.kind = kind;
        event.lock = "stock";
        event.owner = owner;
        event.node = "n1";
        event.certainty = Certainty::Inferred;
        store.heard(event, now);
    }
    LockStatistics numbers(const LockName &lock = "stock")
    {
        for (const auto &entry : *store.list(now)) {
            if (entry->lock == lock)
                return *entry;
        }
        return {};
    }

    /// Who stands in the queue since now.
    Waiter waiter(const OwnerId &owner, std::optional<bool> subscribed = true) const
    {
        return { owner, {}, { now, true }, subscribed };
    }
    void see(const LockState &lock) { store.queueSeen(lock, now); }

    StatisticsStore store;
    MonoTime now{ std::chrono::hours(1) };
};

LockState queueOf(std::vector<Waiter> waiters)
{
    LockState lock;
    lock.name = "stock";
    lock.node = "n1";
    lock.waiters = std::move(waiters);
    return lock;
}

constexpr Millis AtOnce{ 0 };

} // namespace

class TestStatistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// When it was taken nobody knows.
    void measuresNoHoldWhoseBeginningWasConcluded()
    {
        Bench bench;
        bench.conclude(EventKind::Acquired, A, Millis{ 10 });
        bench.hear(EventKind::Released, A, Millis{ 500 });
        QCOMPARE(bench.numbers().acquires, 1);
        QCOMPARE(bench.numbers().holds, 0);
        bench.hear(EventKind::Acquired, A, Millis{ 10 });
        bench.conclude(EventKind::Released, A, Millis{ 500 }); // of older clients nothing proves an unlock
        QCOMPARE(bench.numbers().holds, 1);
    }

    void measuresWholeHoldsOnly()
    {
        Bench bench;
        bench.hear(EventKind::Appeared, A, AtOnce);
        bench.hear(EventKind::Released, A, Millis{ 5'000 }); // it began before
        bench.hear(EventKind::Acquired, B, AtOnce);
        bench.hear(EventKind::Reentered, B, Millis{ 10 });
        bench.hear(EventKind::PartlyReleased, B, Millis{ 10 });
        bench.hear(EventKind::Released, B, Millis{ 80 });
        bench.hear(EventKind::Acquired, B, AtOnce);
        bench.hear(EventKind::Expired, B, Millis{ 300 });
        bench.hear(EventKind::Acquired, A, AtOnce);
        const auto numbers = bench.numbers();
        QCOMPARE(numbers.acquires, std::int64_t{ 3 });
        QCOMPARE(numbers.holds, std::int64_t{ 2 });
        QCOMPARE(numbers.heldTotal, Millis{ 400 });
        QCOMPARE(numbers.heldLongest, Millis{ 300 });
        QCOMPARE(numbers.handOvers, std::int64_t{ 2 });
    }

    /// A hundred thousand locks that are merely there need no records.
    void keepsNothingOfWhatWasThereAlready()
    {
        Bench bench;
        bench.hear(EventKind::Appeared, A, AtOnce);
        bench.hear(EventKind::FoundQueued, B, AtOnce);
        QVERIFY(bench.store.of("stock") == nullptr);
        QVERIFY(bench.store.list(bench.now)->empty());
    }

    /// A recording tells of what was held when it began since when it was: it was not seen whole.
    void doesNotMeasureWhatIsToldToHaveBegunBefore()
    {
        Bench bench;
        for (const bool exact : { false, true }) {
            Event there;
            there.at = WallTime(Millis{ 60'000 });
            there.kind = EventKind::Appeared;
            there.lock = "stock";
            there.owner = A;
            there.node = "n1";
            there.since = KnownSince{ WallTime(Millis{ 20'000 }), exact };
            bench.store.heard(there, bench.now);
            bench.hear(EventKind::Released, A, Millis{ 5'000 });
            QCOMPARE(bench.numbers().holds, std::int64_t{ 0 });
        }
        bench.hear(EventKind::Acquired, A, Millis{ 1'000 });
        bench.hear(EventKind::Released, A, Millis{ 5'000 });
        QCOMPARE(bench.numbers().heldTotal, Millis{ 5'000 });
        QCOMPARE(bench.numbers().acquires, std::int64_t{ 1 });
    }

    void takesReadersThatShareForNoHandOver()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, Millis{ 0 });
        bench.hear(EventKind::Acquired, B, Millis{ 10 });
        bench.hear(EventKind::Released, A, Millis{ 10 });
        bench.hear(EventKind::Acquired, A, Millis{ 10 });
        QCOMPARE(bench.numbers().handOvers, std::int64_t{ 0 });
        bench.hear(EventKind::Released, B, Millis{ 10 });
        bench.hear(EventKind::Released, A, Millis{ 10 });
        bench.hear(EventKind::Acquired, B, Millis{ 10 });
        QCOMPARE(bench.numbers().handOvers, std::int64_t{ 1 });
    }

    void countsNothingAcrossAGap()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.hear(EventKind::Queued, B, AtOnce);
        bench.hear(EventKind::Renewed, A, Millis{ 10'000 });
        bench.gap("n1", Millis{ 20'000 });
        bench.hear(EventKind::Renewed, A, Millis{ 1 });
        bench.hear(EventKind::Released, A, Millis{ 1 });
        bench.hear(EventKind::Acquired, B, Millis{ 1 });
        const auto numbers = bench.numbers();
        QCOMPARE(numbers.acquires, std::int64_t{ 2 });
        QCOMPARE(numbers.holds, std::int64_t{ 0 });
        QCOMPARE(numbers.waits, std::int64_t{ 0 });
        QCOMPARE(numbers.handOvers, std::int64_t{ 1 }); // seen after it
        QCOMPARE(numbers.renewals, std::int64_t{ 2 });
        QCOMPARE(numbers.renewalGapLongest, Millis{ 0 });
        QCOMPARE(numbers.blocked, Millis{ 30'000 }); // B, until nothing could be seen
    }

    /// What is found renewed after a gap was renewed in it: nobody saw when.
    void measuresNoGapFromARenewalThatWasNotSeen()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.gap("n1", Millis{ 20'000 });
        Event found;
        found.kind = EventKind::Renewed;
        found.lock = "stock";
        found.owner = A;
        found.node = "n1";
        found.certainty = Certainty::Inferred;
        bench.store.heard(found, bench.now);
        bench.hear(EventKind::Renewed, A, Millis{ 500 });
        QCOMPARE(bench.numbers().renewalGapLongest, Millis{ 0 });
        bench.hear(EventKind::Renewed, A, Millis{ 10'000 });
        QCOMPARE(bench.numbers().renewalGapMean, Millis{ 10'000 });
        QCOMPARE(bench.numbers().renewals, std::int64_t{ 3 });
    }

    void leavesOtherServersAloneInAGap()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.gap("n2", Millis{ 10 });
        bench.hear(EventKind::Released, A, Millis{ 10 });
        QCOMPARE(bench.numbers().holds, std::int64_t{ 1 });
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.gap({}, Millis{ 10 });
        bench.hear(EventKind::Released, A, Millis{ 10 });
        QCOMPARE(bench.numbers().holds, std::int64_t{ 1 });
    }

    void measuresWaitsAndWhoIsBlocked()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.hear(EventKind::Queued, B, Millis{ 70 });
        bench.hear(EventKind::Queued, C, Millis{ 100 });
        bench.hear(EventKind::Released, A, Millis{ 100 });
        bench.hear(EventKind::Acquired, B, Millis{ 5 }); // free in between: they wait all the same
        bench.hear(EventKind::Dequeued, C, Millis{ 50 });
        const auto numbers = bench.numbers();
        QCOMPARE(numbers.waits, std::int64_t{ 2 });
        QCOMPARE(numbers.waitedTotal, Millis{ 205 + 155 });
        QCOMPARE(numbers.waitedLongest, Millis{ 205 });
        QCOMPARE(numbers.blocked, numbers.waitedTotal);
    }

    /// A ghost does not wait, and where it is only concluded how a wait ended, it was not seen to its end.
    void measuresWholeWaitsOnly()
    {
        Bench bench;
        Event left;
        left.lock = "stock";
        left.owner = B;
        left.node = "n1";
        const auto leave = [&](EventKind kind, std::optional<std::int64_t> listeners, Certainty certainty) {
            bench.hear(EventKind::Queued, B, AtOnce);
            bench.now += Millis{ 1'000 };
            left.kind = kind;
            left.count = listeners;
            left.certainty = certainty;
            bench.store.heard(left, bench.now);
        };
        leave(EventKind::Dequeued, 0, Certainty::Seen);
        leave(EventKind::WaiterTimedOut, {}, Certainty::Inferred);
        QCOMPARE(bench.numbers().waits, std::int64_t{ 0 });
        leave(EventKind::Dequeued, {}, Certainty::Seen);
        leave(EventKind::Acquired, 1, Certainty::Seen);
        QCOMPARE(bench.numbers().waits, std::int64_t{ 2 });
        QCOMPARE(bench.numbers().waitedTotal, Millis{ 2'000 });
    }

    void countsThoseWhoWaitedBeforeFromTheFirstLookOn()
    {
        Bench bench;
        LockState lock = queueOf({ bench.waiter(B), bench.waiter(C) });
        lock.holders.emplace_back().owner = A;
        bench.see(lock);
        bench.now += Millis{ 3'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 6'000 });
        QCOMPARE(bench.numbers().waits, std::int64_t{ 0 });

        lock.waiters.back().subscribed = false; // it is gone
        lock.waiters.back().listenedLast = bench.now;
        bench.see(lock);
        bench.now += Millis{ 1'000 };
        bench.see(lock); // nothing new
        QCOMPARE(bench.numbers().blocked, Millis{ 7'000 });

        bench.hear(EventKind::Released, A, AtOnce);
        bench.now += Millis{ 500 };
        bench.hear(EventKind::Acquired, B, AtOnce);
        lock.holders.front().owner = B;
        bench.now += Millis{ 800 }; // until somebody looks, too
        lock.waiters.clear();
        bench.see(lock);
        bench.now += Millis{ 5'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 7'500 });
        QCOMPARE(bench.numbers().waits, std::int64_t{ 0 }); // how long it was is not known

        lock.waiters.push_back(bench.waiter(A));
        bench.hear(EventKind::Queued, A, Millis{ 20 }); // of which is heard a moment later
        bench.see(lock);
        bench.now += Millis{ 980 };
        QCOMPARE(bench.numbers().blocked, Millis{ 8'500 }); // not twice, and as its row in the queue has it
        bench.store.queueGone(lock, bench.now);
        bench.see(lock);
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 9'500 });
    }

    /// The figure and the rows of the queue say the same: who stands there since the same moment has waited all the
    /// time, also out of sight.
    void countsAcrossAGapWhoWasThereAllTheTime()
    {
        Bench bench;
        LockState lock = queueOf({ bench.waiter(B), bench.waiter(C) });
        bench.see(lock);
        bench.now += Millis{ 4'000 };
        const MonoTime lost = bench.now - Millis{ 1'000 };
        bench.store.lookAtServers({ { "n1", lost } });
        bench.now += Millis{ 10'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 6'000 });
        bench.gap("n1", AtOnce, bench.now - lost);
        bench.store.lookAtServers({ { "n1", {} } });
        QCOMPARE(bench.numbers().blocked, Millis{ 6'000 });
        lock.waiters.back().since = { bench.now, false }; // with another time-out: it may have been away
        bench.see(lock);
        QCOMPARE(bench.numbers().blocked, Millis{ 14'000 + 3'000 });
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 15'000 + 4'000 });
        bench.hear(EventKind::Acquired, B, AtOnce);
        QCOMPARE(bench.numbers().blocked, Millis{ 15'000 + 4'000 });
        QCOMPARE(bench.numbers().waits, std::int64_t{ 0 }); // not all of it was seen
    }

    /// Of a lock that is as it was nothing new comes after a gap.
    void looksAfterAGapWhoWaitsStill()
    {
        AnalysisBench bench;
        LockState lock = bench.held("stock", A, Kind::Fair);
        lock.waiters.push_back(bench.waiter(B, Millis{ 60'000 }));
        bench.show(lock);
        bench.watch(Millis{ 5'000 });
        Event gap = bench.event(EventKind::Gap, {}, {});
        gap.owner.reset();
        gap.ttl = Millis{ 2'000 };
        bench.hear(gap);
        const auto waited = [&] { return statisticsOf(*bench.last, "stock")->blocked; };
        bench.look();
        QCOMPARE(waited(), Millis{ 3'000 });
        bench.watch(Millis{ 4'000 });
        QCOMPARE(waited(), Millis{ 9'000 });
    }

    /// Who waits goes on waiting, in the queue as another server has it.
    void countsNoWaitAgainThatAnotherServerKeeps_data()
    {
        QTest::addColumn<bool>("found");
        QTest::addColumn<bool>("lost");
        QTest::newRow("failover, found") << true << true;
        QTest::newRow("failover, seen to come") << false << true;
        QTest::newRow("its slot moves, found") << true << false;
        QTest::newRow("its slot moves, seen to come") << false << false;
    }
    void countsNoWaitAgainThatAnotherServerKeeps()
    {
        QFETCH(const bool, found);
        QFETCH(const bool, lost);
        AnalysisBench bench;
        LockState lock = bench.held("stock", A, Kind::Fair);
        lock.waiters.push_back(bench.waiter(B, Millis{ 600'000 }));
        const MonoTime since = bench.mono;
        const auto waited = [&] { return statisticsOf(*bench.last, "stock")->blocked; };
        if (!found)
            bench.hear(EventKind::Queued, "stock", B);
        bench.show(lock);
        bench.watch(Millis{ 5'000 });
        for (const std::string master : { "n2", "n1" }) {
            const std::string former = std::exchange(lock.node, master);
            const MonoTime unseenSince = bench.mono;
            if (lost) {
                NodeStatus &node = bench.snapshot.nodes.front();
                node.status.phase = SourcePhase::Stale;
                node.status.staleSince = unseenSince;
                bench.snapshot.status.staleSince = unseenSince;
                bench.watch(Millis{ 5'000 });
                Event changed = bench.event(EventKind::MasterChanged, {}, {}, master);
                changed.formerMaster = former;
                bench.hear(changed);
                bench.look(); // at what was published before
                QCOMPARE(waited(), unseenSince - since);
                node.node = master;
                bench.watch(Millis{ 2'000 });
                QCOMPARE(waited(), unseenSince - since);
                Event gap = bench.event(EventKind::Gap, {}, {}, master);
                gap.ttl = std::chrono::duration_cast<Millis>(bench.mono - unseenSince);
                bench.hear(gap);
                node.status.phase = SourcePhase::Live;
                node.status.staleSince.reset();
                bench.snapshot.status.staleSince.reset();
            }
            bench.show(lock);
            bench.watch(Millis{ 5'000 });
            QCOMPARE(waited(), bench.mono - since);
        }
        bench.hear(bench.event(EventKind::Acquired, "stock", B));
        QCOMPARE(statisticsOf(bench.look(), "stock")->waits, std::int64_t{ found || lost ? 0 : 1 });
        QCOMPARE(waited(), bench.mono - since);
    }

    /// Until the next look nothing tells that it went on.
    void countsNothingOfAWaitThatEndedWhileAnotherServerTookOver()
    {
        AnalysisBench bench;
        LockState lock = bench.held("stock", A, Kind::Fair);
        lock.waiters.push_back(bench.waiter(B, Millis{ 600'000 }));
        bench.hear(EventKind::Queued, "stock", B);
        bench.show(lock);
        bench.watch(Millis{ 5'000 });
        Event changed = bench.event(EventKind::MasterChanged, {}, {}, "n2");
        changed.formerMaster = "n1";
        bench.hear(changed);
        bench.pass(Millis{ 3'000 });
        Event gap = bench.event(EventKind::Gap, {}, {}, "n2");
        gap.ttl = Millis{ 3'000 };
        bench.hear(gap);
        bench.hear(bench.event(EventKind::Acquired, "stock", B, "n2"));
        QCOMPARE(statisticsOf(bench.look(), "stock")->blocked, Millis{ 5'000 });
        QCOMPARE(statisticsOf(*bench.last, "stock")->waits, std::int64_t{ 0 });
    }

    void forgetsInAGapWhoIsGoneAfterwards()
    {
        Bench bench;
        LockState lock = queueOf({ bench.waiter(B), bench.waiter(C) });
        bench.see(lock);
        bench.gap("n1", Millis{ 5'000 }, Millis{ 2'000 });
        lock.waiters.pop_back();
        bench.see(lock);
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 6'000 + 3'000 });
    }

    /// One that left and lined up again waits anew.
    void countsFromAnewWhoLinedUpAgain()
    {
        Bench bench;
        LockState lock = queueOf({ bench.waiter(B) });
        bench.see(lock);
        bench.hear(EventKind::Dequeued, B, Millis{ 2'000 });
        bench.see(lock); // an older picture
        bench.hear(EventKind::Queued, B, Millis{ 1'000 });
        bench.see(lock); // the same one
        QCOMPARE(bench.numbers().blocked, Millis{ 2'000 });
        lock.waiters.front().since.at = bench.now;
        bench.see(lock);
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 3'000 });
    }

    /// Of two waits that are over an older picture may show the second one still.
    void countsNoWaitTwiceThatIsOver()
    {
        Bench bench;
        bench.hear(EventKind::Queued, B, AtOnce);
        bench.see(queueOf({ bench.waiter(B) }));
        bench.hear(EventKind::Acquired, B, Millis{ 100 });
        bench.hear(EventKind::Released, B, Millis{ 100 });
        bench.hear(EventKind::Queued, B, Millis{ 100 });
        const LockState older = queueOf({ bench.waiter(B) });
        bench.hear(EventKind::Acquired, B, Millis{ 100 });
        bench.hear(EventKind::Released, B, Millis{ 100 });
        bench.see(older);
        bench.now += Millis{ 1'000 };
        bench.see(queueOf({}));
        QCOMPARE(bench.numbers().blocked, Millis{ 200 });
    }

    /// The costliest wait of all: nobody holds the lock, and whoever is the first in the queue is gone.
    void countsWhoWaitsBehindAGhostOfAFreeLock()
    {
        Bench bench;
        LockState lock = queueOf({ bench.waiter(A, false), bench.waiter(B), bench.waiter(C, {}) });
        bench.see(lock);
        bench.now += Millis{ 60'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 60'000 });
        bench.hear(EventKind::Dequeued, A, AtOnce);
        bench.hear(EventKind::Acquired, B, Millis{ 10 });
        lock.waiters.erase(lock.waiters.begin(), lock.waiters.begin() + 2);
        lock.holders.emplace_back().owner = B;
        bench.see(lock);
        bench.now += Millis{ 5'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 60'010 }); // whether the last one lives is not known
    }

    /// Since when nobody listens is not known before it shows: it may have been right after somebody was seen to.
    void countsNoGhost()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.hear(EventKind::Queued, B, AtOnce);
        LockState lock = queueOf({ bench.waiter(B, {}) });
        lock.holders.emplace_back().owner = A;
        const auto look = [&](std::optional<bool> subscribed) {
            lock.waiters.front().subscribed = subscribed;
            bench.see(lock);
        };
        look({}); // not asked yet
        bench.now += Millis{ 500 };
        QCOMPARE(bench.numbers().blocked, Millis{ 0 });
        look(true);
        QCOMPARE(bench.numbers().blocked, Millis{ 500 });
        const MonoTime listened = bench.now + Millis{ 1'000 };
        bench.now += Millis{ 1'500 };
        QCOMPARE(bench.numbers().blocked, Millis{ 2'000 });
        lock.waiters.front().listenedLast = listened;
        look(false);
        bench.now += Millis{ 30'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 1'500 });
        look(true); // its connection had been lost: it waited on
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 33'000 });
    }

    void countsNothingOfAWaiterThatWasNeverSeenToLive()
    {
        Bench bench;
        bench.hear(EventKind::Queued, B, AtOnce);
        bench.now += Millis{ 2'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 0 });
        LockState lock = queueOf({ bench.waiter(B, false) });
        bench.see(lock);
        bench.now += Millis{ 2'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 0 });
        bench.hear(EventKind::Queued, C, AtOnce);
        bench.hear(EventKind::Acquired, C, Millis{ 100 }); // before anybody asked
        QCOMPARE(bench.numbers().blocked, Millis{ 100 });
    }

    /// Who holds it stands in its own queue no more, whatever an older picture shows.
    void doesNotFindWhoHasGotIt()
    {
        Bench bench;
        LockState lock = queueOf({ bench.waiter(B) });
        bench.hear(EventKind::Acquired, B, AtOnce);
        bench.see(lock);
        lock.waiters.front().owner = A;
        lock.holders.emplace_back().owner = A;
        bench.see(lock);
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 0 });
    }

    /// That the server is lost is noticed two seconds later.
    void stopsCountingWhatIsBlockedWhereNothingIsSeen_data()
    {
        QTest::addColumn<std::string>("lost");
        QTest::addColumn<int>("blocked");
        QTest::newRow("its server") << std::string("n1") << 3'000;
        QTest::newRow("all") << std::string() << 3'000;
        QTest::newRow("another") << std::string("n2") << 10'000;
    }
    void stopsCountingWhatIsBlockedWhereNothingIsSeen()
    {
        QFETCH(std::string, lost);
        QFETCH(int, blocked);
        Bench bench;
        bench.see(queueOf({ bench.waiter(B) }));
        const MonoTime since = bench.now + Millis{ 3'000 };
        bench.now += Millis{ 5'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ 5'000 });
        QCOMPARE(bench.numbers().blockedUntil, bench.now);
        bench.store.lookAtServers({ { lost, since } });
        bench.now += Millis{ 5'000 };
        bench.store.lookAtServers({ { lost, since } });
        QCOMPARE(bench.numbers().blocked, Millis{ blocked });
        QCOMPARE(*bench.numbers().blockedUntil, lost == "n2" ? bench.now : since);
        bench.gap(lost, Millis{ 0 }, bench.now - since);
        bench.store.lookAtServers({ { "n1", {} }, { "n2", {} } });
        QCOMPARE(bench.numbers().blocked, Millis{ blocked });
        bench.see(queueOf({ bench.waiter(C) }));
        bench.now += Millis{ 1'000 };
        QCOMPARE(bench.numbers().blocked, Millis{ blocked + 1'000 });
        bench.see(queueOf({}));
        QVERIFY(!bench.numbers().blockedUntil);
    }

    void takesOneHoldOnManyServersForOne()
    {
        Bench bench;
        for (const auto *node : { "n1", "n2", "n3" })
            bench.hear(EventKind::Acquired, A, Millis{ 1 }, node);
        for (const auto *node : { "n1", "n2", "n3" })
            bench.hear(EventKind::Renewed, A, Millis{ 1 }, node);
        for (const auto *node : { "n3", "n1", "n2" })
            bench.hear(EventKind::Released, A, Millis{ 100 }, node);
        const auto numbers = bench.numbers();
        QCOMPARE(numbers.acquires, std::int64_t{ 1 });
        QCOMPARE(numbers.renewals, std::int64_t{ 1 });
        QCOMPARE(numbers.holds, std::int64_t{ 1 });
        QCOMPARE(numbers.heldTotal, Millis{ 305 });
    }

    void keepsReaderAndWriterOfOneThreadApart()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        bench.hear(EventKind::Acquired, A, Millis{ 10 });
        bench.hear(EventKind::Released, A, Millis{ 10 });
        QCOMPARE(bench.numbers().holds, std::int64_t{ 0 });
        bench.hear(EventKind::Released, A, Millis{ 10 });
        QCOMPARE(bench.numbers().heldTotal, Millis{ 30 });
    }

    void measuresRenewalGapsAndPercentiles()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        for (const int gap : { 4'000, 10'000, 14'000 })
            bench.hear(EventKind::Renewed, A, Millis{ gap });
        bench.hear(EventKind::Released, A, Millis{ 2'000 });
        QCOMPARE(bench.numbers().renewalGapMean, Millis{ 12'000 });
        QCOMPARE(bench.numbers().renewalGapLongest, Millis{ 14'000 });
        for (int i = 1; i <= 300; ++i) { // the 30 s hold is out of the window by then
            bench.hear(EventKind::Acquired, A, AtOnce);
            bench.hear(EventKind::Released, A, Millis{ i });
        }
        QCOMPARE(bench.numbers().heldP99, Millis{ 298 }); // of 101 … 300
        QCOMPARE(bench.numbers().heldLongest, Millis{ 30'000 });
    }

    void forgetsLocksThatPassedAndKeepsTheirNumberBounded()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce, "n1", "often");
        bench.hear(EventKind::Released, A, AtOnce, "n1", "often");
        bench.hear(EventKind::Acquired, A, AtOnce, "n1", "often");
        bench.hear(EventKind::Released, A, AtOnce, "n1", "often");
        bench.hear(EventKind::Acquired, A, AtOnce, "n1", "once");
        bench.hear(EventKind::Released, A, AtOnce, "n1", "once");
        bench.now += std::chrono::minutes(3);
        QCOMPARE(bench.store.list(bench.now)->size(), std::size_t{ 1 });
        bench.now += std::chrono::minutes(60);
        QVERIFY(bench.store.list(bench.now)->empty());
        StatisticsStore small({ .locks = 10 });
        for (int i = 0; i < 100; ++i) {
            Event event;
            event.kind = EventKind::Acquired;
            event.lock = "lock" + std::to_string(i);
            event.owner = A;
            small.heard(event, bench.now += Millis{ 1 });
        }
        QCOMPARE(small.list(bench.now)->size(), std::size_t{ 10 });
        QVERIFY(small.of("lock99"));
    }

    /// What was lost by waiting is looked for when it is over: also where the lock itself was lost meanwhile.
    void keepsForAnHourWhatWasWaited_data()
    {
        QTest::addColumn<bool>("isLost");
        QTest::newRow("the lock is gone") << false;
        QTest::newRow("with its server") << true;
    }
    void keepsForAnHourWhatWasWaited()
    {
        QFETCH(bool, isLost);
        Bench bench;
        const LockState lock = queueOf({ bench.waiter(B) });
        bench.see(lock);
        for (int i = 0; i < 120; ++i) {
            bench.now += std::chrono::minutes(1);
            bench.numbers();
        }
        if (isLost)
            bench.gap("n1", AtOnce);
        else
            bench.store.queueGone(lock, bench.now);
        bench.now += std::chrono::minutes(59);
        QCOMPARE(bench.numbers().blocked, Millis{ std::chrono::hours(2) });
        bench.now += std::chrono::minutes(2);
        QVERIFY(bench.store.list(bench.now)->empty());
    }

    void givesTheSameListWhileNothingHappens()
    {
        Bench bench;
        bench.hear(EventKind::Acquired, A, AtOnce);
        const auto list = bench.store.list(bench.now);
        QCOMPARE(bench.store.list(bench.now += Millis{ 1'000 }), list);
        bench.hear(EventKind::Released, A, AtOnce);
        QVERIFY(bench.store.list(bench.now) != list);
        QCOMPARE((*list)[0]->holds, std::int64_t{ 0 }); // what was given out stays as it was
    }
};

QTEST_APPLESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
