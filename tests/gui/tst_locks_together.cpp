// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_names.h"
#include "tests/gui/test_window.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/bulk_release_dialog.h"
#include "ui/dialogs/client_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/models/event_model.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/text/client_names.h"
#include "ui/views/event_table.h"
#include "ui/views/events_page.h"
#include "ui/views/filter_field.h"
#include "ui/views/lock_table.h"
#include "ui/views/locks_bar.h"

#include <QCheckBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QScreen>
#include <QTableWidget>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockui::test;
using lockcore::transport::Endpoint;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::take;

namespace {

using namespace Qt::StringLiterals;

constexpr int Limit = 20'000;
const QString ClientA = OwnerA.section(u':', 0, 0);
const QString ClientB = OwnerB.section(u':', 0, 0);

enum DialogColumn { LockColumn, HolderColumn, TtlColumn, MeaningColumn, OutcomeColumn };

struct Fixture : TestWindow {
    explicit Fixture(const Endpoint &endpoint, const QString &environment = QStringLiteral("TEST"))
    {
        ConnectionProfile profile;
        profile.deployment = endpoint;
        profile.environment = environment;
        window.openConnection(profile);
        window.resize(1366, 768);
        window.show();
        isExposed = QTest::qWaitForWindowExposed(&window);
    }

    bool isExposed = false; // before that no click comes

    LockTable &table() { return *window.findChild<LockTable *>(); }
    QAbstractItemModel &model() { return *table().model(); }

    /// As they stand there; titles of groups in brackets, with a `>` where they are folded.
    QString rows()
    {
        QStringList shown;
        for (int row = 0; row < model().rowCount(); ++row) {
            const QModelIndex index = model().index(row, 0);
            const QVariant group = index.data(GroupRole);
            const bool folded = index.data(FoldRole).toInt() == int(Fold::Closed);
            shown << (group.isValid() ? QStringLiteral("[%1%2]").arg(
                          folded ? QStringLiteral(">") : QString(), group.toStringList().front().left(8))
                                      : index.data().toString());
        }
        return shown.join(u' ');
    }

    /// With the mouse, from its menu.
    void groupBy(const QString &entry)
    {
        QCoreApplication::processEvents(); // all has its place before it is pointed at
        auto *button = named<QToolButton>(window, QStringLiteral("Group the locks"));
        whenShown(*button->menu(), [menu = button->menu(), entry] { choose(*menu, entry); });
        click(middleOf(*button));
    }

    template <typename Do>
    void whenShown(QMenu &menu, Do what)
    {
        QObject::connect(&menu, &QMenu::aboutToShow, &window, what,
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    }

    bool chooseInMenu(int row, const QString &entry)
    {
        QCoreApplication::processEvents(); // all has its place before it is pointed at
        click(cellOf(table(), row, 0), Qt::RightButton);
        QMenu *menu = nullptr;
        if (!QTest::qWaitFor(
                [&] { return (menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())) != nullptr; }, Limit))
            return false;
        for (QAction *action : menu->actions()) {
            if (!action->text().remove(u'&').startsWith(entry) || !action->isEnabled())
                continue;
            QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {}, menu->actionGeometry(action).center());
            return true;
        }
        menu->close();
        return false;
    }

    QByteArray auditText() const
    {
        QFile file(audit);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

/// The dialog with its lines, as a person uses it.
struct Bulk {
    QPointer<BulkReleaseDialog> dialog;

    QTableWidget &table() const { return *dialog->findChild<QTableWidget *>(); }
    int rowOf(const QString &lock) const
    {
        for (int row = 0; row < table().rowCount(); ++row)
            if (table().item(row, LockColumn)->text() == lock)
                return row;
        return -1;
    }
    QString outcome(const QString &lock) const
    {
        const int row = rowOf(lock);
        return row < 0 ? QStringLiteral("no such line") : table().item(row, OutcomeColumn)->text();
    }
    QAbstractButton *confirm() const
    {
        for (auto *each : dialog->findChildren<QAbstractButton *>())
            if (each->property("role") == QStringLiteral("danger"))
                return each;
        return nullptr;
    }
    void giveReason() const
    {
        auto *reason = named<QLineEdit>(*dialog, QStringLiteral("Reason, for the audit log"));
        reason->setFocus();
        QTest::keyClicks(reason, QStringLiteral("its machine is gone"));
    }
    bool says(const QString &text) const { return saying<QLabel>(*dialog, text) != nullptr; }
};

} // namespace

class LocksTogetherTest : public QObject {
    Q_OBJECT

    RedisServer m_server;

    /// All that OwnerA holds, from the group's menu.
    Bulk openBulk(Fixture &f)
    {
        f.makeWritable();
        if (!QTest::qWaitFor([&] { return f.model().rowCount() >= 3; }, Limit))
            return {};
        f.groupBy(QStringLiteral("By the client that holds them"));
        if (!QTest::qWaitFor([&] { return f.rows().contains(QStringLiteral("[7f21aa09]")); }, Limit))
            return {};
        int row = 0;
        while (!f.model().index(row, 0).data(GroupRole).toStringList().value(0).startsWith(QStringLiteral("7f21aa09")))
            ++row;
        if (!QTest::qWaitFor([&] { return f.chooseInMenu(row, QStringLiteral("Force release the")); }, Limit))
            return {};
        if (!QTest::qWaitFor([&] { return f.window.findChild<BulkReleaseDialog *>() != nullptr; }, Limit))
            return {};
        Bulk bulk{ f.window.findChild<BulkReleaseDialog *>() };
        return bulk.dialog && QTest::qWaitForWindowExposed(bulk.dialog) ? bulk : Bulk();
    }
    /// Of locks of this client, as they are by now, and kept up to date.
    std::unique_ptr<BulkReleaseDialog> bulkOf(
        Fixture &f, const ActionPlace &place, const QString &client, const std::vector<LockName> &names) const
    {
        BulkChoice choice{ {}, client.toStdString() };
        for (const LockName &name : names)
            choice.locks.push_back(f.monitor.latest()->locks.find(name));
        auto dialog = std::make_unique<BulkReleaseDialog>(choice, place);
        connect(&f.monitor, &service::Monitor::snapshotReady, dialog.get(),
            [&f, shown = dialog.get()] { shown->setSnapshot(*f.monitor.latest()); });
        dialog->show();
        return dialog;
    }
    void readByBoth(const QString &lock) const
    {
        for (const QString &owner : { OwnerA, OwnerB }) {
            const QString timeout = u"{%1}:%2:rwlock_timeout:1"_s.arg(lock, owner);
            const QString lease = owner == OwnerA ? u"8000"_s : u"600000"_s;
            m_server.cli({ u"HSET"_s, lock, u"mode"_s, u"read"_s, owner, u"1"_s });
            m_server.cli({ u"SET"_s, timeout, u"1"_s, u"PX"_s, lease });
        }
        m_server.cli({ u"PEXPIRE"_s, lock, u"600000"_s });
    }
    void pause(const QString &millis) const
    {
        m_server.cli({ QStringLiteral("CLIENT"), QStringLiteral("PAUSE"), millis, QStringLiteral("WRITE") });
    }
    QByteArray holdersOf(const QString &lock) const { return m_server.cli({ QStringLiteral("HKEYS"), lock }); }

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init()
    {
        m_server.cli({ QStringLiteral("FLUSHALL") });
        take(m_server, QStringLiteral("order:1"), OwnerA, 600'000);
        take(m_server, QStringLiteral("order:2"), OwnerA, 600'000);
        take(m_server, QStringLiteral("stock:1"), OwnerA, 600'000);
        take(m_server, QStringLiteral("plain"), OwnerB, 600'000);
    }

    void choosesTheFirstLockThatIsFoundAndNotATitle()
    {
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        f.table().sortByColumn(LockTableModel::Name, Qt::DescendingOrder);
        f.groupBy(QStringLiteral("By the first part of their names"));
        QTRY_COMPARE(f.rows(), QStringLiteral("[order:] order:2 order:1 [stock:] stock:1 [without ] plain"));
        QStringList order;
        for (const auto &lock : f.table().shownLocks())
            order << QString::fromStdString(lock->name);
        QCOMPARE(order.join(u' '), QStringLiteral("order:2 order:1 stock:1 plain"));
        click(cellOf(f.table(), 6, 0));
        QCOMPARE(f.page().selectedLock()->name, LockName("plain"));
        moveTo(middleOf(*named<QToolButton>(f.window, QStringLiteral("Group the locks")))); // off the rows
        f.window.findChild<FilterField *>()->setText(QStringLiteral("order"));
        QTRY_COMPARE(f.rows(), QStringLiteral("[order:] order:2 order:1"));
        f.table().groups().setFolded({ false, "order:" }, true);
        f.page().chooseInTable(); // as Enter in the field does
        QTRY_COMPARE(f.page().selectedLock()->name, LockName("order:2"));
        QCOMPARE(f.model().index(f.table().currentIndex().row(), 0).data().toString(), QStringLiteral("order:2"));
    }

    void groupsByMouseAndRemembersIt()
    {
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        f.groupBy(QStringLiteral("By the first part of their names"));
        QTRY_COMPARE(f.rows(), QStringLiteral("[order:] order:1 order:2 [stock:] stock:1 [without ] plain"));
        f.groupBy(QStringLiteral("By the client that holds them"));
        QTRY_COMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [7f21aa09] order:1 order:2 stock:1"));
        click(titleOf(f.table(), LockTableModel::Name)); // turns the order round, inside the groups
        QTRY_COMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [7f21aa09] stock:1 order:2 order:1"));
        click(cellOf(f.table(), 4, 0));
        QCOMPARE(f.page().selectedLock()->name, LockName("order:2"));
        take(m_server, QStringLiteral("order:15"), OwnerA, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().locks().rowOf("order:15") >= 0, Limit);
        moveTo(middleOf(*named<QToolButton>(f.window, QStringLiteral("Group the locks")))); // off the rows
        QTRY_VERIFY_WITH_TIMEOUT(f.rows().contains(QStringLiteral("order:15")), Limit);
        QCOMPARE(f.page().selectedLock()->name, LockName("order:2"));
        QCOMPARE(f.model().index(f.table().currentIndex().row(), 0).data().toString(), QStringLiteral("order:2"));
        f.page().save(f.settings);
        const EventStore events;
        LocksPage again(f.theme, *f.window.findChild<ViewClock *>(), events);
        again.restore(f.settings);
        QCOMPARE(again.findChild<LocksBar *>()->grouping(), Grouping::Client);
    }

    void groupsAndFoldsByKeys()
    {
        Fixture f(m_server.endpoint());
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        QMenu &menu = *named<QToolButton>(f.window, QStringLiteral("Group the locks"))->menu();
        f.whenShown(menu, [&] { QTest::keyClick(&menu, Qt::Key_C); });
        press(f.window, Qt::Key_G, Qt::AltModifier);
        QTRY_COMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [7f21aa09] order:1 order:2 stock:1"));
        f.table().setFocus();
        click(cellOf(f.table(), 3, 0));
        press(f.window, Qt::Key_Left); // from a lock to its group
        QCOMPARE(f.table().currentIndex().row(), 2);
        QCOMPARE(f.page().selectedLock()->name, LockName("order:1")); // is looked at as before
        press(f.window, Qt::Key_Left);
        QCOMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [>7f21aa09]"));
        press(f.window, Qt::Key_Right);
        QCOMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [7f21aa09] order:1 order:2 stock:1"));
        press(f.window, Qt::Key_Space);
        QCOMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [>7f21aa09]"));
        f.window.selectLock("stock:1"); // as from another page: what is folded away is unfolded
        QCOMPARE(f.rows(), QStringLiteral("[5d0e77c1] plain [7f21aa09] order:1 order:2 stock:1"));
        QCOMPARE(f.table().currentIndex().row(), 5);
    }

    /// The title of a group was chosen before.
    void highlightsWhatIsChosenOnAnotherPage()
    {
        Fixture f(m_server.endpoint());
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        take(m_server, u"order:9"_s, OwnerA, 600'000);
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        f.groupBy(u"By the client that holds them"_s);
        QTRY_COMPARE_WITH_TIMEOUT(f.rows(), u"[5d0e77c1] plain [7f21aa09] order:1 order:2 order:9 stock:1"_s, Limit);
        const auto highlighted = [&] {
            const auto rows = f.table().selectionModel()->selectedRows();
            return rows.size() == 1 ? rows.front().row() : -1;
        };
        const auto chooseElsewhere = [&] {
            press(f.window, Qt::Key_5, Qt::ControlModifier);
            QTRY_VERIFY(f.window.findChild<EventsPage *>()->isVisible());
            const auto &events = *f.window.findChild<EventsPage *>()->findChild<EventTable *>();
            QModelIndexList found;
            const auto isThere = [&] {
                const QAbstractItemModel &model = *events.model();
                found = model.match(model.index(0, EventModel::Lock), Qt::DisplayRole, u"order:9"_s);
                return !found.isEmpty();
            };
            QTRY_VERIFY_WITH_TIMEOUT(isThere(), Limit);
            click(cellOf(events, found.front().row(), EventModel::Lock));
        };
        const auto chooseTitle = [&](int row) {
            click(cellOf(f.table(), row, 0), Qt::RightButton);
            QTRY_VERIFY(QApplication::activePopupWidget());
            press(*QApplication::activePopupWidget(), Qt::Key_Escape);
            f.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&f.window));
            QCOMPARE(highlighted(), row);
        };
        chooseTitle(0);
        chooseElsewhere();
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_COMPARE(f.page().selectedLock()->name, LockName("order:9"));
        QCOMPARE(highlighted(), 5);
        f.window.selectLock("plain");
        f.table().groups().setFolded({ false, ClientA.toStdString() }, true);
        chooseElsewhere();
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_COMPARE(f.page().selectedLock()->name, LockName("order:9"));
        QCOMPARE(highlighted(), 2); // the title of its group
        f.table().groups().setFolded({ false, ClientA.toStdString() }, false);
        QTRY_COMPARE_WITH_TIMEOUT(highlighted(), 5, Limit);
    }

    void foldsByAClickOnTheSign()
    {
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        f.groupBy(QStringLiteral("By the client that holds them"));
        QTRY_COMPARE(f.model().rowCount(), 6);
        const QRect title = f.table().visualRect(f.model().index(0, 0));
        const Place sign = placeIn(*f.table().viewport(), { title.left() + 14, title.center().y() });
        click(sign);
        QCOMPARE(f.rows().section(u' ', 0, 0), QStringLiteral("[>5d0e77c1]"));
        click(sign);
        QCOMPARE(f.rows().section(u' ', 0, 0), QStringLiteral("[5d0e77c1]"));
        f.groupBy(QStringLiteral("Fold all groups"));
        QTRY_COMPARE(f.model().rowCount(), 2);
        f.groupBy(QStringLiteral("Unfold all groups"));
        QTRY_COMPARE(f.model().rowCount(), 6);
    }

    void showsAllOfAClient()
    {
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        QVERIFY(f.chooseInMenu(0, QStringLiteral("All of this client")));
        QTRY_VERIFY(f.window.findChild<ClientDialog *>());
        auto &dialog = *f.window.findChild<ClientDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        auto &holds = *named<QTableWidget>(dialog, QStringLiteral("What it holds"));
        QTRY_COMPARE_WITH_TIMEOUT(holds.rowCount(), 3, Limit);
        QCOMPARE(named<QTableWidget>(dialog, QStringLiteral("What it waits for"))->rowCount(), 0);
        QVERIFY(saying<QLabel>(dialog, ClientA));
        take(m_server, QStringLiteral("order:9"), OwnerA, 600'000);
        QTRY_COMPARE_WITH_TIMEOUT(holds.rowCount(), 4, Limit);
        auto &release = *button(dialog, QStringLiteral("Release all it holds…"));
        QVERIFY(!release.isEnabled()); // read-only
        f.makeWritable();
        QTRY_VERIFY(release.isEnabled());
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        click(middleOf(release));
        QTRY_VERIFY(f.window.findChild<BulkReleaseDialog *>());
        QVERIFY(QTest::qWaitForWindowActive(f.window.findChild<BulkReleaseDialog *>()));
        press(*f.window.findChild<BulkReleaseDialog *>(), Qt::Key_Escape);
        QTRY_COMPARE(QApplication::activeWindow(), &dialog); // the keys are not the table's, which stands behind it
        QTest::mouseClick(button(dialog, QStringLiteral("Only this client")), Qt::LeftButton);
        QTRY_COMPARE(f.window.findChild<FilterField *>()->text(), QStringLiteral("client:") + ClientA);
        QCOMPARE(f.model().rowCount(), 4);
    }

    void saysThatAllOfAClientIsAsItWas()
    {
        RedisServer server;
        QVERIFY(server.start());
        take(server, u"order:1"_s, OwnerA, 600'000);
        Fixture f(server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 1, Limit);
        QVERIFY(f.chooseInMenu(0, u"All of this client"_s));
        QTRY_VERIFY(f.window.findChild<ClientDialog *>());
        auto &dialog = *f.window.findChild<ClientDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto &holds = *named<QTableWidget>(dialog, u"What it holds"_s);
        QTRY_COMPARE_WITH_TIMEOUT(holds.rowCount(), 1, Limit);
        const QBrush grey = holds.palette().placeholderText();
        QVERIFY(holds.item(0, 3)->foreground() != grey);
        QVERIFY(!saying<QLabel>(dialog, u"as it was"_s));
        QTRY_VERIFY(saying<QLabel>(dialog, u"No sign of life was seen in the last half minute"_s));
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(dialog, u"as it was"_s), Limit);
        QTRY_COMPARE(holds.item(0, 3)->foreground(), grey);
        QTRY_VERIFY(saying<QLabel>(dialog, u"No sign of life was seen in the half minute before that"_s));
        f.window.closeConnection();
        QTRY_VERIFY(saying<QLabel>(dialog, u"Nothing is connected"_s));
        QVERIFY(!saying<QLabel>(dialog, u"No sign of life"_s));
    }

    void saysThatItIsAsItWasInAGapOfARecording()
    {
        RedisServer server;
        QVERIFY(server.start());
        take(server, u"order:1"_s, OwnerA, 600'000);
        Fixture f(server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 1, Limit);
        const QString file = f.folder.filePath(u"it.lockrec"_s);
        f.monitor.recorder().start(file);
        const auto recorded = [&] { return f.monitor.recorder().state(); };
        QTRY_VERIFY_WITH_TIMEOUT(recorded() && recorded()->progress.bytes > 0, Limit);
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->status.phase == monitor::SourcePhase::Stale, Limit);
        f.monitor.recorder().stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();
        f.window.openRecording(file);
        const auto replayed = [&] { return f.monitor.replay().state(); };
        QTRY_VERIFY_WITH_TIMEOUT(replayed() && replayed()->overview, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 1, Limit);
        QVERIFY(f.chooseInMenu(0, u"All of this client"_s));
        QTRY_VERIFY(f.window.findChild<ClientDialog *>());
        const auto &dialog = *f.window.findChild<ClientDialog *>();
        QTRY_VERIFY(saying<QLabel>(dialog, u"1 hold"_s));
        QVERIFY(!saying<QLabel>(dialog, u"as it was"_s));
        f.monitor.replay().seek(replayed()->overview->last);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(dialog, u"as it was"_s), Limit);
        const auto &holds = *named<QTableWidget>(dialog, u"What it holds"_s);
        QTRY_COMPARE(holds.item(0, 3)->foreground(), QBrush(holds.palette().placeholderText()));
    }

    /// Of several servers one is lost: of what it had nobody knows any more.
    void greysInAllOfAClientWhatALostServerHad()
    {
        const Now now = currentNow();
        const auto here = makeLock("here", now.mono - Millis(9'000));
        const auto there = makeLock("there", now.mono - Millis(9'000));
        there->node = "10.0.0.2:6379";
        const std::string client = here->holders.front().owner.client;
        there->waiters.resize(1);
        there->waiters.front().owner = { client, "8" };
        there->waiters.front().subscribed = true;
        here->lastChange.kind = monitor::EventKind::Queued;
        here->ttlHistory.clear(); // it is renewed by nobody
        const auto snapshot = makeSnapshot(now, { here, there });
        snapshot->nodes.resize(2);
        snapshot->nodes[0].node = here->node;
        snapshot->nodes[0].status.phase = monitor::SourcePhase::Live;
        snapshot->nodes[1].node = there->node;
        snapshot->nodes[1].status.phase = monitor::SourcePhase::Live;
        const TestNames names;
        const ViewClock clock;
        ClientDialog dialog(client, names.names, clock);
        dialog.setSnapshot(snapshot);
        dialog.show();
        const auto &holds = *named<QTableWidget>(dialog, u"What it holds"_s);
        QTRY_COMPARE(holds.rowCount(), 2);
        QTRY_VERIFY(saying<QLabel>(dialog, u"It listens for its turn"_s));

        const auto lost = std::make_shared<monitor::Snapshot>(*snapshot);
        lost->nodes[1].status.phase = monitor::SourcePhase::Stale;
        lost->nodes[1].status.staleSince = now.mono - Millis(5'000);
        lost->status.phase = monitor::SourcePhase::Stale;
        dialog.setSnapshot(lost);
        const QBrush grey = holds.palette().placeholderText();
        QVERIFY(holds.item(0, 3)->foreground() != grey);
        QCOMPARE(holds.item(1, 3)->foreground(), grey); // at once, as everywhere
        QVERIFY(saying<QLabel>(dialog, u"what is grey was true "_s));
        QCOMPARE(holds.item(1, 3)->text(), u"26.0 s"_s); // when it was seen last, and it goes on nowhere
        QVERIFY(holds.item(0, 3)->text() != holds.item(1, 3)->text());
        QVERIFY(saying<QLabel>(dialog, u"ago: It renewed what it held 4.0 s before that."_s));
        QVERIFY(saying<QLabel>(dialog, u"ago: It listened for its turn in a queue"_s));
        QVERIFY(!saying<QLabel>(dialog, u"It renewed what it holds"_s));
        QVERIFY(!saying<QLabel>(dialog, u"It listens for its turn"_s));
    }

    /// Of two that were lost at different times none speaks for the other.
    void saysHowOldAllIsThatIsGreyOfAClient()
    {
        const Now now = currentNow();
        const auto snapshot = makeSnapshot(now,
            { makeLock("one", now.mono - std::chrono::hours(7)), makeLock("two", now.mono - std::chrono::hours(7)) });
        std::vector<std::shared_ptr<const monitor::LockState>> locks;
        for (const auto &lock : snapshot->locks) {
            auto moved = std::make_shared<monitor::LockState>(*lock);
            moved->node = lock->name;
            locks.push_back(moved);
        }
        snapshot->locks = std::move(locks);
        snapshot->nodes.resize(3);
        for (const auto &[place, name, phase] :
            { std::tuple(0, "one", monitor::SourcePhase::Stale), std::tuple(1, "two", monitor::SourcePhase::Stale),
                std::tuple(2, "three", monitor::SourcePhase::Live) }) {
            snapshot->nodes[place].node = name;
            snapshot->nodes[place].status.phase = phase;
        }
        snapshot->nodes[0].status.staleSince = now.mono - std::chrono::hours(4);
        snapshot->nodes[1].status.staleSince = now.mono - std::chrono::hours(2);
        snapshot->status.phase = monitor::SourcePhase::Stale;
        const TestNames names;
        const ViewClock clock;
        ClientDialog dialog(snapshot->locks.front()->holders.front().owner.client, names.names, clock);
        dialog.setSnapshot(snapshot);
        dialog.show();
        QTRY_VERIFY(saying<QLabel>(dialog, u"what is grey was true 2 h 00 m to 4 h 00 m ago"_s));
    }

    /// None is told apart from not known.
    void tellsWhomAClientKeepsWaiting()
    {
        const Now now = currentNow();
        auto one = makeLock("one", now.mono);
        auto two = makeLock("two", now.mono);
        two->expiresAt = two->holders.front().expiresAt = std::nullopt;
        for (const auto &lock : { one, two }) {
            lock->waiters.clear();
            lock->subscribers = 0;
        }
        const TestNames names;
        const ViewClock clock;
        const std::string client = one->holders.front().owner.client;
        const auto told = [&](const QString &headline, const QStringList &cells) {
            ClientDialog dialog(client, names.names, clock);
            dialog.setSnapshot(makeSnapshot(now, { one, two }));
            dialog.show();
            const auto &holds = *named<QTableWidget>(dialog, u"What it holds"_s);
            QTRY_COMPARE(holds.rowCount(), 2);
            QVERIFY(saying<QLabel>(dialog, headline));
            QCOMPARE((QStringList{ holds.item(0, 5)->text(), holds.item(1, 5)->text() }), cells);
            QCOMPARE(holds.item(1, 3)->text(), u"none"_s); // as in the table of all locks
        };
        told(u"keeps nobody waiting"_s, { u"nobody"_s, u"nobody"_s });
        two->subscribers.reset();
        told(u"whom it keeps waiting is not known"_s, { u"nobody"_s, u"not known"_s });
        one->subscribers = 2;
        told(u"keeps at least 2 waiting"_s, { u"≥ 2 client instances"_s, u"not known"_s });
    }

    /// Its own hold ends earlier than another's: renewing it leaves the end of the lock as it is.
    void tellsOfARenewalThatDoesNotProlongTheLock()
    {
        client::LockClientOptions brisk;
        brisk.watchdogTimeout = std::chrono::seconds(3);
        testsupport::LockUser one(m_server.endpoint(), brisk);
        testsupport::LockUser other(m_server.endpoint());
        QVERIFY(one.waitReady() && other.waitReady());
        const client::LockTarget read{ "read:1", synchronizers::Kind::ReadWrite, synchronizers::HoldMode::Read };
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        QVERIFY(one.tryLock(read) && other.tryLock(read));
        KnownLock lock;
        const auto isRenewed = [&] {
            lock = f.monitor.latest()->locks.find("read:1");
            return lock && lock->lastChange.kind == monitor::EventKind::Renewed;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isRenewed(), Limit);
        const LifeSigns signs = lifeSigns({ lock }, one.client->id());
        QCOMPARE(signs.maybeRenewed, std::optional(LifeSign{ lock->lastChange.at }));
        QVERIFY(!signs.renewed);
    }

    void leavesRoomForTheThreads()
    {
        readByBoth(u"read:1"_s);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 5, Limit);
        const TestNames names;
        const ViewClock clock;
        ClientDialog dialog(ClientA.toStdString(), names.names, clock);
        dialog.setSnapshot(f.monitor.latest());
        dialog.show();
        const auto &holds = *named<QTableWidget>(dialog, u"What it holds"_s);
        QTRY_COMPARE(holds.rowCount(), 4);
        const auto shared = holds.findItems(u"shared with others"_s, Qt::MatchContains);
        QCOMPARE(shared.size(), 1);
        QVERIFY(holds.fontMetrics().horizontalAdvance(shared.front()->text())
            < holds.visualItemRect(shared.front()).width());
    }

    void tellsWhatAClientWaitsFor()
    {
        Fixture f(m_server.endpoint());
        testsupport::LockUser holder(m_server.endpoint());
        testsupport::LockUser waiter(m_server.endpoint());
        QVERIFY(holder.waitReady() && waiter.waitReady());
        const client::LockTarget fair{ "fair:1", synchronizers::Kind::Fair };
        QVERIFY(holder.tryLock(fair));
        const auto waiting = waiter.startAcquire({ fair, "1", std::nullopt, Millis(60'000) });
        ClientNames names(f.settings);
        ViewClock clock;
        ClientDialog dialog(waiter.client->id(), names, clock);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        QObject::connect(
            &f.monitor, &service::Monitor::snapshotReady, &dialog, [&] { dialog.setSnapshot(f.monitor.latest()); });
        auto &waits = *named<QTableWidget>(dialog, QStringLiteral("What it waits for"));
        QTRY_COMPARE_WITH_TIMEOUT(waits.rowCount(), 1, Limit);
        QCOMPARE(waits.item(0, 0)->text(), QStringLiteral("fair:1"));
        QCOMPARE(waits.item(0, 2)->text(), QStringLiteral("1"));
        QTRY_COMPARE_WITH_TIMEOUT(waits.item(0, 5)->text(), QStringLiteral("yes"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(dialog, QStringLiteral("it has a connection")), Limit);
    }

    void releasesAllOfAClientAndRecordsEach()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        QCOMPARE(bulk.table().rowCount(), 3);
        QVERIFY(!bulk.confirm()->isEnabled()); // without a reason
        const QLabel *why = saying<QLabel>(*bulk.dialog, QStringLiteral("A reason is needed"));
        QVERIFY(why);
        QVERIFY2(why->property("role") != QStringLiteral("fieldError"), "nobody had the time to type one");
        QTest::keyClick(named<QLineEdit>(*bulk.dialog, QStringLiteral("Reason, for the audit log")), Qt::Key_Return);
        QCOMPARE(why->property("role"), QVariant(QStringLiteral("fieldError")));
        bulk.giveReason();
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        bulk.table().item(bulk.rowOf(QStringLiteral("order:2")), LockColumn)->setCheckState(Qt::Unchecked);
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("2 released")), Limit);
        QVERIFY(bulk.outcome(QStringLiteral("order:1")).startsWith(QStringLiteral("Released")));
        constexpr int Margins = 10;
        QTRY_VERIFY(bulk.table().fontMetrics().horizontalAdvance(bulk.outcome(QStringLiteral("order:1"))) + Margins
            <= bulk.table().columnWidth(OutcomeColumn));
        QVERIFY(bulk.outcome(QStringLiteral("order:2")).isEmpty()); // not wanted
        QCOMPARE(holdersOf(QStringLiteral("order:1")), QByteArray());
        QCOMPARE(holdersOf(QStringLiteral("order:2")), OwnerA.toUtf8());
        QCOMPARE(holdersOf(QStringLiteral("plain")), OwnerB.toUtf8());
        QCOMPARE(f.auditText().count("\"forceRelease\""), 2); // each before it was sent
        QTRY_COMPARE_WITH_TIMEOUT(f.auditText().count('\n'), 4, Limit); // and after its answer
        QVERIFY(f.auditText().contains("its machine is gone"));
    }

    void isClosedByEnterOnceAllIsDone()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        pause(QStringLiteral("1000"));
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTest::keyClick(bulk.dialog, Qt::Key_Escape); // stops it
        QTRY_VERIFY_WITH_TIMEOUT(button(*bulk.dialog, QStringLiteral("Close")), Limit);
        QTRY_VERIFY(!bulk.dialog || (press(*bulk.dialog, Qt::Key_Return), !bulk.dialog));
    }

    void leavesOutWhatIsSeenToChange()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("order:2") });
        take(m_server, QStringLiteral("order:2"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(
            bulk.outcome(QStringLiteral("order:2")).contains(QStringLiteral("Changed since")), Limit);
        const auto &table = *bulk.dialog->findChild<QTableWidget *>();
        const auto *changed = table.findItems(QStringLiteral("Changed since"), Qt::MatchStartsWith).front();
        const QRect cell = table.visualItemRect(changed);
        const QRect text = table.fontMetrics().boundingRect(
            { 0, 0, cell.width(), 1'000 }, Qt::TextWordWrap | Qt::TextWrapAnywhere, changed->text());
        QVERIFY(text.height() <= cell.height()); // all of it is to be read
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("2 released")), Limit);
        QVERIFY(bulk.says(QStringLiteral("1 left out")));
        QCOMPARE(holdersOf(QStringLiteral("order:2")), OwnerB.toUtf8());
        QVERIFY(!f.auditText().contains("order:2"));
    }

    void countsWhatAPersonUnticked()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        for (int row : { 0, 2 })
            bulk.table().item(row, 0)->setCheckState(Qt::Unchecked);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("1 released · 2 not wanted")), Limit);
    }

    /// The same thread holds it again, but not by the hold that was looked at.
    void leavesOutWhatIsTakenAnew()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("order:2") });
        QTRY_VERIFY_WITH_TIMEOUT(bulk.outcome(QStringLiteral("order:2")).contains(QStringLiteral("since you")), Limit);
        take(m_server, QStringLiteral("order:2"), OwnerA, 600'000);
        take(m_server, QStringLiteral("order:9"), OwnerB, 600'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount() >= 5, true, Limit); // what is seen is newer than the lock
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("2 released")), Limit);
        QCOMPARE(holdersOf(QStringLiteral("order:2")), OwnerA.toUtf8());
    }

    /// Between the look and the act, where no news of it came: the server refuses exactly that one.
    void refusesExactlyTheOneThatChangedUnseen()
    {
        Fixture f(m_server.endpoint());
        f.makeWritable();
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        BulkChoice choice{ {}, ClientA.toStdString() };
        for (const char *name : { "order:1", "order:2", "stock:1" })
            choice.locks.push_back(f.monitor.latest()->locks.find(name));
        ClientNames names(f.settings);
        ViewClock clock;
        const ConnectionProfile profile;
        BulkReleaseDialog dialog(choice, { profile, names, clock });
        std::optional<CommandId> asked;
        connect(&dialog, &BulkReleaseDialog::wanted, this,
            [&](const synchronizers::AdminCommand &command) { asked = f.monitor.submit(command); });
        connect(&f.monitor, &service::Monitor::commandSent, &dialog, [&](CommandId id) {
            if (asked == id)
                dialog.setSent();
        });
        connect(&f.monitor, &service::Monitor::commandFinished, &dialog,
            [&](CommandId id, const Result<synchronizers::CommandOutcome> &outcome) {
                if (asked == id)
                    dialog.setOutcome(outcome);
            });
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        Bulk bulk{ &dialog };
        bulk.giveReason();
        m_server.cli({ QStringLiteral("DEL"), QStringLiteral("order:2") });
        take(m_server, QStringLiteral("order:2"), OwnerB, 600'000);
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("1 refused by the server")), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            bulk.says(QStringLiteral("2 released")), Limit); // the third of them may still be under way
        QVERIFY2(bulk.outcome(QStringLiteral("order:2")).contains(ClientB),
            qPrintable(bulk.outcome(QStringLiteral("order:2"))));
        QTRY_VERIFY_WITH_TIMEOUT(
            toString(f.monitor.latest()->locks.find("order:2")->holders.at(0).owner) == OwnerB.toStdString(), Limit);
        dialog.setSnapshot(*f.monitor.latest());
        QCOMPARE(bulk.table().item(1, LockColumn)->text(), QStringLiteral("order:2"));
        QVERIFY(bulk.table().item(1, HolderColumn)->text().startsWith(ClientA.left(8))); // whom the person saw
        for (int row = 0; row < 3; ++row) // the holds that were meant are gone
            QCOMPARE(bulk.table().item(row, TtlColumn)->text(), QStringLiteral("–"));
        QCOMPARE(holdersOf(QStringLiteral("order:2")), OwnerB.toUtf8());
        QCOMPARE(holdersOf(QStringLiteral("order:1")) + holdersOf(QStringLiteral("stock:1")), QByteArray());
    }

    /// What others read on keeps the lock alive, and not the hold that is released.
    void countsTheTimeOfTheHoldsThatAreReleased()
    {
        readByBoth(u"read:1"_s);
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 5, Limit);
        const TestNames names;
        const ViewClock clock;
        const ConnectionProfile profile;
        const auto dialog = bulkOf(f, { profile, names.names, clock }, ClientA, { "read:1" });
        const Bulk bulk{ dialog.get() };
        const auto left = [&] { return bulk.table().item(0, TtlColumn)->text(); };
        QVERIFY2(left().endsWith(u" s"_s) && !left().contains(u'm'), qPrintable(left()));
        QVERIFY2(left().section(u' ', 0, 0).toDouble() <= 8, qPrintable(left()));
        QTRY_COMPARE_WITH_TIMEOUT(left(), u"run out"_s, Limit);
    }

    void givesEachColumnAPartOfTheRoom()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        const QSize room = bulk.dialog->screen()->availableSize();
        QVERIFY(bulk.dialog->width() <= room.width() && bulk.dialog->height() <= room.height());
        bulk.giveReason();
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        bulk.dialog->resize(1'040, 620);
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(u"3 released"_s), Limit);
        const QTableWidget &table = bulk.table();
        const auto spare = [&table](int column) {
            int text = 0;
            for (int row = 0; row < table.rowCount(); ++row)
                text = std::max(text, table.fontMetrics().horizontalAdvance(table.item(row, column)->text()));
            return table.columnWidth(column) - text;
        };
        QCOMPARE(table.horizontalHeader()->length(), table.viewport()->width());
        for (const int column : { LockColumn, MeaningColumn }) // owners wrap
            QVERIFY2(spare(column) >= spare(OutcomeColumn) / 2,
                qPrintable(u"column %1: %2, the last: %3"_s.arg(column).arg(spare(column)).arg(spare(OutcomeColumn))));
    }

    void stopsInTheMiddle()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        pause(QStringLiteral("1500"));
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.table().findItems(QStringLiteral("sent …"), Qt::MatchExactly).size() == 1, Limit);
        auto *stop = button(*bulk.dialog, QStringLiteral("Stop"));
        QTest::mouseClick(stop, Qt::LeftButton); // the second one of a double click
        QCOMPARE(stop->text().remove(u'&'), QStringLiteral("Stop"));
        QTRY_COMPARE((QTest::mouseClick(stop, Qt::LeftButton), stop->text()), QStringLiteral("Stopping …"));
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("1 released · 2 not sent")), Limit);
        for (int row = 0; row < 3; ++row) { // what lives on is told as it is
            const bool isHeld = bulk.table().item(row, OutcomeColumn)->text().startsWith(QStringLiteral("Not sent"));
            QCOMPARE(bulk.table().item(row, TtlColumn)->text() != QStringLiteral("–"), isHeld);
        }
        QCOMPARE(bulk.table().findItems(QStringLiteral("Not sent: stopped."), Qt::MatchExactly).size(), 2);
        QCOMPARE(m_server.cli({ QStringLiteral("DBSIZE") }), QByteArray("3"));
    }

    void saysWhatIsNotKnownWhenTheConnectionIsLost()
    {
        RedisServer server;
        QVERIFY(server.start());
        for (const char *name : { "order:1", "order:2", "stock:1" })
            take(server, QString::fromLatin1(name), OwnerA, 600'000);
        Fixture f(server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        server.cli(
            { QStringLiteral("CLIENT"), QStringLiteral("PAUSE"), QStringLiteral("60000"), QStringLiteral("WRITE") });
        QTest::mouseClick(bulk.confirm(), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(bulk.table().findItems(QStringLiteral("sent …"), Qt::MatchExactly).size() == 1, Limit);
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(bulk.says(QStringLiteral("1 not known · 2 not sent")), Limit);
        QVERIFY(bulk.says(QStringLiteral("0 released")));
        auto *close = button(*bulk.dialog, QStringLiteral("Close"));
        QTest::mouseClick(close, Qt::LeftButton); // meant for what stood there a moment ago
        QVERIFY(bulk.dialog->isVisible());
        QTRY_VERIFY(!bulk.dialog || (QTest::mouseClick(close, Qt::LeftButton), !bulk.dialog));
    }

    void wantsTheNumberTypedInProduction()
    {
        Fixture f(m_server.endpoint(), QStringLiteral("PROD"));
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        bulk.giveReason();
        auto *typed = named<QLineEdit>(*bulk.dialog, QStringLiteral("Type “release 3” to confirm"));
        QVERIFY(typed);
        QVERIFY(!bulk.confirm()->isEnabled());
        typed->setFocus();
        QTest::keyClicks(typed, QStringLiteral("release 3"));
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        bulk.table().item(0, LockColumn)->setCheckState(Qt::Unchecked); // another number than the one that was typed
        QVERIFY(!bulk.confirm()->isEnabled());
        bulk.table().item(0, LockColumn)->setCheckState(Qt::Checked);
        QVERIFY(bulk.confirm()->isEnabled());
        QVERIFY(!bulk.says(QStringLiteral("Enter does nothing")));
        QTest::keyClick(typed, Qt::Key_Return); // what follows is grave
        QVERIFY(bulk.says(QStringLiteral("Enter does nothing in this field")));
        QCOMPARE(m_server.cli({ QStringLiteral("DBSIZE") }), QByteArray("4"));
    }

    /// Signs of life are of the moment when the lock was seen last, also in what releases several.
    void tellsOfSignsOfLifeAsOfThePast_data()
    {
        QTest::addColumn<bool>("areSeveral");
        QTest::newRow("one lock") << false;
        QTest::newRow("several locks") << true;
    }
    void tellsOfSignsOfLifeAsOfThePast()
    {
        QFETCH(const bool, areSeveral);
        RedisServer server;
        QVERIFY(server.start());
        take(server, u"early"_s, OwnerB, 600'000);
        Fixture f(server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 1, Limit);
        f.makeWritable();
        for (const QString &name : { u"order:1"_s, u"order:2"_s })
            take(server, name, OwnerA, 600'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 3, Limit);
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        f.table().setFocus();
        click(cellOf(f.table(), 1, 0));
        if (areSeveral)
            press(f.window, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(f.chooseInMenu(1, areSeveral ? u"Force release these"_s : u"Force release…"_s));
        QDialog *dialog = nullptr;
        const auto isOpen = [&] {
            dialog = areSeveral ? static_cast<QDialog *>(f.window.findChild<BulkReleaseDialog *>())
                                : f.window.findChild<ForceReleaseDialog *>();
            return dialog != nullptr;
        };
        QTRY_VERIFY(isOpen());
        QTRY_VERIFY(saying<QLabel>(*dialog, u"looks alive. It took a lock"_s));
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(*dialog, u"as it was"_s), Limit);
        QTRY_VERIFY(saying<QLabel>(*dialog, u"looked alive when it was last seen. It took a lock"_s));
        QVERIFY(saying<QLabel>(*dialog, u"before that"_s));
        QVERIFY(!saying<QLabel>(*dialog, u"looks alive."_s));
    }

    /// What is told of that above it finds room.
    void showsTheReasonWholeWhenTheLockHasChangedHands()
    {
        Fixture f(m_server.endpoint(), u"PROD"_s);
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        f.makeWritable();
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        QVERIFY(f.chooseInMenu(0, u"Renew…"_s));
        QTRY_VERIFY(f.window.findChild<SetTtlDialog *>());
        const auto &dialog = *f.window.findChild<SetTtlDialog *>();
        const auto &reason = *named<QLineEdit>(dialog, u"Reason, for the audit log"_s);
        const auto &name = *named<QLineEdit>(dialog, u"Type the lock's name to confirm"_s);
        const auto areWhole = [&] {
            return reason.visibleRegion().boundingRect() == reason.rect()
                && name.visibleRegion().boundingRect() == name.rect();
        };
        QTRY_VERIFY(areWhole());
        m_server.cli({ u"DEL"_s, u"order:1"_s });
        take(m_server, u"order:1"_s, OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(button(dialog, u"Look again"_s)->isVisible(), Limit);
        doLayouts();
        QTRY_VERIFY(areWhole());
    }

    void titlesOfItsColumnsLookAsElsewhere()
    {
        Fixture f(m_server.endpoint());
        Bulk bulk = openBulk(f);
        QVERIFY(bulk.dialog);
        const QHeaderView &header = *bulk.table().horizontalHeader();
        const QImage drawn = header.viewport()->grab().toImage();
        const auto colorAt = [&](int y) { return QColor(drawn.pixel(header.sectionViewportPosition(1) + 2, y)); };
        QCOMPARE(colorAt(drawn.height() / 2), f.theme.colors().surface);
        QCOMPARE(colorAt(drawn.height() - 1), f.theme.colors().line);
    }

    /// A client that renews what it holds is no dead one: that has to be acknowledged.
    void warnsOfAClientThatLooksAlive()
    {
        testsupport::LockUser user(m_server.endpoint());
        QVERIFY(user.waitReady());
        Fixture f(m_server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 4, Limit);
        QVERIFY(user.tryLock({ "mine:1" }));
        f.makeWritable();
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 5, Limit);
        f.table().sortByColumn(LockTableModel::Name, Qt::AscendingOrder);
        QTRY_COMPARE(f.rows(), QStringLiteral("mine:1 order:1 order:2 plain stock:1"));
        f.table().setFocus();
        click(cellOf(f.table(), 0, 0));
        press(f.window, Qt::Key_Down, Qt::ShiftModifier); // two rows
        QVERIFY(f.chooseInMenu(1, QStringLiteral("Force release these")));
        QTRY_VERIFY(f.window.findChild<BulkReleaseDialog *>());
        Bulk bulk{ f.window.findChild<BulkReleaseDialog *>() };
        QVERIFY(QTest::qWaitForWindowExposed(bulk.dialog));
        QCOMPARE(bulk.table().rowCount(), 2);
        QTRY_VERIFY(bulk.says(QStringLiteral("looks alive")));
        bulk.giveReason();
        QVERIFY(!bulk.confirm()->isEnabled());
        auto *known = bulk.dialog->findChild<QCheckBox *>();
        QVERIFY(known->isVisible());
        QTest::mouseClick(known, Qt::LeftButton, {}, { 8, known->height() / 2 });
        QTRY_VERIFY_WITH_TIMEOUT(bulk.confirm()->isEnabled(), Limit);
        bulk.table().item(bulk.rowOf(QStringLiteral("mine:1")), LockColumn)->setCheckState(Qt::Unchecked);
        QVERIFY(!bulk.says(QStringLiteral("looks alive"))); // nobody who does is meant any more
        QVERIFY(bulk.confirm()->isEnabled());
    }

    /// A RedLock has another client on each of its servers: none of them is one of the others, who would lose it.
    void releasesARedLockWhereAPersonSaysSo()
    {
        const MonoTime now = ViewClock::steadyNow();
        auto lock = std::make_shared<monitor::LockState>();
        lock->name = "red";
        for (int server = 1; server <= 3; ++server) {
            auto member = std::make_shared<monitor::LockState>();
            member->name = "red";
            member->node = "server:" + std::to_string(server);
            member->holders.push_back({});
            member->holders.back().owner = { "client" + std::to_string(server), "7" };
            member->holders.back().since = { now, true };
            lock->holders.push_back(member->holders.back());
            lock->members.push_back(member);
        }
        lock->quorum = monitor::Quorum{ 3, 0, 3 };
        auto lines = bulkLines({ lock }, "client2");
        QVERIFY(lines[0].state == BulkLine::State::Open);
        QVERIFY(!lines[0].isWanted && !lines[0].isPart);
        QVERIFY2(lines[0].said.contains(QStringLiteral("RedLock")), qPrintable(lines[0].said));
        QCOMPARE(lines[0].expected.size(), std::size_t(3));
        QVERIFY2(meaningText(lines[0]).contains(QStringLiteral("on 3 servers")), qPrintable(meaningText(lines[0])));
        lock = std::make_shared<monitor::LockState>(*lock);
        auto rival = std::make_shared<monitor::LockState>(*lock->members.back());
        rival->holders.front().owner = { "rival", "9" };
        lock->members.back() = rival;
        lock->holders.back() = rival->holders.front();
        lines = bulkLines({ lock }, "client2");
        QVERIFY(lines[0].state == BulkLine::State::Never);
    }

    /// Of independent servers one did it, and another one refused, or its answer did not come.
    void doesNotSayNotDoneWhereAnAnswerWasLost()
    {
        auto lock = std::make_shared<monitor::LockState>();
        lock->name = "red";
        lock->holders.push_back({});
        lock->holders.back().owner = { "client", "7" };
        const TestNames names;
        for (const auto &[code, how] : { std::pair(ErrorCode::HolderChanged, Phrase::NotDoneOn),
                 std::pair(ErrorCode::ReplyTimeout, Phrase::PerhapsDoneOn) }) {
            auto line = bulkLines({ lock }, std::nullopt).front();
            line.state = BulkLine::State::Sent;
            Error error = errorOf(code, { Phrase::DoneOn, { "127.0.0.1:7111" } });
            add(error, { how, { "127.0.0.1:7113" } });
            setOutcome(line, tl::unexpected(error), names.names);
            const bool isOpen = code == ErrorCode::ReplyTimeout;
            QVERIFY(line.state == (isOpen ? BulkLine::State::Unknown : BulkLine::State::Failed));
            QCOMPARE(line.said.contains(QStringLiteral("not on all")), !isOpen);
        }
    }

    /// Nobody else gets it, whatever is sent: said before it is done, and after.
    void saysThatTheNextOneIsAGhost()
    {
        auto lock = std::make_shared<monitor::LockState>();
        lock->name = "fair";
        lock->kind = synchronizers::Kind::Fair;
        lock->holders.push_back({});
        lock->holders.back().owner = { "client", "7" };
        lock->waiters.resize(2);
        lock->waiters.front().subscribed = true;
        const QString ghost = QStringLiteral("The first in the queue seems to be a ghost: nobody listens");
        const auto meaningAndOutcome = [&lock] {
            auto line = bulkLines({ lock }, std::nullopt).front();
            const QString meaning = meaningText(line);
            line.state = BulkLine::State::Sent;
            synchronizers::CommandOutcome outcome;
            outcome.done = true;
            outcome.published = true;
            const TestNames names;
            setOutcome(line, outcome, names.names);
            return std::pair(meaning, line.said);
        };
        auto [meaning, said] = meaningAndOutcome();
        QVERIFY2(!meaning.contains(ghost) && !said.contains(ghost), qPrintable(meaning + said));
        QVERIFY(meaning.contains(QStringLiteral("is next")));
        lock->waiters.front().subscribed = false;
        std::tie(meaning, said) = meaningAndOutcome();
        QVERIFY2(meaning.contains(ghost) && !meaning.contains(QStringLiteral("is next")), qPrintable(meaning));
        QVERIFY2(said.contains(ghost), qPrintable(said));
    }

    /// Of a read lock that others read too only its own holds are taken.
    void takesOnlyItsOwnReadHolds()
    {
        testsupport::LockUser one(m_server.endpoint());
        testsupport::LockUser two(m_server.endpoint());
        QVERIFY(one.waitReady() && two.waitReady());
        const client::LockTarget read{ "read:1", synchronizers::Kind::ReadWrite, synchronizers::HoldMode::Read };
        QVERIFY(one.tryLock(read) && two.tryLock(read));
        Fixture f(m_server.endpoint());
        f.makeWritable();
        QTRY_COMPARE_WITH_TIMEOUT(f.model().rowCount(), 5, Limit);
        const auto lock = f.monitor.latest()->locks.find("read:1");
        const auto lines = bulkLines({ lock }, one.client->id());
        QCOMPARE(lines.size(), std::size_t(1));
        QVERIFY(lines[0].isPart && lines[0].expected.size() == 1);
        const auto whole = bulkLines({ lock }, std::nullopt);
        QVERIFY(!whole[0].isPart && whole[0].expected.size() == 2);
        std::optional<CommandId> asked;
        bool done = false;
        connect(&f.monitor, &service::Monitor::commandFinished, this,
            [&](CommandId id, const Result<synchronizers::CommandOutcome> &outcome) {
                done = done || (asked == id && outcome && outcome->done);
            });
        asked = f.monitor.submit(commandFor(lines[0], "why"));
        QTRY_VERIFY_WITH_TIMEOUT(done, Limit);
        const QByteArray left = holdersOf(QStringLiteral("read:1"));
        QVERIFY2(!left.contains(QByteArray::fromStdString(one.client->id())), left.constData());
        QVERIFY2(left.contains(QByteArray::fromStdString(two.client->id())), left.constData());
    }
};

QTEST_MAIN(LocksTogetherTest)
#include "tst_locks_together.moc"
