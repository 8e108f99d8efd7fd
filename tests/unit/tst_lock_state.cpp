// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/key_layout.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

using Keys = std::vector<std::string>;
using Corners = std::vector<TtlCorner>;

constexpr MonoTime Begin{ Millis(1'000) };

LockState named(const LockName &name)
{
    LockState lock;
    lock.name = name;
    return lock;
}

LockState held(Millis left)
{
    LockState lock = named("a");
    lock.holders.push_back({});
    lock.holders.front().since = { Begin, true };
    lock.expiresAt = Begin + left;
    return lock;
}

} // namespace

/// What follows from the rest is not stored, and is told all the same.
class TestLockState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Whoever tries next drops the first in the queue whose time-outs are over, one after the other, and stops at one
    /// whose time-out is not.
    void isKeptByTheLastOfTheGhostsAtTheHeadOfItsQueue()
    {
        const WallTime now{ Millis(1'000'000) };
        const auto waiter = [now](std::optional<int> seconds, std::optional<bool> subscribed) {
            Waiter made;
            if (seconds)
                made.deadline = now + std::chrono::seconds(*seconds);
            made.subscribed = subscribed;
            return made;
        };
        const auto rowOf = [](std::vector<Waiter> waiters) {
            LockState lock = named("a");
            lock.waiters = std::move(waiters);
            return ghostsAtHead(lock);
        };
        const auto at = [now](int seconds) { return std::optional(now + std::chrono::seconds(seconds)); };
        QCOMPARE(rowOf({}), IdleRow());
        QCOMPARE(rowOf({ waiter(10, true), waiter(20, false) }), IdleRow()); // the first may take it
        QCOMPARE(rowOf({ waiter(10, std::nullopt), waiter(20, false) }), IdleRow()); // not asked yet
        QCOMPARE(rowOf({ waiter(10, false), waiter(20, true) }), (IdleRow{ 1, at(10) }));
        QCOMPARE(rowOf({ waiter(10, false), waiter(20, false) }), (IdleRow{ 2, at(20) }));
        QCOMPARE(rowOf({ waiter(10, false), waiter(20, true), waiter(30, false) }), (IdleRow{ 1, at(10) }));
        QCOMPARE(rowOf({ waiter(-5, false), waiter(20, false) }), (IdleRow{ 2, at(20) })); // one is overdue
        QCOMPARE(rowOf({ waiter(-5, false), waiter(-1, false) }), (IdleRow{ 2, at(-1) }));
        // Dropped only at the head: whose turn is over earlier stands there until the one before it goes.
        QCOMPARE(rowOf({ waiter(20, false), waiter(10, false) }), (IdleRow{ 2, at(20) }));
        QCOMPARE(rowOf({ waiter(10, false), waiter({}, false), waiter(5, true) }), (IdleRow{ 2, std::nullopt }));
        LockState whole = named("a");
        whole.waiters.assign(MaxWaiters, waiter(10, false));
        QVERIFY(ghostsAtHead(whole).mayBeMore); // no more are read
        whole.waiters.back().subscribed = true;
        QVERIFY(!ghostsAtHead(whole).mayBeMore);
    }

    /// Of a lock that several servers have one that is seen is enough.
    void isSeenUntilAllItsServersAreLost()
    {
        const auto on = [](const std::string &node) {
            LockState lock = named("a");
            lock.node = node;
            return lock;
        };
        Snapshot snapshot;
        for (const auto *node : { "one", "two", "three" })
            snapshot.nodes.emplace_back().node = node;
        snapshot.nodes[0].status.staleSince = Begin + Millis(1'000);
        snapshot.nodes[1].status.staleSince = Begin + Millis(2'000);
        const MonoTime now = Begin + Millis(5'000);
        QCOMPARE(seenUntil(snapshot, on("one"), now), Begin + Millis(1'000));
        QCOMPARE(seenUntil(snapshot, on("three"), now), now);
        LockState changed = on("one"); // after the last sign of life, or where another lock cannot be read
        changed.readAtMono = Begin + Millis(1'500);
        QCOMPARE(seenUntil(snapshot, changed, now), Begin + Millis(1'500));
        LockState several = named("a");
        for (const auto *node : { "one", "two", "three" })
            several.members.push_back(std::make_shared<const LockState>(on(node)));
        snapshot.status.staleSince = Begin + Millis(1'000); // of all together
        QCOMPARE(seenUntil(snapshot, several, now), now);
        QVERIFY(!staleSince(snapshot, several));
        several.members.pop_back();
        QCOMPARE(seenUntil(snapshot, several, now), Begin + Millis(2'000));
        QCOMPARE(staleSince(snapshot, several), std::optional(Begin + Millis(2'000)));
    }

    void tellsTheMainKeyFirst()
    {
        LockState lock = named("a");
        QVERIFY(!hasKeys(lock) && keysOf(lock).empty());
        lock.hasMainKey = true;
        QVERIFY(hasKeys(lock));
        QCOMPARE(keysOf(lock), Keys{ "a" });
        lock.otherKeys = { key_layout::fairQueue("a") };
        QCOMPARE(keysOf(lock), (Keys{ "a", key_layout::fairQueue("a") }));
        lock.hasMainKey = false;
        QVERIFY(hasKeys(lock));
        QCOMPARE(keysOf(lock), Keys{ key_layout::fairQueue("a") });
    }

    void knowsAQueueThatWasNotRead()
    {
        LockState lock = named("a");
        lock.otherKeys = { key_layout::fairQueue("b") };
        QVERIFY(!hasUnreadQueue(lock));
        QCOMPARE(queueElsewhere(lock), std::optional<LockName>("b"));
        lock.otherKeys = { key_layout::fairQueue("a"), key_layout::fairTimeouts("a") };
        QVERIFY(hasUnreadQueue(lock));
        QVERIFY(!queueElsewhere(lock));
        lock.waiters.emplace_back();
        QVERIFY(!hasUnreadQueue(lock));
    }

    void tellsTheBeginningOfAHoldUntilMoreWasSeen()
    {
        const TtlCorner begin{ Begin, Millis(0), Millis(30'000), false };
        const TtlCorner renewal{ Begin + Millis(10'000), Millis(20'000), Millis(30'000), true };
        LockState lock = held(Millis(30'000));
        QCOMPARE(ttlHistoryOf(lock), Corners{ begin });
        lock.ttlHistory = { begin, renewal };
        QCOMPARE(ttlHistoryOf(lock), (Corners{ begin, renewal }));
        lock.ttlHistory.clear();
        lock.expiresAt.reset();
        QVERIFY(ttlHistoryOf(lock).empty());
        QVERIFY(ttlHistoryOf(named("a")).empty());
    }
};

QTEST_APPLESS_MAIN(TestLockState)
#include "tst_lock_state.moc"
