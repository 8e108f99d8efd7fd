// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>
#include <functional>

using namespace testsupport;
using std::chrono::seconds;

namespace {

std::vector<Millis> gaps(const EngineBench &bench)
{
    std::vector<Millis> gaps;
    for (const auto &event : bench.events) {
        if (event.kind == EventKind::Gap)
            gaps.push_back(*event.ttl);
    }
    return gaps;
}

input::FeedChanged changed(Feed feed, std::optional<MonoTime> deafSince)
{
    input::FeedChanged changed;
    changed.feed = feed;
    changed.deafSince = deafSince;
    return changed;
}

input::FeedChanged limitedTo(Feed feed, FeedScope scope, bool missedNothing)
{
    input::FeedChanged changed;
    changed.feed = feed;
    changed.hearsUnlocks = true;
    changed.scope = std::move(scope);
    changed.missedNothing = missedNothing;
    return changed;
}

} // namespace

/// A gap begins when something was heard for the last time, not when that is noticed. What is found behind it is mostly
/// concluded.
class TestEngineGaps : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isStaleSinceItHeardOfTheServer()
    {
        EngineBench bench;
        bench.up();
        const auto heardAt = bench.mono;
        bench.pass(Millis{ 3'000 });
        bench.tell(input::SourceDown{ { ErrorCode::ReplyTimeout, "no answer", "" }, {}, heardAt });
        QCOMPARE(bench.last->status.staleSince, std::optional(heardAt));
        bench.pass(Millis{ 1'000 });
        bench.up();
        QCOMPARE(gaps(bench), std::vector{ Millis{ 4'000 } });
    }

    void beginsNoGapBeforeWhatWasSeenLast()
    {
        EngineBench bench;
        bench.up();
        const auto heardAt = bench.mono;
        bench.pass(Millis{ 400 });
        bench.take("order", A, FullLease);
        bench.changed("order");
        const auto seenAt = bench.mono;
        bench.pass(Millis{ 500 });
        bench.tell(input::SourceDown{ { ErrorCode::ConnectionClosed, "closed", "" }, {}, heardAt });
        QCOMPARE(bench.last->status.staleSince, std::optional(seenAt));
        bench.pass(Millis{ 1'000 });
        bench.up();
        QCOMPARE(gaps(bench), std::vector{ Millis{ 1'500 } });
    }

    void beginsNoGapBeforeAnotherIsOver()
    {
        EngineBench bench;
        bench.up();
        const auto deafSince = bench.mono;
        bench.pass(Millis{ 1'000 });
        bench.down();
        bench.pass(Millis{ 4'000 });
        bench.up();
        bench.tell(changed(Feed::Rereading, deafSince));
        QCOMPARE(gaps(bench), (std::vector{ Millis{ 4'000 }, Millis{ 200 } }));
        bench.pass(Millis{ 1'000 });
        bench.tell(input::SourceDown{ { ErrorCode::ConnectionClosed, "closed", "" }, {}, deafSince });
        bench.up();
        QCOMPARE(gaps(bench), (std::vector{ Millis{ 4'000 }, Millis{ 200 }, Millis{ 1'000 } }));
    }

    /// One lock that cannot be read makes all stale; the others are seen all the same.
    void beginsNoGapWhereOneLockCouldNotBeRead()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease * 10);
        bench.changed("order");
        const auto readAllButOne = [&] {
            while (!bench.actions.empty()) {
                const auto what = bench.actions.front();
                bench.actions.erase(bench.actions.begin());
                const auto *read = std::get_if<action::ReadLocks>(&what);
                if (!read)
                    continue;
                input::LocksRead result{ read->read, {}, bench.mono };
                if (std::ranges::find(read->names, "order") != read->names.end())
                    result.unread = { "order" };
                for (const auto &name : read->names)
                    if (const auto reading = name == "order" ? std::nullopt : bench.look(name))
                        result.readings.push_back(*reading);
                bench.tell(result);
            }
        };
        bench.tell(input::KeysChanged{ { "order" } });
        readAllButOne();
        for (int second = 0; second < 60; ++second) {
            bench.passSilently(seconds{ 1 });
            bench.take("other", A, FullLease);
            bench.tell(input::KeysChanged{ { "order", "other" } });
            readAllButOne();
        }
        QCOMPARE(bench.last->status.phase, SourcePhase::Stale);
        QVERIFY(bench.shown("other"));
        bench.passSilently(seconds{ 1 });
        bench.down();
        bench.passSilently(seconds{ 4 });
        bench.events.clear();
        bench.up();
        QCOMPARE(gaps(bench).size(), std::size_t{ 1 });
        QVERIFY2(gaps(bench).front() <= seconds{ 6 }, std::to_string(gaps(bench).front().count()).c_str());
    }

    /// All was stale still when it was lost again, but the first gap is told.
    void beginsNoGapInOneThatIsTold()
    {
        EngineBench bench;
        bench.take("order", A, FullLease * 10);
        bench.up();
        bench.down();
        bench.passSilently(seconds{ 10 });
        bench.tell(input::SourceUp{ "first", Feed::ClientTracking, true });
        bench.passSilently(seconds{ 1 });
        bench.down(); // before the lock has been read again
        bench.passSilently(seconds{ 5 });
        bench.up();
        QCOMPARE(gaps(bench), (std::vector{ Millis{ 10'000 }, Millis{ 6'000 } }));
    }

    void missesWhatABrokenFeedDidNotTell()
    {
        EngineBench bench;
        bench.up();
        const auto deafSince = bench.mono;
        bench.pass(Millis{ 3'000 });
        bench.tell(changed(Feed::ClientTracking, deafSince)); // another one works at once
        QCOMPARE(gaps(bench), std::vector{ Millis{ 3'000 } });
    }

    void missesNoMoreOnceTheLocksAreReadInTurn()
    {
        EngineBench bench;
        bench.up();
        const auto deafSince = bench.mono;
        bench.pass(Millis{ 3'000 });
        bench.tell(changed(Feed::Rereading, deafSince));
        QCOMPARE(gaps(bench), std::vector{ Millis{ 3'000 } }); // at once, and not when it is over
        bench.pass(Millis{ 2'000 });
        bench.tell(changed(Feed::ClientTracking, {}));
        QCOMPARE(gaps(bench), std::vector{ Millis{ 3'000 } });
    }

    /// Between two reads in turn it may have come at any time, though from the second on all is told.
    void tellsOfNobodyToTheMomentWhoCameWhileTheLocksWereReadInTurn()
    {
        EngineBench bench(Feed::Rereading);
        bench.up();
        bench.take("order", A, Millis{ 60'000 });
        bench.pass(Millis{ 5'000 });
        QVERIFY(bench.shown("order"));
        auto &lock = bench.server["order"];
        lock.kind = Kind::Fair;
        lock.waiters = { WaiterReading{ B, {} } };
        lock.keys = { "order", key_layout::fairQueue("order") };
        bench.passSilently(Millis{ 400 });
        input::FeedChanged tracking = changed(Feed::ClientTracking, {});
        tracking.missedNothing = true;
        bench.tell(tracking);
        bench.answer();
        bench.pass(Millis{ 100 });
        QCOMPARE(bench.shown("order")->waiters.size(), std::size_t{ 1 });
        QVERIFY(!bench.shown("order")->waiters[0].since.exact);

        lock.waiters.push_back(WaiterReading{ C, {} });
        bench.changed("order");
        QCOMPARE(bench.shown("order")->waiters.size(), std::size_t{ 2 });
        QVERIFY(bench.shown("order")->waiters[1].since.exact);
    }

    void seesWhatIsHeldWhileTheFeedIsLimited_data()
    {
        QTest::addColumn<bool>("readsInTurn");
        QTest::newRow("locks read in turn") << true;
        QTest::newRow("told of what begins as they do") << false;
    }
    void seesWhatIsHeldWhileTheFeedIsLimited()
    {
        QFETCH(const bool, readsInTurn);
        using Extent = FeedScope::Extent;
        EngineBench bench;
        bench.up();
        bench.take("order:1", A, Millis{ 30'000 });
        bench.changed("order:1");
        bench.take("order:2", A, Millis{ 600'000 });
        bench.changed("order:2");
        QVERIFY(bench.shown("order:1")->holders[0].since.exact);
        bench.takeEvents();
        const auto feed = readsInTurn ? Feed::Rereading : Feed::ClientTracking;
        FeedScope scope{ readsInTurn ? Extent::Nothing : Extent::Prefixes, {}, false, 5'000 };
        if (!readsInTurn)
            scope.prefixes = { "order:" };
        const auto tell = [&](const LockName &name) {
            if (!readsInTurn)
                bench.changed(name);
        };
        bench.tell(limitedTo(feed, scope, true));
        for (int i = 0; i < 3; ++i) {
            bench.pass(Millis{ 10'000 });
            bench.renew("order:1", Millis{ 30'000 });
            tell("order:1");
        }
        bench.server.erase("order:2"); // deleted
        tell("order:2");
        bench.pass(Millis{ 2'000 });
        QVERIFY(!bench.shown("order:2"));
        const auto renewed = std::pair{ EventKind::Renewed, Certainty::Seen };
        auto events = bench.takeEvents();
        QCOMPARE(std::ranges::count(events, renewed), 3);

        bench.tell(limitedTo(Feed::ClientTracking, { Extent::Everything, {}, true, 5'000 }, !readsInTurn));
        bench.answer();
        bench.pass(Millis{ 8'000 });
        bench.renew("order:1", Millis{ 30'000 });
        bench.tell(limitedTo(Feed::ClientTracking, {}, true));
        bench.answer();
        bench.changed("order:1");
        bench.pass(Millis{ 500 });
        QVERIFY(gaps(bench).empty());
        QCOMPARE(bench.takeEvents(), std::vector{ renewed });
        QVERIFY(bench.shown("order:1")->holders[0].since.exact); // it was held all the time
    }

    void comparesWithTheLastLookInTurnWhenItIsToldAgain()
    {
        using Extent = FeedScope::Extent;
        EngineBench bench;
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        bench.tell(limitedTo(Feed::Rereading, { Extent::Nothing, {} }, true));
        bench.answer();
        bench.passSilently(Millis{ 900 });
        bench.take("order", B, Millis{ 600'000 }); // of which nobody tells
        bench.tell(limitedTo(Feed::ClientTracking, { Extent::Everything, {}, true }, false));
        bench.tell(limitedTo(Feed::ClientTracking, {}, true));
        bench.answer();
        bench.pass(Millis{ 500 });
        QVERIFY(bench.shown("order")->holders[0].owner == B);
        QVERIFY(!bench.shown("order")->holders[0].since.exact);
        bench.take("order", A, Millis{ 600'000 });
        bench.changed("order");
        bench.pass(Millis{ 500 });
        QVERIFY(bench.shown("order")->holders[0].since.exact);
    }

    void knowsNoBeginningOfWhatALimitedFeedDidNotTell()
    {
        using Extent = FeedScope::Extent;
        EngineBench bench;
        bench.take("order:1", A, Millis{ 600'000 });
        bench.up();
        bench.tell(limitedTo(Feed::ClientTracking, { Extent::Prefixes, { "order:" } }, true));
        bench.take("zeta", A, Millis{ 30'000 });
        bench.pass(Millis{ 10'000 });
        bench.tell(limitedTo(Feed::ClientTracking, { Extent::Everything, {}, true }, true));
        bench.takeEvents();
        bench.renew("zeta", Millis{ 30'000 });
        bench.changed("zeta"); // before a sweep has found it
        bench.take("order:2", A, Millis{ 30'000 });
        bench.changed("order:2"); // which begins as what was told all the time
        bench.pass(Millis{ 100 });
        QCOMPARE(bench.takeEvents(),
            (std::vector{ std::pair{ EventKind::Appeared, Certainty::Seen },
                std::pair{ EventKind::Acquired, Certainty::Seen } }));
        QVERIFY(!bench.shown("zeta")->holders[0].since.exact);
        QVERIFY(bench.shown("order:2")->holders[0].since.exact);
        bench.tell(limitedTo(Feed::ClientTracking, {}, true));
        bench.answer(); // a sweep
        bench.pass(Millis{ 1'000 });
        bench.take("yew", A, Millis{ 30'000 });
        bench.changed("yew");
        QVERIFY(bench.shown("yew")->holders[0].since.exact);
    }

    void isStaleAtOnceAndInventsNothingOnReturn()
    {
        EngineBench bench;
        bench.take("gone", A, FullLease);
        bench.take("kept", A, FullLease);
        bench.up();
        bench.takeEvents();
        const auto before = bench.mono;
        bench.down();
        QCOMPARE(bench.last->status.phase, SourcePhase::Stale);
        QCOMPARE(bench.last->status.staleSince, std::optional{ before });
        QCOMPARE(bench.last->locks.size(), std::size_t{ 2 });
        bench.passSilently(seconds{ 5 });
        bench.server.erase("gone");
        bench.renew("kept", FullLease);
        bench.take("new", B, FullLease);
        bench.up();
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
        QVERIFY(!bench.last->status.staleSince);
        QCOMPARE(bench.events.at(0).ttl, std::optional{ Millis{ 5'000 } });
        QCOMPARE(bench.takeEvents(),
            (Happened{ { EventKind::Gap, Seen }, { EventKind::Released, Inferred }, { EventKind::Renewed, Inferred },
                { EventKind::Appeared, Seen } }));
        const auto kept = bench.shown("kept");
        const auto corners = ttlHistoryOf(*kept);
        QCOMPARE(corners.size(), std::size_t{ 3 }); // what was seen before stays
        QCOMPARE(corners[1].at, before);
        QCOMPARE(corners[1].after, TtlCorner::NotSeen);
        QVERIFY(corners[1].before > Millis{ 20'000 });
        QVERIFY(corners[2].at >= before + seconds{ 5 });
        QCOMPARE(corners[2].before, Millis{ 0 });
        QVERIFY(!corners[2].renewal); // when it was renewed is not known
        QVERIFY(!bench.shown("new")->holders.at(0).since.exact);
    }

    /// In that time it may have been given back and taken again: then no more is known than since when it is seen
    /// again.
    void knowsSinceWhenItIsHeldOverAGap_data()
    {
        using Meanwhile = std::function<void(EngineBench &)>;
        QTest::addColumn<Meanwhile>("meanwhile");
        QTest::addColumn<bool>("isSame");
        QTest::addColumn<std::size_t>("told"); // beside the gap
        const auto row = [](const char *name, const Meanwhile &meanwhile, bool isSame = false, std::size_t told = 1) {
            QTest::newRow(name) << meanwhile << isSame << told;
        };
        row(
            "its deadline is the same", [](EngineBench &) {}, true, 0);
        row("set anew", [](EngineBench &bench) { bench.renew("order", FullLease); });
        row("set anew, to an earlier time", [](EngineBench &bench) { bench.renew("order", Millis{ 10'000 }); });
        row("re-entered", [](EngineBench &bench) { bench.server["order"].holders.front().count = 2; });
        row("it has none any more", [](EngineBench &bench) { bench.expiries.erase("order"); });
    }
    void knowsSinceWhenItIsHeldOverAGap()
    {
        QFETCH(std::function<void(EngineBench &)>, meanwhile);
        QFETCH(bool, isSame);
        QFETCH(std::size_t, told);
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        const Since since = bench.shown("order")->holders.at(0).since;
        QVERIFY(since.exact);
        bench.pass(seconds{ 5 });
        bench.down();
        bench.passSilently(seconds{ 5 });
        meanwhile(bench);
        bench.events.clear();
        const Since again{ bench.mono, false };
        bench.up();
        QCOMPARE(bench.shown("order")->holders.at(0).since, isSame ? since : again);
        QCOMPARE(bench.takeEvents().size(), told + 1);
    }

    void neverKnowsSinceWhenItIsHeldWithoutATimeToLiveOverAGap()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.expiries.erase("order");
        bench.changed("order");
        QVERIFY(bench.shown("order")->holders.at(0).since.exact);
        bench.down();
        bench.passSilently(seconds{ 5 });
        const Since again{ bench.mono, false };
        bench.up();
        QCOMPARE(bench.shown("order")->holders.at(0).since, again);
    }

    void staysStaleUntilAllIsReadAgain()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        bench.down();
        bench.tell(input::SourceUp{ "first", Feed::ClientTracking, true });
        bench.passSilently(Millis{ 100 });
        bench.tell(input::TimerFired{});
        QCOMPARE(bench.last->status.phase, SourcePhase::Stale);
        bench.answer();
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
    }

    void saysDeletedWhenTheServerLostItsData()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        bench.takeEvents();
        bench.down();
        bench.server.clear();
        bench.runId = "second";
        bench.up();
        QCOMPARE(bench.takeEvents(),
            (Happened{
                { EventKind::Gap, Seen }, { EventKind::ServerRestarted, Seen }, { EventKind::Deleted, Inferred } }));
    }
};

QTEST_APPLESS_MAIN(TestEngineGaps)
#include "tst_engine_gaps.moc"
