// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/painted.h"
#include "tests/gui/test_window.h"
#include "ui/charts/timeline_view.h"
#include "ui/charts/ttl_chart.h"
#include "ui/dialogs/help_window.h"
#include "ui/models/roles.h"
#include "ui/views/data_table.h"
#include "ui/views/filter_field.h"
#include "ui/views/status_strip.h"
#include "ui/views/top_bar.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;
using Column = LockTableModel::Column;

namespace {

/// What guide, tooltips and menus promise a person's hands, and the fact that does it with the real window.
struct Promise {
    QString gesture;
    QString file; // in this folder
    QString fact;
};

QList<Promise> promises()
{
    const auto here = QStringLiteral("tst_gestures.cpp");
    const auto main = QStringLiteral("tst_main_window.cpp");
    const auto help = QStringLiteral("tst_help_window.cpp");
    const auto scrub = QStringLiteral("tst_scrub_bar.cpp");
    const auto pages = QStringLiteral("tst_pages.cpp");
    const auto together = QStringLiteral("tst_locks_together.cpp");
    const auto palette = QStringLiteral("tst_command_palette.cpp");
    const auto lab = QStringLiteral("tst_lab_page.cpp");
    const auto editor = QStringLiteral("tst_scenario_editor.cpp");
    const auto taking = QStringLiteral("tst_taking_along.cpp");
    return {
        { QStringLiteral("F1"), here, QStringLiteral("keysOfTheWindowDoWhatTheySay") },
        { QStringLiteral("F5"), here, QStringLiteral("keysOfTheWindowDoWhatTheySay") },
        { QStringLiteral("Ctrl+R"), here, QStringLiteral("keysOfTheWindowDoWhatTheySay") },
        { QStringLiteral("Ctrl+O"), here, QStringLiteral("keysOfTheWindowDoWhatTheySay") },
        { QStringLiteral("Ctrl+Del"), here, QStringLiteral("aKeyAsksToReleaseTheLockThatWasClicked") },
        { QStringLiteral("Ctrl+Q"), here, QStringLiteral("keysOfTheWindowDoWhatTheySay") },
        { QStringLiteral("Ctrl+7"), lab, QStringLiteral("playsAScenario") },
        { QStringLiteral("F9"), lab, QStringLiteral("isPlayedByShortcuts") },
        { QStringLiteral("F10"), lab, QStringLiteral("isPlayedByShortcuts") },
        { QStringLiteral("Shift+F9"), lab, QStringLiteral("isPlayedByShortcuts") },
        { QStringLiteral("Ctrl+S"), editor, QStringLiteral("savesAndOpensAgain") },
        { QStringLiteral("Ctrl+Z"), editor, QStringLiteral("theFormChangesOneValueAndNothingElse") },
        { QStringLiteral("Ctrl+D"), editor, QStringLiteral("stepsAreEditedByKeys") },
        { QStringLiteral("Alt+Up"), editor, QStringLiteral("stepsAreEditedByKeys") },
        { QStringLiteral("Alt+Down"), editor, QStringLiteral("stepsAreEditedByKeys") },
        { QStringLiteral("Ctrl+N"), main, QStringLiteral("keysWorkAlsoAfterTheMenuWasOpen") },
        { QStringLiteral("Ctrl+1"), pages, QStringLiteral("areChosenByMouseAndByKey") },
        { QStringLiteral("Ctrl+6"), pages, QStringLiteral("areChosenByMouseAndByKey") },
        { QStringLiteral("F8"), pages, QStringLiteral("leadToWhatNeedsAttention") },
        { QStringLiteral("Shift+F8"), pages, QStringLiteral("leadToWhatNeedsAttention") },
        { QStringLiteral("so does a click on `need attention`"), pages, QStringLiteral("leadToWhatNeedsAttention") },
        { QStringLiteral("Ctrl+Shift+P"), palette, QStringLiteral("opensByItsKeyAndGivesTheFocusBack") },
        { QStringLiteral("Ctrl+K"), main, QStringLiteral("worksByKeyboard") },
        { QStringLiteral("Ctrl+Space"), main, QStringLiteral("worksByKeyboard") },
        { QStringLiteral("Ctrl+Shift+C"), taking, QStringLiteral("copiesSeveralRowsAsSeveralLines") },
        { QStringLiteral("the arrow beside *Copy*"), taking, QStringLiteral("theDetailOffersTheSame") },
        { QStringLiteral("A right click on the course of the time to live"), taking,
            QStringLiteral("exportsChartsOfDashboardAndDetail") },
        { QStringLiteral("Ctrl+C"), here, QStringLiteral("copiesWholeOwners") },
        { QStringLiteral("Esc"), here, QStringLiteral("aFilterThatCannotBeReadHidesNothingAndSaysAllThatIsWrong") },
        { QStringLiteral("Enter"), here, QStringLiteral("anArrowChoosesTheOnlyHit") },
        { QStringLiteral("Alt+1"), here, QStringLiteral("aKeySorts") },
        { QStringLiteral("Alt+G"), together, QStringLiteral("groupsAndFoldsByKeys") },
        { QStringLiteral("A click on the sign before a title folds"), together,
            QStringLiteral("foldsByAClickOnTheSign") },
        { QStringLiteral("the left one leads to its title"), together, QStringLiteral("groupsAndFoldsByKeys") },
        { QStringLiteral("rows that are chosen with Ctrl or Shift"), together,
            QStringLiteral("warnsOfAClientThatLooksAlive") },
        { QStringLiteral("Alt+8"), here, QStringLiteral("aKeySorts") },
        { QStringLiteral("Ctrl+P"), scrub, QStringLiteral("playsAndPauses") },
        { QStringLiteral("Alt+←"), scrub, QStringLiteral("goesFromEventToEventByKeys") },
        { QStringLiteral("Alt+→"), scrub, QStringLiteral("goesFromEventToEventByKeys") },
        { QStringLiteral("Alt+Left"), help, QStringLiteral("goesBackAndForward") },
        { QStringLiteral("Ctrl+F"), help, QStringLiteral("findsInTheChapter") },
        { QStringLiteral("A click on a column's title sorts"), here, QStringLiteral("aClickOnATitleSorts") },
        { QStringLiteral("Drag the edge of a title"), here, QStringLiteral("aDraggedColumnKeepsItsShareOfTheWindow") },
        { QStringLiteral("a right click on the titles"), here,
            QStringLiteral("aDraggedColumnKeepsItsShareOfTheWindow") },
        { QStringLiteral("so that a click hits what you aimed at"), here,
            QStringLiteral("rowsStayInPlaceWhileThePointerIsOnThem") },
        { QStringLiteral("A right click on a lock"), here, QStringLiteral("aRightClickOnALockOffersWhatCanBeDone") },
        { QStringLiteral("A right click on a holder or waiter"), here, QStringLiteral("aRightClickOnAHolderNamesIt") },
        { QStringLiteral("the down arrow from there"), here, QStringLiteral("anArrowChoosesTheOnlyHit") },
        { QStringLiteral("The arrow keys, Page up and Page down choose"), palette,
            QStringLiteral("goesByKeysAndByMouse") },
        { QStringLiteral("Enter takes that step"), palette, QStringLiteral("offersTheSwitchBeforeAWrite") },
        { QStringLiteral("Drag, or use the keys of sliders"), scrub,
            QStringLiteral("movesByKeyAndMouseButNotByItself") },
    };
}

QString textOf(const QString &file)
{
    QFile opened(file);
    return opened.open(QIODevice::ReadOnly) ? QString::fromUtf8(opened.readAll()) : QString();
}

QSet<QString> allOf(const QString &pattern, const QString &text)
{
    QSet<QString> found;
    for (const auto &match : QRegularExpression(pattern).globalMatch(text))
        found << match.captured();
    return found;
}

const auto Keys = QStringLiteral("\\b(?:(?:Ctrl|Alt|Shift)\\+)+[A-Za-z0-9←→]+|\\bF\\d+\\b|\\bEsc\\b|\\bEnter\\b");

/// Titles and figures that are not whole. Names, ids and notes may be: their tool tips have the whole.
QStringList cutIn(const DataTable &table, const Theme &theme)
{
    constexpr int Margins = 12;
    QStringList cut;
    QFont titles = theme.uiFont();
    titles.setPixelSize(12);
    titles.setWeight(QFont::DemiBold);
    int right = 0;
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        const int width = table.isColumnHidden(column) ? 0 : table.columnWidth(column);
        right += width;
        const QString title = table.model()->headerData(column, Qt::Horizontal).toString();
        if (width == 0)
            continue;
        if (width < QFontMetrics(titles).horizontalAdvance(title) + Margins || right > table.viewport()->width())
            cut << table.accessibleName() + QStringLiteral(": ") + title;
        const QModelIndex cell = table.model()->index(0, column);
        const QString figure = cell.data().toString();
        const bool isFigure
            = !cell.data(MonoRole).toBool() && figure.contains(QRegularExpression(QStringLiteral("^(≥ )?\\d|^in ")));
        const int bar = title == QStringLiteral("TTL") ? 32 : 0;
        if (isFigure && width < QFontMetrics(theme.uiFont()).horizontalAdvance(figure) + Margins + bar)
            cut << table.accessibleName() + QStringLiteral(": ") + figure;
    }
    return cut;
}

/// Shows what it is given; nothing comes from a server.
struct Fixture : TestWindow {
    Fixture()
    {
        connectToNobody();
        showAt({ 1'200, 700 });
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
    int underTitles() { return table().mapTo(&window, QPoint(0, table().horizontalHeader()->height())).y(); }
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

    /// At once, and only where the button of that name may be pressed.
    void aKeyAsksToReleaseTheLockThatWasClicked()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        const QSignalSpy asked(&f.page(), &LocksPage::forceReleaseRequested);
        const LockName name = "billing:close";
        const auto clickIt = [&] { click(placeIn(*f.table().viewport(), f.shownRow(name).center())); };
        f.page().setActionsAllowed(false, QStringLiteral("The connection is read-only."));
        clickIt();
        press(f.window, Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(asked.size(), 0); // it is read-only, and that is told
        QVERIFY2(QToolTip::text().contains(QStringLiteral("read-only")), qPrintable(QToolTip::text()));
        QToolTip::hideText();
        f.page().setActionsAllowed(true, {});
        clickIt();
        QCOMPARE(f.selected(), name);
        QVERIFY(f.forceRelease().isEnabled());
        press(f.window, Qt::Key_Delete, Qt::ControlModifier);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().value<LockTableModel::Lock>()->name, name);
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
        MainWindow window({ f.monitor, f.theme, f.store, f.settings });
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

    /// Beside the buttons stands no other lock than the one that was asked for.
    void showsNoOtherLockThanTheOneThatWasAskedFor()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.window.selectLock("nightly");
        f.showSample();
        QCOMPARE(f.selected(), LockName());
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("“nightly” is not among the locks")));
        const auto *release = button(f.window, QStringLiteral("Force release…"));
        QVERIFY(!release || !release->isVisible());
        f.clickRow(0);
        const LockName chosen = f.selected();
        QVERIFY(!chosen.empty());
        f.show({ makeLock("nightly", currentNow().mono), makeLock(chosen, currentNow().mono) });
        QCOMPARE(f.selected(), chosen);
    }

    /// What a person has typed meanwhile stays, and so does the server that it was asked of.
    void showsWhatWasAskedForWhenItComes()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.window.selectLock("nightly");
        f.showSample();
        f.filter().setFocus();
        type(f.window, "billing");
        const QSignalSpy chosen(f.window.findChild<LocksPage *>(), &LocksPage::selectionChanged);
        f.show({ makeLock("nightly", currentNow().mono), makeLock("billing:close", currentNow().mono) });
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(f.selected(), LockName("nightly"));
        QCOMPARE(f.names().size(), 1);
        press(f.window, Qt::Key_Escape);
        QCOMPARE(f.names().size(), 2);
        QCOMPARE(f.selected(), LockName("nightly"));
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
        QVERIFY(problem->mapTo(&f.window, QPoint()).y() >= f.underTitles());
        press(f.window, Qt::Key_Escape);
        QVERIFY(!problem->isVisible());
    }

    /// A name may begin as a word that means something else.
    void aNameThatCannotBeReadIsFoundInQuotes()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.show({ makeLock("lease:ten", currentNow().mono), makeLock("other", currentNow().mono) });
        f.filter().setFocus();
        type(f.window, "lease:ten");
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("is none of unknown, watchdog, fixed")));
        const QString asText = QStringLiteral("\"lease:ten\"");
        QVERIFY(saying<QLabel>(f.window, asText));
        press(f.window, Qt::Key_Escape);
        type(f.window, asText.toLatin1().constData());
        QCOMPARE(f.names(), QStringList{ QStringLiteral("lease:ten") });
        press(f.window, Qt::Key_Escape);
        type(f.window, "\"lease:ten");
        QVERIFY(!saying<QLabel>(f.window, QStringLiteral("as text"))); // they are there, but for one
    }

    /// What can be written is said below the titles of the columns, and goes when a person writes.
    void whatTheFilterUnderstandsHidesNoTitle()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        const auto tip = []() -> const QWidget * {
            for (const QWidget *each : QApplication::topLevelWidgets())
                if (each->inherits("QTipLabel") && each->isVisible())
                    return each;
            return nullptr;
        };
        f.filter().setFocus();
        moveTo(middleOf(f.filter()));
        QTRY_VERIFY(tip());
        QVERIFY(tip()->findChildren<QWidget *>().isEmpty());
        QVERIFY2(tip()->y() >= f.window.mapToGlobal(QPoint(0, f.underTitles())).y(),
            qPrintable(QDebug::toString(tip()->geometry())));
        type(f.window, "k");
        QTRY_VERIFY(!tip());
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

    /// Where the keys go from, also among many.
    void marksOneOfTheRowsThatAreChosen()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        auto &table = *named<DataTable>(f.window, QStringLiteral("Locks"));
        click(cellOf(table, 0, Column::HolderColumn));
        const auto marked = [&] {
            const QImage rows = table.viewport()->grab().toImage();
            QList<int> found;
            for (int row = 0; row < table.model()->rowCount(); ++row) {
                const QRect cell = table.visualRect(table.model()->index(row, Column::HolderColumn));
                const QPoint line(cell.right() - 2, cell.bottom());
                if (rows.rect().contains(line) && rows.pixelColor(line) == f.theme.colors().accent)
                    found << row;
            }
            return found;
        };
        QCOMPARE(marked(), QList<int>{ 0 });
        press(f.window, Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(marked(), QList<int>{ 0 });
        const QRect second = table.visualRect(table.model()->index(1, Column::HolderColumn));
        const QImage painted = table.viewport()->grab().toImage();
        const auto colorAt = [&](int y) { return painted.pixelColor(second.right() - 2, y); };
        QCOMPARE(colorAt(second.bottom()), f.theme.colors().line); // it is told from the next one
        QCOMPARE(colorAt(second.top() + 1), f.theme.colors().selection);
        click(cellOf(table, 0, Column::HolderColumn));
        press(f.window, Qt::Key_Down, Qt::ShiftModifier);
        press(f.window, Qt::Key_Down, Qt::ShiftModifier);
        QCOMPARE(table.selectionModel()->selectedRows().size(), 3);
        QCOMPARE(marked(), QList<int>{ 2 });
        press(f.window, Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(table.selectionModel()->selectedRows().size(), 2);
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

    void everyPromiseIsKeptByAFact()
    {
        QString guide = textOf(QStringLiteral(":/lockscope/help/reading-the-window.md"));
        guide.replace(u'\n', u' ');
        QVERIFY(!guide.isEmpty());
        QSet<QString> made;
        for (const Promise &promise : promises()) {
            made << promise.gesture;
            const QString facts = textOf(QFINDTESTDATA(promise.file.toUtf8().constData()));
            QVERIFY2(facts.contains(QStringLiteral("void ") + promise.fact + u'('), qPrintable(promise.fact));
        }
        QString words = guide;
        Fixture f;
        for (const QWidget *each : f.window.findChildren<QWidget *>())
            words += u' ' + each->toolTip();
        QCOMPARE(allOf(Keys, words) - made, QSet<QString>());
        // Each sentence of the guide about the pointer.
        for (const QString &sentence : guide.split(QRegularExpression(QStringLiteral("(?<=[.!?:|]) ")))) {
            if (!sentence.contains(QRegularExpression(QStringLiteral("\\b(?:[Cc]lick|[Dd]rag|arrow)\\b"))))
                continue;
            QVERIFY2(std::ranges::any_of(made, [&](const QString &each) { return sentence.contains(each); }),
                qPrintable(sentence));
        }
        // The keys of what can be chosen, and of what has no menu.
        for (const QAction *action : f.window.findChildren<QAction *>())
            for (const QKeySequence &key : action->shortcuts())
                QVERIFY2(made.contains(key.toString()), qPrintable(key.toString()));
    }

    void keysOfTheWindowDoWhatTheySay()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        QSignalSpy looks(f.window.findChild<TopBar *>(), &TopBar::sweepRequested);
        press(f.window, Qt::Key_F5);
        QCOMPARE(looks.size(), 1);
        for (const Qt::Key key : { Qt::Key_R, Qt::Key_O }) {
            press(f.window, key, Qt::ControlModifier);
            QPointer<QFileDialog> dialog;
            QTRY_VERIFY((dialog = f.window.findChild<QFileDialog *>()));
            QCOMPARE(dialog->acceptMode(), key == Qt::Key_R ? QFileDialog::AcceptSave : QFileDialog::AcceptOpen);
            dialog->reject();
            QTRY_VERIFY(!dialog);
            f.window.activateWindow();
            QVERIFY(f.isReady());
        }
        press(f.window, Qt::Key_F1);
        HelpWindow *help = nullptr;
        QTRY_VERIFY((help = f.window.findChild<HelpWindow *>()) && help->isVisible());
        help->close();
        f.window.activateWindow();
        QVERIFY(f.isReady());
        press(f.window, Qt::Key_Q, Qt::ControlModifier);
        QTRY_VERIFY(!f.window.isVisible());
    }

    /// Where there is no folder for documents, as on many servers.
    void aRecordingIsOfferedAPlaceAtHome()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        const QByteArray home = qgetenv("HOME");
        const QByteArray configured = qgetenv("XDG_CONFIG_HOME");
        qputenv("HOME", f.folder.path().toLocal8Bit());
        qunsetenv("XDG_CONFIG_HOME");
        press(f.window, Qt::Key_R, Qt::ControlModifier);
        const QPointer<QFileDialog> dialog = f.window.findChild<QFileDialog *>();
        qputenv("HOME", home);
        if (!configured.isNull())
            qputenv("XDG_CONFIG_HOME", configured);
        QVERIFY(dialog);
        QCOMPARE(dialog->directory().canonicalPath(), QDir(f.folder.path()).canonicalPath());
        dialog->reject();
    }

    void aRightClickOnALockOffersWhatCanBeDone()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.page().setActionsAllowed(true, {});
        QSignalSpy releases(&f.page(), &LocksPage::forceReleaseRequested);
        auto row = static_cast<int>(f.names().indexOf(QStringLiteral("billing:close")));
        click(cellOf(f.table(), row, Column::Name), Qt::RightButton);
        QCOMPARE(f.selected(), LockName("billing:close")); // what the menu is about is what the detail shows
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
        QCOMPARE(entriesWithoutAccessKey(*menu), QStringList());
        const auto entries = menu->actions();
        const auto names = std::ranges::find_if(
            entries, [](const QAction *each) { return each->text().remove(u'&') == QStringLiteral("Copy the name"); });
        QCOMPARE((*names)->shortcut(), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
        choose(*menu, QStringLiteral("Copy the name"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("billing:close"));
        const auto again = [&](const QString &entry) {
            click(cellOf(f.table(), row, Column::Name), Qt::RightButton);
            QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
            choose(*menu, entry);
        };
        again(QStringLiteral("Copy the owner"));
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("5d0e77c1-41c2-4e0b-9f55-0c5d1be0a7d2:112"));
        again(QStringLiteral("Show on the timeline"));
        const auto *timeline = f.window.findChild<TimelineView *>();
        QTRY_VERIFY(timeline->isVisible());
        QCOMPARE(timeline->chosen(), LockName("billing:close"));
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        again(QStringLiteral("Only what this client holds"));
        QTRY_COMPARE(f.filter().text(), QStringLiteral("holder:5d0e77c1-41c2-4e0b-9f55-0c5d1be0a7d2"));
        QCOMPARE(f.names().size(), 2);
        row = static_cast<int>(f.names().indexOf(QStringLiteral("billing:close")));
        again(QStringLiteral("Force release…"));
        QTRY_COMPARE(releases.size(), 1);
    }

    void aRightClickOnAHolderNamesIt()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.window.selectLock("billing:close");
        QCoreApplication::processEvents();
        QSignalSpy names(&f.page(), &LocksPage::clientNamingRequested);
        const auto &holders = *named<DataTable>(f.window, QStringLiteral("Holders"));
        click(cellOf(holders, 0, 0), Qt::RightButton);
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu *>(QApplication::activePopupWidget())));
        choose(*menu, QStringLiteral("Name this client…"));
        QTRY_COMPARE(names.size(), 1);
    }

    void copiesWholeOwners()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.clickRow(static_cast<int>(f.names().indexOf(QStringLiteral("billing:close"))));
        press(f.window, Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QApplication::clipboard()->text().contains(QStringLiteral("5d0e77c1-41c2-4e0b-9f55-0c5d1be0a7d2:112")),
            qPrintable(QApplication::clipboard()->text()));
    }

    /// A terminal would obey what is pasted there.
    void copiesNoControlCharacters()
    {
        Fixture f;
        QVERIFY(f.isReady());
        const auto copied = [&](const LockName &name) {
            f.show({ makeLock(name, currentNow().mono) });
            f.clickRow(0);
            click(middleOf(*f.page().findChild<DetailPanel *>()->findChildren<QPushButton *>().front()));
            return QApplication::clipboard()->text();
        };
        QCOMPARE(copied("a\x1b[31mred\n"), QStringLiteral("a\\x1b[31mred\\x0a"));
        QVERIFY(!QApplication::clipboard()->mimeData()->hasFormat(QStringLiteral("application/octet-stream")));
        QCOMPARE(copied("bytes\xff"), QStringLiteral("bytes\\xff"));
        QCOMPARE(copied("C:\\temp ä"), QStringLiteral("C:\\\\temp ä")); // as it is shown
        QCOMPARE(copied(std::string(900, 'n')), QString(900, QLatin1Char('n')));
    }

    void aLockWithoutTtlSaysSoInItsChart()
    {
        Fixture f;
        QVERIFY(f.isReady());
        auto endless = makeLock("maintenance:switch", currentNow().mono);
        endless->expiresAt.reset();
        endless->holders.front().expiresAt.reset();
        endless->holders.front().since = { currentNow().mono - std::chrono::minutes(20), false };
        endless->ttlHistory.clear();
        f.show({ endless });
        f.clickRow(0);
        const auto *chart = f.window.findChild<TtlChart *>();
        QVERIFY(chart->isVisible());
        QVERIFY2(chart->accessibleDescription().contains(QStringLiteral("no time to live")),
            qPrintable(chart->accessibleDescription()));
        QStringList texts;
        for (const TtlChart::Label &label : chart->labels())
            texts << label.text;
        QVERIFY2(texts.join(QLatin1Char('|')).contains(QStringLiteral("no time to live")),
            qPrintable(texts.join(QLatin1Char('|'))));
        QVERIFY(!texts.contains(QStringLiteral("not watched yet"))); // it was first seen long before
    }

    void pauseCannotBeMistakenForLive()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        const QString title = f.window.windowTitle();
        press(f.window, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY2(
            f.window.windowTitle().startsWith(QStringLiteral("Paused since ")), qPrintable(f.window.windowTitle()));
        const auto *banner = saying<QLabel>(f.window, QStringLiteral("Paused since "));
        QVERIFY(banner && banner->text().contains(QStringLiteral("true then")));
        const QString before = banner->text();
        QTRY_VERIFY(banner->text() != before); // it grows old
        const auto *strip = saying<QLabel>(*f.window.findChild<StatusStrip *>(), QStringLiteral("paused since "));
        QVERIFY(strip);
        auto snapshot = sampleSnapshot(currentNow());
        snapshot->status.phase = SourcePhase::Stale;
        snapshot->status.staleSince = currentNow().mono;
        f.window.showSnapshot(snapshot);
        banner = saying<QLabel>(f.window, QStringLiteral("Paused since "));
        QVERIFY(banner && banner->text().contains(QStringLiteral("connection is lost")));
        QVERIFY2(
            f.window.windowTitle().contains(QStringLiteral("Connection lost · ")), qPrintable(f.window.windowTitle()));
        f.showSample();
        click(middleOf(*button(f.window, QStringLiteral("Resume"))));
        QCOMPARE(f.window.windowTitle(), title);
        QVERIFY(!saying<QLabel>(f.window, QStringLiteral("aused since ")));
    }

    void aRenewalMovesTheRowAtOnce()
    {
        Fixture f;
        QVERIFY(f.isReady());
        const auto both = [](Millis first, Millis second) {
            const MonoTime now = currentNow().mono;
            return std::vector<std::shared_ptr<const LockState>>{ makeLock("a", now, first),
                makeLock("b", now, second) };
        };
        f.show(both(Millis(9'000), Millis(1'000)));
        f.clickTitle(Column::Ttl);
        QCOMPARE(f.names(), (QStringList{ QStringLiteral("a"), QStringLiteral("b") }));
        moveTo(middleOf(f.filter())); // under the pointer no row moves
        for (int turn = 0; turn < 3; ++turn) { // whenever it comes between two looks at the clock
            f.show(both(Millis(0), Millis(2'000)));
            QVERIFY(QTest::qWaitFor([&] { return f.names().front() == QStringLiteral("b"); }, 400));
            f.show(both(Millis(2'000), Millis(0)));
            QVERIFY(QTest::qWaitFor([&] { return f.names().front() == QStringLiteral("a"); }, 400));
        }
    }

    void noTitleAndNoFigureIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1366") << QSize(1366, 700);
        QTest::newRow("1440") << QSize(1440, 850);
        QTest::newRow("1024") << QSize(1024, 700);
    }

    void noTitleAndNoFigureIsCut()
    {
        QFETCH(QSize, size);
        Fixture f;
        QVERIFY(f.isReady());
        f.window.resize(size);
        const Now now = currentNow();
        const Since longAgo{ now.mono - Millis(3'599'000), false };
        auto fair = makeLock("fair", now.mono);
        fair->kind = Kind::Fair;
        fair->holders.front().since = longAgo;
        const OwnerId waiting{ "5d0e77c1-0a1b-4c2d-8e3f-405162738495", "112" };
        fair->waiters.push_back(Waiter{ waiting, now.wall + Millis(3'599'000), longAgo, true });
        auto read = makeLock("read", now.mono);
        read->kind = Kind::ReadWrite;
        read->holders.front().mode = HoldMode::Read;
        read->holders.front().since = longAgo;
        f.show({ fair, read });
        for (const char *name : { "fair", "read" }) {
            f.window.selectLock(name);
            QCoreApplication::processEvents();
            for (const DataTable *table : f.window.findChildren<DataTable *>()) {
                if (table->isVisible())
                    QCOMPARE(cutIn(*table, f.theme).join(QStringLiteral(", ")), QString());
            }
        }
    }

    void connectionsOfOneNameAreToldApart()
    {
        struct TwoOfAName : ConnectionStore {
            std::vector<ConnectionProfile> recent() const override { return profiles; }
            void remember(const ConnectionProfile &, bool) override { }
            void forget(const ConnectionProfile &) override { }
            std::vector<ConnectionProfile> profiles;
        } store;
        for (const char *host : { "redis-a", "redis-b", "redis-c" }) {
            ConnectionProfile profile;
            profile.name = QStringLiteral("shop");
            profile.deployment.seeds.front().host = host;
            store.profiles.push_back(profile);
        }
        store.profiles.back().name = QStringLiteral("other");
        store.profiles.back().environment = QStringLiteral("PROD");
        store.profiles.push_back(store.profiles.front());
        store.profiles.back().deployment.seeds.front().database = 3;
        Theme theme(*qApp);
        TopBar bar(theme, store);
        bar.resize(1200, 44);
        bar.show();
        bar.setConnection(store.profiles.front());
        QVERIFY(named<QToolButton>(bar, QStringLiteral("Connection: shop · redis-a:6379")));
        auto *menu = bar.findChild<QMenu *>();
        Q_EMIT menu->aboutToShow();
        QStringList entries;
        for (const QAction *action : menu->actions())
            entries << action->text();
        for (const auto &entry : { QStringLiteral("shop · redis-a:6379"), QStringLiteral("shop · redis-a:6379/3"),
                 QStringLiteral("shop · redis-b:6379"), QStringLiteral("other\tPROD") })
            QVERIFY2(entries.contains(entry), qPrintable(entries.join(QLatin1Char('|'))));
    }

    void saysThatItCopied()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.clickRow(0);
        auto *copy = button(f.window, QStringLiteral("Copy"));
        click(middleOf(*copy));
        QCOMPARE(copy->text(), QStringLiteral("Copied"));
        QCOMPARE(QApplication::clipboard()->text(), QString::fromStdString(f.selected()));
        QTRY_COMPARE(copy->text(), QStringLiteral("Copy"));
    }

    void everyStopOfTheTabKeyCanBeSeen()
    {
        Fixture f;
        QVERIFY(f.isReady());
        f.showSample();
        f.window.selectLock("inventory:sku:1093");
        f.filter().setFocus();
        QSet<QWidget *> seen;
        for (QWidget *at = QApplication::focusWidget(); at != nullptr && !seen.contains(at);
             at = QApplication::focusWidget()) {
            seen << at;
            const QRect around(at->mapTo(&f.window, QPoint(-2, -2)), at->size() + QSize(4, 4));
            f.window.setPaused(true); // only the focus changes what is seen
            const QImage with = f.window.grab(around).toImage();
            at->clearFocus();
            const QImage without = f.window.grab(around).toImage();
            const auto *area = qobject_cast<QAbstractScrollArea *>(at);
            Painted painted(area ? *area->viewport() : *at);
            at->setFocus(Qt::TabFocusReason);
            QVERIFY2(!painted.take().isEmpty(), at->metaObject()->className()); // at once, not with the next change
            if (!qobject_cast<QLineEdit *>(at)) // its caret blinks, its border is told by the style
                QVERIFY2(
                    with != without, qPrintable(at->accessibleName() + QLatin1String(at->metaObject()->className())));
            press(f.window, Qt::Key_Tab);
        }
        QVERIFY(seen.size() > 8);
    }

    void showsThePermitsOfASemaphore()
    {
        Fixture f;
        QVERIFY(f.isReady());
        const Now now = currentNow();
        auto semaphore = std::make_shared<LockState>();
        semaphore->name = "gate:upload";
        semaphore->kind = Kind::PermitExpirableSemaphore;
        PermitsReading permits{ 3, 1'413, 1, {} };
        permits.leases = { { "9d04f6a1c3e85b720000000000000000", now.wall - Millis(17'000) },
            { "17bb02e94ac6d0130000000000000000", now.wall + Millis(61'000) } };
        semaphore->permits = permits;
        semaphore->hasMainKey = true;
        f.show({ semaphore });
        f.clickRow(0);
        const auto *table = named<DataTable>(f.window, QStringLiteral("Permits"));
        QVERIFY(table && table->isVisible());
        const auto cell = [&](int row, int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0, 0), QStringLiteral("9d04f6a1c3e85b720000000000000000"));
        QVERIFY2(cell(0, 1).startsWith(QStringLiteral("overdue 1")), qPrintable(cell(0, 1)));
        QVERIFY2(cell(1, 1).startsWith(QStringLiteral("1 m")), qPrintable(cell(1, 1)));
        QVERIFY(!f.window.findChild<TtlChart *>()->isVisible()); // it has no time to live
        const auto isTold = [&](const QString &text) {
            return std::ranges::any_of(f.window.findChildren<QLabel *>(),
                [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
        };
        QVERIFY(isTold(QStringLiteral("and 1,412 more")));
        permits.leased = 1; // both are listed
        semaphore = std::make_shared<LockState>(*semaphore);
        semaphore->permits = permits;
        f.show({ semaphore });
        QVERIFY(!isTold(QStringLiteral("and 1,412 more")) && !isTold(QStringLiteral("and 0 more")));
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
