// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/conclusion_table.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

/// What the monitor tells of a lock is mostly a conclusion from two looks and what was heard between them. Beside what
/// each word means stand the situations that look much like it, in which it would be false.
class EventConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void released_data()
    {
        beginTable();
        happens("an unlock", [](EngineBench &bench) { bench.unlock("order"); }, { { EventKind::Released } });
        happens("an unlock of an older client", [](EngineBench &bench) { bench.unlock("order", false); },
            { { EventKind::Released, Inferred } });
        happens("an older client's spin lock or lone fair lock",
            [](EngineBench &bench) { bench.unlock("order", false, false); }, { { EventKind::Released, Inferred } });
        happens("a message that comes later than the look",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.changed("order");
                publish(bench);
                bench.answer();
            },
            { { EventKind::Released, Inferred } });
        happens("a message that comes later than a look that shows the next holder",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                const auto read = ask(bench); // for another reason
                bench.answer(read, bench.mono);
                publish(bench);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B } });
        happens("a latch that is told of apart from its lock",
            [](EngineBench &bench) {
                bench.pass(seconds{ 21 });
                bench.server.clear();
                publish(bench);
                bench.tell(input::KeysChanged{ { "order" } });
                bench.tell(input::KeysChanged{ { latch(bench) } });
                bench.answer();
            },
            { { EventKind::Released } });
        happens("the end of a latch from before our time",
            [](EngineBench &bench) {
                bench.tell(input::KeysChanged{ { latch(bench) } });
                bench.unlock("order", false);
            },
            { { EventKind::Released, Inferred } });
    }
    void released() { compare(); }

    void heardBeforeItsLockIsKnown()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        const auto read = ask(bench);
        const auto sentAt = bench.mono;
        bench.passSilently(Millis{ 1 });
        publish(bench);
        bench.tell(input::KeysChanged{ { "order", latch(bench) } });
        bench.actions.clear();
        bench.answer(read, sentAt); // as it was before the unlock
        bench.server.clear();
        bench.answer();
        bench.pass(Millis{ 100 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Acquired, Seen }, { EventKind::Released, Seen } }));
    }

    void deleted_data()
    {
        beginTable();
        happens("gone without the latch that its client would leave",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.unlock("order", false, false);
            },
            { { EventKind::Deleted, Inferred } });
        happens("gone without the message that its clients publish",
            [](EngineBench &bench) {
                bench.unlock("order", false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false, false);
            },
            { { EventKind::Deleted, Inferred } });
        happens("gone while others wait for its message",
            [](EngineBench &bench) {
                bench.pass(Millis{ 1'600 }); // it is asked
                bench.tell(input::SubscribersCounted{ { { key_layout::lockChannel("order"), 1 } } });
                bench.unlock("order", false, false);
            },
            { { EventKind::Deleted, Inferred } });
        happens("gone and taken by another at once",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.take("order", B, FullLease);
                bench.changed("order");
            },
            { { EventKind::Deleted, Inferred }, { EventKind::Acquired, Seen, B } });
        happens("a latch that comes later than the look",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                const auto read = ask(bench);
                bench.server.clear();
                bench.answer(read, bench.mono);
                publish(bench);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released } });
        happens("a fair lock, of whose end only its first waiter hears",
            [](EngineBench &bench) {
                bench.server["order"].kind = Kind::Fair;
                bench.changed("order");
                bench.unlock("order", false, false);
            },
            { { EventKind::Released, Inferred } });
    }
    void deleted() { compare(); }

    /// Client tracking tells of it at once, and the count that is read each second once more.
    void isWrittenAnewOnceAfterAFlushThatIsToldTwice()
    {
        EngineBench bench;
        bench.up();
        bench.server.clear();
        bench.tell(input::EverythingChanged{});
        bench.answer();
        bench.pass(Millis{ 50 });
        bench.take("order", A, seconds{ 2 });
        bench.changed("order");
        bench.pass(Millis{ 700 });
        bench.events.clear();
        bench.renew("order", seconds{ 2 });
        bench.tell(input::EverythingChanged{ 1 });
        bench.answer();
        bench.pass(Millis{ 300 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Renewed, Seen } }));
    }

    /// The hash still counts who ran out: the end of the hold is that of its time-outs, not of the lock.
    void aReaderRunsOutBesideAnother()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease), reader(B, seconds{ 5 }) });
        bench.changed("order");
        bench.pass(seconds{ 4 });
        bench.events.clear();
        const auto passes = [&](Millis time) {
            for (HolderReading &each : bench.server["order"].holders)
                each.readTtls[0] = each.readTtls[0] > time ? each.readTtls[0] - time : Millis{ -2 };
        };
        passes(seconds{ 5 });
        const WallTime ran = bench.now().wall + seconds{ 1 };
        bench.pass(seconds{ 2 });
        QCOMPARE(bench.events.size(), 1U);
        QCOMPARE(bench.events[0].kind, EventKind::Expired);
        QCOMPARE(bench.events[0].certainty, Seen);
        QVERIFY(bench.events[0].owner == B);
        QVERIFY(std::chrono::abs(bench.events[0].at - ran) < Millis{ 500 });
        QVERIFY(bench.shown("order")->holders.at(1).expired);

        bench.unlock("order"); // by A, with which the hash goes
        bench.pass(Millis{ 300 });
        QCOMPARE(bench.events.size(), 2U);
        QCOMPARE(bench.events[1].kind, EventKind::Released);
        QVERIFY(bench.events[1].owner == A);
    }

    /// Nothing of a hold that was over when it was first seen: its end would never be told.
    void aReaderThatHadRunOutBeforeIsNotTold()
    {
        EngineBench bench;
        share(bench, { reader(A, FullLease), reader(B, Millis{ -2 }) });
        bench.up();
        QVERIFY(bench.shown("order")->holders.at(1).expired);
        for (const Event &event : bench.events)
            QVERIFY(event.kind != EventKind::Appeared || event.owner == A);
    }

    /// It counts less, and what is left has run out.
    void aReaderRunsOutAsItGivesOneBack()
    {
        EngineBench bench;
        bench.up();
        auto twice = reader(B, seconds{ 5 }, 2);
        twice.readTtls = { seconds{ 5 }, seconds{ 5 } };
        share(bench, { reader(A, FullLease), twice });
        bench.changed("order");
        bench.pass(Millis{ 4'990 });
        bench.events.clear();
        share(bench, { reader(A, FullLease), reader(B, Millis{ -2 }) });
        bench.passSilently(Millis{ 20 });
        bench.changed("order");
        bench.pass(Millis{ 300 });
        const auto isEnd = [](const Event &event) { return event.kind == EventKind::Expired && event.owner == B; };
        QCOMPARE(std::ranges::count_if(bench.events, isEnd), 1);
    }

    /// Who had run out holds nothing: the next hold is another one.
    void aReaderTakesItAnewAfterItRanOut()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease), reader(B, seconds{ 5 }) });
        bench.changed("order");
        bench.pass(seconds{ 4 });
        share(bench, { reader(A, FullLease), reader(B, Millis{ -2 }) });
        bench.pass(seconds{ 2 });
        bench.events.clear();
        share(bench, { reader(A, FullLease), reader(B, seconds{ 5 }) });
        bench.changed("order");
        bench.pass(Millis{ 300 });
        const auto isOfB = [](const Event &event) { return event.owner == B; };
        const auto told = std::ranges::find_if(bench.events, isOfB);
        QVERIFY(told != bench.events.end());
        QCOMPARE(told->kind, EventKind::Acquired);
        QCOMPARE(std::ranges::count_if(bench.events, isOfB), 1);
    }

    /// Time-outs that are asked for by another command than the holders may be gone because it was given back
    /// meanwhile.
    void aReaderWhoseTimeOutsAreMissedHasNotRunOut()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease), reader(B, FullLease) });
        bench.changed("order");
        bench.pass(seconds{ 1 });
        bench.events.clear();
        share(bench, { reader(A, FullLease), reader(B, Millis{ -2 }) });
        bench.changed("order");
        QVERIFY(!bench.shown("order")->holders.at(1).expired);
        share(bench, { reader(A, FullLease) });
        bench.tell(input::KeysChanged{ { "order", latch(bench) } });
        bench.answer();
        bench.pass(Millis{ 300 });
        for (const Event &event : bench.events)
            QVERIFY(event.kind != EventKind::Expired);
        QVERIFY(std::ranges::any_of(
            bench.events, [](const Event &event) { return event.kind == EventKind::Released && event.owner == B; }));
    }

    /// Who had run out blocks writers still, until somebody sets the lock free.
    void aReaderThatHadRunOutIsReleasedByForce()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease), reader(B, seconds{ 5 }) });
        bench.changed("order");
        bench.pass(seconds{ 4 });
        share(bench, { reader(A, FullLease), reader(B, Millis{ -2 }) });
        bench.pass(seconds{ 2 });
        QVERIFY(bench.shown("order")->holders.at(1).expired);
        bench.events.clear();
        share(bench, { reader(A, FullLease) });
        bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
        bench.answer();
        bench.pass(Millis{ 300 });
        QVERIFY(std::ranges::any_of(bench.events,
            [](const Event &event) { return event.kind == EventKind::ForceReleased && event.owner == B; }));
    }

    /// Its time-outs are asked for by another command than the holders: it was given back meanwhile.
    void aNewReaderWhoseTimeOutsAreMissedIsTold()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease) });
        bench.changed("order");
        bench.pass(seconds{ 1 });
        bench.events.clear();
        share(bench, { reader(A, FullLease), reader(B, Millis{ -2 }) });
        bench.changed("order");
        share(bench, { reader(A, FullLease) });
        bench.tell(input::KeysChanged{ { "order", latch(bench) } });
        bench.answer();
        bench.pass(Millis{ 300 });
        for (const EventKind kind : { EventKind::Acquired, EventKind::Released })
            QCOMPARE(std::ranges::count_if(
                         bench.events, [&](const Event &event) { return event.kind == kind && event.owner == B; }),
                1);
    }

    /// The time of each of its values is told by the clock of who holds it.
    void aNewHoldThatIsOverByTheClockOfItsHolderIsTold()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.take("order", A, FullLease);
        lock.kind = Kind::FasterMulti;
        lock.holders[0].heldUntil = bench.now().wall + FullLease;
        bench.changed("order");
        bench.takeEvents();
        lock.holders.push_back({ B, 1, {}, {}, false, bench.now().wall - seconds{ 1 } });
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Acquired, Inferred }, { EventKind::Expired, Inferred } }));
        bench.pass(Millis{ 60 });
        QVERIFY(bench.shown("order")->holders.at(1).expired);
    }

    void passedBetweenTwoLooks_data()
    {
        const auto timeout = key_layout::readTimeout("order", B, 1);
        const Millis Settling{ 60 };
        const auto reads = [Settling](EngineBench &bench, std::vector<OwnerId> owners) {
            std::vector<HolderReading> readers;
            for (const OwnerId &owner : owners)
                readers.push_back(reader(owner, FullLease));
            share(bench, readers);
            bench.changed("order");
            bench.pass(Settling);
            for (HolderReading &each : bench.server["order"].holders)
                each.readTtls[0] -= Settling;
            bench.events.clear();
        };
        const std::vector<Told> aHold{ { EventKind::Acquired, Inferred, B }, { EventKind::Released, Inferred, B } };
        beginTable();
        happens(
            "a reader came and went beside another one",
            [=](EngineBench &bench) {
                reads(bench, { A });
                bench.tell(input::KeysChanged{ { "order", timeout } });
                bench.passSilently(Millis{ 1 });
                bench.tell(input::KeysChanged{ { timeout, "order", latch(bench) } });
                bench.answer();
                bench.changed("order");
            },
            aHold);
        happens(
            "both changes are told of in one go",
            [=](EngineBench &bench) {
                reads(bench, { A });
                write(bench, { "order", timeout, "order", timeout });
                bench.changed("order");
            },
            aHold);
        happens("the keys alone of a hold that was taken twice, and which they outlived, run out",
            [=](EngineBench &bench) {
                reads(bench, { A });
                write(bench, { key_layout::readTimeout("order", B, 2), timeout });
                bench.changed("order");
            },
            {});
        happens("the key alone, which outlived a hold that was freed by force, runs out",
            [=](EngineBench &bench) {
                reads(bench, { A });
                write(bench, { timeout });
                bench.changed("order");
            },
            {});
        happens("its end is told of twice, and late",
            [=](EngineBench &bench) {
                reads(bench, { A, B });
                reads(bench, { A });
                write(bench, { timeout, timeout });
                bench.changed("order");
            },
            {});
        happens("it stays",
            [=](EngineBench &bench) {
                reads(bench, { A });
                bench.server["order"].holders.push_back(reader(B, FullLease));
                write(bench, { "order", timeout, timeout });
                bench.changed("order");
            },
            { { EventKind::Acquired, Seen, B } });
        happens("a lock of another database with the same name",
            [=](EngineBench &bench) {
                reads(bench, { A });
                bench.tell(input::DatabasesSeen{ true, true });
                write(bench, { timeout, timeout });
                bench.changed("order");
            },
            {});
    }
    void passedBetweenTwoLooks() { compare(); }

    void forceReleased_data()
    {
        beginTable();
        happens("a message without the latch that its client would leave",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.unlock("order", false);
            },
            { { EventKind::ForceReleased, Inferred } });
        happens("the latch comes after the look, the message before it",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                const auto read = ask(bench);
                bench.server.clear();
                publish(bench);
                bench.answer(read, bench.mono);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released } });
        happens("an older client, by whose locks others left latches, does not go on to be taken for a newer one",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                bench.unlock("order", false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::Released, Inferred } });
        happens("an older client, whose look-alike left a latch once",
            [](EngineBench &bench) {
                bench.unlock("order");
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::Released, Inferred } });
    }
    void forceReleased() { compare(); }

    void expired_data()
    {
        beginTable();
        happens(
            "at zero", [](EngineBench &bench) { bench.pass(FullLease + Millis{ 10 }); }, { { EventKind::Expired } });
        happens("its owner releases it too late",
            [](EngineBench &bench) {
                bench.passSilently(FullLease + Millis{ 500 });
                bench.unlock("order");
            },
            { { EventKind::Expired } });
        happens("released just in time",
            [](EngineBench &bench) {
                bench.pass(FullLease - Millis{ 5 });
                bench.unlock("order");
            },
            { { EventKind::Released } });
        happens("renewed just in time",
            [](EngineBench &bench) {
                bench.pass(FullLease - Millis{ 5 });
                bench.renew("order", FullLease);
                bench.pass(Millis{ 10 });
            },
            { { EventKind::Renewed } });
    }
    void expired() { compare(); }

    void changedByUs_data()
    {
        beginTable();
        happens("a spin lock that is given back and taken again after we have set its lease",
            [](EngineBench &bench) {
                makeSpin(bench, true);
                bench.pass(seconds{ 10 });
                setTtl(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("of that is heard after the look",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                setTtl(bench);
                const auto read = std::get<action::ReadLocks>(bench.actions.at(0));
                bench.actions.clear();
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 1 });
                publish(bench);
                bench.tell(input::KeysChanged{ { "order", latch(bench) } });
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.answer();
            },
            { { EventKind::Released }, { EventKind::Acquired, Inferred } });
        happens("taken once more and given back beside that",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                setTtl(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("the next rise is not ours",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", 2 * FullLease);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 2 });
                setTtl(bench); // by the answer to our command, which comes later than the word of the change
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.passSilently(Millis{ 100 });
                bench.renew("order", 2 * FullLease);
                changedTwice(bench);
            },
            { { EventKind::Renewed }, { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("nor the rise after we have made it shorter",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 2 });
                setTtl(bench);
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.passSilently(Millis{ 100 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Renewed }, { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("we have released it by force, and not what came next",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 2 });
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                bench.actions.clear();
                bench.answer(read, sentAt);
                bench.passSilently(Millis{ 5 });
                bench.unlock("order");
            },
            { { EventKind::ForceReleased }, { EventKind::Acquired, Seen, B }, { EventKind::Released, Seen, B } });
    }
    void changedByUs() { compare(); }

    void lateWords_data()
    {
        beginTable();
        happens("the words of two releases are under way",
            [](EngineBench &bench) {
                for (const auto &owner : { B, A }) {
                    bench.take("order", owner, FullLease);
                    write(bench, { "order", latch(bench) });
                    bench.passSilently(Millis{ 30 });
                }
                publish(bench);
                publish(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B }, { EventKind::Released, Seen, B },
                { EventKind::Acquired }, { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("of a spin lock there is none, and what is heard is of a release by force",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                makeSpin(bench, true);
                bench.unlock("order", true, false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::ForceReleased, Inferred } });
        for (const Millis held : { Millis{ 5 }, Millis{ 1'000 } }) {
            const auto what = "of a spin lock that is taken again after " + std::to_string(held.count())
                + " ms the latch comes after the look";
            happens(what.c_str(),
                [held](EngineBench &bench) {
                    bench.pass(seconds{ 20 }); // now a latch told alone is none from before our time
                    showThatALeavesLatches(bench);
                    makeSpin(bench, true);
                    bench.passSilently(held);
                    bench.renew("order", FullLease);
                    bench.changed("order");
                    write(bench, { latch(bench) });
                },
                { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        }
        happens("and where no latch ever comes, it was hardly a watchdog",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                makeSpin(bench, true);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("also where it is given back often",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                for (int i = 0; i < 4; ++i) {
                    bench.unlock("order", true, false);
                    bench.pass(Millis{ 20 });
                    bench.take("order", A, FullLease);
                    bench.changed("order");
                }
                bench.events.clear();
                bench.unlock("order", false);
            },
            { { EventKind::ForceReleased, Inferred } });
        happens("another program deletes it once: that makes it no spin lock",
            [](EngineBench &bench) {
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
    }
    void lateWords() { compare(); }

    void acquired_data()
    {
        beginTable();
        happens("by anybody",
            [](EngineBench &bench) {
                bench.take("stock", B, FullLease);
                bench.changed("stock");
            },
            { { EventKind::Acquired, Seen, B } });
        happens("read a little later",
            [](EngineBench &bench) {
                bench.take("stock", B, FullLease);
                bench.tell(input::KeysChanged{ { "stock" } });
                bench.passSilently(Millis{ 300 });
                bench.answer();
            },
            { { EventKind::Acquired, Seen, B } });
        happens("with an odd lease, by a client that is known",
            [](EngineBench &bench) {
                bench.pass(Millis{ 3'210 });
                bench.take("stock", A, Millis{ 23'456 });
                bench.changed("stock");
            },
            { { EventKind::Acquired } });
        happens("moved here from another database",
            [](EngineBench &bench) {
                bench.take("stock", B, Millis{ 23'456 });
                bench.changed("stock");
            },
            { { EventKind::Acquired, Inferred, B } });
        happens("renamed or copied by another program",
            [](EngineBench &bench) {
                bench.pass(Millis{ 3'210 });
                bench.take("stock", A, FullLease - Millis{ 3'210 });
                bench.changed("stock");
            },
            { { EventKind::Acquired, Inferred } });
        happens("without a word, as after SWAPDB",
            [](EngineBench &bench) {
                bench.pass(seconds{ 20 });
                bench.unlock("order");
                bench.events.clear();
                bench.take("order", B, 3 * FullLease);
                bench.pass(seconds{ 45 }); // until a sweep
            },
            { { EventKind::Acquired, Inferred, B } });
        happens("written into the hash by another program",
            [](EngineBench &bench) {
                bench.server["order"].holders.push_back(HolderReading{ B, 1, {}, {}, false });
                bench.changed("order");
            },
            { { EventKind::Acquired, Inferred, B } });
    }
    void acquired() { compare(); }

    /// What another program wrote into a lock does not make the lock disappear; what only looks like that is no lock.
    void damaged()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        for (const auto *name : { "order", "sessions" }) {
            auto &hash = bench.server[name];
            hash.name = name;
            hash.holders = { HolderReading{ A, 1, {}, {}, false },
                HolderReading{ { std::string("other"), std::string() }, 1, {}, {}, true } };
            hash.keys = { name };
            bench.changed(name);
        }
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("sessions"));
        QVERIFY(bench.shown("order"));
        QCOMPARE(bench.shown("order")->holders.size(), std::size_t{ 2 });
        bench.channels = { { key_layout::lockChannel("sessions"), 1 } };
        bench.pass(seconds{ 6 });
        bench.changed("sessions");
        bench.pass(Millis{ 100 });
        QVERIFY(bench.shown("sessions")); // somebody waits for it
    }

    void heldUp_data()
    {
        beginTable();
        happens("the server is held up between its clock and a lock that nobody touches",
            [](EngineBench &bench) {
                bench.heldUp = Millis{ 6 };
                publish(bench);
                bench.answer();
                bench.heldUp = Millis{ 0 };
                publish(bench);
                bench.answer();
            },
            {});
        happens("for longer than is looked for",
            [](EngineBench &bench) {
                bench.heldUp = seconds{ 2 };
                publish(bench);
                bench.answer();
                bench.heldUp = Millis{ 0 };
                publish(bench);
                bench.answer();
            },
            {});
        happens("at a lock that was taken again meanwhile",
            [](EngineBench &bench) {
                bench.heldUp = Millis{ 6 };
                bench.passSilently(Millis{ 15 });
                bench.renew("order", FullLease);
                publish(bench);
                bench.answer();
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
    }
    void heldUp() { compare(); }

    /// How long it is held is known no better than the conclusion.
    void isNotExactAboutAHoldThatWasConcluded()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("order")->holders.at(0).since.exact);
        bench.renew("order", FullLease);
        publish(bench);
        write(bench, { "order", latch(bench) });
        bench.pass(Millis{ 100 });
        QVERIFY(!bench.shown("order")->holders.at(0).since.exact);
    }

    /// What is thought of a lock, and how many listen, is no change of it.
    void aConclusionIsNoChange()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease);
        bench.changed("order");
        const MonoTime taken = bench.shown("order")->readAtMono;
        bench.pass(seconds{ 20 });
        QCOMPARE(bench.shown("order")->lease, Lease::Fixed);
        QCOMPARE(bench.shown("order")->readAtMono, taken);
        bench.renew("order", FullLease);
        bench.changed("order");
        QCOMPARE(bench.shown("order")->readAtMono, bench.mono);
    }

    /// What is found by the first look, or after a gap, may have been so before, or otherwise meanwhile.
    void knowsSinceWhenALockIsAsItIsOnlyWhereThatWasWatched()
    {
        EngineBench bench;
        bench.take("order", A, FullLease);
        bench.up();
        QVERIFY(!bench.shown("order")->becameSoThen);
        bench.take("stock", B, FullLease);
        bench.changed("stock");
        QVERIFY(bench.shown("stock")->becameSoThen);
        bench.pass(seconds{ 10 });
        bench.renew("order", FullLease);
        bench.changed("order");
        QVERIFY(bench.shown("order")->becameSoThen);
        const MonoTime renewed = bench.mono;
        bench.down();
        bench.pass(seconds{ 1 });
        bench.up();
        QCOMPARE(bench.shown("order")->readAtMono, renewed);
        QVERIFY(!bench.shown("order")->becameSoThen);
    }
};

QTEST_APPLESS_MAIN(EventConclusions)
#include "tst_event_conclusions.moc"
