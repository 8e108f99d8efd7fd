// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/notification_throttle.h"
#include "lockcore/monitor/prefix_learner.h"
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;
using Extent = FeedScope::Extent;

namespace {

constexpr Millis Second{ 1'000 };

/// A guard that allows a hundred non-lock keys a second, and the locks there are.
struct Guard {
    std::optional<FeedScope> second(const std::string &stem, int writes)
    {
        for (int i = 0; i < writes; ++i)
            guard.announced(stem + std::to_string(i), now);
        now += Second;
        return decide();
    }
    std::optional<FeedScope> decide()
    {
        auto scope = guard.decide(
            now, [this] { return locks; }, mayBeSudden);
        if (scope)
            guard.feedChanged(*scope, true);
        return scope;
    }

    std::vector<LockName> locks{ "order:1", "order:2", "stock:7" };
    NotificationThrottle guard{ 100 };
    bool mayBeSudden = false;
    MonoTime now{ Second };
};

} // namespace

class TestNotificationThrottle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void learnsWhatLocksBeginWith()
    {
        QCOMPARE(learnPrefixes({ "order:1", "order:2", "stock:7" }, { "session:1", "cache:5" }),
            (Prefixes{ "order:", "redisson_", "stock:", "{order:", "{stock:" }));
        QCOMPARE(learnPrefixes({ "job17", "job4" }, { "session:1" }), (Prefixes{ "job", "redisson_", "{job" }));
        QCOMPARE(learnPrefixes({ "app:{1}:lock" }, { "app:cache:1" }), (Prefixes{ "app:{", "redisson_" }));
    }

    void keepsCloseStrangersOut()
    {
        const Prefixes learnt = learnPrefixes({ "app:lock:1", "app:lock:2" }, { "app:session:1", "app:line" });
        QCOMPARE(learnt, (Prefixes{ "app:lock:", "redisson_", "{app:lock:" }));
        QCOMPARE(learnPrefixes({ "redisson_x", "a" }, {}).size(), std::size_t{ 0 });
    }

    void toleratesAFewStrangersThatLookLikeLocks()
    {
        const std::vector<LockName> locks{ "order:1", "order:2" };
        std::vector<std::string> nonLockKeys{ "order:3", "session:1", "session:2", "session:3" };
        QCOMPARE(learnPrefixes(locks, nonLockKeys, 1), (Prefixes{ "order:", "redisson_", "{order:" }));
        QVERIFY(!covers(learnPrefixes(locks, nonLockKeys), "order:3"));
    }

    void noPrefixIsTheBeginningOfAnother()
    {
        std::vector<LockName> locks;
        for (const char *stem : { "a", "a:b", "a:b:", "redisson_thing", "{a}", "redi" })
            locks.push_back(stem);
        std::sort(locks.begin(), locks.end());
        const auto learnt = learnPrefixes(locks, { "b", "c:1", "redx" });
        QVERIFY(!learnt.empty());
        for (const auto &one : learnt) {
            for (const auto &other : learnt)
                QVERIFY2(&one == &other || !other.starts_with(one), (one + " and " + other).c_str());
        }
        for (const auto &lock : locks)
            QVERIFY2(covers(learnt, lock), lock.c_str());
    }

    void takesThePrefixOfAPattern()
    {
        QCOMPARE(prefixesOfPattern("order:*"), (Prefixes{ "order:", "redisson_", "{order:" }));
        QCOMPARE(prefixesOfPattern("*:lock"), Prefixes{});
        QCOMPARE(prefixesOfPattern(""), Prefixes{});
        QCOMPARE(prefixesOfPattern("r*"), (Prefixes{ "r", "{r" }));
        QCOMPARE(plainPrefixesOfPattern("lab:*"),
            (Prefixes{ "lab:", "redisson_lock_queue:lab:", "redisson_lock_queue:{lab:", "redisson_lock_timeout:lab:",
                "redisson_lock_timeout:{lab:", "redisson_lock_token:lab:", "redisson_lock_token:{lab:",
                "redisson_unlock_latch:lab:", "redisson_unlock_latch:{lab:", "{lab:" }));
        QCOMPARE(plainPrefixesOfPattern("*:lock"), Prefixes{});
        QCOMPARE(channelsOfPattern("lab:*"), std::string("redisson_*lab:*"));
        QCOMPARE(channelsOfPattern({}), std::string("redisson_*"));
    }

    void limitsToPrefixesWhenItIsSureOfAFlood()
    {
        Guard guard;
        QVERIFY(!guard.second("session:", 500));
        const auto scope = guard.second("session:", 500);
        QVERIFY(scope && scope->extent == Extent::Prefixes && scope->nonLockKeys >= 400);
        QVERIFY(covers(scope->prefixes, "order:99") && !covers(scope->prefixes, "session:1"));
    }

    void believesAPlainFloodAtOnceWhereAllLocksAreKnown_data()
    {
        QTest::addColumn<bool>("known");
        QTest::newRow("known") << true;
        QTest::newRow("in the first sweep") << false;
    }
    void believesAPlainFloodAtOnceWhereAllLocksAreKnown()
    {
        QFETCH(bool, known);
        Guard guard;
        guard.mayBeSudden = known;
        for (int i = 0; i < 301; ++i)
            guard.guard.announced("session:" + std::to_string(i), guard.now);
        guard.now += Millis{ 50 };
        const auto scope = guard.decide();
        QCOMPARE(scope.has_value(), known);
        if (scope)
            QCOMPARE(scope->nonLockKeys, 301 * 20);
    }

    void ignoresABurstAndWhatTurnsOutToBeALock()
    {
        Guard guard;
        QVERIFY(!guard.second("session:", 500));
        QVERIFY(!guard.second("session:", 5));
        QVERIFY(!guard.second("session:", 500));
        for (int round = 0; round < 5; ++round) {
            for (int i = 0; i < 500; ++i) {
                guard.guard.announced("lock" + std::to_string(i), guard.now);
                guard.guard.isLock("lock" + std::to_string(i));
            }
            QVERIFY(!guard.second("session:", 5));
        }
    }

    void hearsNothingWhereFloodAndLocksLookAlike()
    {
        Guard guard;
        guard.locks = { "7f21", "a441", "zzz" };
        for (char c = 'A'; c <= 'Z'; ++c)
            guard.locks.insert(guard.locks.begin() + 1, { std::string(1, c) + "x" });
        std::sort(guard.locks.begin(), guard.locks.end());
        std::optional<FeedScope> scope;
        for (int round = 0; round < 2; ++round) {
            for (char c = 'A'; c <= 'Z'; ++c)
                scope = guard.second(std::string(1, c), 0);
            for (int i = 0; i < 500; ++i)
                guard.guard.announced(std::string(1, static_cast<char>('A' + i % 26)) + "y", guard.now);
            scope = guard.second("A", 0);
        }
        QVERIFY(scope && scope->extent == Extent::Nothing);
    }

    void triesAgainAndIsCompleteWhenItHasCalmed()
    {
        Guard guard;
        guard.second("session:", 500);
        QVERIFY(guard.second("session:", 500));
        std::optional<FeedScope> scope;
        for (int i = 0; i < 29; ++i)
            QVERIFY(!guard.second("order:", 10));
        scope = guard.second("order:", 10);
        QVERIFY(scope && scope->trial && scope->extent == Extent::Everything);
        scope = guard.second("session:", 500); // it has not
        QVERIFY(scope && scope->extent == Extent::Prefixes);
        for (int i = 0; i < 59; ++i)
            QVERIFY(!guard.second("order:", 10));
        scope = guard.second("order:", 10);
        QVERIFY(scope && scope->trial);
        QVERIFY(!guard.second("session:", 50));
        QVERIFY(!guard.second("session:", 50));
        scope = guard.second("session:", 50);
        QVERIFY(scope && *scope == FeedScope{});
        QVERIFY(!guard.guard.next() || *guard.guard.next() <= guard.now + Second);
    }

    void learnsOfLocksThatASweepFound()
    {
        Guard guard;
        guard.second("session:", 500);
        QVERIFY(guard.second("session:", 500));
        guard.locks.insert(guard.locks.begin(), "night:1");
        guard.guard.found("night:1");
        std::optional<FeedScope> scope;
        for (int i = 0; i < 12 && !scope; ++i)
            scope = guard.second("order:", 1);
        QVERIFY(scope && covers(scope->prefixes, "night:2") && !covers(scope->prefixes, "session:1"));
    }

    void hearsNothingWhereTheLocksFoundBeginInTooManyWays()
    {
        Guard guard;
        guard.locks.clear();
        for (char c = 'a'; c < 'a' + 16; ++c)
            guard.locks.push_back({ c, ':', '1' });
        guard.second("session:", 500);
        const auto before = guard.second("session:", 500);
        QVERIFY(before && before->extent == Extent::Prefixes);
        guard.locks.push_back("zeta:1");
        guard.guard.found("zeta:1");
        std::optional<FeedScope> scope;
        for (int i = 0; i < 12 && !scope; ++i)
            scope = guard.second("a:", 1);
        QVERIFY(scope && scope->extent == Extent::Nothing && scope->prefixes.empty());
        QCOMPARE(scope->nonLockKeys, before->nonLockKeys); // for which it is
        for (int i = 0; i < 30 && !(scope && scope->trial); ++i)
            scope = guard.second("a:", 1);
        QVERIFY(scope && scope->trial);
    }

    void leavesAFeedAloneThatWasChosenByHand()
    {
        Guard guard;
        guard.guard.start(false);
        for (int i = 0; i < 5; ++i)
            QVERIFY(!guard.second("session:", 500));
        QVERIFY(!guard.guard.next());
    }

    void engineReadsAnewWhereAFeedBeganWithoutTheOneBefore()
    {
        EngineBench bench;
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        const FeedScope narrow{ Extent::Prefixes, { "order" }, false, 5'000 };
        bench.tell(input::FeedChanged{ Feed::ClientTracking, { .recorded = "narrow" }, true, narrow });
        bench.answer();
        bench.pass(Millis{ 7'000 });
        QCOMPARE(bench.last->status.feedReason.recorded, std::string("narrow"));
        QCOMPARE(bench.last->status.phase, SourcePhase::Live);
        bench.server.clear();
        bench.tell(input::FeedChanged{ Feed::ClientTracking, { .recorded = "whole" }, true });
        bench.answer();
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("order")); // read again at once
    }

    void engineTrustsWhatItSeesIfNothingWasMissed_data()
    {
        QTest::addColumn<Feed>("before");
        QTest::addColumn<bool>("trial");
        QTest::addColumn<bool>("missedNothing");
        QTest::addColumn<Certainty>("certainty");
        QTest::newRow("taken over") << Feed::ClientTracking << false << true << Certainty::Seen;
        QTest::newRow("begun anew") << Feed::ClientTracking << false << false << Certainty::Inferred;
        QTest::newRow("read in turn meanwhile") << Feed::Rereading << true << false << Certainty::Seen;
        QTest::newRow("no longer read in turn") << Feed::Rereading << false << true << Certainty::Seen;
    }
    void engineTrustsWhatItSeesIfNothingWasMissed()
    {
        QFETCH(Feed, before);
        QFETCH(bool, trial);
        QFETCH(bool, missedNothing);
        QFETCH(Certainty, certainty);
        EngineBench bench;
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        const auto limited
            = before == Feed::Rereading ? FeedScope{ Extent::Nothing, {} } : FeedScope{ Extent::Prefixes, { "order" } };
        bench.tell(input::FeedChanged{ before, { .recorded = "limited" }, true, limited, true, true });
        bench.answer();
        bench.takeEvents();
        bench.tell(input::FeedChanged{ Feed::ClientTracking, { .recorded = "whole" }, true,
            { Extent::Everything, {}, trial }, true, missedNothing });
        bench.take("order", B, Millis{ 600'000 });
        bench.changed("order");
        bench.pass(Millis{ 500 }); // how the hold before it ended may still be heard
        const auto acquired = std::find_if(bench.events.begin(), bench.events.end(),
            [](const Event &event) { return event.kind == EventKind::Acquired; });
        QVERIFY(acquired != bench.events.end());
        QCOMPARE(acquired->certainty, certainty);
    }

    void engineReadsAsUnseenWhatTheOldPrefixesLeftOut()
    {
        EngineBench bench;
        bench.take("order:1", A, Millis{ 600'000 });
        bench.up();
        bench.tell(input::FeedChanged{
            Feed::ClientTracking, { .recorded = "narrow" }, true, { Extent::Prefixes, { "order:" } }, true, true });
        bench.take("zeta", A, Millis{ 600'000 });
        bench.tell(input::RefreshRequested{});
        bench.answer();
        bench.pass(Millis{ 500 });
        QVERIFY(bench.shown("zeta") && !bench.shown("zeta")->holders[0].since.exact);
        bench.take("zeta", B, Millis{ 600'000 });
        bench.tell(input::MessageHeard{ key_layout::lockChannel("zeta") }); // and so it is read, some time later
        bench.answer();
        QVERIFY(bench.shown("zeta")->holders[0].owner == B && !bench.shown("zeta")->holders[0].since.exact);
        bench.server.erase("zeta");
        bench.tell(input::MessageHeard{ key_layout::lockChannel("zeta") });
        bench.answer();
        bench.pass(Millis{ 500 });
        QVERIFY(!bench.shown("zeta"));
        bench.take("zeta", B, Millis{ 600'000 }); // of which nobody tells
        bench.takeEvents();
        bench.reads = 0;
        bench.tell(input::FeedChanged{ Feed::ClientTracking, { .recorded = "wider" }, true,
            { Extent::Prefixes, { "order:", "zeta" } }, true, true });
        bench.answer();
        bench.pass(Millis{ 100 });
        QCOMPARE(bench.reads, 1); // that one alone
        QVERIFY(bench.shown("zeta") && !bench.shown("zeta")->holders[0].since.exact);
        QCOMPARE(bench.takeEvents(), (std::vector{ std::pair{ EventKind::Acquired, Certainty::Inferred } }));
        bench.take("zeta", A, Millis{ 600'000 });
        bench.changed("zeta");
        bench.pass(Millis{ 500 }); // how the hold before it ended may still be heard
        QVERIFY(bench.shown("zeta")->holders[0].since.exact);
    }

    void engineTakesNoCounterOutsideThePrefixesForNew()
    {
        EngineBench bench;
        bench.up();
        bench.tell(input::FeedChanged{
            Feed::ClientTracking, { .recorded = "narrow" }, true, { Extent::Prefixes, { "order:" } }, true, true });
        bench.take("zeta", A, Millis{ 600'000 });
        bench.takeEvents();
        bench.tell(input::MessageHeard{ key_layout::latchChannel("zeta") }); // and so it is read
        bench.answer();
        bench.pass(Millis{ 500 });
        QCOMPARE(bench.takeEvents(), (std::vector{ std::pair{ EventKind::Appeared, Certainty::Seen } }));
    }

    void engineReadsInTurnDuringATrial()
    {
        EngineBench bench;
        bench.take("order", A, Millis{ 600'000 });
        bench.up();
        bench.tell(input::FeedChanged{
            Feed::Rereading, { .recorded = "limited" }, true, { Extent::Nothing, {} }, true, true });
        bench.tell(input::FeedChanged{
            Feed::ClientTracking, { .recorded = "trial" }, true, { Extent::Everything, {}, true } });
        bench.server.clear(); // while nothing was announced
        bench.pass(Millis{ 1'500 });
        QVERIFY(!bench.shown("order"));
    }

    void engineLimitsTheFeedInAFlood()
    {
        EngineBench bench(Feed::ClientTracking, true, { .server = "test:6379", .tokenNames = { "lock:*", "*" } });
        bench.up();
        std::optional<FeedScope> scope;
        for (int i = 0; i < 6 && !scope; ++i) {
            input::KeysChanged flood;
            for (int key = 0; key < 5'000; ++key)
                flood.keys.push_back("session:" + std::to_string(key));
            for (const auto &action : bench.engine.handle(flood, bench.now())) {
                if (const auto *limit = std::get_if<action::LimitFeed>(&action))
                    scope = limit->scope;
            }
            bench.mono += Second;
        }
        QVERIFY(scope && scope->extent == Extent::Prefixes);
        QVERIFY(tellsOf(*scope, "lock:order")); // a new one is taken by another library at any time
        QVERIFY(!tellsOf(*scope, "session:1"));
    }
};

QTEST_GUILESS_MAIN(TestNotificationThrottle)
#include "tst_notification_throttle.moc"
