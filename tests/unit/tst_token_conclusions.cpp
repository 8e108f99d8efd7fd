// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/conclusion_table.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

/// A lock of another library: nobody is told of its end, and its token is of one acquire.
class TokenConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofATokenLock_data()
    {
        beginTable();
        happens("gone before its time", [](EngineBench &bench) { gone(bench); }, { { EventKind::Released, Inferred } });
        happens("gone just before its time",
            [](EngineBench &bench) {
                bench.pass(FullLease - Millis{ 200 });
                gone(bench);
            },
            { { EventKind::Released, Inferred } });
        happens("its time is over", [](EngineBench &bench) { bench.pass(FullLease + Millis{ 100 }); },
            { { EventKind::Expired } });
        happens("another's token",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                bench.changed("order");
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Seen, B } });
        happens("a renewal, as early as it may be",
            [](EngineBench &bench) {
                bench.pass(Millis{ 500 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("its time is cut",
            [](EngineBench &bench) {
                bench.renew("order", seconds{ 5 });
                bench.changed("order");
            },
            { { EventKind::Renewed, Inferred } });
        happens("freed by us",
            [](EngineBench &bench) {
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                gone(bench);
            },
            { { EventKind::ForceReleased } });
        happens("its time is set by us",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                setTtl(bench);
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("its time is set by us, which is seen before it is known to be done",
            [](EngineBench &bench) {
                bench.server["order"].kind = Kind::Token;
                bench.changed("order");
                bench.events.clear();
                bench.pass(seconds{ 1 });
                bench.tell(input::ChangedByUs{ "order", Heard::ActionBegun });
                bench.answer();
                bench.renew("order", FullLease);
                bench.changed("order");
                setTtl(bench);
                bench.answer();
            },
            { { EventKind::Renewed } });
        happens("freed by us, which is seen before it is known to be done",
            [](EngineBench &bench) {
                showThatALeavesNoLatches(bench);
                makeSpin(bench, false);
                bench.tell(input::ChangedByUs{ "order", Heard::ActionBegun });
                bench.answer();
                gone(bench);
                bench.tell(input::ChangedByUs{ "order", Heard::Forced });
                bench.answer();
            },
            { { EventKind::ForceReleased } });
        happens("all is deleted",
            [](EngineBench &bench) {
                bench.server.clear();
                bench.tell(input::EverythingChanged{});
                bench.answer();
            },
            { { EventKind::Deleted } });
        happens("an unlock of lockcore, which leaves a latch",
            [](EngineBench &bench) {
                bench.server.clear();
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released } });
        happens("the same by its holder, who takes it again at once",
            [](EngineBench &bench) {
                bench.pass(seconds{ 1 });
                bench.renew("order", FullLease);
                write(bench, { "order", latch(bench) });
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Inferred } });
    }
    void ofATokenLock()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease).kind = Kind::Token;
        bench.changed("order");
        compareIn(bench);
    }

    /// Where no change is announced, it may as well have been given back in time.
    void isNotSureThatATokenLockExpiredUnseen()
    {
        EngineBench bench(Feed::Rereading);
        bench.up();
        bench.take("order", A, seconds{ 2 }).kind = Kind::Token;
        bench.tell(input::RefreshRequested{});
        bench.answer();
        bench.pass(Millis{ 300 });
        QVERIFY(bench.shown("order"));
        bench.takeEvents();
        bench.pass(seconds{ 4 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Expired, Inferred } }));
    }

    /// ShedLock, for one, has leases that are no round numbers, and a token was never heard of before.
    void seesATokenLockTakenForAnyLease()
    {
        EngineBench bench;
        bench.up();
        bench.pass(seconds{ 5 });
        bench.take("order", B, Millis{ 29'321 }).kind = Kind::Token;
        bench.changed("order");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Acquired, Seen } }));
        QVERIFY(bench.shown("order")->holders.front().since.exact);
    }

    /// Nobody listens for it, so that nobody is asked about, and none is not the answer either.
    void doesNotKnowWhoWaitsForATokenLock()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease).kind = Kind::Token;
        bench.changed("order");
        bench.pass(seconds{ 4 });
        QVERIFY(bench.counted.empty());
        QVERIFY(!bench.shown("order")->subscribers);
    }
};

QTEST_APPLESS_MAIN(TokenConclusions)
#include "tst_token_conclusions.moc"
