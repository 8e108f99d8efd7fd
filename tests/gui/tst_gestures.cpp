// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/views/data_table.h"
#include "ui/views/filter_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>
#include <QScrollBar>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockui::test;
using Column = LockTableModel::Column;

namespace {

/// Alt with a letter that stands for more than one of what is to be seen.
QStringList doubleKeys(const QWidget &window)
{
    QHash<QString, QString> taken;
    QStringList twice;
    const auto take = [&](const QWidget *widget, const QString &text) {
        const QString key = QKeySequence::mnemonic(text).toString();
        if (!widget->isVisible() || key.isEmpty())
            return;
        if (taken.contains(key))
            twice << key + QStringLiteral(": ") + taken[key] + QStringLiteral(", ") + text;
        taken[key] = text;
    };
    for (const auto *each : window.findChildren<QAbstractButton *>())
        take(each, each->text());
    for (const auto *each : window.findChildren<QLabel *>())
        take(each, each->buddy() != nullptr ? each->text() : QString());
    return twice;
}

/// Shows what it is given; nothing comes from a server.
struct Fixture : TestWindow {
    Fixture()
    {
        ConnectionProfile profile;
        profile.deployment.seeds.front().socketPath = folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        window.openConnection(profile);
        QObject::disconnect(&monitor, nullptr, &window, nullptr);
        window.setWindowState(Qt::WindowNoState);
        window.resize(1200, 700);
        window.show();
        window.activateWindow();
    }

    bool isReady() { return QTest::qWaitForWindowActive(&window); }

    void show(std::vector<std::shared_ptr<const LockState>> locks)
    {
        window.showSnapshot(makeSnapshot(currentNow(), std::move(locks)));
        QCoreApplication::processEvents(); // all has its place before it is pointed at
    }

    void showSample()
    {
        window.showSnapshot(sampleSnapshot(currentNow()));
        QCoreApplication::processEvents();
    }

    DataTable &table() { return *named<DataTable>(window, QStringLiteral("Locks")); }
    FilterField &filter() { return *window.findChild<FilterField *>(); }
    LockName selected() { return page().selectedLock() ? page().selectedLock()->name : LockName(); }
    QAbstractButton &forceRelease() { return *button(window, QStringLiteral("Force release…")); }

    QRect shownRow(const LockName &name)
    {
        const QModelIndexList rows = table().model()->match(table().model()->index(0, Column::Name), Qt::DisplayRole,
            QString::fromStdString(name), 1, Qt::MatchExactly);
        return rows.isEmpty() ? QRect() : table().visualRect(rows.front());
    }

    /// As its slow timer would by and by.
    void sortAgain()
    {
        for (QTimer *timer : page().findChildren<QTimer *>(QString(), Qt::FindDirectChildrenOnly))
            QMetaObject::invokeMethod(timer, "timeout", Qt::DirectConnection);
    }

    QStringList names()
    {
        QStringList names;
        for (int row = 0; row < table().model()->rowCount(); ++row)
            names << table().model()->index(row, Column::Name).data().toString();
        return names;
    }

    int sortedBy() { return table().horizontalHeader()->sortIndicatorSection(); }
    Qt::SortOrder order() { return table().horizontalHeader()->sortIndicatorOrder(); }
    void clickTitle(Column column) { click(titleOf(table(), column)); }
    void clickRow(int row) { click(cellOf(table(), row, Column::Name)); }
};

} // namespace

/// What a person does with mouse and keyboard, and what must be seen then.
class GesturesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aClickOnATitleSorts()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.clickTitle(Column::Name);
        QCOMPARE(f.sortedBy(), int(Column::Name));
        QStringList byName = f.names();
        QStringList sorted = byName;
        sorted.sort();
        QCOMPARE(byName, sorted);
        f.clickTitle(Column::Name);
        std::reverse(sorted.begin(), sorted.end());
        QCOMPARE(f.names(), sorted);
        // What matters comes first: the most waited for, the longest held, the soonest to run out, the newest change.
        for (const auto &[column, order] :
            { std::pair(Column::Waiting, Qt::DescendingOrder), std::pair(Column::HeldFor, Qt::DescendingOrder),
                std::pair(Column::Ttl, Qt::AscendingOrder), std::pair(Column::LastChangeColumn, Qt::AscendingOrder) }) {
            f.clickTitle(column);
            QCOMPARE(f.sortedBy(), int(column));
            QCOMPARE(f.order(), order);
        }
    }

    void aKeySorts()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        press(f.window, Qt::Key_1, Qt::AltModifier);
        QCOMPARE(f.sortedBy(), int(Column::Name));
        QCOMPARE(f.order(), Qt::AscendingOrder);
        press(f.window, Qt::Key_1, Qt::AltModifier);
        QCOMPARE(f.order(), Qt::DescendingOrder);
        press(f.window, Qt::Key_6, Qt::AltModifier);
        QCOMPARE(f.sortedBy(), int(Column::Waiting));
        QCOMPARE(f.order(), Qt::DescendingOrder);
    }

    void aClickOnTheOnlyHitShowsIt()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.clickRow(3);
        const LockName before = f.selected();
        QVERIFY(before != "billing:close");
        f.filter().setFocus();
        type(f.window, "billing");
        QCOMPARE(f.names(), QStringList(QStringLiteral("billing:close")));
        QCOMPARE(f.selected(), before);
        f.clickRow(0);
        QCOMPARE(f.selected(), LockName("billing:close"));
        QCOMPARE(f.table().selectionModel()->selectedRows().size(), 1);
    }

    void anArrowChoosesTheOnlyHit()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.clickRow(3);
        f.filter().setFocus();
        type(f.window, "billing");
        press(f.window, Qt::Key_Down);
        QCOMPARE(f.selected(), LockName("billing:close"));
        QVERIFY(f.table().hasFocus());
    }

    void nothingIsDoneToALockThatTheFilterHides()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.page().setActionsAllowed(true, {});
        f.clickRow(0);
        QVERIFY(f.forceRelease().isEnabled());
        const LockName before = f.selected();
        f.filter().setFocus();
        type(f.window, "billing");
        QVERIFY(before != "billing:close");
        QCOMPARE(f.selected(), before);
        QVERIFY(!f.forceRelease().isEnabled());
        QVERIFY2(f.forceRelease().toolTip().contains(QStringLiteral("filter")), qPrintable(f.forceRelease().toolTip()));
        const auto *pill = saying<QLabel>(f.page(), QStringLiteral("hidden by the filter"));
        QVERIFY(pill);
        press(f.window, Qt::Key_Escape);
        QVERIFY(f.forceRelease().isEnabled());
        QVERIFY(!pill->isVisible());
    }

    void aDraggedColumnKeepsItsShareOfTheWindow()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        const int before = f.table().columnWidth(Column::KindColumn);
        drag(rightEdgeOf(f.table(), Column::KindColumn), { 60, 0 });
        const int dragged = f.table().columnWidth(Column::KindColumn);
        QCOMPARE(dragged, before + 60);
        const double share = double(dragged) / f.table().viewport()->width();
        f.window.resize(f.window.width() - 200, f.window.height());
        QTRY_COMPARE(f.table().width(), f.window.width());
        QTRY_COMPARE(f.table().columnWidth(Column::KindColumn), qRound(share * f.table().viewport()->width()));
        const QVariantList shares = f.table().columnShares();
        click(titleOf(f.table(), Column::Name), Qt::RightButton);
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
        press(*menu, Qt::Key_Down);
        press(*menu, Qt::Key_Return);
        QTRY_VERIFY(f.table().columnShares().isEmpty());
        f.table().setColumnShares(shares);
        QCOMPARE(f.table().columnWidth(Column::KindColumn), qRound(share * f.table().viewport()->width()));
    }

    void theFirstWindowIsOnTheScreenAsAWhole()
    {
        TestWindow f;
        f.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        const QRect screen = f.window.screen()->availableGeometry();
        if (screen.width() < f.window.minimumWidth())
            QSKIP("a screen smaller than the smallest window");
        QTRY_VERIFY2(screen.contains(f.window.frameGeometry()),
            qPrintable(QDebug::toString(f.window.frameGeometry()) + QDebug::toString(screen)));
    }

    void aWindowLeftOnALargerScreenIsOnThisOneAsAWhole()
    {
        TestWindow left;
        left.window.setWindowState(Qt::WindowNoState);
        left.window.setGeometry(40, 40, 2400, 1500);
        TestWindow f;
        f.settings.setValue(QStringLiteral("window/geometry"), left.window.saveGeometry());
        MainWindow window({ f.monitor, f.testClients, f.theme, f.book, f.settings });
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        const QRect screen = window.screen()->availableGeometry();
        if (screen.width() < window.minimumWidth())
            QSKIP("a screen smaller than the smallest window");
        QTRY_VERIFY2(screen.contains(window.frameGeometry()), qPrintable(QDebug::toString(window.frameGeometry())));
    }

    void rowsStayInPlaceWhileThePointerIsOnThem()
    {
        Fixture f;
        QVERIFY(f.isReady());
        const MonoTime now = currentNow().mono;
        const auto lock = [now](const char *name, int waiting) {
            auto made = makeLock(name, now);
            made->subscribers = waiting;
            return made;
        };
        f.show({ lock("b", 4), lock("c", 3), lock("d", 2), lock("e", 1) });
        QCOMPARE(f.names().join(u' '), QStringLiteral("b c d e"));
        f.clickRow(0);
        moveTo(cellOf(f.table(), 2, Column::Name));
        const QRect before = f.shownRow("d");
        f.show({ lock("a", 9), lock("c", 0), lock("d", 2), lock("e", 8) }); // new, gone, and more or less waited for
        f.sortAgain();
        QCOMPARE(f.shownRow("d"), before);
        QCOMPARE(f.names().join(u' '), QStringLiteral("b c d e a"));
        QCOMPARE(f.table().model()->index(0, Column::Ttl).data().toString(), QStringLiteral("gone"));
        f.clickRow(2);
        QCOMPARE(f.selected(), LockName("d"));
        f.clickRow(0);
        QCOMPARE(f.selected(), LockName("b"));
        QVERIFY(saying<QLabel>(f.page(), QStringLiteral("gone")));
        moveTo(middleOf(f.filter()));
        QTRY_COMPARE(f.names().join(u' '), QStringLiteral("a e d c"));
    }

    void rowsStayInPlaceThoughVeryManyChange()
    {
        Fixture f;
        QVERIFY(f.isReady());
        const Now now = currentNow();
        const auto some = [&](int from, int step) {
            std::vector<std::shared_ptr<const LockState>> locks{ makeLock("lock:2500", now.mono) };
            for (int i = from; i < 4000; i += step)
                if (i != 2500)
                    locks.push_back(makeLock("lock:" + std::to_string(i), now.mono));
            return locks;
        };
        f.show(some(1000, 2));
        f.window.selectLock("lock:2500");
        moveTo(cellOf(f.table(), f.table().currentIndex().row(), Column::Name));
        const QRect before = f.shownRow("lock:2500");
        f.show(some(1001, 2));
        QCOMPARE(f.shownRow("lock:2500"), before);
    }

    void theLockThatWasAskedForIsScrolledTo()
    {
        Fixture f;
        f.window.selectLock("lock:2500");
        std::vector<std::shared_ptr<const LockState>> locks;
        const MonoTime now = currentNow().mono;
        for (int i = 2400; i < 2600; ++i)
            locks.push_back(makeLock("lock:" + std::to_string(i), now));
        f.show(locks);
        for (int i = 1000; i < 2400; ++i)
            locks.push_back(makeLock("lock:" + std::to_string(i), now));
        f.show(locks);
        QCOMPARE(f.selected(), LockName("lock:2500"));
        QTRY_VERIFY(f.table().viewport()->rect().contains(f.shownRow("lock:2500")));
    }

    void aFilterThatCannotBeReadHidesNothingAndSaysAllThatIsWrong()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        const auto all = f.names().size();
        f.filter().setFocus();
        type(f.window, "kind:fair");
        QCOMPARE(f.names().size(), 2);
        type(f.window, "x");
        QCOMPARE(f.names().size(), all);
        const auto *problem = saying<QLabel>(f.window, QStringLiteral("is none of reentrant"));
        QVERIFY(problem);
        QVERIFY(problem->height() >= problem->heightForWidth(problem->width()));
        QVERIFY(f.window.rect().contains(QRect(problem->mapTo(&f.window, QPoint()), problem->size())));
        press(f.window, Qt::Key_Escape);
        QVERIFY(!problem->isVisible());
    }

    void saysThatAWordItDoesNotKnowIsText()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.filter().setFocus();
        type(f.window, "holders:7f");
        QVERIFY(saying<QLabel>(f.filter(), QStringLiteral("“holders:7f” as text")));
        QVERIFY(f.filter().accessibleDescription().contains(QStringLiteral("holders:7f")));
        press(f.window, Qt::Key_Escape);
        type(f.window, "kind:fair");
        QVERIFY(!saying<QLabel>(f.filter(), QStringLiteral("as text")));
    }

    void holdersHaveAllTheirRowsWhateverWasShownBefore()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.window.selectLock("billing:close");
        f.window.selectLock("inventory:sku:1093");
        f.window.selectLock("report:monthly"); // 14 holders
        auto &holders = *named<DataTable>(f.window, QStringLiteral("Holders"));
        QTRY_VERIFY(holders.viewport()->height() >= 3 * holders.rowHeight(0));
    }

    void noKeyHasTwoMeanings()
    {
        ConnectionDialog dialog({});
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        for (auto *choice : dialog.findChildren<QComboBox *>()) {
            for (int i = 0; i < choice->count(); ++i) {
                choice->setCurrentIndex(i);
                for (auto *tls : dialog.findChildren<QCheckBox *>())
                    tls->setChecked(true); // shows what belongs to it
                QCOMPARE(doubleKeys(dialog), QStringList());
            }
        }
    }

    void whatIsAskedForIsShownThoughTheFilterHidIt()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.filter().setFocus();
        type(f.window, "billing");
        f.window.selectLock("cache:warm");
        QCOMPARE(f.selected(), LockName("cache:warm"));
        QCOMPARE(f.filter().text(), QString());
    }
};

QTEST_MAIN(GesturesTest)
#include "tst_gestures.moc"
