// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/contention_course.h"
#include "ui/lab/contention_figures.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace lockui::lab;
using namespace std::chrono_literals;
using lockcore::MonoTime;
using lockcore::synchronizers::HoldMode;
using lockcore::synchronizers::Kind;

namespace {

constexpr MonoTime Start{ 1'000s };

RandomNumber numbers(std::vector<double> given)
{
    return [given = std::move(given), next = std::size_t{ 0 }]() mutable { return given.at(next++); };
}

bool isNear(double value, double expected) { return std::abs(value - expected) < 1e-9; }

} // namespace

class TestContentionFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void jainsIndexTellsHowEvenSharesAre()
    {
        QVERIFY(!jainIndex({}));
        QVERIFY(!jainIndex({ 0, 0 }));
        QVERIFY(isNear(*jainIndex({ 5 }), 1));
        QVERIFY(isNear(*jainIndex({ 3, 3, 3, 3 }), 1));
        QVERIFY(isNear(*jainIndex({ 7, 0, 0, 0 }), 0.25));
        QVERIFY(isNear(*jainIndex({ 1, 2, 3 }), 36.0 / (3 * 14)));
    }

    void aQuantileIsOneOfTheValues()
    {
        QVERIFY(!quantile({}, 0.5));
        QCOMPARE(quantile({ 7us }, 0.99), std::optional(7us));
        QCOMPARE(quantile({ 4us, 1us, 3us, 2us }, 0.5), std::optional(2us));
        std::vector<Micros> hundred;
        for (int i = 100; i > 0; --i)
            hundred.emplace_back(i);
        QCOMPARE(quantile(hundred, 0.5), std::optional(50us));
        QCOMPARE(quantile(hundred, 0.99), std::optional(99us));
    }

    void drawsTimesAroundTheirMean_data()
    {
        QTest::addColumn<int>("spread");
        QTest::addColumn<double>("deviation"); // for a mean of 1
        QTest::newRow("fixed") << int(Spread::Fixed) << 0.0;
        QTest::newRow("uniform") << int(Spread::Uniform) << 1 / std::sqrt(3.0);
        QTest::newRow("exponential") << int(Spread::Exponential) << 1.0;
    }
    void drawsTimesAroundTheirMean()
    {
        QFETCH(const int, spread);
        QFETCH(const double, deviation);
        constexpr int Draws = 100'000;
        std::mt19937 random(7);
        std::uniform_real_distribution<double> number(0, 1);
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < Draws; ++i) {
            const Micros time = drawTime({ static_cast<Spread>(spread), 1s }, number(random));
            QVERIFY(time >= 0us);
            const double seconds = static_cast<double>(time.count()) / 1e6;
            sum += seconds;
            squares += seconds * seconds;
        }
        const double mean = sum / Draws;
        QVERIFY2(std::abs(mean - 1) < 0.02, qPrintable(QString::number(mean)));
        const double seen = std::sqrt(std::max(0.0, squares / Draws - mean * mean));
        QVERIFY2(std::abs(seen - deviation) < 0.02, qPrintable(QString::number(seen)));
    }

    void aClientGoesRound()
    {
        GroupSettings settings;
        settings.hold = { Spread::Fixed, 30ms };
        settings.think = { Spread::Uniform, 10ms };
        const auto none = numbers({});
        QCOMPARE(nextStep(CourseStep::Think, false, settings, none), (NextStep{ CourseStep::Lock }));
        QCOMPARE(nextStep(CourseStep::Lock, true, settings, numbers({ 0.9 })), (NextStep{ CourseStep::Hold, 30ms }));
        QCOMPARE(nextStep(CourseStep::Hold, false, settings, none), (NextStep{ CourseStep::Unlock }));
        QCOMPARE(
            nextStep(CourseStep::Unlock, false, settings, numbers({ 0.25 })), (NextStep{ CourseStep::Think, 5ms }));
        QCOMPARE(nextStep(CourseStep::Lock, false, settings, numbers({ 0.5 })), (NextStep{ CourseStep::Think, 10ms }));
    }

    void readersHaveTheirPart()
    {
        GroupSettings settings;
        settings.kind = Kind::ReadWrite;
        settings.readersPercent = 75;
        QVERIFY(nextStep(CourseStep::Think, false, settings, numbers({ 0.74 })).mode == HoldMode::Read);
        QVERIFY(nextStep(CourseStep::Think, false, settings, numbers({ 0.75 })).mode == HoldMode::Write);
        settings.readersPercent = 0;
        QVERIFY(nextStep(CourseStep::Think, false, settings, numbers({ 0 })).mode == HoldMode::Write);
        settings.readersPercent = 100;
        QVERIFY(nextStep(CourseStep::Think, false, settings, numbers({ 0.999 })).mode == HoldMode::Read);
    }

    void crashesComeAsOftenAsIsSet()
    {
        GroupSettings settings;
        QVERIFY(!nextCrash(settings, numbers({})));
        settings.crashesPerMinute = 30;
        const auto next = nextCrash(settings, numbers({ 1 - std::exp(-1.0) })); // as long as the mean
        QVERIFY(next && *next > 1'999ms && *next < 2'001ms);
    }

    void knowsWhoMayHoldItTogether()
    {
        const std::optional<HoldMode> plain;
        GroupSettings settings;
        QVERIFY(maySharePlace(settings, {}, plain));
        QVERIFY(!maySharePlace(settings, { plain }, plain));
        settings.kind = Kind::ReadWrite;
        QVERIFY(maySharePlace(settings, { HoldMode::Read, HoldMode::Read }, HoldMode::Read));
        QVERIFY(!maySharePlace(settings, { HoldMode::Read }, HoldMode::Write));
        QVERIFY(!maySharePlace(settings, { HoldMode::Read, HoldMode::Write }, HoldMode::Read));
        settings.kind = Kind::Semaphore;
        settings.permits = 2;
        QVERIFY(maySharePlace(settings, { plain }, plain));
        QVERIFY(!maySharePlace(settings, { plain, plain }, plain));
    }

    void countsSecondBySecond()
    {
        ContentionFigures figures(Start);
        figures.takesPart(1, true, Start);
        figures.takesPart(2, true, Start);
        QVERIFY(figures.group().seconds.empty());
        figures.acquired(1, 10ms, Start + 100ms);
        figures.acquired(1, 30ms, Start + 200ms);
        figures.acquired(2, 20ms, Start + 300ms);
        figures.acquired(2, 50ms, Start + 1'999ms);
        figures.advance(Start + 3'500ms);
        const GroupFigures group = figures.group();
        QCOMPARE(group.seconds.size(), 3U);
        QCOMPARE(group.seconds[0].acquires, 3);
        QCOMPARE(group.seconds[0].halfWait, std::optional<Micros>(20ms));
        QCOMPARE(group.seconds[0].longWait, std::optional<Micros>(30ms));
        QVERIFY(isNear(*group.seconds[0].fairness, 0.9));
        QCOMPARE(group.seconds[1].acquires, 1);
        QVERIFY(isNear(*group.seconds[1].fairness, 1));
        QCOMPARE(group.seconds[2].acquires, 0);
        QVERIFY(!group.seconds[2].halfWait);
        QVERIFY(isNear(group.acquiresPerSecond, 4.0 / 3));
        QCOMPARE(group.longWait, std::optional<Micros>(50ms));
        ContenderState state;
        figures.describe(1, state);
        QVERIFY(isNear(state.share, 0.5));
        QCOMPARE(state.longWait, std::optional<Micros>(30ms));
        ContenderState unknown;
        figures.describe(3, unknown);
        QVERIFY(unknown.share == 0 && !unknown.halfWait);
    }

    void forgetsWhatIsLongAgo()
    {
        ContentionFigures figures(Start);
        figures.takesPart(1, true, Start);
        figures.acquired(1, 10ms, Start);
        figures.advance(Start + FiguresWindow);
        QCOMPARE(figures.group().halfWait, std::optional<Micros>(10ms));
        figures.advance(Start + FiguresWindow + 1s);
        QVERIFY(!figures.group().halfWait);
        QVERIFY(!figures.group().fairness);
        figures.advance(Start + 10 * FiguresKept);
        QCOMPARE(std::ssize(figures.group().seconds), FiguresKept.count());
    }

    /// Who was away counts by what it got while it was there; who got nothing while it was there counts as starved.
    void fairnessKnowsWhoWasAway()
    {
        ContentionFigures figures(Start);
        figures.takesPart(1, true, Start);
        figures.takesPart(2, true, Start);
        for (int second = 0; second < 4; ++second) {
            figures.acquired(1, 1ms, Start + second * 1s);
            if (second < 2)
                figures.acquired(2, 1ms, Start + second * 1s);
            if (second == 1)
                figures.takesPart(2, false, Start + 2s);
        }
        figures.advance(Start + 4s);
        QVERIFY(isNear(*figures.group().fairness, 1));
        figures.takesPart(3, true, Start + 4s);
        figures.advance(Start + 4'500ms);
        QVERIFY(isNear(*figures.group().fairness, 1)); // too short to say anything
        figures.acquired(1, 1ms, Start + 4'600ms);
        figures.advance(Start + 5s);
        QVERIFY(isNear(*figures.group().fairness, 2.0 / 3));
    }
};

QTEST_GUILESS_MAIN(TestContentionFigures)
#include "tst_contention_figures.moc"
