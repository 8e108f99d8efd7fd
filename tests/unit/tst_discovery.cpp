// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/engine_bench.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace testsupport;
using std::chrono::microseconds;
using Duration = MonoTime::duration;

namespace {

/// Sweeps on a clock that is moved by hand; each answer takes as long as it is told to.
class Sweep {
public:
    explicit Sweep(bool alone = false)
    {
        m_discovery.start(m_now);
        m_discovery.setAlone(alone, m_now);
    }

    static constexpr int KeysSeen = 1'000;
    static constexpr int KeysOfAPage = 100;

    /// How long the page had to be waited for. Next: where the page after it begins; empty: it is the last.
    Duration page(Duration answerTakes, const std::string &next)
    {
        const auto before = m_now;
        m_now = std::max(m_now, m_discovery.next(m_now, 0).value_or(before));
        const auto scan = m_discovery.take(WorkId{ 1 }, m_now, 0);
        const auto waited = m_now - before;
        m_now += answerTakes;
        const input::PageScanned page{ scan ? scan->scan : WorkId{},
            { .next = { { next } }, .keysSeen = KeysSeen, .keysPassed = KeysOfAPage }, true };
        return m_discovery.scanned(page, m_now) ? waited : Duration::max();
    }
    void finish()
    {
        finishAndWait();
        m_discovery.hurry(m_now);
    }
    void finishAndWait() { m_discovery.finishes(m_now, 0); }
    std::optional<Millis> findsWithin() const { return m_discovery.findsWithin(); }
    double progress() const { return m_discovery.progress(); }
    MonoTime now() const { return m_now; }

private:
    const EngineSettings m_settings{ .server = "test:6379" };
    Discovery m_discovery{ m_settings };
    MonoTime m_now = EngineBench::Start;
};

std::vector<action::ReadLocks> reads(const EngineBench &bench)
{
    std::vector<action::ReadLocks> reads;
    for (const auto &what : bench.actions) {
        if (const auto *read = std::get_if<action::ReadLocks>(&what))
            reads.push_back(*read);
    }
    return reads;
}

/// Has found so many locks in the first page of a sweep: by the first one, or later in the background.
void find(EngineBench &bench, int locks, bool isFirst)
{
    if (!isFirst)
        bench.up();
    for (int i = 0; i < locks; ++i)
        bench.take("order:" + std::to_string(i), A, Millis{ 600'000 });
    if (isFirst)
        bench.tell(input::SourceUp{ "run", Feed::ClientTracking, true });
    else
        bench.tell(input::RefreshRequested{});
    const auto scan = std::find_if(bench.actions.begin(), bench.actions.end(),
        [](const auto &what) { return std::holds_alternative<action::ScanPage>(what); });
    const auto page = std::get<action::ScanPage>(*scan);
    bench.actions.clear();
    bench.answer(page);
}

} // namespace

class TestDiscovery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void doesNotRestInTheFirstSweep()
    {
        Sweep sweep;
        QCOMPARE(sweep.page(Millis{ 4 }, "1"), Duration{});
        QCOMPARE(sweep.page(Millis{ 4 }, ""), Duration{});
    }

    void isDoneByAsManyKeysAsItPassed()
    {
        Sweep sweep;
        sweep.page(Millis{ 4 }, "7");
        QCOMPARE(sweep.progress(), 0.1);
        for (int i = 0; i < 12; ++i) // more than there seemed to be
            sweep.page(Millis{ 4 }, "3");
        QCOMPARE(sweep.progress(), 0.99);
        sweep.page(Millis{ 4 }, "");
        QCOMPARE(sweep.progress(), 1.0);
    }

    void restsLongerTheLongerTheAnswerTook()
    {
        Sweep sweep;
        sweep.page(Millis{ 4 }, "");
        sweep.finish();
        sweep.page(microseconds{ 400 }, "1");
        QCOMPARE(sweep.page(microseconds{ 900 }, "2"), Duration(Millis{ 16 }));
        QCOMPARE(sweep.page(Millis{ 4 }, "3"), Duration(Millis{ 36 }));
        QCOMPARE(sweep.page(Millis{ 300 }, "4"), Duration(Millis{ 160 }));
        QCOMPARE(sweep.page(microseconds{ 20 }, "5"), Duration(Millis{ 1'000 }));
        QCOMPARE(sweep.page(microseconds{ 20 }, ""), Duration(EngineSettings{}.pagePause));
    }

    void doesNotTakeTheWayToTheServerForItsWork()
    {
        Sweep sweep;
        sweep.page(Millis{ 30 }, "");
        sweep.finish();
        sweep.page(Millis{ 20 }, "1");
        QCOMPARE(sweep.page(Millis{ 22 }, "2"), Duration(Millis{ 40 }));
        QCOMPARE(sweep.page(Millis{ 20 }, ""), Duration(Millis{ 120 }));
    }

    /// A key that is written right after the page where it would have been is on the same page of the next sweep.
    void keepsWhatItPromisesAtABoundedCost_data()
    {
        QTest::addColumn<int>("pages");
        QTest::addColumn<Millis>("answer");
        QTest::addColumn<Millis>("promise");
        QTest::newRow("few keys") << 5 << Millis{ 1 } << Millis{ 3'000 };
        QTest::newRow("many") << 500 << Millis{ 1 } << Millis{ 10'000 };
        QTest::newRow("very many") << 5'000 << Millis{ 1 } << Millis{ 90'000 };
    }
    void keepsWhatItPromisesAtABoundedCost()
    {
        QFETCH(const int, pages);
        QFETCH(const Millis, answer);
        QFETCH(const Millis, promise);
        Sweep sweep(true);
        const auto run = [&] {
            for (int left = pages - 1; left >= 0; --left)
                sweep.page(answer, left == 0 ? "" : std::to_string(left));
            sweep.finishAndWait();
        };
        run();
        QVERIFY2(!sweep.findsWithin(), "the first one takes no rests");
        run();
        QVERIFY(sweep.findsWithin().has_value());
        QCOMPARE(*sweep.findsWithin(), promise);
        const auto before = sweep.now();
        run();
        const auto period = sweep.now() - before;
        QVERIFY(period <= *sweep.findsWithin());
        QVERIFY2(pages * answer * 10 <= period, "more than a tenth of the server's time");
    }

    void findsNewLocksSoonWhereNothingElseTellsOfThem()
    {
        EngineBench bench(Feed::Rereading);
        bench.up();
        QVERIFY(!bench.last->status.feedReason.mayMiss);
        bench.pass(Millis{ 3'000 });
        const auto within = bench.last->status.feedReason.mayMiss;
        QVERIFY(within >= Millis{ 2'000 } && within < Millis{ 3'000 });
        for (int i = 0; i < 20; ++i) {
            const auto name = "order:" + std::to_string(i);
            bench.take(name, A, Millis{ 600'000 });
            bench.pass(Millis{ 2'000 + 37 * i });
            QVERIFY2(bench.shown(name), name.c_str());
        }
        bench.tell(input::FeedChanged{ Feed::ClientTracking, { .recorded = "best" }, true });
        bench.answer();
        bench.pass(Millis{ 200 });
        QCOMPARE(bench.last->status.feedReason, FeedReason{ .recorded = "best" });
    }

    void doesNotSweepAgainAndAgainBesideAFeed()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, Millis{ 600'000 });
        bench.pass(Millis{ 50'000 });
        QVERIFY(!bench.shown("order"));
        bench.pass(Millis{ 20'000 });
        QVERIFY(bench.shown("order"));
    }

    void sweepsAnEighthAsOftenWhileNobodyLooks()
    {
        EngineBench bench;
        bench.up();
        bench.take("order", A, Millis{ 600'000 });
        bench.tell(input::AttendanceChanged{ true });
        bench.pass(Millis{ 470'000 });
        QVERIFY(!bench.shown("order"));
        bench.pass(Millis{ 20'000 });
        QVERIFY(bench.shown("order"));

        bench.take("late", A, Millis{ 600'000 });
        bench.pass(Millis{ 100'000 });
        QVERIFY(!bench.shown("late"));
        bench.tell(input::AttendanceChanged{ false }); // a sweep was due long ago
        bench.answer();
        bench.pass(Millis{ 1'000 });
        QVERIFY(bench.shown("late"));
    }

    void readsWhatItFindsInTheBackgroundBatchByBatchWithRests()
    {
        EngineBench bench;
        find(bench, 120, false);
        QVERIFY(reads(bench).empty());
        bench.passSilently(Millis{ 5 });
        bench.tell(input::TimerFired{});
        for (int left = 120; left > 0; left -= 50) {
            const auto asked = reads(bench);
            QCOMPARE(asked.size(), std::size_t{ 1 });
            QCOMPARE(bench.actions.size(), std::size_t{ 1 }); // and no page
            bench.actions.clear();
            const auto sentAt = bench.mono;
            bench.passSilently(Millis{ 1 });
            bench.answer(asked.front(), sentAt);
            QVERIFY(reads(bench).empty());
            bench.passSilently(Millis{ 39 });
            bench.tell(input::TimerFired{});
            QVERIFY(reads(bench).empty());
            bench.passSilently(Millis{ 1 });
            bench.tell(input::TimerFired{});
        }
        bench.answer();
        bench.pass(Millis{ 200 });
        QCOMPARE(bench.last->locks.size(), std::size_t{ 120 });
    }

    void needsNoTimerWhileItsNamesAreRead()
    {
        EngineBench bench;
        find(bench, 600, true);
        bench.timerAt.reset();
        bench.passSilently(Millis{ 60 });
        bench.tell(input::TimerFired{});
        QVERIFY(!bench.timerAt || *bench.timerAt > bench.mono);
    }
};

QTEST_GUILESS_MAIN(TestDiscovery)
#include "tst_discovery.moc"
