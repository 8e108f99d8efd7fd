// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/snapshot.h"
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
        QCOMPARE(seenUntil(snapshot, several, now), now);
        several.members.pop_back();
        QCOMPARE(seenUntil(snapshot, several, now), Begin + Millis(2'000));
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
