// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/heap.h"
#include "ui/models/hold_times.h"
#include "ui/support/event_choice.h"
#include "ui/support/event_store.h"

#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;

namespace {

const OwnerId A{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId B{ "5d0e77c1-9f88-4222-8f55-4c5a1096439f", "112" };

Event makeEvent(EventKind kind, Millis at, const LockName &lock, const OwnerId &owner)
{
    Event event;
    event.at = WallTime(at);
    event.kind = kind;
    event.lock = lock;
    event.lockKind = synchronizers::Kind::Reentrant;
    event.owner = owner;
    event.count = 1;
    event.ttl = 30s;
    event.node = "127.0.0.1:7002";
    return event;
}

Event makeGap(Millis at, Millis length, const std::string &node)
{
    Event gap;
    gap.at = WallTime(at);
    gap.kind = EventKind::Gap;
    gap.ttl = length;
    gap.node = node;
    return gap;
}

EventContext contextOfLast(const EventStore &store) { return store.contextOf(store.end() - 1); }

} // namespace

class TestEventStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsSinceWhenNobodyHeldWhatWasTaken()
    {
        EventStore store;
        const auto hear = [&store](EventKind kind, Millis at, const OwnerId &owner) {
            store.add({ makeEvent(kind, at, "it", owner) });
        };
        const auto freeSince = [&store](Millis taken) { return store.freeSince("it", WallTime(taken)); };
        QVERIFY(!freeSince(10s));
        hear(EventKind::Acquired, 10s, A);
        QVERIFY(!freeSince(10s)); // not all keys had been looked at
        store.lookedAtAll(WallTime(2s));
        QCOMPARE(freeSince(10s), std::optional(WallTime(2s)));
        QVERIFY(!freeSince(12s) && !freeSince(8s)); // it was not taken then
        hear(EventKind::Renewed, 11s, A);
        hear(EventKind::Released, 12s, A);
        hear(EventKind::Acquired, 20s, B);
        hear(EventKind::Acquired, 21s, A); // it is shared
        hear(EventKind::Released, 22s, A);
        QCOMPARE(freeSince(20s), std::optional(WallTime(12s)));
        QVERIFY(!freeSince(21s));
        EventStore found;
        found.lookedAtAll(WallTime(1s));
        found.add({ makeEvent(EventKind::Appeared, 10s, "it", A) });
        QVERIFY(!found.freeSince("it", WallTime(10s)));
    }

    /// It is held already: the lock does not change hands, and nobody held it before the first of them.
    void whoJoinsOtherReadersDoesNotTakeOver()
    {
        EventStore store;
        const auto hear = [&store](EventKind kind, Millis at, const OwnerId &owner) {
            Event event = makeEvent(kind, at, "it", owner);
            event.lockKind = synchronizers::Kind::ReadWrite;
            store.add({ event });
        };
        store.lookedAtAll(WallTime(2s));
        hear(EventKind::Acquired, 10s, A);
        hear(EventKind::Acquired, 10'016ms, B);
        hear(EventKind::Renewed, 15s, B);
        QCOMPARE(store.beginningsOf("it").size(), std::size_t(1));
        QVERIFY(store.beginningsOf("it").front().owner == A);
        QCOMPARE(store.freeSince("it", WallTime(10s)), std::optional(WallTime(2s)));
        hear(EventKind::Released, 20s, A);
        hear(EventKind::Acquired, 21s, A); // B holds it still
        QCOMPARE(store.beginningsOf("it").size(), std::size_t(1));
        hear(EventKind::Released, 30s, A);
        hear(EventKind::Released, 31s, B);
        hear(EventKind::Acquired, 40s, B);
        QCOMPARE(store.beginningsOf("it").size(), std::size_t(2));
        QVERIFY(store.beginningsOf("it").back().owner == B);
        store.clear();
        hear(EventKind::Acquired, 1s, A);
        hear(EventKind::Renewed, 2s, B); // who was there before
        QVERIFY(store.beginningsOf("it").empty());
    }

    /// In steps, whatever goes or turns out to be something else meanwhile.
    void tallyCountsWhatIsChosen()
    {
        EventStore store({ .events = 8, .bytes = std::size_t{ 1 } << 20U });
        const auto filter = LockFilter::parse("name:order");
        QVERIFY(filter.has_value());
        EventChoice choice{ .filter = *filter, .kinds = {} };
        choice.kinds.set(static_cast<std::size_t>(EventKind::ForceReleased));
        const auto hear
            = [&store](EventKind kind, Millis at, const char *lock) { store.add({ makeEvent(kind, at, lock, A) }); };
        hear(EventKind::Acquired, 1s, "order:1");
        hear(EventKind::Deleted, 2s, "order:1");
        hear(EventKind::Deleted, 3s, "cart:1");
        store.add({ makeGap(4s, 1s, {}) });
        EventTally tally(store, choice);
        QVERIFY(!tally.advance(1)); // the newest first
        QCOMPARE(tally.begin() + 1, store.end());
        QVERIFY(tally.isChosen(tally.begin()));
        QCOMPARE(tally.chosen(), std::size_t{ 1 });
        QVERIFY(!tally.isWhole());
        QVERIFY(tally.advance(100));
        QVERIFY(tally.isWhole());
        QCOMPARE(tally.countOf(EventKind::Acquired), std::size_t{ 1 });
        QCOMPARE(tally.countOf(EventKind::Deleted), std::size_t{ 1 });
        QCOMPARE(tally.chosen(), std::size_t{ 1 }); // the gap

        store.correct(store.first() + 1, EventKind::ForceReleased, Certainty::Recorded);
        store.correct(store.first() + 2, EventKind::ForceReleased, Certainty::Recorded);
        QVERIFY(tally.advance(100));
        QCOMPARE(tally.countOf(EventKind::Deleted), std::size_t{ 0 });
        QCOMPARE(tally.countOf(EventKind::ForceReleased), std::size_t{ 1 });
        QCOMPARE(tally.chosen(), std::size_t{ 2 });
        QVERIFY((tally.seconds() == EventTally::Seconds{ { 2, 1 } }));
        store.correct(store.first() + 1, EventKind::Deleted, Certainty::Seen);
        QVERIFY(tally.advance(100));
        QCOMPARE(tally.chosen(), std::size_t{ 1 });
        QVERIFY(tally.seconds().empty());

        for (int i = 0; i < 6; ++i)
            hear(EventKind::Acquired, 5s, "order:2");
        QVERIFY(tally.advance(100)); // the first two are gone
        QCOMPARE(tally.countOf(EventKind::Acquired), std::size_t{ 6 });
        QCOMPARE(tally.countOf(EventKind::Deleted), std::size_t{ 0 });
        for (int i = 0; i < 20; ++i) // more than it has ever looked at
            hear(EventKind::Released, 6s, i == 19 ? "order:2" : "cart:2");
        QVERIFY(tally.advance(100));
        QCOMPARE(tally.countOf(EventKind::Acquired), std::size_t{ 0 });
        QCOMPARE(tally.countOf(EventKind::Released), std::size_t{ 1 });
        QCOMPARE(tally.chosen(), std::size_t{ 0 });
        store.clear();
        QVERIFY(tally.advance(100));
        QCOMPARE(tally.countOf(EventKind::Released), std::size_t{ 0 });
    }

    /// The monitor that recorded it saw it begin, or knew it for longer than the recording does.
    void knowsOfWhatARecordingBeganWithSinceWhenItWas()
    {
        EventStore store({ .events = 4, .bytes = std::size_t{ 1 } << 20U });
        Event there = makeEvent(EventKind::Appeared, 240s, "it", A);
        there.since = KnownSince{ WallTime(8s), true };
        Event waits = makeEvent(EventKind::FoundQueued, 240s, "it", B);
        waits.since = KnownSince{ WallTime(60s), false };
        QVERIFY(eventMeaning(there) == QStringLiteral("held already, for 3 m 52 s"));
        QVERIFY(eventMeaning(waits) == QStringLiteral("waits already, for ≥ 3 m 00 s"));
        store.add({ there, waits });
        QVERIFY(store.event(store.first()) == there);
        store.add({ makeEvent(EventKind::Released, 247s, "it", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(239s), SeenTime::Exact }));
        store.add({ makeEvent(EventKind::Acquired, 248s, "it", B) });
        QVERIFY(contextOfLast(store).waited == SeenTime({ Millis(188s), SeenTime::AtLeast }));
        store.add({ makeEvent(EventKind::Renewed, 258s, "it", B) }); // the first one goes
        QVERIFY(store.event(store.first()) == waits);
        store.clear();
        store.add({ makeEvent(EventKind::Appeared, 300s, "it", A) });
        QVERIFY(!store.event(store.first()).since);
        QCOMPARE(eventMeaning(store.event(store.first())), QStringLiteral("held already, since unknown"));
    }

    void knowsWhichSlowCommandsLockscopeSent()
    {
        EventStore store;
        Event slow = makeEvent(EventKind::SlowCommand, 240s, {}, A);
        slow.owner.reset();
        slow.lockKind.reset();
        slow.command = "EVALSHA_RO";
        slow.key = "*{*";
        slow.ttl = 13ms;
        Event own = slow;
        own.byLockscope = true;
        store.add({ slow, own });
        QVERIFY(store.event(store.first()) == slow);
        QVERIFY(store.event(store.first() + 1) == own);
    }

    void keepsEventsWhole()
    {
        EventStore store;
        Event bare;
        bare.kind = EventKind::PermitsChanged;
        bare.lock = std::string("a\0b", 3);
        bare.certainty = Certainty::Inferred;
        Event strange = makeEvent(EventKind::Acquired, 5ms, "x", { std::string("a\0:", 3), "" });
        const std::vector<Event> events{ makeEvent(EventKind::Acquired, 1'764'000'000'123ms, "it", A), bare,
            makeGap(9s, 4s, "n"), strange };
        store.add(events);
        for (std::size_t i = 0; i < events.size(); ++i)
            QVERIFY(store.event(store.first() + i) == events[i]);
        QCOMPARE(store.shownCountOf(EventKind::Gap), std::size_t{ 1 });
    }

    void countsRenewalsOfOneHoldTogether()
    {
        EventStore store;
        store.add({ makeEvent(EventKind::Acquired, 0s, "it", A) });
        for (int i = 1; i <= 12; ++i)
            store.add({ makeEvent(EventKind::Renewed, i * 10s, "it", A),
                makeEvent(EventKind::Renewed, i * 10s, "other", B) });
        store.add({ makeEvent(EventKind::Renewed, 130s, "it", A) });
        QCOMPARE(contextOfLast(store).times, 13);
        QCOMPARE(contextOfLast(store).over->time, Millis(120s));
        // Of several who hold it each has renewals of its own.
        store.add({ makeEvent(EventKind::Renewed, 131s, "it", B), makeEvent(EventKind::Renewed, 140s, "it", A) });
        QCOMPARE(contextOfLast(store).times, 14);
        // What else happened to the hold begins another row, and so does what was not seen.
        store.add({ makeEvent(EventKind::Reentered, 145s, "it", A), makeEvent(EventKind::Renewed, 150s, "it", A) });
        QCOMPARE(contextOfLast(store).times, 1);
        store.add({ makeGap(155s, 2s, "elsewhere"), makeEvent(EventKind::Renewed, 160s, "it", A) });
        QCOMPARE(contextOfLast(store).times, 2);
        store.add({ makeGap(165s, 2s, "127.0.0.1:7002"), makeEvent(EventKind::Renewed, 170s, "it", A) });
        QCOMPARE(contextOfLast(store).times, 1);
        Event doubtful = makeEvent(EventKind::Renewed, 180s, "it", A);
        doubtful.certainty = Certainty::Inferred;
        store.add({ doubtful });
        QCOMPARE(contextOfLast(store).times, 1); // what was seen and what was not are not one
    }

    void tellsHowLongItWasHeld()
    {
        EventStore store;
        store.add({ makeEvent(EventKind::Acquired, 0s, "it", A) });
        for (int i = 1; i <= 300; ++i)
            store.add({ makeEvent(EventKind::Renewed, i * 10s, "it", A) });
        store.add({ makeEvent(EventKind::Expired, 3'030s, "it", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(3'030s), SeenTime::Exact }));
        store.add({ makeEvent(EventKind::Appeared, 4'000s, "it", B), makeEvent(EventKind::Released, 4'002s, "it", B) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(2s), SeenTime::AtLeast }));
        store.add({ makeEvent(EventKind::Queued, 5'000s, "it", A), makeEvent(EventKind::Acquired, 5'001s, "it", A) });
        QVERIFY(contextOfLast(store).waited == SeenTime({ Millis(1s), SeenTime::Exact }));
        Event guessed = makeEvent(EventKind::Released, 5'003s, "it", A);
        guessed.certainty = Certainty::Inferred;
        store.add({ guessed });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(2s), SeenTime::About }));
    }

    /// Of a recording that is long only the last events are told, and some of what they end began before.
    void saysTheLeastOfAHoldThatStoodBeforeAllThatIsKept()
    {
        EventStore store;
        store.heardFrom(WallTime(10s));
        store.add({ makeEvent(EventKind::Acquired, 12s, "other", B), makeEvent(EventKind::Queued, 15s, "it", B),
            makeEvent(EventKind::Released, 40s, "it", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(30s), SeenTime::AtLeast }));
        store.add({ makeEvent(EventKind::Acquired, 41s, "it", B), makeEvent(EventKind::Released, 50s, "it", A) });
        QVERIFY(!contextOfLast(store).held); // others held it meanwhile
        store.add({ makeEvent(EventKind::Renewed, 52s, "kept", A), makeEvent(EventKind::Renewed, 62s, "kept", A),
            makeEvent(EventKind::Released, 70s, "kept", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(60s), SeenTime::AtLeast }));
        store.add({ makeGap(80s, 1s, ""), makeEvent(EventKind::Released, 90s, "unseen", A) });
        QVERIFY(!contextOfLast(store).held);
    }

    /// Redisson does so when its place in the queue times out: whether it waited on, nothing tells.
    void tellsOfWhoLinesUpAgainThatItWaitedAtLeastSince()
    {
        EventStore store;
        Event left = makeEvent(EventKind::WaiterTimedOut, 430s, "it", A);
        Event again = makeEvent(EventKind::Queued, 430s, "it", A);
        left.certainty = again.certainty = Certainty::Inferred;
        store.add({ makeEvent(EventKind::Queued, 100s, "it", A), left, again,
            makeEvent(EventKind::Acquired, 462s, "it", A) });
        QVERIFY(!store.contextOf(0).linesUpAgain);
        QVERIFY(store.contextOf(1).linesUpAgain && store.contextOf(2).linesUpAgain);
        QCOMPARE(store.contextOf(3).waited, std::optional(SeenTime{ 32s, SeenTime::AtLeast }));
        QVERIFY(eventMeaning(left, store.contextOf(1)).contains(QStringLiteral("lined up again")));
        QVERIFY(!eventMeaning(left, {}).contains(QStringLiteral("lined up again")));
    }

    /// The monitor tells whatever it finds changed after a gap.
    void knowsAHoldOverAGapOfWhichNothingIsTold()
    {
        EventStore store;
        store.add({ makeEvent(EventKind::Acquired, 0s, "it", A), makeGap(20s, 10s, ""),
            makeEvent(EventKind::Renewed, 25s, "it", A), makeGap(28s, 1s, ""),
            makeEvent(EventKind::Expired, 60s, "it", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(60s), SeenTime::Exact }));
        store.add({ makeEvent(EventKind::Released, 70s, "it", B) }); // whose acquire was never heard
        QVERIFY(!contextOfLast(store).held);
        Event endless = makeEvent(EventKind::Acquired, 80s, "it", A);
        endless.ttl.reset();
        store.add({ endless, makeGap(90s, 2s, ""), makeEvent(EventKind::Released, 95s, "it", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(5s), SeenTime::AtLeast }));
        Event lasting = makeEvent(EventKind::Released, 99s, "it", A); // it has none any more
        lasting.ttl.reset();
        store.add({ makeEvent(EventKind::Acquired, 96s, "it", A), makeGap(97s, 500ms, ""), lasting });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(2s), SeenTime::AtLeast }));
        store.add({ makeEvent(EventKind::Queued, 100s, "it", A), makeGap(110s, 2s, ""),
            makeEvent(EventKind::Acquired, 120s, "it", A) });
        QVERIFY(!contextOfLast(store).waited);
    }

    /// It was taken in a gap, or before one: what tells after it that it is held is the least.
    void saysTheLeastOfAHoldThatBeganOutOfSight()
    {
        EventStore store;
        Event meanwhile = makeEvent(EventKind::Renewed, 20s, "it", A);
        meanwhile.certainty = Certainty::Inferred;
        store.add({ makeEvent(EventKind::Acquired, 0s, "it", A), makeGap(20s, 10s, ""), meanwhile });
        for (int i = 3; i <= 7; ++i)
            store.add({ makeEvent(EventKind::Renewed, i * 10s, "it", A) });
        store.add({ makeEvent(EventKind::Released, 80s, "it", A) });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(60s), SeenTime::AtLeast }));
    }

    /// Nobody knows when in that time it was.
    void countsNoTimeOutOfSightOfAHoldThatWasLost()
    {
        EventStore store;
        Event lost = makeEvent(EventKind::Deleted, 110'002ms, "it", A);
        lost.certainty = Certainty::Inferred;
        const std::string node = "127.0.0.1:7002";
        store.add({ makeEvent(EventKind::Appeared, 0s, "it", A), makeGap(50s, 1s, ""), makeGap(110s, 8s, node), lost,
            makeGap(110'705ms, 705ms, node) });
        QVERIFY(store.contextOf(store.first() + 3).held == SeenTime({ Millis(102s), SeenTime::AtLeast }));
        QVERIFY(store.unseenBefore(lost.at, node, WallTime(0s)) == WallTime(102s));
        QVERIFY(!store.unseenBefore(WallTime(100s), node, WallTime(0s)));
        QVERIFY(!store.unseenBefore(lost.at, "127.0.0.1:7003", WallTime(0s)));
    }

    /// Right after a gap much is taken and given back: that was seen.
    void countsAHoldThatWasSeenAfterAGap()
    {
        EventStore store;
        Event released = makeEvent(EventKind::Released, 51'400ms, "it", A);
        released.certainty = Certainty::Inferred; // its client leaves no trace
        store.add({ makeGap(50s, 10s, ""), makeEvent(EventKind::Acquired, 50'400ms, "it", A), released });
        QVERIFY(contextOfLast(store).held == SeenTime({ Millis(1s), SeenTime::About }));
        QVERIFY(!store.unseenBefore(released.at, "", WallTime(50'400ms)));
        QVERIFY(store.unseenBefore(released.at, "", WallTime(40s)) == WallTime(40s));
    }

    /// Who did it here need not be told of somebody else.
    void tellsWhatThisWindowDid()
    {
        EventStore store;
        const Event end = makeEvent(EventKind::ForceReleased, 10s, "it", A);
        store.add({ end });
        QVERIFY(eventMeaning(end, contextOfLast(store)).contains(QStringLiteral("somebody else")));
        store.remember({ "it", EventKind::ForceReleased, { A }, WallTime(9s), WallTime(9s) });
        QCOMPARE(eventMeaning(end, contextOfLast(store)),
            QStringLiteral("released by force from this window; its unlock will fail"));
        for (const Event &other : { makeEvent(EventKind::ForceReleased, 8s, "it", A),
                 makeEvent(EventKind::ForceReleased, 20s, "it", A), makeEvent(EventKind::ForceReleased, 10s, "it", B),
                 makeEvent(EventKind::ForceReleased, 10s, "other", A) }) {
            store.add({ other });
            QVERIFY(!contextOfLast(store).isOwnDeed);
        }
        store.remember({ "it", EventKind::Dequeued, { B }, WallTime(29s), WallTime(30s) });
        const Event dropped = makeEvent(EventKind::Dequeued, 30s, "it", B);
        store.add({ dropped });
        QVERIFY(eventMeaning(dropped, contextOfLast(store)).startsWith(QStringLiteral("dropped from this window")));
    }

    /// The renewals of a client go on before it and after it.
    void tellsWhichRenewalCameFromThisWindow()
    {
        EventStore store;
        const auto meaning = [&] { return eventMeaning(store.event(store.end() - 1), contextOfLast(store)); };
        const auto renewed = [&](Millis at) { store.add({ makeEvent(EventKind::Renewed, at, "it", A) }); };
        renewed(0s);
        renewed(10s);
        store.remember({ "it", EventKind::Renewed, { A }, WallTime(12s), WallTime(12s) });
        QVERIFY(!contextOfLast(store).isOwnDeed);
        renewed(12'100ms);
        QVERIFY2(meaning().contains(QStringLiteral("from this window")), qPrintable(meaning()));
        QCOMPARE(contextOfLast(store).times, std::int64_t(1)); // it stands apart
        renewed(13s); // the watchdog's, right after it
        QVERIFY(!contextOfLast(store).isOwnDeed);
        renewed(23s);
        QCOMPARE(contextOfLast(store).times, std::int64_t(2));
        renewed(33s); // heard before the answer
        store.remember({ "it", EventKind::Renewed, { A }, WallTime(32'900ms), WallTime(33'200ms) });
        QVERIFY2(meaning().contains(QStringLiteral("the last from this window")), qPrintable(meaning()));
        renewed(43s);
        QCOMPARE(contextOfLast(store).times, std::int64_t(1));
    }

    /// To whom a permit was given is not told: the first change after it is what came of its return.
    void tellsWhichPermitThisWindowReturned()
    {
        EventStore store;
        const auto counted = [](Millis at, std::int64_t free) {
            Event event = makeEvent(EventKind::PermitsChanged, at, "pool", A);
            event.owner.reset();
            event.ttl.reset();
            event.count = free;
            return event;
        };
        store.add({ counted(8s, 1) });
        store.remember({ "pool", EventKind::PermitsChanged, {}, WallTime(9s), WallTime(9s) });
        QVERIFY(!contextOfLast(store).isOwnDeed);
        store.add({ counted(9'100ms, 1) });
        QCOMPARE(eventMeaning(counted(9'100ms, 1), contextOfLast(store)),
            QStringLiteral("1 free, as before; a permit was returned from this window"));
        Event setAnew = counted(9'200ms, 1);
        setAnew.ttl = 59'800ms;
        QCOMPARE(eventMeaning(setAnew, contextOfLast(store)),
            QStringLiteral("1 free, as before; the lease of a permit was set anew: time to live 59.8 s"));
        // As many as before: another client has one, which is nothing that this window did.
        Event another = counted(9'250ms, 1);
        another.lockKind = synchronizers::Kind::PermitExpirableSemaphore;
        store.add({ another });
        QCOMPARE(eventMeaning(another, contextOfLast(store)),
            QStringLiteral("1 free, as before; who has a permit, or until when, changed"));
        another.node = "elsewhere"; // of which nothing was told before
        store.add({ another });
        QCOMPARE(eventMeaning(another, contextOfLast(store)), QStringLiteral("1 free"));
        another.node.clear();
        store.add({ counted(9'260ms, 1) });
        store.add({ counted(9'300ms, 2) });
        QCOMPARE(eventMeaning(counted(9'300ms, 2), contextOfLast(store)), QStringLiteral("1 → 2 free"));
    }

    void tellsWhichUpheavalWasRightBeforeAnEnd()
    {
        EventStore store;
        Event restart = makeGap(10s, 1s, "127.0.0.1:7002");
        restart.kind = EventKind::ServerRestarted;
        store.add({ restart });
        QCOMPARE(
            store.upheavalBefore(makeEvent(EventKind::Deleted, 10'017ms, "it", A))->kind, EventKind::ServerRestarted);
        QVERIFY(!store.upheavalBefore(makeEvent(EventKind::Deleted, 20s, "it", A)));
        QVERIFY(!store.upheavalBefore(makeEvent(EventKind::Deleted, 9s, "it", A)));
        Event elsewhere = makeEvent(EventKind::Deleted, 10'017ms, "it", A);
        elsewhere.node = "127.0.0.1:7003";
        QVERIFY(!store.upheavalBefore(elsewhere));
        store.clear();
        QVERIFY(store.upheavals().empty());
    }

    /// Of what was gone when a server was seen again nothing can have been heard.
    void saysWhyNothingWasHeardOfAKeyThatIsGone()
    {
        const auto meaningAfter = [](const std::vector<Event> &events, Millis at, Certainty certainty) {
            EventStore store;
            store.add({ makeEvent(EventKind::Acquired, 1s, "it", A) });
            store.add(events);
            Event gone = makeEvent(EventKind::Deleted, at, "it", A);
            gone.certainty = certainty;
            store.add({ gone });
            return eventMeaning(gone, contextOfLast(store));
        };
        const Event gap = makeGap(10s, 4s, "127.0.0.1:7002");
        Event restart = makeEvent(EventKind::ServerRestarted, 10s, {}, A);
        restart.owner.reset();
        QCOMPARE(meaningAfter({ gap, restart }, 10'017ms, Certainty::Inferred),
            QStringLiteral("its key is gone, right after: server restarted · held for ≥ 5.0 s"));
        QCOMPARE(meaningAfter({ gap }, 10'017ms, Certainty::Inferred),
            QStringLiteral("its key was gone when its server was seen again; what was told meanwhile was not heard · "
                           "held for ≥ 5.0 s"));
        QVERIFY(meaningAfter({ gap, restart }, 60s, Certainty::Inferred)
                    .startsWith(QStringLiteral("its key is gone, and no release was heard")));
        QVERIFY(meaningAfter({ gap, makeEvent(EventKind::Renewed, 10'010ms, "it", A) }, 10'017ms, Certainty::Inferred)
                    .startsWith(QStringLiteral("its key is gone, and no release was heard")));
        QVERIFY(meaningAfter({ gap }, 10'017ms, Certainty::Seen)
                    .startsWith(QStringLiteral("its key is gone, and no client of Redisson did that")));
        // What was taken after it was not gone with it, but what was taken elsewhere or by the next one may be.
        Event taken = makeEvent(EventKind::Acquired, 10'500ms, "it", A);
        QVERIFY(meaningAfter({ restart, taken }, 11s, Certainty::Seen)
                    .startsWith(QStringLiteral("its key is gone, and no client of Redisson did that")));
        taken.node = "127.0.0.1:7003";
        QVERIFY(meaningAfter({ restart, taken }, 11s, Certainty::Seen)
                    .startsWith(QStringLiteral("its key is gone, right after: server restarted")));
        EventStore store;
        const Event gone = makeEvent(EventKind::Deleted, 10'017ms, "it", A);
        store.add({ makeEvent(EventKind::Acquired, 1s, "it", A), restart, gone,
            makeEvent(EventKind::Acquired, 10'017ms, "it", B) });
        QVERIFY(store.contextOf(store.end() - 2).upheaval);
        QVERIFY(store.upheavalBefore(gone));
    }

    /// It did not leave: with all keys the queue is gone.
    void saysWhyAPlaceInAQueueIsGone()
    {
        const auto meaning = [](EventKind kind, const std::vector<Event> &after) {
            EventStore store;
            Event emptied = makeEvent(EventKind::DatabaseEmptied, 10s, {}, A);
            emptied.owner.reset();
            store.add({ makeEvent(EventKind::Queued, 5s, "it", A), emptied });
            store.add(after);
            Event left = makeEvent(kind, 10'017ms, "it", A);
            left.certainty = Certainty::Inferred;
            store.add({ left });
            return eventMeaning(left, contextOfLast(store));
        };
        const auto why = QStringLiteral("its place in the queue is gone, right after: database emptied");
        for (const EventKind kind : { EventKind::Dequeued, EventKind::WaiterTimedOut })
            QVERIFY2(meaning(kind, {}).contains(why), qPrintable(meaning(kind, {})));
        const Event taken = makeEvent(EventKind::Acquired, 10'010ms, "it", B); // it was free
        QVERIFY2(meaning(EventKind::Dequeued, { taken }).contains(why), "taken by another one");
        const Event queued = makeEvent(EventKind::Queued, 10'010ms, "it", A);
        QVERIFY2(!meaning(EventKind::Dequeued, { queued }).contains(why), "lined up after it");
    }

    /// Of independent servers each has a hold of its own.
    void tellsHowLongItWasHeldOnThatServer()
    {
        EventStore store;
        Event elsewhere = makeEvent(EventKind::Acquired, 8s, "it", A);
        elsewhere.node = "127.0.0.1:7003";
        store.add(
            { makeEvent(EventKind::Acquired, 0s, "it", A), elsewhere, makeEvent(EventKind::Released, 10s, "it", A) });
        QVERIFY(!contextOfLast(store).held || contextOfLast(store).held->time == Millis(10s));
    }

    /// What ends on one of them is a copy: the lock is held as long as another one has it.
    void tellsWhereACopyEndedAndThatTheHoldGoesOn()
    {
        const auto on = [](const char *node, EventKind kind, Millis at, const OwnerId &owner = A) {
            Event event = makeEvent(kind, at, "red", owner);
            event.node = node;
            return event;
        };
        auto lock = std::make_shared<LockState>();
        lock->name = "red";
        lock->quorum = Quorum{ 2, 0, 3 };
        Snapshot independent;
        independent.locks = { lock };
        EventStore store;
        store.lookAtServers(independent);
        const auto meaning = [&store] { return eventMeaning(store.event(store.end() - 1), contextOfLast(store)); };
        store.add({ on("n1", EventKind::Acquired, 0s), on("n2", EventKind::Acquired, 0s),
            on("n1", EventKind::Renewed, 10s), on("n2", EventKind::Renewed, 10s) });
        Event gone = on("n2", EventKind::Expired, 50s);
        gone.certainty = Certainty::Inferred;
        Event restarted = on("n2", EventKind::ServerRestarted, 50s);
        restarted.owner.reset();
        store.add({ makeGap(50s, 27s, "n2"), on("n1", EventKind::Renewed, 40s), gone });
        QCOMPARE(meaning(),
            QStringLiteral("on n2: its copy there was gone when the server was seen again; another server still had "
                           "the lock · held there for ≥ 23.0 s"));
        store.add({ restarted, gone });
        QVERIFY(meaning().startsWith(QStringLiteral("on n2: its copy there is gone, right after: server restarted")));
        store.add({ on("n1", EventKind::Renewed, 60s), on("n1", EventKind::Expired, 90s) });
        QCOMPARE(meaning(), QStringLiteral("on n1: ran out unreleased after 1 m 30 s; its unlock will fail"));
        const HoldTimes times = holdTimesOf(store, "red", true);
        QCOMPARE(times.holds.newest.size(), std::size_t(1));

        // A RedissonRedLock has a client for each server.
        const OwnerId other{ B.client, A.thread };
        store.add({ on("n1", EventKind::Acquired, 100s), on("n2", EventKind::Acquired, 100s, other),
            on("n1", EventKind::Expired, 130s) });
        QCOMPARE(meaning(),
            QStringLiteral("on n1: its copy there ran out; another server still had the lock · held there for 30.0 s"));
        store.add({ on("n2", EventKind::Released, 131s, other) });
        QCOMPARE(meaning(), QStringLiteral("on n2: held for 31.0 s"));

        EventStore single;
        single.add({ on("n1", EventKind::Acquired, 0s), on("n1", EventKind::Expired, 30s) });
        QCOMPARE(eventMeaning(single.event(single.end() - 1), contextOfLast(single)),
            QStringLiteral("ran out unreleased after 30.0 s; its unlock will fail"));
        EventContext unknown;
        unknown.copies = Copies::NotKnown;
        QCOMPARE(eventMeaning(gone, unknown), QStringLiteral("on n2: its copy there ran out, it seems"));
    }

    void saysNothingOfATimeThatTheClockWasSetBackIn()
    {
        EventStore store;
        store.add({ makeEvent(EventKind::Acquired, 100s, "it", A), makeEvent(EventKind::Released, 40s, "it", A),
            makeEvent(EventKind::Renewed, 100s, "other", B), makeEvent(EventKind::Renewed, 50s, "other", B) });
        QVERIFY(!store.contextOf(store.first() + 1).held);
        QVERIFY(!contextOfLast(store).over);
        QCOMPARE(contextOfLast(store).times, 2);
    }

    /// Of the moment that is shown: what came while it stands still is told when it goes on.
    void tellsOfNoEndThatCameWhileThePictureStood()
    {
        EventStore store;
        store.add({ makeEvent(EventKind::Acquired, 1s, "it", A) });
        store.hold(true);
        store.add({ makeEvent(EventKind::Released, 3s, "it", A) });
        QVERIFY(!store.endOf("it"));
        store.hold(false);
        QCOMPARE(store.endOf("it")->kind, EventKind::Released);
    }

    void tellsWhatAChartOfOneLockNeeds()
    {
        EventStore store;
        QVERIFY(store.beginningsOf("it").empty() && !store.endOf("it"));
        store.add({ makeEvent(EventKind::Acquired, 1s, "it", A), makeEvent(EventKind::Acquired, 1s, "other", A),
            makeEvent(EventKind::Renewed, 2s, "it", A) });
        QVERIFY(!store.endOf("it"));
        store.add({ makeEvent(EventKind::Released, 3s, "it", A), makeEvent(EventKind::Queued, 4s, "it", B) });
        QCOMPARE(store.endOf("it")->kind, EventKind::Released);
        store.add({ makeEvent(EventKind::Acquired, 5s, "it", B), makeGap(8s, 1s, "n"), makeGap(9s, 1s, "m") });
        QVERIFY(!store.endOf("it"));
        const auto beginnings = store.beginningsOf("it");
        QCOMPARE(beginnings.size(), std::size_t{ 2 });
        QVERIFY(beginnings.front().owner == A && beginnings.back().owner == B);
        QCOMPARE(store.gapsOf("n").size(), std::size_t{ 1 });
        store.clear();
        QVERIFY(store.beginningsOf("it").empty() && store.gapsOf("n").empty() && store.size() == 0);
    }

    void dropsTheOldestAndSaysSo()
    {
        EventStore store({ 100, std::size_t{ 1 } << 20U });
        for (int i = 0; i < 1'000; ++i)
            store.add({ makeEvent(EventKind::Acquired, i * 1s, "lock:" + std::to_string(i), A),
                makeEvent(EventKind::Renewed, i * 1s, "busy", B) });
        QVERIFY(store.hasDropped());
        QCOMPARE(store.size(), std::size_t{ 100 });
        QCOMPARE(store.shownCountOf(EventKind::Acquired), std::size_t{ 50 });
        QVERIFY(!store.newestOf("lock:949"));
        QVERIFY(store.newestOf("lock:950") == store.first());
        QVERIFY(store.beginningsOf("lock:3").empty());
        // It is not known any more when the first of them was.
        QCOMPARE(contextOfLast(store).times, 1'000);
        QCOMPARE(contextOfLast(store).over->sureness, SeenTime::AtLeast);
        int ofBusy = 0;
        for (auto place = store.newestOf("busy"); place; place = store.beforeOfLock(*place))
            ++ofBusy;
        QCOMPARE(ofBusy, 50);
    }

    void dropsByBytesWhereEveryOwnerIsNew()
    {
        constexpr std::size_t Most = 2'000'000;
        EventStore store({ 1'000'000, Most });
        for (int i = 0; i < 50'000; ++i)
            store.add({ makeEvent(EventKind::Acquired, i * 1ms, "it", { A.client, std::to_string(i) }) });
        QVERIFY(store.bytes() <= Most);
        QVERIFY(store.hasDropped() && store.size() > 5'000);
    }

    /// Some minutes of a busy shop: of 2,000 locks and 200 threads.
    void staysSmall()
    {
        constexpr std::size_t Kept = 100'000;
        const std::size_t before = testsupport::heapBytes();
        EventStore store({ Kept, std::size_t{ 192 } << 20U });
        std::vector<Event> batch;
        for (int i = 0; i < 200'000; ++i) {
            const auto kind = i % 2 == 0 ? EventKind::Acquired : EventKind::Released;
            batch.push_back(makeEvent(kind, i * 2ms, "order:{" + std::to_string(i / 2 % 2'000) + "}:pay",
                { A.client, std::to_string(i / 2 % 200) }));
            if (batch.size() == 500) {
                store.add(batch);
                batch.clear();
            }
        }
        const std::size_t used = testsupport::heapBytes() - before;
        qInfo("%zu events in %zu bytes, %.1f each; the store says %.1f", store.size(), used,
            double(used) / double(store.size()), double(store.bytes()) / double(store.size()));
        QCOMPARE(store.size(), Kept);
        QVERIFY(store.bytes() < Kept * 75);
#ifndef __SANITIZE_ADDRESS__ // whose allocator tells no figures
        QVERIFY(used < Kept * 75);
        QVERIFY(store.bytes() > used / 10 * 8 && store.bytes() < used / 10 * 13);
#endif
    }
};

QTEST_APPLESS_MAIN(TestEventStore)

#include "tst_event_store.moc"
