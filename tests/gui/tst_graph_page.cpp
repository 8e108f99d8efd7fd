// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/graph_window.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/break_deadlock_dialog.h"
#include "ui/dialogs/client_dialog.h"
#include "ui/models/roles.h"
#include "ui/views/filter_field.h"
#include "ui/views/scrub_bar.h"

#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QRadioButton>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::synchronizers;
using test::fair;
using testsupport::LockUser;
using testsupport::RedisServer;
using Window = test::GraphWindow;
using test::Deadlock;

namespace {

constexpr int Limit = 20'000;

} // namespace

class GraphPageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    void saysWhyThereIsNothing()
    {
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QTRY_COMPARE_WITH_TIMEOUT(w.empty().accessibleName(), QStringLiteral("Nobody is seen to wait"), Limit);
        QVERIFY(w.empty().accessibleDescription().contains(QStringLiteral("fair")));
        w.window.closeConnection();
        QCOMPARE(w.empty().accessibleName(), QStringLiteral("Not connected"));
    }

    void showsAChainAndLeadsToItsLocks()
    {
        LockUser head(m_server.endpoint());
        LockUser next(m_server.endpoint());
        LockUser last(m_server.endpoint());
        QVERIFY(head.waitReady() && next.waitReady() && last.waitReady());
        QVERIFY(head.tryLock(fair("stock")) && next.tryLock({ "bill" }));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        const auto queued = next.startAcquire({ fair("stock"), "1", {}, {} });
        const auto listening = last.startAcquire({ { "bill" }, "1", {}, {} });
        QTRY_COMPARE_WITH_TIMEOUT(w.cell(0, ChainTableModel::Locks), QStringLiteral("stock → bill"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(w.cell(0, ChainTableModel::Blocked), QStringLiteral("≥ 2"), Limit);
        QVERIFY(w.cell(0, ChainTableModel::Head).startsWith(QString::fromStdString(head.client->id().substr(0, 8))));
        QVERIFY(w.cell(0, ChainTableModel::Ends).startsWith(QStringLiteral("when released")));
        for (const std::string &key :
            { std::string("lock stock"), std::string("lock bill"), std::string("listeners bill"),
                "owner " + head.owner().toStdString(), "owner " + next.owner().toStdString() })
            QVERIFY2(w.isSeen(key), key.c_str());

        test::click(w.node("lock bill"));
        QVERIFY(w.table().selectionModel()->isRowSelected(0));
        w.table().setFocus();
        test::press(w.window, Qt::Key_C, Qt::ControlModifier); // all of it, and no words of buttons
        const QString copied = QGuiApplication::clipboard()->text();
        QVERIFY2(copied.startsWith(u"stock → bill\t" + head.owner() + u"\t≥ 2\t"), qPrintable(copied));
        QVERIFY2(copied.endsWith(u'\t'), qPrintable(copied));
        test::press(w.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY(w.page().selectedLock() && w.page().selectedLock()->name == "bill"); // chosen everywhere
        QVERIFY(w.showGraph());
        const test::Place place = w.node("lock stock");
        QTest::mouseDClick(place.window, Qt::LeftButton, {}, place.point);
        QTRY_VERIFY(w.page().isVisible() && !w.graph().isVisible());
        QCOMPARE(w.page().selectedLock()->name, LockName("stock"));

        QVERIFY(w.showGraph()); // and by keys alone
        test::press(w.window, Qt::Key_Left);
        test::press(w.window, Qt::Key_Right);
        test::press(w.window, Qt::Key_Right);
        test::press(w.window, Qt::Key_Right);
        QVERIFY2(w.view().accessibleDescription().startsWith(QStringLiteral("bill")),
            qPrintable(w.view().accessibleDescription()));
        test::press(w.window, Qt::Key_Return);
        QTRY_VERIFY(w.page().isVisible());
        QCOMPARE(w.page().selectedLock()->name, LockName("bill"));
    }

    /// Where the keys are is something else, and what is in no chain is not here.
    void marksTheChosenLockAlone()
    {
        LockUser one(m_server.endpoint());
        LockUser two(m_server.endpoint());
        QVERIFY(one.waitReady() && two.waitReady() && one.tryLock(fair("stock")) && one.tryLock({ "alone" }, "2"));
        const auto queued = two.startAcquire({ fair("stock"), "1", {}, {} });
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QTRY_COMPARE_WITH_TIMEOUT(w.table().model()->rowCount(), 1, Limit);
        const auto ground = [&w](const std::string &key) {
            const QImage picture = w.view().viewport()->grab().toImage();
            const QPointF place = w.view().placeOf(key)->center() + QPointF(0, w.view().placeOf(key)->height() / 2 - 5);
            return picture.pixel((place * picture.devicePixelRatio()).toPoint());
        };
        const std::string head = "owner " + one.owner().toStdString();
        const std::string waiter = "owner " + two.owner().toStdString();
        test::click(w.node("lock stock"));
        QTRY_VERIFY(ground("lock stock") != ground(waiter));
        w.window.selectLock("alone");
        QTRY_VERIFY_WITH_TIMEOUT(w.page().selectedLock() && w.page().selectedLock()->name == "alone", Limit);
        QVERIFY(w.showGraph());
        QTRY_COMPARE(ground("lock stock"), ground(waiter));
        QCOMPARE(ground(head), ground(waiter));
    }

    /// Who uses the mouse sees what is chosen; a second border round it would look like another choice.
    void framesANodeOnlyForKeys()
    {
        LockUser one(m_server.endpoint());
        LockUser two(m_server.endpoint());
        QVERIFY(one.waitReady() && two.waitReady() && one.tryLock(fair("stock")));
        const auto queued = two.startAcquire({ fair("stock"), "1", {}, {} });
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QTRY_COMPARE_WITH_TIMEOUT(w.table().model()->rowCount(), 1, Limit);
        const auto isFramed = [&w](const std::string &key) {
            const QImage picture = w.view().viewport()->grab().toImage();
            const QPointF above(w.view().placeOf(key)->center().x(), w.view().placeOf(key)->top() - 2.5);
            const auto colorAt
                = [&](const QPointF &place) { return picture.pixel((place * picture.devicePixelRatio()).toPoint()); };
            return colorAt(above) != colorAt(above - QPointF(0, 4));
        };
        const std::string head = "owner " + one.owner().toStdString();
        w.table().setFocus();
        w.view().setFocus(Qt::TabFocusReason); // as also where a button that had the focus can no longer be pressed
        QVERIFY(w.view().hasFocus());
        QVERIFY(!isFramed(head));
        test::click(w.node("lock stock"));
        QVERIFY(!isFramed("lock stock"));
        test::press(w.window, Qt::Key_Left);
        QVERIFY(isFramed(head) && !isFramed("lock stock"));
        test::click(w.node("lock stock"));
        QVERIFY(!isFramed(head) && !isFramed("lock stock"));
    }

    /// Whoever comes by keys sees where they go, around the picture and not in place of it.
    void framesThePictureWhereNoNodeIsCurrent()
    {
        LockUser one(m_server.endpoint());
        LockUser two(m_server.endpoint());
        QVERIFY(one.waitReady() && two.waitReady() && one.tryLock(fair("stock")));
        const auto queued = two.startAcquire({ fair("stock"), "1", {}, {} });
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QTRY_COMPARE_WITH_TIMEOUT(w.table().model()->rowCount(), 1, Limit);
        const auto picture = [&w] { return w.view().viewport()->grab().toImage(); };
        const auto isDrawn = [&](const std::string &key) {
            const QImage drawn = picture();
            const QRectF node = *w.view().placeOf(key);
            const QPointF border(node.left() + 1, node.center().y());
            const auto colorAt
                = [&](const QPointF &place) { return drawn.pixel((place * drawn.devicePixelRatio()).toPoint()); };
            return colorAt(border) != colorAt(border - QPointF(6, 0));
        };
        const std::string head = "owner " + one.owner().toStdString();
        w.table().setFocus();
        QVERIFY(!w.view().hasFocus() && isDrawn(head) && isDrawn("lock stock"));
        const QRgb bare = picture().pixel(0, 0);
        for (int i = 0; i < 40 && !w.view().hasFocus(); ++i)
            test::press(w.window, Qt::Key_Tab);
        QVERIFY(w.view().hasFocus());
        QVERIFY(picture().pixel(0, 0) != bare); // the frame
        QVERIFY(isDrawn(head) && isDrawn("lock stock"));
        test::press(w.window, Qt::Key_1, Qt::ControlModifier);
        QVERIFY(w.showGraph());
        QVERIFY(isDrawn(head) && isDrawn("lock stock"));
    }

    /// Neither rows under the pointer move because the chosen one did, nor what was there when a person comes back.
    void leavesWhatAPersonSeesWhereItIs()
    {
        LockUser head(m_server.endpoint());
        LockUser first(m_server.endpoint());
        LockUser crowd(m_server.endpoint());
        QVERIFY(head.waitReady() && first.waitReady() && crowd.waitReady());
        QVERIFY(head.tryLock(fair("first")));
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        const auto waits = first.startAcquire({ fair("first"), "1", {}, {} });
        QTRY_COMPARE_WITH_TIMEOUT(w.cell(0, ChainTableModel::Locks), QStringLiteral("first"), Limit);
        QVERIFY2(w.view().accessibleDescription().startsWith(QStringLiteral("1 chain")),
            qPrintable(w.view().accessibleDescription())); // nothing is framed that nobody chose
        test::press(w.window, Qt::Key_Down);
        QVERIFY(!w.view().accessibleDescription().startsWith(QStringLiteral("1 chain")));
        test::click(w.node("lock first"));
        constexpr int Others = 9;
        std::vector<LockUser::Acquired> crowded;
        for (int i = 0; i < Others; ++i) {
            const LockName name = "other:" + std::to_string(i);
            const auto thread = [i](int number) { return std::to_string(10 * (i + 1) + number); }; // a chain each
            for (int number = 0; number < 4; ++number)
                crowded.push_back((number == 0 ? head : crowd).startAcquire({ fair(name), thread(number), {}, {} }));
        }
        const auto isChosenLast = [&] {
            const QModelIndexList rows = w.table().selectionModel()->selectedRows();
            return rows.size() == 1 && rows.front().row() == Others;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isChosenLast(), Limit); // more time is lost at the others by now
        QVERIFY(w.table().verticalScrollBar()->maximum() > 0);
        QCOMPARE(w.table().verticalScrollBar()->value(), 0);
        const QRectF before = *w.view().placeOf("lock first");
        test::press(w.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(!w.graph().isVisible());
        test::press(w.window, Qt::Key_3, Qt::ControlModifier);
        QVERIFY(w.graph().isVisible());
        QCOMPARE(w.view().placeOf("lock first")->topLeft(), before.topLeft());
    }

    void narrowsToTheFilter()
    {
        LockUser one(m_server.endpoint());
        LockUser two(m_server.endpoint());
        QVERIFY(one.waitReady() && two.waitReady() && one.tryLock(fair("cart:1")) && one.tryLock(fair("order:1"), "2"));
        const auto first = two.startAcquire({ fair("cart:1"), "1", {}, {} });
        const auto second = two.startAcquire({ fair("order:1"), "2", {}, {} });
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        QTRY_COMPARE_WITH_TIMEOUT(w.table().model()->rowCount(), 2, Limit);
        test::press(w.window, Qt::Key_K, Qt::ControlModifier);
        test::type(w.window, "order");
        QTRY_COMPARE(w.table().model()->rowCount(), 1);
        QCOMPARE(w.cell(0, ChainTableModel::Locks), QStringLiteral("order:1"));
        test::type(w.window, "x");
        QTRY_COMPARE(w.empty().accessibleName(), QStringLiteral("Nothing matches the filter"));
        QTest::mouseClick(test::button(w.empty(), QStringLiteral("Clear the filter")), Qt::LeftButton);
        QTRY_COMPARE(w.table().model()->rowCount(), 2);
    }

    void framesADeadlockThatEndsByItself()
    {
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        Deadlock deadlock(m_server, Millis(6'000));
        QVERIFY(deadlock.begin());
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        QVERIFY(w.view().chains().chains.front().isDeadlock());
        for (const std::string &key : { std::string("lock left"), std::string("lock right"), deadlock.key(deadlock.one),
                 deadlock.key(deadlock.two) }) {
            QVERIFY2(w.isSeen(key), key.c_str());
            QVERIFY(w.view().frameOf(0).contains(*w.view().placeOf(key)));
        }
        QCOMPARE(w.cell(0, ChainTableModel::Head), QStringLiteral("deadlock (inferred)"));
        QCOMPARE(w.cell(0, ChainTableModel::Action), QStringLiteral("Break it…"));
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 0, Limit);
        QVERIFY(!test::button(w.window, QStringLiteral("Break the deadlock…"))->isVisible());
    }

    /// Of the node where the keys are, and where it stands.
    void theMenuKeyOpensTheMenuOfTheNode()
    {
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        Deadlock deadlock(m_server);
        QVERIFY(deadlock.begin());
        const std::string key = deadlock.key(deadlock.one);
        QTRY_VERIFY_WITH_TIMEOUT(w.isSeen(key), Limit);
        test::click(w.node(key));
        QContextMenuEvent asks(QContextMenuEvent::Keyboard, {});
        QCoreApplication::sendEvent(w.window.windowHandle(), &asks);
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
        const QRect box = w.view().placeOf(key)->toAlignedRect();
        QVERIFY2(box.contains(w.view().viewport()->mapFromGlobal(menu->pos())),
            qPrintable(QDebug::toString(w.view().viewport()->mapFromGlobal(menu->pos()))));
        QCOMPARE(test::entriesWithoutAccessKey(*menu), QStringList());
        test::choose(*menu, QStringLiteral("All of this client…"));
        QTRY_VERIFY(w.window.findChild<ClientDialog *>());
    }

    void leadsToAllOfAClient()
    {
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        Deadlock deadlock(m_server);
        QVERIFY(deadlock.begin());
        const std::string key = deadlock.key(deadlock.one);
        QTRY_VERIFY_WITH_TIMEOUT(w.isSeen(key), Limit);
        test::click(w.node(key), Qt::RightButton);
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
        QVERIFY(QTest::qWaitForWindowExposed(menu));
        test::choose(*menu, QStringLiteral("All of this client…"));
        ClientDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = w.window.findChild<ClientDialog *>()));
        const QString client = deadlock.one.owner().section(QLatin1Char(':'), 0, 0);
        QVERIFY(test::saying<QLabel>(*dialog, client));
    }

    void leadsThroughBreakingExactlyOneHold()
    {
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        Deadlock deadlock(m_server);
        QVERIFY(deadlock.begin());
        LockUser bystander(m_server.endpoint());
        QVERIFY(bystander.waitReady() && bystander.tryLock(fair("other")));
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        test::click(test::cellOf(w.table(), 0, ChainTableModel::Action));
        QPointer<BreakDeadlockDialog> dialog = w.window.findChild<BreakDeadlockDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        QAbstractButton *release = test::button(*dialog, QStringLiteral("Release this hold…"));
        QVERIFY(!release->isEnabled());
        QVERIFY(test::saying<QLabel>(*dialog, QStringLiteral("read-only")));
        const auto tone
            = [&w] { return w.table().model()->index(0, ChainTableModel::Action).data(BadgeToneRole).toInt(); };
        QCOMPARE(tone(), int(Tone::Accent));
        w.makeWritable();
        QTRY_COMPARE(tone(), int(Tone::Danger));
        QTRY_VERIFY(test::saying<QLabel>(*dialog, QStringLiteral("Choose one")));
        const QString next = QString::fromStdString(deadlock.one.client->id().substr(0, 8));
        QVERIFY(test::saying<QLabel>(*dialog, QStringLiteral("Next: ") + next));
        auto *choice = qobject_cast<QRadioButton *>(test::button(*dialog, QStringLiteral("right")));
        QVERIFY(choice);
        test::click(test::placeIn(*choice, { 8, choice->height() / 2 }));
        QVERIFY(release->isEnabled());
        test::click(test::middleOf(*release));
        auto *confirm = w.window.findChild<ForceReleaseDialog *>();
        QVERIFY(confirm && QTest::qWaitForWindowExposed(confirm));
        QCOMPARE(confirm->lockName(), LockName("right"));
        QTest::keyClicks(test::named<QLineEdit>(*confirm, QStringLiteral("Reason, for the audit log")),
            QStringLiteral("a deadlock"));
        QAbstractButton *doIt = test::button(*confirm, QStringLiteral("Force release"));
        QTRY_VERIFY(doIt->isEnabled());
        QTest::mouseClick(doIt, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(deadlock.first->isHere(), Limit); // who waited for it has it
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 0, Limit);
        QVERIFY(!deadlock.second->isHere());
        QCOMPARE(
            m_server.cli({ QStringLiteral("HEXISTS"), QStringLiteral("left"), deadlock.one.owner() }), QByteArray("1"));
        QCOMPARE(
            m_server.cli({ QStringLiteral("HEXISTS"), QStringLiteral("other"), bystander.owner() }), QByteArray("1"));
        QCOMPARE(m_server.cli({ QStringLiteral("HEXISTS"), QStringLiteral("right"), deadlock.one.owner() }),
            QByteArray("1"));
    }

    void disarmsTheGuideWhenTheDeadlockIsOver()
    {
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        w.makeWritable();
        Deadlock deadlock(m_server, Millis(8'000));
        QVERIFY(deadlock.begin());
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        test::click(test::middleOf(*test::button(w.window, QStringLiteral("Break the deadlock…"))));
        auto *dialog = w.window.findChild<BreakDeadlockDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        QRadioButton *choice = dialog->findChildren<QRadioButton *>().front();
        test::click(test::placeIn(*choice, { 8, choice->height() / 2 }));
        QAbstractButton *release = test::button(*dialog, QStringLiteral("Release this hold…"));
        QVERIFY(release->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(test::saying<QLabel>(*dialog, QStringLiteral("This deadlock is over")), Limit);
        QVERIFY(!release->isEnabled());
    }

    void zoomsDragsAndTellsWhatIsCut()
    {
        LockUser one(m_server.endpoint());
        LockUser two(m_server.endpoint());
        const LockName name = "a:name:that:is:much:too:long:for:the:picture:of:a:lock";
        QVERIFY(one.waitReady() && two.waitReady() && one.tryLock(fair(name)));
        const auto waits = two.startAcquire({ fair(name), "1", {}, {} });
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        w.window.resize(900, 700);
        QTRY_COMPARE(w.view().viewport()->visibleRegion().boundingRect().width(), 900); // the list lies on top now
        QTRY_VERIFY_WITH_TIMEOUT(w.isSeen("lock " + name), Limit);
        const QPoint at = w.view().placeOf("lock " + name)->center().toPoint();
        QHelpEvent help(QEvent::ToolTip, at, w.view().viewport()->mapToGlobal(at));
        QCoreApplication::sendEvent(w.view().viewport(), &help);
        QTRY_VERIFY(QToolTip::text().contains(QString::fromStdString(name)));
        QToolTip::hideText();
        QWheelEvent wheel(at, w.view().viewport()->mapToGlobal(at), {}, { 0, 480 }, Qt::NoButton, Qt::ControlModifier,
            Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(w.view().viewport(), &wheel);
        QVERIFY(w.view().zoom() > 1.5);
        const QRectF zoomed = *w.view().placeOf("lock " + name);
        test::drag(test::placeIn(*w.view().viewport(), { 700, 20 }), { -80, 0 });
        QCOMPARE(w.view().placeOf("lock " + name)->left(), zoomed.left() - 80);
        w.view().setFocus();
        test::press(w.window, Qt::Key_0);
        QCOMPARE(w.view().zoom(), 1.0);
    }

    void showsARecording()
    {
        const QString file = m_folder.filePath(QStringLiteral("deadlock.lockrec"));
        {
            Window w(m_server.endpoint());
            Deadlock deadlock(m_server);
            QVERIFY(w.showGraph() && deadlock.begin());
            QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
            w.monitor.recorder().start(file);
            const auto seen = [&] { return w.monitor.recorder().state(); };
            QTRY_VERIFY_WITH_TIMEOUT(seen() && seen()->progress.elapsed >= Millis(1'500), Limit);
            w.monitor.recorder().stop();
            QTRY_VERIFY_WITH_TIMEOUT(!seen(), Limit);
        }
        Window w(m_server.endpoint());
        QVERIFY(w.showGraph());
        w.window.openRecording(file);
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(w.isSeen("lock left"), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(w.cell(0, ChainTableModel::Action), QStringLiteral("Break it…"), Limit);
        test::click(test::cellOf(w.table(), 0, ChainTableModel::Action));
        BreakDeadlockDialog *dialog = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((dialog = w.window.findChild<BreakDeadlockDialog *>()), Limit);
        QVERIFY(QTest::qWaitForWindowExposed(dialog));
        QVERIFY(test::saying<QLabel>(*dialog, QStringLiteral("recording")));
        QVERIFY(!test::button(*dialog, QStringLiteral("Release this hold…"))->isEnabled());
    }

private:
    QTemporaryDir m_folder;
    RedisServer m_server;
};

QTEST_MAIN(GraphPageTest)
#include "tst_graph_page.moc"
