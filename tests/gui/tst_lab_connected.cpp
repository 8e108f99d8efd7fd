// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/free_play.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/test_window.h"
#include "tests/support/redis_server.h"
#include "ui/charts/wait_graph_view.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/models/chain_table_model.h"
#include "ui/models/palette_model.h"
#include "ui/models/roles.h"
#include "ui/views/data_table.h"
#include "ui/views/free_play_card.h"
#include "ui/views/free_play_view.h"
#include "ui/views/timeline_page.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <iterator>

using namespace lockui;
using namespace lockui::test;
using namespace Qt::StringLiterals;
using testsupport::RedisServer;

namespace {

constexpr int Long = 60'000;

lab::LabTools realTools()
{
    lab::LabTools tools;
    tools.missing = [] { return std::vector<lab::LabNeed>(); };
    tools.makeFreePlay = []() -> std::unique_ptr<lab::FreePlay> {
        return std::make_unique<app::ProcessFreePlay>(QStringLiteral(LOCKCTL));
    };
    return tools;
}

/// The window on a server where others have locks, as a person works with it.
struct Fixture {
    explicit Fixture(const RedisServer &server, bool isAlwaysReadOnly = false)
        : program(realTools())
    {
        ConnectionProfile profile;
        profile.name = u"orders-db"_s;
        profile.deployment = server.endpoint();
        profile.environment = u"TEST"_s;
        profile.readOnlyLocked = isAlwaysReadOnly;
        window.resize(1'366, 768);
        window.show();
        window.openConnection(profile);
        window.activateWindow();
    }

    /// Of free play, where it has one: others have a Stop, too.
    QAbstractButton &button(const char *text) const
    {
        auto *own = test::button(*window.findChild<FreePlayView *>(), QString::fromUtf8(text));
        return own ? *own : *test::button(window, QString::fromUtf8(text));
    }
    /// Once it can be pressed.
    void press(const char *text) const
    {
        const QAbstractButton &each = button(text);
        QTRY_VERIFY2_WITH_TIMEOUT(each.isVisible() && each.isEnabled(), text, Long);
        click(middleOf(each));
    }
    void makeWritable() const
    {
        const auto &pill = button("TEST · read-only");
        QTRY_COMPARE_WITH_TIMEOUT(pill.toolTip(), u"Switch to writable…"_s, Long);
        click(middleOf(pill));
        auto *dialog = window.findChild<WritableDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        click(middleOf(*test::button(*dialog, u"Switch to writable"_s)));
        QTRY_VERIFY(!window.findChild<WritableDialog *>());
        window.activateWindow(); // as a window manager does
    }
    QTableView &clients() const { return *window.findChild<FreePlayCard *>()->findChild<DataTable *>(); }
    QString state(int client) const
    {
        return clients().model()->index(client, ContenderModel::State).data().toString();
    }
    void choose(int client) const
    {
        QTRY_VERIFY_WITH_TIMEOUT(clients().model()->rowCount() > client, Long);
        QTRY_VERIFY_WITH_TIMEOUT(!state(client).startsWith(u"starts"_s), Long);
        click(cellOf(clients(), client, ContenderModel::State));
    }
    void enterName(const char *name) const
    {
        auto &field = *named<QLineEdit>(window, u"Name of the lock"_s);
        QTRY_VERIFY(field.isVisible());
        click(middleOf(field));
        field.selectAll();
        type(window, name);
    }
    /// The first client by hand.
    void takeMine() const
    {
        makeWritable();
        press("By hand");
        enterName("mine");
        press("Start");
        choose(0);
        press("Lock");
        QTRY_VERIFY_WITH_TIMEOUT(state(0).startsWith(u"holds"_s), Long);
    }
    QComboBox &place() const { return *named<QComboBox>(window, u"Where to play"_s); }

    TestWindow program;
    MainWindow &window = program.window;
};

} // namespace

/// What a person does by hand on the server that the window is connected to.
class TestLabConnected : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QApplication::setDoubleClickInterval(0); // what is clicked on is meant, however lately it changed
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
        cli({ u"HSET"_s, u"orders"_s, u"7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1"_s, u"1"_s });
        cli({ u"PEXPIRE"_s, u"orders"_s, u"3600000"_s });
    }
    void cleanup() { QTRY_COMPARE_WITH_TIMEOUT(cli({ u"KEYS"_s, u"*"_s }), "orders", Long); }

    void isOffWhereOneMayNotWrite()
    {
        Fixture f(m_server);
        QVERIFY(f.button("By hand").isHidden());
        QVERIFY(f.place().itemText(1).contains(u"switch it to writable first"_s));
        Fixture locked(m_server, true);
        QVERIFY(locked.button("By hand").isHidden());
        QVERIFY(locked.place().itemText(1).contains(u"it is always read-only"_s));
        test::press(locked.window, Qt::Key_7, Qt::ControlModifier);
        auto &view = *locked.window.findChild<FreePlayView *>();
        view.lead(nullptr);
        QVERIFY(!view.isOnConnected());
    }

    void takesWaitsRenewsAndGivesBack()
    {
        Fixture f(m_server);
        f.takeMine();
        QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "1");
        f.press("Lock again");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(0).startsWith(u"holds ×2"_s), Long);
        f.choose(1);
        f.press("Lock");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"waits"_s), Long);
        f.press("Give up");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"idle"_s), Long);
        f.choose(0);
        f.press("Stand still");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(0).startsWith(u"still"_s), Long);
        f.press("Go on");
        f.press("Unlock");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(0) == u"holds"_s || f.state(0).startsWith(u"holds "_s), Long);
        // The table shows it as it shows any client.
        test::press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.program.page().locks().rowOf("mine") >= 0, Long);
        // It is given back with the permission to write.
        f.press("TEST · writable");
        QTRY_COMPARE_WITH_TIMEOUT(cli({ u"EXISTS"_s, u"mine"_s }), "0", 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.findChild<FreePlayView *>()->isRunning(), Long);
        QCOMPARE(f.place().currentText(), u"The connected server: switch it to writable first"_s);
        QCOMPARE(f.state(0), u"held until then"_s);
    }

    /// The window itself leads who waits, so it knows since when, though Redis does not tell.
    void theGraphKnowsHowLongAHandWaits()
    {
        Fixture f(m_server);
        f.takeMine();
        f.choose(1);
        f.press("Lock");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"waits"_s), Long);
        test::press(f.window, Qt::Key_3, Qt::ControlModifier);
        const auto &chains = *named<DataTable>(f.window, u"Chains"_s)->model();
        const auto cell = [&](int column) { return chains.index(0, column).data().toString(); };
        QTRY_COMPARE_WITH_TIMEOUT(cell(ChainTableModel::Locks), u"mine"_s, Long);
        QTRY_COMPARE_WITH_TIMEOUT(cell(ChainTableModel::Blocked), u"≥ 1"_s, Long);
        const auto &view = *f.window.findChild<WaitGraphView *>();
        QVERIFY(view.chains().chains.front().lost.isPartly);
        QVERIFY2(QRegularExpression(u"^≥ \\d+\\.\\d s$"_s).match(cell(ChainTableModel::Lost)).hasMatch(),
            qPrintable(cell(ChainTableModel::Lost)));
        const auto &nodes = view.chains().chains.front().nodes;
        const auto waiter = std::ranges::find(nodes, true, [](const ChainNode &node) { return !!node.waitsSince; });
        QVERIFY(waiter != nodes.end());
        click(placeIn(*view.viewport(), view.placeOf(waiter->key)->center().toPoint()));
        QVERIFY2(view.accessibleDescription().contains(u", waits "_s), qPrintable(view.accessibleDescription()));
        const std::string key = waiter->key;
        const QString file = f.program.folder.filePath(u"waits.lockrec"_s);
        lockcore::service::Recorder &recorder = f.program.monitor.recorder();
        recorder.start(file);
        const auto isRecorded = [&] { return recorder.state()->progress.elapsed >= lockcore::Millis(1'500); };
        QTRY_VERIFY_WITH_TIMEOUT(isRecorded(), Long);
        recorder.stop();
        NoticeDialog *told = nullptr;
        QTRY_VERIFY((told = f.window.findChild<NoticeDialog *>()));
        told->close();
        {
            TestWindow other; // which leads nobody
            other.showAt({ 1'366, 768 });
            other.window.openRecording(file);
            other.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&other.window));
            test::press(other.window, Qt::Key_3, Qt::ControlModifier);
            auto &recorded = *other.window.findChild<WaitGraphView *>();
            QTRY_VERIFY_WITH_TIMEOUT(recorded.placeOf(key), Long);
            click(placeIn(*recorded.viewport(), recorded.placeOf(key)->center().toPoint()));
            QVERIFY2(
                recorded.accessibleDescription().contains(u", waits "_s), qPrintable(recorded.accessibleDescription()));
            QVERIFY(recorded.chains().chains.front().lost.isPartly);
        }
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        test::press(f.window, Qt::Key_7, Qt::ControlModifier);
        f.choose(1);
        f.press("Give up");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"idle"_s), Long);
        f.choose(0);
        f.press("Unlock");
        f.press("Stop");
    }

    /// As while it was recorded, however one came to its end.
    void theTimelineOfARecordingShowsHowAHandWaited()
    {
        Fixture f(m_server);
        f.takeMine();
        const auto isShownOnceMore = [&f] {
            const auto revision = f.program.monitor.latest()->revision;
            QTRY_VERIFY_WITH_TIMEOUT(f.program.monitor.latest()->revision > revision, Long);
        };
        const QString file = f.program.folder.filePath(u"waits.lockrec"_s);
        lockcore::service::Recorder &recorder = f.program.monitor.recorder();
        recorder.start(file);
        f.choose(1);
        f.press("Lock");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"waits"_s), Long);
        isShownOnceMore();
        f.press("Give up");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"idle"_s), Long);
        isShownOnceMore();
        f.press("Lock");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"waits"_s), Long);
        isShownOnceMore();
        f.choose(0);
        f.press("Unlock");
        QTRY_VERIFY_WITH_TIMEOUT(f.state(1).startsWith(u"holds"_s), Long);
        isShownOnceMore();
        recorder.stop();
        const auto isSame = [](const TimelineSpan &one, const TimelineSpan &other) {
            constexpr std::chrono::milliseconds Little{ 1'500 }; // the lab tells some times a second
            return one.end == other.end && one.endCertainty == other.endCertainty && one.beginSeen == other.beginSeen
                && std::chrono::abs(one.from - other.from) < Little && std::chrono::abs(one.to - other.to) < Little;
        };
        const auto waits = [](MainWindow &window) { // of who holds it
            std::vector<TimelineSpan> spans;
            const Timeline &timeline = window.findChild<TimelinePage *>()->timeline();
            const auto id = timeline.laneOf("mine");
            if (!id || timeline.lane(*id).holding.empty())
                return spans;
            for (const TimelineRow &row : timeline.lane(*id).waits)
                std::ranges::copy_if(row.spans, std::back_inserter(spans),
                    [&](const TimelineSpan &span) { return span.owner == timeline.lane(*id).holding.back().owner; });
            return spans;
        };
        NoticeDialog *told = nullptr;
        QTRY_VERIFY((told = f.window.findChild<NoticeDialog *>()));
        told->close();
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        test::press(f.window, Qt::Key_2, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(waits(f.window).size() == 2 && waits(f.window).back().to != TimelineSpan::Open, Long);
        const auto live = waits(f.window);
        QVERIFY(live[0].beginSeen && live[0].end == TimelineSpan::End::Left);
        QVERIFY(live[1].beginSeen && live[1].end == TimelineSpan::End::Acquired);
        for (const bool plays : { false, true }) {
            TestWindow other; // which leads nobody
            other.showAt({ 1'366, 768 });
            other.window.openRecording(file);
            other.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&other.window));
            test::press(other.window, Qt::Key_2, Qt::ControlModifier);
            lockcore::service::Replay &replay = other.monitor.replay();
            QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview, Long);
            if (plays)
                replay.play(8);
            else
                replay.seek(replay.state()->overview->last);
            const auto isThere = [&] { return replay.state()->at == replay.state()->overview->last; };
            QTRY_VERIFY_WITH_TIMEOUT(isThere(), Long);
            QTRY_COMPARE_WITH_TIMEOUT(waits(other.window).size(), live.size(), Long);
            QTRY_VERIFY_WITH_TIMEOUT(waits(other.window).back().to != TimelineSpan::Open, Long);
            const auto recorded = waits(other.window);
            for (std::size_t i = 0; i < live.size(); ++i)
                QVERIFY2(isSame(recorded[i], live[i]), qPrintable(QString::number(i)));
        }
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        test::press(f.window, Qt::Key_7, Qt::ControlModifier);
        f.choose(1);
        f.press("Unlock");
        f.press("Stop");
    }

    /// What is selected is meant, as the kind that it was seen as.
    void leadsToTheSelectedLock()
    {
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(f.program.page().locks().rowOf("orders") >= 0, Long);
        f.window.selectLock("orders");
        f.makeWritable();
        f.press("By hand");
        QCOMPARE(named<QLineEdit>(f.window, u"Name of the lock"_s)->text(), u"orders"_s);
        auto &kind = *named<QComboBox>(f.window, u"Kind of lock"_s);
        QCOMPARE(kind.currentText(), u"Reentrant"_s);
        kind.setFocus();
        while (kind.currentText() != u"Read/Write"_s && kind.currentIndex() + 1 < kind.count())
            QTest::keyClick(&kind, Qt::Key_Down);
        QVERIFY(saying<QLabel>(f.window, u"One name must not be used for two kinds"_s));
    }

    /// Its watchdog would come after ten seconds.
    void saysAtOnceThatSomebodyHasDeletedIt()
    {
        Fixture f(m_server);
        f.takeMine();
        const auto isSeen = [&f] { return f.program.monitor.latest()->locks.find("mine") != nullptr; };
        QTRY_VERIFY_WITH_TIMEOUT(isSeen(), Long);
        QCOMPARE(cli({ u"DEL"_s, u"mine"_s }), "1");
        QTRY_VERIFY2_WITH_TIMEOUT(f.state(0).startsWith(u"thinks it holds, gone"_s), qPrintable(f.state(0)), 5'000);
        QVERIFY(saying<QLabel>(f.window, u"1 goes on without its lock"_s));
        f.press("Unlock"); // which fails
        QTRY_VERIFY_WITH_TIMEOUT(f.state(0).startsWith(u"idle"_s), Long);
        f.press("Stop");
    }

    void givesBackWhenTheWindowIsClosed()
    {
        {
            Fixture f(m_server);
            f.takeMine();
            QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "1");
            f.window.close();
        }
        QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "0"); // nobody has to wait for a lease
    }

    /// A server that hangs is waited for when the window is gone from the screen, and what is held is given back as
    /// soon as it answers.
    void theWindowGoesAtOnceWhereTheServerHangs()
    {
        auto f = std::make_unique<Fixture>(m_server);
        f->takeMine();
        m_server.pause();
        QElapsedTimer timer;
        timer.start();
        f->window.close();
        QVERIFY(!f->window.isVisible());
        QVERIFY2(timer.elapsed() < 1'000, qPrintable(QString::number(timer.elapsed())));
        m_server.resume();
        f.reset();
        QCOMPARE(cli({ u"EXISTS"_s, u"mine"_s }), "0");
    }

    /// Where nobody answers nobody can be led.
    void beginsNothingOnALostConnection()
    {
        RedisServer server;
        QVERIFY(server.start());
        Fixture f(server);
        f.makeWritable();
        f.press("By hand");
        f.enterName("mine");
        QTRY_VERIFY_WITH_TIMEOUT(f.button("Start").isEnabled(), Long);
        server.kill();
        QTRY_VERIFY_WITH_TIMEOUT(!f.button("Start").isEnabled(), Long);
        QVERIFY2(
            f.button("Start").toolTip().contains(u"the connection is lost"_s), qPrintable(f.button("Start").toolTip()));
        test::press(f.window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        type(f.window, "take a lock by hand");
        const auto &model = *f.window.findChild<PaletteModel *>();
        QCOMPARE(model.rowAt(0).entry.text, u"Take a lock by hand"_s);
        QCOMPARE(model.rowAt(0).entry.needs, u"the connection is lost"_s);
        test::press(f.window, Qt::Key_Escape);
        QVERIFY(server.restart());
        QTRY_VERIFY_WITH_TIMEOUT(f.button("Start").isEnabled(), Long);
    }

    /// Its client has heard of the loss, and whether Redis still names it is not known.
    void whoDoesNotReachItsServerOnlyThinksThatItHolds()
    {
        RedisServer server;
        QVERIFY(server.start());
        Fixture f(server);
        f.takeMine();
        server.kill();
        QTRY_VERIFY2_WITH_TIMEOUT(f.state(0).startsWith(u"thinks it holds, not seen"_s), qPrintable(f.state(0)), Long);
        const QModelIndex state = f.clients().model()->index(0, ContenderModel::State);
        QCOMPARE(Tone(state.data(ToneRole).toInt()), Tone::Muted);
        QVERIFY(!saying<QLabel>(f.window, u"Nobody lost a lock"_s));
        QVERIFY(saying<QLabel>(f.window, u"not seen to hold any more"_s));
        for (const char *act : { "Lock again", "Unlock", "Renew" }) {
            QVERIFY2(!f.button(act).isEnabled(), act);
            QVERIFY2(f.button(act).toolTip().contains(u"does not answer"_s), act);
        }
        QVERIFY(f.button("Stand still").isEnabled());
        QVERIFY(server.restart()); // without the lock
        QTRY_VERIFY2_WITH_TIMEOUT(f.state(0).startsWith(u"lost it"_s), qPrintable(f.state(0)), Long);
        QTRY_VERIFY_WITH_TIMEOUT(f.button("Unlock").isEnabled(), Long);
    }

    /// Before its clients do, whose watchdogs come seldom.
    void whatTheWindowKnowsOfTheConnectionCountsForItsHands()
    {
        using lockcore::monitor::SourcePhase;
        RedisServer server;
        QVERIFY(server.start());
        Fixture f(server);
        f.takeMine();
        server.pause();
        QTRY_COMPARE_WITH_TIMEOUT(f.program.monitor.latest()->status.phase, SourcePhase::Stale, Long);
        QTRY_VERIFY2_WITH_TIMEOUT(f.state(0).startsWith(u"thinks it holds, not seen"_s), qPrintable(f.state(0)), 2'000);
        QVERIFY(saying<QLabel>(f.window, u"not seen to hold any more"_s));
        for (const char *act : { "Lock again", "Unlock", "Renew" }) {
            QVERIFY2(!f.button(act).isEnabled(), act);
            QVERIFY2(f.button(act).toolTip().contains(u"does not answer"_s), act);
        }
        QVERIFY(f.button("Stand still").isEnabled());
        f.choose(1);
        QVERIFY(!f.button("Lock").isEnabled());
        server.resume();
        QTRY_VERIFY_WITH_TIMEOUT(f.button("Lock").isEnabled(), Long);
        QTRY_VERIFY2_WITH_TIMEOUT(f.state(0).startsWith(u"holds"_s), qPrintable(f.state(0)), Long);
    }

    void removesWhatContended()
    {
        Fixture f(m_server);
        f.makeWritable();
        test::press(f.window, Qt::Key_7, Qt::ControlModifier);
        f.press("By hand");
        auto &preset = *named<QComboBox>(f.window, u"What to begin with"_s);
        preset.setFocus();
        QTest::keyClick(&preset, Qt::Key_Home);
        f.press("Start");
        auto *dialog = f.window.findChild<ContentionDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        click(middleOf(*test::button(*dialog, u"Let them contend"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(cli({ u"KEYS"_s, u"lockscope-lab:*"_s }).size() > 10, Long);
        f.window.activateWindow();
        f.press("Stop");
        QTRY_VERIFY_WITH_TIMEOUT(!f.window.findChild<FreePlayView *>()->isRunning(), Long);
        QCOMPARE(cli({ u"KEYS"_s, u"*"_s }), "orders");
    }

private:
    QByteArray cli(const QStringList &arguments) const { return m_server.cli(arguments); }

    RedisServer m_server;
};

QTEST_MAIN(TestLabConnected)
#include "tst_lab_connected.moc"
