// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "tests/gui/sample_snapshot.h"
#include "ui/models/activity.h"

#include <QRandomGenerator>
#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockui;
using namespace lockui::test;
using namespace std::chrono_literals;

namespace {

constexpr WallTime Start{ 1'800'000'000'000ms }; // a whole minute

Event told(EventKind kind, Millis at, const LockName &lock = "job", const char *thread = "1", const char *node = "a")
{
    Event event;
    event.at = Start + at;
    event.kind = kind;
    event.lock = lock;
    event.owner = OwnerId{ "client", thread };
    event.node = node;
    return event;
}

std::shared_ptr<Snapshot> seen(Millis at, SourcePhase phase = SourcePhase::Live, Millis clockStep = 0ms)
{
    const Now now{ MonoTime(1h + at), Start + at + clockStep };
    auto snapshot = makeSnapshot(now, { makeLock("job", now.mono) });
    snapshot->status.phase = phase;
    return snapshot;
}

NodeStatus server(const char *name, SourcePhase phase = SourcePhase::Live, std::optional<MonoTime> staleSince = {})
{
    NodeStatus node;
    node.node = name;
    node.role = NodeRole::Master;
    node.status.phase = phase;
    node.status.staleSince = staleSince;
    return node;
}

/// Independent servers, each with its own copy of the lock.
std::shared_ptr<Snapshot> seenOnThree(Millis at)
{
    const Now now{ MonoTime(1h + at), Start + at };
    auto lock = makeLock("job", now.mono);
    lock->quorum = Quorum{ 3, 0, 3 };
    auto snapshot = makeSnapshot(now, { lock });
    snapshot->nodes = { server("a"), server("b"), server("c") };
    return snapshot;
}

Event gapOf(const char *node, Millis at, Millis length)
{
    Event gap;
    gap.at = Start + at;
    gap.kind = EventKind::Gap;
    gap.node = node;
    gap.ttl = length;
    return gap;
}

Activity started()
{
    Activity activity;
    activity.observe(*seen(0ms));
    return activity;
}

} // namespace

class ActivityTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Of a beginning that was concluded nobody knows when it was; of an end only how it came is not known: older
    /// clients leave nothing that proves an unlock.
    void measuresOnlyHoldsThatWereSeenWhole()
    {
        const auto concluded = [](Event event) {
            event.certainty = Certainty::Inferred;
            return event;
        };
        Activity activity = started();
        activity.heard({ concluded(told(EventKind::Acquired, 100ms)), told(EventKind::Expired, 600ms) });
        QCOMPARE(activity.holds(Start, Start + 1min).total(), 0);
        QCOMPARE(activity.holdsOf("job", Start, Start + 1min).histogram.total(), 0);
        QCOMPARE(activity.sum(Start, Start + 1s), (ActivityCounts{ 1, 0, 0, 1, 0, 0 })); // they are counted
        activity.heard({ told(EventKind::Acquired, 700ms), concluded(told(EventKind::Released, 800ms)) });
        QCOMPARE(activity.holds(Start, Start + 1min).total(), 1);
    }

    /// From snapshot to snapshot as if all were counted at once.
    void countsWhatDiffersBetweenSnapshots()
    {
        QRandomGenerator random(3);
        LockCounter counter;
        LockList locks;
        for (int step = 0; step < 200; ++step) {
            LockList::Changes changes;
            for (int i = 0; i < 3; ++i) {
                auto lock = makeLock("lock:" + std::to_string(random.bounded(20)), MonoTime(1h));
                if (random.bounded(3) == 0)
                    lock->holders.clear();
                if (random.bounded(3) == 0)
                    lock->subscribers.reset();
                else
                    lock->subscribers = random.bounded(3);
                changes[lock->name] = random.bounded(3) == 0 ? nullptr : lock;
            }
            locks.apply(changes);
            QCOMPARE(counter.count(locks), LockCounter().count(locks));
        }
        auto busy = makeLock("busy", MonoTime(1h));
        busy->subscribers = 9;
        auto other = makeLock("other", MonoTime(1h));
        other->subscribers.reset();
        QCOMPARE(counter.count(LockList{ busy, other }), (LockCounts{ 2, 9, false, "busy", 1 }));
        QCOMPARE(counter.count(LockList{ other }), (LockCounts{ 1, 0, false, {}, 0 }));
        auto nameless = makeLock("", MonoTime(1h));
        nameless->subscribers = 3;
        QCOMPARE(counter.count(LockList{ nameless }).busiest, std::optional(LockName()));
        QCOMPARE(counter.count(LockList{}), LockCounts());
    }

    void countsBySeconds()
    {
        Activity activity = started();
        activity.heard(
            { told(EventKind::Acquired, 100ms), told(EventKind::Renewed, 900ms), told(EventKind::Released, 1'100ms),
                told(EventKind::Acquired, 2'500ms, "other"), told(EventKind::Expired, 2'900ms, "other") });
        const auto steps = activity.steps(Start + 3'500ms, 1s, 3);
        QCOMPARE(steps[0].counts, (ActivityCounts{ 1, 1, 0, 0, 0 }));
        QCOMPARE(steps[1].counts, (ActivityCounts{ 0, 0, 1, 0, 0 }));
        QCOMPARE(steps[2].counts, (ActivityCounts{ 1, 0, 0, 1, 0 }));
        QCOMPARE(activity.sum(Start, Start + 2s), (ActivityCounts{ 1, 1, 1, 0, 0 }));
        QCOMPARE(activity.lastExpiry()->lock, LockName("other"));
    }

    void keepsApartWhatOnlyProbablyRanOut()
    {
        Activity activity = started();
        Event inferred = told(EventKind::Expired, 900ms);
        inferred.certainty = Certainty::Inferred;
        activity.heard({ told(EventKind::Acquired, 100ms), told(EventKind::Acquired, 200ms, "other"),
            told(EventKind::Expired, 800ms, "other"), inferred });
        const auto counts = activity.sum(Start, Start + 1s);
        QCOMPARE(counts.expiries, 1);
        QCOMPARE(counts.likelyExpiries, 1);
        QCOMPARE(activity.lastExpiry()->certainty, Certainty::Inferred);
    }

    void countsNothingBeforeItBegins()
    {
        Activity activity;
        activity.heard({ gapOf("", 100ms, 50ms) });
        QVERIFY(!activity.since());
        activity.observe(*seen(0ms, SourcePhase::Connecting));
        QVERIFY(!activity.since());
        activity.observe(*seen(1s));
        QCOMPARE(activity.since(), std::optional(Start + 1s));
        QCOMPARE(activity.unseen(Start, Start + 5s), (std::vector<UnseenSpan>{ { Start, Start + 1s, {} } }));
    }

    void measuresWholeHoldsAlone()
    {
        Activity activity = started();
        activity.heard({ told(EventKind::Released, 50ms, "begun before"), told(EventKind::Acquired, 100ms),
            told(EventKind::Acquired, 200ms, "still held"), told(EventKind::Released, 1'100ms) });
        const DurationHistogram holds = activity.holds(Start, Start + 60s);
        QCOMPARE(holds.total(), 1);
        QCOMPARE(holds.at(DurationHistogram::bucketOf(1'000ms)), 1U);
    }

    void takesOneHoldOnSeveralServersForOne()
    {
        Activity activity;
        activity.observe(*seenOnThree(0ms));
        const auto onAll = [&](EventKind kind, Millis at, const char *thread = "1") {
            for (const char *node : { "a", "b", "c" })
                activity.heard({ told(kind, at, "job", thread, node) });
        };
        onAll(EventKind::Renewed, 50ms, "begun before");
        onAll(EventKind::Released, 60ms, "begun before");
        onAll(EventKind::Acquired, 100ms);
        onAll(EventKind::Renewed, 300ms);
        onAll(EventKind::Released, 600ms);
        onAll(EventKind::Acquired, 700ms);
        onAll(EventKind::Expired, 900ms);
        onAll(EventKind::Acquired, 950ms, "begun before");
        QCOMPARE(activity.sum(Start, Start + 1s), (ActivityCounts{ 3, 2, 2, 1, 0 }));
        QCOMPARE(activity.holds(Start, Start + 60s).total(), 2);
    }

    /// It ends with the last of the servers that have it, whatever came between.
    void goesOnWhileOneOfTheServersHasIt()
    {
        for (const auto &ttl : { std::optional<Millis>(), std::optional<Millis>(30s) }) {
            for (const bool isGapFirst : { true, false }) {
                const auto on = [&](const char *node, EventKind kind, Millis at) {
                    Event event = told(kind, at, "job", "1", node);
                    event.ttl = ttl;
                    return event;
                };
                Activity activity;
                activity.observe(*seenOnThree(0ms));
                activity.heard({ on("a", EventKind::Acquired, 100ms), on("b", EventKind::Acquired, 100ms) });
                Event gone = on("b", EventKind::Expired, 40s);
                gone.certainty = Certainty::Inferred;
                const Event gap = gapOf("b", 40s, 27s);
                activity.heard(isGapFirst ? std::vector{ gap, gone } : std::vector{ gone, gap });
                QCOMPARE(activity.sum(Start, Start + 60s), (ActivityCounts{ 1, 0, 0, 0, 0, 0 }));
                QVERIFY(!activity.lastExpiry());
                activity.heard({ on("a", EventKind::Renewed, 45s), on("a", EventKind::Released, 50'100ms) });
                QCOMPARE(activity.sum(Start, Start + 60s), (ActivityCounts{ 1, 1, 1, 0, 0, 0 }));
                const DurationHistogram holds = activity.holds(Start, Start + 60s);
                QCOMPARE(holds.total(), 1);
                QCOMPARE(holds.at(DurationHistogram::bucketOf(50'000ms)), 1U);
            }
        }
    }

    /// Found held on several servers, by whoever looked first.
    void goesOnWhileOneOfTheServersHasWhatWasFound()
    {
        auto found = seenOnThree(0ms);
        auto lock = std::make_shared<LockState>(*found->locks.front());
        for (const char *node : { "a", "b" }) {
            auto member = std::make_shared<LockState>(*lock);
            member->members.clear();
            member->node = node;
            member->holders.front().owner = { "client", "1" };
            lock->members.push_back(member);
        }
        found->locks = { lock };
        Activity activity;
        activity.heard(
            { told(EventKind::Appeared, 0ms, "job", "1", "a"), told(EventKind::Appeared, 0ms, "job", "1", "b") });
        activity.observe(*found);
        activity.heard({ told(EventKind::Expired, 10s, "job", "1", "b") });
        QCOMPARE(activity.sum(Start, Start + 60s), ActivityCounts());
        activity.heard({ told(EventKind::Released, 20s, "job", "1", "a") });
        QCOMPARE(activity.sum(Start, Start + 60s), (ActivityCounts{ 0, 0, 1, 0, 0, 0 }));
        QCOMPARE(activity.holds(Start, Start + 60s).total(), 0); // since when, nobody saw

        activity.heard({ told(EventKind::Appeared, 30s, "job", "2", "a"),
            told(EventKind::Appeared, 30s, "job", "2", "b"), told(EventKind::Expired, 31s, "job", "2", "a") });
        QCOMPARE(activity.sum(Start, Start + 60s).expiries, 0);
    }

    void goesOnWhenALockMovesWithinACluster()
    {
        Activity activity = started();
        activity.heard(
            { told(EventKind::Acquired, 100ms, "job", "1", "a"), told(EventKind::Acquired, 300ms, "job", "1", "b"),
                told(EventKind::Released, 400ms, "job", "1", "b"), told(EventKind::Acquired, 500ms, "job", "1", "b") });
        QCOMPARE(activity.sum(Start, Start + 1s).acquires, 3);
    }

    void measuresAWriterWhoReadsAsOneHold()
    {
        Activity activity = started();
        std::vector<Event> events{ told(EventKind::Acquired, 0ms), told(EventKind::Acquired, 1'000ms),
            told(EventKind::Released, 2'000ms), told(EventKind::Released, 8'000ms) };
        for (Event &event : events)
            event.lockKind = synchronizers::Kind::ReadWrite;
        activity.heard(events);
        const DurationHistogram holds = activity.holds(Start, Start + 60s);
        QCOMPARE(holds.total(), 1);
        QCOMPARE(holds.at(DurationHistogram::bucketOf(8'000ms)), 1U);
    }

    void takesNoLatchForAHold()
    {
        Activity activity = started();
        Event latch = told(EventKind::Expired, 100ms, "latch");
        latch.owner.reset();
        activity.heard({ latch });
        QCOMPARE(activity.sum(Start, Start + 1s).expiries, 0);
        QVERIFY(!activity.lastExpiry());
    }

    void countsNothingOfBeforeAJump()
    {
        Activity activity;
        activity.observe(*seen(30s));
        activity.heard(
            { told(EventKind::Acquired, 10s), told(EventKind::Expired, 20s), told(EventKind::Acquired, 31s) });
        QCOMPARE(activity.sum(Start, Start + 60s), (ActivityCounts{ 1, 0, 0, 0, 0 }));
        QCOMPARE(activity.holds(Start, Start + 60s).total(), 0);
        QVERIFY(!activity.lastExpiry());
    }

    void beginsAnewWhenTheClockIsSetBack()
    {
        Activity activity = started();
        activity.heard({ told(EventKind::Acquired, 100ms) });
        activity.observe(*seen(1s, SourcePhase::Live, -2h));
        QCOMPARE(activity.since(), std::optional(Start + 1s - 2h));
        activity.heard({ told(EventKind::Acquired, 2s - 2h) });
        QCOMPARE(activity.sum(Start - 2h, Start + 1h), (ActivityCounts{ 1, 0, 0, 0, 0 }));
    }

    void leavesOutWhatTheClockLeapsOver()
    {
        Activity activity = started();
        activity.heard({ told(EventKind::Acquired, 100ms) });
        activity.observe(*seen(1s, SourcePhase::Live, 10min));
        activity.heard({ told(EventKind::Released, 10min + 2s) });
        QCOMPARE(activity.holds(Start, Start + 1h).total(), 0);
        QCOMPARE(activity.unseen(Start, Start + 1h), (std::vector<UnseenSpan>{ { Start, Start + 10min + 1s, {} } }));
    }

    void measuresNoHoldOverAGap()
    {
        Activity activity;
        auto both = seen(0ms);
        both->nodes = { server("a"), server("b") };
        activity.observe(*both);
        activity.heard(
            { told(EventKind::Acquired, 100ms), told(EventKind::Acquired, 100ms, "there", "1", "b"), gapOf("a", 3s, 2s),
                told(EventKind::Released, 3'500ms), told(EventKind::Released, 3'500ms, "there", "1", "b") });
        QCOMPARE(activity.holds(Start, Start + 60s).total(), 1); // the other server was seen
        QCOMPARE(activity.unseen(Start, Start + 10s), (std::vector<UnseenSpan>{ { Start + 1s, Start + 3s, "a" } }));
        QCOMPARE(activity.seen(Start, Start + 10s), Millis(10s));
    }

    /// Who took a lock while nobody looked took it at no moment that is known: a rate of the gap's end it is not.
    void countsAtNoMomentWhatIsConcludedOverAGap()
    {
        Activity activity;
        auto both = seen(0ms);
        both->nodes = { server("a"), server("b") };
        activity.observe(*both);
        const auto concluded = [](EventKind kind, Millis at, const char *thread, const char *node = "a") {
            Event event = told(kind, at, "job", thread, node);
            event.certainty = Certainty::Inferred;
            return event;
        };
        activity.heard({ gapOf("a", 50s, 42s), concluded(EventKind::Acquired, 50s, "1"),
            concluded(EventKind::Acquired, 50'200ms, "2"), concluded(EventKind::Renewed, 50'200ms, "2"),
            concluded(EventKind::Expired, 50'200ms, "3") });
        QCOMPARE(activity.sum(Start, Start + 60s).acquires, 0);
        QCOMPARE(activity.sum(Start, Start + 60s).renewals, 0);
        QCOMPARE(activity.sum(Start, Start + 60s).likelyExpiries, 1); // that it happened is known all the same
        activity.heard({ told(EventKind::Acquired, 50'300ms, "seen"),
            concluded(EventKind::Acquired, 50'300ms, "4", "b"), // the other one was seen
            concluded(EventKind::Acquired, 70s, "5") });
        QCOMPARE(activity.sum(Start, Start + 80s).acquires, 3);
        activity.heard({ told(EventKind::Released, 71s, "job", "1") });
        QCOMPARE(activity.holds(Start, Start + 80s).total(), 0); // since when it was held is not known either
    }

    /// A line that fails again and again: each of its gaps counts, for as long as what happened between them does.
    void leavesOutEachOfManyGaps()
    {
        Activity activity = started();
        for (int i = 1; i <= 600; ++i)
            activity.heard({ gapOf("a", i * 4s, 2s) });
        QCOMPARE(activity.seen(Start, Start + 2'400s), Millis(1'200s));
    }

    void seesNothingWhileTheOnlyServerIsLost()
    {
        Activity activity = started();
        activity.heard({ gapOf("a", 3s, 2s) });
        QCOMPARE(activity.unseen(Start, Start + 10s), (std::vector<UnseenSpan>{ { Start + 1s, Start + 3s, {} } }));
        QCOMPARE(activity.seen(Start - 5s, Start + 10s), Millis(8s));
    }

    void tellsWhichOfSeveralServersIsLostNow()
    {
        Activity activity;
        activity.observe(*seenOnThree(0ms));
        auto one = seenOnThree(9s);
        one->status.phase = SourcePhase::Stale;
        one->nodes[1] = server("b", SourcePhase::Stale, MonoTime(1h + 4s));
        activity.observe(*one);
        QCOMPARE(activity.unseen(Start, Start + 10s), (std::vector<UnseenSpan>{ { Start + 4s, Start + 10s, "b" } }));
        activity.observe(*seenOnThree(12s));
        QVERIFY(activity.unseen(Start, Start + 20s).empty()); // the gap is told as an event
    }

    void samplesNothingWhileAServerIsLost()
    {
        Activity activity;
        activity.observe(*seenOnThree(0ms));
        activity.observe(*seenOnThree(2s));
        auto part = seenOnThree(5s);
        part->nodes[1] = server("b", SourcePhase::Stale, MonoTime(1h + 3s));
        activity.observe(*part);
        const auto isSampled = [&](int second, int until) {
            return activity.steps(Start + std::chrono::seconds(until), 1s, until)[std::size_t(second)]
                .sample.has_value();
        };
        QVERIFY(isSampled(2, 8));
        QVERIFY(!isSampled(5, 8)); // what that one had is as it was
        QVERIFY(!isSampled(7, 8));
        activity.observe(*seenOnThree(9s));
        QVERIFY(!isSampled(7, 12));
        QVERIFY(isSampled(9, 12) && isSampled(11, 12));
    }

    /// Of a server that was down from the beginning no gap is ever told.
    void tellsOfTheTimeInWhichAServerWasNotReachedYet()
    {
        Activity activity;
        const auto look = [&](Millis at, SourcePhase phase) {
            auto snapshot = seenOnThree(at);
            snapshot->nodes[2] = server("c", phase);
            activity.observe(*snapshot);
        };
        look(0ms, SourcePhase::Connecting);
        look(4s, SourcePhase::Failed);
        QCOMPARE(activity.unseen(Start, Start + 10s), (std::vector<UnseenSpan>{ { Start, Start + 10s, "c" } }));
        QVERIFY(activity.steps(Start + 5s, 1s, 5)[4].sample); // of the same servers all the time
        look(12s, SourcePhase::Live);
        QCOMPARE(activity.unseen(Start, Start + 20s), (std::vector<UnseenSpan>{ { Start, Start + 12s, "c" } }));
    }

    void remembersWhenAllServersWereLost()
    {
        Activity activity;
        activity.observe(*seenOnThree(0ms));
        auto none = seenOnThree(4s);
        none->status.phase = SourcePhase::Stale;
        for (NodeStatus &node : none->nodes)
            node.status.phase = SourcePhase::Stale;
        activity.observe(*none);
        activity.observe(*seenOnThree(8s));
        QCOMPARE(activity.unseen(Start, Start + 10s), (std::vector<UnseenSpan>{ { Start + 4s, Start + 8s, {} } }));
    }

    void measuresWaits()
    {
        Activity activity = started();
        activity.heard({ told(EventKind::Queued, 100ms), told(EventKind::Acquired, 500ms),
            told(EventKind::Queued, 600ms, "job", "2"), told(EventKind::WaiterTimedOut, 5'600ms, "job", "2") });
        QCOMPARE(activity.waits(Start, Start + 60s).total(), 2);
        Event before = told(EventKind::Queued, 6s, "job", "3");
        before.certainty = Certainty::Inferred; // some time before
        activity.heard({ before, told(EventKind::Dequeued, 7s, "job", "3") });
        QCOMPARE(activity.waits(Start, Start + 60s).total(), 2);
        Event ghost = told(EventKind::Dequeued, 9s, "job", "4");
        ghost.count = 0;
        Event guessed = told(EventKind::WaiterTimedOut, 9s, "job", "5");
        guessed.certainty = Certainty::Inferred;
        activity.heard(
            { told(EventKind::Queued, 8s, "job", "4"), told(EventKind::Queued, 8s, "job", "5"), ghost, guessed });
        QCOMPARE(activity.waits(Start, Start + 60s).total(), 2);
        QCOMPARE(activity.waitsOf("job", Start, Start + 60s).histogram.total(), 2);
    }

    /// While nothing changes, no snapshot comes for minutes.
    void goesOnWithWhatWasLastSeen()
    {
        Activity activity = started();
        const Now later{ MonoTime(1h + 500ms), Start + 500ms };
        activity.observe(*makeSnapshot(later, { makeLock("job", later.mono), makeLock("more", later.mono) }));
        const auto held = [&](std::chrono::seconds to) {
            std::vector<std::int64_t> counts;
            for (const auto &step : activity.steps(Start + to, 60s, 3))
                counts.push_back(step.sample && step.isSeen ? step.sample->held : -1);
            return counts;
        };
        QCOMPARE(held(180s), (std::vector<std::int64_t>{ 2, 2, 2 })); // the last of the first second
        activity.observe(*seen(119'500ms));
        QCOMPARE(held(180s), (std::vector<std::int64_t>{ 2, 1, 1 }));
        activity.observe(*seen(130s, SourcePhase::Stale));
        QCOMPARE(held(240s), (std::vector<std::int64_t>{ 1, 1, -1 })); // ten seconds of the second step were seen
    }

    void samplesOnceASecondAndFillsRest()
    {
        Activity activity = started();
        activity.observe(*seen(3'200ms)); // nothing had changed in between
        activity.observe(*seen(4'000ms, SourcePhase::Stale));
        activity.observe(*seen(9'000ms));
        const auto steps = activity.steps(Start + 10s, 1s, 10);
        for (const int second : { 0, 1, 2, 3, 9 })
            QVERIFY2(steps[std::size_t(second)].sample, qPrintable(QString::number(second)));
        for (const int second : { 4, 5, 6, 7, 8 })
            QVERIFY2(!steps[std::size_t(second)].sample, qPrintable(QString::number(second)));
        QCOMPARE(steps[3].sample->held, 1);
    }

    /// What a first sweep has found so far grows; no lock is taken by that.
    void samplesNothingBeforeAllKeysWereLookedAt()
    {
        Activity activity;
        const auto sweeping = seen(0ms, SourcePhase::Sweeping);
        sweeping->status.lastSweep.reset();
        activity.observe(*sweeping);
        QVERIFY(!activity.steps(Start + 1s, 1s, 1).at(0).sample);
        activity.observe(*seen(700ms));
        const auto steps = activity.steps(Start + 1s, 1s, 1);
        QVERIFY(steps.at(0).isSeen && steps.at(0).sample);
        activity.observe(*seen(2s, SourcePhase::Sweeping)); // all are known, and looked at again
        QVERIFY(activity.steps(Start + 3s, 1s, 1).at(0).sample);
    }

    void isUnseenWhileItIsStale()
    {
        Activity activity = started();
        activity.observe(*seen(4s, SourcePhase::Stale));
        QCOMPARE(activity.unseen(Start, Start + 10s), (std::vector<UnseenSpan>{ { Start + 4s, Start + 10s, {} } }));
        activity.observe(*seen(8s));
        QVERIFY(activity.unseen(Start, Start + 10s).empty()); // the gap is told as an event
    }

    void forgetsWhatIsOlderThanItKeeps()
    {
        Activity activity = started();
        activity.heard({ told(EventKind::Acquired, 0ms), told(EventKind::Released, 500ms),
            told(EventKind::Acquired, 3h), told(EventKind::Released, 3h + 1s) });
        QCOMPARE(activity.sum(Start, Start + 4h).acquires, 1);
        QCOMPARE(activity.holds(Start, Start + 4h).total(), 1);
        activity.heard({ told(EventKind::Acquired, 1s, "late") }); // told too late to be counted
        QCOMPARE(activity.sum(Start, Start + 4h).acquires, 1);
    }

    /// As after a jump within a recording.
    void countsWhatIsToldOfTheTimeBeforeItLooked()
    {
        Activity activity;
        activity.heardFrom(Start);
        activity.heard({ told(EventKind::Acquired, 5s), told(EventKind::Released, 6s), gapOf("", 30s, 10s) });
        activity.observe(*seen(60s));
        QCOMPARE(activity.since(), std::optional(Start));
        QCOMPARE(activity.sum(Start, Start + 60s), (ActivityCounts{ 1, 0, 1, 0, 0 }));
        const auto steps = activity.steps(Start + 60s, 1s, 60);
        QVERIFY(steps[0].isSeen && !steps[0].sample);
        QVERIFY(!steps[25].isSeen && steps[31].isSeen);
        QVERIFY(activity.isSeenWhole(Start, Start + 20s));
        QVERIFY(!activity.isSeenWhole(Start, Start + 40s));
        QVERIFY(!activity.isSeenWhole(Start - 1s, Start + 20s));
    }

    /// What a recording begins with began before it: since when it is so is known, and it was not seen whole.
    void doesNotMeasureWhatBeganBeforeTheRecording()
    {
        Activity activity;
        activity.heardFrom(Start);
        for (const auto kind : { EventKind::Appeared, EventKind::FoundQueued }) {
            Event there = told(kind, 0s, kind == EventKind::Appeared ? "job" : "queue");
            there.since = KnownSince{ Start - 10s, true };
            activity.heard({ there });
        }
        activity.heard({ told(EventKind::Released, 2s), told(EventKind::Acquired, 2s, "queue"),
            told(EventKind::Released, 3s, "queue") });
        QCOMPARE(activity.holds(Start, Start + 60s).total(), 1);
        QCOMPARE(activity.waits(Start, Start + 60s).total(), 0);
        QCOMPARE(activity.sum(Start, Start + 60s), (ActivityCounts{ 1, 0, 2, 0, 0 }));
    }

    void measuresTheHoldsOfOneLock()
    {
        Activity activity = started();
        for (const char *name : { "job", "other", "job" })
            activity.heard({ told(EventKind::Acquired, 1s, name), told(EventKind::Released, 1'500ms, name) });
        QCOMPARE(activity.holdsOf("job", Start, Start + 60s).histogram.total(), 2);
        QCOMPARE(activity.holdsOf("other", Start, Start + 60s).histogram.total(), 1);
        QCOMPARE(activity.holdsOf("job", Start + 2s, Start + 60s).histogram.total(), 0);
        QCOMPARE(activity.waitsOf("job", Start, Start + 60s).histogram.total(), 0);
        QCOMPARE(activity.holdsOf("job", Start - 60s, Start + 60s).since, Start); // nothing is known of before
    }

    /// All keys are looked at for a while before there is a picture of them, and events are heard meanwhile.
    void countsFromTheFirstEventThatWasHeard()
    {
        Activity activity;
        activity.heard({ told(EventKind::Acquired, 100ms) });
        activity.observe(*seen(1s));
        QCOMPARE(activity.since(), std::optional(Start + 100ms));
        activity.heard({ told(EventKind::Released, 5s) });
        QCOMPARE(activity.holds(Start, Start + 10s).total(), std::int64_t(1));
        QCOMPARE(activity.sum(Start, Start + 10s).acquires, std::int64_t(1));
    }

    void keepsWhatServersWentThrough()
    {
        Activity activity;
        Event slow = told(EventKind::SlowCommand, -5s);
        slow.owner.reset();
        activity.heard({ slow }); // before anything was seen
        activity.observe(*seen(0ms));
        activity.heard({ told(EventKind::Acquired, 1s), slow });
        QCOMPARE(activity.serverEvents(Start - 10s, Start).size(), std::size_t(2));
        QVERIFY(activity.serverEvents(Start, Start + 10s).empty());
        activity.heardFrom(Start);
        QVERIFY(activity.serverEvents(Start - 10s, Start).empty());
    }

    void histogramIsOffByLessThanAnEighth()
    {
        for (std::int64_t value = 0; value < 3'000'000; value += 1 + value / 50) {
            const int bucket = DurationHistogram::bucketOf(Millis(value));
            const auto low = DurationHistogram::lowest(bucket).count();
            const auto next = DurationHistogram::lowest(bucket + 1).count();
            QVERIFY2(low <= value && value < next, qPrintable(QString::number(value)));
            QVERIFY2(double(next - low) <= std::max(1.0, double(low) / 8), qPrintable(QString::number(value)));
        }
        QCOMPARE(DurationHistogram::bucketOf(Millis::max()), DurationHistogram::Buckets - 1);
        QCOMPARE(DurationHistogram::bucketOf(-5ms), 0);
    }

    void histogramTellsQuantiles()
    {
        DurationHistogram histogram;
        QVERIFY(!histogram.quantile(0.5));
        for (int i = 1; i <= 100; ++i)
            histogram.add(Millis(i * 10));
        const auto near = [](std::optional<Millis> value, double wanted) {
            return value && std::abs(double(value->count()) - wanted) <= wanted / 8;
        };
        QVERIFY(near(histogram.quantile(0.5), 500));
        QVERIFY(near(histogram.quantile(0.99), 990));
        DurationHistogram one;
        one.add(59'900ms);
        QCOMPARE(one.quantile(0.99), std::optional<Millis>(59'900ms)); // none was longer
        DurationHistogram both;
        both.add(one);
        QCOMPARE(both.quantile(0.5), std::optional<Millis>(59'900ms));
    }

    /// Where nothing changes, there is no picture: what is lost later does not take away what was seen until then.
    void keepsWhatWasSeenBeforeALoss()
    {
        Activity activity = started();
        const auto samples = [&] {
            const auto steps = activity.steps(Start + 60s, 10s, 6);
            return std::ranges::count_if(steps, [](const auto &step) { return step.sample.has_value(); });
        };
        const auto before = samples();
        QCOMPARE(before, 6);
        auto lost = seen(61s, SourcePhase::Stale);
        lost->status.staleSince = MonoTime(1h + 61s);
        activity.observe(*lost);
        QCOMPARE(samples(), before);
    }
};

QTEST_MAIN(ActivityTest)
#include "tst_activity.moc"
