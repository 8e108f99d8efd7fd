// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/wait_graph.h"
#include "tests/unit/analysis_bench.h"

#include <QTest>
#include <random>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace testsupport;

namespace {

OwnerId owner(int number) { return { "client", std::to_string(1'000'000 + number) }; }

std::shared_ptr<const LockState> queue(
    const LockName &name, const OwnerId &holder, const std::vector<OwnerId> &waiters, bool listening = true)
{
    LockState lock;
    lock.name = name;
    lock.kind = Kind::Fair;
    lock.holders.push_back({});
    lock.holders[0].owner = holder;
    for (const auto &waiter : waiters)
        lock.waiters.push_back({ waiter, {}, {}, listening });
    return std::make_shared<const LockState>(std::move(lock));
}

} // namespace

class TestWaitGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsNoDeadlockInAQueue()
    {
        const auto graph = waitGraph({ queue("a", A, { B, C }), queue("b", A, { B }) });
        QCOMPARE(graph.edges.size(), std::size_t{ 3 });
        QVERIFY(graph.cycles.empty());
    }

    void findsTwoThatWaitForEachOther()
    {
        const auto graph = waitGraph({ queue("a", A, { C, B }), queue("b", B, { A }) });
        QCOMPARE(graph.cycles, (std::vector<WaitCycle>{ { { B, "a", A }, { A, "b", B } } }));
    }

    void takesADeadWaiterForNoWaiter()
    {
        const auto graph = waitGraph({ queue("a", A, { B }, false), queue("b", B, { A }) });
        QVERIFY(graph.cycles.empty());
    }

    void takesAThreadInItsOwnQueueForNoDeadlock() { QVERIFY(waitGraph({ queue("a", A, { A }) }).cycles.empty()); }

    void namesOneShortestCycleOfEachKnot()
    {
        // 1 → 2 → 3 → 1 and 1 → 2 → 1; apart from it 8 ⇄ 9; 5 waits for a knot without being in it.
        const std::vector<std::shared_ptr<const LockState>> locks{ queue("a", owner(2), { owner(1) }),
            queue("b", owner(3), { owner(2) }), queue("c", owner(1), { owner(3), owner(2), owner(5) }),
            queue("d", owner(9), { owner(8) }), queue("e", owner(8), { owner(9) }) };
        const auto graph = waitGraph(locks);
        QCOMPARE(graph.cycles.size(), std::size_t{ 2 });
        QCOMPARE(graph.cycles[0], (WaitCycle{ { owner(1), "a", owner(2) }, { owner(2), "c", owner(1) } }));
        QCOMPARE(graph.cycles[1], (WaitCycle{ { owner(8), "d", owner(9) }, { owner(9), "e", owner(8) } }));
        auto shuffled = locks;
        std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(7));
        QCOMPARE(waitGraph(shuffled), graph);
    }

    void followsLongChainsWithoutRecursion()
    {
        std::vector<std::shared_ptr<const LockState>> locks;
        constexpr int Length = 15'000;
        for (int i = 0; i < Length; ++i)
            locks.push_back(queue("lock" + std::to_string(i), owner((i + 1) % Length), { owner(i) }));
        const auto graph = waitGraph(locks);
        QCOMPARE(graph.cycles.size(), std::size_t{ 1 });
        QCOMPARE(graph.cycles[0].size(), std::size_t{ Length });
    }

    void looksAtSoManyEdgesAtMost()
    {
        std::vector<OwnerId> waiters;
        for (int i = 0; i < 30'000; ++i)
            waiters.push_back(owner(i));
        QCOMPARE(waitGraph({ queue("a", A, waiters) }).edges.size(), MostWaitEdges);
    }
};

QTEST_APPLESS_MAIN(TestWaitGraph)
#include "tst_wait_graph.moc"
