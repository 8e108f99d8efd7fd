// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/conclusion_table.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

namespace {

/// A lock of the same name that is not here is taken and given back.
void hearAStranger(EngineBench &bench)
{
    publish(bench);
    write(bench, { "order", latch(bench) });
    bench.pass(Millis{ 60 });
}

} // namespace

/// On the channel of a lock also others are told of: those of that name in other databases, and all of one group.
class StrangerConclusions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Channels know no database, nor do the keys that CLIENT TRACKING tells of.
    void otherDatabases_data()
    {
        beginTable();
        happens("a lock of that name comes and goes there", [](EngineBench &bench) { hearAStranger(bench); }, {});
        happens("and meanwhile it is renewed here",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("it is renewed here, and nothing is heard",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
            },
            { { EventKind::Renewed } });
        happens("and meanwhile it runs out here",
            [](EngineBench &bench) {
                bench.passSilently(FullLease - Millis{ 1 });
                publish(bench);
                bench.passSilently(Millis{ 2 });
                bench.server.clear();
                hearAStranger(bench);
            },
            { { EventKind::Expired, Inferred } });
        happens("it runs out here, and nothing is heard",
            [](EngineBench &bench) { bench.pass(FullLease + Millis{ 10 }); }, { { EventKind::Expired } });
        happens("and meanwhile it goes here",
            [](EngineBench &bench) {
                bench.server.clear();
                hearAStranger(bench);
            },
            { { EventKind::Released, Inferred } });
        happens("and meanwhile another owner has it here",
            [](EngineBench &bench) {
                bench.take("order", B, FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Released, Inferred }, { EventKind::Acquired, Seen, B } });
        happens("one of them is flushed as it goes here",
            [](EngineBench &bench) {
                bench.tell(input::EverythingChanged{});
                bench.server.clear();
                bench.answer();
            },
            { { EventKind::Deleted, Inferred } });
    }
    void otherDatabases()
    {
        EngineBench bench;
        bench.up();
        bench.tell(input::DatabasesSeen{ true, true });
        bench.tell(input::DatabasesSeen{ false, false }); // each key of theirs is short-lived
        bench.take("order", A, FullLease);
        bench.changed("order");
        compareIn(bench);
    }

    /// The server did not say that other databases have keys, and this is an unlock of a lock that nobody unlocked.
    void strangers_data()
    {
        beginTable();
        happens("renewed after one of that name was seen",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                hearAStranger(bench);
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("long ago",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                hearAStranger(bench);
                bench.renew("order", 100 * FullLease);
                bench.changed("order");
                bench.pass(seconds{ 700 });
                bench.events.clear();
                bench.unlock("order");
            },
            { { EventKind::Released } });
        happens("the latch of its own is told late",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                bench.changed("order");
                bench.passSilently(Millis{ 30 });
                bench.events.clear();
                write(bench, { "order", latch(bench) });
                bench.unlock("order");
            },
            { { EventKind::Released } });
    }
    void strangers() { compare(); }

    void namesake_data()
    {
        beginTable();
        happens("is released while this one is renewed",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("is released while this one runs out",
            [](EngineBench &bench) {
                bench.passSilently(FullLease - Millis{ 1 });
                publish(bench);
                bench.passSilently(Millis{ 2 });
                bench.server.erase("order");
                hearAStranger(bench);
            },
            { { EventKind::Expired, Inferred } });
    }
    /// Of the one is told as of the other.
    void namesake()
    {
        EngineBench bench;
        bench.up();
        bench.take("{order}", A, 10 * FullLease);
        bench.changed("{order}");
        bench.take("order", A, FullLease);
        bench.changed("order");
        compareIn(bench);
    }

    /// Each release of any of its values is told of on the one channel of the group.
    void fasterMultiLock_data()
    {
        beginTable();
        happens("one value is renewed while another one is taken and given back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                bench.renew("order", FullLease);
                hearAStranger(bench);
            },
            { { EventKind::Renewed, Inferred } });
        happens("one value is held while another one is taken and given back",
            [](EngineBench &bench) {
                bench.pass(seconds{ 10 });
                hearAStranger(bench);
            },
            {});
    }
    void fasterMultiLock()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, FullLease).kind = Kind::FasterMulti;
        bench.changed("order");
        compareIn(bench);
    }
};

QTEST_APPLESS_MAIN(StrangerConclusions)
#include "tst_stranger_conclusions.moc"
