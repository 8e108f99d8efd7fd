// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/deadline_timer.h"

#include "lockcore/transport/clock.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <map>

using namespace lockcore::transport;
using namespace lockcore;
using namespace lockcore::client;
using namespace std::chrono_literals;
using Ids = std::vector<std::uint64_t>;

namespace {

/// Nobody waits so long here: what is due then is only taken out.
MonoTime inTheFuture(Millis more) { return monoNow() + 1h + more; }

} // namespace

class DeadlineTimerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void firesInTheOrderOfTimeAndNeverEarly()
    {
        const MonoTime start = monoNow();
        Ids fired;
        bool isEarly = false;
        DeadlineTimer deadlines([&](std::uint64_t id) {
            isEarly = isEarly || monoNow() < start + 10ms * id;
            fired.push_back(id);
        });
        for (const std::uint64_t id : { 3, 1, 4, 2 })
            deadlines.arm(id, start + 10ms * id);
        QTRY_COMPARE(fired, (Ids{ 1, 2, 3, 4 }));
        QVERIFY(!isEarly);
        QVERIFY(deadlines.take(MonoTime::max()).empty());
    }

    void firesWhatIsOverAlready()
    {
        Ids fired;
        DeadlineTimer deadlines([&](std::uint64_t id) { fired.push_back(id); });
        deadlines.arm(1, monoNow() - 1h);
        QVERIFY(fired.empty()); // not from inside the call
        QTRY_COMPARE(fired, Ids{ 1 });
    }

    void firesTheEarlierOneThatCameLater()
    {
        Ids fired;
        DeadlineTimer deadlines([&](std::uint64_t id) { fired.push_back(id); });
        deadlines.arm(1, inTheFuture(0ms));
        deadlines.arm(2, monoNow() + 5ms);
        QTRY_COMPARE(fired, Ids{ 2 });
    }

    void letsAHandlerChangeTheOthers()
    {
        const MonoTime start = monoNow();
        Ids fired;
        DeadlineTimer *known = nullptr;
        DeadlineTimer deadlines([&](std::uint64_t id) {
            fired.push_back(id);
            if (id != 1)
                return;
            known->disarm(2); // due in the same moment
            known->arm(4, start + 5ms);
        });
        known = &deadlines;
        deadlines.arm(1, start);
        deadlines.arm(2, start);
        deadlines.arm(3, start + 10ms);
        QTRY_COMPARE(fired, (Ids{ 1, 4, 3 }));
    }

    void isQuietOncePausedUntilTheNextIsArmed()
    {
        Ids fired;
        DeadlineTimer deadlines([&](std::uint64_t id) { fired.push_back(id); });
        deadlines.arm(1, monoNow());
        deadlines.pause();
        QCoreApplication::processEvents();
        QVERIFY(fired.empty());
        deadlines.arm(2, inTheFuture(0ms));
        QTRY_COMPARE(fired, Ids{ 1 });
    }

    void takesWhatIsDueShortlyAfter()
    {
        DeadlineTimer deadlines([](std::uint64_t) {});
        const MonoTime first = inTheFuture(0ms);
        deadlines.arm(1, first + 1'400ms);
        deadlines.arm(2, first + 500ms);
        deadlines.arm(3, first);
        QCOMPARE(deadlines.take(first - 1ms), Ids{});
        QCOMPARE(deadlines.take(first + 1s), (Ids{ 3, 2 }));
        QCOMPARE(deadlines.take(first + 1'300ms), Ids{});
        deadlines.clear();
        QCOMPARE(deadlines.take(first + 2s), Ids{});
    }

    void behavesLikeASortedList()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        DeadlineTimer deadlines([](std::uint64_t) {});
        std::map<std::uint64_t, MonoTime> naive;
        MonoTime now = inTheFuture(0ms);
        for (int step = 0; step < 200'000; ++step) {
            const int choice = random.bounded(10);
            const std::uint64_t id = random.bounded(2'000);
            if (choice < 5) {
                const MonoTime at = now + 1ms * random.bounded(1, 500);
                naive[id] = at;
                deadlines.arm(id, at);
            } else if (choice < 8) {
                naive.erase(id);
                deadlines.disarm(id);
            } else {
                now += 1ms * random.bounded(1, 50);
                Ids taken = deadlines.take(now);
                for (std::size_t i = 1; i < taken.size(); ++i)
                    QVERIFY(naive.at(taken[i - 1]) <= naive.at(taken[i]));
                std::sort(taken.begin(), taken.end());
                Ids expected;
                std::erase_if(naive, [&](const auto &deadline) {
                    const bool isDue = deadline.second <= now;
                    if (isDue)
                        expected.push_back(deadline.first);
                    return isDue;
                });
                QCOMPARE(taken, expected);
            }
        }
        QCOMPARE(deadlines.take(MonoTime::max()).size(), naive.size());
    }

    void isNotSlowWithMany()
    {
        DeadlineTimer deadlines([](std::uint64_t) {});
        QBENCHMARK_ONCE
        {
            for (std::uint64_t id = 0; id < 100'000; ++id)
                deadlines.arm(id, inTheFuture(1ms * (id * 7'919 % 100'000)));
            for (std::uint64_t id = 0; id < 100'000; ++id)
                deadlines.arm(id, inTheFuture(1ms * (id * 104'729 % 100'000)));
        }
        QCOMPARE(deadlines.take(MonoTime::max()).size(), std::size_t(100'000));
    }
};

QTEST_GUILESS_MAIN(DeadlineTimerTest)
#include "tst_deadline_timer.moc"
