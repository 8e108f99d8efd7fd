// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "ui/models/count_curve.h"
#include "ui/models/hold_times.h"
#include "ui/support/widgets.h"
#include "ui/views/durations_view.h"

#include <QLabel>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;

namespace {

const LockName Lock = "it";
const WallTime Start{ Millis(1'800'000'000'000) };

Event happened(EventKind kind, Millis after, const std::string &client = "a", Certainty certainty = Certainty::Seen)
{
    Event event;
    event.at = Start + after;
    event.kind = kind;
    event.lock = Lock;
    event.owner = OwnerId{ client, "1" };
    event.node = "here:1";
    event.certainty = certainty;
    return event;
}

Event counted(EventKind kind, Millis after, std::int64_t count)
{
    Event event = happened(kind, after);
    event.owner.reset();
    event.count = count;
    return event;
}

Event gap(Millis until, Millis length)
{
    Event event;
    event.at = Start + until;
    event.kind = EventKind::Gap;
    event.ttl = length;
    return event;
}

LockState semaphore(std::int64_t free)
{
    LockState lock;
    lock.name = Lock;
    lock.kind = Kind::Semaphore;
    lock.node = "here:1";
    lock.permits.emplace().available = free;
    return lock;
}

} // namespace

/// What is concluded about one lock from the events that were heard of it.
class LockCourseTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aHoldIsWholeOnlyWhenItsBeginningWasSeen()
    {
        EventStore store;
        store.heardFrom(Start);
        store.add({ happened(EventKind::Appeared, 0ms), happened(EventKind::Released, 5'000ms),
            happened(EventKind::Acquired, 6'000ms), happened(EventKind::Renewed, 8'000ms),
            happened(EventKind::Released, 9'000ms), happened(EventKind::Acquired, 10'000ms) });
        const HoldTimes times = holdTimesOf(store, Lock, false);
        QCOMPARE(times.holds.measured.total(), std::int64_t(1)); // what goes on is not over
        QCOMPARE(times.holds.inPart, std::int64_t(1));
        const std::vector<SeenTime> newest{ { 3'000ms, SeenTime::Exact }, { 5'000ms, SeenTime::AtLeast } };
        QVERIFY(times.holds.newest == newest);
        QVERIFY(times.since == Start);
        QCOMPARE(times.waits.measured.total(), std::int64_t(0));
    }

    /// How long it took is known; it was not seen whole.
    void aHoldThatARecordingBeganWithIsNotMeasured()
    {
        EventStore store;
        Event there = happened(EventKind::Appeared, 0ms);
        there.since = KnownSince{ Start - 10'000ms, true };
        store.add({ there, happened(EventKind::Released, 2'000ms) });
        const HoldTimes times = holdTimesOf(store, Lock, false);
        QCOMPARE(times.holds.measured.total(), std::int64_t(0));
        QCOMPARE(times.holds.inPart, std::int64_t(1));
        const std::vector<SeenTime> newest{ { 12'000ms, SeenTime::Exact } };
        QVERIFY(times.holds.newest == newest);
    }

    /// What happened meanwhile is not known: it may have been given back and taken again.
    void aHoldThroughAGapIsMeasuredFromItsEndOn()
    {
        EventStore store;
        store.add(
            { happened(EventKind::Acquired, 0ms), gap(3'000ms, 2'000ms), happened(EventKind::Released, 4'000ms) });
        const HoldTimes times = holdTimesOf(store, Lock, false);
        QCOMPARE(times.holds.measured.total(), std::int64_t(0));
        QCOMPARE(times.holds.inPart, std::int64_t(1));
        const std::vector<SeenTime> newest{ { 1'000ms, SeenTime::AtLeast } };
        QVERIFY(times.holds.newest == newest);
        QVERIFY(times.since == Start); // of a recording: where what is kept of it begins
    }

    void whatIsInferredIsCountedAsThat()
    {
        EventStore store;
        store.add(
            { happened(EventKind::Acquired, 0ms), happened(EventKind::Released, 2'000ms, "a", Certainty::Inferred) });
        const HoldTimes times = holdTimesOf(store, Lock, false);
        QCOMPARE(times.holds.measured.total(), std::int64_t(1));
        QCOMPARE(times.holds.inferred, std::int64_t(1));
        QCOMPARE(times.holds.seenWhole, std::int64_t(0));
    }

    void waitsAreThoseOfTheQueue()
    {
        EventStore store;
        store.add({ happened(EventKind::Acquired, 0ms), happened(EventKind::Queued, 100ms, "b"),
            happened(EventKind::Queued, 200ms, "c"), happened(EventKind::Released, 1'000ms),
            happened(EventKind::Acquired, 1'100ms, "b"), happened(EventKind::Dequeued, 2'200ms, "c") });
        const HoldTimes times = holdTimesOf(store, Lock, false);
        QCOMPARE(times.waits.measured.total(), std::int64_t(2)); // got, and given up
        const std::vector<SeenTime> newest{ { 2'000ms, SeenTime::Exact }, { 1'000ms, SeenTime::Exact } };
        QVERIFY(times.waits.newest == newest);
    }

    /// A ghost does not wait; a wait of which the end is concluded is told apart from those that were seen whole.
    void aGhostsTimeInTheQueueIsNoWait()
    {
        EventStore store;
        Event ghost = happened(EventKind::WaiterTimedOut, 24'600ms, "b", Certainty::Inferred);
        ghost.count = 0;
        store.add({ happened(EventKind::Queued, 0ms, "b"), happened(EventKind::Queued, 0ms, "c"), ghost,
            happened(EventKind::WaiterTimedOut, 25'000ms, "c", Certainty::Inferred) });
        const HoldTimes times = holdTimesOf(store, Lock, false);
        QCOMPARE(times.waits.measured.total(), std::int64_t(0));
        QCOMPARE(times.waits.inferred, std::int64_t(1));
        QCOMPARE(times.waits.inPart, std::int64_t(0));
        const std::vector<SeenTime> newest{ { 25'000ms, SeenTime::About } };
        QVERIFY(times.waits.newest == newest);
    }

    void independentServersTellOfOneHold()
    {
        EventStore store;
        for (const EventKind kind : { EventKind::Acquired, EventKind::Released }) {
            for (const char *node : { "one:1", "two:1", "three:1" }) {
                Event event = happened(kind, kind == EventKind::Acquired ? 0ms : 2'000ms);
                event.node = node;
                store.add({ event });
            }
        }
        QCOMPARE(holdTimesOf(store, Lock, true).holds.measured.total(), std::int64_t(1));
        QCOMPARE(holdTimesOf(store, Lock, true).holds.inPart, std::int64_t(0));
    }

    void permitsAreStepsFromWhatWasHeard()
    {
        EventStore store;
        store.add({ counted(EventKind::Appeared, 10s, 3), counted(EventKind::PermitsChanged, 20s, 2),
            counted(EventKind::PermitsChanged, 30s, 0) });
        const CountCurve curve = countCurve(store, semaphore(0), Start + 30s, Start, Start + 60s);
        const std::vector<CountCurve::Step> steps{ { Start + 10s, 3 }, { Start + 20s, 2 }, { Start + 30s, 0 } };
        QVERIFY(curve.steps == steps);
        QVERIFY(curve.seenFrom() == Start + 10s);
        QCOMPARE(curve.most, std::int64_t(3));
    }

    /// Before the first event that is kept nobody knows what it was; what it is now is known since it was read.
    void whatNoEventTellsIsNotMadeUp()
    {
        EventStore store;
        const CountCurve unknown = countCurve(store, semaphore(5), Start + 40s, Start, Start + 60s);
        QVERIFY(unknown.seenFrom() == Start + 40s);
        store.add({ counted(EventKind::PermitsChanged, 10s, 4), gap(20s, 5s), gap(30s, 12s) });
        const CountCurve curve = countCurve(store, semaphore(4), Start + 10s, Start, Start + 60s);
        const std::vector<CountCurve::Span> unseen{ { Start + 15s, Start + 30s } };
        QVERIFY(curve.unseen == unseen);
        QCOMPARE(curve.steps.size(), std::size_t(1));
    }

    void onlyTheStepThatHoldsAtTheBeginningIsKeptOfBefore()
    {
        EventStore store;
        for (int i = 0; i < 10; ++i)
            store.add({ counted(EventKind::CountChanged, i * 10s, 10 - i) });
        LockState latch = semaphore(0);
        latch.kind = Kind::CountDownLatch;
        latch.permits.reset();
        latch.count = 1;
        const CountCurve curve = countCurve(store, latch, Start + 90s, Start + 65s, Start + 100s);
        QVERIFY(curve.seenFrom() == Start + 60s);
        QCOMPARE(curve.steps.size(), std::size_t(4));
        QVERIFY(!countCurve(store, latch, Start + 90s, Start, Start + 100s).steps.empty());
    }

    /// They did end.
    void saysThatNoneWasSeenWholeBesideThoseSeenInPart()
    {
        const Theme theme(*qApp);
        DurationsView view(theme, Tone::Waiting, QStringLiteral("Waits"));
        view.setEmptyText(QStringLiteral("none yet"));
        view.setVisible(true);
        SeenDurations times;
        view.show(times);
        QVERIFY(test::saying<ElidedLabel>(view, QStringLiteral("none yet")));
        times.add(std::nullopt, false, true);
        view.show(times);
        QVERIFY(test::saying<QLabel>(view, QStringLiteral("1 in part")));
        QVERIFY(test::saying<ElidedLabel>(view, QStringLiteral("none was seen whole")));
    }

    void aNumberThatIsGoneEnds()
    {
        EventStore store;
        store.add({ counted(EventKind::Appeared, 0s, 3), counted(EventKind::Deleted, 10s, 3) });
        LockState lock = semaphore(0);
        lock.permits.reset();
        const CountCurve curve = countCurve(store, lock, Start + 10s, Start, Start + 20s);
        QCOMPARE(curve.steps.size(), std::size_t(2));
        QVERIFY(!curve.steps.back().value);
    }
};

QTEST_MAIN(LockCourseTest)
#include "tst_lock_course.moc"
