// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/client/timer_wheel.h"

#include <QRandomGenerator>
#include <QTest>
#include <algorithm>
#include <map>

using namespace lockcore;
using namespace std::chrono_literals;
using Names = std::vector<std::uint64_t>;

namespace {

const MonoTime T0{ 1'000s };

Names sorted(Names names)
{
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

class TimerWheelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatIsDueNeverEarly()
    {
        TimerWheel wheel(100ms);
        wheel.arm(T0 + 250ms, 1);
        wheel.arm(T0 + 300ms, 2);
        QCOMPARE(wheel.advance(T0 + 249ms), Names{});
        QCOMPARE(wheel.advance(T0 + 299ms), Names{}); // its tick is not over
        QCOMPARE(sorted(wheel.advance(T0 + 300ms)), (Names{ 1, 2 }));
        QCOMPARE(wheel.size(), std::size_t(0));
    }

    void takesWhatIsDueShortlyAfter()
    {
        TimerWheel wheel(100ms);
        wheel.arm(T0 + 300ms, 1);
        wheel.arm(T0 + 800ms, 2);
        wheel.arm(T0 + 1'400ms, 3);
        QCOMPARE(sorted(wheel.advance(T0 + 300ms, 1s)), (Names{ 1, 2 }));
        QCOMPARE(wheel.advance(T0 + 1'300ms), Names{});
        QCOMPARE(wheel.advance(T0 + 1'400ms), Names{ 3 });
    }

    void keepsWhatIsRoundsAway()
    {
        TimerWheel wheel(10ms, 8);
        wheel.arm(T0 + 10ms + 80ms * 3, 1);
        for (Millis passed = 0ms; passed < 250ms; passed += 10ms)
            QCOMPARE(wheel.advance(T0 + passed), Names{});
        QCOMPARE(wheel.advance(T0 + 250ms), Names{ 1 });
    }

    void findsAllAfterALongPause()
    {
        TimerWheel wheel(10ms, 8);
        wheel.advance(T0);
        for (std::uint64_t i = 0; i < 100; ++i)
            wheel.arm(T0 + 7ms * i, i);
        QCOMPARE(wheel.advance(T0 + 1h).size(), std::size_t(100));
    }

    void behavesLikeASortedList()
    {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        TimerWheel wheel(5ms, 32);
        std::map<std::uint64_t, std::pair<MonoTime, TimerWheel::Timer>> naive; // times on whole ticks
        MonoTime now = T0;
        wheel.advance(now); // until then it does not know the time
        std::uint64_t last = 0;
        for (int step = 0; step < 200'000; ++step) {
            const int choice = random.bounded(10);
            if (choice < 5) {
                const MonoTime at = now + 5ms * random.bounded(-3, 100);
                ++last;
                naive[last] = { at, wheel.arm(at, last) };
            } else if (choice < 8 && !naive.empty()) {
                const auto victim = naive.lower_bound(random.bounded(quint32(last)) + 1);
                if (victim != naive.end()) {
                    wheel.disarm(victim->second.second);
                    naive.erase(victim);
                }
            } else {
                now += 5ms * random.bounded(1, 50);
                const Millis ahead = 5ms * random.bounded(0, 4);
                Names expected;
                std::erase_if(naive, [&](const auto &timer) {
                    const bool isDue = timer.second.first <= now + ahead;
                    if (isDue)
                        expected.push_back(timer.first);
                    return isDue;
                });
                QCOMPARE(sorted(wheel.advance(now, ahead)), expected);
            }
            QCOMPARE(wheel.size(), naive.size());
            if (step % 64 == 0 && !naive.empty()) {
                const auto first = std::min_element(naive.begin(), naive.end(),
                    [](const auto &a, const auto &b) { return a.second.first < b.second.first; });
                QVERIFY(wheel.next() <= std::max(first->second.first, now + 5ms));
                QVERIFY(wheel.next() > now);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TimerWheelTest)
#include "tst_timer_wheel.moc"
