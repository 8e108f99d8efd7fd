// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/painted.h"
#include "tests/gui/test_names.h"
#include "tests/gui/test_window.h"
#include "ui/models/holder_model.h"
#include "ui/models/roles.h"
#include "ui/models/waiter_model.h"
#include "ui/support/freshness.h"
#include "ui/support/navigation.h"
#include "ui/support/widgets.h"
#include "ui/text/lock_text.h"
#include "ui/views/cell_delegates.h"
#include "ui/views/data_table.h"
#include "ui/views/detail_head.h"
#include "ui/views/status_strip.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;

namespace {

/// All that a status line can have to say at once, with a lock whose name has no end.
std::shared_ptr<Snapshot> crowded(MonoTime readAt)
{
    const Now now = currentNow();
    std::vector<std::shared_ptr<const LockState>> locks;
    for (int i = 1000; i < 2300; ++i)
        locks.push_back(makeLock("lock:" + std::to_string(i), now.mono));
    auto wide = makeLock("a:" + std::string(200, 'n'), now.mono);
    wide->kind = Kind::ReadWrite;
    wide->mode = HoldMode::Read;
    wide->holders.front().mode = HoldMode::Read;
    while (wide->holders.size() < 14)
        wide->holders.push_back(Holder(wide->holders.front()));
    wide->node = "a-server-with-a-name.of.some.length.example.org:6379";
    wide->readAtMono = readAt;
    locks.push_back(wide);
    auto snapshot = makeSnapshot(now, std::move(locks));
    snapshot->status.feed = Feed::KeyspaceNotifications;
    snapshot->status.feedLimited = true;
    snapshot->status.missingRights = { { Right::Scan }, { Right::CountWaiters }, { Right::Tracking } };
    snapshot->status.lastSweep = SweepInfo{ 1'020'000, Millis(1'100), now.mono };
    snapshot->nodes.resize(12);
    for (NodeStatus &node : snapshot->nodes)
        node.status.phase = SourcePhase::Live;
    return snapshot;
}

/// As wide as its text, and inside of what it stands in.
bool isWhole(const QWidget &part, const QWidget &around)
{
    const QRect place(part.mapTo(&around, QPoint()), part.size());
    return part.isVisible() && part.width() >= part.sizeHint().width() && around.rect().contains(place);
}

struct Fixture : TestWindow {
    Fixture()
    {
        ConnectionProfile profile;
        profile.environment = QStringLiteral("PRODUCTION-EUROPE");
        profile.readOnlyLocked = true;
        connectToNobody(profile);
        window.resize(window.minimumSize());
        window.show();
    }

    void show(const std::shared_ptr<Snapshot> &snapshot)
    {
        window.showSnapshot(snapshot);
        QCoreApplication::sendPostedEvents();
    }
};

} // namespace

/// What a person must know stays whole in the smallest window; the rest is cut with an ellipsis.
class NarrowWindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsStateAndLimitsInTheStatusLine()
    {
        Fixture f;
        f.show(crowded(currentNow().mono));
        const auto *strip = f.window.findChild<StatusStrip *>();
        QCOMPARE(strip->width(), f.window.width());
        const auto *live = saying<QLabel>(*strip, QStringLiteral("live"));
        QVERIFY(live && isWhole(*live, *strip));
        for (const QString &text :
            { QStringLiteral("limited"), QStringLiteral("12 nodes"), QStringLiteral("3 rights") }) {
            const auto *part = saying<QToolButton>(*strip, text);
            QVERIFY2(part && isWhole(*part, *strip), qPrintable(text));
        }
        const auto *access = saying<QToolButton>(f.window, QStringLiteral("read-only"));
        QVERIFY(access && isWhole(*access, f.window));
    }

    /// A figure that is cut may be read as another one.
    void saysLessWhereNotAllHasRoom()
    {
        ElidedLabel label(QStringLiteral("statusLine"));
        label.setShorterTexts({ QStringLiteral("12:00:01 – 12:00:02, 1.0 s"), QStringLiteral("from 12:00:01, 1.0 s") });
        label.setText(QStringLiteral("12:00:01 – 12:00:02, 1.0 s · nothing older is kept"));
        label.resize(label.sizeHint());
        QCOMPARE(label.shownText(), label.text());
        label.resize(label.width() * 3 / 4, label.height());
        QCOMPARE(label.shownText(), QStringLiteral("12:00:01 – 12:00:02, 1.0 s"));
        label.resize(label.fontMetrics().horizontalAdvance(QStringLiteral("12:00:01 – 12:00:02, 1")), label.height());
        QCOMPARE(label.shownText(), QStringLiteral("from 12:00:01, 1.0 s"));
        label.resize(30, label.height());
        QVERIFY(label.shownText().endsWith(QChar(0x2026)));
    }

    /// A legend that has no room for a word has it in its tool tip.
    void explainsTheTimelineInEachWindow()
    {
        TestWindow f;
        f.connectToNobody();
        f.window.showPage(QStringLiteral("timeline"));
        const auto words = [&]() -> qsizetype {
            const auto *legend = saying<QLabel>(f.window, QStringLiteral("▬"));
            if (!legend || !isWhole(*legend, f.window) || !legend->toolTip().contains(QStringLiteral("not seen")))
                return 0;
            return legend->text().count(QStringLiteral("</span>"));
        };
        f.showAt({ 1'366, 760 });
        QTRY_COMPARE(words(), qsizetype(4));
        f.showAt({ 1'024, 760 });
        QTRY_COMPARE(words(), qsizetype(2));
    }

    void keepsTheAgeOfWhatIsShown()
    {
        Fixture f;
        f.show(crowded(currentNow().mono - std::chrono::hours(3) - std::chrono::minutes(25)));
        f.window.selectLock("a:" + std::string(200, 'n'));
        QCoreApplication::sendPostedEvents();
        const auto *read = saying<QLabel>(f.window, QStringLiteral("unchanged for ≥ 3 h"));
        QVERIFY(read);
        const auto *panel = f.window.findChild<DetailPanel *>();
        QVERIFY(isWhole(*read, *panel));
        for (const QString &text : { QStringLiteral("Copy"), QStringLiteral("Force release…") }) {
            const auto *action = button(f.window, text);
            QVERIFY(isWhole(*action, *panel));
            const QPoint end = read->mapTo(panel, QPoint(read->width(), read->height()));
            const QPoint begin = action->mapTo(panel, QPoint());
            QVERIFY(begin.x() >= end.x() || begin.y() >= end.y()); // beside it, or below
        }
    }

    /// Countdowns stand still at the moment of the loss; the age of what was read must not.
    void letsWhatWasReadGrowOldWhileStale()
    {
        Fixture f;
        const MonoTime lost = currentNow().mono - std::chrono::minutes(5);
        auto snapshot = crowded(lost - Millis(100));
        snapshot->nodes.clear();
        snapshot->status.phase = SourcePhase::Stale;
        snapshot->status.staleSince = lost;
        f.show(snapshot);
        f.window.selectLock("a:" + std::string(200, 'n'));
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("as it was 5 m")));
    }

    void keepsThatAWaiterSeemsDead()
    {
        Fixture f;
        f.window.resize(1366, 768);
        auto lock = makeLock("billing:8", currentNow().mono);
        lock->kind = Kind::Fair;
        for (const char *thread : { "1", "2" })
            lock->waiters.push_back({ { "c78be572-41c2-4e0b-9f55-0c5d1be0a7d2", thread },
                currentNow().wall + Millis(309'000), { currentNow().mono, true }, thread[0] != '1' });
        f.show(makeSnapshot(currentNow(), { lock }));
        f.window.selectLock("billing:8");
        QCoreApplication::sendPostedEvents();
        const auto &queue = *named<DataTable>(f.window, QStringLiteral("Fair queue"));
        const QModelIndex note = queue.model()->index(0, WaiterModel::Note);
        QVERIFY(note.data().toString().startsWith(QStringLiteral("ghost")));
        constexpr int Paddings = 20;
        const QString shortest = note.data(ShortTextRole).toString();
        QVERIFY2(queue.fontMetrics().horizontalAdvance(shortest) + Paddings <= queue.columnWidth(WaiterModel::Note),
            qPrintable(shortest));
    }

    /// It says what the buttons beside it act upon.
    void theNameInTheDetailIsTheLastToBeCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("name");
        for (const QString &name : { QStringLiteral("report:monthly"), QStringLiteral("billing:invoices:europe:2026") })
            for (const QSize size : { QSize(), QSize(1'024, 700), QSize(1'440, 900) })
                QTest::addRow("%s %d", qPrintable(name), size.width()) << size << name;
        QTest::newRow("long") << QSize(1'440, 900) << QString(QStringLiteral("a:") + QString(110, QLatin1Char('n')));
    }

    void theNameInTheDetailIsTheLastToBeCut()
    {
        QFETCH(const QSize, size);
        QFETCH(const QString, name);
        Fixture f;
        f.window.resize(size.isValid() ? size : f.window.minimumSize());
        const auto now = currentNow();
        auto lock = makeLock(name.toStdString(), now.mono);
        lock->kind = Kind::ReadWrite;
        lock->lease = Lease::Watchdog;
        lock->renewals = 12;
        lock->node = "a-server-with-a-name.of.some.length.example.org:6379";
        f.show(makeSnapshot(now, { lock }));
        f.window.selectLock(name.toStdString());
        auto &head = *f.window.findChild<DetailHead *>();
        QTRY_VERIFY(head.isVisible());
        for (int i = 0; i < 3; ++i)
            doLayouts();
        const auto *title = head.findChild<ElidedLabel *>();
        QVERIFY(title && title->text() == name);
        QVERIFY2(title->shownText() == name, qPrintable(title->shownText()));
        for (const char *text : { "Copy", "Renew…", "Force release…" }) {
            const auto *each = button(head, QString::fromUtf8(text));
            QVERIFY2(each && isWhole(*each, head), text);
        }
        for (const QLabel *label : head.findChildren<QLabel *>())
            if (label->isVisible())
                QTRY_VERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        QVERIFY(head.width() <= head.parentWidget()->width());
    }

    /// Some texts are a little wider than as many whole pixels.
    void theProofOfALeaseIsWholeWhereThereIsRoom()
    {
        Fixture f;
        f.window.resize(1'600, 900);
        const auto now = currentNow();
        auto lock = makeLock("it", now.mono);
        lock->lease = Lease::Watchdog;
        for (lock->renewals = 3; lock->renewals < 40; ++lock->renewals) {
            f.show(makeSnapshot(now, { std::make_shared<LockState>(*lock) }));
            f.window.selectLock("it");
            doLayouts();
            QVERIFY2(
                saying<QLabel>(*f.window.findChild<DetailHead *>(), leaseProof(*lock)), qPrintable(leaseProof(*lock)));
        }
    }

    /// What is cut of a time is its unit.
    void timesInTheDetailAreWhole()
    {
        Fixture f;
        f.window.resize(1366, 768);
        const auto now = currentNow();
        const Millis longTime{ 3'559'000 };
        auto lock = makeLock("billing:8", now.mono);
        lock->kind = Kind::Fair;
        lock->holders.front().since = { now.mono - longTime, false };
        lock->waiters.push_back({ { "c78be572-41c2-4e0b-9f55-0c5d1be0a7d2", "1" }, now.wall - longTime,
            { now.mono - longTime, false }, false });
        f.show(makeSnapshot(now, { lock }));
        f.window.selectLock("billing:8");
        QCoreApplication::sendPostedEvents();
        constexpr int Paddings = 20;
        const auto isWhole = [&](const DataTable &table, int column) {
            const QString text = table.model()->index(0, column).data().toString();
            return text.endsWith(QStringLiteral(" s")) && text.contains(QStringLiteral("59 m"))
                && QFontMetrics(f.theme.uiFont()).horizontalAdvance(text) + Paddings <= table.columnWidth(column);
        };
        const auto &queue = *named<DataTable>(f.window, QStringLiteral("Fair queue"));
        QVERIFY(isWhole(queue, WaiterModel::Timeout));
        QVERIFY(isWhole(queue, WaiterModel::WaitingFor));
        QVERIFY(isWhole(*named<DataTable>(f.window, QStringLiteral("Holders")), HolderModel::HeldFor));
    }

    void aHiddenColumnLeavesItsRoomToTheOthers()
    {
        Fixture f;
        f.window.resize(1366, 768);
        auto shared = makeLock("shared", currentNow().mono);
        shared->kind = Kind::ReadWrite;
        f.show(makeSnapshot(currentNow(), { makeLock("alone", currentNow().mono), shared }));
        DataTable *holders = nullptr;
        for (DataTable *each : f.window.findChild<DetailPanel *>()->findChildren<DataTable *>()) {
            if (dynamic_cast<HolderModel *>(each->model()))
                holders = each;
        }
        QVERIFY(holders);
        for (const LockName &name : { LockName("shared"), LockName("alone"), LockName("shared") }) {
            f.window.selectLock(name);
            QCoreApplication::sendPostedEvents();
            QVERIFY(holders->isColumnHidden(HolderModel::Mode) == (name == "alone"));
            QVERIFY(holders->isVisible());
            QCOMPARE(holders->horizontalHeader()->length(), holders->viewport()->width());
        }
        f.window.selectLock("alone");
        QCoreApplication::sendPostedEvents();
        QVariantList drawn;
        for (int column = 0; column < holders->model()->columnCount(); ++column)
            drawn << double(holders->columnWidth(column)) / holders->viewport()->width();
        holders->setColumnShares(drawn);
        f.window.selectLock("shared");
        QCoreApplication::sendPostedEvents();
        QVERIFY(holders->columnWidth(HolderModel::Mode) > 0);
    }

    /// An id that is short already is cut more where it is cut; whose thread it is stays.
    void anIdHasOneEllipsis()
    {
        Fixture f;
        const QFontMetricsF metrics(f.theme.monoFont());
        const QString owner = QStringLiteral("7f21aa09…:112");
        const double least = metrics.horizontalAdvance(QStringLiteral("7…:112"));
        for (double width = metrics.horizontalAdvance(owner) + 1; width >= least; width -= 1) {
            const QString shown = elided(owner, metrics, width);
            QVERIFY2(shown.count(QChar(0x2026)) == 1 && shown.endsWith(QStringLiteral("…:112")), qPrintable(shown));
            QVERIFY2(metrics.horizontalAdvance(shown) <= width, qPrintable(shown));
        }
        QCOMPARE(elided(owner, metrics, metrics.horizontalAdvance(owner) + 1), owner);
        QCOMPARE(elided(owner, metrics, least / 2).count(QChar(0x2026)), 1);
    }

    /// A number that is cut is another one: of a client with a name, the name has less room.
    void aNameLeavesTheThreadWhole()
    {
        const Theme theme(*qApp);
        TestNames kept;
        const std::string client = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
        kept.names.setName(client, QStringLiteral("checkout-worker (of eu-central-1a)"));
        const ViewClock clock;
        std::vector<std::shared_ptr<const LockState>> locks;
        for (const char *thread : { "15", "18" }) {
            auto lock = makeLock(std::string("lock:") + thread, ViewClock::steadyNow());
            lock->holders.front().owner = { client, thread };
            lock->holders.front().count = 2;
            locks.push_back(lock);
        }
        LockTableModel model(clock);
        model.setClientNames(&kept.names);
        model.setLocks(makeSnapshot(currentNow(), locks)->locks);
        WaiterModel queue(clock);
        queue.setClientNames(&kept.names);
        auto fair = makeLock("fair", ViewClock::steadyNow());
        for (const auto &lock : locks)
            fair->waiters.emplace_back().owner = lock->holders.front().owner;
        queue.setLock(fair);
        const RowStyle style{ theme };
        const std::pair<QAbstractItemModel *, int> columns[]
            = { { &model, LockTableModel::HolderColumn }, { &queue, WaiterModel::Owner } };
        for (const auto &[owners, column] : columns) {
            QTableView view;
            view.setModel(owners);
            view.setItemDelegate(new TextDelegate(style, &view));
            for (int width = 110; width < 420; width += 10)
                QVERIFY2(paintedCell(view, owners->index(0, column), width)
                        != paintedCell(view, owners->index(1, column), width),
                    qPrintable(QString::number(width)));
        }
    }

    void kindsAndChangesAreWholeAtUsualWidths_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : { 1024, 1366, 1440 })
            QTest::addRow("%d px", width) << width;
    }

    void kindsAndChangesAreWholeAtUsualWidths()
    {
        QFETCH(const int, width);
        Fixture f;
        f.window.resize(width, 700);
        f.show(crowded(currentNow().mono));
        const auto *table = named<DataTable>(f.window, QStringLiteral("Locks"));
        const auto *list = named<Navigation>(f.window, QStringLiteral("Pages")); // beside the table where there is room
        QTRY_COMPARE(table->width() + (width < 1'200 ? 0 : list->parentWidget()->width()), width);
        const QFontMetrics metrics(f.theme.uiFont());
        constexpr int Margins = 15;
        const auto isWhole = [&](const QModelIndex &cell) {
            const int room = table->columnWidth(cell.column()) - Margins;
            return metrics.horizontalAdvance(cell.data().toString()) <= room
                || metrics.horizontalAdvance(cell.data(ShortTextRole).toString()) <= room;
        };
        for (int row = 0; row < 2; ++row) {
            for (const auto column : { LockTableModel::KindColumn, LockTableModel::LastChangeColumn }) {
                const QModelIndex cell = table->model()->index(row, column);
                QVERIFY2(isWhole(cell), qPrintable(cell.data().toString()));
            }
        }
        const auto readers = table->model()->match(
            table->model()->index(0, LockTableModel::Name), Qt::DisplayRole, QStringLiteral("a:nnn"), 1);
        QCOMPARE(readers.size(), 1);
        const QModelIndex kind = readers.front().siblingAtColumn(LockTableModel::KindColumn);
        QVERIFY2(isWhole(kind), qPrintable(kind.data().toString()));
        QVERIFY(kind.data(ShortTextRole).toString().contains(QStringLiteral("14 readers")));
    }

    /// Of every kind, however long it is ago.
    void lastChangesAreWholeAtUsualWidths_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : { 1366, 1440 })
            QTest::addRow("%d px", width) << width;
    }
    void lastChangesAreWholeAtUsualWidths()
    {
        QFETCH(const int, width);
        Fixture f;
        f.window.resize(width, 700);
        const MonoTime now = currentNow().mono;
        std::vector<std::shared_ptr<const LockState>> locks;
        for (const EventKind kind : { EventKind::Dequeued, EventKind::WaiterTimedOut, EventKind::PermitsChanged,
                 EventKind::CountChanged, EventKind::ForceReleased, EventKind::PartlyReleased }) {
            auto lock = makeLock("lock:" + std::to_string(locks.size()), now);
            lock->lastChange = { now - Millis(86'000), kind, Certainty::Inferred };
            locks.push_back(std::move(lock));
        }
        f.show(makeSnapshot(currentNow(), std::move(locks)));
        const auto *table = named<DataTable>(f.window, QStringLiteral("Locks"));
        constexpr int Margins = 15;
        QTRY_VERIFY(table->model()->rowCount() == 6);
        for (int row = 0; row < 6; ++row) {
            const QModelIndex cell = table->model()->index(row, LockTableModel::LastChangeColumn);
            const QString shortest = cell.data(ShortTextRole).toString();
            QVERIFY2(QFontMetrics(f.theme.uiFont()).horizontalAdvance(shortest)
                    <= table->columnWidth(cell.column()) - Margins,
                qPrintable(shortest));
        }
    }

    /// Also that of the page that is shown, which is written in a bolder font.
    void titlesOfPagesAreWhole()
    {
        Fixture f;
        f.window.resize(1'024, 640);
        const auto &list = *named<Navigation>(f.window, QStringLiteral("Pages"));
        QTRY_VERIFY(list.visualItemRect(list.item(1)).left() > list.visualItemRect(list.item(0)).left());
        constexpr int Inset = 10;
        QFont bold = f.theme.uiFont();
        bold.setWeight(QFont::DemiBold);
        for (int row = 0; row < list.count(); ++row) {
            const QString figure = list.item(row)->data(Qt::UserRole).toString();
            const int taken = figure.isEmpty() ? 0 : QFontMetrics(f.theme.uiFont()).horizontalAdvance(figure) + 4;
            const int room = list.visualItemRect(list.item(row)).width() - 2 * Inset - taken;
            const QString title = list.item(row)->text();
            QCOMPARE(QFontMetrics(bold).elidedText(title, Qt::ElideRight, room), title);
        }
    }

    void showsAllColumnsWithoutScrolling()
    {
        Fixture f;
        f.show(crowded(currentNow().mono));
        const auto *table = named<DataTable>(f.window, QStringLiteral("Locks"));
        QVERIFY(table->verticalScrollBar()->isVisible());
        QVERIFY(!table->horizontalScrollBar()->isVisible());
    }
};

QTEST_MAIN(NarrowWindowTest)
#include "tst_narrow_window.moc"
