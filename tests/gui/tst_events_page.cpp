// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"
#include "ui/charts/event_density.h"
#include "ui/models/roles.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/event_table.h"
#include "ui/views/events_bar.h"
#include "ui/views/events_page.h"
#include "ui/views/filter_field.h"

#include <QHelpEvent>
#include <QLabel>
#include <QProcess>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::release;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

/// The page of events of a window that watches a server.
struct Fixture : test::TestWindow {
    explicit Fixture(const RedisServer &server)
        : Fixture(server.endpoint())
    {
    }
    explicit Fixture(const transport::Deployment &servers)
    {
        ConnectionProfile profile;
        profile.deployment = servers;
        profile.environment = QStringLiteral("TEST");
        window.openConnection(profile);
        window.showPage(QStringLiteral("events"));
        window.show();
        window.setWindowState(Qt::WindowNoState); // the screen of the tests is small
        window.resize(1440, 900);
        window.activateWindow();
    }

    bool isReady()
    {
        const auto tellsFromNowOn = [this] { // no event tells of what the first look at all keys has found
            return test::saying<ElidedLabel>(eventsPage(), QStringLiteral("since ")) != nullptr
                && monitor.latest()->status.lastSweep;
        };
        return QTest::qWaitForWindowActive(&window) && QTest::qWaitFor(tellsFromNowOn, Limit);
    }
    EventsPage &eventsPage() { return *window.findChild<EventsPage *>(); }
    EventTable &table() { return *test::named<EventTable>(window, QStringLiteral("Events")); }
    QToolButton &chip(const char *name) { return *test::named<QToolButton>(eventsPage(), QString::fromLatin1(name)); }
    QAbstractButton &follow()
    {
        for (auto *each : eventsPage().findChildren<QAbstractButton *>())
            if (each->text().startsWith(QStringLiteral("Follow")))
                return *each;
        qFatal("there is no button to follow");
    }
    QString cell(int row, EventModel::Column column) { return table().model()->index(row, column).data().toString(); }
    /// -1: there is none.
    int rowOf(const QString &what, const QString &lock)
    {
        for (int row = 0; row < table().model()->rowCount(); ++row)
            if (cell(row, EventModel::What).contains(what) && cell(row, EventModel::Lock) == lock)
                return row;
        return -1;
    }
    int rows() { return table().model()->rowCount(); }
    bool isShown(const QString &text) { return test::saying<QLabel>(eventsPage(), text) != nullptr; }
};

} // namespace

class TestEventsPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void saysThatNothingHappenedYet()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(f.isShown(QStringLiteral("Nothing happened yet")), Limit);
        QVERIFY(f.isShown(QStringLiteral("since ")));
        f.window.closeConnection();
        QVERIFY(f.isShown(QStringLiteral("Not connected")));
    }

    void tellsWhatHappenedAndWhatItMeans()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("billing:close"), OwnerA, 700);
        QTRY_VERIFY_WITH_TIMEOUT(f.rowOf(QStringLiteral("expired"), QStringLiteral("billing:close")) >= 0, Limit);
        const int row = f.rowOf(QStringLiteral("expired"), QStringLiteral("billing:close"));
        QVERIFY2(f.cell(row, EventModel::Meaning).contains(QStringLiteral("ran out unreleased after ")),
            qPrintable(f.cell(row, EventModel::Meaning)));
        QVERIFY(f.cell(row, EventModel::Meaning).contains(QStringLiteral("its unlock will fail")));
        QCOMPARE(f.cell(row, EventModel::Owner), QStringLiteral("7f21aa09…:7"));
        QVERIFY(f.rowOf(QStringLiteral("acquired"), QStringLiteral("billing:close")) > row);
        f.window.resize(1366, 768);
        constexpr int Margins = 20;
        const QString forced
            = QStringLiteral("released by force from this window; its unlock will fail · held for 1 m 33 s");
        QTRY_VERIFY(QFontMetrics(f.theme.uiFont()).horizontalAdvance(forced) + Margins
            <= f.table().columnWidth(EventModel::Meaning));
    }

    /// What it did stands in the log of this computer, which is looked at whichever page is shown, and when a recording
    /// is replayed.
    void tellsWhatAnotherProgramReleasedByForce()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        const QString lock = QStringLiteral("billing:close");
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        f.monitor.recorder().start(file);
        take(m_server, lock, OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.rowOf(QStringLiteral("acquired"), lock) >= 0, Limit);
        QProcess lockctl;
        lockctl.start(QStringLiteral(LOCKCTL),
            { QStringLiteral("--url"), m_server.url(), QStringLiteral("--writable"), QStringLiteral("force-release"),
                lock, QStringLiteral("--expect"), OwnerA, QStringLiteral("--reason"), QStringLiteral("it hangs"),
                QStringLiteral("--audit-file"), f.audit });
        QVERIFY(lockctl.waitForFinished(Limit));
        QVERIFY2(lockctl.exitCode() == 0, lockctl.readAllStandardError().constData());
        QTRY_COMPARE_WITH_TIMEOUT(f.cell(f.rowOf(QStringLiteral("released"), lock), EventModel::What),
            QStringLiteral("force-released"), Limit);
        const int row = f.rowOf(QStringLiteral("force-released"), lock);
        const QString meaning = f.cell(row, EventModel::Meaning);
        QVERIFY2(meaning.startsWith(QStringLiteral("released by force, as the audit log of this computer records")),
            qPrintable(meaning));
        QTRY_COMPARE_WITH_TIMEOUT(f.chip("forced, deleted").text(), QStringLiteral("forced, deleted 1"), Limit);

        f.monitor.recorder().stop(); // with all of it
        f.window.openRecording(file);
        auto &replay = f.monitor.replay();
        QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview, Limit);
        for (const bool isJump : { true, false }) { // and what is told once more
            if (isJump)
                replay.seek(replay.state()->overview->last);
            else
                replay.play(100);
            QTRY_VERIFY_WITH_TIMEOUT(f.rowOf(QStringLiteral("force-released"), lock) >= 0, Limit);
            QCOMPARE(f.cell(f.rowOf(QStringLiteral("force-released"), lock), EventModel::Meaning), meaning);
            replay.seek(replay.state()->overview->first);
            QTRY_VERIFY_WITH_TIMEOUT(f.rowOf(QStringLiteral("force-released"), lock) < 0, Limit);
        }
    }

    void theFooterGoesWithTheRows()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        for (int i = 1; i <= 4; ++i) {
            take(m_server, QStringLiteral("order:%1").arg(i), OwnerA, 60'000);
            QTRY_COMPARE_WITH_TIMEOUT(f.rows(), i, Limit);
            QVERIFY(test::saying<ElidedLabel>(f.eventsPage(), QStringLiteral("%1 event").arg(i)));
        }
    }

    void foldsRenewalsAndOpensThem()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("job"), OwnerA, 10'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        int renewals = 0;
        for (const char *ttl : { "30000", "60000", "90000" }) {
            m_server.cli({ QStringLiteral("PEXPIRE"), QStringLiteral("job"), QString::fromLatin1(ttl) });
            ++renewals;
            const QString count = renewals == 1 ? QString() : QStringLiteral(" ×%1").arg(renewals);
            QTRY_VERIFY_WITH_TIMEOUT(f.cell(0, EventModel::What).endsWith(QStringLiteral("renewed") + count), Limit);
            QCOMPARE(f.rows(), 2);
        }
        const QRect cell = f.table().visualRect(f.table().model()->index(0, EventModel::What));
        test::click(test::placeIn(*f.table().viewport(), { cell.left() + 14, cell.center().y() }));
        QCOMPARE(f.rows(), 4);
        QVERIFY(!f.cell(1, EventModel::What).contains(QStringLiteral("×")));
        test::click(test::cellOf(f.table(), 0, EventModel::Lock));
        test::press(f.window, Qt::Key_Left);
        QCOMPARE(f.rows(), 2);
        test::press(f.window, Qt::Key_Right);
        QCOMPARE(f.rows(), 4);
    }

    void chipsChooseKinds()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("a"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit); // else it may be over before anybody looks
        release(m_server, QStringLiteral("a"));
        take(m_server, QStringLiteral("b"), OwnerB, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 3, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.chip("acquired").text().endsWith(QStringLiteral("acquired 2")), Limit);
        test::click(test::middleOf(f.chip("released")));
        QCOMPARE(f.rows(), 1);
        QCOMPARE(f.cell(0, EventModel::Lock), QStringLiteral("a"));
        test::click(test::middleOf(f.chip("acquired")));
        QCOMPARE(f.rows(), 3);
        test::click(test::middleOf(f.chip("acquired")));
        test::click(test::middleOf(f.chip("released")));
        test::click(test::middleOf(f.chip("expired")));
        QVERIFY(f.isShown(QStringLiteral("of the kinds that are chosen")));
        auto *all = test::button(f.eventsPage(), QStringLiteral("Show all events"));
        QVERIFY(all && all->isVisible());
        test::click(test::middleOf(*all));
        QCOMPARE(f.rows(), 3);
        QVERIFY(!f.chip("expired").isChecked());
    }

    void theFilterWorks()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("order:1"), OwnerA, 30'000);
        take(m_server, QStringLiteral("cart:1"), OwnerB, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        test::press(f.window, Qt::Key_K, Qt::ControlModifier);
        test::type(f.window, "name:cart ttl:<1s");
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QCOMPARE(f.cell(0, EventModel::Lock), QStringLiteral("cart:1"));
        QVERIFY(test::saying<ElidedLabel>(f.eventsPage(), QStringLiteral("“ttl:<1s” hides none")));
        take(m_server, QStringLiteral("order:2"), OwnerA, 30'000);
        take(m_server, QStringLiteral("cart:2"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        QCOMPARE(f.cell(0, EventModel::Lock), QStringLiteral("cart:2"));
        test::type(f.window, " nobody");
        QTRY_VERIFY_WITH_TIMEOUT(f.isShown(QStringLiteral("matches “name:cart ttl:<1s nobody”")), Limit);
        test::click(test::middleOf(*test::button(f.eventsPage(), QStringLiteral("Show all events"))));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 4, Limit);
    }

    void countsWhatFilterAndChipsLeave()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        for (const char *name : { "order:1", "order:2", "cart:1" })
            take(m_server, QString::fromLatin1(name), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 3, Limit);
        release(m_server, QStringLiteral("order:1"));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 4, Limit);
        const auto told
            = [&](const QString &text) { return test::saying<ElidedLabel>(f.eventsPage(), text) != nullptr; };
        QTRY_VERIFY_WITH_TIMEOUT(told(QStringLiteral("4 events since ")), Limit);
        QVERIFY(!told(QStringLiteral(" of ")));
        test::press(f.window, Qt::Key_K, Qt::ControlModifier);
        test::type(f.window, "order");
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 3, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(told(QStringLiteral("3 of 4 events since ")), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.chip("acquired").text(), QStringLiteral("acquired 2"), Limit);
        QCOMPARE(f.chip("released").text(), QStringLiteral("released 1"));
        test::click(test::middleOf(f.chip("released")));
        QTRY_VERIFY_WITH_TIMEOUT(told(QStringLiteral("1 of 4 events since ")), Limit);
        QCOMPARE(f.chip("acquired").text(), QStringLiteral("acquired 2")); // what a click on it would add
        take(m_server, QStringLiteral("order:3"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(told(QStringLiteral("1 of 5 events since ")), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.chip("acquired").text(), QStringLiteral("acquired 3"), Limit);
    }

    /// One selection, and the way to the lock itself.
    void choosesAndOpensTheLock()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("first"), OwnerA, 30'000);
        take(m_server, QStringLiteral("second"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        test::click(test::cellOf(f.table(), f.rowOf({}, QStringLiteral("first")), EventModel::Meaning));
        test::press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && f.page().selectedLock()->name == "first", Limit);
        test::press(f.window, Qt::Key_5, Qt::ControlModifier);
        test::press(f.window, Qt::Key_Up);
        QVERIFY(f.eventsPage().isVisible());
        test::press(f.window, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().isVisible(), Limit);
        QCOMPARE(f.page().selectedLock()->name, LockName("second"));
        // What is chosen there is chosen here.
        f.window.selectLock("first");
        f.window.showPage(QStringLiteral("events"));
        const QModelIndexList chosen = f.table().selectionModel()->selectedRows();
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(f.cell(chosen.front().row(), EventModel::Lock), QStringLiteral("first"));
        const test::Place place = test::cellOf(f.table(), f.rowOf({}, QStringLiteral("second")), EventModel::Lock);
        QTest::mouseDClick(place.window, Qt::LeftButton, {}, place.point);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().isVisible(), Limit);
        QCOMPARE(f.page().selectedLock()->name, LockName("second"));
    }

    void stopsToFollowWhereAPersonLooks()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        for (int i = 0; i < 60; ++i)
            take(m_server, QStringLiteral("lock:%1").arg(i), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 60, Limit);
        QVERIFY(f.eventsPage().isFollowing());
        f.table().setFocus();
        test::press(f.window, Qt::Key_PageDown);
        test::press(f.window, Qt::Key_PageDown);
        QVERIFY(f.table().verticalScrollBar()->value() > 0);
        QVERIFY(!f.eventsPage().isFollowing());
        const int top = f.table().rowAt(0);
        const QString seen = f.cell(top, EventModel::Lock);
        take(m_server, QStringLiteral("late"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.follow().text().endsWith(QStringLiteral("1 new")), Limit);
        QCOMPARE(f.cell(f.table().rowAt(0), EventModel::Lock), seen);
        QCOMPARE(f.rows(), 60);
        test::click(test::middleOf(f.follow()));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 61, Limit);
        QVERIFY(f.eventsPage().isFollowing());
        QCOMPARE(f.table().verticalScrollBar()->value(), 0);
        QCOMPARE(f.cell(0, EventModel::Lock), QStringLiteral("late"));
        take(m_server, QStringLiteral("later"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.cell(0, EventModel::Lock), QStringLiteral("later"), Limit);
    }

    /// What the filter and the chips hide would not come by a click.
    void tellsHowManyNewRowsThereWouldBe()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("order:1"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        test::press(f.window, Qt::Key_K, Qt::ControlModifier);
        test::type(f.window, "order");
        test::click(test::middleOf(f.chip("acquired")));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        test::click(test::middleOf(f.follow()));
        QVERIFY(!f.eventsPage().isFollowing());
        QSignalSpy heard(&f.monitor, &service::Monitor::eventsReported);
        for (const char *name : { "cart:1", "cart:2", "order:2" })
            take(m_server, QString::fromLatin1(name), OwnerB, 60'000);
        release(m_server, QStringLiteral("order:1"));
        QTRY_COMPARE_WITH_TIMEOUT(f.follow().text(), QStringLiteral("Follow · 1 new"), Limit);
        release(m_server, QStringLiteral("cart:1"));
        take(m_server, QStringLiteral("order:3"), OwnerB, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.follow().text(), QStringLiteral("Follow · 2 new"), Limit);
        QCOMPARE(f.rows(), 1);
        test::click(test::middleOf(f.follow()));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 3, Limit);
        QCOMPARE(f.follow().text(), QStringLiteral("Follow"));
    }

    /// And what stands beside it does not move when something is.
    void theButtonToFollowIsAsWideAsItsTextWhileNothingIsNew()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("first"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        const int text = f.follow().fontMetrics().horizontalAdvance(f.follow().text());
        QVERIFY2(f.follow().width() < text + 40, qPrintable(QString::number(f.follow().width())));
        const int right = f.follow().geometry().right();
        const int chips = f.chip("servers").x();
        test::click(test::middleOf(f.follow()));
        take(m_server, QStringLiteral("second"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.follow().text(), QStringLiteral("Follow · 1 new"), Limit);
        test::doLayouts();
        QVERIFY(f.follow().width() >= f.follow().sizeHint().width());
        QCOMPARE(f.follow().geometry().right(), right);
        QCOMPARE(f.chip("servers").x(), chips);
    }

    /// It was there before: that many locks were found is not how much happened then.
    void whatALookFoundSetsNoScale()
    {
        EventStore store;
        const WallTime from{ Millis(1'790'000'000'000) };
        const auto hear = [&](std::chrono::seconds at, EventKind kind, int times) {
            std::vector<Event> events(static_cast<std::size_t>(times));
            for (std::size_t i = 0; i < events.size(); ++i) {
                events[i].at = from + at;
                events[i].kind = kind;
                events[i].lock = "lock:" + std::to_string(i);
                events[i].owner = OwnerId{ "a", "1" };
            }
            store.add(events);
        };
        hear(std::chrono::seconds(10), EventKind::Appeared, 3'000);
        hear(std::chrono::seconds(30), EventKind::Acquired, 4);
        hear(std::chrono::seconds(50), EventKind::Acquired, 2);
        const EventChoice choice;
        EventTally tally(store, choice);
        tally.restart();
        while (!tally.advance(1'000)) { }
        Theme theme(*qApp);
        EventDensity strip(theme, tally);
        strip.resize(800, 62);
        strip.show(EventDensity::Span{ from, from + std::chrono::seconds(60) }, {});
        strip.QWidget::show();
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        const QImage picture = strip.grab().toImage();
        const auto xOf = [&](double second) { return int(16 + (strip.width() - 32) * second / 60) + 3; };
        const auto heightAt = [&](double second) {
            int height = 0;
            for (int y = 0; y < strip.height(); ++y)
                height += picture.pixelColor(xOf(second), y) == theme.colors().accent ? 1 : 0;
            return height;
        };
        QVERIFY2(heightAt(30) > 25, qPrintable(QString::number(heightAt(30))));
        QVERIFY(std::abs(heightAt(30) - 2 * heightAt(50)) <= 2);
        QVERIFY(heightAt(10) > 20);
        QVERIFY2(heightAt(10) < heightAt(30), "it is drawn like one that is whole"); // it is cut
        QVERIFY(strip.accessibleDescription().contains(QStringLiteral("the highest 4 events")));
        const QPoint place(xOf(10), 20);
        QHelpEvent help(QEvent::ToolTip, place, strip.mapToGlobal(place));
        QCoreApplication::sendEvent(&strip, &help);
        QTRY_VERIFY2(QToolTip::text().contains(countText(3'000)), qPrintable(QToolTip::text()));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("found")), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void standsStillWhilePaused()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("before"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        f.window.setPaused(true);
        QSignalSpy reported(&f.monitor, &service::Monitor::eventsReported);
        take(m_server, QStringLiteral("meanwhile"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!reported.isEmpty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.monitor.latest()->locks.find("meanwhile"), Limit); // what was reported may be of the server
        f.window.showPage(QStringLiteral("locks"));
        f.window.showPage(QStringLiteral("events"));
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<ElidedLabel>(f.eventsPage(), QStringLiteral("stands still")), Limit);
        QCOMPARE(f.rows(), 1);
        test::click(test::middleOf(f.chip("acquired"))); // other choices do not let time go on
        QCOMPARE(f.rows(), 1);
        f.window.setPaused(false);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
    }

    /// What happened while another page was shown, up to the pause, and nothing of after it.
    void showsThePauseThoughItWasHidden()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        f.window.showPage(QStringLiteral("locks"));
        QSignalSpy reported(&f.monitor, &service::Monitor::eventsReported);
        take(m_server, QStringLiteral("before"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!reported.isEmpty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.monitor.latest()->locks.find("before"), Limit); // what was reported may be of the server
        f.window.setPaused(true);
        reported.clear();
        take(m_server, QStringLiteral("after"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!reported.isEmpty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.monitor.latest()->locks.find("after"), Limit); // what was reported may be of the server
        f.window.showPage(QStringLiteral("events"));
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        QCOMPARE(f.cell(0, EventModel::Lock), QStringLiteral("before"));
        QCOMPARE(f.chip("acquired").text(), QStringLiteral("acquired 1"));
        QVERIFY(f.isShown(QStringLiteral("1 event"))
            || test::saying<ElidedLabel>(f.eventsPage(), QStringLiteral("1 event")));
    }

    /// A server that is lost takes nothing away of what had happened before.
    void showsWhatWasBeforeALossThoughItWasHidden()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        f.window.showPage(QStringLiteral("locks"));
        QSignalSpy reported(&f.monitor, &service::Monitor::eventsReported);
        take(m_server, QStringLiteral("before"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(!reported.isEmpty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.monitor.latest()->locks.find("before"), Limit); // what was reported may be of the server
        m_server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->status.phase == SourcePhase::Stale, Limit);
        f.window.showPage(QStringLiteral("events"));
        QTRY_VERIFY_WITH_TIMEOUT(f.rowOf(QStringLiteral("acquired"), QStringLiteral("before")) >= 0, Limit);
        QVERIFY(m_server.restart());
    }

    void saysWhenNothingWasSeen()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        m_server.kill();
        QVERIFY(m_server.restart());
        QTRY_VERIFY_WITH_TIMEOUT(f.rowOf(QStringLiteral("not seen"), {}) >= 0, Limit);
        const int row = f.rowOf(QStringLiteral("not seen"), {});
        QVERIFY(f.table().model()->index(row, EventModel::Meaning).data(UnseenRole).toBool());
        QVERIFY(f.cell(row, EventModel::Meaning).contains(QStringLiteral("what else happened is not known")));
        test::click(test::middleOf(f.chip("expired"))); // a gap is among every choice
        QVERIFY(f.rowOf(QStringLiteral("not seen"), {}) >= 0);
    }

    /// Its event comes when it is over.
    void hatchesATimeThatIsStillNotSeenOnOneOfSeveral()
    {
        testsupport::RedisServers servers(2);
        QVERIFY(servers.start());
        transport::Deployment both;
        both.topology = transport::Topology::Nodes;
        both.seeds = servers.endpoints();
        Fixture f(both);
        QVERIFY(f.isReady());
        auto &strip = *f.window.findChild<EventDensity *>();
        const auto tip = [&] {
            const QPoint newest(strip.width() - 18, strip.height() / 2);
            QHelpEvent help(QEvent::ToolTip, newest, strip.mapToGlobal(newest));
            QApplication::sendEvent(&strip, &help);
            return QToolTip::text();
        };
        QVERIFY2(tip().contains(QStringLiteral("0 events")), qPrintable(tip()));
        servers[1].pause();
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->status.staleSince, Limit);
        QTRY_VERIFY2_WITH_TIMEOUT(tip().contains(QStringLiteral("not all was seen")), qPrintable(tip()), Limit);
        servers[1].resume();
        QTRY_VERIFY_WITH_TIMEOUT(!f.monitor.latest()->status.staleSince, Limit);
        QTRY_VERIFY2_WITH_TIMEOUT(tip().contains(QStringLiteral("events")), qPrintable(tip()), Limit);
        QToolTip::hideText();
    }

    /// A click above the rows leads to what happened then.
    void theStripAboveLeadsToATime()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        for (int i = 0; i < 60; ++i)
            take(m_server, QStringLiteral("lock:%1").arg(i), OwnerA, 60'000);
        auto &strip = *f.window.findChild<EventDensity *>();
        const auto counted = [&] {
            qint64 events = 0;
            for (const EventDensity::Bar &bar : strip.bars())
                events += bar.events;
            return events;
        };
        QTRY_COMPARE_WITH_TIMEOUT(counted(), 60, Limit);
        QVERIFY(f.eventsPage().isFollowing());
        test::click(test::placeIn(strip, { 20, 20 })); // before the first of them
        QVERIFY(!f.eventsPage().isFollowing());
        QTRY_VERIFY(f.table().verticalScrollBar()->value() == f.table().verticalScrollBar()->maximum());
        strip.setFocus();
        test::press(f.window, Qt::Key_End);
        QTRY_COMPARE(f.table().verticalScrollBar()->value(), 0);
        test::click(test::middleOf(f.chip("released")));
        QTRY_COMPARE_WITH_TIMEOUT(counted(), 0, Limit);
    }

    void homeAndEndLeadToTheNewestAndTheOldest()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        constexpr int Rows = 50;
        for (int i = 0; i < Rows; ++i)
            take(m_server, QStringLiteral("lock:%1").arg(i), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), Rows, Limit);
        f.table().setFocus();
        const auto chosen = [&] {
            const QModelIndexList rows = f.table().selectionModel()->selectedRows();
            return rows.size() == 1 ? rows.front().row() : -1;
        };
        QCOMPARE(chosen(), -1);
        test::press(f.window, Qt::Key_End);
        QCOMPARE(chosen(), Rows - 1);
        test::press(f.window, Qt::Key_Home);
        QCOMPARE(chosen(), 0);
        test::press(f.window, Qt::Key_End);
        QCOMPARE(chosen(), Rows - 1);
    }

    /// And what has come meanwhile is written where there was room for it before.
    void countsKindsAlsoWhereThereAreMany()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        f.window.resize(1'366, 768);
        auto &bar = *f.eventsPage().findChild<EventsBar *>();
        QTRY_COMPARE(bar.window()->width(), 1'366);
        const auto show = [&bar](std::size_t often, std::size_t seldom) {
            EventsBar::Counts counts;
            counts.fill(0);
            for (const auto kind : { EventKind::Acquired, EventKind::Renewed, EventKind::Released })
                counts[static_cast<std::size_t>(kind)] = often;
            for (const auto kind :
                { EventKind::Appeared, EventKind::Expired, EventKind::Queued, EventKind::CountChanged })
                counts[static_cast<std::size_t>(kind)] = seldom;
            bar.setCounts(counts);
        };
        show(429, 12);
        QCOMPARE(f.chip("renewed").text(), QStringLiteral("renewed 429"));
        show(12'990, 99);
        QCOMPARE(f.chip("renewed").text(), QStringLiteral("renewed 12 k"));
        QCOMPARE(f.chip("expired").text(), QStringLiteral("expired 99"));
        QCOMPARE(shortCountText(999), QStringLiteral("999"));
        QCOMPARE(shortCountText(3'290), QStringLiteral("3.2 k"));
        show(1'290'000, 60);
        QCOMPARE(f.chip("renewed").text(), QStringLiteral("renewed 1.2 M"));
        take(m_server, QStringLiteral("first"), OwnerA, 60'000); // nobody leaves an empty table
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 1, Limit);
        test::click(test::middleOf(f.follow()));
        QVERIFY(!f.eventsPage().isFollowing());
        take(m_server, QStringLiteral("second"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.follow().text(), QStringLiteral("Follow · 1 new"), Limit);
        test::doLayouts();
        const int width = f.follow().width();
        for (int i = 0; i < 12; ++i)
            take(m_server, QStringLiteral("lock:%1").arg(i), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.follow().text(), QStringLiteral("Follow · 13 new"), Limit);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
        QCOMPARE(f.follow().width(), width);
    }

    void theDetailOfALockHasItsOwn()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        take(m_server, QStringLiteral("it"), OwnerA, 60'000);
        take(m_server, QStringLiteral("other"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), 2, Limit);
        f.window.showPage(QStringLiteral("locks"));
        f.window.selectLock("it");
        auto &own = *test::named<EventTable>(f.window, QStringLiteral("Events of the lock"));
        QTRY_VERIFY_WITH_TIMEOUT(own.isVisible(), Limit);
        const auto said
            = [&](int row, EventModel::Column column) { return own.model()->index(row, column).data().toString(); };
        QTRY_COMPARE_WITH_TIMEOUT(own.model()->rowCount(), 1, Limit);
        QVERIFY(
            said(0, EventModel::What).endsWith(QStringLiteral("acquired"))); // probably, where a sweep found it first
        release(m_server, QStringLiteral("it"));
        QTRY_COMPARE_WITH_TIMEOUT(own.model()->rowCount(), 2, Limit);
        QVERIFY(said(0, EventModel::What).endsWith(QStringLiteral("released")));
        QVERIFY(said(0, EventModel::Meaning).startsWith(QStringLiteral("held for ")));
    }

private:
    RedisServer m_server;
};

QTEST_MAIN(TestEventsPage)

#include "tst_events_page.moc"
