// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "ui/views/data_table.h"
#include "ui/views/filter_field.h"

#include <QLabel>
#include <QScrollBar>
#include <QTest>

using namespace lockui;
using namespace lockcore;
using namespace lockui::test;
using Column = LockTableModel::Column;

namespace {

/// Shows what it is given; nothing comes from a server.
struct Fixture : TestWindow {
    Fixture()
    {
        ConnectionProfile profile;
        profile.deployment.seeds.front().socketPath = folder.filePath(QStringLiteral("nobody.sock")).toStdString();
        window.openConnection(profile);
        QObject::disconnect(&monitor, nullptr, &window, nullptr);
        window.show();
        window.activateWindow();
    }

    bool isReady() { return QTest::qWaitForWindowActive(&window); }

    void show(std::vector<std::shared_ptr<const LockState>> locks)
    {
        window.showSnapshot(makeSnapshot(currentNow(), std::move(locks)));
        QCoreApplication::sendPostedEvents();
    }

    void showSample() { window.showSnapshot(sampleSnapshot(currentNow())); }

    DataTable &table() { return *named<DataTable>(window, QStringLiteral("Locks")); }
    FilterField &filter() { return *window.findChild<FilterField *>(); }
    LockName selected() { return page().selectedLock() ? page().selectedLock()->name : LockName(); }
    QAbstractButton &forceRelease() { return *button(window, QStringLiteral("Force release…")); }

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
