// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "ui/charts/ttl_chart.h"
#include "ui/models/holder_model.h"
#include "ui/support/event_store.h"
#include "ui/support/freshness.h"
#include "ui/views/detail_charts.h"
#include "ui/views/lock_table.h"
#include "ui/views/locks_page.h"
#include "ui/views/suspects_view.h"

#include <QAbstractScrollArea>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <functional>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace Qt::StringLiterals;

namespace {

const OwnerId HolderId{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
const OwnerId Intruder{ "5d0e77c1-0b51-4c7e-8a11-9f0d2b3c4e5f", "112" };

/// The page of locks of a low window, with a fair lock chosen for which three wait.
struct Fixture : TestNames {
    Theme theme{ *qApp };
    ViewClock clock;
    EventStore events;
    QWidget window;
    LocksPage page{ theme, clock, events };
    QLabel band; // as the one of a deadlock
    int others = 20; // locks
    bool isGone = false;
    Now now = currentNow();
    std::shared_ptr<LockState> lock = makeLock("payment:eu:7", now.mono);
    std::shared_ptr<Analysis> analysis = std::make_shared<Analysis>();

    Fixture()
    {
        page.setClientNames(names);
        window.resize(1'214, 600);
        auto *layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(&page, 1);
        layout->addWidget(&band);
        band.setFixedHeight(42);
        band.hide();
        page.setConnected(true);
        lock->kind = synchronizers::Kind::Fair;
        lock->holders.front().owner = HolderId;
        for (const char *thread : { "1", "2", "3" })
            lock->waiters.push_back({ { "c78be572-41c2-4e0b-9f55-0c5d1be0a7d2", thread }, now.wall + Millis(309'000),
                { now.mono, true }, true });
        analysis->graph = std::make_shared<const WaitGraph>();
        analysis->statistics = std::make_shared<const StatisticsList>();
        window.show();
        show();
        page.select("payment:eu:7");
        settle();
    }

    void show()
    {
        std::vector<std::shared_ptr<const LockState>> locks;
        if (!isGone)
            locks.push_back(std::make_shared<LockState>(*lock));
        for (int i = 0; i < others; ++i)
            locks.push_back(makeLock("other:" + std::to_string(i), now.mono));
        auto snapshot = makeSnapshot(now, std::move(locks));
        snapshot->analysis = std::make_shared<Analysis>(*analysis);
        page.setSnapshot(snapshot);
        settle();
    }
    void settle()
    {
        Q_EMIT clock.tick();
        for (int round = 0; round < 3; ++round)
            doLayouts();
    }
    void suspect(const LockName &name)
    {
        analysis->suspects.push_back({ SuspectKind::DeadWaiter, name, "n1", "",
            { .recorded = "Its time-out is 2 h 05 m away, but number 2 in the queue, with all that is before it, "
                          "explains at most 10 m 21 s: it waits with a longer limit, or a client's clock is ahead." },
            Certainty::Inferred, now.mono });
    }
    void heard(EventKind kind)
    {
        Event event;
        event.at = now.wall;
        event.kind = kind;
        event.lock = lock->name;
        event.owner = HolderId;
        event.node = "n1";
        events.add({ event });
    }

    DataTable &queue() { return *named<DataTable>(page, u"Fair queue"_s); }
    QRect first()
    {
        const QWidget &rows = *queue().viewport();
        return { rows.mapTo(&page, queue().visualRect(queue().model()->index(0, 1)).topLeft()),
            queue().visualRect(queue().model()->index(0, 1)).size() };
    }
    bool aimsAtTheQueue()
    {
        moveTo(placeIn(page, { 4, 4 }));
        moveTo(placeIn(*queue().viewport(), { 60, 14 }));
        return QTest::qWaitFor([&] { return queue().viewport()->underMouse(); });
    }
    /// Whole, and not under anything else.
    bool isInSight(const QWidget &part)
    {
        QRegion seen = part.visibleRegion(); // without what a table's viewport paints whole
        if (const auto *area = qobject_cast<const QAbstractScrollArea *>(&part))
            seen += area->viewport()->visibleRegion().translated(area->viewport()->pos());
        return part.isVisible() && seen.boundingRect() == part.rect()
            && page.rect().contains(QRect(part.mapTo(&page, QPoint()), part.size()));
    }
};

using Change = std::function<void(Fixture &)>;

} // namespace
Q_DECLARE_METATYPE(Change)

/// A click hits what it was aimed at: rows of the detail that have actions do not move away under the pointer.
class DetailPlacesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theQueueStaysUnderThePointer_data()
    {
        QTest::addColumn<Change>("change");
        QTest::newRow("events are heard") << Change([](Fixture &f) {
            for (const auto kind : { EventKind::Appeared, EventKind::Renewed, EventKind::Reentered })
                f.heard(kind);
            f.settle();
        });
        QTest::newRow("a suspect comes") << Change([](Fixture &f) {
            f.suspect("payment:eu:7");
            f.show();
        });
        QTest::newRow("figures come") << Change([](Fixture &f) {
            LockStatistics numbers;
            numbers.lock = "payment:eu:7";
            numbers.blocked = Millis(17'000);
            f.analysis->statistics = std::make_shared<const StatisticsList>(
                std::vector{ std::make_shared<const LockStatistics>(numbers) });
            f.show();
        });
        QTest::newRow("it is free for a moment") << Change([](Fixture &f) {
            f.lock->holders.clear();
            f.show();
        });
        QTest::newRow("a second one holds it, too") << Change([](Fixture &f) {
            f.lock->holders.push_back(f.lock->holders.front());
            f.lock->holders.back().owner = Intruder;
            f.show();
        });
        QTest::newRow("one of those who wait goes") << Change([](Fixture &f) {
            f.lock->waiters.pop_back();
            f.show();
        });
        QTest::newRow("a band comes below the page") << Change([](Fixture &f) {
            f.band.show();
            f.settle();
            QTRY_VERIFY(f.page.height() < f.window.height());
        });
    }

    void theQueueStaysUnderThePointer()
    {
        QFETCH(const Change, change);
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        QVERIFY(f.aimsAtTheQueue());
        const QRect before = f.first();
        QVERIFY(before.isValid());
        change(f);
        QCOMPARE(f.first().topLeft(), before.topLeft());
        QVERIFY(!f.queue().viewport()->visibleRegion().intersected(QRect(60, 14, 1, 1)).isEmpty());
    }

    /// Not even for a moment it gets the room of what goes: rows at its end would move.
    void theTableStaysWhereItIsWhenABandGoes()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.band.show();
        QTRY_VERIFY(f.page.height() < f.window.height());
        f.settle();
        QVERIFY(f.aimsAtTheQueue());
        QScrollBar &bar = *f.page.findChild<LockTable *>()->verticalScrollBar();
        QVERIFY(bar.maximum() > 0);
        bar.setValue(bar.maximum());
        QSignalSpy scrolled(&bar, &QScrollBar::valueChanged);
        f.band.hide();
        QTRY_COMPARE(f.page.height(), f.window.height());
        f.settle();
        QCOMPARE(scrolled.count(), 0);
    }

    /// Whoever has scrolled away from it looks at other rows.
    void theTableStaysScrolledWhenTheChosenLockComesAgain()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        auto &table = *f.page.findChild<LockTable *>();
        moveTo(placeIn(*table.viewport(), { 60, 14 }));
        const QPointF at(60, 14);
        QWheelEvent down(at, table.viewport()->mapToGlobal(at), {}, { 0, -2'400 }, Qt::NoButton, Qt::NoModifier,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(table.viewport(), &down);
        const int scrolled = table.verticalScrollBar()->value();
        QVERIFY(scrolled > 0);
        moveTo(placeIn(f.page, { 4, 4 }));
        QTRY_VERIFY(!table.viewport()->underMouse());
        f.isGone = true;
        f.show();
        f.isGone = false;
        f.show();
        QCOMPARE(table.chosenLock()->name, f.lock->name);
        QCOMPARE(table.verticalScrollBar()->value(), scrolled);
    }

    /// That nothing moves is no reason to be silent.
    void whatIsSuspectedIsSeenAtOnce()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        QVERIFY(f.aimsAtTheQueue());
        f.suspect("payment:eu:7");
        f.show();
        const auto &suspects = *f.page.findChild<SuspectsView *>();
        const auto *text = saying<QLabel>(suspects, u"Its time-out is 2 h 05 m"_s);
        QVERIFY(text && f.isInSight(*text));
        QVERIFY(text->height() >= text->heightForWidth(text->width()));
    }

    /// With what is suspected of the lock, too.
    void threeOfTheQueueAreSeenInALowWindow()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.suspect("payment:eu:7");
        for (int i = 0; i < 3; ++i)
            f.heard(EventKind::Renewed);
        f.show();
        const QRect third = f.queue().visualRect(f.queue().model()->index(2, 1));
        QVERIFY(f.queue().viewport()->rect().contains(third));
    }

    /// Where nobody is told of, there is room for the events that tell it.
    void theEventsOfALockThatIsGoneAreSeenInALowWindow()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        const auto &events = *named<DataTable>(f.page, u"Events of the lock"_s);
        f.heard(EventKind::Renewed);
        f.show();
        QVERIFY(!events.isVisible()); // three who wait come first
        f.now = { f.now.mono + std::chrono::seconds(9), f.now.wall + std::chrono::seconds(9) };
        f.heard(EventKind::Acquired);
        f.heard(EventKind::Released);
        f.isGone = true;
        f.show();
        QVERIFY(saying<QLabel>(f.page, u"It changed after it was looked at last"_s));
        QVERIFY(f.isInSight(events));
        QVERIFY(events.viewport()->rect().contains(events.visualRect(events.model()->index(0, 1))));
    }

    /// Whatever there is no room for is not there: nothing is drawn over something else.
    void nothingLiesOverTheChartInALowWindow_data()
    {
        QTest::addColumn<int>("height");
        for (int height = 420; height <= 700; height += 20)
            QTest::addRow("%d px", height) << height;
    }
    void nothingLiesOverTheChartInALowWindow()
    {
        QFETCH(const int, height);
        Fixture f;
        f.window.resize(1'014, height);
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        f.suspect("payment:eu:7");
        LockStatistics numbers;
        numbers.lock = "payment:eu:7";
        numbers.acquires = 1;
        numbers.blocked = Millis(50'000);
        f.analysis->statistics
            = std::make_shared<const StatisticsList>(std::vector{ std::make_shared<const LockStatistics>(numbers) });
        f.show();
        const auto &charts = *f.page.findChild<DetailCharts *>();
        QVERIFY(charts.isVisible());
        std::vector<const QWidget *> parts;
        for (const QWidget *part : charts.findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
            if (part->isVisible())
                parts.push_back(part);
        QVERIFY(!parts.empty());
        for (const QWidget *part : parts)
            for (const QWidget *other : parts)
                QVERIFY2(part == other || !part->geometry().intersects(other->geometry()),
                    qPrintable(part->accessibleName() + u" / "_s + other->accessibleName()));
        QVERIFY(charts.findChild<TtlChart *>()->height() >= charts.findChild<TtlChart *>()->minimumHeight());
    }

    /// A recording has no event of what came before it; the course of the time to live, of holds before this one too.
    void marksWhereThisHoldBeganAlsoWithoutItsEvent()
    {
        Fixture f;
        const auto tip = [&f] { return f.page.findChild<TtlChart *>()->toolTip(); };
        f.lock->holders.front().since = { f.now.mono - std::chrono::seconds(20), false };
        f.show();
        QVERIFY2(!tip().contains(u"7f21aa09"_s), qPrintable(tip()));
        f.lock = std::make_shared<LockState>(*f.lock);
        f.lock->holders.front().since.exact = true;
        f.show();
        QVERIFY2(tip().contains(u"7f21aa09"_s), qPrintable(tip()));
    }

    void keysAreWholeLines()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        const auto &keys = *named<QPlainTextEdit>(f.page, u"Keys in Redis"_s);
        int seen = 0;
        for (int height = 600; height < 700; height += 7) {
            f.window.resize(1'214, height);
            f.settle();
            if (keys.isVisible() && ++seen)
                QCOMPARE(keys.viewport()->height() % keys.fontMetrics().lineSpacing(), 0);
        }
        QVERIFY(seen > 0);
    }

    /// What was counted of it is not told any more; the next hold would move the chart back.
    void theChartStaysWhereItIsWhenALockEnds()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        auto numbers = std::make_shared<LockStatistics>();
        numbers->lock = f.lock->name;
        numbers->acquires = 3;
        f.analysis->statistics = std::make_shared<const StatisticsList>(StatisticsList{ numbers });
        f.show();
        QVERIFY(f.page.findChild<SuspectsView *>()->isVisible());
        const auto &chart = *f.page.findChild<TtlChart *>();
        const auto place = [&] { return QRect(chart.mapTo(&f.page, QPoint()), chart.size()); };
        const QRect before = place();
        f.heard(EventKind::Released);
        f.isGone = true;
        f.show();
        QVERIFY(!f.page.findChild<SuspectsView *>()->isVisible());
        QCOMPARE(place(), before);
    }

    /// What was suspected of another lock keeps no room in the detail of one without.
    void whatWasSuspectedOfAnotherLockTakesNoRoom()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        const auto &chart = *f.page.findChild<TtlChart *>();
        const int before = chart.mapTo(&f.page, QPoint()).y();
        f.suspect("payment:eu:7");
        f.show();
        QVERIFY(chart.mapTo(&f.page, QPoint()).y() > before);
        f.analysis->suspects.clear();
        f.show();
        QCOMPARE(chart.mapTo(&f.page, QPoint()).y(), before);
    }

    /// The rows stay under the pointer, and the heading counts none of those that are gone.
    void whatIsGoneIsNotCounted()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        auto &locks = *f.page.findChild<LockTable *>();
        QVERIFY(saying<QLabel>(f.page, u"21 locks"_s));
        moveTo(placeIn(*locks.viewport(), { 60, 14 }));
        moveTo(placeIn(*locks.viewport(), { 61, 14 }));
        QTRY_VERIFY(locks.viewport()->underMouse());
        f.others = 4;
        f.show();
        QCOMPARE(locks.model()->rowCount(), 21);
        QVERIFY(saying<QLabel>(f.page, u"5 locks"_s));
    }

    /// Their mode is shown for a read/write lock alone, and leaves no hole when a click leads on to another.
    void theHoldersColumnsFillTheirTable()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowExposed(&f.window));
        auto &holders = *named<DataTable>(f.page, u"Holders"_s);
        const int ttl = holders.columnWidth(HolderModel::Ttl);
        f.lock->kind = synchronizers::Kind::ReadWrite;
        f.show();
        QVERIFY(!holders.isColumnHidden(HolderModel::Mode));
        auto &locks = *f.page.findChild<LockTable *>();
        const auto other = locks.model()->match(locks.model()->index(0, 0), Qt::DisplayRole, u"other:0"_s);
        QCOMPARE(other.size(), 1);
        click(cellOf(locks, other.front().row(), other.front().column()));
        f.settle();
        QVERIFY(holders.isColumnHidden(HolderModel::Mode));
        QCOMPARE(holders.columnWidth(HolderModel::Ttl), ttl);
        QCOMPARE(holders.horizontalHeader()->length(), holders.viewport()->width());
        QVERIFY(holders.columnShares().isEmpty()); // nobody dragged them
    }
};

QTEST_MAIN(DetailPlacesTest)
#include "tst_detail_places.moc"
