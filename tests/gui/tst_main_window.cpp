// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "sample_snapshot.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "ui/charts/ttl_chart.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/models/roles.h"
#include "ui/support/navigation.h"
#include "ui/support/widgets.h"
#include "ui/text/error_text.h"
#include "ui/views/banners.h"
#include "ui/views/data_table.h"
#include "ui/views/empty_state.h"
#include "ui/views/filter_field.h"
#include "ui/views/status_strip.h"
#include "ui/views/top_bar.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QToolButton>

using namespace lockui;
using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;
using namespace lockui::test;

namespace {

/// A window on a server that is never reached: snapshots are handed to it.
struct Fixture : TestWindow {
    Fixture()
    {
        connectToNobody();
        window.show();
    }

    void show(const std::shared_ptr<Snapshot> &snapshot) { window.showSnapshot(snapshot); }
    template <typename T>
    T &find(const QString &accessibleName)
    {
        if (auto *found = named<T>(window, accessibleName))
            return *found;
        qFatal("no such widget: %s", qPrintable(accessibleName));
    }
    QAbstractButton &button(const QString &text)
    {
        if (auto *found = test::button(window, text))
            return *found;
        qFatal("no such button: %s", qPrintable(text));
    }
    DataTable &table() { return find<DataTable>(QStringLiteral("Locks")); }
    LockName selected() { return page().selectedLock() ? page().selectedLock()->name : LockName(); }
};

std::shared_ptr<Snapshot> manyLocks(int from, int to)
{
    const Now now = currentNow();
    std::vector<std::shared_ptr<const LockState>> locks;
    for (int i = from; i < to; ++i)
        locks.push_back(makeLock("lock:" + std::to_string(i), now.mono));
    return makeSnapshot(now, std::move(locks));
}

} // namespace

class MainWindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void selectionAndScrollSurviveASnapshot()
    {
        Fixture f;
        f.show(manyLocks(1000, 1200));
        f.window.selectLock("lock:1150");
        QCOMPARE(f.selected(), LockName("lock:1150"));
        const int scrolled = f.table().verticalScrollBar()->value();
        QVERIFY(scrolled > 0);
        f.show(manyLocks(1005, 1205)); // five gone above, five new below
        QCOMPARE(f.selected(), LockName("lock:1150"));
        QCOMPARE(f.table().selectionModel()->selectedRows().size(), 1);
        QCOMPARE(f.table().selectionModel()->selectedRows().front().data().toString(), QStringLiteral("lock:1150"));
        QCOMPARE(f.table().verticalScrollBar()->value(), scrolled);
        f.show(manyLocks(1100, 3000)); // so many that the model starts afresh
        QCOMPARE(f.table().selectionModel()->selectedRows().front().data().toString(), QStringLiteral("lock:1150"));
    }

    void drawsTheCourseOfTheTimeToLive()
    {
        Fixture f;
        f.theme.setMode(Theme::Light);
        f.show(manyLocks(1000, 1001));
        const auto accents = [&](const QRect &part) {
            const QImage image = f.window.findChild<TtlChart *>()->grab().toImage();
            int number = 0;
            for (int y = part.top(); y <= part.bottom(); ++y)
                for (int x = part.left(); x <= part.right(); ++x)
                    number += image.valid(x, y) && image.pixelColor(x, y) == f.theme.colors().accent ? 1 : 0;
            return number;
        };
        const auto *chart = f.window.findChild<TtlChart *>();
        const QRectF plot = chart->chart()->plotArea();
        QVERIFY(accents(plot.toRect()) > plot.width() / 2); // far more than the dots of the renewals
        auto lost = manyLocks(1000, 1001);
        lost->status.phase = SourcePhase::Stale;
        lost->status.staleSince = currentNow().mono;
        f.show(lost);
        QCOMPARE(accents(plot.toRect()), 0); // what may no longer be true is grey
    }

    void doesNotCallUnreadableLocksNone()
    {
        Fixture f;
        auto empty = makeSnapshot(currentNow(), {});
        empty->status.lastSweep = SweepInfo{ 14, Millis(1), currentNow().mono, false };
        empty->status.missingRights = { { Right::CountWaiters } };
        f.show(empty);
        auto *state = f.page().findChild<EmptyState *>();
        QCOMPARE(state->accessibleName(), QStringLiteral("No locks"));
        auto blind = std::make_shared<Snapshot>(*empty);
        blind->status.missingRights.push_back({ Right::ReadCommands, {}, { "127.0.0.1:7001" } });
        blind->status.aclLine = "ACL SETUSER poor +@read";
        f.show(blind);
        QCOMPARE(state->accessibleName(), QStringLiteral("No lock can be seen"));
        QVERIFY(state->accessibleDescription().contains(QStringLiteral("not known")));
        QVERIFY(saying<QLabel>(*state, QStringLiteral("ACL SETUSER poor +@read")));
    }

    void saysWhyAReplicaDoesNotTellWhoWaits()
    {
        Fixture f;
        auto lock = makeLock("held", currentNow().mono);
        lock->subscribers.reset();
        auto snapshot = makeSnapshot(currentNow(), { lock });
        snapshot->nodes.resize(1);
        snapshot->nodes.front().node = lock->node;
        snapshot->nodes.front().role = NodeRole::Replica;
        snapshot->nodes.front().status = snapshot->status;
        f.show(snapshot);
        f.window.selectLock("held");
        const QModelIndex cell = f.table().model()->index(0, LockTableModel::Waiting);
        QVERIFY2(cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("This server is a replica")),
            qPrintable(cell.data(Qt::ToolTipRole).toString()));
        QVERIFY(saying<QLabel>(*f.window.findChild<DetailPanel *>(), QStringLiteral("This server is a replica")));
        snapshot = std::make_shared<Snapshot>(*snapshot);
        snapshot->nodes.front().role = NodeRole::Master; // after a failover
        f.show(snapshot);
        QVERIFY(!cell.data(Qt::ToolTipRole).toString().contains(QStringLiteral("replica.")));
        QVERIFY(!saying<QLabel>(*f.window.findChild<DetailPanel *>(), QStringLiteral("This server is a replica")));
    }

    void saysThatAQueueIsLongerThanWhatWasRead()
    {
        Fixture f;
        auto lock = makeLock("long", currentNow().mono);
        lock->kind = Kind::Fair;
        for (int thread = 0; thread < 1'000; ++thread) {
            Waiter waiter;
            waiter.owner = { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", std::to_string(thread) };
            lock->waiters.push_back(waiter);
        }
        f.show(makeSnapshot(currentNow(), { lock }));
        f.window.selectLock("long");
        const auto *model = f.table().model();
        QCOMPARE(model->index(0, LockTableModel::Waiting).data().toString(), QStringLiteral("≥ 1,000"));
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("Queue, the first 1,000 in Redis order")));
    }

    void isChosenEverywhereThoughItsRowWasChosenAlready_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("by the window") << 0;
        QTest::newRow("by a click") << 1;
        QTest::newRow("asked for before it was there") << 2;
    }

    /// At the start the row at the top stands chosen, and nobody has chosen it.
    void isChosenEverywhereThoughItsRowWasChosenAlready()
    {
        QFETCH(const int, how);
        Fixture f;
        auto lock = makeLock("job", currentNow().mono);
        lock->subscribers = 3;
        const auto snapshot = makeSnapshot(currentNow(), { lock });
        if (how == 2) {
            f.window.closeConnection();
            f.window.selectLock("job");
            ConnectionProfile profile;
            profile.deployment.seeds.front().socketPath = f.folder.filePath(QStringLiteral("other.sock")).toStdString();
            f.window.openConnection(profile);
            f.window.showPage(QStringLiteral("graph")); // before anything was seen
        }
        f.show(snapshot);
        if (how < 2)
            QCOMPARE(f.selected(), LockName("job"));
        if (how == 0)
            f.window.selectLock("job");
        else if (how == 1)
            click(cellOf(f.table(), 0, 0));
        f.window.showPage(QStringLiteral("graph"));
        const auto &chains = *named<QAbstractItemView>(f.window, QStringLiteral("Chains"));
        QTRY_COMPARE(chains.model()->rowCount(), 1);
        QTRY_VERIFY(chains.selectionModel()->isRowSelected(0));
    }

    /// What needs attention is counted above the table: the rows say which.
    void marksEveryLockOfADeadlock()
    {
        Fixture f;
        const Now now = currentNow();
        auto snapshot = makeSnapshot(
            now, { makeLock("left", now.mono), makeLock("right", now.mono), makeLock("other", now.mono) });
        auto graph = std::make_shared<WaitGraph>();
        const OwnerId one{ "one", "1" };
        const OwnerId two{ "two", "2" };
        graph->cycles = { { { one, "right", two }, { two, "left", one } } };
        auto analysis = std::make_shared<Analysis>();
        analysis->graph = graph;
        analysis->statistics = std::make_shared<StatisticsList>();
        snapshot->analysis = analysis;
        f.show(snapshot);
        const auto &rows = *f.table().model();
        QCOMPARE(rows.rowCount(), 3);
        for (int row = 0; row < 3; ++row) {
            const QModelIndex name = rows.index(row, LockTableModel::Name);
            QCOMPARE(name.data(SuspectRole).toString().contains(QStringLiteral("Part of a deadlock")),
                name.data().toString() != QStringLiteral("other"));
        }
    }

    /// Sums say what the rows say: who listens may wait for a lock in another database.
    void sumsDoubtWhatTheRowsDoubt()
    {
        Fixture f;
        auto lock = makeLock("job", currentNow().mono);
        lock->subscribers = 3;
        auto snapshot = makeSnapshot(currentNow(), { lock });
        const auto textOf = [&](const QString &page) {
            f.window.showPage(page);
            const auto *figure = named<QLabel>(f.window, QStringLiteral("Waiting"));
            return page == QStringLiteral("dashboard")
                ? figure->text()
                : f.table().model()->index(0, LockTableModel::Waiting).data().toString();
        };
        const auto strip = [&](const QString &text) { return saying<ElidedLabel>(f.window, text) != nullptr; };
        f.show(snapshot);
        QCOMPARE(textOf(QStringLiteral("locks")), QStringLiteral("≥ 3"));
        QTRY_COMPARE(textOf(QStringLiteral("dashboard")), QStringLiteral("≥ 3"));
        QTRY_VERIFY(strip(QStringLiteral(" · ≥ 3 waiting")));
        QTRY_VERIFY(strip(QStringLiteral("≥ 3 at job")));
        auto shared = std::make_shared<Snapshot>(*snapshot);
        shared->status.channelsShared = true;
        f.show(shared);
        QCOMPARE(textOf(QStringLiteral("locks")), QStringLiteral("3?"));
        QTRY_COMPARE(textOf(QStringLiteral("dashboard")), QStringLiteral("3?"));
        QTRY_VERIFY(strip(QStringLiteral(" · 3? waiting")));
        QTRY_VERIFY(strip(QStringLiteral("3? at job")));
        f.window.showPage(QStringLiteral("graph"));
        QCOMPARE(named<QAbstractItemView>(f.window, QStringLiteral("Chains"))->model()->index(0, 2).data().toString(),
            QStringLiteral("3?"));
    }

    void keysWorkAlsoAfterTheMenuWasOpen()
    {
        Fixture f;
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        auto *menu = f.window.findChild<TopBar *>()->findChild<QMenu *>();
        menu->popup({});
        QTRY_VERIFY(menu->isVisible());
        menu->close();
        QTest::keyClick(&f.window, Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(f.window.findChild<ConnectionDialog *>());
    }

    void showsTheTopLockUntilAllHaveBeenSeen()
    {
        Fixture f;
        const auto sweeping = manyLocks(1100, 1200);
        sweeping->status.phase = SourcePhase::Sweeping;
        f.show(sweeping);
        QCOMPARE(f.selected(), LockName("lock:1100"));
        f.show(manyLocks(1000, 1200)); // that was the end of the sweep
        QCOMPARE(f.selected(), LockName("lock:1000"));
        f.show(manyLocks(900, 1200)); // born later
        QCOMPARE(f.selected(), LockName("lock:1000"));
    }

    void showsTheTopLockUntilItIsKnownWhoWaits()
    {
        Fixture f;
        const Now now = currentNow();
        const auto swept = [&](std::optional<std::int64_t> waiting) {
            std::vector<std::shared_ptr<const LockState>> locks;
            for (const char *name : { "a", "b" }) {
                auto lock = std::make_shared<LockState>(*makeLock(name, now.mono));
                lock->subscribers = waiting ? std::optional(*waiting + (*name == 'b' ? 1 : 0)) : std::nullopt;
                locks.push_back(lock);
            }
            auto snapshot = makeSnapshot(now, std::move(locks));
            snapshot->status.lastSweep = SweepInfo{ .finishedAt = now.mono };
            return snapshot;
        };
        f.show(swept(std::nullopt));
        QCOMPARE(f.selected(), LockName("a"));
        f.show(swept(0));
        QCOMPARE(f.selected(), LockName("b"));
        auto later = swept(0);
        later->locks.apply({ { "b", makeLock("b", now.mono) } });
        f.show(later);
        QCOMPARE(f.selected(), LockName("b"));
    }

    void noNeighbourTakesThePlaceOfALockThatVanished()
    {
        Fixture f;
        f.show(manyLocks(1000, 1010));
        f.window.selectLock("lock:1004");
        auto without = manyLocks(1000, 1010);
        without->locks.apply({ { "lock:1004", nullptr } });
        f.show(without);
        QCOMPARE(f.selected(), LockName("lock:1004"));
        QVERIFY(f.table().selectionModel()->selectedRows().isEmpty());
        QVERIFY(f.table().currentIndex().isValid()); // Qt 6.4 crashes under a screen reader otherwise
        QVERIFY(!f.button(QStringLiteral("Force release…")).isEnabled());
        f.show(manyLocks(1000, 1010));
        QCOMPARE(f.table().selectionModel()->selectedRows().front().data().toString(), QStringLiteral("lock:1004"));
    }

    void saysThatItIsStaleAndStopsCounting()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        f.show(snapshot);
        QVERIFY(!f.window.findChild<StaleBanner *>()->isVisible());
        auto stale = std::make_shared<Snapshot>(*snapshot);
        stale->status.phase = SourcePhase::Stale;
        stale->status.staleSince = snapshot->takenAt.mono;
        const QPoint rows = f.table().viewport()->mapTo(&f.window, QPoint());
        f.show(stale);
        QVERIFY(f.window.findChild<StaleBanner *>()->isVisible());
        doLayouts();
        QCOMPARE(f.table().viewport()->mapTo(&f.window, QPoint()), rows); // a click goes where it was aimed at
        for (const QWidget *each : f.window.findChild<StatusStrip *>()->findChildren<QWidget *>())
            QVERIFY(!each->accessibleName().contains(QStringLiteral("renewals"))); // not counted, so not zero either
        const QModelIndex ttl = f.table().model()->index(0, LockTableModel::Ttl);
        const QString then = ttl.data().toString();
        QCOMPARE(then, QStringLiteral("30.0 s"));
        QTRY_VERIFY(ViewClock::steadyNow() > snapshot->takenAt.mono + Millis(300));
        QCOMPARE(ttl.data().toString(), then);
        f.show(snapshot);
        QVERIFY(!f.window.findChild<StaleBanner *>()->isVisible());
        QVERIFY(ttl.data().toString() != then);
    }

    void oneLostServerOfSeveralMakesOnlyItsLocksStale()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        auto elsewhere = std::make_shared<LockState>(*snapshot->locks.front());
        elsewhere->node = "10.0.0.2:6379";
        snapshot->locks.apply({ { elsewhere->name, elsewhere } });
        for (const std::string &name : { snapshot->locks.back()->node, elsewhere->node }) {
            NodeStatus node;
            node.node = name;
            node.status = snapshot->status;
            snapshot->nodes.push_back(node);
        }
        f.show(snapshot);
        QVERIFY(!f.window.findChild<StaleBanner *>()->isVisible());
        auto part = std::make_shared<Snapshot>(*snapshot);
        part->nodes.back().status.phase = SourcePhase::Stale;
        part->nodes.back().status.staleSince = snapshot->takenAt.mono;
        part->status.phase = SourcePhase::Stale;
        f.show(part);
        auto *banner = f.window.findChild<StaleBanner *>();
        QVERIFY(banner->isVisible());
        QVERIFY(banner->accessibleName().startsWith(QStringLiteral("10.0.0.2:6379 is lost.")));
        const auto isStale = [&](int row) { return f.page().locks().index(row, 0).data(StaleRole).toBool(); };
        QVERIFY(isStale(0));
        QVERIFY(!isStale(1));
        f.show(snapshot);
        QVERIFY(!isStale(0));
    }

    /// A recording may have it as lost as the master that told of it.
    void aReplicaThatIsListedIsNotCalledLost()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        snapshot->status.phase = SourcePhase::Stale;
        NodeStatus lost{ "10.0.0.2:6379", NodeRole::Master, {}, {}, 3, snapshot->status };
        lost.status.staleSince = snapshot->takenAt.mono;
        NodeStatus replica{ "10.0.0.3:6379", NodeRole::Replica, {}, {}, 0, {} };
        replica.status.phase = SourcePhase::Stale;
        replica.status.staleSince = snapshot->takenAt.mono;
        NodeStatus seen{ "10.0.0.1:6379", NodeRole::Master, {}, {}, 3, snapshot->status };
        seen.status.phase = SourcePhase::Live;
        snapshot->nodes = { seen, lost, replica };
        f.show(snapshot);
        const QString said = f.window.findChild<StaleBanner *>()->accessibleName();
        QVERIFY2(said.startsWith(QStringLiteral("10.0.0.2:6379 is lost.")), qPrintable(said));
    }

    /// It was watched to come to that, and not any more: nothing of it goes on, while the rest does.
    void saysHowALockOfALostServerWasAtLast()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        auto lock = std::make_shared<LockState>(*snapshot->locks.front());
        lock->node = "10.0.0.2:6379";
        lock->readAtMono = snapshot->takenAt.mono - std::chrono::minutes(20);
        lock->becameSoThen = true;
        lock->lastChange = { lock->readAtMono, EventKind::Acquired, Certainty::Seen };
        lock->expiresAt = lock->holders.front().expiresAt = std::nullopt;
        snapshot->locks.apply({ { lock->name, lock } });
        for (const std::string &name : { snapshot->locks.back()->node, lock->node }) {
            NodeStatus node;
            node.node = name;
            node.status = snapshot->status;
            snapshot->nodes.push_back(node);
        }
        f.show(snapshot);
        f.window.selectLock(lock->name);
        QCoreApplication::sendPostedEvents();
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("unchanged for 20 m")));
        auto part = std::make_shared<Snapshot>(*snapshot);
        part->nodes.back().status.phase = SourcePhase::Stale;
        part->nodes.back().status.staleSince = snapshot->takenAt.mono - std::chrono::minutes(5);
        part->status.phase = SourcePhase::Stale;
        f.show(part);
        QVERIFY(saying<QLabel>(f.window, QStringLiteral("as it was 5 m"))); // as where it is the only server
        const QModelIndex change = f.page().locks().index(0, LockTableModel::LastChangeColumn);
        QCOMPARE(change.data().toString(), QStringLiteral("acquired 15 m 00 s ago"));
        QCOMPARE(change.data(ShortTextRole).toString(), QStringLiteral("acquired 15 m 00 s"));
    }

    /// Each has its own reason, and its own age.
    void tellsApartServersThatWereLostAtOtherTimes()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        snapshot->status.phase = SourcePhase::Stale;
        const auto add = [&](const char *name, ErrorCode why, std::optional<std::chrono::hours> ago) {
            NodeStatus node{ name, NodeRole::Master, {}, {}, 3, snapshot->status };
            node.status.error = errorOf(why, {}, {});
            if (ago)
                node.status.staleSince = snapshot->takenAt.mono - *ago;
            snapshot->nodes.push_back(node);
        };
        add("10.0.0.1:6379", ErrorCode::ReplyTimeout, std::chrono::hours(8));
        add("10.0.0.2:6379", ErrorCode::ConnectionRefused, std::chrono::hours(5));
        add("10.0.0.3:6379", ErrorCode::ReplyTimeout, std::chrono::hours(4));
        auto &nodes = snapshot->nodes;
        nodes.push_back({ "10.0.0.4:6379", NodeRole::Master, {}, {}, 3, snapshot->status });
        nodes.back().status.phase = SourcePhase::Live;
        const auto said = [&](std::shared_ptr<Snapshot> shown) {
            f.show(shown);
            return f.window.findChild<StaleBanner *>()->accessibleName();
        };
        const QString late = errorText(ErrorCode::ReplyTimeout);
        const QString refused = errorText(ErrorCode::ConnectionRefused);
        QCOMPARE(said(snapshot),
            QStringLiteral("10.0.0.1:6379, 10.0.0.3:6379 are lost. What is grey there was true 4 h 00 m to 8 h 00 m "
                           "ago. %1 10.0.0.2:6379 is lost. What is grey there was true 5 h 00 m ago. %2 The other "
                           "servers are watched. Trying again now.")
                .arg(late, refused));
        auto whole = std::make_shared<Snapshot>(*snapshot);
        whole->nodes.pop_back();
        whole->status.staleSince = snapshot->takenAt.mono - std::chrono::hours(4);
        QCOMPARE(said(whole),
            QStringLiteral("Connection lost 4 h 00 m to 8 h 00 m ago; what is shown was true then. Trying again now. "
                           "10.0.0.1:6379, 10.0.0.3:6379: %1 10.0.0.2:6379: %2")
                .arg(late, refused));
        said(snapshot);
        f.window.setPaused(true);
        QVERIFY(said(snapshot).contains(
            QStringLiteral("what is shown was true then, and what is grey 4 h 00 m to 8 h 00 m before.")));
    }

    /// What was lost before the pause was not true then, and what was lost after it is.
    void aPauseTellsWhatWasLostBeforeIt()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        for (const char *name : { "10.0.0.1:6379", "10.0.0.2:6379", "10.0.0.3:6379" }) {
            NodeStatus node;
            node.node = name;
            node.status = snapshot->status;
            snapshot->nodes.push_back(node);
        }
        const auto *banner = f.window.findChild<StaleBanner *>();
        const auto without = [&](std::vector<std::size_t> lost) {
            auto part = std::make_shared<Snapshot>(*snapshot);
            for (const std::size_t node : lost) {
                part->nodes[node].status.phase = SourcePhase::Stale;
                part->nodes[node].status.staleSince = snapshot->takenAt.mono - std::chrono::minutes(10);
            }
            if (lost.size() == snapshot->nodes.size()) {
                part->status.phase = SourcePhase::Stale;
                part->status.staleSince = snapshot->takenAt.mono - std::chrono::minutes(10);
            }
            f.show(part);
            return banner->accessibleName();
        };
        const auto has = [&](const QString &said, const char *part) {
            if (!said.contains(QString::fromUtf8(part)))
                qWarning() << said;
            return said.contains(QString::fromUtf8(part));
        };

        without({ 1 });
        f.window.setPaused(true);
        QVERIFY(has(without({ 1 }), "what is shown was true then, and what is grey 10 m"));
        QVERIFY(has(without({ 1 }), "10.0.0.2:6379 is still lost."));
        QVERIFY(has(without({ 1, 2 }), "10.0.0.2:6379 is still lost. Meanwhile 10.0.0.3:6379 is lost."));
        QVERIFY(has(without({}), "The watching goes on behind it."));
        QVERIFY(has(without({ 0, 1, 2 }), "Meanwhile the connection is lost."));
        f.window.setPaused(false);

        without({ 0, 1, 2 });
        f.window.setPaused(true);
        QVERIFY(has(without({ 0, 1, 2 }), "the connection was lost already, and what is shown was true 10 m"));
        QVERIFY(has(without({ 0, 1, 2 }), "It is still lost."));
        const QString since = f.window.windowTitle().section(QLatin1Char(' '), 2, 2);
        const QTime told = QTime::fromString(since, QStringLiteral("HH:mm:ss"));
        QVERIFY2(std::abs(told.secsTo(QTime::currentTime())) < 120 || told > QTime(23, 55), qPrintable(since));
    }

    void lostBeforeAnythingWasSeenIsNotCalledEmpty()
    {
        Fixture f;
        auto snapshot = makeSnapshot(currentNow(), {});
        snapshot->status.phase = SourcePhase::Stale;
        snapshot->status.lastSweep.reset();
        f.show(snapshot);
        QCOMPARE(f.page().findChild<EmptyState *>()->accessibleName(), QStringLiteral("Nothing seen yet"));
        for (const QWidget *each : f.window.findChild<StatusStrip *>()->findChildren<QWidget *>())
            QVERIFY(!each->accessibleName().contains(QStringLiteral("held")));
    }

    /// What was true then may be so no more, and nothing comes by itself.
    void lostWhileThereWasNoLockIsNotCalledEmpty()
    {
        Fixture f;
        const auto snapshot = makeSnapshot(currentNow(), {});
        f.show(snapshot);
        auto &empty = *f.page().findChild<EmptyState *>();
        QCOMPARE(empty.accessibleName(), QStringLiteral("No locks"));
        auto stale = std::make_shared<Snapshot>(*snapshot);
        stale->status.phase = SourcePhase::Stale;
        stale->status.staleSince = snapshot->takenAt.mono;
        f.show(stale);
        QVERIFY2(empty.accessibleName().startsWith(QStringLiteral("Nothing has been seen since ")),
            qPrintable(empty.accessibleName()));
        QVERIFY(!empty.accessibleDescription().contains(QStringLiteral("by themselves")));
        QVERIFY(!test::button(f.window, QStringLiteral("Look again"))
            || !test::button(f.window, QStringLiteral("Look again"))->isVisible());
        f.show(snapshot);
        QCOMPARE(empty.accessibleName(), QStringLiteral("No locks"));
    }

    void keysThatMayNotBeLookedThroughAreNotCalledEmpty()
    {
        Fixture f;
        auto snapshot = makeSnapshot(currentNow(), {});
        snapshot->status.lastSweep.reset();
        snapshot->status.aclLine = "ACL SETUSER poor +scan";
        snapshot->status.feed = Feed::KeyspaceNotifications;
        f.show(snapshot);
        QCOMPARE(f.page().findChild<EmptyState *>()->accessibleName(), QStringLiteral("No lock seen yet"));
        const auto labels = f.window.findChildren<QLabel *>();
        const auto says = [&](const QString &text) {
            return std::ranges::any_of(labels, [&](const QLabel *label) { return label->text().contains(text); });
        };
        QVERIFY(says(QStringLiteral("ACL SETUSER poor +scan")));
        QVERIFY(says(QStringLiteral("appear here by themselves")));
        snapshot = std::make_shared<Snapshot>(*snapshot);
        snapshot->status.feed = Feed::Rereading; // finds nothing that is not known
        f.show(snapshot);
        QVERIFY(!says(QStringLiteral("appear here by themselves")));
        const auto counts = f.window.findChild<StatusStrip *>()->findChildren<QWidget *>();
        QVERIFY(std::ranges::any_of(
            counts, [](const QWidget *each) { return each->accessibleName().contains(QStringLiteral("? locks")); }));
    }

    /// What is told of one snapshot in several places is told at the same time.
    void figuresAreOfOneSnapshot()
    {
        Fixture f;
        for (const int locks : { 3, 8, 5 }) {
            f.show(manyLocks(1000, 1000 + locks));
            const QListWidgetItem *page = f.window.findChild<Navigation *>()->item(0);
            QCOMPARE(page->data(Qt::AccessibleTextRole).toString(), QStringLiteral("Locks %1").arg(locks));
            QVERIFY(saying<ElidedLabel>(f.window, QStringLiteral("%1 locks · ").arg(locks)));
        }
    }

    void pauseKeepsThePictureAndForbidsActions()
    {
        Fixture f;
        f.show(manyLocks(1000, 1003));
        f.window.setPaused(true);
        QVERIFY(f.button(QStringLiteral("Resume")).isVisible());
        f.show(manyLocks(1000, 1008));
        QCOMPARE(f.page().locks().rowCount(), 3);
        f.window.setPaused(false);
        QCOMPARE(f.page().locks().rowCount(), 8);
    }

    /// What stands still ends at a moment that is named: "now" would be a claim.
    void chartsNameTheMomentAtWhichTheyStand()
    {
        Fixture f;
        f.show(manyLocks(1000, 1003));
        f.table().setCurrentIndex(f.table().model()->index(0, 0));
        const auto &chart = *f.window.findChild<TtlChart *>();
        const auto says = [&](const QString &text) { return saying<QLabel>(f.window, text) != nullptr; };
        const auto lastMoment = [&] { return chart.moments().back().text; };
        const QString live = QStringLiteral("Time to live, last 90 s");
        const QString then = QStringLiteral("Time to live, 90 s until ");
        QTRY_VERIFY(says(live));
        QCOMPARE(lastMoment(), QStringLiteral("now"));
        f.window.setPaused(true);
        QTRY_VERIFY(says(then));
        QVERIFY(!says(live));
        QVERIFY2(says(then + lastMoment()), qPrintable(lastMoment()));
        QVERIFY2(chart.accessibleDescription().contains(lastMoment()), qPrintable(chart.accessibleDescription()));
        f.window.setPaused(false);
        QTRY_VERIFY(says(live));
        QCOMPARE(lastMoment(), QStringLiteral("now"));
    }

    void startsReadOnly()
    {
        Fixture f;
        f.show(manyLocks(1000, 1003));
        QVERIFY(!f.button(QStringLiteral("Force release…")).isEnabled());
        QVERIFY(!f.monitor.isWritable());
        QVERIFY(f.button(QStringLiteral("By hand")).isHidden());
    }

    void saysWhatIsWrongWithTheFilter()
    {
        Fixture f;
        f.show(sampleSnapshot(currentNow()));
        auto &field = *f.window.findChild<FilterField *>();
        const int all = f.table().model()->rowCount();
        field.setFocus();
        QTest::keyClicks(&field, QStringLiteral("kind:fair"));
        QCOMPARE(f.table().model()->rowCount(), 2);
        QTest::keyClicks(&field, QStringLiteral("x"));
        QVERIFY(!field.accessibleDescription().isEmpty());
        QCOMPARE(f.table().model()->rowCount(), all);
        QTest::keyClick(&field, Qt::Key_Escape);
        QCOMPARE(f.table().model()->rowCount(), all);
        QVERIFY(field.accessibleDescription().isEmpty());
    }

    void worksByKeyboard()
    {
        Fixture f;
        f.show(manyLocks(1000, 1010));
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        QTest::keyClick(&f.window, Qt::Key_K, Qt::ControlModifier);
        QVERIFY(f.window.findChild<FilterField *>()->hasFocus());
        f.table().setFocus();
        QTest::keyClick(&f.table(), Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(f.selected(), LockName("lock:1009"));
        QTest::keyClick(&f.table(), Qt::Key_Up);
        QCOMPARE(f.selected(), LockName("lock:1008"));
        QTest::keyClick(&f.window, Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(f.button(QStringLiteral("Resume")).isVisible());
    }

    void everythingToPressHasAName()
    {
        Fixture f;
        f.show(sampleSnapshot(currentNow()));
        for (auto *widget : f.window.findChildren<QWidget *>()) {
            const bool isViewport = qobject_cast<QAbstractScrollArea *>(widget->parentWidget());
            if (!widget->isVisible() || isViewport || !(widget->focusPolicy() & Qt::TabFocus))
                continue;
            auto *button = qobject_cast<QAbstractButton *>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                widget->metaObject()->className());
        }
    }

    void anotherConnectionStartsEmpty()
    {
        Fixture f;
        f.show(manyLocks(1000, 1010));
        f.window.setPaused(true); // the picture of that connection
        ConnectionProfile other;
        other.deployment.seeds.front().socketPath = f.folder.filePath(QStringLiteral("other.sock")).toStdString();
        f.window.openConnection(other);
        QCOMPARE(f.page().locks().rowCount(), 0);
        QCOMPARE(f.selected(), LockName());
        QVERIFY(f.button(QStringLiteral("Pause")).isVisible());
    }

    void hatchesAlikeOnEveryScreen()
    {
        const auto linesAt = [](double scale) {
            QImage image(QSize(160, 20) * scale, QImage::Format_RGB32);
            image.setDevicePixelRatio(scale);
            image.fill(Qt::white);
            QPainter painter(&image);
            painter.fillRect(QRectF(0, 0, 160, 20), hatching(Qt::black, image));
            painter.end();
            int lines = 0;
            bool wasDark = false;
            for (int x = 0; x < image.width(); ++x) {
                const bool isDark = image.pixelColor(x, image.height() / 2).lightness() < 128;
                lines += isDark && !wasDark ? 1 : 0;
                wasDark = isDark;
            }
            return lines;
        };
        QCOMPARE(linesAt(1), 20);
        QCOMPARE(linesAt(1.5), 20);
        QCOMPARE(linesAt(2), 20);
    }

    void bothThemesKeepTheTextReadable_data()
    {
        QTest::addColumn<int>("mode");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
    }

    void bothThemesKeepTheTextReadable()
    {
        QFETCH(const int, mode);
        Theme theme(*qApp);
        theme.setMode(static_cast<Theme::Mode>(mode));
        const auto luminance = [](const QColor &color) {
            const auto part
                = [](float c) { return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F); };
            return 0.2126F * part(color.redF()) + 0.7152F * part(color.greenF()) + 0.0722F * part(color.blueF());
        };
        const auto contrast = [&](const QColor &a, const QColor &b) {
            const auto [low, high] = std::minmax({ luminance(a), luminance(b) });
            return (high + 0.05F) / (low + 0.05F);
        };
        const Colors &colors = theme.colors();
        for (const QColor &back : { colors.window, colors.surface, colors.selection }) {
            QVERIFY(contrast(colors.text, back) >= 7);
            QVERIFY(contrast(colors.muted, back) >= 4.5F);
            for (const Tone tone :
                { Tone::Accent, Tone::Waiting, Tone::Good, Tone::Fixed, Tone::Warning, Tone::Danger }) {
                QVERIFY(contrast(theme.color(tone), back) >= 2.7F);
                QVERIFY(contrast(theme.ink(tone), back) >= 4.5F);
            }
        }
        const QRegularExpression leftOver(QStringLiteral("@\\w|#[0-9a-f]{6}\\w"));
        QVERIFY(!styleSheet(colors, theme.monoFont().family()).contains(leftOver));
        // What the window writes, by its pixels: a word in the colour of its meaning.
        for (const char *tone : { "accent", "fixed", "warning", "danger", "waiting", "good" }) {
            QLabel pill(QStringLiteral("▇"));
            pill.setProperty("role", QStringLiteral("pill"));
            pill.setProperty("tone", QString::fromLatin1(tone));
            pill.show();
            const QImage image = pill.grab().toImage();
            const QColor ground = image.pixelColor(4, 4);
            float best = 1;
            for (int x = 5; x < image.width() - 5; ++x)
                best = std::max(best, contrast(image.pixelColor(x, image.height() / 2), ground));
            QVERIFY2(best >= 4.5F, tone);
        }
    }

    /// That no event came does not mean that there was no lock.
    void saysOfNoLocksThatTheyWereNone()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        snapshot->status.lastSweep = SweepInfo{ 3, Millis(1), snapshot->takenAt.mono, false };
        f.show(snapshot);
        f.window.showPage(QStringLiteral("events"));
        auto stale = std::make_shared<Snapshot>(*snapshot);
        stale->status.phase = SourcePhase::Stale;
        stale->status.staleSince = snapshot->takenAt.mono;
        f.show(stale);
        QCOMPARE(f.page().locks().rowCount(), 3);
        QTRY_VERIFY(saying<QLabel>(f.window, QStringLiteral("is not known")) // what it says now
            || saying<QLabel>(f.window, QStringLiteral("No lock was taken")));
        QVERIFY(!saying<QLabel>(f.window, QStringLiteral("belonged to a lock of Redisson")));
        QVERIFY(!saying<QLabel>(f.window, QStringLiteral("Whether there are locks by now")));
    }

    /// What it has is not in the picture that is shown, even when it is reached behind that.
    void aPauseTellsWhichServerWasNotReachedByThen()
    {
        Fixture f;
        auto snapshot = manyLocks(1000, 1003);
        for (const char *name : { "10.0.0.1:6379", "10.0.0.2:6379" }) {
            NodeStatus node;
            node.node = name;
            node.status = snapshot->status;
            snapshot->nodes.push_back(node);
        }
        auto part = std::make_shared<Snapshot>(*snapshot);
        part->nodes[1].status.phase = SourcePhase::Failed;
        part->status.phase = SourcePhase::Stale;
        const auto *banner = f.window.findChild<StaleBanner *>();
        f.show(part);
        f.window.setPaused(true);
        QVERIFY(banner->accessibleName().contains(QStringLiteral("10.0.0.2:6379 was never reached")));
        f.show(snapshot);
        QVERIFY2(
            banner->accessibleName().contains(QStringLiteral("10.0.0.2:6379")), qPrintable(banner->accessibleName()));
    }
};

QTEST_MAIN(MainWindowTest)
#include "tst_main_window.moc"
