// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_window.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_keyspace.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/break_deadlock_dialog.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/help_window.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/return_permit_dialog.h"
#include "ui/models/palette_model.h"
#include "ui/views/command_palette.h"
#include "ui/views/dashboard_page.h"
#include "ui/views/data_table.h"
#include "ui/views/events_page.h"
#include "ui/views/filter_field.h"
#include "ui/views/graph_page.h"
#include "ui/views/lab_page.h"
#include "ui/views/lock_table.h"
#include "ui/views/pages.h"
#include "ui/views/palette_delegate.h"
#include "ui/views/timeline_page.h"
#include "ui/views/top_bar.h"

#include <QClipboard>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QScrollBar>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace Qt::StringLiterals;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

struct Fixture : TestWindow {
    Fixture()
    {
        showAt({ 1'366, 768 });
        window.activateWindow();
    }

    explicit Fixture(const RedisServer &server)
        : Fixture()
    {
        connectTo(server.endpoint());
    }

    bool isReady()
    {
        window.activateWindow(); // a menu or a dialog that was closed does not do that without a window manager
        return QTest::qWaitForWindowActive(&window);
    }
    bool shows(int locks)
    {
        return QTest::qWaitFor([&] { return page().locks().rowCount() == locks; }, Limit);
    }

    void open() { press(window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier); }
    CommandPalette *palette() { return window.findChild<CommandPalette *>(); }
    bool isOpen() { return palette() && palette()->isVisible(); }
    QLineEdit &field() { return *palette()->findChild<QLineEdit *>(); }
    QListView &list() { return *palette()->findChild<QListView *>(); }
    PaletteModel &model() { return *palette()->findChild<PaletteModel *>(); }
    PaletteEntry current()
    {
        const int row = list().currentIndex().row();
        return row < 0 ? PaletteEntry() : model().rowAt(row).entry;
    }
    LockName selected() { return page().selectedLock() ? page().selectedLock()->name : LockName(); }
    std::optional<LockName> chosen() { return window.findChild<Pages *>()->chosen(); }

    /// As a person does it: letters and Enter.
    void find(const char *letters)
    {
        open();
        type(window, letters);
    }
    void enter() { press(window, Qt::Key_Return); }
};

} // namespace

class CommandPaletteTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void opensByItsKeyAndGivesTheFocusBack()
    {
        Fixture f;
        QVERIFY(f.isReady());
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        const QWidget *before = QApplication::focusWidget();
        f.open();
        QVERIFY(f.isOpen());
        QVERIFY(f.field().hasFocus());
        press(f.window, Qt::Key_Escape);
        QVERIFY(!f.isOpen());
        QCOMPARE(QApplication::focusWidget(), before);
        f.open();
        QVERIFY(f.isOpen());
        f.open(); // the same key again
        QVERIFY(!f.isOpen());
    }

    void opensFromTheMenu()
    {
        Fixture f;
        QVERIFY(f.isReady());
        auto *menu = f.window.findChild<TopBar *>()->findChild<QMenu *>();
        menu->popup(f.window.mapToGlobal(QPoint(20, 40)));
        QTRY_VERIFY(menu->isVisible());
        choose(*menu, QStringLiteral("Command palette…"));
        QTRY_VERIFY(f.isOpen());
        QCOMPARE(f.window.focusWidget(), &f.field()); // the keys are its, as soon as the window has them again
    }

    void choosesALockOnAllPages()
    {
        take(m_server, QStringLiteral("order:1"), OwnerA, 30'000);
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(2));
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        f.find("stk17");
        QTRY_COMPARE(f.current().text, QStringLiteral("stock:17"));
        QCOMPARE(f.current().kind, PaletteKind::Lock);
        f.enter();
        QTRY_VERIFY(!f.isOpen());
        QVERIFY(f.page().isVisible());
        QCOMPARE(f.selected(), LockName("stock:17"));
        QCOMPARE(f.chosen(), std::optional(LockName("stock:17")));
        const QWidget *table = f.page().findChild<LockTable *>();
        QCOMPARE(f.window.focusWidget(), table);
        test::named<DataTable>(f.page(), QStringLiteral("Holders"))->setFocus();
        f.find("order1");
        QTRY_COMPARE(f.current().text, QStringLiteral("order:1"));
        f.enter();
        QTRY_COMPARE(f.window.focusWidget(), table);
    }

    void choosesALockThatTheFilterHides()
    {
        take(m_server, QStringLiteral("order:1"), OwnerA, 30'000);
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(2));
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "order");
        f.find("stock:17");
        f.enter();
        QTRY_COMPARE(f.selected(), LockName("stock:17"));
        QCOMPARE(f.window.findChild<FilterField *>()->text(), QString());
    }

    /// Enter right after the last letter means the best of all, also of those that are not looked at yet.
    void enterWaitsUntilAllHasBeenLookedAt()
    {
        constexpr int Locks = 9'000;
        testsupport::Commands commands;
        testsupport::addLocks(commands, Locks);
        testsupport::BlockingClient(m_server.socketPath().toStdString()).runAll(commands);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(Locks));
        const LockName last = f.page().locks().lockAt(Locks - 1)->name;
        f.open();
        f.field().insert(QString::fromStdString(last));
        QVERIFY(f.model().isSearching());
        f.enter();
        QTRY_VERIFY(!f.isOpen());
        QCOMPARE(f.selected(), last);
    }

    void goesByKeysAndByMouse()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.open();
        QCOMPARE(f.list().currentIndex().row(), 0);
        press(f.window, Qt::Key_Down);
        press(f.window, Qt::Key_Down);
        QCOMPARE(f.list().currentIndex().row(), 2);
        press(f.window, Qt::Key_Up);
        QCOMPARE(f.list().currentIndex().row(), 1);
        press(f.window, Qt::Key_PageDown);
        QVERIFY(f.list().currentIndex().row() > 5);
        press(f.window, Qt::Key_PageUp);
        QCOMPARE(f.list().currentIndex().row(), 1);
        press(f.window, Qt::Key_Up);
        press(f.window, Qt::Key_Up); // beyond the first
        QCOMPARE(f.list().currentIndex().row(), f.model().rowCount() - 1);
        QVERIFY(f.list().viewport()->rect().contains(f.list().visualRect(f.list().currentIndex())));
        press(f.window, Qt::Key_Down);
        type(f.window, "dashb");
        QCOMPARE(f.current().text, QStringLiteral("Dashboard"));
        click(placeIn(*f.list().viewport(), f.list().visualRect(f.model().index(0)).center()));
        QVERIFY(!f.isOpen());
        QVERIFY(f.window.findChild<DashboardPage *>()->isVisible());
    }

    /// Buttons of two charts may say the same, beside what they belong to.
    void nothingStandsThereTwice()
    {
        take(m_server, u"it"_s, OwnerA, 60'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(button(f.window, u"chosen lock"_s)->isVisible(), Limit);
        for (const PageName &name : PageNames) {
            f.find(name.title);
            type(f.window, ":");
            QTRY_VERIFY(!f.model().isSearching());
            QStringList texts;
            for (int row = 0; row < f.model().rowCount(); ++row)
                if (f.model().rowAt(row).entry.kind == PaletteKind::Action)
                    texts << f.model().rowAt(row).entry.text;
            const auto all = texts.size();
            QVERIFY2(texts.removeDuplicates() == 0, qPrintable(QString::number(all) + texts.join(u'\n')));
            press(f.window, Qt::Key_Escape);
        }
    }

    void goesWhenTheFocusGoes()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.open();
        click(middleOf(*f.window.findChild<FilterField *>()));
        QVERIFY(!f.isOpen());
        QVERIFY(f.window.findChild<FilterField *>()->hasFocus());
    }

    void offersTheSwitchBeforeAWrite()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.find("force rel");
        QCOMPARE(f.current().text, QStringLiteral("Force release stock:17…"));
        QCOMPARE(f.current().needs, QStringLiteral("read-only: switch to writable first"));
        QVERIFY(!f.list().currentIndex().data(PaletteModel::IsReadyRole).toBool());
        f.enter();
        QTRY_VERIFY(f.window.findChild<WritableDialog *>());
        QVERIFY(!f.window.findChild<ForceReleaseDialog *>());
        f.window.findChild<WritableDialog *>()->accept();
        QTRY_VERIFY(!f.window.findChild<WritableDialog *>());
        QVERIFY(f.isReady());
        QVERIFY(!f.window.findChild<ForceReleaseDialog *>()); // that was all that was asked for
        f.find("force rel");
        QCOMPARE(f.current().needs, QString());
        f.enter();
        QTRY_VERIFY(f.window.findChild<ForceReleaseDialog *>());
        QVERIFY(m_server.cli({ QStringLiteral("EXISTS"), QStringLiteral("stock:17") }).contains(u'1'));
    }

    void returnsAPermit()
    {
        const QString never = QStringLiteral("922337203685477");
        const auto permit = [](char letter) { return QString(32, QLatin1Char(letter)); };
        m_server.cli({ QStringLiteral("SET"), QStringLiteral("pool"), QStringLiteral("1") });
        m_server.cli(
            { QStringLiteral("ZADD"), QStringLiteral("{pool}:timeout"), never, permit('a'), never, permit('b') });
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.find("return");
        QCOMPARE(f.current().text, QStringLiteral("Return a permit of pool…"));
        QCOMPARE(f.current().needs, QStringLiteral("read-only: switch to writable first"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<WritableDialog *>());
        f.window.findChild<WritableDialog *>()->accept();
        QTRY_VERIFY(!f.window.findChild<WritableDialog *>());
        QVERIFY(f.isReady());

        f.find("return");
        QCOMPARE(f.current().needs, QStringLiteral("choose a permit first"));
        f.enter();
        QTRY_VERIFY(!f.isOpen());
        const auto *permits = named<DataTable>(f.window, QStringLiteral("Permits"));
        QTRY_VERIFY(permits->hasFocus());
        QVERIFY(!permits->selectionModel()->hasSelection()); // a person does that
        press(f.window, Qt::Key_Down);
        QTRY_VERIFY(permits->selectionModel()->hasSelection());
        f.find("return");
        QCOMPARE(f.current().needs, QString());
        f.enter();
        QTRY_VERIFY(f.window.findChild<ReturnPermitDialog *>());
        QVERIFY(saying<QLabel>(*f.window.findChild<ReturnPermitDialog *>(), permit('a')));
    }

    /// The only one that is out need not be chosen; and of what gives none nothing can be returned.
    void returnsTheOnlyPermit()
    {
        m_server.cli({ QStringLiteral("SET"), QStringLiteral("pool"), QStringLiteral("1") });
        m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("{pool}:timeout"), QStringLiteral("922337203685477"),
            QString(32, QLatin1Char('a')) });
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(2));
        f.window.selectLock("stock:17");
        QTRY_COMPARE(f.selected(), LockName("stock:17"));
        f.find("return");
        QCOMPARE(f.current().needs, QStringLiteral("it gives no permits that can be returned"));
        press(f.window, Qt::Key_Escape);
        f.window.selectLock("pool");
        QTRY_COMPARE(f.selected(), LockName("pool"));
        f.makeWritable();
        QTRY_VERIFY(!f.window.findChild<WritableDialog *>());
        QVERIFY(f.isReady());
        f.find("return");
        QCOMPARE(f.current().needs, QString());
        f.enter();
        QTRY_VERIFY(f.window.findChild<ReturnPermitDialog *>());
    }

    void saysWhatIsNeededFirst()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.find("force rel");
        QCOMPARE(f.current().needs, QStringLiteral("connect first")); // there is no lock to choose
        press(f.window, Qt::Key_Escape);
        f.find("rescan");
        QCOMPARE(f.current().needs, QStringLiteral("connect first"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<ConnectionDialog *>());
    }

    void saysThatALockHasToBeChosen()
    {
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(saying<QPushButton>(f.window, QStringLiteral("Look again")), Limit);
        f.find("force rel");
        QCOMPARE(f.current().needs, QStringLiteral("choose a lock first"));
        f.enter(); // no step that could be taken for a person
        QVERIFY(f.isOpen());
    }

    /// Somebody has a permit of it.
    void saysWhyACounterHasNoHolder()
    {
        Fixture f;
        f.connectToNobody();
        QVERIFY(f.isReady());
        const Now now = currentNow();
        auto semaphore = makeLock("psem:1", now.mono);
        semaphore->kind = synchronizers::Kind::PermitExpirableSemaphore;
        semaphore->holders.clear();
        semaphore->permits.emplace();
        semaphore->permits->leased = 1;
        auto latch = makeLock("latch:1", now.mono);
        latch->kind = synchronizers::Kind::CountDownLatch;
        latch->holders.clear();
        latch->count = 2;
        const auto snapshot = makeSnapshot(now, { latch, semaphore });
        snapshot->status.phase = monitor::SourcePhase::Live;
        f.window.showSnapshot(snapshot);
        f.window.selectLock("psem:1");
        QTRY_COMPARE(f.selected(), LockName("psem:1"));
        for (const char *action : { "force release", "renew psem" }) {
            f.find(action);
            QCOMPARE(f.current().needs, QStringLiteral("Redis does not say who has its permits"));
            press(f.window, Qt::Key_Escape);
        }
        f.window.selectLock("latch:1");
        QTRY_COMPARE(f.selected(), LockName("latch:1"));
        f.find("force release");
        QCOMPARE(f.current().needs, QStringLiteral("a latch is held by nobody"));
    }

    /// By the words that stand there.
    void findsWhatTheMenusOfALockOffer()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.window.selectLock("stock:17");
        QTRY_COMPARE(f.selected(), LockName("stock:17"));
        for (const char *entry : { "All of this client", "Only what this client holds", "Only this client",
                 "Name this client", "Who is that?", "Copy the name", "Copy the owner", "copy owner", "copy as json",
                 "lockctl command", "redis-cli command", "Drop this waiter", "Return this permit" }) {
            f.find(entry);
            QStringList found;
            for (int row = 0; row < f.model().rowCount(); ++row)
                found << f.model().rowAt(row).entry.text;
            QVERIFY2(found.join(u'|').contains(QStringLiteral(" stock:17")), entry);
            press(f.window, Qt::Key_Escape);
        }
        f.find("copy as json");
        f.enter();
        QTRY_VERIFY(QGuiApplication::clipboard()->text().startsWith(u'{'));
        QVERIFY(QGuiApplication::clipboard()->text().contains(QStringLiteral("stock:17")));
        f.find("copy owner");
        f.enter();
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), OwnerA);
        f.find("lockctl command");
        f.enter();
        QTRY_VERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("lockctl ")));
    }

    /// What stands in the middle of an empty page.
    void offersWhatCanBeDoneWhereNothingIsShown()
    {
        RedisServer secured(testsupport::RedisServerOptions{ .password = QStringLiteral("secret") });
        QVERIFY(secured.start());
        transport::Endpoint place = secured.endpoint();
        place.password = "wrong";
        Fixture f;
        f.connectTo(place);
        QVERIFY(f.isReady());
        QTRY_VERIFY_WITH_TIMEOUT(saying<QPushButton>(f.window, QStringLiteral("Enter password…")), Limit);
        f.find("try again now");
        QCOMPARE(f.current().text, QStringLiteral("Locks: Try again now"));
        press(f.window, Qt::Key_Escape);
        f.find("enter password");
        QCOMPARE(f.current().text, QStringLiteral("Locks: Enter password…"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<ConnectionDialog *>());
    }

    void opensAPartOfTheGuide()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.find("who waits");
        QCOMPARE(f.current().text, QStringLiteral("Reading the window: Who waits"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<HelpWindow *>());
        auto *browser = f.window.findChild<GuideBrowser *>();
        QCOMPARE(browser->source().fileName(), QStringLiteral("reading-the-window.md"));
        QTRY_VERIFY(browser->verticalScrollBar()->value() > 0);
    }

    void findsWhatTheShownPageOffers()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        press(f.window, Qt::Key_5, Qt::ControlModifier);
        const auto *expired = named<QAbstractButton>(*f.window.findChild<EventsPage *>(), QStringLiteral("expired"));
        QVERIFY(!expired->isChecked());
        f.find("events: expired");
        QCOMPARE(f.current().text, QStringLiteral("Events: expired"));
        f.enter();
        QVERIFY(expired->isChecked());
        f.open();
        QVERIFY(f.field().text().isEmpty());
        QCOMPARE(f.current().text, QStringLiteral("Events: expired")); // what was used last
    }

    void findsWhatOtherPagesOffer()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        const auto *events = f.window.findChild<EventsPage *>();
        f.find("events: export: csv");
        QCOMPARE(f.current().text, QStringLiteral("Events: Export: CSV…"));
        QVERIFY(f.current().note.contains(QStringLiteral("goes to “Events” first")));
        f.enter();
        QTRY_VERIFY(events->isVisible());
        QFileDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = f.window.findChild<QFileDialog *>()) && dialog->isVisible());
        dialog->reject();
        QTRY_VERIFY(!f.window.findChild<QFileDialog *>());
        QVERIFY(f.isReady());
        f.find("locks: export");
        QVERIFY(f.current().text.startsWith(QStringLiteral("Locks: Export: ")));
        press(f.window, Qt::Key_Escape);
        f.find("lab: scroll");
        for (int row = 0; row < f.model().rowCount(); ++row)
            QVERIFY2(!f.model().rowAt(row).entry.text.contains(QStringLiteral(": Scroll ")), // that a bar of tabs has
                qPrintable(f.model().rowAt(row).entry.text));
        press(f.window, Qt::Key_Escape);
        f.find("timeline only contended");
        QCOMPARE(f.current().text, QStringLiteral("Timeline: Only contended"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<TimelinePage *>()->isVisible());
        f.find("timeline: only contended");
        QTRY_VERIFY(f.current().note.startsWith(QStringLiteral("on")));
        press(f.window, Qt::Key_Escape);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        f.find("locks: export: json");
        QCOMPARE(f.current().text, QStringLiteral("Locks: Export: JSON…")); // of the shown page, too
        press(f.window, Qt::Key_Escape);
    }

    /// What is not possible leads to what makes it possible, from whichever page it is asked for.
    void saysWhatOtherPagesNeedFirst()
    {
        Fixture f;
        QVERIFY(f.isReady());
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        f.find("events: export: csv");
        QCOMPARE(f.current().text, QStringLiteral("Events: Export: CSV…"));
        QCOMPARE(f.current().needs, QStringLiteral("connect first"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<ConnectionDialog *>());
        f.window.findChild<ConnectionDialog *>()->reject();
        QTRY_VERIFY(!f.window.findChild<ConnectionDialog *>());
        QVERIFY(f.isReady());
        QVERIFY(!f.window.findChild<EventsPage *>()->isVisible());
        f.find("events: expired"); // may be chosen before
        QCOMPARE(f.current().needs, QString());
        press(f.window, Qt::Key_Escape);
        f.find("audit: export: csv"); // the page is told what there is when it is shown
        QCOMPARE(f.current().text, QStringLiteral("Audit: Export: CSV…"));
        QCOMPARE(f.current().needs, QString());
        press(f.window, Qt::Key_Escape);
    }

    void saysHowLocksAreGrouped()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.find("locks: not grouped");
        QCOMPARE(f.current().text, QStringLiteral("Locks: Group the locks: Not grouped"));
        QCOMPARE(f.current().note, QStringLiteral("on"));
        press(f.window, Qt::Key_Escape);
        f.find("locks: fold all groups");
        QCOMPARE(f.current().text, QStringLiteral("Locks: Group the locks: Fold all groups"));
        QVERIFY(!f.current().needs.isEmpty()); // there are none
        press(f.window, Qt::Key_Escape);
        press(f.window, Qt::Key_5, Qt::ControlModifier);
        f.find("locks: fold all groups"); // on another page no more than here
        QCOMPARE(f.current().text, QStringLiteral("Locks: Group the locks: Fold all groups"));
        QVERIFY(!f.current().needs.isEmpty());
        f.enter();
        QTRY_VERIFY(f.page().isVisible());
        f.find("locks: by the client");
        QCOMPARE(f.current().note, QStringLiteral("off"));
        f.enter();
        f.find("locks: by the client");
        QCOMPARE(f.current().note, QStringLiteral("on"));
        press(f.window, Qt::Key_Escape);
        f.find("locks: fold all groups");
        QVERIFY(f.current().needs.isEmpty());
        press(f.window, Qt::Key_Escape);
    }

    void breaksADeadlockFromAnywhere()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.find("break the deadlock");
        QCOMPARE(f.current().text, QStringLiteral("Break the deadlock…"));
        QCOMPARE(f.current().needs, QStringLiteral("there is no deadlock"));
        press(f.window, Qt::Key_Escape);
        testsupport::LockUser one(m_server.endpoint());
        testsupport::LockUser two(m_server.endpoint());
        const auto fair = [](const char *name) { return client::LockTarget{ name, synchronizers::Kind::Fair, {} }; };
        QVERIFY(one.waitReady() && two.waitReady() && one.tryLock(fair("left")) && two.tryLock(fair("right")));
        const auto first = one.startAcquire({ fair("right"), "1", {}, {} });
        const auto second = two.startAcquire({ fair("left"), "1", {}, {} });
        QVERIFY(f.shows(3));
        const auto canBreak = [&] {
            f.find("break the deadlock");
            const bool can = f.current().needs.isEmpty();
            if (!can)
                press(f.window, Qt::Key_Escape);
            return can;
        };
        QTRY_VERIFY_WITH_TIMEOUT(canBreak(), Limit);
        press(f.window, Qt::Key_Escape);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "stock"); // which leaves the deadlock out
        QTRY_COMPARE(named<DataTable>(f.window, QStringLiteral("Locks"))->model()->rowCount(), 1);
        QVERIFY(canBreak());
        f.enter();
        QTRY_VERIFY(f.window.findChild<BreakDeadlockDialog *>());
        QVERIFY(f.window.findChild<GraphPage *>()->isVisible());
    }

    void findsAScenarioByWhatItIsAbout()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.find("deadlock");
        QStringList texts;
        for (int row = 0; row < f.model().rowCount(); ++row)
            texts << f.model().rowAt(row).entry.text;
        QVERIFY2(
            texts.contains(QStringLiteral("Run scenario: Two locks taken crosswise")), qPrintable(texts.join(u'|')));
        press(f.window, Qt::Key_Escape);
    }

    void findsScenariosOfOnesOwn()
    {
        Fixture f;
        QVERIFY(f.isReady());
        QVERIFY(QDir().mkpath(f.labTools.ownScenarios));
        QFile file(f.labTools.ownScenarios + QStringLiteral("/mine.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({ "name": "mine", "title": "Turnstile at noon", "about": ["Why it squeaks."], "clients": ["A"],
            "steps": [{ "client": "A", "do": "lock", "lock": "orders" }] })");
        file.close();
        f.find("run turnstile");
        QCOMPARE(f.current().text, QStringLiteral("Run scenario: Turnstile at noon"));
        press(f.window, Qt::Key_Escape);
        f.find("squeaks");
        QCOMPARE(f.current().text, QStringLiteral("Run scenario: Turnstile at noon"));
        press(f.window, Qt::Key_Escape);
    }

    void findsTheReportOfTheLabFromAnywhere()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.find("save report");
        QCOMPARE(f.current().text, QStringLiteral("Contention lab: Save report…"));
        QCOMPARE(f.current().needs, QStringLiteral("run the scenario first"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<LabPage *>()->isVisible());
        f.find("save report");
        QCOMPARE(f.current().text, QStringLiteral("Contention lab: Save report…"));
        QVERIFY(f.model().rowCount() == 1 || f.model().rowAt(1).entry.text != f.current().text); // once
        press(f.window, Qt::Key_Escape);
    }

    void findsAllOfAClient()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.window.selectLock("stock:17");
        QTRY_COMPARE(f.selected(), LockName("stock:17"));
        f.find("all client");
        QStringList texts;
        for (int row = 0; row < f.model().rowCount(); ++row)
            texts << f.model().rowAt(row).entry.text;
        QVERIFY2(texts.contains(QStringLiteral("All that the holder of stock:17 holds and waits for…")),
            qPrintable(texts.join(u'|')));
        press(f.window, Qt::Key_Escape);
    }

    /// Which one, a person says in the queue of the lock.
    void dropsAWaiter()
    {
        const QString fair = QStringLiteral("fair");
        take(m_server, fair, OwnerA, 30'000);
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        const QByteArray later = QByteArray::number(QDateTime::currentMSecsSinceEpoch() + 600'000);
        for (const QString &waiter : { OwnerB, QString(OwnerB).replace(u"112"_s, u"113"_s) }) {
            m_server.cli({ QStringLiteral("RPUSH"), QStringLiteral("redisson_lock_queue:{fair}"), waiter });
            m_server.cli({ QStringLiteral("ZADD"), QStringLiteral("redisson_lock_timeout:{fair}"),
                QString::fromLatin1(later), waiter });
        }
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(2));
        f.window.selectLock("stock:17");
        QTRY_COMPARE(f.selected(), LockName("stock:17"));
        f.find("drop a waiter");
        QCOMPARE(f.current().text, QStringLiteral("Drop a waiter of stock:17…"));
        QCOMPARE(f.current().needs, QStringLiteral("it has no queue that one could leave"));
        press(f.window, Qt::Key_Escape);
        f.window.selectLock("fair");
        QTRY_COMPARE(f.selected(), LockName("fair"));
        f.find("drop a waiter");
        QCOMPARE(f.current().needs, QStringLiteral("read-only: switch to writable first"));
        f.enter();
        QTRY_VERIFY(f.window.findChild<WritableDialog *>());
        f.window.findChild<WritableDialog *>()->accept();
        QTRY_VERIFY(!f.window.findChild<WritableDialog *>());
        QVERIFY(f.isReady());
        f.find("drop a waiter");
        QCOMPARE(f.current().needs, QStringLiteral("choose a waiter first"));
        f.enter();
        QTRY_VERIFY(!f.isOpen());
        const auto *queue = named<DataTable>(f.window, QStringLiteral("Fair queue"));
        QTRY_VERIFY(queue->hasFocus());
        QVERIFY(!queue->selectionModel()->hasSelection()); // a person does that
        press(f.window, Qt::Key_Down);
        press(f.window, Qt::Key_Down);
        QTRY_VERIFY(queue->selectionModel()->hasSelection());
        const QString chosen = queue->selectionModel()->selectedRows().front().row() == 0 ? u":112"_s : u":113"_s;
        f.find("drop a waiter");
        QCOMPARE(f.current().needs, QString());
        f.enter();
        QTRY_VERIFY(f.window.findChild<DropWaiterDialog *>());
        QVERIFY(saying<QLabel>(*f.window.findChild<DropWaiterDialog *>(), chosen));
    }

    void hasEveryKeyOfTheWindow()
    {
        take(m_server, QStringLiteral("stock:17"), OwnerA, 30'000);
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.open();
        QStringList keys;
        for (int row = 0; row < f.model().rowCount(); ++row)
            keys << f.model().rowAt(row).entry.keys;
        for (const char *key : { "F1", "F5", "F8", "Shift+F8", "Ctrl+K", "Ctrl+N", "Ctrl+O", "Ctrl+Q", "Ctrl+R",
                 "Ctrl+Space", "Ctrl+1", "Ctrl+6", "Alt+1", "Alt+8" })
            QVERIFY2(keys.contains(QString::fromLatin1(key)), key);
    }

    void showsHostileNamesAsText()
    {
        m_server.cli({ QStringLiteral("EVAL"),
            QStringLiteral(
                "redis.call('HSET', 'evil\\27[31m<b>', ARGV[1], '1') redis.call('PEXPIRE', 'evil\\27[31m<b>', "
                "30000)"),
            QStringLiteral("0"), OwnerA });
        Fixture f(m_server);
        QVERIFY(f.isReady());
        QVERIFY(f.shows(1));
        f.find("evil");
        QStringList texts;
        for (int row = 0; row < f.model().rowCount(); ++row)
            texts << f.model().rowAt(row).entry.text;
        QVERIFY(texts.contains(QStringLiteral("evil\\x1b[31m<b>")));
        for (const QString &text : texts)
            QVERIFY(!text.contains(QChar(0x1b)));
    }

    void hasRoomInSmallWindows()
    {
        Fixture f;
        QVERIFY(f.isReady());
        for (const QSize size : { QSize(820, 520), QSize(1'366, 768) }) {
            f.window.resize(size);
            f.open();
            QTRY_COMPARE(f.window.size(), size);
            QVERIFY(f.window.rect().contains(f.palette()->geometry()));
            QVERIFY(f.list().height() >= 5 * PaletteDelegate::RowHeight);
            f.window.resize(size + QSize(100, 60)); // also while it is there
            QTRY_VERIFY(std::abs(f.palette()->geometry().center().x() - f.window.width() / 2) <= 1);
            press(f.window, Qt::Key_Escape);
        }
    }

    void marksMatchesAndWhatCannotBeDoneInBothThemes()
    {
        Fixture f;
        QVERIFY(f.isReady());
        for (const Theme::Mode mode : { Theme::Light, Theme::Dark }) {
            f.theme.setMode(mode);
            f.find("rescan"); // which needs a connection
            const QImage picture = f.list().viewport()->grab().toImage();
            const QColor ground = picture.pixelColor(f.list().visualRect(f.model().index(0)).center().x(), 6);
            QCOMPARE(ground.rgb(), f.theme.colors().selection.rgb());
            bool isGrey = true;
            const QRect row = f.list().visualRect(f.model().index(0));
            for (int x = row.left() + 40; x < row.left() + 140; ++x)
                for (int y = row.top() + 4; y < row.bottom() - 4; ++y)
                    isGrey = isGrey && picture.pixelColor(x, y).rgb() != f.theme.colors().text.rgb();
            QVERIFY(isGrey);
            press(f.window, Qt::Key_Escape);
        }
    }

private:
    RedisServer m_server;
};

QTEST_MAIN(CommandPaletteTest)
#include "tst_command_palette.moc"
