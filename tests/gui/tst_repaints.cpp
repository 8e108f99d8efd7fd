// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/painted.h"
#include "tests/gui/test_window.h"
#include "tests/gui/waiting_locks.h"
#include "ui/charts/lane_painter.h"
#include "ui/charts/ttl_chart.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/views/data_table.h"

#include <QHelpEvent>
#include <QScrollBar>
#include <QTest>
#include <QTimer>
#include <QToolTip>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace std::chrono_literals;
using Column = LockTableModel::Column;

namespace {

MonoTime shownTime = MonoTime(100h); // whole seconds

MonoTime now() { return shownTime; }

QRegion paintedAfter(Millis later, Painted &painted, ViewClock &clock)
{
    painted.take();
    shownTime += later;
    Q_EMIT clock.tick();
    return painted.take();
}

/// Held for an hour and some more, for another one or two.
std::shared_ptr<LockState> atRest(const LockName &name)
{
    auto lock = std::make_shared<LockState>(*makeLock(name, now()));
    lock->lease = Lease::Unknown;
    lock->renewals = 0;
    lock->expiresAt = now() + 1h + 30s;
    lock->holders.front().expiresAt = lock->expiresAt;
    lock->holders.front().since = { now() - 1h - 30s, true };
    lock->leaseSeen = Millis(2h + 1min);
    lock->lastChange = { now() - 1h - 30s, EventKind::Acquired, Certainty::Seen };
    lock->ttlHistory = { { now() - 1h - 30s, Millis(0), Millis(2h + 1min), false } };
    return lock;
}

int timersAtWork(const QWidget &window)
{
    int atWork = 0;
    for (const QTimer *timer : window.findChildren<QTimer *>())
        atWork += timer->isActive() ? 1 : 0;
    return atWork;
}

} // namespace

class RepaintsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aTablePaintsOnlyCellsThatSaySomethingElse()
    {
        Theme theme(*qApp);
        const RowStyle style{ theme };
        ViewClock clock(now);
        clock.rest(true);
        LockTableModel model(clock);
        auto changing = atRest("b");
        changing->lastChange.at = now() - 10s;
        std::vector<LockTableModel::Lock> locks{ atRest("a"), changing };
        for (int i = 0; i < 500; ++i)
            locks.push_back(atRest("c" + std::to_string(1'000 + i)));
        model.setLocks(locks);
        DataTable table(style, clock);
        table.setModel(&model);
        table.setTickingColumns({ Column::Ttl, Column::HeldFor, Column::LastChangeColumn });
        table.resize(900, 400);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        Painted painted(*table.viewport());
        paintedAfter(100ms, painted, clock); // it has seen all once
        QVERIFY(paintedAfter(100ms, painted, clock).isEmpty());
        const QRegion second = paintedAfter(1s, painted, clock);
        QCOMPARE(second.boundingRect(), table.visualRect(model.index(1, Column::LastChangeColumn)));
        QVERIFY(paintedAfter(30s, painted, clock).contains(table.visualRect(model.index(0, Column::Ttl)).center()));
    }

    /// Rows that stay in sight are moved, not painted anew; the frame that tells where the keys go stays where it is.
    void rowsAreScrolledBelowTheFrame()
    {
        Theme theme(*qApp);
        const RowStyle style{ theme };
        ViewClock clock(now);
        clock.rest(true);
        LockTableModel model(clock);
        std::vector<LockTableModel::Lock> locks;
        for (int i = 0; i < 500; ++i)
            locks.push_back(atRest("c" + std::to_string(1'000 + i)));
        model.setLocks(locks);
        DataTable table(style, clock);
        table.setModel(&model);
        table.resize(900, 400);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        table.clearFocus();
        Painted painted(*table.viewport());
        const auto scrolledBy = [&](int pixels) {
            painted.take();
            table.verticalScrollBar()->setValue(table.verticalScrollBar()->value() + pixels);
            return painted.take();
        };
        QCOMPARE(scrolledBy(40).boundingRect().height(), 40);
        table.setFocus(Qt::TabFocusReason);
        QVERIFY(table.hasFocus());
        QCOMPARE(scrolledBy(40).boundingRect(), table.viewport()->rect());
        table.selectRow(3); // shows the focus instead
        QCOMPARE(painted.take().boundingRect(), table.viewport()->rect());
        QCOMPARE(scrolledBy(40).boundingRect().height(), 40);
    }

    /// A cell changes under a pointer that rests on it.
    void aToolTipSaysWhatItsCellSays()
    {
        Theme theme(*qApp);
        const RowStyle style{ theme };
        ViewClock clock(now);
        clock.rest(true);
        LockTableModel model(clock);
        const auto heldBy = [](const char *client) {
            auto lock = atRest("a");
            lock->holders.front().owner = { client, "1" };
            return std::vector<LockTableModel::Lock>{ lock };
        };
        model.setLocks(heldBy("earlier"));
        DataTable table(style, clock);
        table.setModel(&model);
        table.resize(900, 200);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        const QPoint place = table.visualRect(model.index(0, Column::HolderColumn)).center();
        QHelpEvent help(QEvent::ToolTip, place, table.viewport()->mapToGlobal(place));
        QApplication::sendEvent(table.viewport(), &help);
        QVERIFY(QToolTip::text().contains(u"earlier"));
        model.setLocks(heldBy("later"));
        Q_EMIT clock.tick();
        QVERIFY(QToolTip::text().contains(u"later"));
        model.setLocks({});
        Q_EMIT clock.tick();
        QTRY_VERIFY(!QToolTip::isVisible());
        const QString other = QStringLiteral("of another widget");
        QToolTip::showText(table.mapToGlobal(QPoint(5, 5)), other, &table);
        model.setLocks(heldBy("later"));
        Q_EMIT clock.tick();
        QCOMPARE(QToolTip::text(), other);
        QToolTip::hideText();
    }

    /// As the bars of holds are ragged, where they begin earlier than they were seen.
    void aWaitOfUnseenBeginningBeginsBroken()
    {
        Theme theme(*qApp);
        QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("names.ini")), QSettings::IniFormat);
        const ClientNames names(settings);
        const auto breaksOf = [&](bool isSeen) {
            const Now at = currentNow();
            auto lock = fairLock("a", "x", { "y" }, at.mono);
            lock->waiters.front().since.exact = isSeen;
            auto earlier = makeSnapshot({ at.mono - 20s, at.wall - 20s }, {});
            auto snapshot = makeSnapshot(at, { lock });
            earlier->status.lastSweep.reset();
            earlier->status.phase = snapshot->status.phase = SourcePhase::Live;
            snapshot->status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = at.mono };
            Timeline timeline;
            timeline.observe(*earlier);
            timeline.observe(*snapshot);
            LanePainter lanes(theme, names, timeline);
            QImage picture(400, LaneShape::Height, QImage::Format_RGB32);
            picture.fill(theme.colors().surface);
            const double from = double((at.wall - 20s).time_since_epoch().count());
            TimeScale scale;
            scale.from = from;
            scale.perPixel = 50;
            scale.width = picture.width();
            {
                QPainter painter(&picture);
                lanes.paint(painter, timeline.lane(*timeline.laneOf("a")), scale, at.wall, 0, {});
            }
            const int y = static_cast<int>(LaneShape::waitRow(0, 0).center().y());
            int breaks = 0;
            for (int x = 1; x < picture.width(); ++x)
                breaks += picture.pixelColor(x - 1, y) == theme.color(Tone::Waiting)
                    && picture.pixelColor(x, y) == theme.colors().surface;
            return breaks;
        };
        QCOMPARE(breaksOf(true), 0);
        QCOMPARE(breaksOf(false), 2);
    }

    void aChartIsDrawnOnlyWhenItMoves()
    {
        Theme theme(*qApp);
        ViewClock clock(now);
        clock.rest(true);
        TtlChart chart(theme, clock);
        connect(&clock, &ViewClock::tick, &chart, &TtlChart::refresh);
        chart.resize(600, 200);
        chart.setLock(atRest("a"));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        Painted painted(*chart.viewport());
        paintedAfter(1s, painted, clock);
        QVERIFY(paintedAfter(1s, painted, clock).isEmpty());
        QVERIFY(!paintedAfter(10min, painted, clock).isEmpty()); // it has fallen
        chart.setLock(makeLock("renewed", now()));
        paintedAfter(1s, painted, clock);
        QVERIFY(!paintedAfter(1s, painted, clock).isEmpty()); // the saw-tooth moves
    }

    void nothingIsDoneWhileNobodySeesIt()
    {
        TestWindow program;
        program.window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&program.window));
        QVERIFY(timersAtWork(program.window) > 0);
        program.window.hide();
        QCOMPARE(timersAtWork(program.window), 0);
        program.window.show();
        QTRY_VERIFY(timersAtWork(program.window) > 0);
        program.window.showMinimized();
        QTRY_COMPARE(timersAtWork(program.window), 0);
        program.window.showNormal();
        QTRY_VERIFY(timersAtWork(program.window) > 0);
    }
};

QTEST_MAIN(RepaintsTest)
#include "tst_repaints.moc"
