// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/key_layout.h"

#include <QTest>

using namespace lockcore;

namespace {

using Keys = std::vector<std::string>;
using Corners = std::vector<TtlCorner>;

constexpr MonoTime Begin{ Millis(1'000) };

// There are a hundred thousand and more.
static_assert(sizeof(void *) != 8 || sizeof(LockState) <= 184);

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
    void tellsTheKeysThatWereRead()
    {
        for (const std::string name : { "a", "{a}:b" }) {
            const std::string queue = key_layout::fairQueue(name);
            const std::string timeouts = key_layout::fairTimeouts(name);
            const std::string token = key_layout::token(name);
            for (const Keys &keys :
                { Keys{}, Keys{ name }, Keys{ queue }, Keys{ name, queue, timeouts }, Keys{ queue, timeouts, token },
                    Keys{ name, token }, Keys{ name, key_layout::permitDeadlines(name) }, Keys{ name, "other" },
                    Keys{ "other", name }, Keys{ timeouts, queue }, Keys{ name, name } }) {
                LockState lock = named(name);
                setKeys(lock, keys);
                QCOMPARE(keysOf(lock), keys);
                QCOMPARE(hasKeys(lock), !keys.empty());
            }
        }
    }

    void storesNoUsualKeys()
    {
        LockState lock = named("a");
        setKeys(lock, { "a", key_layout::fairQueue("a"), key_layout::fairTimeouts("a") });
        QVERIFY(lock.rare->otherKeys.empty());
        setKeys(lock, { "a", key_layout::fairQueue("b") });
        QCOMPARE(lock.rare->otherKeys.list(), Keys{ key_layout::fairQueue("b") });
    }

    void tellsTheTimeoutsOfReaders()
    {
        const OwnerId anna{ "b", "7" };
        const OwnerId ben{ "a", "123456789" };
        LockState lock = named("a");
        for (const auto &[owner, count] : { std::pair(anna, 2), std::pair(ben, 1) })
            lock.holders.push_back({ owner, count, {}, {}, HoldMode::Read });
        const std::string first = key_layout::readTimeout("a", ben, 1);
        const Keys all{ "a", first, key_layout::readTimeout("a", anna, 1), key_layout::readTimeout("a", anna, 2) };
        setKeys(lock, all);
        QCOMPARE(keysOf(lock), all);
        QVERIFY(lock.rare->otherKeys.empty());
        for (const Keys &keys : { Keys{ "a" }, Keys{ "a", first }, Keys{ "a", first, first, first } }) {
            setKeys(lock, keys); // not all are there
            QCOMPARE(keysOf(lock), keys);
        }
        lock.holders.front().mode = HoldMode::Write;
        setKeys(lock, all);
        QCOMPARE(keysOf(lock), all);
        lock.holders.front().mode = HoldMode::Read;
        lock.holders.front().count = std::numeric_limits<std::int64_t>::max();
        setKeys(lock, { "a", first });
        QCOMPARE(keysOf(lock), (Keys{ "a", first }));
    }

    void tellsWhatElseItMayBe()
    {
        using enum Kind;
        for (const std::vector<Kind> &kinds : { std::vector<Kind>{}, { Reentrant }, { Semaphore, CountDownLatch } }) {
            LockState lock = named("a");
            setAlsoPossible(lock, { Fair });
            setAlsoPossible(lock, kinds);
            QCOMPARE(alsoPossible(lock), kinds);
        }
    }

    void tellsTheCornersThatWereSeen()
    {
        const TtlCorner begin{ Begin, Millis(0), Millis(30'000), false };
        const TtlCorner renewal{ Begin + Millis(10'000), Millis(20'000), Millis(30'000), true };
        for (const Corners &corners : { Corners{}, Corners{ begin }, Corners{ begin, renewal }, Corners{ renewal } }) {
            for (LockState lock : { named("a"), held(Millis(30'000)), held(Millis(29'999)) }) {
                setTtlHistory(lock, corners);
                QCOMPARE(ttlHistoryOf(lock), corners);
            }
        }
    }

    void storesNoBeginningOfAHold()
    {
        LockState lock = held(Millis(30'000));
        setTtlHistory(lock, { { Begin, Millis(0), Millis(30'000), false } });
        QVERIFY(!lock.ttlHistory);
        lock.expiresAt.reset();
        QVERIFY(ttlHistoryOf(lock).empty());
    }
};

QTEST_APPLESS_MAIN(TestLockState)
#include "tst_lock_state.moc"
