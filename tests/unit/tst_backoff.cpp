// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/base/backoff.h"

#include <QTest>
#include <vector>

using namespace lockcore;
using namespace std::chrono_literals;

class BackoffTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void waitsTwiceAsLongEachTimeUpToTheLimit()
    {
        constexpr Backoff backoff{ 100ms, 1'000ms };
        std::vector<Millis> pauses;
        for (int i = 0; i < 6; ++i)
            pauses.push_back(backoff.pause(i));
        QCOMPARE(pauses, (std::vector<Millis>{ 100ms, 200ms, 400ms, 800ms, 1'000ms, 1'000ms }));
        QCOMPARE(backoff.pause(1'000'000), 1'000ms);
    }

    void leavesAsMuchToChanceAsIsSaid()
    {
        constexpr Backoff half{ 100ms, 1'000ms };
        QCOMPARE(half.pause(0, 1), 50ms);
        QCOMPARE(half.pause(2, 0.5), 300ms);
        constexpr Backoff all{ 100ms, 1'000ms, 1 };
        QCOMPARE(all.pause(2, 1), 0ms);
        QCOMPARE(all.pause(2, 0.25), 300ms);
        constexpr Backoff nothing{ 100ms, 1'000ms, 0 };
        QCOMPARE(nothing.pause(2, 1), 400ms);
    }

    void neverWaitsLongerThanTheLimit()
    {
        QCOMPARE((Backoff{ 500ms, 100ms }.pause(0)), 100ms);
        QCOMPARE((Backoff{ 100ms, 100ms }.pause(5)), 100ms);
        QCOMPARE(Backoff{}.pause(5), 0ms);
    }
};

QTEST_GUILESS_MAIN(BackoffTest)
#include "tst_backoff.moc"
