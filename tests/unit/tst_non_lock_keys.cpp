// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/non_lock_keys.h"

#include <QTest>
#include <set>

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

constexpr int Flood = 20'000; // different keys, written in one moment
constexpr std::size_t MostAtOnce = 500;

LockName nonLockKey(int number) { return "session:" + std::to_string(number); }

} // namespace

class TestNonLockKeys : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void givesOutNoMoreThanMayBeRead()
    {
        NonLockKeys keys;
        MonoTime now{ Millis{ 1'000 } };
        std::set<LockName> read;
        for (int i = 0; i < Flood; ++i) {
            if (keys.mayRead(nonLockKey(i), now))
                read.insert(nonLockKey(i));
        }
        QCOMPARE(read.size(), MostAtOnce);
        int times = 0;
        while (const auto next = keys.next()) {
            QVERIFY2(*next > now, "what may not be read yet is not due");
            now = *next;
            const auto due = keys.takeDue(now);
            QVERIFY(due.size() <= MostAtOnce);
            read.insert(due.begin(), due.end());
            ++times;
        }
        QCOMPARE(read.size(), std::size_t{ Flood });
        QCOMPARE(times, Flood / static_cast<int>(MostAtOnce) - 1);
    }

    void letsNobodyPassWhoCameLater()
    {
        NonLockKeys keys;
        MonoTime now{ Millis{ 1'000 } };
        for (std::size_t i = 0; i <= MostAtOnce; ++i)
            keys.mayRead(nonLockKey(static_cast<int>(i)), now);
        now += Millis{ 100 };
        QVERIFY(!keys.mayRead("late", now));
        const auto due = keys.takeDue(now);
        QVERIFY((due == std::vector<LockName>{ nonLockKey(500), "late" }));
    }

    void leavesInPeaceWhatWasNoLock()
    {
        NonLockKeys keys;
        const MonoTime now{ Millis{ 1'000 } };
        QVERIFY(keys.mayRead("often", now));
        keys.foundNoLock("often", now);
        QVERIFY(!keys.mayRead("often", now + Millis{ 100 }));
        QVERIFY(!keys.mayRead("often", now + Millis{ 200 }));
        QVERIFY(keys.takeDue(now + Millis{ 200 }).empty());
        QCOMPARE(keys.takeDue(now + Millis{ 250 }).size(), std::size_t{ 1 });
        QVERIFY(!keys.next());
    }
};

QTEST_GUILESS_MAIN(TestNonLockKeys)
#include "tst_non_lock_keys.moc"
