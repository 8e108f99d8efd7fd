// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/lock_comparison.h"
#include "lockcore/synchronizers/key_layout.h"
#include "tests/unit/analysis_bench.h"

#include <QElapsedTimer>
#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;
using Kinds = std::vector<SuspectKind>;

namespace {

Kinds kindsOf(const Analysis &analysis)
{
    Kinds kinds;
    for (const auto &suspect : analysis.suspects)
        kinds.push_back(suspect.kind);
    return kinds;
}

LockState watched(const AnalysisBench &bench, const LockName &name, const OwnerId &owner)
{
    auto lock = bench.held(name, owner);
    lock.lease = Lease::Watchdog;
    lock.renewals = 3;
    return lock;
}

LockState queueOf(const AnalysisBench &bench, const LockName &name, std::vector<Waiter> waiters)
{
    auto lock = bench.held(name, A, Kind::Fair);
    lock.waiters = std::move(waiters);
    return lock;
}

/// Of nobody in it is it known whether it listens.
LockState unasked(LockState lock)
{
    for (Waiter &waiter : lock.waiters)
        waiter.subscribed.reset();
    return lock;
}

LockState withoutHolder(LockState lock)
{
    lock.holders.clear();
    lock.expiresAt.reset();
    return lock;
}

void listen(AnalysisBench &bench, const std::string &channel, std::int64_t subscribers)
{
    bench.snapshot.channels
        = std::make_shared<const std::vector<ChannelState>>(1, ChannelState{ channel, "n1", subscribers, bench.mono });
}

} // namespace

class TestSuspects : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void suspectsAWatchdogThatIsLateAndThenMissesItsRenewal()
    {
        AnalysisBench bench;
        bench.show(watched(bench, "order", A));
        QCOMPARE(kindsOf(bench.watch(Millis{ 12'000 })), Kinds{});
        QCOMPARE(kindsOf(bench.watch(Millis{ 3'000 })), Kinds{ SuspectKind::LateRenewal });
        const auto late = bench.last->suspects.at(0);
        QCOMPARE(late.evidence.what, Observed::RenewalLate);
        QCOMPARE(late.evidence.since, Millis{ 5'000 });
        QCOMPARE(late.evidence.left, Millis{ 15'000 });
        QCOMPARE(late.evidence.usual, Millis{ 30'000 });
        QCOMPARE(late.subject, toString(A));
        QCOMPARE(late.certainty, Certainty::Inferred);
        QCOMPARE(kindsOf(bench.watch(Millis{ 7'000 })), Kinds{ SuspectKind::MissedRenewal });
        QCOMPARE(bench.last->suspects.at(0).since, late.since);
        auto renewed = *bench.snapshot.locks[0];
        renewed.expiresAt = bench.mono + Millis{ 30'000 };
        bench.hear(EventKind::Renewed, "order", A);
        bench.show(renewed);
        QCOMPARE(kindsOf(bench.look()), Kinds{});
    }

    /// After a restart without data the count begins at one again: the holder before has a token that is as good.
    void tellsThatAFencingTokenWentBack_data()
    {
        QTest::addColumn<int>("before");
        QTest::addColumn<int>("after");
        QTest::addColumn<bool>("isSame");
        QTest::addColumn<bool>("isBack");
        QTest::newRow("a smaller one") << 5 << 1 << false << true;
        QTest::newRow("the same one, given again") << 1 << 1 << false << true;
        QTest::newRow("a larger one") << 1 << 2 << false << false;
        QTest::newRow("the same hold, that was out of sight") << 4 << 4 << true << false;
    }
    void tellsThatAFencingTokenWentBack()
    {
        QFETCH(const int, before);
        QFETCH(const int, after);
        QFETCH(const bool, isSame);
        QFETCH(const bool, isBack);
        AnalysisBench bench;
        const auto fenced = [&](const OwnerId &owner, int token) {
            auto lock = bench.held("stock", owner, Kind::Fenced);
            lock.token = token;
            return lock;
        };
        bench.show(fenced(A, before));
        QCOMPARE(kindsOf(bench.look()), Kinds{});
        bench.hide("stock");
        bench.hear(EventKind::Expired, "stock", A); // it is the token alone that tells
        bench.watch(Millis{ 2'000 });
        bench.show(fenced(isSame ? A : B, after));
        bench.look();
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), isBack ? Kinds{ SuspectKind::TokenWentBack } : Kinds{});
        if (!isBack)
            return;
        const auto &suspect = bench.last->suspects.at(0);
        QCOMPARE(suspect.certainty, Certainty::Seen);
        QCOMPARE(suspect.evidence.number, after);
        QCOMPARE(suspect.evidence.former, before);
        bench.show(fenced(A, before)); // still not larger
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::TokenWentBack });
        bench.show(fenced(B, before + 1));
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{});
    }

    /// Between two looks the hash and the token may be of two moments.
    void takesNoTokenForOneThatWentBackWhileItsLockIsSeen()
    {
        AnalysisBench bench;
        auto lock = bench.held("stock", A, Kind::Fenced);
        lock.token = 6;
        bench.show(lock);
        bench.look();
        lock.holders.front().owner = B;
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{});
    }

    void suspectsNoFixedLeaseOfBeingLate()
    {
        AnalysisBench bench;
        auto lock = bench.held("order", A);
        lock.lease = Lease::Fixed;
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 28'000 })), Kinds{});
    }

    void knowsThatTheLeaseOfAWriteLockAddsUpUntilItIsRenewed()
    {
        AnalysisBench bench;
        auto lock = watched(bench, "order", A);
        lock.kind = Kind::ReadWrite;
        lock.mode = lock.holders[0].mode = HoldMode::Write;
        lock.leaseSeen = Millis{ 60'000 };
        lock.ttlHistory = { { bench.mono, Millis{ 50'000 }, Millis{ 30'000 }, false } };
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 10'000 })), Kinds{});
    }

    void suspectsAHoldThatOutlivesWhatIsUsual()
    {
        AnalysisBench bench;
        for (int i = 0; i < 30; ++i) {
            bench.hear(EventKind::Acquired, "order", B);
            bench.pass(Millis{ 200 });
            bench.hear(EventKind::Released, "order", B);
        }
        auto lock = watched(bench, "order", A);
        lock.subscribers = 2;
        for (int i = 0; i < 8; ++i) {
            lock.expiresAt = bench.mono + Millis{ 30'000 };
            ++lock.renewals;
            bench.show(lock);
            bench.watch(Millis{ 10'000 });
        }
        QCOMPARE(kindsOf(*bench.last), Kinds{ SuspectKind::OutlivedHold });
        const auto &evidence = bench.last->suspects.at(0).evidence;
        QCOMPARE(std::chrono::floor<std::chrono::seconds>(evidence.since.value()).count(), 80);
        QVERIFY(evidence.waiting == 2 && evidence.areClients);
        QCOMPARE(evidence.usual, Millis{ 200 });
        lock.subscribers = 0; // nobody minds
        bench.show(lock);
        QCOMPARE(kindsOf(bench.look()), Kinds{});
    }

    void suspectsTheReaderThatOutlivesOthersWhoComeAndGo()
    {
        AnalysisBench bench;
        auto lock = watched(bench, "catalog", A);
        lock.kind = Kind::ReadWrite;
        lock.mode = lock.holders[0].mode = HoldMode::Read;
        lock.subscribers = 1;
        lock.ttlHistory = {};
        const auto keep = [&](auto &held) {
            held.expiresAt = held.holders[0].expiresAt = bench.mono + Millis{ 30'000 };
            bench.show(held);
            bench.watch(Millis{ 10'000 });
        };
        for (auto held = Millis{ 0 }; held <= std::chrono::hours(1); held += Millis{ 10'000 })
            keep(lock);
        QCOMPARE(kindsOf(*bench.last), Kinds{ SuspectKind::OutlivedHold });
        const auto since = bench.last->suspects.at(0).since;
        auto shared = lock;
        shared.lease = Lease::Unknown; // of the second it is not known yet
        shared.holders[0].lease = Lease::Watchdog;
        shared.holders.push_back(bench.held("catalog", B).holders[0]);
        shared.holders[1].mode = HoldMode::Read;
        keep(shared);
        QCOMPARE(kindsOf(*bench.last), Kinds{ SuspectKind::OutlivedHold });
        QCOMPARE(bench.last->suspects.at(0).since, since);
        QCOMPARE(bench.last->suspects.at(0).subject, toString(A));
        shared.holders[0].lease = Lease::Fixed; // it chose to hold it as long
        keep(shared);
        QCOMPARE(kindsOf(*bench.last), Kinds{});
    }

    void suspectsAQueueThatNobodyTakes()
    {
        AnalysisBench bench;
        bench.show(withoutHolder(queueOf(bench, "order", { bench.waiter(B, Millis{ 60'000 }) })));
        QCOMPARE(kindsOf(bench.look()), Kinds{});
        QCOMPARE(bench.last->pending, std::int64_t{ 1 });
        QCOMPARE(bench.last->pendingSuspects, (std::vector<PendingSuspect>{ { "order", SuspectKind::OrphanQueue } }));
        QCOMPARE(kindsOf(bench.watch(Millis{ 3'000 })), Kinds{ SuspectKind::OrphanQueue });
        const auto &suspect = bench.last->suspects.at(0);
        QCOMPARE(suspect.evidence.number, std::int64_t{ 1 });
        QCOMPARE(suspect.evidence.left, Millis{ 57'000 });
        QCOMPARE(suspect.since, bench.mono - Millis{ 3'000 });
        QCOMPARE(bench.last->pending, std::int64_t{ 0 });
        QVERIFY(bench.last->pendingSuspects.empty());
    }

    void takesHandOversForWhatTheyAre()
    {
        AnalysisBench bench;
        for (int i = 0; i < 20; ++i) { // each look finds it free, but it was held in between
            bench.show(withoutHolder(queueOf(bench, "order", { bench.waiter(C, Millis{ 60'000 }) })));
            QCOMPARE(kindsOf(bench.look()), Kinds{});
            bench.hear(EventKind::Acquired, "order", B);
            bench.hear(EventKind::Released, "order", B);
            bench.pass(Millis{ 1'000 });
        }
    }

    void waitsLongerWhereChangesAreNotAnnounced()
    {
        AnalysisBench bench;
        bench.snapshot.nodes[0].status.feed = Feed::Rereading;
        bench.show(withoutHolder(queueOf(bench, "order", { bench.waiter(B, Millis{ 60'000 }) })));
        QCOMPARE(kindsOf(bench.watch(Millis{ 20'000 })), Kinds{});
        QCOMPARE(kindsOf(bench.watch(Millis{ 11'000 })), Kinds{ SuspectKind::OrphanQueue });
    }

    void suspectsAWaiterThatNobodyListensFor()
    {
        AnalysisBench bench;
        bench.show(
            queueOf(bench, "order", { bench.waiter(B, Millis{ 250'000 }, false), bench.waiter(C, Millis{ 280'000 }) }));
        QCOMPARE(kindsOf(bench.watch(Millis{ 4'000 })), Kinds{});
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::DeadWaiter });
        const auto &suspect = bench.last->suspects.at(0);
        QCOMPARE(suspect.subject, toString(B));
        QCOMPARE(suspect.evidence.number, std::int64_t{ 1 }); // the head: it blocks the queue
        QCOMPARE(std::chrono::floor<std::chrono::seconds>(suspect.evidence.left.value()).count(), 244);
    }

    /// Of a free lock: nobody gets it before the last of the ghosts in a row has timed out.
    void tellsHowLongAllGhostsAtTheHeadBlockTheQueue()
    {
        AnalysisBench bench;
        const auto left = [](const std::optional<Millis> &time) {
            return std::chrono::floor<std::chrono::seconds>(time.value()).count();
        };
        const auto free = [&](std::vector<Waiter> waiters) {
            bench.show(withoutHolder(queueOf(bench, "order", std::move(waiters))));
            bench.watch(Millis{ 10'000 });
            return bench.last->suspects;
        };
        const auto ghosts = free({ bench.waiter(A, Millis{ 197'500 }, false), bench.waiter(B, Millis{ 497'500 }, false),
            bench.waiter(C, Millis{ 797'500 }) });
        QCOMPARE(kindsOf(*bench.last),
            (Kinds{ SuspectKind::OrphanQueue, SuspectKind::DeadWaiter, SuspectKind::DeadWaiter }));
        QCOMPARE(left(ghosts[0].evidence.left), 187);
        for (const Suspect &each : ghosts) {
            QCOMPARE(left(each.evidence.usual), 487);
            QCOMPARE(each.evidence.former, std::int64_t{ 2 });
        }
    }

    void namesAWaiterThatIsQueuedTwiceOnce()
    {
        AnalysisBench bench;
        const auto dead = bench.waiter(B, Millis{ 60'000 }, false);
        bench.show(queueOf(bench, "order", { dead, dead }));
        QCOMPARE(kindsOf(bench.watch(Millis{ 5'000 })), Kinds{ SuspectKind::DeadWaiter });
        QCOMPARE(bench.last->moreSuspects, std::int64_t{ 0 });
    }

    /// A token is no owner as Redisson writes it, and right all the same.
    void suspectsATokenLockOnlyIfItNeverEnds()
    {
        AnalysisBench bench;
        auto lock = bench.held("order", { "ADDED:2024@host", "" }, Kind::Token);
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{});
        lock.expiresAt.reset();
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::NoTtl });
    }

    void suspectsALockThatNeverEnds()
    {
        AnalysisBench bench;
        auto lock = bench.held("order", A);
        lock.expiresAt.reset();
        lock.subscribers = 1;
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::NoTtl });
        const auto &suspect = bench.last->suspects.at(0);
        QCOMPARE(suspect.certainty, Certainty::Seen);
        QVERIFY(suspect.evidence.waiting == 1 && suspect.evidence.areClients);
    }

    void suspectsReadersWhoseTimeoutsDoNotFit()
    {
        AnalysisBench bench;
        auto lock = bench.held("order", A, Kind::ReadWrite);
        lock.mode = lock.holders[0].mode = HoldMode::Read;
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 4'000 })), Kinds{});
        lock.holders.push_back(lock.holders[0]);
        lock.holders[1].owner = B;
        lock.holders[1].expired = true;
        lock.holders[0].expiresAt = *lock.expiresAt + Millis{ 9'000 };
        bench.show(lock);
        QCOMPARE(
            kindsOf(bench.watch(Millis{ 3'000 })), (Kinds{ SuspectKind::ReaderTimeouts, SuspectKind::ReaderTimeouts }));
        QCOMPARE(bench.last->suspects.at(0).evidence.left, Millis{ 9'000 });
        QCOMPARE(bench.last->suspects.at(1).subject, toString(B));
    }

    void takesNoReaderForAGhostWhoseTimeoutsWereTooManyToRead()
    {
        LockReading reading;
        reading.name = "order";
        reading.kind = Kind::ReadWrite;
        reading.mode = HoldMode::Read;
        reading.ttl = Millis{ 20'000 };
        reading.holders.push_back({ A, 5'000, HoldMode::Read, {} });
        LockRecord record;
        AnalysisBench bench;
        Look look;
        look.askedAt = look.at = bench.mono;
        look.wall = bench.wall;
        look.node = "n1";
        (void)enter(record, "order", &reading, look);
        QVERIFY(!record.state->holders.at(0).expired);
        bench.show(*record.state);
        QCOMPARE(kindsOf(bench.watch(Millis{ 3'000 })), Kinds{});
    }

    void suspectsDeadlinesThatTheQueueDoesNotExplain()
    {
        using namespace std::chrono_literals;
        AnalysisBench bench;
        bench.show(unasked(queueOf(bench, "good", { bench.waiter(B, 5min + 30s), bench.waiter(C, 10min + 30s) })));
        bench.show(unasked(queueOf(bench, "ahead", { bench.waiter(B, 5h) })));
        bench.show(unasked(queueOf(bench, "back", { bench.waiter(B, 5min), bench.waiter(C, 4min) })));
        const auto &analysis = bench.watch(11s);
        QCOMPARE(kindsOf(analysis), (Kinds{ SuspectKind::QueueClockDrift, SuspectKind::QueueClockDrift }));
        QCOMPARE(analysis.suspects.at(0).lock, std::string("ahead"));
        QCOMPARE(analysis.suspects.at(1).lock, std::string("back"));
        QCOMPARE(analysis.suspects.at(1).subject, toString(C));
    }

    /// Who waits with a limit of two hours moves all behind it.
    void suspectsOneWaiterOfAQueueInWhichEachWaitsLong()
    {
        using namespace std::chrono_literals;
        AnalysisBench bench;
        bench.show(unasked(queueOf(bench, "long", { bench.waiter(B, 2h), bench.waiter(C, 4h), bench.waiter(A, 6h) })));
        bench.show(
            unasked(queueOf(bench, "third", { bench.waiter(B, 5min), bench.waiter(C, 10min), bench.waiter(A, 2h) })));
        bench.show(unasked(
            queueOf(bench, "short", { bench.waiter(B, 9min), bench.waiter(C, 18min), bench.waiter(A, 27min) })));
        const auto &analysis = bench.watch(11s);
        QCOMPARE(kindsOf(analysis), (Kinds{ SuspectKind::QueueClockDrift, SuspectKind::QueueClockDrift }));
        QCOMPARE(analysis.suspects.at(0).lock, std::string("long"));
        QCOMPARE(analysis.suspects.at(0).subject, toString(B));
        QCOMPARE(analysis.suspects.at(1).lock, std::string("third"));
        QCOMPARE(analysis.suspects.at(1).subject, toString(A));
        QCOMPARE(analysis.suspects.at(1).evidence.number, std::int64_t{ 3 });
        QVERIFY(*analysis.suspects.at(1).evidence.usual <= 15min);
    }

    /// It is alive, and goes by itself when its time is over: how long it will wait is its own affair.
    void suspectsNoWaiterWhoListens()
    {
        using namespace std::chrono_literals;
        AnalysisBench bench;
        const auto listens = [&](const OwnerId &owner, Millis left, std::optional<bool> subscribed) {
            auto waiter = bench.waiter(owner, left);
            waiter.subscribed = subscribed;
            return waiter;
        };
        bench.show(queueOf(bench, "long", { listens(B, 2h, true), listens(C, 4h, true) }));
        QCOMPARE(kindsOf(bench.watch(15s)), Kinds{});
        bench.show(queueOf(bench, "long", { listens(B, 2h, true), listens(C, 4h, {}) }));
        QCOMPARE(kindsOf(bench.watch(9s)), Kinds{}); // it is asked for
        const auto &analysis = bench.watch(2s);
        QCOMPARE(kindsOf(analysis), Kinds{ SuspectKind::QueueClockDrift });
        QCOMPARE(analysis.suspects.at(0).subject, toString(C));
        bench.show(queueOf(bench, "long", { listens(B, 2h, true), listens(C, 1h, true) }));
        QCOMPARE(kindsOf(bench.watch(2s)), Kinds{ SuspectKind::QueueClockDrift }); // before the former's
    }

    void suspectsTwoHoldersInOneHash()
    {
        AnalysisBench bench;
        auto lock = bench.held("order", A);
        lock.holders.push_back(lock.holders[0]);
        lock.holders[1].owner = B;
        bench.show(lock);
        lock.name = "many";
        lock.kind = Kind::FasterMulti; // each holds other values
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::TwoHolders });
        QCOMPARE(bench.last->suspects.at(0).certainty, Certainty::Seen);
    }

    void suspectsTwoHoldersWhenALockIsTakenAgainAfterARestart()
    {
        AnalysisBench bench;
        bench.show(bench.held("order", A));
        bench.look();
        Event gap;
        gap.kind = EventKind::Gap;
        gap.node = "n1";
        bench.hear(gap);
        auto deleted = bench.event(EventKind::Deleted, "order", A);
        deleted.certainty = Certainty::Inferred;
        deleted.ttl = Millis{ 20'000 };
        bench.hear(deleted);
        bench.hear(EventKind::Acquired, "order", B);
        bench.show(bench.held("order", B));
        QCOMPARE(kindsOf(bench.watch(Millis{ 1'000 })), Kinds{ SuspectKind::TwoHolders });
        QCOMPARE(bench.last->suspects.at(0).subject, toString(A));
        QCOMPARE(bench.last->suspects.at(0).evidence.left, Millis{ 19'000 });
        QCOMPARE(kindsOf(bench.watch(Millis{ 21'000 })), Kinds{});
    }

    void suspectsTwoHoldersWhenALockComesBackOnAnotherServer()
    {
        AnalysisBench bench;
        bench.snapshot.nodes.push_back(bench.snapshot.nodes[0]);
        bench.snapshot.nodes[1].node = "n2";
        bench.show(bench.held("order", A));
        bench.show(bench.held("moved", A));
        bench.show(bench.held("released", A));
        bench.look();
        bench.hear(EventKind::Released, "released", A);
        for (const auto *name : { "order", "released" }) {
            auto lock = bench.held(name, B);
            lock.node = "n2";
            bench.show(lock);
        }
        auto moved = bench.held("moved", A);
        moved.node = "n2";
        bench.show(moved);
        QCOMPARE(kindsOf(bench.watch(Millis{ 1'000 })), Kinds{ SuspectKind::TwoHolders });
        QCOMPARE(bench.last->suspects.at(0).lock, std::string("order"));
    }

    /// Pictures come at most so often: the one that is looked at may be older than what was told.
    void knowsOfAReleaseWhosePictureComesLater()
    {
        AnalysisBench bench;
        bench.show(bench.held("order", A));
        bench.look();
        bench.hear(EventKind::Released, "order", A);
        bench.look(); // still shows the hold
        bench.pass(Millis{ 1'000 });
        bench.hide("order");
        bench.look();
        bench.hear(EventKind::Acquired, "order", B);
        bench.show(bench.held("order", B));
        QCOMPARE(kindsOf(bench.watch(Millis{ 5'000 })), Kinds{});
    }

    void knowsThatAnOwnerReleasedWhatHadMovedToAnotherServer()
    {
        AnalysisBench bench;
        bench.snapshot.nodes.push_back(bench.snapshot.nodes[0]);
        bench.snapshot.nodes[1].node = "n2";
        bench.show(bench.held("order", A));
        bench.look();
        auto moved = bench.held("order", A);
        moved.node = "n2";
        bench.show(moved);
        bench.look();
        bench.hear(bench.event(EventKind::Released, "order", A, "n2"));
        bench.hear(bench.event(EventKind::Acquired, "order", B, "n2"));
        moved.holders[0].owner = B;
        bench.show(moved);
        QCOMPARE(kindsOf(bench.watch(Millis{ 5'000 })), Kinds{});
    }

    void doesNotSuspectTwoHoldersForAMoment()
    {
        AnalysisBench bench;
        bench.show(bench.held("order", A));
        bench.look();
        bench.hide("order");
        bench.look();
        bench.show(bench.held("order", B));
        QCOMPARE(kindsOf(bench.look()), Kinds{});
        bench.hear(EventKind::Released, "order", A); // told late by another connection
        QCOMPARE(kindsOf(bench.watch(Millis{ 5'000 })), Kinds{});
    }

    void suspectsTwoHoldersWhenAnotherProgramDeletedALock()
    {
        AnalysisBench bench;
        for (const auto *name : { "deleted", "released" }) {
            bench.show(bench.held(name, A));
            auto gone = bench.event(std::string(name) == "deleted" ? EventKind::Deleted : EventKind::Released, name, A);
            gone.certainty = Certainty::Inferred;
            gone.ttl = Millis{ 20'000 };
            bench.look();
            bench.hear(gone);
            bench.hear(EventKind::Acquired, name, B);
            bench.show(bench.held(name, B));
        }
        QCOMPARE(kindsOf(bench.watch(Millis{ 3'000 })), Kinds{ SuspectKind::TwoHolders });
        QCOMPARE(bench.last->suspects.at(0).lock, std::string("deleted"));
    }

    /// One attempt has it on too few servers for a while, as everybody has who comes too late; and where nothing
    /// announces changes, it is found late that others have it, too.
    void suspectsWhatIsOnTooFewServersForLongerThanAnAttempt()
    {
        AnalysisBench bench;
        const auto show = [&](int held, int unknown) {
            auto part = bench.held("order", A);
            auto lock = part;
            lock.node.clear();
            lock.quorum = Quorum{ .held = held, .unknown = unknown, .servers = 3 };
            lock.members = { std::make_shared<const LockState>(part) };
            bench.show(lock);
        };
        show(1, 0);
        QCOMPARE(kindsOf(bench.watch(Millis{ 29'000 })), Kinds{});
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::TooFewServers });
        const Suspect suspect = bench.last->suspects.at(0);
        QCOMPARE(suspect.evidence.number, 1);
        QCOMPARE(suspect.evidence.former, 3);
        QCOMPARE(suspect.subject, toString(A));
        QVERIFY(suspect.node.empty());
        bench.hear(EventKind::Acquired, "order", A); // one more attempt
        QCOMPARE(kindsOf(bench.watch(Millis{ 29'000 })), Kinds{});
        show(1, 1); // the one that is lost may have it as well
        QCOMPARE(kindsOf(bench.watch(Millis{ 40'000 })), Kinds{});
        show(2, 0);
        QCOMPARE(kindsOf(bench.watch(Millis{ 40'000 })), Kinds{});
    }

    void suspectsThatListenersMissedTheRelease()
    {
        AnalysisBench bench;
        listen(bench, key_layout::lockChannel("order"), 3);
        bench.show(bench.held("order", A));
        QCOMPARE(kindsOf(bench.watch(Millis{ 15'000 })), Kinds{});
        bench.hide("order");
        QCOMPARE(kindsOf(bench.watch(Millis{ 9'000 })), Kinds{});
        bench.hear(EventKind::Acquired, "order", B); // and released: the next one had its turn
        QCOMPARE(kindsOf(bench.watch(Millis{ 9'000 })), Kinds{});
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::FreeButWaitedFor });
        QCOMPARE(bench.last->suspects.at(0).lock, std::string("order"));
        QCOMPARE(bench.last->suspects.at(0).subject, key_layout::lockChannel("order"));
        QCOMPARE(bench.last->suspects.at(0).evidence.number, std::int64_t{ 3 });
        QCOMPARE(kindsOf(bench.watch(std::chrono::minutes(6))), Kinds{ SuspectKind::LeakedChannel });
        listen(bench, key_layout::lockChannel("order"), 0);
        QCOMPARE(kindsOf(bench.look()), Kinds{});
    }

    /// Of a cluster: nothing is known of it but that its master has it.
    void suspectsThatListenersMissedTheReleaseBesideAReplica()
    {
        AnalysisBench bench;
        NodeStatus replica;
        replica.node = "n2";
        replica.role = NodeRole::Replica;
        bench.snapshot.nodes.push_back(replica);
        listen(bench, key_layout::lockChannel("order"), 3);
        QCOMPARE(kindsOf(bench.watch(Millis{ 11'000 })), Kinds{ SuspectKind::FreeButWaitedFor });
    }

    void saysNothingOfChannelsBeforeAllLocksAreKnown()
    {
        AnalysisBench bench;
        listen(bench, key_layout::readWriteChannel("order"), 1);
        bench.snapshot.nodes[0].status.phase = SourcePhase::Sweeping;
        QCOMPARE(kindsOf(bench.watch(Millis{ 30'000 })), Kinds{});
        bench.snapshot.nodes[0].status.phase = SourcePhase::Live;
        QCOMPARE(kindsOf(bench.watch(Millis{ 11'000 })), Kinds{ SuspectKind::FreeButWaitedFor });
    }

    void saysNothingOfChannelsOfLocksThatAreLeftOut()
    {
        AnalysisBench bench({ .keyPattern = "other:*" });
        listen(bench, key_layout::readWriteChannel("order"), 1);
        QCOMPARE(kindsOf(bench.watch(Millis{ 30'000 })), Kinds{});
    }

    void suspectsNothingThatIsStale()
    {
        AnalysisBench bench;
        auto lock = bench.held("order", A);
        lock.expiresAt.reset();
        bench.show(lock);
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::NoTtl });
        const auto since = bench.last->suspects.at(0).since;
        bench.snapshot.nodes[0].status.staleSince = bench.mono;
        QCOMPARE(kindsOf(bench.look()), Kinds{});
        QCOMPARE(kindsOf(bench.watch(Millis{ 5'000 })), Kinds{});
        bench.snapshot.nodes[0].status.staleSince.reset();
        QCOMPARE(kindsOf(bench.watch(Millis{ 2'000 })), Kinds{ SuspectKind::NoTtl });
        QVERIFY(bench.last->suspects.at(0).since > since);
    }

    void namesADeadlockOnlyWhenItLasts()
    {
        AnalysisBench bench;
        auto other = queueOf(bench, "other", { bench.waiter(A, Millis{ 60'000 }) });
        other.holders[0].owner = B;
        bench.show(queueOf(bench, "order", { bench.waiter(B, Millis{ 60'000 }) }));
        bench.show(other);
        QVERIFY(bench.look().graph->cycles.empty());
        QCOMPARE(bench.last->pending, std::int64_t{ 1 });
        QVERIFY(bench.last->pendingSuspects.empty()); // it is of several locks
        QCOMPARE(bench.watch(Millis{ 2'000 }).graph->cycles.size(), std::size_t{ 1 });
        QCOMPARE(bench.last->pending, std::int64_t{ 0 });
    }

    /// It is as it was when it was last seen, and anew once it is seen again.
    void keepsADeadlockThatIsStale()
    {
        AnalysisBench bench;
        bench.show(queueOf(bench, "order", { bench.waiter(B, Millis{ 60'000 }) }));
        auto other = queueOf(bench, "other", { bench.waiter(A, Millis{ 60'000 }) });
        other.holders[0].owner = B;
        auto &status = bench.snapshot.nodes[0].status;
        status.staleSince = bench.mono;
        bench.show(other);
        QVERIFY(bench.watch(Millis{ 2'000 }).graph->cycles.empty()); // it did not stand yet when all was seen
        status.staleSince.reset();
        QVERIFY(bench.look().graph->cycles.empty());
        QCOMPARE(bench.watch(Millis{ 2'000 }).graph->cycles.size(), std::size_t{ 1 });
        status.staleSince = bench.mono;
        QCOMPARE(bench.look().graph->cycles.size(), std::size_t{ 1 });
        QCOMPARE(bench.watch(Millis{ 5'000 }).graph->cycles.size(), std::size_t{ 1 });
        status.staleSince.reset();
        QVERIFY(bench.look().graph->cycles.empty()); // it may be another one
        QCOMPARE(bench.watch(Millis{ 2'000 }).graph->cycles.size(), std::size_t{ 1 });
        status.staleSince = bench.mono;
        QCOMPARE(bench.look().graph->cycles.size(), std::size_t{ 1 });
        other.waiters = {};
        bench.show(other);
        QVERIFY(bench.look().graph->cycles.empty());
    }

    /// Each of the independent servers that have its locks is lost.
    void makesNoDeadlockOfWhatNoServerShowsAnyMore()
    {
        AnalysisBench bench;
        const auto show = [&](LockState lock, const OwnerId &holder) {
            lock.holders[0].owner = holder;
            const auto member = std::make_shared<const LockState>(lock);
            lock.node = {};
            lock.members = { member };
            bench.show(lock);
        };
        auto &status = bench.snapshot.nodes[0].status;
        show(queueOf(bench, "order", { bench.waiter(B, Millis{ 60'000 }) }), A);
        show(queueOf(bench, "other", { bench.waiter(A, Millis{ 60'000 }) }), B);
        QVERIFY(bench.look().graph->cycles.empty()); // both queues may not be of the same moment
        bench.pass(Millis{ 100 });
        status.staleSince = bench.mono;
        QVERIFY(bench.watch(Millis{ 5'000 }).graph->cycles.empty());
    }

    void putsTheGravestFirstAndListsSoManyAtMost()
    {
        AnalysisBench bench;
        for (int i = 0; i < 1'100; ++i) {
            auto lock = bench.held("order" + std::to_string(i), A);
            lock.expiresAt.reset();
            bench.show(lock);
        }
        auto two = bench.held("zwei", A);
        two.holders.push_back(two.holders[0]);
        bench.show(two);
        const auto &analysis = bench.watch(Millis{ 3'000 });
        QCOMPARE(analysis.suspects.size(), std::size_t{ 1'000 });
        QCOMPARE(analysis.moreSuspects, std::int64_t{ 101 });
        QCOMPARE(analysis.suspects.at(0).kind, SuspectKind::TwoHolders);
    }

    void tellsOfEachWhatIsSeenNow()
    {
        AnalystSettings settings;
        settings.rechecks = 0;
        AnalysisBench bench(settings);
        bench.show(withoutHolder(queueOf(bench, "order", { bench.waiter(B, Millis{ 60'000 }) })));
        bench.watch(Millis{ 3'000 });
        QCOMPARE(bench.last->suspects.at(0).evidence.left, Millis{ 57'000 });
        bench.watch(Millis{ 10'000 });
        QCOMPARE(bench.last->suspects.at(0).evidence.left, Millis{ 47'000 });
    }

    void namesTheIndependentServerOfASuspect()
    {
        AnalysisBench bench;
        auto joined = bench.held("order", A);
        auto endless = bench.held("order", A);
        endless.expiresAt.reset();
        endless.node = "n2";
        joined.members = { std::make_shared<const LockState>(joined), std::make_shared<const LockState>(endless) };
        joined.node = {};
        bench.show(joined);
        QCOMPARE(kindsOf(bench.watch(Millis{ 3'000 })), Kinds{ SuspectKind::NoTtl });
        QCOMPARE(bench.last->suspects.at(0).node, std::string("n2"));
        QCOMPARE(bench.last->suspects.at(0).subject, toString(A));
    }

    void givesTheSameAnalysisWhileNothingChanges()
    {
        AnalysisBench bench;
        bench.show(bench.held("order", A));
        bench.look();
        const auto before = bench.last;
        bench.watch(Millis{ 5'000 });
        QCOMPARE(bench.last, before);
    }

    void costsLittleWithManyQuietLocks()
    {
        AnalysisBench bench;
        std::vector<LockList::Pointer> locks;
        for (int i = 0; i < 100'000; ++i) {
            char name[32];
            std::snprintf(name, sizeof name, "lock:%06d", i);
            locks.push_back(std::make_shared<const LockState>(watched(bench, name, A)));
        }
        bench.snapshot.locks = locks;
        bench.look();
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 10; ++i) {
            bench.pass(Millis{ 500 });
            bench.look();
        }
        qInfo("a run over 100,000 quiet locks: %.2f ms", static_cast<double>(timer.nsecsElapsed()) / 1e7);
        QCOMPARE(kindsOf(*bench.last), Kinds{});
        timer.start();
        for (int i = 0; i < 10; ++i) { // each watchdog speaks every ten seconds
            for (std::size_t place = static_cast<std::size_t>(i); place < locks.size(); place += 10) {
                auto lock = *locks[place];
                lock.expiresAt = bench.mono + Millis{ 30'000 };
                bench.hear(EventKind::Renewed, lock.name, A);
                locks[place] = std::make_shared<const LockState>(std::move(lock));
            }
            bench.snapshot.locks = locks;
            bench.pass(Millis{ 1'000 });
            bench.look();
        }
        qInfo("the same with 10,000 renewals, and what they cost to be told: %.2f ms",
            static_cast<double>(timer.nsecsElapsed()) / 1e7);
        QCOMPARE(kindsOf(*bench.last), Kinds{});
        QCOMPARE(bench.last->statistics->size(), std::size_t{ 100'000 });
    }
};

QTEST_APPLESS_MAIN(TestSuspects)
#include "tst_suspects.moc"
