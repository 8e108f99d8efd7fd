// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/wait_count.h"
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

namespace {

/// They read locks too, and quickly where nothing else tells of new ones.
const EngineSettings WithoutSweeps{ .server = "test:6379", .sweepEvery = std::chrono::hours(100) };

} // namespace

class TestEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsLocksInTheFirstSweepWithoutClaimingSinceWhen()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Appeared, Seen } }));
        const auto lock = bench.shown("order");
        QVERIFY(lock);
        QVERIFY(!lock->holders.at(0).since.exact);
        QCOMPARE(lock->lease, Lease::Unknown);
    }

    void knowsTheMomentOfAnAcquireItWasToldOf()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Acquired, Seen } }));
        QVERIFY(bench.shown("order"));
        QVERIFY(bench.shown("order")->holders.at(0).since.exact);
    }

    void tellsReleaseFromExpiryAndDeletion()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.unlock("order");
        QVERIFY(!bench.shown("order"));
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.unlock("order", false); // a message alone: a forced release looks the same
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.unlock("order", true, false); // a spin lock
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.unlock("order", false, false);
        QCOMPARE(bench.takeEvents(),
            (Happened{ { EventKind::Acquired, Seen }, { EventKind::Released, Seen }, { EventKind::Acquired, Seen },
                { EventKind::Released, Inferred }, { EventKind::Acquired, Seen }, { EventKind::Released, Seen },
                { EventKind::Acquired, Seen }, { EventKind::Deleted, Inferred } }));
    }

    /// However far off the deadlines are that it knows of.
    void noticesEachExpiryWithoutBeingTold()
    {
        EngineBench bench(Feed::ClientTracking, true, WithoutSweeps);
        bench.take("long", A, std::chrono::hours(24));
        bench.up();
        bench.pass(std::chrono::hours(3));
        for (const int lease : { 30, 2, 7'300, 5, 40'000 }) {
            bench.take("short", B, seconds(lease));
            bench.changed("short");
            bench.takeEvents();
            bench.pass(seconds(lease - 1));
            QCOMPARE(bench.takeEvents(), Happened{});
            QVERIFY(bench.shown("short"));
            bench.pass(seconds(2));
            const auto happened = bench.takeEvents();
            QCOMPARE(happened.size(), std::size_t(1));
            QCOMPARE(happened.front().first, EventKind::Expired);
            QVERIFY(!bench.shown("short"));
        }
    }

    void waitsForAMessageThatIsLaterThanTheReading()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.takeEvents();
        bench.server.clear();
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), Happened{});
        bench.tell(input::MessageHeard{ "redisson_lock__channel:{order}" });
        bench.answer();
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Released, Inferred } }));
    }

    void keepsAMessageThatIsEarlierThanAnOldReading()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.takeEvents();
        bench.tell(input::KeysChanged{ { "order" } }); // asked while it is still held
        const auto read = std::get<action::ReadLocks>(bench.actions.at(0));
        bench.actions.clear();
        const auto sentAt = bench.mono;
        bench.passSilently(Millis{ 2 });
        bench.tell(input::MessageHeard{ "redisson_lock__channel:{order}" });
        bench.answer(read, sentAt); // still says: held
        bench.server.clear();
        bench.answer();
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Released, Inferred } }));
    }

    void takesTheRemovalOfALatchForNoUnlock()
    {
        EngineBench bench;
        bench.up();
        const auto latch = key_layout::unlockLatch("order", std::string(32, 'f'));
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.server.clear();
        bench.tell(input::MessageHeard{ "redisson_lock__channel:{order}" });
        bench.take("order", B, FullLease);
        bench.tell(input::KeysChanged{ { "order", latch } });
        bench.answer();
        bench.takeEvents();
        bench.pass(Millis{ 10'000 });
        bench.renew("order", FullLease);
        bench.tell(input::KeysChanged{ { "order", latch } }); // gone in the same moment
        bench.answer();
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Renewed, Seen } }));
    }

    void takesNoLateAnswerForARenewal()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.tell(input::KeysChanged{ { "order" } });
        const auto read = std::get<action::ReadLocks>(bench.actions.at(0));
        bench.actions.clear();
        const auto sentAt = bench.mono;
        bench.passSilently(Millis{ 1'000 }); // the server looked at the end of it
        bench.answer(read, sentAt);
        bench.takeEvents();
        bench.passSilently(Millis{ 1'000 });
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), Happened{});
        bench.passSilently(Millis{ 10'000 });
        bench.renew("order", FullLease);
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Renewed, Seen } }));
    }

    void noticesAnExpiryAtZeroWithoutBeingTold()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, Millis{ 1'000 });
        bench.changed("order");
        bench.takeEvents();
        bench.pass(Millis{ 995 });
        QVERIFY(bench.shown("order"));
        bench.pass(Millis{ 10 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Expired, Seen } }));
        bench.pass(Millis{ 60 });
        QVERIFY(!bench.shown("order"));
    }

    void callsAnExpiryAnExpiryThoughItsOldHolderUnlocksLater()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, Millis{ 1'000 });
        bench.changed("order");
        bench.takeEvents();
        bench.passSilently(Millis{ 1'200 });
        bench.unlock("order");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Expired, Seen } }));
    }

    void infersWhereItCannotHear()
    {
        EngineBench bench{ Feed::Rereading, false };
        bench.take("order", A, FullLease);
        bench.up();
        bench.takeEvents();
        bench.server.clear();
        bench.pass(Millis{ 1'100 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Released, Inferred } }));
    }

    void countsReentries()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.take("order", A, FullLease);
        bench.changed("order");
        lock.holders[0].count = 2;
        bench.renew("order", FullLease);
        bench.changed("order");
        lock.holders[0].count = 1;
        bench.changed("order");
        QCOMPARE(bench.takeEvents(),
            (Happened{
                { EventKind::Acquired, Seen }, { EventKind::Reentered, Seen }, { EventKind::PartlyReleased, Seen } }));
    }

    void rereadsManyLocksALittleAtATime()
    {
        EngineBench bench{ Feed::Rereading, false, WithoutSweeps };
        bench.upWith(1'200);
        int most = 0;
        int all = 0;
        for (const auto end = bench.mono + seconds{ 3 }; bench.mono < end;) {
            bench.reads = 0;
            bench.pass(Millis{ 10 });
            most = std::max(most, bench.reads);
            all += bench.reads;
        }
        QCOMPARE(most, 500);
        QVERIFY2(all >= 2 * 1'200 && all <= 3 * 1'200, std::to_string(all).c_str());
    }

    void doesNotRereadThePlacesOfLocksThatAreGone()
    {
        EngineBench bench{ Feed::Rereading, false, WithoutSweeps };
        for (int i = 0; i < 10'000; ++i)
            bench.take("order:" + std::to_string(i), A, Millis{ 1'000 });
        bench.take("stock", A, Millis{ 600'000 });
        bench.up();
        bench.pass(seconds{ 90 }); // until nothing is remembered of them
        bench.reads = 0;
        bench.pass(seconds{ 10 });
        QCOMPARE(bench.reads, 10);
    }

    void seesAChangeOfHolderBetweenTwoReadings()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.tell(input::MessageHeard{ "redisson_lock__channel:{order}" });
        bench.take("order", B, FullLease);
        bench.answer();
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.takeEvents(),
            (Happened{
                { EventKind::Acquired, Seen }, { EventKind::Released, Inferred }, { EventKind::Acquired, Seen } }));
        QVERIFY(bench.shown("order")->holders.at(0).owner == B);
    }

    void tellsItsOwnForceRelease()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.takeEvents();
        bench.server.clear();
        bench.tell(input::MessageHeard{ "redisson_lock__channel:{order}" });
        bench.tell(input::ChangedByUs{ "order" });
        bench.answer();
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::ForceReleased, Seen } }));
    }

    void seesLocksThatAreNamedAsOtherKeysOfLocks()
    {
        EngineBench bench;
        bench.up();
        for (const auto &name : { key_layout::fairQueue("x"), key_layout::fairTimeouts("x"), key_layout::token("x"),
                 key_layout::readTimeout("x", A, 1), key_layout::permitDeadlines("x") }) {
            bench.take(name, A, FullLease);
            bench.changed(name);
            bench.pass(Millis{ 60 });
            QVERIFY2(bench.shown(name), name.c_str());
            bench.renew(name, FullLease * 2);
            bench.changed(name);
            bench.pass(Millis{ 60 });
            QCOMPARE(bench.shown(name)->leaseSeen, std::optional<Millis>(FullLease * 2));
        }
    }

    void marksReadersThatRanOut()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.take("order", A, FullLease);
        lock.kind = Kind::ReadWrite;
        lock.mode = HoldMode::Read;
        lock.holders = { { A, 1, HoldMode::Read, { Millis{ 30'000 } }, false },
            { B, 2, HoldMode::Read, { Millis{ -2 }, Millis{ -2 } }, false } };
        bench.changed("order");
        bench.pass(Millis{ 300 }); // its time-outs may have gone with it, which would be heard until then
        const auto shown = bench.shown("order");
        QVERIFY(!shown->holders.at(0).expired);
        QVERIFY(shown->holders.at(1).expired);
    }

    void readsEverythingAfterAFlush()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.take("stock", A, FullLease);
        bench.up();
        bench.takeEvents();
        bench.server.clear();
        bench.tell(input::EverythingChanged{});
        bench.answer();
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.takeEvents(),
            (Happened{
                { EventKind::DatabaseEmptied, Seen }, { EventKind::Deleted, Seen }, { EventKind::Deleted, Seen } }));
        QVERIFY(bench.last->locks.empty());
    }

    /// Of a flush of another database, which is told alike, its deadline tells.
    void tellsOfALockThatAFlushWasFollowedBy()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        bench.takeEvents();
        bench.pass(std::chrono::seconds{ 10 });
        bench.tell(input::EverythingChanged{});
        bench.answer();
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::DatabaseEmptied, Seen } }));
        bench.pass(Millis{ 500 });
        bench.renew("order", FullLease);
        bench.tell(input::EverythingChanged{});
        bench.answer();
        bench.pass(Millis{ 300 });
        QCOMPARE(bench.takeEvents(),
            (Happened{ { EventKind::DatabaseEmptied, Seen }, { EventKind::Deleted, Inferred },
                { EventKind::Acquired, Inferred } }));
        QVERIFY(bench.mono - bench.shown("order")->holders.front().since.at < std::chrono::seconds{ 1 });
    }

    /// What stands still beside it would be gone.
    void takesAFlushForThatOfAnotherDatabaseThatLocksOutlive()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.take("stock", A, FullLease);
        bench.up();
        bench.takeEvents();
        bench.pass(std::chrono::seconds{ 10 });
        bench.renew("order", FullLease);
        bench.tell(input::EverythingChanged{});
        bench.answer();
        bench.pass(Millis{ 300 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::DatabaseEmptied, Seen }, { EventKind::Renewed, Seen } }));
    }

    /// No feed tells of it, and the server's count not of which databases: what is gone may be held in another one.
    void tellsOfSwappedDatabases()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        bench.takeEvents();
        bench.server.clear();
        bench.tell(input::DatabasesSwapped{});
        bench.answer();
        bench.pass(Millis{ 60 });
        QCOMPARE(
            bench.takeEvents(), (Happened{ { EventKind::DatabasesSwapped, Seen }, { EventKind::Deleted, Inferred } }));
        bench.tell(input::EverythingChanged{}); // told of at once, as nothing was counted for it yet
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::DatabaseEmptied, Seen } }));
    }

    /// Client tracking tells of each, and so does the server's count of such commands: whenever they come.
    void tellsOfEachEmptyingOnce()
    {
        EngineBench bench;
        bench.up();
        bench.takeEvents();
        const Happened once{ { EventKind::DatabaseEmptied, Seen } };
        const auto told = [&](std::int64_t counted) {
            bench.tell(input::EverythingChanged{ counted });
            bench.pass(Millis{ 100 });
            return bench.takeEvents();
        };
        QCOMPARE(told(0), once);
        QCOMPARE(told(1), Happened{});
        QCOMPARE(told(0), once); // another one, soon after
        QCOMPARE(told(0), once);
        bench.pass(seconds{ 5 });
        QCOMPARE(told(2), Happened{});
        QCOMPARE(told(1), once); // the word of it is still on its way
        QCOMPARE(told(0), Happened{});
    }

    void publishesTheFirstChangeAtOnceThenTwentyASecond()
    {
        EngineBench bench;
        bench.take("quiet", B, FullLease);
        bench.up();
        bench.pass(seconds{ 1 });
        const auto quiet = bench.shown("quiet");
        const int before = bench.published;
        bench.take("order", A, FullLease);
        bench.changed("order");
        QCOMPARE(bench.published, before + 1);
        for (int change = 0; change < 1'000; ++change) {
            bench.pass(Millis{ 1 });
            bench.server["order"].holders[0].count = change + 2;
            bench.changed("order");
        }
        bench.pass(Millis{ 60 });
        QVERIFY2(bench.published - before <= 22, qPrintable(QString::number(bench.published - before)));
        QVERIFY2(bench.published - before >= 18, qPrintable(QString::number(bench.published - before)));
        QCOMPARE(bench.shown("order")->holders.at(0).count, 1'001);
        QCOMPARE(bench.shown("quiet").get(), quiet.get());
    }

    void publishesNothingWhenNothingChanges()
    {
        EngineBench bench;
        bench.take("order", A, Millis{ 300'000 });
        bench.up();
        bench.pass(seconds{ 30 });
        const int before = bench.published;
        bench.changed("order");
        bench.changed("some:other:key");
        bench.pass(seconds{ 20 });
        QCOMPARE(bench.published, before);
    }

    void readsABusyStrangerSeldom()
    {
        EngineBench bench;
        bench.up();
        const int before = bench.reads;
        for (int write = 0; write < 10'000; ++write) {
            bench.changed("counter");
            bench.pass(Millis{ 1 });
        }
        QVERIFY2(bench.reads - before <= 100, qPrintable(QString::number(bench.reads - before)));
    }

    void readsAgainWhatChangesWhileBeingRead()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.tell(input::KeysChanged{ { "order" } });
        QCOMPARE(bench.actions.size(), std::size_t{ 1 });
        bench.tell(input::KeysChanged{ { "order" } });
        QCOMPARE(bench.actions.size(), std::size_t{ 1 });
        const auto read = std::get<action::ReadLocks>(bench.actions.front());
        bench.actions.clear();
        bench.answer(read, bench.mono);
        QCOMPARE(bench.actions.size(), std::size_t{ 1 });
    }

    void keepsBatchesSmallAndFew()
    {
        EngineBench bench;
        bench.up();
        std::vector<std::string> keys;
        for (int i = 0; i < 250; ++i)
            keys.push_back("key" + std::to_string(i));
        bench.tell(input::KeysChanged{ keys });
        QCOMPARE(bench.actions.size(), std::size_t{ 3 });
        for (const auto &what : bench.actions)
            QCOMPARE(std::get<action::ReadLocks>(what).names.size(), std::size_t{ 50 });
        bench.answer();
        QVERIFY(bench.actions.empty());
    }

    /// Each trip wakes the server and us: what changes every millisecond is read a few at a time, and soon all the
    /// same.
    void readsTogetherWhatChangesOften()
    {
        EngineBench bench;
        bench.upWith(1'000);
        const auto change = [&bench](int i) { bench.changed("order:" + std::to_string(i)); };

        bench.trips = 0;
        for (int i = 0; i < 10; ++i) {
            change(i);
            QCOMPARE(bench.trips, i + 1); // a few at once are not many
        }
        bench.pass(seconds{ 2 });
        bench.trips = bench.reads = 0;
        for (int i = 0; i < 200; ++i) {
            change(i);
            QVERIFY2(bench.reads == i + 1, "what changes each five milliseconds is read at once");
            bench.pass(Millis{ 5 });
        }
        bench.trips = bench.reads = 0;
        for (int i = 0; i < 1'000; ++i) {
            change(i);
            bench.pass(Millis{ 1 });
            QVERIFY2(bench.reads >= i - 4, "it waits for a few milliseconds at the most");
        }
        QVERIFY2(bench.trips > 200 && bench.trips < 300, std::to_string(bench.trips).c_str());
        bench.pass(Millis{ 4 });
        QCOMPARE(bench.reads, 1'000);
    }

    /// What is known does not keep what is new from being read.
    void readsWhatIsNewThoughMuchElseChanges()
    {
        EngineBench bench;
        bench.upWith(100);
        for (int i = 0; i < 300; ++i) {
            const std::string name = "new:" + std::to_string(i / 10);
            if (i % 10 == 0) {
                bench.take(name, B, Millis{ 600'000 });
                bench.changed(name);
            }
            bench.changed("order:" + std::to_string(i % 100));
            bench.pass(Millis{ 1 });
            QVERIFY2(i % 10 < 5 || bench.isAnythingToldOf(name), name.c_str());
        }
    }

    /// Many locks are read in full batches, which wait for nobody; nor does anybody wait for them afterwards.
    void readsAtOnceWhatChangesAfterAllWasReadAgain()
    {
        EngineBench bench;
        bench.upWith(10'001);
        bench.tell(input::RefreshRequested{});
        bench.answer();
        bench.pass(Millis{ 4 });
        bench.takeEvents();
        bench.unlock("order:7");
        bench.pass(Millis{ 4 });
        QVERIFY(bench.isAnythingToldOf("order:7"));
    }

    void readsAgainWhatWasLeftForLater()
    {
        EngineBench bench;
        bench.up();
        bench.take("large", A, FullLease);
        bench.take("small", A, FullLease);
        bench.tell(input::KeysChanged{ { "large", "small" } });
        const auto read = std::get<action::ReadLocks>(bench.actions.front());
        QCOMPARE(read.names.size(), std::size_t{ 2 });
        bench.actions.clear();
        bench.tell(input::LocksRead{ read.read, { *bench.look("large") }, bench.mono, {}, { "small" } });
        bench.answer();
        bench.pass(Millis{ 60 });
        QVERIFY(bench.shown("large") && bench.shown("small"));
    }

    /// What cannot be read is neither released nor as it was.
    void keepsALockThatGrewTooLargeToBeRead()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        (void)bench.takeEvents();
        const auto isUnread = [&](const LockName &name) {
            bench.tell(input::KeysChanged{ { name } });
            const auto read = std::get<action::ReadLocks>(bench.actions.front());
            bench.actions.clear();
            bench.tell(input::LocksRead{ read.read, {}, bench.mono, {}, {}, false, { name } });
        };
        isUnread("sessions");
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
        QVERIFY(!bench.shown("sessions"));
        isUnread("order");
        bench.passSilently(Millis{ 60 });
        bench.tell(input::TimerFired{});
        QVERIFY(bench.shown("order") && bench.events.empty());
        QCOMPARE(bench.last->status.phase, SourcePhase::Stale);
        QCOMPARE(bench.last->status.error->code, ErrorCode::ReplyTooLarge);
        bench.pass(seconds{ 3 }); // it is looked at again
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
        QVERIFY(bench.shown("order") && bench.events.empty());
    }

    void readsLeftOverQueuesOnlyWhenTheyMayHaveALock()
    {
        EngineBench bench;
        bench.up();
        for (int i = 0; i < 200; ++i) {
            const auto name = "left" + std::to_string(i);
            auto &queue = bench.server[name];
            queue.name = name;
            queue.kind = Kind::Fair;
            queue.waiters = { WaiterReading{ { A.client, std::to_string(i) }, {} } };
            queue.keys = { key_layout::fairQueue(name) };
            bench.changed(key_layout::fairQueue(name));
        }
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("left7"));
        const int before = bench.reads;
        bench.pass(seconds{ 30 }); // channels were listed several times
        QVERIFY2(bench.reads - before < 200, qPrintable(QString::number(bench.reads - before)));
        bench.take("app:left7", B, FullLease);
        bench.changed("app:left7");
        bench.channels = { { key_layout::lockChannel("app:left7") + ":" + toString(OwnerId{ A.client, "7" }), 1 } };
        bench.pass(seconds{ 10 });
        QVERIFY(!bench.shown("left7"));
        QCOMPARE(bench.shown("app:left7")->waiters.size(), std::size_t{ 1 });
    }

    void takesWhatAPageOfTheSweepHasSeenAlready()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.tell(input::SourceUp{ "run", Feed::ClientTracking, true });
        const auto scan = std::find_if(bench.actions.begin(), bench.actions.end(),
            [](const auto &what) { return std::holds_alternative<action::ScanPage>(what); });
        QVERIFY(scan != bench.actions.end());
        QVERIFY(std::get<action::ScanPage>(*scan).atOnce);
        input::PageScanned page{ std::get<action::ScanPage>(*scan).scan, lastPage(), true, bench.mono };
        page.page.readings = { *bench.look("order") };
        bench.actions.erase(scan);
        bench.tell(page);
        bench.answer();
        bench.pass(Millis{ 60 });
        QVERIFY(bench.shown("order"));
        QCOMPARE(bench.reads, 0);
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
    }

    void smoothsSubscriberCountsOverTwoSamples()
    {
        EngineBench bench;
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        const auto count = [&](std::int64_t number) {
            bench.tell(input::SubscribersCounted{ { { "redisson_lock__channel:{order}", number } } });
            bench.pass(Millis{ 1'600 });
            return bench.shown("order")->subscribers;
        };
        bench.pass(Millis{ 1'600 });
        QCOMPARE(bench.counted, std::vector<std::string>{ "redisson_lock__channel:{order}" });
        QCOMPARE(count(0), std::optional<std::int64_t>{ 0 });
        QCOMPARE(count(3), std::optional<std::int64_t>{ 0 });
        QCOMPARE(count(2), std::optional<std::int64_t>{ 2 });
        QCOMPARE(count(0), std::optional<std::int64_t>{ 0 });
    }

    /// Redis has keys with an empty name, and its channel is asked about as any other.
    void countsWhoWaitsForALockWithAnEmptyName()
    {
        EngineBench bench;
        bench.take("", A, Millis{ 600'000 });
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        bench.pass(Millis{ 1'600 });
        QCOMPARE(
            bench.counted, std::vector<std::string>({ "redisson_lock__channel:{}", "redisson_lock__channel:{order}" }));
        bench.tell(input::SubscribersCounted{ { { "redisson_lock__channel:{}", 1 } } });
        bench.pass(Millis{ 1'600 });
        QVERIFY(bench.shown("")->subscribers.has_value());
    }

    /// Whoever got it may have been one of them, until they are counted again.
    void countsOneWaiterLessWithEachHandOver()
    {
        EngineBench bench;
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        const auto count = [&](std::int64_t number) {
            bench.pass(Millis{ 1'600 });
            bench.tell(input::SubscribersCounted{ { { "redisson_lock__channel:{order}", number } } });
            bench.pass(Millis{ 60 });
        };
        const auto waiting = [&] { return countedWaits(*bench.shown("order")); };
        const auto pass = [&](const OwnerId &owner) {
            bench.take("order", owner, Millis{ 600'000 });
            bench.changed("order");
            bench.pass(Millis{ 60 });
        };
        count(2);
        count(2);
        QCOMPARE(waiting(), 2);
        pass(B);
        QCOMPARE(waiting(), 1);
        bench.renew("order", Millis{ 700'000 });
        bench.changed("order");
        bench.pass(Millis{ 60 });
        QCOMPARE(waiting(), 1); // nobody has got it by that
        count(2);
        QCOMPARE(waiting(), 2); // somebody else has come
        for (const OwnerId &owner : { A, B, A })
            pass(owner);
        QCOMPARE(waiting(), 0);
        QCOMPARE(bench.shown("order")->subscribers, std::optional<std::int64_t>{ 2 });
        count(1);
        QCOMPARE(waiting(), 1);
    }

    /// It may have been at any time in the gap.
    void countsNoRateOfWhatWasConcludedAfterAGap()
    {
        const MonoTime start{ std::chrono::seconds{ 100 } };
        RateMeter meter;
        meter.start(start);
        meter.count(EventKind::Acquired, Inferred, start + Millis{ 100 });
        meter.count(EventKind::Acquired, Seen, start + Millis{ 200 });
        QVERIFY(meter.rates(start + Millis{ 2'100 }).areUnknown);
        QCOMPARE(meter.rates(start + Millis{ 3'100 }).acquires, 1 / 3.0);
        meter.count(EventKind::Acquired, Inferred, start + Millis{ 3'500 });
        QCOMPARE(meter.rates(start + Millis{ 4'100 }).acquires, 1 / 4.0 + 1 / 2.0);
    }

    /// Of clients that leave no latches each release is concluded: they are told as often as before.
    void dividesByTheTimeInWhichConclusionsWereCounted()
    {
        const MonoTime start{ std::chrono::seconds{ 100 } };
        RateMeter meter;
        meter.start(start);
        for (int i = 0; i < 40; ++i) {
            meter.count(EventKind::Acquired, Seen, start + i * Millis{ 100 });
            meter.count(EventKind::Released, Inferred, start + i * Millis{ 100 });
        }
        const Rates rates = meter.rates(start + Millis{ 4'100 });
        QCOMPARE(rates.acquires, 10.0);
        QCOMPARE(rates.releases, 10.0);
    }

    void measuresRates()
    {
        EngineBench bench;
        bench.up();
        for (int i = 0; i < 20; ++i) {
            bench.take("order", A, FullLease);
            bench.changed("order");
            bench.unlock("order");
            bench.pass(Millis{ 440 });
        }
        QVERIFY(bench.last->status.rates.acquires > 1.5);
        QVERIFY(bench.last->status.rates.acquires < 2.5);
        QVERIFY(bench.last->status.rates.releases > 1.5);
        bench.pass(seconds{ 15 });
        QCOMPARE(bench.last->status.rates, Rates{});
    }

    void dividesByTheTimeThatWasSeen()
    {
        RateMeter meter;
        const MonoTime start{ Millis{ 100'500 } };
        meter.start(start);
        for (int i = 0; i < 10; ++i)
            meter.count(EventKind::Acquired, Seen, start + Millis{ 200 });
        const Rates unknown{ .areUnknown = true }; // of less than a second
        QCOMPARE(meter.rates(start + Millis{ 700 }), unknown);
        QCOMPARE(meter.changesAt(), MonoTime{ seconds{ 102 } });
        QCOMPARE(meter.rates(start + Millis{ 2'700 }).acquires, 4.0);
        QCOMPARE(meter.rates(start + Millis{ 9'900 }).acquires, 10 / 9.5);
        meter.start(start + Millis{ 9'900 });
        QCOMPARE(meter.rates(start + Millis{ 9'900 }), unknown);
        QCOMPARE(meter.changesAt(), MonoTime{ seconds{ 111 } }); // though nothing happens
        QCOMPARE(meter.rates(start + Millis{ 11'500 }), Rates{});
        QVERIFY(!meter.changesAt());
    }

    /// What was inferred is not counted as seen, and is not kept quiet.
    void countsOnlyExpiriesThatWereSeen()
    {
        RateMeter meter;
        const MonoTime start{ seconds{ 100 } };
        meter.count(EventKind::Expired, Seen, start);
        QVERIFY(!meter.rates(start + seconds{ 1 }).mayHaveMoreExpiries);
        meter.count(EventKind::Expired, Inferred, start + seconds{ 1 });
        const Rates rates = meter.rates(start + seconds{ 2 });
        QCOMPARE(rates.expiries, 0.1);
        QVERIFY(rates.mayHaveMoreExpiries);
        QCOMPARE(meter.rates(start + seconds{ 20 }), Rates{});
    }
};

QTEST_APPLESS_MAIN(TestEngine)
#include "tst_engine.moc"
