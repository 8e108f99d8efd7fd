// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/cluster_slots.h"
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace testsupport;

namespace {

const LockName Lock = "order:1";

std::vector<SlotSpan> allBut(int slot) { return { { 0, slot - 1 }, { slot + 1, protocol::SlotCount - 1 } }; }

/// Keeps every slot but that of the lock, and has the lock all the same: its slot is moving here.
struct ImportingBench : EngineBench {
    ImportingBench()
    {
        tell(input::SlotsKept{ allBut(protocol::keySlot(Lock)) });
        take(Lock, A, Millis{ 30'000 });
        up();
    }

    void slotMovesOn()
    {
        elsewhere.insert(Lock);
        changed(Lock);
        pass(Millis{ 400 });
    }
};

} // namespace

/// Which locks a node of a cluster shows while slots move.
class TestEngineSlots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsWhatMovesHere()
    {
        const ImportingBench bench;
        QVERIFY(bench.shown(Lock));
    }

    /// Whether a sweep finds it or it is announced.
    void goesOnWithWhatAnotherNodeKnows_data()
    {
        QTest::addColumn<bool>("swept");
        QTest::newRow("found by the sweep") << true;
        QTest::newRow("announced") << false;
    }
    void goesOnWithWhatAnotherNodeKnows()
    {
        QFETCH(const bool, swept);
        EngineBench before;
        before.up();
        before.take(Lock, A, Millis{ 30'000 });
        before.changed(Lock);
        before.pass(Millis{ 60 });

        EngineBench bench;
        bench.shownElsewhere[Lock] = before.shown(Lock);
        bench.tell(input::SlotsKept{ allBut(0) });
        if (!swept)
            bench.up();
        bench.take(Lock, A, Millis{ 30'000 });
        bench.expiries = before.expiries; // it moves with its time to live
        if (swept)
            bench.up();
        else
            bench.changed(Lock);
        bench.pass(Millis{ 60 });
        QVERIFY(bench.shown(Lock));
        QVERIFY(bench.shown(Lock)->holders[0].since.exact);
        QCOMPARE(bench.takeEvents(), (std::vector<std::pair<EventKind, Certainty>>{}));
    }

    void showsWhatHasMovedOnUntilAnotherNodeClaimsIt()
    {
        ImportingBench bench;
        bench.slotMovesOn();
        QVERIFY(bench.shown(Lock)); // nobody else shows it yet
        bench.tell(input::LockClaimed{ Lock });
        bench.answer();
        bench.pass(Millis{ 60 });
        QVERIFY(!bench.shown(Lock));
    }

    void forgetsWhatHasMovedOnAndNobodyClaims()
    {
        ImportingBench bench;
        bench.slotMovesOn();
        bench.pass(Millis{ 1'200 });
        QVERIFY(bench.shown(Lock)); // another node may need so long to read it
        bench.pass(Millis{ 800 });
        QVERIFY(!bench.shown(Lock));
    }

    void showsWhatCameBackInTime()
    {
        ImportingBench bench;
        bench.slotMovesOn();
        bench.elsewhere.clear();
        bench.pass(Millis{ 3'000 });
        QVERIFY(bench.shown(Lock));
        bench.slotMovesOn(); // it has as long as the first time
        QVERIFY(bench.shown(Lock));
    }
};

QTEST_APPLESS_MAIN(TestEngineSlots)
#include "tst_engine_slots.moc"
