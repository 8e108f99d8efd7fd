// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/find_widget.h"
#include "tests/gui/graph_window.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"
#include "ui/charts/rate_chart.h"
#include "ui/dialogs/action_dialogs.h"
#include "ui/dialogs/bulk_release_dialog.h"
#include "ui/dialogs/client_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/models/chain_text.h"
#include "ui/models/lock_table_model.h"
#include "ui/models/palette_model.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/error_text.h"
#include "ui/views/banners.h"
#include "ui/views/command_palette.h"
#include "ui/views/dashboard_page.h"
#include "ui/views/filter_field.h"
#include "ui/views/lock_table.h"
#include "ui/views/status_strip.h"
#include "ui/views/suspect_list.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QRegularExpression>
#include <QTableWidget>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace Qt::StringLiterals;
using lockcore::monitor::SourcePhase;
using testsupport::OwnerA;
using testsupport::RedisServer;
using testsupport::RedisServers;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

/// On independent servers: a name is one lock, whichever of them have it.
struct Fixture : TestWindow {
    explicit Fixture(const RedisServers &servers)
    {
        transport::Deployment deployment;
        deployment.topology = transport::Topology::Nodes;
        deployment.seeds = servers.endpoints();
        connectTo(deployment);
        showAt({ 1'366, 768 });
        window.activateWindow();
        isExposed = QTest::qWaitForWindowExposed(&window);
    }

    bool isExposed = false;

    LockTable &table() { return *window.findChild<LockTable *>(); }
    bool shows(int locks)
    {
        return QTest::qWaitFor(
            [&] { return table().model()->rowCount() == locks && monitor.latest()->status.phase == SourcePhase::Live; },
            Limit);
    }
    bool isLost(std::size_t node)
    {
        const auto &nodes = monitor.latest()->nodes;
        return node < nodes.size() && nodes[node].status.phase == SourcePhase::Stale;
    }
    bool isNeverReached()
    {
        return std::ranges::any_of(
            monitor.latest()->nodes, [](const auto &node) { return node.status.phase == SourcePhase::Failed; });
    }
    QString banner()
    {
        const auto *banner = window.findChild<StaleBanner *>();
        return banner->isVisible() ? banner->accessibleName() : QString();
    }
    QString strip()
    {
        QStringList all;
        for (const auto *each : window.findChild<StatusStrip *>()->findChildren<ElidedLabel *>())
            all << each->text();
        return all.join(u' ');
    }
    DashboardPage &dashboard() { return *window.findChild<DashboardPage *>(); }
    QString noteBeside(const QString &figure)
    {
        const auto *label = named<QLabel>(dashboard(), figure);
        return label->accessibleDescription().startsWith(label->text()) ? label->accessibleDescription() : QString();
    }
    bool isAnyLost() { return isLost(0) || isLost(1) || isLost(2); }

    int rowOf(const QString &lock)
    {
        for (int row = 0; row < table().model()->rowCount(); ++row)
            if (table().model()->index(row, 0).data().toString() == lock)
                return row;
        return -1;
    }
    void chooseLock(const QString &lock)
    {
        QCoreApplication::processEvents(); // all has its place before it is pointed at
        click(cellOf(table(), rowOf(lock), 0));
    }
    QMenu *menuOf(const QString &lock)
    {
        QCoreApplication::processEvents();
        click(cellOf(table(), rowOf(lock), 0), Qt::RightButton);
        const bool isOpen = QTest::qWaitFor([] { return QApplication::activePopupWidget() != nullptr; }, Limit);
        return isOpen ? qobject_cast<QMenu *>(QApplication::activePopupWidget()) : nullptr;
    }
    /// All that is said, but for figures and times, which differ from look to look.
    QStringList wordsOfDetail()
    {
        static const QRegularExpression figures(u"[0-9][0-9.:]*"_s);
        QStringList words;
        for (const auto *each : named<QWidget>(window, u"Details of the selected lock"_s)->findChildren<QLabel *>())
            if (each->isVisible() && !each->text().isEmpty())
                words << each->text().replace(figures, u"#"_s);
        return words;
    }
    QAbstractButton &inDetail(const QString &text)
    {
        return *button(*named<QWidget>(window, u"Details of the selected lock"_s), text);
    }
};

QAction *entryOf(const QMenu &menu, const QString &beginning)
{
    for (QAction *action : menu.actions())
        if (action->text().remove(u'&').startsWith(beginning))
            return action;
    return nullptr;
}

QString nameOf(const RedisServer &server) { return QString::fromStdString(server.endpoint().display()); }

} // namespace

/// One of several servers is lost while the others are watched.
class LostServerTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void offersNothingForALockOfALostServer()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[0], u"seen"_s, OwnerA, 600'000);
        take(servers[1], u"unseen"_s, OwnerA, 600'000);
        for (std::size_t i = 0; i < servers.size(); ++i)
            take(servers[i], u"half"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(3));
        f.makeWritable();
        f.chooseLock(u"unseen"_s);
        QTRY_VERIFY(f.inDetail(u"Force release…"_s).isEnabled());
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        const QString why = nameOf(servers[1]) + u" is lost: nobody knows what is there now."_s;
        for (const QString &lock : { u"unseen"_s, u"half"_s }) {
            f.chooseLock(lock);
            for (const QString &text : { u"Renew…"_s, u"Force release…"_s }) {
                QTRY_VERIFY(!f.inDetail(text).isEnabled());
                QCOMPARE(f.inDetail(text).toolTip(), why);
            }
            press(f.window, Qt::Key_Delete, Qt::ControlModifier);
            QVERIFY(!f.window.findChild<ForceReleaseDialog *>());
            QMenu *menu = f.menuOf(lock);
            QVERIFY(menu);
            for (const QString &text : { u"Renew…"_s, u"Force release…"_s }) {
                QVERIFY(!entryOf(*menu, text)->isEnabled());
                QVERIFY(entryOf(*menu, text)->toolTip().contains(why));
            }
            menu->close();
        }
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        press(f.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        type(f.window, "force release half");
        const auto &palette = *f.window.findChild<CommandPalette *>();
        QCOMPARE(palette.findChild<PaletteModel *>()->rowAt(0).entry.needs, nameOf(servers[1]) + u" is lost"_s);
        press(f.window, Qt::Key_Escape);

        f.chooseLock(u"seen"_s);
        QTRY_VERIFY(f.inDetail(u"Force release…"_s).isEnabled());
        QTest::mouseClick(&f.inDetail(u"Force release…"_s), Qt::LeftButton);
        const QPointer<ForceReleaseDialog> dialog = f.window.findChild<ForceReleaseDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        QTest::keyClicks(named<QLineEdit>(*dialog, u"Reason, for the audit log"_s), u"its machine is gone"_s);
        QTRY_VERIFY(button(*dialog, u"Force release"_s)->isEnabled());
        QTest::mouseClick(button(*dialog, u"Force release"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(*dialog, u"Released."_s), Limit);
        QCOMPARE(servers.held("seen", 1), 0);
    }

    void namesEachLostServerOfALock()
    {
        RedisServers servers(3);
        QVERIFY(servers.start());
        for (std::size_t i = 0; i < servers.size(); ++i)
            take(servers[i], u"half"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(1));
        f.makeWritable();
        f.chooseLock(u"half"_s);
        QTRY_VERIFY(f.inDetail(u"Force release…"_s).isEnabled());
        servers[1].kill();
        servers[2].kill();
        QTRY_VERIFY_WITH_TIMEOUT(int(f.isLost(0)) + int(f.isLost(1)) + int(f.isLost(2)) == 2, Limit);
        QStringList lost{ nameOf(servers[1]), nameOf(servers[2]) };
        lost.sort();
        const QString are = lost.join(u", "_s) + u" are lost"_s;
        QTRY_COMPARE(f.inDetail(u"Force release…"_s).toolTip(), are + u": nobody knows what is there now."_s);
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        press(f.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        type(f.window, "force release half");
        const auto &palette = *f.window.findChild<CommandPalette *>();
        QCOMPARE(palette.findChild<PaletteModel *>()->rowAt(0).entry.needs, are);
    }

    void aDialogSaysWhichServerIsLost()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[1], u"job"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(1));
        f.makeWritable();
        f.chooseLock(u"job"_s);
        QTRY_VERIFY(f.inDetail(u"Force release…"_s).isEnabled());
        QTest::mouseClick(&f.inDetail(u"Force release…"_s), Qt::LeftButton);
        const QPointer<ForceReleaseDialog> dialog = f.window.findChild<ForceReleaseDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(*dialog, nameOf(servers[1]) + u" is lost: nobody knows"_s), Limit);
        QVERIFY(!button(*dialog, u"Force release"_s)->isEnabled());
    }

    /// Of what a client holds, that which is seen can be released.
    void releasesOfAClientWhatIsSeen()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[0], u"seen"_s, OwnerA, 600'000);
        take(servers[1], u"unseen"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(2));
        f.makeWritable();
        QMenu *menu = f.menuOf(u"unseen"_s);
        QVERIFY(menu);
        QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {},
            menu->actionGeometry(entryOf(*menu, u"All of this client"_s)).center());
        QTRY_VERIFY(f.window.findChild<ClientDialog *>());
        auto &client = *f.window.findChild<ClientDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&client));
        const auto &release = *button(client, u"Release all it holds…"_s);
        QTRY_VERIFY(release.isEnabled());
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        QVERIFY(release.isEnabled());
        QTest::mouseClick(button(client, u"Release all it holds…"_s), Qt::LeftButton);
        QTRY_VERIFY(f.window.findChild<BulkReleaseDialog *>());
        auto &bulk = *f.window.findChild<BulkReleaseDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&bulk));
        const auto &lines = *bulk.findChild<QTableWidget *>();
        const int unseen = lines.item(0, 0)->text() == u"unseen"_s ? 0 : 1;
        QTRY_VERIFY(lines.item(unseen, 4)->text().startsWith(nameOf(servers[1]) + u" is lost"_s));
        QCOMPARE(lines.item(unseen, 0)->checkState(), Qt::Unchecked);
        QVERIFY(!(lines.item(unseen, 0)->flags() & Qt::ItemIsUserCheckable));
        QCOMPARE(lines.item(1 - unseen, 0)->checkState(), Qt::Checked);
        QTest::keyClicks(named<QLineEdit>(bulk, u"Reason, for the audit log"_s), u"its machine is gone"_s);
        QAbstractButton *confirm = nullptr;
        QTRY_VERIFY((confirm = button(bulk, u"Force release 1 lock"_s)) && confirm->isEnabled());
        QTest::mouseClick(confirm, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(bulk, u"1 released"_s), Limit);
        QCOMPARE(servers.held("seen", 1), 0);
        QTRY_VERIFY_WITH_TIMEOUT(button(bulk, u"Close"_s), Limit);
        QTest::mouseClick(button(bulk, u"Close"_s), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!release.isEnabled(), Limit);
        QVERIFY(release.toolTip().contains(nameOf(servers[1]) + u" is lost"_s));
    }

    void saysWhyAServerIsLostAndWhenItIsTriedAgain()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[1], u"job"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(1));
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        const auto &node = f.monitor.latest()->nodes[f.isLost(0) ? 0 : 1];
        QVERIFY(node.status.error);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.banner().startsWith(nameOf(servers[1]) + u" is lost. What is grey was true"_s), Limit);
        QVERIFY2(f.banner().contains(u"The other servers are watched. Trying again "_s), qPrintable(f.banner()));
        QTRY_VERIFY2(f.banner().contains(errorText(f.monitor.latest()->status.error->code)), qPrintable(f.banner()));
    }

    void tellsOfALockThatIsNotSeenAlikeLiveAndReplayed_data()
    {
        QTest::addColumn<int>("lost");
        QTest::newRow("one of two servers") << 1;
        QTest::newRow("all servers") << 2;
    }

    void tellsOfALockThatIsNotSeenAlikeLiveAndReplayed()
    {
        QFETCH(const int, lost);
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[1], u"job"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(1));
        const QString file = f.folder.filePath(u"it.lockrec"_s);
        f.monitor.recorder().start(file);
        f.chooseLock(u"job"_s);
        for (int i = 2 - lost; i < 2; ++i)
            servers[static_cast<std::size_t>(i)].kill();
        const auto areLost = [&] {
            return std::ranges::count_if(f.monitor.latest()->nodes, [](const auto &node) {
                return node.status.phase == SourcePhase::Stale;
            }) == lost;
        };
        QTRY_VERIFY_WITH_TIMEOUT(areLost(), Limit);
        const auto says = [&] { return f.wordsOfDetail().contains(u"as it was # s ago"_s); };
        QTRY_VERIFY2_WITH_TIMEOUT(says(), qPrintable(f.wordsOfDetail().join(u'|')), Limit);
        const auto recorded = [&] { return f.monitor.recorder().state()->progress.elapsed; };
        const Millis before = recorded();
        QTRY_VERIFY_WITH_TIMEOUT(recorded() > before + Millis(1'500), Limit); // a picture of that, too
        const QStringList live = f.wordsOfDetail();
        f.monitor.recorder().stop();

        f.window.closeConnection();
        f.window.openRecording(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.replay().state() && f.table().model()->rowCount() == 1, Limit);
        f.monitor.replay().seek(f.monitor.replay().state()->overview->last);
        f.chooseLock(u"job"_s);
        QTRY_COMPARE_WITH_TIMEOUT(f.wordsOfDetail(), live, Limit);
    }

    void saysWhichServerWasNeverReached()
    {
        RedisServers servers(3);
        QVERIFY(servers.start());
        servers[2].kill();
        Fixture f(servers);
        QTRY_VERIFY_WITH_TIMEOUT(f.isNeverReached(), Limit);
        const QString name = nameOf(servers[2]);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.banner().startsWith(name + u" was never reached: what it has is not known."_s), Limit);
        QTRY_VERIFY2(f.banner().contains(errorText(f.monitor.latest()->status.error->code)), qPrintable(f.banner()));
        QVERIFY2(f.banner().contains(u"Trying again "_s), qPrintable(f.banner()));
        QTRY_VERIFY(saying<QLabel>(f.window, name + u" was never reached: whether it has locks is not known."_s));
        take(servers[0], u"job"_s, OwnerA, 600'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.table().model()->rowCount(), 1, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.strip().contains(u"≥ 1 locks · ≥ 1 held"_s), Limit);

        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(named<QLabel>(f.window, u"Held"_s)->text(), u"≥ 1"_s, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(named<QLabel>(f.window, u"Suspects"_s)->text(), u"?"_s, Limit);
        QCOMPARE(f.noteBeside(u"Suspects"_s), u"?, not all servers are seen"_s);
        QTRY_VERIFY(saying<QLabel>(f.dashboard(), u"not all servers are seen"_s));
        const auto isHatched = [&] {
            const auto &spans = f.window.findChild<RateChart *>()->data().unseen;
            return std::ranges::any_of(spans, [&](const UnseenSpan &span) { return !span.node.empty(); });
        };
        QTRY_VERIFY_WITH_TIMEOUT(isHatched(), Limit);

        QVERIFY(servers[2].restart());
        QTRY_COMPARE_WITH_TIMEOUT(named<QLabel>(f.window, u"Held"_s)->text(), u"1"_s, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.banner(), QString(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.noteBeside(u"Suspects"_s), u"0, no deadlock"_s, Limit);
    }

    /// Those of a deadlock, on a server that is lost then, and one lock on another one.
    void saysWhichFiguresAreAsTheyWere()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[0], u"seen"_s, OwnerA, 600'000);
        Deadlock deadlock(servers[1]);
        QVERIFY(deadlock.begin());
        Fixture f(servers);
        QVERIFY(f.shows(3));
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.noteBeside(u"Suspects"_s).startsWith(u"1, 1 deadlock"_s), Limit);
        const QAbstractItemModel &contended = *named<DataTable>(f.window, u"Most contended locks"_s)->model();
        QTRY_COMPARE_WITH_TIMEOUT(contended.rowCount(), 2, Limit);
        const auto isGrey = [&] { return contended.index(0, 0).data(StaleRole).toBool(); };
        const auto &suspects = *f.window.findChild<SuspectList *>();
        const auto said = [&] { return suspects.item(0)->data(Qt::AccessibleTextRole).toString(); };
        QVERIFY(!isGrey());
        QVERIFY(!said().contains(u"as it was"_s));

        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.noteBeside(u"Held"_s).startsWith(u"3, 2 of them as seen "_s), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.noteBeside(u"Waiting"_s).contains(u"2 of them as seen "_s), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.noteBeside(u"Suspects"_s).startsWith(u"≥ 1, 1 deadlock"_s), Limit);
        QTRY_VERIFY(f.noteBeside(u"Suspects"_s).contains(u", as last seen"_s));
        QTRY_VERIFY(isGrey());
        QTRY_VERIFY2(said().contains(u"as it was at "_s), qPrintable(said()));
        QTRY_VERIFY2(f.strip().contains(u"2 of the locks are not seen now"_s), qPrintable(f.strip()));

        servers[0].kill();
        QTRY_VERIFY_WITH_TIMEOUT(
            f.monitor.latest()->nodes[0].status.staleSince && f.monitor.latest()->nodes[1].status.staleSince, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.noteBeside(u"Suspects"_s).startsWith(u"?, 1 deadlock"_s), Limit);
        QTRY_VERIFY(f.noteBeside(u"Suspects"_s).endsWith(u", as last seen"_s));
        QTRY_VERIFY2(said().contains(u"as it was at "_s), qPrintable(said()));
        QVERIFY(isGrey());
    }

    /// Where there is one server alone it is said as well.
    void saysInTheGraphWhenADeadlockWasSeenLast()
    {
        RedisServer server;
        QVERIFY(server.start());
        Deadlock deadlock(server);
        QVERIFY(deadlock.begin());
        GraphWindow w(server.endpoint());
        QVERIFY(w.showGraph());
        w.makeWritable();
        QTRY_COMPARE_WITH_TIMEOUT(w.deadlocks(), 1, Limit);
        const QAbstractButton &breaks = *button(w.window, u"Break the deadlock…"_s);
        QTRY_COMPARE(breaks.property("role").toString(), u"danger"_s);
        const ViewClock clock;
        const ChainText text(clock);
        QVERIFY(!text.detail(w.view().chains().chains.front()).contains(u"as it was"_s));
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(text.detail(w.view().chains().chains.front()).contains(u"as it was at "_s), Limit);
        QTRY_COMPARE(breaks.property("role").toString(), QString()); // nothing can be released now
        QVERIFY(breaks.isEnabled()); // the dialog says why
    }

    void offersNoReleaseOfSeveralThatAreAllLost()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[1], u"a"_s, OwnerA, 600'000);
        take(servers[1], u"b"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(2));
        f.makeWritable();
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        f.table().selectAll();
        QMenu *menu = f.menuOf(u"b"_s);
        QVERIFY(menu);
        const QAction *release = entryOf(*menu, u"Force release these 2 locks"_s);
        QVERIFY(release);
        QVERIFY(!release->isEnabled());
        QVERIFY(release->toolTip().contains(nameOf(servers[1]) + u" is lost"_s));
        menu->close();
    }

    /// A server that answers again brings back what a person saw left out: nothing of it is released unseen.
    void ticksNothingAgainThatWasLeftOutForItsServer()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[0], u"seen"_s, OwnerA, 600'000);
        take(servers[1], u"unseen"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(2));
        f.makeWritable();
        f.table().selectAll();
        QMenu *menu = f.menuOf(u"seen"_s);
        QVERIFY(menu);
        QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {},
            menu->actionGeometry(entryOf(*menu, u"Force release these 2 locks"_s)).center());
        QTRY_VERIFY(f.window.findChild<BulkReleaseDialog *>());
        auto &bulk = *f.window.findChild<BulkReleaseDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&bulk));
        servers[1].pause();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        const auto &lines = *bulk.findChild<QTableWidget *>();
        const int unseen = lines.item(0, 0)->text() == u"unseen"_s ? 0 : 1;
        QTRY_COMPARE(lines.item(unseen, 0)->checkState(), Qt::Unchecked);
        QTest::keyClicks(named<QLineEdit>(bulk, u"Reason, for the audit log"_s), u"its machine is gone"_s);
        QAbstractButton *confirm = nullptr;
        QTRY_VERIFY((confirm = button(bulk, u"Force release 1 lock"_s)) && confirm->isEnabled());
        servers[1].resume();
        QTRY_VERIFY_WITH_TIMEOUT(!f.isAnyLost() && f.banner().isEmpty(), Limit);
        QTRY_VERIFY(lines.item(unseen, 4)->text().startsWith(nameOf(servers[1]) + u" is seen again"_s));
        QCOMPARE(lines.item(unseen, 0)->checkState(), Qt::Unchecked);
        QVERIFY(lines.item(unseen, 0)->flags() & Qt::ItemIsUserCheckable);
        QTest::mouseClick(confirm, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(button(bulk, u"Close"_s), Limit);
        QVERIFY2(servers.held("unseen") == 1, qPrintable(confirm->text()));
    }

    void countsNoTimeDownOfSeveralOnALostServer()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[0], u"seen"_s, OwnerA, 600'000);
        take(servers[1], u"unseen"_s, OwnerA, 600'000);
        Fixture f(servers);
        QVERIFY(f.shows(2));
        f.makeWritable();
        f.table().selectAll();
        QMenu *menu = f.menuOf(u"seen"_s);
        QVERIFY(menu);
        QTest::mouseClick(menu->windowHandle(), Qt::LeftButton, {},
            menu->actionGeometry(entryOf(*menu, u"Force release these 2 locks"_s)).center());
        QTRY_VERIFY(f.window.findChild<BulkReleaseDialog *>());
        auto &bulk = *f.window.findChild<BulkReleaseDialog *>();
        QVERIFY(QTest::qWaitForWindowExposed(&bulk));
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        const auto &lines = *bulk.findChild<QTableWidget *>();
        const int unseen = lines.item(0, 0)->text() == u"unseen"_s ? 0 : 1;
        QTRY_VERIFY(lines.item(unseen, 4)->text().contains(u"is lost"_s));
        const auto left = [&](int row) { return lines.item(row, 2)->text(); };
        QSet<QString> counted;
        const auto goesOn = [&] {
            counted.insert(left(1 - unseen));
            return counted.size() > 2;
        };
        QTRY_VERIFY(goesOn());
        const QString inTable = f.table().model()->index(f.rowOf(u"unseen"_s), LockTableModel::Ttl).data().toString();
        QCOMPARE(left(unseen), inTable);
    }

    /// One filter for all pages: what it finds does not depend on which of them is looked at.
    void filtersALostServersLocksAlikeOnAllPages()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[0], u"other"_s, OwnerA, 600'000);
        Deadlock deadlock(servers[1]);
        QVERIFY(deadlock.begin());
        Fixture f(servers);
        QVERIFY(f.shows(3));
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        const QAbstractItemModel &contended = *named<DataTable>(f.window, u"Most contended locks"_s)->model();
        QTRY_COMPARE_WITH_TIMEOUT(contended.rowCount(), 2, Limit);
        const auto &suspects = *f.window.findChild<SuspectList *>();
        QTRY_COMPARE_WITH_TIMEOUT(suspects.count(), 1, Limit);
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        // The longest that one of the two is known to be held.
        std::chrono::milliseconds held{};
        const auto snapshot = f.monitor.latest();
        for (const auto &lock : snapshot->locks)
            if (lostSince(*snapshot, *lock))
                held = std::max(held,
                    std::chrono::duration_cast<std::chrono::milliseconds>(
                        seenUntil(*snapshot, *lock, MonoTime::max()) - lock->holders.front().since.at));
        const auto over = std::chrono::ceil<std::chrono::seconds>(held) + std::chrono::seconds(1);
        f.window.findChild<FilterField *>()->setText(u"held:>%1s"_s.arg(over.count()));
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_COMPARE_WITH_TIMEOUT(f.table().model()->rowCount(), 1, Limit); // that is seen: it is held so long by then
        QCOMPARE(f.table().model()->index(0, 0).data().toString(), u"other"_s);
        press(f.window, Qt::Key_4, Qt::ControlModifier);
        QTRY_COMPARE(suspects.count(), 0);
        QTRY_COMPARE(contended.rowCount(), 0);
    }

    /// What a lost server has by now nobody knows: there may be locks.
    void tellsOfNoLocksOnlyOfServersThatAreSeen()
    {
        RedisServers servers(2);
        QVERIFY(servers.start());
        Fixture f(servers);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.window, u"none belongs to a lock of Redisson"_s), Limit);
        servers[1].kill();
        QTRY_VERIFY_WITH_TIMEOUT(f.isAnyLost(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.banner().startsWith(nameOf(servers[1]) + u" is lost"_s), Limit);
        QTRY_VERIFY(!saying<QLabel>(f.window, u"none belongs to a lock of Redisson"_s));
        QVERIFY(saying<QLabel>(f.window, u"not known"_s));
        QVERIFY(!saying<QLabel>(f.window, u"Nothing has been seen since"_s)); // the other one is watched
    }
};

QTEST_MAIN(LostServerTest)
#include "tst_lost_server.moc"
