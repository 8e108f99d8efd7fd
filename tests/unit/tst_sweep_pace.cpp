// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/sweep_pace.h"

#include <QTest>

using namespace lockcore;
using namespace std::chrono_literals;

namespace {

constexpr auto AllTheTime = 1s; // we had nothing else to do

int keysAfter(SweepPace pace, int pages, SweepPace::Duration eachTakes, SweepPace::Duration waited = AllTheTime)
{
    for (int i = 0; i < pages; ++i)
        pace.pageTook(eachTakes, waited);
    return pace.keys();
}

} // namespace

class TestSweepPace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesMoreKeysOfAQuickServer() { QCOMPARE(keysAfter(SweepPace(1'000), 20, 300us), 1'000); }
    void takesFewerKeysOfASlowOne() { QCOMPARE(keysAfter(SweepPace(1'000), 20, 5ms), 50); }
    void takesNoMoreThanIsAllowed()
    {
        QCOMPARE(keysAfter(SweepPace(120), 0, 0us), 120);
        QCOMPARE(keysAfter(SweepPace(120), 20, 300us), 120);
        QCOMPARE(keysAfter(SweepPace(20), 20, 5ms), 20);
    }
    void settlesAtAMillisecond()
    {
        SweepPace pace(1'000);
        for (int i = 0; i < 50; ++i)
            pace.pageTook(pace.keys() * 4us, AllTheTime);
        QVERIFY(pace.keys() > 150 && pace.keys() < 350);
    }
    void doesNotBlameTheServerForALongWay()
    {
        SweepPace pace(1'000);
        pace.wayTook(20ms);
        QCOMPARE(keysAfter(pace, 20, 20'300us), 1'000);
    }
    void doesNotBlameTheServerForOurOwnDelay()
    {
        QCOMPARE(keysAfter(SweepPace(1'000), 20, 5ms, 10us), SweepPace(1'000).keys());
    }

    void tellsHowFarASweepIs()
    {
        SweepProgress progress;
        SweepPage page{ .nextCursor = "17", .keysSeen = 1'000 };
        progress.passed("0", 250, page);
        QCOMPARE(page.progress, 0.25);
        page.keysSeen = 0;
        progress.passed("17", 250, page);
        QCOMPARE(page.progress, 0.5);
        for (int i = 0; i < 5; ++i)
            progress.passed("17", 250, page);
        QVERIFY(page.progress > 0.9 && page.progress < 1); // more buckets than keys
        page.nextCursor = "0";
        progress.passed("17", 250, page);
        QCOMPARE(page.progress, 1.0);
        page = { .nextCursor = "17", .keysSeen = 1'000 };
        progress.passed("0", 250, page);
        QCOMPARE(page.progress, 0.25);
    }
};

QTEST_GUILESS_MAIN(TestSweepPace)
#include "tst_sweep_pace.moc"
