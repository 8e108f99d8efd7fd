// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/charts/histogram_chart.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/help_window.h"
#include "ui/support/freshness.h"
#include "ui/support/navigation.h"
#include "ui/support/picture.h"
#include "ui/support/widgets.h"
#include "ui/views/dashboard_page.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/event_table.h"
#include "ui/views/filter_field.h"
#include "ui/views/lab_page.h"
#include "ui/views/pages.h"
#include "ui/views/status_strip.h"
#include "ui/views/suspect_list.h"

#include <QAccessible>
#include <QCheckBox>
#include <QHelpEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QSignalSpy>
#include <QTabBar>
#include <QToolButton>
#include <QToolTip>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::release;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

struct Fixture : TestWindow {
    explicit Fixture(const RedisServer &server, const QSize &size = { 1'440, 900 })
    {
        connectTo(server.endpoint());
        showAt(size);
    }

    Navigation &list() { return *named<Navigation>(window, QStringLiteral("Pages")); }
    DashboardPage &dashboard() { return *window.findChild<DashboardPage *>(); }
    QString figure(const QString &tile) { return named<QLabel>(window, tile)->text(); }
    Place entry(const QString &title)
    {
        QListWidgetItem *item = list().findItems(title, Qt::MatchExactly).value(0);
        return placeIn(*list().viewport(), list().visualItemRect(item).center());
    }
};

/// Of what stands on the shown page instead of anything to show.
QString shownTitle(const TestWindow &f)
{
    for (const auto *each : f.window.findChildren<EmptyState *>())
        if (each->isVisible())
            return each->accessibleName();
    return {};
}

/// What is clicked on is meant, however lately it changed.
struct NoDoubleClicks {
    NoDoubleClicks() { QApplication::setDoubleClickInterval(0); }
    ~NoDoubleClicks() { QApplication::setDoubleClickInterval(m_before); }
    Q_DISABLE_COPY_MOVE(NoDoubleClicks)

private:
    const int m_before = QApplication::doubleClickInterval();
};

std::shared_ptr<monitor::Snapshot> failed(ErrorCode code)
{
    auto snapshot = std::make_shared<monitor::Snapshot>();
    snapshot->status.phase = monitor::SourcePhase::Failed;
    snapshot->status.server = "db:6379";
    snapshot->status.error = Error{ code, "Connection refused", "connecting to db:6379" };
    return snapshot;
}

/// The buttons in the middle of the page that is shown.
QStringList offered(TestWindow &f)
{
    QStringList texts;
    for (const auto *empty : f.window.findChildren<EmptyState *>())
        for (const auto *button : empty->findChildren<QPushButton *>())
            if (button->isVisible())
                texts << button->text();
    return texts;
}

} // namespace

class PagesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void areChosenByMouseAndByKey()
    {
        Fixture f(m_server);
        QVERIFY(f.page().isVisible());
        click(f.entry(QStringLiteral("Dashboard")));
        QVERIFY(f.dashboard().isVisible());
        QVERIFY(!f.page().isVisible());
        for (const PageName &name : PageNames) {
            press(f.window, name.key, Qt::ControlModifier);
            QCOMPARE(f.list().currentItem()->text(), QString::fromLatin1(name.title));
        }
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QVERIFY(f.page().isVisible());
        QVERIFY(f.window.showPage(QStringLiteral("dashboard")));
        QVERIFY(f.dashboard().isVisible());
        QVERIFY(!f.window.showPage(QStringLiteral("no such page")));
        QVERIFY(f.dashboard().isVisible());
    }

    /// Nothing is out of its reach, and nothing keeps it.
    void areWalkedWholeByTab()
    {
        take(m_server, QStringLiteral("it"), OwnerA, 60'000);
        Fixture f(m_server);
        const auto *events = named<EventTable>(f.window, QStringLiteral("Events of the lock"));
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && events->isVisible(), Limit);
        for (const PageName &name : PageNames) {
            press(f.window, name.key, Qt::ControlModifier);
            const auto isStop = [&](const QWidget *each) {
                return each->window() == &f.window && each->isVisible() && each->isEnabled()
                    && (each->focusPolicy() & Qt::TabFocus) != 0 && each->focusProxy() == nullptr;
            };
            QTRY_VERIFY_WITH_TIMEOUT(f.window.focusWidget() != nullptr, Limit);
            const auto leftOut = [&] { // by one walk: what comes meanwhile is reached by the next
                QSet<const QWidget *> visited;
                for (const QWidget *at = f.window.focusWidget(); !visited.contains(at); at = f.window.focusWidget()) {
                    visited.insert(at);
                    press(f.window, Qt::Key_Tab);
                }
                QStringList stops;
                for (const QWidget *each : f.window.findChildren<QWidget *>())
                    if (isStop(each) && !visited.contains(each))
                        stops << QLatin1String(name.title) + u": " + QLatin1String(each->metaObject()->className())
                                + u' ' + each->accessibleName();
                return stops;
            };
            QTRY_COMPARE_WITH_TIMEOUT(leftOut(), QStringList(), Limit);
        }
    }

    /// At the start, too, where the rows come later than the window: the first key finds the table.
    void giveTheKeysToTheRowsOfTheFirst()
    {
        for (const char *name : { "a", "b" })
            take(m_server, QString::fromLatin1(name), OwnerA, 60'000);
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("for:ever"), OwnerA, QStringLiteral("1") });
        Fixture f(m_server);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        auto &table = *named<DataTable>(f.window, QStringLiteral("Locks"));
        QTRY_COMPARE_WITH_TIMEOUT(table.model()->rowCount(), 3, Limit);
        QVERIFY(table.hasFocus());
        press(f.window, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(table.currentIndex().row(), 2);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QToolButton>(f.window, QStringLiteral("1 needs attention")), Limit);
        for (const auto key : { Qt::Key_1, Qt::Key_F8 }) {
            press(f.window, Qt::Key_4, Qt::ControlModifier);
            QVERIFY(!table.hasFocus());
            press(f.window, key, key == Qt::Key_1 ? Qt::ControlModifier : Qt::NoModifier);
            QVERIFY(table.hasFocus());
        }
        m_server.cli({ QStringLiteral("FLUSHALL") });
        QTRY_VERIFY_WITH_TIMEOUT(!table.isVisible(), Limit);
        take(m_server, QStringLiteral("new"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(table.isVisible(), Limit);
        QVERIFY(table.hasFocus());
    }

    /// Rows that come or go take the focus from nobody who types.
    void leaveTheFocusToTheField()
    {
        Fixture f(m_server);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QTRY_VERIFY_WITH_TIMEOUT(!shownTitle(f).isEmpty(), Limit);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        auto &field = *f.window.findChild<FilterField *>();
        const auto &table = *named<DataTable>(f.window, QStringLiteral("Locks"));
        take(m_server, QStringLiteral("it"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(table.isVisible(), Limit);
        QVERIFY(field.hasFocus());
        type(f.window, "no such");
        QVERIFY(!table.isVisible());
        QVERIFY(field.hasFocus());
        press(f.window, Qt::Key_Escape);
        QVERIFY(table.isVisible());
        QVERIFY(field.hasFocus());
    }

    /// A tip that is shown would go with the focus, and the frame that keys have.
    void leaveTheFocusWhereItIsWhenSomethingChanges()
    {
        take(m_server, QStringLiteral("it"), OwnerA, 60'000);
        Fixture f(m_server);
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        const auto &table = *named<DataTable>(f.window, QStringLiteral("Locks"));
        QTRY_VERIFY_WITH_TIMEOUT(table.isVisible() && table.model()->rowCount() > 0, Limit); // before, a page is empty
        for (const auto key : { Qt::Key_2, Qt::Key_4 }) {
            press(f.window, key, Qt::ControlModifier);
            QTRY_VERIFY_WITH_TIMEOUT(f.window.focusWidget() != nullptr, Limit);
            QSignalSpy shown(&f.monitor, &service::Monitor::snapshotReady);
            QSignalSpy moved(qApp, &QApplication::focusChanged);
            for (int i = 0; i < 3; ++i) {
                take(m_server, QStringLiteral("more"), OwnerB, 60'000 + i);
                const auto before = shown.size();
                QTRY_VERIFY_WITH_TIMEOUT(shown.size() > before, Limit);
            }
            QCOMPARE(moved.size(), 0);
        }
    }

    void leadToTheirChapterOfTheGuide()
    {
        Fixture f(m_server);
        for (const auto &[key, title] : { std::pair{ Qt::Key_1, "Reading the window" }, { Qt::Key_2, "The timeline" },
                 { Qt::Key_3, "The wait graph" }, { Qt::Key_4, "The dashboard" }, { Qt::Key_5, "Events" },
                 { Qt::Key_6, "The audit page" }, { Qt::Key_7, "The contention lab" } }) {
            press(f.window, key, Qt::ControlModifier);
            press(f.window, Qt::Key_F1);
            auto *help = f.window.findChild<HelpWindow *>();
            QVERIFY(help && help->isVisible());
            QCOMPARE(help->findChild<QListWidget *>()->currentItem()->text(), QString::fromLatin1(title));
            f.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&f.window));
        }
        // Of a page with parts, to what it says of the one that is shown.
        auto &lab = *f.window.findChild<LabPage *>();
        auto &parts = *named<QTabBar>(lab, QStringLiteral("Parts of the lab"));
        click(placeIn(parts, parts.tabRect(parts.count() - 1).center()));
        press(f.window, Qt::Key_F1);
        QCOMPARE(f.window.findChild<GuideBrowser *>()->source().fragment(), QStringLiteral("your-own-scenarios"));
    }

    void areListedOnTopWhereItIsNarrow()
    {
        Fixture f(m_server, { 1'000, 640 });
        QTRY_VERIFY(f.list().height() < 80);
        QCOMPARE(f.list().visualItemRect(f.list().item(0)).top(), f.list().visualItemRect(f.list().item(1)).top());
        for (int row = 0; row < f.list().count(); ++row)
            QVERIFY(f.list().viewport()->rect().contains(f.list().visualItemRect(f.list().item(row))));
        click(f.entry(QStringLiteral("Dashboard")));
        QVERIFY(f.dashboard().isVisible());
        f.window.resize(1'440, 900);
        QTRY_VERIFY(f.list().width() < 200);
        QCOMPARE(f.list().visualItemRect(f.list().item(0)).left(), f.list().visualItemRect(f.list().item(1)).left());
    }

    void tellHowManyLocksThereAreFromEachPage()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("one"), OwnerA, 30'000);
        const auto said = [&] { return f.list().item(0)->data(Qt::AccessibleTextRole).toString(); };
        QTRY_COMPARE_WITH_TIMEOUT(said(), QStringLiteral("Locks 1"), Limit);
        QCOMPARE(f.page().locks().rowCount(), 0); // a hidden page costs nothing
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(f.page().locks().rowCount(), 1); // and is right when it is shown
    }

    void countWhatHappens()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("kept"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
        take(m_server, QStringLiteral("lost"), OwnerB, 300);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Ran out unreleased")), QStringLiteral("1"), Limit);
        auto *holds = named<HistogramChart>(f.dashboard(), QStringLiteral("Hold times"));
        QTRY_COMPARE_WITH_TIMEOUT(holds->histogram().total(), 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
    }

    void standStillWhilePaused()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("kept"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
        f.window.setPaused(true);
        QSignalSpy heard(&f.monitor, &service::Monitor::eventsReported);
        take(m_server, QStringLiteral("lost"), OwnerB, 100);
        QTRY_VERIFY_WITH_TIMEOUT(heard.size() >= 2, Limit); // taken, and ran out
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("more"), OwnerB, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->locks.find("more"), Limit);
        QSignalSpy shown(&f.monitor, &service::Monitor::snapshotReady);
        QTRY_VERIFY_WITH_TIMEOUT(shown.size() >= 2, Limit); // of another second: the rates fall
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        const QString ranOut = f.figure(QStringLiteral("Ran out unreleased"));
        QVERIFY(
            ranOut == QStringLiteral("0") || ranOut == QStringLiteral("?")); // it was counted for less than a second
        QCOMPARE(f.figure(QStringLiteral("Held")), QStringLiteral("1"));
        QVERIFY(saying<ElidedLabel>(f.dashboard(), QStringLiteral("none was seen")));
        f.window.setPaused(false);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Ran out unreleased")), QStringLiteral("1"), Limit);
    }

    void leadFromASuspectToItsLock()
    {
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("for:ever"), OwnerA, QStringLiteral("1") });
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        auto *suspects = f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 1, Limit);
        const QRect row = suspects->visualItemRect(suspects->item(0));
        const Place place = placeIn(*suspects->viewport(), row.center());
        click(place);
        QTest::mouseDClick(place.window, Qt::LeftButton, {}, place.point);
        QVERIFY(f.page().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && f.page().selectedLock()->name == "for:ever", Limit);
    }

    /// The one of the command line, on the page of the command line.
    void chooseWhatWasAskedForOnThePageThatWasAskedFor()
    {
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("for:ever"), OwnerA, QStringLiteral("1") });
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        TestWindow f;
        f.window.showPage(QStringLiteral("dashboard"));
        f.window.selectOnceConnected("for:ever");
        f.connectTo(m_server.endpoint());
        f.showAt({ 1'440, 900 });
        auto *suspects = f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(suspects->currentRow(), 0, Limit);
        QVERIFY(f.window.findChild<DashboardPage *>()->isVisible());
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && f.page().selectedLock()->name == "for:ever", Limit);
    }

    void chooseALockTogether()
    {
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("for:ever"), OwnerA, QStringLiteral("1") });
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        Fixture f(m_server);
        auto *suspects = f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 2, Limit);
        f.window.selectLock("for:ever");
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 1, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(suspects->currentRow(), 0, Limit);
    }

    /// Where no suspect is chosen, Enter opens none.
    void openNoSuspectThatIsNotChosen()
    {
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("for:ever"), OwnerA, QStringLiteral("1") });
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        Fixture f(m_server);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 2, Limit);
        f.window.selectLock("a");
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        auto *suspects = f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 1, Limit);
        suspects->setFocus(Qt::TabFocusReason);
        QVERIFY(suspects->selectedItems().isEmpty());
        press(f.window, Qt::Key_Return);
        QVERIFY(suspects->isVisible());
        QVERIFY(f.page().selectedLock() && f.page().selectedLock()->name == "a");
    }

    /// What a person looks at stays chosen while the keys only pass.
    void chooseNoSuspectByTheFocusAlone()
    {
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("for:ever"), OwnerA, QStringLiteral("1") });
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        Fixture f(m_server);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 2, Limit);
        f.window.selectLock("a");
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        auto *suspects = f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 1, Limit);
        const QWidget *first = f.window.focusWidget();
        do
            press(f.window, Qt::Key_Tab);
        while (!suspects->hasFocus() && f.window.focusWidget() != first);
        QVERIFY(suspects->hasFocus());
        QCOMPARE(f.page().selectedLock()->name, LockName("a"));
        QVERIFY(suspects->selectedItems().isEmpty());
        m_server.cli({ QStringLiteral("HSET"), QStringLiteral("too"), OwnerA, QStringLiteral("1") });
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 2, Limit);
        QVERIFY(suspects->selectedItems().isEmpty());
        press(f.window, Qt::Key_Down);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().selectedLock()->name, LockName("for:ever"), Limit);
    }

    void filterSuspects()
    {
        for (const char *name : { "for:ever", "stock:1" })
            m_server.cli({ QStringLiteral("HSET"), QString::fromLatin1(name), OwnerA, QStringLiteral("1") });
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        auto *suspects = f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 2, Limit);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "stock");
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 1, Limit);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QCOMPARE(suspects->count(), 1);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        for (int i = 0; i < 5; ++i)
            press(f.window, Qt::Key_Backspace);
        QTRY_COMPARE_WITH_TIMEOUT(suspects->count(), 2, Limit);
    }

    void filterByTheNameAlsoWhatIsGone()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        const QString queue = QStringLiteral("redisson_lock_queue:{stock:1}");
        take(m_server, QStringLiteral("stock:1"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
        m_server.cli({ QStringLiteral("RPUSH"), queue, OwnerB });
        m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("redisson_lock_timeout:{stock:1}"),
            QStringLiteral("99999999999999"), OwnerB });
        testsupport::BlockingClient waiter(m_server.socketPath().toStdString()); // else it were a ghost
        waiter.run({ "SUBSCRIBE", "redisson_lock__channel:{stock:1}:" + OwnerB.toStdString() });
        auto *contended = named<DataTable>(f.window, QStringLiteral("Most contended locks"));
        QTRY_COMPARE_WITH_TIMEOUT(contended->model()->rowCount(), 1, Limit);
        m_server.cli({ QStringLiteral("FLUSHALL") });
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("0"), Limit);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "stock");
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.dashboard(), QStringLiteral("filtered")), Limit);
        QCOMPARE(contended->model()->rowCount(), 1);
        type(f.window, "x");
        QTRY_COMPARE_WITH_TIMEOUT(contended->model()->rowCount(), 0, Limit);
    }

    /// Nobody saw that they live: no time is counted, and they do stand there.
    void deniesNoWaitThatMayBeAGhosts()
    {
        take(m_server, QStringLiteral("stock:1"), OwnerA, 30'000);
        m_server.cli({ QStringLiteral("RPUSH"), QStringLiteral("redisson_lock_queue:{stock:1}"), OwnerB });
        m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("redisson_lock_timeout:{stock:1}"),
            QStringLiteral("99999999999999"), OwnerB });
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            saying<QLabel>(f.dashboard(), QStringLiteral("nobody in a queue was seen to listen")), Limit);
        QVERIFY(!saying<QLabel>(f.dashboard(), QStringLiteral("nobody was seen to wait")));
    }

    void readFiguresOut()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("kept"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
        auto *said = QAccessible::queryAccessibleInterface(named<QLabel>(f.window, QStringLiteral("Held")));
        QVERIFY(said->text(QAccessible::Description).startsWith(QLatin1Char('1')));
    }

    void showTheLongestHoldAtItsPlace()
    {
        Theme theme(*qApp);
        HistogramChart chart(theme, Tone::Fixed);
        DurationHistogram histogram;
        histogram.add(24h * 12);
        chart.setHistogram(histogram);
        chart.resize(600, 120);
        const QImage image = chart.grab().toImage();
        const QColor bar = image.pixelColor(image.width() - 6, image.height() / 2);
        QCOMPARE(bar.rgb(), theme.color(Tone::Fixed).rgb());
        const QColor before = image.pixelColor(565, image.height() / 2); // where those of four days stand
        QVERIFY(before.rgb() != theme.color(Tone::Fixed).rgb());
    }

    void writeWholeTimesAtTheLinesOfAScale()
    {
        Theme theme(*qApp);
        HistogramChart chart(theme, Tone::Fixed);
        DurationHistogram histogram;
        histogram.add(24h * 12);
        chart.setHistogram(histogram);
        chart.resize(900, 120);
        const QString svg = QString::fromStdString(Picture{ theme, {}, {}, { &chart }, Qt::white }.svg());
        for (const char *text : { "1 ms", "10 ms", "0.1 s", "1 s", "10 s", "1 m", "10 m", "1 h", "10 h" })
            QVERIFY2(svg.contains(u'>' + QString::fromLatin1(text) + u'<'), text);
    }

    void sayThatMoreNeedAttentionThanAreListed()
    {
        m_server.cli(
            { QStringLiteral("EVAL"), QStringLiteral("for i=1,1010 do redis.call('HSET','l:'..i,ARGV[1],'1') end"),
                QStringLiteral("0"), OwnerA });
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QToolButton>(f.window, QStringLiteral("≥ 1,000 need attention"))
                || saying<QToolButton>(f.window, QStringLiteral("≥ 1000 need attention")),
            Limit);
    }

    void leadToWhatNeedsAttention()
    {
        for (const char *name : { "for:ever", "stock:1" })
            m_server.cli({ QStringLiteral("HSET"), QString::fromLatin1(name), OwnerA, QStringLiteral("1") });
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        const auto chip = [&] { return saying<QToolButton>(f.window, QStringLiteral("need attention")); };
        QTRY_VERIFY_WITH_TIMEOUT(chip() && chip()->text() == QStringLiteral("2 need attention"), Limit);
        QVERIFY(chip()->toolTip().contains(QStringLiteral("It counts locks")));
        const auto chosen = [&] { return f.page().selectedLock() ? f.page().selectedLock()->name : LockName(); };
        press(f.window, Qt::Key_F8);
        QVERIFY(f.page().isVisible());
        QCOMPARE(chosen(), LockName("for:ever"));
        press(f.window, Qt::Key_F8);
        QCOMPARE(chosen(), LockName("stock:1"));
        click(middleOf(*chip()));
        QCOMPARE(chosen(), LockName("for:ever"));
        for (const char *other : { "a", "nosuch" }) { // which needs no attention, or is gone
            f.window.selectLock(other);
            press(f.window, Qt::Key_F8);
            QCOMPARE(chosen(), LockName("for:ever")); // the gravest
        }
        f.window.selectLock("stock:1"); // whoever has chosen it
        press(f.window, Qt::Key_F8, Qt::ShiftModifier);
        QCOMPARE(chosen(), LockName("for:ever"));
        press(f.window, Qt::Key_F8, Qt::ShiftModifier);
        QCOMPARE(chosen(), LockName("stock:1"));
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("for:ever"), QStringLiteral("stock:1") });
        QTRY_VERIFY_WITH_TIMEOUT(!chip(), Limit);
        press(f.window, Qt::Key_F8);
        QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("nothing looks wrong")));
        m_server.pause();
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->status.phase == monitor::SourcePhase::Stale, Limit);
        const auto saysThatItIsNotKnown = [&] { // as soon as the window knows
            press(f.window, Qt::Key_F8);
            return QToolTip::text().contains(QStringLiteral("it is not known what looks wrong"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(saysThatItIsNotKnown(), Limit);
        m_server.resume();
    }

    /// Its queue is gone, and it listens on: what looks wrong is of the lock, and the lock is there to be led to.
    void leadToTheLockOfAWaiterThatStandsInNoQueue()
    {
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        testsupport::BlockingClient waiter(m_server.socketPath().toStdString());
        waiter.run({ "SUBSCRIBE", "redisson_lock__channel:{stock:1}:" + OwnerB.toStdString() });
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QToolButton>(f.window, QStringLiteral("attention")), Limit);
        press(f.window, Qt::Key_F8);
        QVERIFY(f.page().selectedLock());
        QCOMPARE(f.page().selectedLock()->name, LockName("stock:1"));
        QVERIFY(!saying<QLabel>(f.page(), QStringLiteral("is not among the locks")));
    }

    /// As F8 may lead to: what looked wrong can be gone for a moment.
    void chooseTogetherAlsoALockWithoutAName()
    {
        take(m_server, QString(), OwnerA, 60'000);
        take(m_server, QStringLiteral("other"), OwnerA, 60'000);
        Fixture f(m_server);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 2, Limit);
        f.window.selectLock({});
        const auto *pages = f.window.findChild<Pages *>();
        QVERIFY(pages->chosen() == LockName());
        f.window.showPage(QStringLiteral("dashboard"));
        QVERIFY(test::button(f.dashboard(), QStringLiteral("chosen lock"))->isEnabled());
        f.window.showPage(QStringLiteral("locks"));
        QVERIFY(f.page().selectedLock() && f.page().selectedLock()->name.empty());
        f.window.closeConnection();
        QVERIFY(!pages->chosen());
    }

    void keepALockInMindThatIsNotThere()
    {
        take(m_server, QStringLiteral("a"), OwnerB, 30'000);
        take(m_server, QStringLiteral("b"), OwnerB, 30'000);
        Fixture f(m_server);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 2, Limit);
        const LockName first = f.page().selectedLock()->name;
        click(cellOf(*named<DataTable>(f.window, QStringLiteral("Locks")), 1, 0));
        QVERIFY(f.page().selectedLock()->name != first); // a person has chosen one before
        f.window.selectLock("for:ever");
        const auto says = [&] { return saying<QLabel>(f.page(), QStringLiteral("“for:ever” is not among the locks")); };
        QVERIFY(says());
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QVERIFY(says());
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("for:ever"), OwnerA, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->locks.find("for:ever"), Limit);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && f.page().selectedLock()->name == "for:ever", Limit);
    }

    void sayHowALockEndedThatIsNotThere()
    {
        take(m_server, u"was"_s, OwnerB, 30'000);
        Fixture f(m_server);
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 1, Limit);
        release(m_server, u"was"_s);
        take(m_server, u"is"_s, OwnerB, 30'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().locks().rowOf("is") >= 0, Limit);
        f.window.selectLock("is");
        QTRY_VERIFY_WITH_TIMEOUT(f.page().locks().rowOf("was") < 0, Limit);
        f.window.selectLock("was");
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.page(), u"Heard last of it: released"_s), Limit);
        release(m_server, u"is"_s);
    }

    void sayWhatTheirColumnsMean()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        auto *contended = named<DataTable>(f.window, QStringLiteral("Most contended locks"));
        QHeaderView &titles = *contended->horizontalHeader();
        for (int column = 1; column < contended->model()->columnCount(); ++column) {
            const QPoint place(titles.sectionViewportPosition(column) + 4, titles.height() / 2);
            QHelpEvent asks(QEvent::ToolTip, place, titles.viewport()->mapToGlobal(place));
            QApplication::sendEvent(titles.viewport(), &asks);
            const QString meaning = contended->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
            QVERIFY(!meaning.isEmpty());
            QVERIFY(QToolTip::text().contains(meaning.toHtmlEscaped()));
        }
    }

    void sayThatTheConnectionFailed()
    {
        TestWindow f;
        f.connectToNobody();
        f.window.showSnapshot(failed(ErrorCode::ConnectionRefused));
        f.showAt({ 1'366, 768 });
        for (const Qt::Key key : { Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5 }) {
            press(f.window, key, Qt::ControlModifier);
            QVERIFY2(saying<QLabel>(f.window, QStringLiteral("Cannot connect to db:6379")), qPrintable(shownTitle(f)));
            QVERIFY(saying<QLabel>(f.window, QStringLiteral("connecting to db:6379: Connection refused")));
            QCOMPARE(offered(f), QStringList({ u"Try again now"_s, u"Edit connection…"_s }));
        }
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        for (const auto *box : f.window.findChildren<QCheckBox *>())
            QVERIFY2(!box->isVisible() || !box->text().isEmpty(), "a box to tick that does not say what for");
    }

    /// The user may be wrong as well as the password.
    void leadOutWhereverAPasswordIsWanted()
    {
        const QString login = u"The user name or the password is wrong or missing. Correct it and try again."_s;
        const NoDoubleClicks any;
        TestWindow f;
        f.connectToNobody();
        f.window.showSnapshot(failed(ErrorCode::AuthenticationFailed));
        f.showAt({ 1'366, 768 });
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        for (const Qt::Key key : { Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5 }) {
            press(f.window, key, Qt::ControlModifier);
            QCOMPARE(offered(f), QStringList({ u"Enter password…"_s, u"Try again now"_s, u"Edit connection…"_s }));
            QVERIFY2(saying<QLabel>(f.window, login), qPrintable(shownTitle(f)));
            for (const QString &way : { u"Enter password…"_s, u"Edit connection…"_s }) {
                click(middleOf(*saying<QPushButton>(f.window, way)));
                QPointer<ConnectionDialog> dialog = f.window.findChild<ConnectionDialog *>();
                QVERIFY2(dialog, qPrintable(shownTitle(f)));
                const bool isAtPassword = dialog->focusWidget() == named<QLineEdit>(*dialog, u"Password"_s);
                QCOMPARE(isAtPassword, way == u"Enter password…"_s);
                dialog->reject();
                QTRY_VERIFY(!dialog);
            }
        }
    }

    void sayWhetherItIsTriedAgain()
    {
        TestWindow f;
        f.connectToNobody();
        auto snapshot = failed(ErrorCode::ConnectionRefused);
        snapshot->status.retryAt = ViewClock::steadyNow() + 60s;
        f.window.showSnapshot(snapshot);
        f.showAt({ 1'366, 768 });
        auto &strip = *f.window.findChild<StatusStrip *>();
        QVERIFY(saying<QLabel>(strip, u"cannot connect · tries again in 59 s"_s)
            || saying<QLabel>(strip, u"cannot connect · tries again in 1 m 00 s"_s));
        snapshot = failed(ErrorCode::ConnectionRefused);
        snapshot->status.retryAt = ViewClock::steadyNow();
        f.window.showSnapshot(snapshot);
        QVERIFY(saying<QLabel>(strip, u"cannot connect · tries again now"_s));
    }

    /// What was never reached has shown nothing that could be kept.
    void offerNoPauseOfNothing()
    {
        const NoDoubleClicks any;
        TestWindow f;
        f.connectToNobody();
        f.window.showSnapshot(failed(ErrorCode::ConnectionRefused));
        f.showAt({ 1'366, 768 });
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        auto *pause = saying<QToolButton>(f.window, u"Pause"_s);
        auto *record = saying<QToolButton>(f.window, u"Record"_s);
        QVERIFY(pause && record && !pause->isEnabled() && !record->isEnabled());
        press(f.window, Qt::Key_Space, Qt::ControlModifier);
        QTRY_VERIFY(QToolTip::text().contains(u"until the server answers"_s));
        QVERIFY(!pause->isChecked());
        auto live = std::make_shared<monitor::Snapshot>();
        live->status.phase = monitor::SourcePhase::Live;
        f.window.showSnapshot(live);
        QVERIFY(pause->isEnabled() && record->isEnabled());
    }

    void denyNothingThatMayNotBeSeen()
    {
        m_server.cli({ QStringLiteral("ACL"), QStringLiteral("SETUSER"), QStringLiteral("poor"), QStringLiteral("on"),
            QStringLiteral(">secret"), QStringLiteral("~order:*"), QStringLiteral("+ping"), QStringLiteral("+info"),
            QStringLiteral("+scan"), QStringLiteral("+hgetall") });
        transport::Endpoint poor = m_server.endpoint();
        poor.user = "poor";
        poor.password = "secret";
        take(m_server, QStringLiteral("stock:1"), OwnerA, 30'000);
        TestWindow f;
        f.connectTo(poor);
        f.showAt({ 1'440, 900 });
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.window, QStringLiteral("No lock can be seen")), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(saying<ElidedLabel>(f.window, QStringLiteral("? locks · ? held · ? waiting")), Limit);
        QVERIFY(saying<ElidedLabel>(f.window, QStringLiteral("acquires ?/s")));
        for (const Qt::Key key : { Qt::Key_2, Qt::Key_3, Qt::Key_5 }) {
            press(f.window, key, Qt::ControlModifier);
            QVERIFY2(saying<QLabel>(f.window, QStringLiteral("No lock can be seen")), qPrintable(shownTitle(f)));
            QVERIFY(saying<QLabel>(f.window, QStringLiteral("ACL SETUSER poor")));
        }
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        for (const char *tile : { "Held", "Waiting", "Acquires / s", "Renewals / s", "Suspects" })
            QTRY_COMPARE_WITH_TIMEOUT(
                named<QLabel>(f.window, QString::fromUtf8(tile))->text(), QStringLiteral("?"), Limit);
        QVERIFY(!saying<QLabel>(f.window, QStringLiteral("no change")));
        QVERIFY(!saying<QLabel>(f.window, QStringLiteral("no deadlock")));
    }

    void sayThatNothingIsConnected()
    {
        Fixture f(m_server);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        take(m_server, QStringLiteral("kept"), OwnerA, 30'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.figure(QStringLiteral("Held")), QStringLiteral("1"), Limit);
        QVERIFY(!f.dashboard().findChild<EmptyState *>()->isVisible());
        f.window.closeConnection();
        QVERIFY(f.dashboard().findChild<EmptyState *>()->isVisible());
    }

private:
    RedisServer m_server;
};

QTEST_MAIN(PagesTest)
#include "tst_pages.moc"
