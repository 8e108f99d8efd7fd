// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/strangers.h"

#include <QTest>
#include <set>

using namespace lockcore;

namespace {

constexpr int Flood = 20'000; // different keys, written in one moment
constexpr std::size_t MostAtOnce = 500;

LockName stranger(int number) { return "session:" + std::to_string(number); }

} // namespace

class TestStrangers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void givesOutNoMoreThanMayBeRead()
    {
        Strangers strangers;
        MonoTime now{ Millis{ 1'000 } };
        std::set<LockName> read;
        for (int i = 0; i < Flood; ++i) {
            if (strangers.mayRead(stranger(i), now))
                read.insert(stranger(i));
        }
        QCOMPARE(read.size(), MostAtOnce);
        int times = 0;
        while (const auto next = strangers.next()) {
            QVERIFY2(*next > now, "what may not be read yet is not due");
            now = *next;
            const auto due = strangers.takeDue(now);
            QVERIFY(due.size() <= MostAtOnce);
            read.insert(due.begin(), due.end());
            ++times;
        }
        QCOMPARE(read.size(), std::size_t{ Flood });
        QCOMPARE(times, Flood / static_cast<int>(MostAtOnce) - 1);
    }

    void letsNobodyPassWhoCameLater()
    {
        Strangers strangers;
        MonoTime now{ Millis{ 1'000 } };
        for (std::size_t i = 0; i <= MostAtOnce; ++i)
            strangers.mayRead(stranger(static_cast<int>(i)), now);
        now += Millis{ 100 };
        QVERIFY(!strangers.mayRead("late", now));
        const auto due = strangers.takeDue(now);
        QVERIFY((due == std::vector<LockName>{ stranger(500), "late" }));
    }

    void leavesInPeaceWhatWasNoLock()
    {
        Strangers strangers;
        const MonoTime now{ Millis{ 1'000 } };
        QVERIFY(strangers.mayRead("often", now));
        strangers.foundNoLock("often", now);
        QVERIFY(!strangers.mayRead("often", now + Millis{ 100 }));
        QVERIFY(!strangers.mayRead("often", now + Millis{ 200 }));
        QVERIFY(strangers.takeDue(now + Millis{ 200 }).empty());
        QCOMPARE(strangers.takeDue(now + Millis{ 250 }).size(), std::size_t{ 1 });
        QVERIFY(!strangers.next());
    }
};

QTEST_GUILESS_MAIN(TestStrangers)
#include "tst_strangers.moc"
