// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/conclusion_table.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

/// A lock that several hold: each reader has a deadline of its own, and what is heard may be of any of them.
class SharedConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readers_data()
    {
        beginTable();
        happens("one of two is released by us, and the other gives its own back",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
                share(bench, { reader(A, FullLease) });
                bench.changed("order");
                gone(bench);
            },
            { { EventKind::ForceReleased, Seen, B }, { EventKind::Released, Inferred } });
        happens("two of three are released by us, one by one, between two looks",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease), reader(C, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { C } });
                share(bench, { reader(A, FullLease) });
                bench.changed("order");
            },
            { { EventKind::ForceReleased, Seen, B }, { EventKind::ForceReleased, Seen, C } });
        happens("all are released by us after one of them was, between two looks",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::ChangedByUs{ "order", Heard::Forced, { B } });
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                gone(bench);
            },
            { { EventKind::ForceReleased, Seen, A }, { EventKind::ForceReleased, Seen, B } });
        happens("one renews before another unlocks",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Seen, B }, { EventKind::Renewed } });
        happens("the only one renews before it unlocks what it took once more",
            [](EngineBench &bench) {
                share(bench, { reader(A, Millis{ 20'000 }, 2) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::PartlyReleased } });
        happens("one renews before another gives back one of two",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }, 2) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease), reader(B, Millis{ 20'000 }) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Renewed }, { EventKind::PartlyReleased, Seen, B } });
        happens("one gives back what it has just taken, and takes it again for longer",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.events.clear();
                bench.pass(Millis{ 3 });
                share(bench, { reader(A, 2 * FullLease), reader(B, FullLease - Millis{ 3 }) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("one renews while another takes it once more and gives it back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease), reader(B, Millis{ 20'000 }) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Renewed, Inferred } });
        happens("a writer renews, and keeps its read hold only",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                share(bench, { reader(A, Millis{ 20'000 }), writer(A) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Renewed } });
        happens("a writer takes it to read, too",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.changed("order");
                share(bench, { writer(A) });
                bench.changed("order");
                bench.pass(seconds{ 5 });
                bench.events.clear();
                share(bench, { reader(A, FullLease), writer(A) });
                write(bench, { "order" });
            },
            { { EventKind::Acquired } });
        happens("a writer takes it to read for a shorter time, of which an answer tells that comes late",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.changed("order");
                share(bench, { writer(A) });
                bench.changed("order");
                bench.events.clear();
                share(bench, { reader(A, FullLease / 2), writer(A) });
                const auto read = ask(bench);
                const auto sentAt = bench.mono;
                bench.passSilently(Millis{ 60 });
                bench.answer(read, sentAt);
                bench.changed("order");
            },
            { { EventKind::Acquired } });
        happens("a writer who reads takes it to read once more",
            [](EngineBench &bench) {
                share(bench, { reader(A, FullLease), writer(A) });
                bench.changed("order");
                bench.pass(seconds{ 5 });
                bench.events.clear();
                share(bench, { reader(A, FullLease, 2), writer(A) });
                write(bench, { "order" });
            },
            { { EventKind::Reentered } });
        happens("all released, and one takes it again",
            [](EngineBench &bench) {
                share(bench, { reader(A, Millis{ 20'000 }), reader(B, Millis{ 20'000 }) });
                bench.changed("order");
                bench.events.clear();
                bench.tell(input::MessageHeard{ key_layout::readWriteChannel("order") });
                share(bench, { reader(A, FullLease) });
                write(bench, { "order", latch(bench), latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Released, Seen, B }, { EventKind::Acquired, Inferred } });
        happens("one of an older client, and the last one before it was looked again",
            [](EngineBench &bench) {
                showThatALeavesLatches(bench);
                share(bench, { reader(A, FullLease), reader(B, FullLease) });
                bench.changed("order");
                bench.pass(Millis{ 60 });
                bench.events.clear();
                share(bench, { reader(A, FullLease - Millis{ 60 }) });
                bench.changed("order"); // B leaves no trace
                bench.passSilently(Millis{ 2 });
                bench.server.clear();
                bench.tell(input::MessageHeard{ key_layout::readWriteChannel("order") });
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred, B }, { EventKind::Released } });
        happens("one ran out and still counts",
            [](EngineBench &bench) {
                for (int i = 0; i < 20; ++i) {
                    share(bench, { reader(A, FullLease - Millis{ i * 300 }), reader(B, Millis{ -2 }) });
                    write(bench, { "order" });
                    if (i == 0)
                        bench.events.clear();
                    bench.passSilently(Millis{ 300 }); // until then its release would have been heard
                }
            },
            { { EventKind::Expired, Seen, B } });
    }
    void readers()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease) });
        bench.changed("order");
        compareIn(bench);
    }

    void lone_data()
    {
        beginTable();
        happens("taken once more and given back between two looks",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("renewed",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
    }
    void lone()
    {
        EngineBench bench;
        bench.up();
        share(bench, { writer(A) });
        bench.changed("order");
        compareIn(bench);
    }

    /// Each has a deadline of its own, which tells whether it is the same hold; an earlier one, too.
    void aReaderWithAnEarlierDeadlineAfterAGapMayBeAnother()
    {
        EngineBench bench;
        bench.up();
        share(bench, { reader(A, FullLease), reader(B, FullLease) });
        bench.changed("order");
        bench.pass(seconds{ 5 });
        bench.down();
        bench.passSilently(seconds{ 5 });
        share(bench, { reader(A, Millis{ 8'000 }), reader(B, FullLease - Millis{ 10'000 }) });
        bench.events.clear();
        bench.up();
        QCOMPARE(bench.events.size(), std::size_t{ 2 });
        QCOMPARE(bench.events[1].kind, EventKind::Renewed);
        QCOMPARE(bench.events[1].certainty, Certainty::Inferred);
        QVERIFY(bench.events[1].owner == A); // and of B nothing
        QVERIFY(!bench.shown("order")->holders.at(0).since.exact);
        QVERIFY(bench.shown("order")->holders.at(1).since.exact);
    }
};

QTEST_APPLESS_MAIN(SharedConclusions)
#include "tst_shared_conclusions.moc"
