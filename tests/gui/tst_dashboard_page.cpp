// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/painted.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/charts/rate_chart.h"
#include "ui/charts/server_strip.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"
#include "ui/views/dashboard_page.h"
#include "ui/views/data_table.h"
#include "ui/views/scrub_bar.h"
#include "ui/views/status_strip.h"
#include "ui/views/suspect_list.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QLayout>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;

namespace {

constexpr int Limit = 40'000;
constexpr WallTime Start{ 1'800'000'000'000ms }; // a whole minute

Event told(EventKind kind, Millis at, const LockName &lock)
{
    Event event;
    event.at = Start + at;
    event.kind = kind;
    event.lock = lock;
    event.owner = OwnerId{ "client", "1" };
    event.node = "a";
    return event;
}

/// The page alone, at a time that the test sets.
struct Alone : TestNames {
    Theme theme{ *qApp };
    Millis at{ 0 };
    ViewClock clock{ [this] { return MonoTime(1h + at); } };
    Activity activity;
    DashboardPage page{ theme, clock, names, activity };

    Alone()
    {
        page.resize(1'440, 860);
        page.setConnected(true);
        page.show();
    }

    std::shared_ptr<Snapshot> seen()
    {
        const Now now{ MonoTime(1h + at), Start + at };
        auto snapshot = makeSnapshot(now, { makeLock("job", now.mono) });
        snapshot->status.phase = SourcePhase::Live;
        return snapshot;
    }

    void look()
    {
        const auto snapshot = seen();
        activity.observe(*snapshot);
        clock.setReference(snapshot->takenAt);
    }

    /// Holds of a tenth of a second, so many of them each second.
    void watch(std::chrono::seconds length, const LockName &lock, int eachSecond)
    {
        for (const Millis end = at + length; at < end; at += 1s) {
            look();
            for (int i = 0; i < eachSecond; ++i)
                activity.heard({ told(EventKind::Acquired, at + 200ms * i, lock),
                    told(EventKind::Released, at + 200ms * i + 100ms, lock) });
        }
        look();
    }

    void showLastMinute()
    {
        page.setSnapshot(seen());
        auto &range = *page.findChild<QComboBox *>();
        QTest::keyClick(&range, Qt::Key_End);
        QTest::keyClick(&range, Qt::Key_Home);
        QCOMPARE(range.currentIndex(), 0);
    }

    QString noteBeside(const QString &figure) { return named<QLabel>(page, figure)->accessibleDescription(); }
    RateChart &rates() { return *page.findChild<RateChart *>(); }
    HistogramChart &holds() { return *named<HistogramChart>(page, QStringLiteral("Hold times")); }
};

struct Connected : TestWindow {
    explicit Connected(const RedisServer &server, const char *user = "")
    {
        auto endpoint = server.endpoint();
        endpoint.user = user;
        endpoint.password = endpoint.user.empty() ? "" : "secret";
        connectTo(endpoint);
        window.resize(1'440, 900);
        window.show();
        window.showPage(QStringLiteral("dashboard"));
    }

    DashboardPage &dashboard() { return *window.findChild<DashboardPage *>(); }
    ServerStrip &strip() { return *window.findChild<ServerStrip *>(); }
    QString figure(const QString &title) { return named<QLabel>(window, title)->text(); }
    bool says(const QString &text) { return saying<ElidedLabel>(dashboard(), text) != nullptr; }
};

std::shared_ptr<const StatisticsList> contention(int locks, bool reversed)
{
    std::vector<StatisticsList::Pointer> list;
    for (int i = 0; i < locks; ++i) {
        LockStatistics one;
        one.lock = "lock:" + std::to_string(100 + i);
        one.blocked = Millis(1'000 * (reversed ? locks - i : i + 1));
        list.push_back(std::make_shared<const LockStatistics>(one));
    }
    return std::make_shared<const StatisticsList>(std::move(list));
}

} // namespace

class DashboardPageTest : public QObject {
    Q_OBJECT
    Theme m_theme{ *qApp };

private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void comparesWithTheRangeBefore()
    {
        Alone f;
        f.watch(60s, "job", 1);
        f.watch(60s, "job", 3);
        f.showLastMinute();
        QCOMPARE(f.rates().data().before.size(), std::size_t(60));
        QVERIFY2(f.noteBeside(QStringLiteral("Acquires / s")).contains(QStringLiteral("+200 %")),
            qPrintable(f.noteBeside(QStringLiteral("Acquires / s"))));
        QVERIFY(f.holds().before().has_value());
        QVERIFY(f.holds().histogram().total() > 2 * f.holds().before()->total());
        QVERIFY(!saying<ElidedLabel>(f.page, QStringLiteral("watched only in part")));
        click(middleOf(*f.page.findChild<QCheckBox *>()));
        QVERIFY(!f.page.findChild<QCheckBox *>()->isChecked());
        QVERIFY(f.rates().data().before.empty());
        QVERIFY(!f.holds().before().has_value());
        QVERIFY(!f.noteBeside(QStringLiteral("Acquires / s")).contains(QLatin1Char('%')));
    }

    /// As many as the table shows, and the filter `state:held` finds, at the same time.
    void tellsAtOnceHowManyAreHeld()
    {
        Alone f;
        f.watch(3s, "job", 1);
        f.page.setSnapshot(f.seen());
        const auto held = [&] { return named<QLabel>(f.page, QStringLiteral("Held"))->text(); };
        QCOMPARE(held(), QStringLiteral("1"));
        auto taken = makeLock("permits", f.seen()->takenAt.mono);
        taken->kind = synchronizers::Kind::Semaphore;
        taken->holders.clear();
        taken->permits = synchronizers::PermitsReading{};
        auto free = makeLock("places", f.seen()->takenAt.mono);
        free->kind = synchronizers::Kind::Semaphore;
        free->holders.clear();
        free->permits = synchronizers::PermitsReading{};
        free->permits->available = 2;
        const auto snapshot = makeSnapshot(f.seen()->takenAt, { makeLock("job", f.seen()->takenAt.mono), taken, free });
        snapshot->status.phase = SourcePhase::Live;
        f.activity.observe(*snapshot); // in the same second
        f.page.setSnapshot(snapshot);
        QTRY_COMPARE_WITH_TIMEOUT(held(), QStringLiteral("2"), Limit);
        QCOMPARE(std::ranges::count_if(snapshot->locks, [](const auto &lock) { return isHeld(*lock); }), 2);
    }

    /// After a restart that lost all data nobody knows how the holds ended.
    void tellsWhatProbablyRanOutFromWhatWasSeenTo()
    {
        Alone alone;
        alone.look();
        Event inferred = told(EventKind::Expired, 300ms, "lost");
        inferred.certainty = Certainty::Inferred;
        alone.activity.heard({ told(EventKind::Acquired, 100ms, "seen"), told(EventKind::Acquired, 100ms, "lost"),
            told(EventKind::Expired, 200ms, "seen"), inferred });
        alone.at = 2s;
        alone.look();
        alone.showLastMinute();
        QCOMPARE(named<QLabel>(alone.page, QStringLiteral("Ran out unreleased"))->text(), QStringLiteral("1"));
        const QString note = alone.noteBeside(QStringLiteral("Ran out unreleased"));
        QVERIFY2(note.contains(QStringLiteral("and 1 probably")), qPrintable(note));
        QVERIFY2(note.contains(QStringLiteral("last, probably, 1")), qPrintable(note));
        for (const ElidedLabel *label : alone.page.findChildren<ElidedLabel *>())
            if (label->text().contains(QStringLiteral("probably")))
                QCOMPARE(label->shownText(), QStringLiteral("and 1 probably")); // no word is cut
        QVERIFY(alone.rates().accessibleDescription().contains(QStringLiteral("1 holds that ran out")));
        QVERIFY(alone.rates().accessibleDescription().endsWith(QStringLiteral("and 1 that probably did")));
    }

    /// The figure and the note below it are of the same moment.
    void countsWhatRanOutJustNow()
    {
        Alone alone;
        alone.watch(3s, "job", 0);
        alone.activity.heard(
            { told(EventKind::Acquired, 1s, "seen"), told(EventKind::Expired, alone.at + 100ms, "seen") });
        alone.at += 500ms;
        alone.look();
        alone.showLastMinute();
        QCOMPARE(named<QLabel>(alone.page, QStringLiteral("Ran out unreleased"))->text(), QStringLiteral("1"));
        const QString note = alone.noteBeside(QStringLiteral("Ran out unreleased"));
        QVERIFY2(note.contains(QStringLiteral("last 0.4 s ago: seen")), qPrintable(note));
    }

    /// A second of which only the end was seen has its point there.
    void curvesBeginWhereSeeingBegan()
    {
        const Theme theme(*qApp);
        RateChart chart(theme);
        chart.resize(730, 240);
        RateChart::Data data;
        data.from = Start;
        data.steps.resize(60);
        for (std::size_t i = 10; i < data.steps.size(); ++i)
            data.steps[i].counts.acquires = 5;
        data.unseen = { { Start - 1h, Start + 10'900ms, {} }, { Start + 40'100ms, Start + 45'900ms, {} } };
        chart.setData(data);
        const QImage picture = chart.grab().toImage();
        const auto isDrawnAt = [&](double seconds) {
            const int x = int(2 + seconds * 727 / 60);
            const QColor color = theme.color(Tone::Accent);
            for (int y = 10; y < chart.height() - 40; ++y)
                if (const QColor seen = picture.pixelColor(x, y); std::abs(seen.red() - color.red()) < 40
                    && std::abs(seen.green() - color.green()) < 40 && std::abs(seen.blue() - color.blue()) < 40)
                    return true;
            return false;
        };
        QVERIFY(isDrawnAt(11.2) && isDrawnAt(39.8) && isDrawnAt(46.3));
        for (const double seconds : { 10.4, 10.7, 40.35, 40.5, 45.4, 45.6 })
            QVERIFY2(!isDrawnAt(seconds), qPrintable(QString::number(seconds)));
    }

    /// A recording may begin in the first sweep.
    void claimsNothingBeforeAllKeysWereLookedAt()
    {
        Alone f;
        f.look();
        auto snapshot = f.seen();
        snapshot->status.lastSweep.reset();
        snapshot->analysis.reset();
        f.page.setSnapshot(snapshot);
        const auto figure
            = [&](const char *title) { return named<QLabel>(f.page, QString::fromLatin1(title))->text(); };
        QTRY_COMPARE_WITH_TIMEOUT(figure("Held"), QStringLiteral("≥ 1"), Limit);
        QCOMPARE(figure("Waiting"), QStringLiteral("?"));
        QCOMPARE(figure("Suspects"), QStringLiteral("?"));
        QCOMPARE(f.noteBeside(QStringLiteral("Suspects")), QStringLiteral("?, not looked for yet"));
        QVERIFY(saying<QLabel>(f.page, QStringLiteral("not looked for yet")));
        f.page.setSnapshot(f.seen());
        QTRY_COMPARE_WITH_TIMEOUT(figure("Held"), QStringLiteral("1"), Limit);
    }

    /// Events are told later than the figures of the moment.
    void agreesWithTheStatusLineWhereARecordingBegins()
    {
        Alone f;
        const auto show = [&](Millis at) {
            f.at = at;
            const auto snapshot = f.seen();
            snapshot->status.recordedAt = snapshot->takenAt.wall;
            snapshot->status.rates = { 0.3, 0.7 };
            f.activity.observe(*snapshot);
            f.clock.setReference(snapshot->takenAt);
            f.page.setSnapshot(snapshot);
        };
        for (const Millis at : { 0ms, 3'000ms }) {
            show(at);
            QTRY_COMPARE(named<QLabel>(f.page, QStringLiteral("Renewals / s"))->text(), QStringLiteral("0.7"));
            QCOMPARE(named<QLabel>(f.page, QStringLiteral("Acquires / s"))->text(), QStringLiteral("0.3"));
            QTRY_COMPARE(named<QLabel>(f.page, QStringLiteral("Ran out unreleased"))->text(),
                at == 0ms ? QStringLiteral("?") : QStringLiteral("0")); // of no time at all nothing is known
        }
    }

    /// That nothing is suspect is not said of a server that nobody sees.
    void doesNotKnowWhatIsSuspectWhileNothingIsSeen()
    {
        Alone f;
        f.watch(3s, "job", 1);
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = std::make_shared<const WaitGraph>();
        analysis->statistics = std::make_shared<const StatisticsList>();
        const auto show = [&](SourcePhase phase) {
            auto snapshot = f.seen();
            snapshot->status.phase = phase;
            snapshot->analysis = analysis;
            f.page.setSnapshot(snapshot);
        };
        const auto says
            = [&](const char *text) { return saying<QLabel>(f.page, QString::fromLatin1(text)) != nullptr; };
        show(SourcePhase::Live);
        QVERIFY(!says("not known: nothing is seen now"));
        show(SourcePhase::Stale);
        QVERIFY(says("not known: nothing is seen now"));
        show(SourcePhase::Live);
        QVERIFY(!says("not known: nothing is seen now"));
    }

    void comparesNothingWithWhatWasNotWatched()
    {
        Alone f;
        f.watch(100s, "job", 2);
        f.showLastMinute();
        QVERIFY(f.rates().data().before.empty());
        QVERIFY(!f.holds().before().has_value());
        QVERIFY(!f.noteBeside(QStringLiteral("Acquires / s")).contains(QLatin1Char('%')));
        QVERIFY(saying<ElidedLabel>(f.page, QStringLiteral("watched only in part")));
    }

    void saysWhenNothingOfTheTimeBeforeWasWatched()
    {
        Alone f;
        f.watch(30s, "job", 1);
        f.showLastMinute();
        QVERIFY(saying<ElidedLabel>(f.page, QStringLiteral("the time before was not watched")));
        QVERIFY(!saying<ElidedLabel>(f.page, QStringLiteral("in part")));
    }

    void showsTheHistogramOfTheChosenLock()
    {
        Alone f;
        f.watch(20s, "job", 1);
        f.watch(20s, "other", 2);
        f.page.setSnapshot(f.seen());
        QCOMPARE(f.holds().histogram().total(), 60);
        QAbstractButton *one = button(f.page, QStringLiteral("chosen lock"));
        QVERIFY(!one->isEnabled());
        f.page.choose("job");
        QVERIFY(one->isEnabled());
        QCOMPARE(f.holds().histogram().total(), 60);
        click(middleOf(*one));
        QCOMPARE(f.holds().histogram().total(), 20);
        QVERIFY(saying<ElidedLabel>(f.page, QStringLiteral("20 holds measured of job since ")));
        f.page.choose("other");
        QCOMPARE(f.holds().histogram().total(), 40);
        click(middleOf(*button(f.page, QStringLiteral("all locks"))));
        QCOMPARE(f.holds().histogram().total(), 60);
    }

    /// "None yet" would say that there may be some.
    void saysWhyNothingIsEverCountedOfTheChosenLock()
    {
        Alone f;
        f.watch(3s, "job", 1);
        auto latch = makeLock("gate", f.seen()->takenAt.mono);
        latch->kind = synchronizers::Kind::CountDownLatch;
        latch->holders.clear();
        latch->count = 2;
        f.page.setSnapshot(makeSnapshot(f.seen()->takenAt, { latch, makeLock("job", f.seen()->takenAt.mono) }));
        click(middleOf(*named<QAbstractButton>(f.page, QStringLiteral("Hold times: all locks"))));
        f.page.choose("gate");
        click(middleOf(*button(f.page, QStringLiteral("chosen lock"))));
        const auto said = [&](const char *chart) {
            return named<HistogramChart>(f.page, QString::fromLatin1(chart))->accessibleDescription();
        };
        QCOMPARE(said("Hold times"), QStringLiteral("Nobody holds a latch."));
        QCOMPARE(said("Waits"), QStringLiteral("Only fair locks tell who waits."));
        f.page.choose("job");
        QVERIFY2(!said("Hold times").contains(QStringLiteral("Nobody")), qPrintable(said("Hold times")));
        QCOMPARE(said("Waits"), QStringLiteral("Only fair locks tell who waits."));
    }

    void keepsItsPlaceInTheTableWhenTheOrderChanges()
    {
        Alone f;
        f.look();
        auto &table = *named<DataTable>(f.page, QStringLiteral("Most contended locks"));
        const auto show = [&](bool reversed) {
            auto snapshot = f.seen();
            auto analysis = std::make_shared<Analysis>();
            analysis->graph = std::make_shared<const WaitGraph>();
            analysis->statistics = contention(40, reversed);
            snapshot->analysis = analysis;
            f.page.setSnapshot(snapshot);
        };
        show(false);
        QCOMPARE(table.model()->rowCount(), 40);
        QScrollBar &bar = *table.verticalScrollBar();
        QTRY_VERIFY(bar.maximum() > 0);
        const QString first = table.model()->index(0, 0).data().toString();
        click(cellOf(table, 1, 0));
        const QString chosen = table.currentIndex().data().toString();
        bar.setValue(bar.maximum() / 2);
        const int place = bar.value();
        show(true);
        QVERIFY(table.model()->index(0, 0).data().toString() != first);
        QCOMPARE(table.currentIndex().data().toString(), chosen);
        QCOMPARE(bar.value(), place);
    }

    /// A box without a word would look as if nothing were wrong.
    void leadsOutOfAFilterThatNothingMatches()
    {
        Alone f;
        f.look();
        auto snapshot = f.seen();
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = std::make_shared<const WaitGraph>();
        analysis->statistics = contention(1, false);
        analysis->suspects = { { SuspectKind::NoTtl, "pay", "n1", "", {}, Certainty::Seen, {} } };
        snapshot->analysis = analysis;
        f.page.setSnapshot(snapshot);
        const auto clears = [&] {
            const auto buttons = f.page.findChildren<QPushButton *>();
            return std::ranges::count_if(buttons, [](const QPushButton *each) {
                return each->isVisible() && each->text() == QStringLiteral("Clear the filter");
            });
        };
        QCOMPARE(clears(), 0);
        f.page.setFilter(*LockFilter::parse("nosuch"), QStringLiteral("nosuch"));
        QCOMPARE(clears(), 2);
        QSignalSpy cleared(&f.page, &Page::clearFilterRequested);
        click(middleOf(*button(f.page, QStringLiteral("Clear the filter"))));
        QCOMPARE(cleared.size(), 1);
        f.page.setFilter(*LockFilter::parse("pay"), QStringLiteral("pay"));
        QCOMPARE(clears(), 1);
        QCOMPARE(f.page.findChild<SuspectList *>()->count(), 1);
        f.page.setFilter({}, {});
        QCOMPARE(clears(), 0);
    }

    /// The filter hides who is seen to wait, and whether a waiter listens is known only after a while.
    void saysOfContentionOnlyWhatIsKnown()
    {
        Alone f;
        f.look();
        const auto show = [&](std::optional<bool> listens, int counted, const char *filter) {
            auto snapshot = f.seen();
            auto lock = makeLock("lock:100", snapshot->takenAt.mono);
            lock->kind = synchronizers::Kind::Fair;
            lock->waiters.push_back({ { "other", "1" }, std::nullopt, { snapshot->takenAt.mono, true }, listens });
            snapshot = makeSnapshot(snapshot->takenAt, { lock });
            snapshot->status.phase = SourcePhase::Live;
            auto analysis = std::make_shared<Analysis>();
            analysis->graph = std::make_shared<const WaitGraph>();
            analysis->statistics = contention(counted, false);
            snapshot->analysis = analysis;
            f.page.setSnapshot(snapshot);
            f.page.setFilter(*LockFilter::parse(filter), QString::fromLatin1(filter));
        };
        const auto says = [&](const char *text) { return saying<QLabel>(f.page, QString::fromUtf8(text)) != nullptr; };
        const auto nobody = "nobody in a queue was seen to listen for its turn";
        show(true, 1, "nosuch");
        QVERIFY(!says(nobody) && says("none that matches · filtered"));
        show({}, 0, "");
        QVERIFY(!says(nobody) && says("not known yet: who stands in a queue may listen for its turn"));
        show(true, 0, "");
        QVERIFY(!says(nobody) && says("not counted yet"));
        show(false, 0, "");
        QVERIFY(says(nobody));
    }

    /// The tile counts what the list below it shows.
    void countsDeadlocksAmongWhatLooksWrong()
    {
        Alone f;
        f.look();
        auto graph = std::make_shared<WaitGraph>();
        graph->cycles = { { { { "a", "1" }, "one", { "b", "1" } }, { { "b", "1" }, "two", { "a", "1" } } } };
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = graph;
        analysis->statistics = contention(0, false);
        analysis->suspects = { { SuspectKind::NoTtl, "pay", "n1", "", {}, Certainty::Seen, {} } };
        const auto snapshot = f.seen();
        snapshot->analysis = analysis;
        f.page.setSnapshot(snapshot);
        QCOMPARE(f.page.findChild<SuspectList *>()->count(), 2);
        QCOMPARE(foundCount(*analysis), 2);
        const auto labels = f.page.findChildren<QLabel *>();
        const auto figure = std::ranges::find_if(labels, [](const QLabel *each) {
            return each->property("role") == QStringLiteral("figure")
                && each->accessibleName() == QStringLiteral("Suspects");
        });
        QVERIFY(figure != labels.end());
        QCOMPARE((*figure)->text(), QStringLiteral("2"));
        // It counts what was found; what needs attention, above, are the locks.
        QCOMPARE(f.noteBeside(QStringLiteral("Suspects")), QStringLiteral("2, 1 deadlock (inferred) · at 3 locks"));
    }

    /// However long it is what is suspected of the lock.
    void namesTheLockOfASuspect()
    {
        Alone f;
        const auto drawn = [&](const LockName &lock) {
            auto analysis = std::make_shared<Analysis>();
            analysis->graph = std::make_shared<const WaitGraph>();
            analysis->statistics = contention(0, false);
            analysis->suspects = { { SuspectKind::QueueClockDrift, lock, "n1", "", {}, Certainty::Inferred, {} } };
            const auto snapshot = f.seen();
            snapshot->analysis = analysis;
            f.page.setSnapshot(snapshot);
            auto &list = *f.page.findChild<SuspectList *>();
            list.parentWidget()->layout()->activate();
            list.setFixedWidth(340);
            doLayouts();
            const QRect row = list.visualItemRect(list.item(0));
            return list.viewport()->grab(row).toImage();
        };
        QVERIFY(drawn("payment:eu:7") != drawn("payment:eu:8"));
    }

    /// What was seen of it is a sentence, and its end may be what matters.
    void givesASuspectTheLinesItTakes()
    {
        Alone f;
        f.look();
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = std::make_shared<const WaitGraph>();
        analysis->statistics = contention(0, false);
        analysis->suspects = { { SuspectKind::NoTtl, "pay", "n1", "", {}, Certainty::Seen, {} },
            { SuspectKind::DeadWaiter, "pay", "n1", "client:9",
                { .recorded = "It is number 4 in the queue, but nobody listens on its channel; it can be cleared away "
                              "in 13 m 18 s." },
                Certainty::Inferred, {} } };
        const auto snapshot = f.seen();
        snapshot->analysis = analysis;
        f.page.setSnapshot(snapshot);
        auto &list = *f.page.findChild<SuspectList *>();
        list.parentWidget()->layout()->activate();
        const auto heightAt = [&](int width, int row) {
            list.setFixedWidth(width);
            doLayouts();
            return list.visualItemRect(list.item(row)).height();
        };
        const int one = heightAt(2'000, 0);
        QCOMPARE(heightAt(2'000, 1), one);
        QVERIFY(heightAt(340, 1) > one);
    }

    /// In a narrower list a row needs more lines: as soon as it is narrower, also where a scroll bar makes it so.
    void givesEachSuspectItsLinesWhenTheListIsNarrower()
    {
        Alone f;
        SuspectList list(m_theme, f.names);
        Analysis analysis;
        analysis.graph = std::make_shared<const WaitGraph>();
        for (int i = 0; i < 12; ++i)
            analysis.suspects.push_back({ SuspectKind::DeadWaiter, "pay:" + std::to_string(i), "n1", "client:9",
                { .recorded = "It is number 4 in the queue, but nobody listens on its channel; it can be cleared away "
                              "in 13 m 18 s." },
                Certainty::Inferred, {} });
        list.resize(900, 120);
        list.show();
        list.setAnalysis(
            &analysis, [](const LockName &) { return true; }, [](const WaitCycle &) { return QString(); });
        for (const int width : { 900, 700, 560, 480, 420, 380, 340, 300, 520, 900 }) {
            list.resize(width, 120);
            QTRY_VERIFY2(areRowsApart(list), qPrintable(QString::number(width)));
        }
    }

    /// With a filter there is more to be said than a small window has room for.
    void saysWholeWhatItsFiguresAreOf()
    {
        Alone f;
        f.page.resize(1'366 - 152, 700); // beside the list of pages
        f.look();
        f.page.setSnapshot(f.seen());
        f.page.setFilter(*LockFilter::parse("dl:c"), QStringLiteral("dl:c"));
        f.at += 3s;
        f.look();
        f.page.setSnapshot(f.seen());
        doLayouts();
        const auto *head = saying<ElidedLabel>(f.page, QStringLiteral("counted since"));
        QVERIFY(head && head->text().contains(QStringLiteral("of all locks")));
        QVERIFY2(!head->shownText().contains(QChar(0x2026)), qPrintable(head->shownText()));
        QVERIFY(head->shownText().contains(QStringLiteral("of all locks")));
        QVERIFY(head->shownText().contains(QStringLiteral("before that not seen")));
    }

    void showsWhatServersWentThrough()
    {
        RedisServer server({ .config = { QStringLiteral("slowlog-log-slower-than 5000") } });
        QVERIFY(server.start());
        Connected f(server);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.slowLog, SlowLogAccess::Read, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.says(QStringLiteral("server: nothing seen")), Limit);
        server.cli(
            { QStringLiteral("EVAL"), QStringLiteral("local n = 0 for i = 1, 5000000 do n = n + i % 7 end return n"),
                QStringLiteral("1"), QStringLiteral("<b>evil</b>\u202E:1"), QStringLiteral("s3cret") });
        QTRY_VERIFY_WITH_TIMEOUT(!f.strip().events().empty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.says(QStringLiteral("(EVAL <b>evil</b>")), Limit);
        QVERIFY(!f.says(QStringLiteral("s3cret")) && !f.says(QStringLiteral("\u202E")));

        const QPoint at = f.strip().placeOf(f.strip().events().back()).toPoint();
        QHelpEvent help(QEvent::ToolTip, at, f.strip().mapToGlobal(at));
        QApplication::sendEvent(&f.strip(), &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("slow command")), qPrintable(QToolTip::text()));
        QVERIFY(QToolTip::text().contains(QStringLiteral("EVAL")));
        QVERIFY(
            !QToolTip::text().contains(QStringLiteral("<b>")) && !QToolTip::text().contains(QStringLiteral("s3cret")));
        QToolTip::hideText();

        QVERIFY(server.restart());
        const auto isRestart = [](const Event &event) { return event.kind == EventKind::ServerRestarted; };
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(f.strip().events(), isRestart), Limit);
        const auto restart = std::ranges::find_if(f.strip().events(), isRestart);
        QTRY_VERIFY_WITH_TIMEOUT(f.says(ServerStrip::timeText(*restart) + QStringLiteral(" server restarted")), Limit);
        press(f.window, Qt::Key_5, Qt::ControlModifier);
        const auto &rows = *named<QAbstractItemView>(f.window, QStringLiteral("Events"))->model();
        bool isTold = false;
        for (int row = 0; row < rows.rowCount(); ++row)
            isTold = isTold || rows.index(row, 1).data().toString() == QStringLiteral("server restarted");
        QVERIFY(isTold);
    }

    /// The server is asked now and then whether clients wait: since when they do is not known.
    void saysThatThePauseBeganAboutThen()
    {
        Event paused = told(EventKind::ClientsPaused, 5s, {});
        paused.owner.reset();
        paused.ttl = 3s;
        QVERIFY(ServerStrip::timeText(paused).startsWith(QStringLiteral("about ")));
        QVERIFY(ServerStrip::shortText(paused).contains(QStringLiteral("about ")));
        Event slow = paused;
        slow.kind = EventKind::SlowCommand;
        QVERIFY(!ServerStrip::timeText(slow).contains(QStringLiteral("about")));
        QVERIFY(!ServerStrip::shortText(slow).contains(QStringLiteral("about")));
    }

    /// It was restarted when it had been up for so long as it was when it was seen again, or before.
    void saysWhenAServerWasRestartedAtTheLatest()
    {
        Event restart = told(EventKind::ServerRestarted, 60s, {});
        restart.owner.reset();
        Event before = restart;
        before.at = Start + 50s;
        QVERIFY(ServerStrip::timeText(restart) != ServerStrip::timeText(before));
        restart.ttl = 10s;
        QCOMPARE(ServerStrip::timeText(restart), ServerStrip::timeText(before));
        ServerStrip strip(m_theme);
        strip.resize(600, 30);
        strip.setRange(Start, Start + 100s);
        QCOMPARE(strip.placeOf(restart), strip.placeOf(before));
    }

    /// A mark stands where it happened: what happened before the range has none in it.
    void marksNoRestartOfBeforeTheRange()
    {
        Alone f;
        f.watch(120s, "job", 1);
        Event restart = told(EventKind::ServerRestarted, 110s, {});
        restart.owner.reset();
        restart.ttl = 100s; // up since a minute before the range
        f.activity.heard({ restart });
        f.showLastMinute();
        const auto &strip = *f.page.findChild<ServerStrip *>();
        for (const Event &event : strip.events()) {
            const WallTime from = Start + 60s;
            QVERIFY2(happenedAt(event) >= from,
                qPrintable(
                    QStringLiteral("%1 at pixel %2").arg(ServerStrip::timeText(event)).arg(strip.placeOf(event).x())));
        }
    }

    void saysWhichSlowCommandsLockscopeSent()
    {
        Event slow = told(EventKind::SlowCommand, 5s, {});
        slow.owner.reset();
        slow.ttl = 13ms;
        slow.command = "EVALSHA_RO";
        QCOMPARE(ServerStrip::shortText(slow), QStringLiteral("slow command 13 ms (EVALSHA_RO)"));
        slow.byLockscope = true;
        QCOMPARE(ServerStrip::shortText(slow), QStringLiteral("slow command 13 ms (EVALSHA_RO, by Lockscope itself)"));
    }

    void leadsFromMarkToMarkByKeys()
    {
        Alone f;
        f.look();
        std::vector<Event> events;
        for (const Millis at : { 5s, 20s, 30s }) {
            Event event = told(EventKind::SlowCommand, at, {});
            event.owner.reset();
            event.ttl = 40ms;
            event.command = "KEYS";
            event.key = "page:" + std::to_string(at.count());
            events.push_back(event);
        }
        f.activity.heard(events);
        f.at = 40s;
        f.look();
        f.page.setSnapshot(f.seen());
        auto &strip = *f.page.findChild<ServerStrip *>();
        QCOMPARE(strip.events().size(), std::size_t(3));
        f.page.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.page));
        f.page.findChild<QCheckBox *>()->setFocus();
        for (int i = 0; i < 20 && !strip.hasFocus(); ++i)
            press(f.page, Qt::Key_Tab);
        QVERIFY(strip.hasFocus());
        QVERIFY(saying<ElidedLabel>(f.page, QStringLiteral("KEYS page:30000 took 40 ms")));
        press(f.page, Qt::Key_Left);
        QVERIFY(saying<ElidedLabel>(f.page, QStringLiteral("KEYS page:20000 took 40 ms")));
        press(f.page, Qt::Key_Home);
        QVERIFY(saying<ElidedLabel>(f.page, QStringLiteral("KEYS page:5000 took 40 ms")));
        QVERIFY(strip.accessibleDescription().contains(QStringLiteral("page:5000")));
    }

    void saysThatTheSlowLogMayNotBeRead()
    {
        RedisServer server({ .users = { QStringLiteral("few on >secret ~* &* +@all -slowlog") } });
        QVERIFY(server.start());
        Connected f(server, "few");
        QTRY_VERIFY_WITH_TIMEOUT(f.says(QStringLiteral("may not read SLOWLOG")), Limit);
    }

    /// A jump leads to a moment with all that led to it: rates are not those since the jump.
    void showsEachMomentOfARecording()
    {
        RedisServer server({ .config = { QStringLiteral("slowlog-log-slower-than 5000") } });
        QVERIFY(server.start());
        take(server, QStringLiteral("one"), OwnerA, 600'000);
        Connected f(server);
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        const QString held = QStringLiteral("Held");
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(held), QStringLiteral("1"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.monitor.latest()->status.slowLog, SlowLogAccess::Read, Limit);
        f.monitor.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.monitor.recorder().state() && f.monitor.recorder().state()->progress.bytes > 0, Limit);
        take(server, QStringLiteral("two"), OwnerB, 600'000);
        server.cli({ QStringLiteral("EVAL"),
            QStringLiteral("local n = 0 for i = 1, 5000000 do n = n + i % 7 end return n"), QStringLiteral("0") });
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(held), QStringLiteral("2"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!f.strip().events().empty(), Limit);
        f.monitor.recorder().stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();
        QTRY_VERIFY_WITH_TIMEOUT(f.window.findChild<NoticeDialog *>() == nullptr, Limit);

        f.window.openRecording(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.window.findChild<ScrubBar *>()->isVisible(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(held), QStringLiteral("1"), Limit);
        const auto acquires = [&] {
            std::int64_t sum = 0;
            for (const Activity::Step &step : f.window.findChild<RateChart *>()->data().steps)
                sum += step.counts.acquires;
            return sum;
        };
        QCOMPARE(acquires(), 0);
        QVERIFY(f.strip().events().empty());
        auto &track = *f.window.findChild<ScrubTrack *>();
        for (int round = 0; round < 2; ++round) {
            track.setFocus();
            press(f.window, Qt::Key_End);
            QTRY_COMPARE_WITH_TIMEOUT(f.figure(held), QStringLiteral("2"), Limit);
            QTRY_COMPARE_WITH_TIMEOUT(acquires(), 1, Limit);
            QTRY_VERIFY_WITH_TIMEOUT(!f.strip().events().empty(), Limit);
            press(f.window, Qt::Key_Home);
            QTRY_COMPARE_WITH_TIMEOUT(f.figure(held), QStringLiteral("1"), Limit);
            QTRY_COMPARE_WITH_TIMEOUT(acquires(), 0, Limit);
            QTRY_VERIFY_WITH_TIMEOUT(f.strip().events().empty(), Limit);
        }
        f.monitor.replay().play(16);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(held), QStringLiteral("2"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(acquires(), 1, Limit);
    }

    /// A time of the day alone would be taken for today's.
    /// Of several lost servers those are told of that a figure rests on, and no other.
    void saysHowOldEachFigureIs()
    {
        Alone f;
        f.look();
        const auto snapshot = f.seen();
        const MonoTime now = snapshot->takenAt.mono;
        const auto on = [&](const char *server, const LockName &name, bool isHeld, std::int64_t waiting) {
            auto lock = makeLock(name, now - 2h);
            lock->node = server;
            lock->readAtMono = now - 2h;
            lock->subscribers = waiting;
            if (!isHeld)
                lock->holders.clear();
            return lock;
        };
        snapshot->locks = { on("a:1", "free", false, 1), on("b:2", "held", true, 0), on("c:3", "later", true, 0),
            on("d:4", "seen", true, 0) };
        const auto server = [&](const char *node, SourcePhase phase, std::optional<MonoTime> since) {
            NodeStatus status;
            status.node = node;
            status.status.phase = phase;
            status.status.staleSince = since;
            snapshot->nodes.push_back(status);
        };
        server("a:1", SourcePhase::Stale, now - 1h);
        server("b:2", SourcePhase::Stale, now - 10min);
        server("c:3", SourcePhase::Stale, now - 1min);
        server("d:4", SourcePhase::Live, {});
        f.page.setSnapshot(snapshot);
        const QString held = f.noteBeside(QStringLiteral("Held"));
        QVERIFY2(held.contains(QStringLiteral("2 of them as seen 1 m 00 s to 10 m 00 s ago")), qPrintable(held));
        const QString waiting = f.noteBeside(QStringLiteral("Waiting"));
        QVERIFY2(waiting.contains(QStringLiteral("1 of them as seen 1 h 00 m ago")), qPrintable(waiting));
    }

    /// They stand in a queue, and are counted with the others: that is said where it is counted.
    void saysHowManyOfThoseWhoWaitAreGhosts()
    {
        Alone f;
        f.look();
        const auto snapshot = f.seen();
        auto lock = std::make_shared<LockState>(**snapshot->locks.begin());
        lock->kind = synchronizers::Kind::Fair;
        lock->subscribers.reset();
        lock->waiters.resize(3);
        lock->waiters[0].subscribed = false;
        lock->waiters[1].subscribed = true;
        snapshot->locks.apply({ { lock->name, lock } });
        f.page.setSnapshot(snapshot);
        const QString waiting = f.noteBeside(QStringLiteral("Waiting"));
        QVERIFY2(waiting.contains(QStringLiteral("1 ghost · ")), qPrintable(waiting));
        StatusStrip strip(f.theme, f.clock);
        strip.show();
        strip.setSnapshot(snapshot);
        QVERIFY(saying<ElidedLabel>(strip, QStringLiteral("waiting, ghosts among them: 1")));
    }

    void saysOnWhichDayADeadlockWasSeenLast()
    {
        Alone f;
        f.look();
        const auto snapshot = f.seen();
        const auto lock = *snapshot->locks.begin();
        auto graph = std::make_shared<WaitGraph>();
        graph->cycles
            = { { WaitEdge{ .waiter = { "other", "2" }, .lock = lock->name, .holder = lock->holders.front().owner } } };
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = graph;
        analysis->statistics = contention(0, false);
        snapshot->analysis = analysis;
        NodeStatus seen;
        seen.node = "10.0.0.9:6379";
        seen.status.phase = SourcePhase::Live;
        NodeStatus lost;
        lost.node = lock->node;
        lost.status.phase = SourcePhase::Stale;
        auto old = std::make_shared<LockState>(*lock);
        lost.status.staleSince = snapshot->takenAt.mono - 30h;
        old->readAtMono = *lost.status.staleSince;
        snapshot->locks.apply({ { old->name, old } });
        snapshot->nodes = { seen, lost };
        f.page.setSnapshot(snapshot);
        const auto &list = *f.page.findChild<SuspectList *>();
        QCOMPARE(list.count(), 1);
        const QString said = list.item(0)->data(Qt::AccessibleTextRole).toString();
        const WallTime then = snapshot->takenAt.wall - 30h;
        const QString day = clockText(then, snapshot->takenAt.wall).section(QLatin1Char(' '), 0, 0);
        QVERIFY2(said.contains(day), qPrintable(said));
    }
};

QTEST_MAIN(DashboardPageTest)
#include "tst_dashboard_page.moc"
#include "ui/models/attention.h"
