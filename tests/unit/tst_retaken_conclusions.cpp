// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/conclusion_table.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

/// Given back and taken once more by the same owner between two looks, a lock looks much like one that was renewed.
class RetakenConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takenAgain_data()
    {
        beginTable();
        happens("by another, at once",
            [](EngineBench &bench) {
                publish(bench);
                bench.take("order", B, FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B } });
        happens("by another, who takes it once more while the word of the release is still under way",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                write(bench, { "order", latch(bench) });
                bench.passSilently(Millis{ 30 });
                publish(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B }, { EventKind::Reentered, Inferred, B },
                { EventKind::PartlyReleased, Inferred, B } });
        happens("by another, who gives it back and takes it again while the word of the release is still under way",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                write(bench, { "order", latch(bench) });
                bench.passSilently(Millis{ 8 });
                publish(bench);
                publish(bench);
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released }, { EventKind::Acquired, Seen, B }, { EventKind::Released, Seen, B },
                { EventKind::Acquired, Inferred, B } });
        happens("after a release of which the word comes late: it is no spin lock",
            [](EngineBench &bench) {
                bench.unlock("order", true, false);
                publish(bench);
                bench.take("order", A, FullLease);
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("by another while nothing could be seen",
            [](EngineBench &bench) {
                bench.down();
                bench.take("order", B, FullLease);
                bench.up();
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred, B } });
    }
    void takenAgain() { compare(); }

    void takenAgainAtOnce_data()
    {
        beginTable();
        happens("a fair lock that nobody waits for, for a shorter time",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                changedTwice(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("after a hold of a few milliseconds",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease).kind = Kind::Fair;
                bench.changed("order");
                bench.events.clear();
                bench.passSilently(Millis{ 5 });
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a spin lock of such a client, for a shorter time",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeSpin(bench, false);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                changedTwice(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a fair lock, for a shorter time, by a client that leaves latches",
            [](EngineBench &bench) {
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("a fair lock, by such a client, for longer",
            [](EngineBench &bench) {
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
        happens("not so where somebody waits: he would have been told",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.server["order"].waiters = { { B, bench.now().wall + seconds{ 300 } } };
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("nor where somebody waits, and a latch is left: it was taken once more",
            [](EngineBench &bench) {
                makeFair(bench);
                bench.unlock("order", true, false);
                bench.take("order", A, FullLease).kind = Kind::Fair;
                bench.server["order"].waiters = { { B, bench.now().wall + seconds{ 300 } } };
                bench.changed("order");
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("nor where its clients would have been told: a multi-lock sets the lease of its members in the end",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.pass(Millis{ 5 });
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("a client that leaves latches took it once more for a shorter time, and gave that back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("a fair lock taken once more for a shorter time, and given back in part",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                for (const int count : { 2, 1 }) {
                    bench.pass(seconds{ 1 });
                    bench.server["order"].holders[0].count = count;
                    bench.renew("order", FullLease / (4 - count));
                    bench.changed("order");
                }
            },
            { { EventKind::Reentered }, { EventKind::PartlyReleased } });
        happens("a fair lock held twice is hardly given back twice and taken twice",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                bench.server["order"].holders[0].count = 2;
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.events.clear();
                bench.renew("order", FullLease / 2);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("nor where its lease rose",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.unlock("order", false, false);
                bench.take("order", A, FullLease).kind = Kind::Fair;
                bench.server["order"].holders[0].count = 2;
                bench.changed("order");
                bench.pass(seconds{ 5 });
                bench.events.clear();
                bench.renew("order", FullLease);
                changedTwice(bench);
            },
            { { EventKind::Reentered, Inferred }, { EventKind::PartlyReleased, Inferred } });
        happens("a fair lock whose lease we have made shorter",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease / 2);
                bench.changed("order");
                setTtl(bench);
                bench.answer();
            },
            { { EventKind::Renewed } });
        happens("nobody touches it",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeFair(bench);
                bench.pass(seconds{ 1 });
                bench.changed("order");
            },
            {});
    }
    void takenAgainAtOnce() { compare(); }
};

QTEST_APPLESS_MAIN(RetakenConclusions)
#include "tst_retaken_conclusions.moc"
