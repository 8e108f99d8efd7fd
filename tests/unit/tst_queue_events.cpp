// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace testsupport;
using std::chrono::seconds;

namespace {

using Queue = std::vector<std::pair<OwnerId, int>>; // who waits, and each one's deadline in seconds

LockReading &takeFair(EngineBench &bench)
{
    auto &lock = bench.take("order", A, FullLease);
    lock.kind = Kind::Fair;
    return lock;
}

} // namespace

/// Who stands in a fair queue, since when, and how it comes to be there no more.
class QueueEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void followsAFairQueue()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        bench.changed("order");
        bench.takeEvents();
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } } };
        bench.changed("redisson_lock_queue:{order}");
        bench.pass(Millis{ 60 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Queued, Seen } }));
        QCOMPARE(bench.shown("order")->waiters.size(), std::size_t{ 1 });
        QVERIFY(bench.shown("order")->waiters[0].since.exact);
        QCOMPARE(waitingCount(*bench.shown("order")), std::optional<std::int64_t>{ 1 });
        lock.waiters.clear();
        bench.changed("redisson_lock_timeout:{order}");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Dequeued, Seen } }));
        lock.waiters = { { B, bench.now().wall - seconds{ 1 } } };
        bench.changed("redisson_lock_queue:{order}");
        lock.waiters.clear();
        bench.changed("redisson_lock_queue:{order}");
        QCOMPARE(
            bench.takeEvents(), (Happened{ { EventKind::Queued, Seen }, { EventKind::WaiterTimedOut, Inferred } }));
    }

    /// While another program has something in it nothing is known of who waits; who waits behind it may wait on.
    void doesNotTakeWhoWaitsForNewWhenTheQueueCanBeReadAgain()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        lock.waiters = { { B, bench.now().wall + seconds{ 300 }, Millis{ 1'700'000'300'000 } } };
        lock.keys = { "order", key_layout::fairQueue("order") };
        bench.changed("order");
        bench.pass(seconds{ 5 });
        const Since since = bench.shown("order")->waiters.at(0).since;
        const auto waiters = std::exchange(lock.waiters, {});
        bench.changed(key_layout::fairQueue("order"));
        bench.pass(seconds{ 5 });
        QVERIFY(hasUnreadQueue(*bench.shown("order")));
        bench.takeEvents();
        lock.waiters = waiters;
        lock.waiters.push_back({ C, bench.now().wall + seconds{ 400 }, Millis{ 1'700'000'400'000 } });
        bench.changed(key_layout::fairQueue("order"));
        bench.pass(seconds{ 1 });
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Queued, Inferred } })); // who came, whenever that was
        QCOMPARE(bench.shown("order")->waiters.size(), std::size_t{ 2 });
        QVERIFY(bench.shown("order")->waiters[0].since == since); // with its score
        QVERIFY(!bench.shown("order")->waiters[1].since.exact);
    }

    void tellsOfWhoIsFoundInAQueue()
    {
        EngineBench bench;
        auto &lock = takeFair(bench);
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } } };
        bench.up();
        const Happened told = bench.takeEvents();
        QVERIFY(std::ranges::count(told, std::pair(EventKind::Appeared, Seen)) == 1);
        QVERIFY(std::ranges::count(told, std::pair(EventKind::FoundQueued, Seen)) == 1);
        QVERIFY(bench.shown("order")->lastChange.kind == EventKind::Appeared); // nothing has changed
        lock.waiters.clear();
        bench.changed("redisson_lock_queue:{order}");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Dequeued, Seen } }));
    }

    /// Whose queue it is, a list of the channels is to tell first.
    void tellsOfTheFirstWaiterOfAFreeName()
    {
        EngineBench bench;
        bench.up();
        bench.pass(seconds{ 10 });
        bench.takeEvents();
        auto &lock = bench.server["order"];
        lock.name = "order";
        lock.kind = Kind::Fair;
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } } };
        bench.changed(key_layout::fairQueue("order"));
        QVERIFY(bench.takeEvents().empty());
        bench.pass(seconds{ 2 });
        QVERIFY(bench.shown("order"));
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Queued, Seen } }));
    }

    void throwsNobodyOutWhoStandsBehindAnother()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        const OwnerId third{ B.client, "99" };
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } }, { third, bench.now().wall - seconds{ 1 } } };
        bench.changed("order");
        bench.takeEvents();
        lock.waiters.pop_back();
        bench.changed("redisson_lock_queue:{order}");
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Dequeued, Seen } }));
    }

    void seesWhoLeavesAQueueAndLinesUpAgain_data()
    {
        QTest::addColumn<Queue>("before");
        QTest::addColumn<Queue>("after");
        QTest::addColumn<bool>("isAnew"); // A left and lined up again
        QTest::newRow("as it was") << Queue{ { A, 300 } } << Queue{ { A, 300 } } << false;
        QTest::newRow("alone, later") << Queue{ { A, 300 } } << Queue{ { A, 330 } } << true;
        QTest::newRow("alone, earlier") << Queue{ { A, 300 } } << Queue{ { A, 200 } } << true;
        QTest::newRow("behind another") << Queue{ { A, 300 }, { B, 600 } } << Queue{ { B, 300 }, { A, 300 } } << true;
        QTest::newRow("behind one who is new") << Queue{ { A, 300 } } << Queue{ { B, 250 }, { A, 300 } } << true;
        QTest::newRow("in its place, later")
            << Queue{ { B, 300 }, { A, 600 } } << Queue{ { B, 300 }, { A, 601 } } << true;
        QTest::newRow("moved up") << Queue{ { B, 300 }, { A, 600 } } << Queue{ { A, 300 } } << false;
        QTest::newRow("moved up after one who was thrown out")
            << Queue{ { B, 300 }, { A, 600 } } << Queue{ { A, 600 } } << false;
        QTest::newRow("another behind it") << Queue{ { A, 300 } } << Queue{ { A, 300 }, { B, 600 } } << false;
        QTest::newRow("one ahead lined up again")
            << Queue{ { B, 300 }, { A, 600 } } << Queue{ { A, 300 }, { B, 600 } } << false;
        const Queue twice{ { A, 300 }, { B, 600 }, { A, 300 } };
        QTest::newRow("stands there twice") << twice << twice << false;
    }
    void seesWhoLeavesAQueueAndLinesUpAgain()
    {
        QFETCH(const Queue, before);
        QFETCH(const Queue, after);
        QFETCH(const bool, isAnew);
        EngineBench bench;
        bench.up();
        const WallTime start = bench.now().wall;
        const auto queueUp = [&](const Queue &queue) {
            auto &lock = bench.server["ghosts"];
            lock.name = "ghosts";
            lock.kind = Kind::Fair;
            lock.keys = { key_layout::fairQueue("ghosts") };
            lock.waiters.clear();
            for (const auto &[owner, at] : queue) {
                const WallTime deadline = start + seconds{ at };
                lock.waiters.push_back({ owner, deadline, deadline.time_since_epoch() });
            }
            bench.changed(key_layout::fairQueue("ghosts"));
        };
        const auto waitOfA = [&] {
            const auto lock = bench.shown("ghosts");
            return *std::ranges::find(lock->waiters, A, &Waiter::owner);
        };
        queueUp(before);
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("ghosts"));
        const Since since = waitOfA().since;
        bench.pass(seconds{ 10 });
        bench.events.clear();
        queueUp(after);
        const auto isOfA = [](const Event &event) { return event.owner == A; };
        QCOMPARE(std::ranges::count_if(bench.events, isOfA), isAnew ? 2 : 0);
        QCOMPARE(waitOfA().since.at > since.at, isAnew);
        if (!isAnew)
            return;
        QVERIFY(since.exact && !waitOfA().since.exact); // its client may have waited on all the time
        const auto left = std::ranges::find_if(bench.events, isOfA);
        const auto came = std::find_if(std::next(left), bench.events.end(), isOfA);
        QCOMPARE(left->kind, EventKind::Dequeued);
        QCOMPARE(came->kind, EventKind::Queued);
        QVERIFY(left->certainty == Certainty::Inferred && came->certainty == Certainty::Inferred);
    }

    /// Who stood in the queue and listened to nothing did not wait: its event is all that a recording has of it.
    void tellsOfWhoLeftTheQueueThatItWasAGhost()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        const OwnerId third{ A.client, "99" };
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } }, { third, bench.now().wall + seconds{ 300 } } };
        bench.changed("order");
        for (int sample = 0; sample < 2; ++sample) {
            bench.pass(seconds{ 5 });
            input::SubscribersCounted counted;
            for (const std::string &channel : bench.counted)
                counted.channels.emplace_back(channel, channel.find(B.client) == std::string::npos ? 1 : 0);
            bench.tell(counted);
        }
        QVERIFY(bench.shown("order")->waiters[0].subscribed == false);
        QVERIFY(bench.shown("order")->waiters[1].subscribed == true);
        bench.events.clear();
        lock.waiters.clear();
        bench.changed(key_layout::fairQueue("order"));
        QCOMPARE(bench.events.size(), std::size_t{ 2 });
        QVERIFY(bench.events[0].owner == B);
        QVERIFY(wasGhost(bench.events[0]));
        QVERIFY(!wasGhost(bench.events[1]));
    }

    /// When its client went is not known; that it was there when the waiters were counted last is.
    void remembersWhenAGhostWasSeenToListenLast()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        const OwnerId never{ A.client, "99" };
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } }, { never, bench.now().wall + seconds{ 300 } } };
        bench.changed("order");
        const auto count = [&](std::int64_t ofB) {
            bench.pass(seconds{ 5 });
            input::SubscribersCounted counted;
            for (const std::string &channel : bench.counted)
                counted.channels.emplace_back(channel, channel.find(B.client) == std::string::npos ? 0 : ofB);
            bench.tell(counted);
        };
        const auto waiter = [&](std::size_t place) { return bench.shown("order")->waiters[place]; };
        count(1);
        count(1);
        QVERIFY(listens(waiter(0)) && !waiter(0).listenedLast);
        const MonoTime last = bench.countedAt;
        count(0);
        QVERIFY(listens(waiter(0))); // once is not enough
        count(0);
        QVERIFY(isGhost(waiter(0)) && isGhost(waiter(1)));
        QVERIFY(waiter(0).listenedLast == last);
        QVERIFY(!waiter(1).listenedLast);
        count(0);
        lock.waiters.push_back({ A, bench.now().wall + seconds{ 400 } });
        bench.changed(key_layout::fairQueue("order"));
        QVERIFY(waiter(0).listenedLast == last);
        count(1);
        QVERIFY(listens(waiter(0)) && !waiter(0).listenedLast);
    }

    void countedListenersAreNoChange()
    {
        EngineBench bench;
        bench.up();
        auto &lock = bench.server["ghosts"];
        lock.name = "ghosts";
        lock.kind = Kind::Fair;
        const WallTime deadline = bench.now().wall + seconds{ 300 };
        lock.waiters = { { B, deadline } };
        lock.keys = { key_layout::fairQueue("ghosts") };
        bench.changed(key_layout::fairQueue("ghosts"));
        bench.pass(seconds{ 10 });
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("ghosts"));
        const MonoTime found = bench.shown("ghosts")->readAtMono;
        bench.pass(seconds{ 5 });
        input::SubscribersCounted counted;
        for (const std::string &channel : bench.counted)
            counted.channels.emplace_back(channel, 1);
        bench.tell(counted);
        QVERIFY(bench.shown("ghosts")->waiters[0].subscribed == true);
        bench.pass(seconds{ 5 });
        lock.waiters[0].deadline = deadline + Millis{ 2 }; // our clock moved
        bench.changed(key_layout::fairQueue("ghosts"));
        bench.pass(seconds{ 10 });
        QCOMPARE(bench.shown("ghosts")->readAtMono, found);
        lock.waiters.push_back({ A, deadline + seconds{ 5 } });
        bench.changed(key_layout::fairQueue("ghosts"));
        bench.pass(seconds{ 10 });
        QVERIFY(bench.shown("ghosts")->readAtMono > found);
    }

    /// Whoever waited may wait still, and does not know yet that its place is gone.
    void doesNotSayForSureThatAWaiterLeftAServerThatLostItsData()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        lock.waiters = { { B, bench.now().wall - seconds{ 1 } } };
        bench.changed("order");
        bench.events.clear();
        bench.server.clear();
        bench.tell(input::EverythingChanged{});
        bench.answer();
        bench.pass(Millis{ 60 });
        const auto left = std::ranges::find(bench.events, B, [](const Event &event) { return event.owner; });
        QVERIFY(left != bench.events.end());
        QCOMPARE(left->kind, EventKind::Dequeued);
        QCOMPARE(left->certainty, Certainty::Inferred);
    }

    /// What led to it comes first, though both are seen by one look.
    void tellsWhoLeftBeforeWhoGotTheLockForIt()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } }, { C, bench.now().wall + seconds{ 305 } } };
        bench.changed("order");
        bench.pass(seconds{ 1 });
        lock.holders.clear();
        lock.ttl.reset();
        bench.changed("order");
        bench.pass(seconds{ 1 });
        bench.events.clear();
        lock.holders.push_back({});
        lock.holders[0].owner = C;
        lock.holders[0].count = 1;
        lock.ttl = seconds{ 30 };
        lock.waiters = { { A, bench.now().wall + seconds{ 300 } } };
        bench.changed("order");
        QCOMPARE(bench.takeEvents(),
            (Happened{ { EventKind::Dequeued, Seen }, { EventKind::Acquired, Seen }, { EventKind::Queued, Seen } }));
        QCOMPARE(bench.shown("order")->lastChange.kind, EventKind::Queued);
    }

    void tellsOfAWaiterThatCameDuringAGap()
    {
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        bench.changed("order");
        bench.down();
        lock.waiters = { { B, bench.now().wall + seconds{ 300 } } };
        bench.events.clear();
        bench.up();
        QCOMPARE(bench.takeEvents(), (Happened{ { EventKind::Gap, Seen }, { EventKind::Queued, Inferred } }));
    }

    void knowsSinceWhenSomebodyWaitsOverAGapByItsTimeOut_data()
    {
        QTest::addColumn<int>("clockSet"); // ours, in milliseconds
        QTest::addColumn<int>("later");
        QTest::addColumn<bool>("isSame");
        QTest::newRow("the same") << 0 << 0 << true;
        QTest::newRow("our clock was set") << 60'000 << 0 << true;
        QTest::newRow("another") << 0 << 1 << false;
    }
    void knowsSinceWhenSomebodyWaitsOverAGapByItsTimeOut()
    {
        QFETCH(int, clockSet);
        QFETCH(int, later);
        QFETCH(bool, isSame);
        EngineBench bench;
        bench.up();
        auto &lock = takeFair(bench);
        bench.changed("order");
        const WallTime deadline = bench.now().wall + seconds{ 300 };
        lock.waiters = { { B, deadline, deadline.time_since_epoch() } };
        bench.changed("order");
        bench.pass(Millis{ 100 });
        const Since since = bench.shown("order")->waiters.at(0).since;
        QVERIFY(since.exact);
        bench.pass(seconds{ 5 });
        bench.down();
        bench.passSilently(seconds{ 5 });
        *lock.waiters.front().deadline += Millis{ clockSet + later };
        *lock.waiters.front().score += Millis{ later };
        const Since again{ bench.mono, false };
        bench.events.clear();
        bench.up();
        QCOMPARE(bench.shown("order")->waiters.at(0).since, isSame ? since : again);
        const Happened moved{ { EventKind::Gap, Seen }, { EventKind::Dequeued, Inferred },
            { EventKind::Queued, Inferred } };
        QCOMPARE(bench.takeEvents(), isSame ? Happened(moved.begin(), moved.begin() + 1) : moved);
    }
};

QTEST_APPLESS_MAIN(QueueEvents)
#include "tst_queue_events.moc"
