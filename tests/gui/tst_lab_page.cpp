// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/play.h"
#include "lockcore/transport/clock.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/painted.h"
#include "tests/gui/test_window.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_server.h"
#include "tests/support/server_test.h"
#include "ui/charts/lab_lanes_view.h"
#include "ui/dialogs/connection_dialog.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/dialogs/scenario_dialogs.h"
#include "ui/lab/lanes.h"
#include "ui/lab/own_scenarios.h"
#include "ui/lab/scenario_library.h"
#include "ui/lab/scenario_reader.h"
#include "ui/models/step_table_model.h"
#include "ui/support/navigation.h"
#include "ui/support/widgets.h"
#include "ui/views/json_text_edit.h"
#include "ui/views/lab_page.h"
#include "ui/views/own_scenarios_view.h"
#include "ui/views/scenario_list.h"
#include "ui/views/scenario_stage.h"

#include <QClipboard>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

using namespace lockui;
using namespace lockui::test;
using lockui::lab::LabNeed;
using lockui::lab::StepState;
using lockui::lab::Verdict;

namespace {

constexpr int Limit = 120'000; // on a busy computer

/// Processes of which a part of the command line is this.
QStringList processesWith(const QByteArray &part)
{
    QStringList found;
    for (const QString &process : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(process));
        if (process.toInt() > 0 && file.open(QIODevice::ReadOnly) && file.readAll().contains(part))
            found << process;
    }
    return found;
}

lab::LabTools realTools()
{
    return { [](lab::Scenario scenario) -> std::unique_ptr<lab::Player> {
                return std::make_unique<app::Play>(
                    std::move(scenario), app::PlayOptions{ .clientProgram = QStringLiteral(LOCKCTL) });
            },
        [] { return std::vector<LabNeed>(); } };
}

struct LabFixture {
    explicit LabFixture(lab::LabTools tools = realTools())
        : lab(std::move(tools))
    {
        lab.window.resize(1'440, 900);
        lab.window.show();
        press(lab.window, Qt::Key_7, Qt::ControlModifier);
    }

    TestWindow lab;

    MainWindow &window() { return lab.window; }
    LabPage &page() { return *window().findChild<LabPage *>(); }
    ScenarioList &list() { return *page().findChild<ScenarioList *>(); }
    ScenarioStage &stage() { return *page().findChild<ScenarioStage *>(); }
    DataTable &table() { return *named<DataTable>(page(), QStringLiteral("Steps")); }
    lab::LabSession &session() { return page().session(); }
    QString cell(int row, StepTableModel::Column column)
    {
        return table().model()->index(row, column).data().toString();
    }
    void clickButton(const QString &text)
    {
        QAbstractButton *found = button(stage(), text);
        if (!found)
            found = button(page(), text);
        QVERIFY2(found && found->isVisible() && found->isEnabled(), qPrintable(text));
        click(middleOf(*found));
    }
    bool tabTo(const QWidget &wanted)
    {
        constexpr int Most = 20;
        for (int i = 0; i < Most && !wanted.hasFocus(); ++i)
            press(window(), Qt::Key_Tab);
        return wanted.hasFocus();
    }
    void chooseScenario(const QString &title)
    {
        const auto found = list().findItems(title, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        list().scrollToItem(found.front());
        click(placeIn(*list().viewport(), list().visualItemRect(found.front()).center()));
    }
    StepState stateOf(const std::string &scenario, std::size_t step)
    {
        const lab::PlayRecord *record = session().recordOf(scenario);
        return record ? record->progress[step].state : StepState::Waiting;
    }
};

} // namespace

class LabPageTest : public QObject {
    Q_OBJECT
public Q_SLOTS:
    void opened(const QUrl &file) { m_opened = file; }

private Q_SLOTS:
    void initTestCase()
    {
        QApplication::setDoubleClickInterval(0); // what is clicked on is meant, however lately it changed
        NEED_REDIS_SERVER();
        QVERIFY(m_temporary.isValid());
        qputenv("TMPDIR", QFile::encodeName(m_temporary.path()));
    }

    /// Whoever plays one after the other presses it where it was.
    void runStaysWhereItIs()
    {
        LabFixture f;
        std::optional<QPoint> place;
        for (const lab::Scenario &scenario : lab::builtInScenarios()) {
            f.chooseScenario(QString::fromStdString(scenario.title));
            doLayouts();
            const QPoint now = button(f.stage(), QStringLiteral("Run"))->mapTo(&f.window(), QPoint());
            QVERIFY2(!place || *place == now, scenario.name.c_str());
            place = now;
        }
    }

    void cleanup()
    {
        const QByteArray ours = QFile::encodeName(m_temporary.path()) + "/lockscope-demo-";
        QTRY_VERIFY_WITH_TIMEOUT(processesWith(ours).isEmpty(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(
            QDir(m_temporary.path()).entryList({ QStringLiteral("lockscope-*") }, QDir::Dirs).isEmpty(), Limit);
    }

    /// Chosen and run by mouse, with no connection of the window; the table fills, and the list remembers.
    void playsAScenario()
    {
        LabFixture f;
        QVERIFY(f.page().isVisible());
        f.chooseScenario(QStringLiteral("Released by somebody else"));
        QCOMPARE(f.table().model()->rowCount(), 4);
        QCOMPARE(f.cell(0, StepTableModel::Does), QStringLiteral("seat.lock()"));
        QCOMPARE(f.cell(1, StepTableModel::Who), QStringLiteral("B"));
        QVERIFY(f.cell(1, StepTableModel::Expected).contains(QStringLiteral("in Redis seat has A:1 → 1")));
        QCOMPARE(f.cell(1, StepTableModel::Seen), QString());
        f.clickButton(QStringLiteral("Run"));
        QVERIFY(!button(f.stage(), QStringLiteral("Run")));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger"), Verdict::Passed, Limit);
        for (int row = 0; row < 4; ++row)
            QCOMPARE(f.cell(row, StepTableModel::Mark), QStringLiteral("✓"));
        QVERIFY2(f.cell(1, StepTableModel::Seen).contains(QStringLiteral("notHeld")),
            qPrintable(f.cell(1, StepTableModel::Seen)));
        QVERIFY2(f.cell(1, StepTableModel::Seen).contains(QStringLiteral("seat: A:1 = 1")),
            qPrintable(f.cell(1, StepTableModel::Seen)));
        QVERIFY(f.list().currentItem()->data(Qt::AccessibleTextRole).toString().endsWith(QStringLiteral("passed")));
        const QTemporaryDir folder;
        const QString report = folder.filePath(QStringLiteral("report.html"));
        f.clickButton(QStringLiteral("Save report…"));
        QFileDialog *files = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((files = f.window().findChild<QFileDialog *>()), Limit);
        QCOMPARE(files->windowTitle(), QStringLiteral("Save the report"));
        QVERIFY(button(f.stage(), QStringLiteral("Open"))->isHidden()); // nothing is saved yet
        auto *name = files->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
        name->setText(report);
        QTest::keyClick(name, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(report), Limit);
        QFile page(report);
        QVERIFY(page.open(QIODevice::ReadOnly) && page.readAll().contains("unlock-by-a-stranger"));
        QTRY_VERIFY(saying<ElidedLabel>(f.stage(), QStringLiteral("Report saved: ") + report));
        QDesktopServices::setUrlHandler(QStringLiteral("file"), this, "opened");
        f.clickButton(QStringLiteral("Open"));
        QDesktopServices::unsetUrlHandler(QStringLiteral("file"));
        QCOMPARE(m_opened, QUrl::fromLocalFile(report));
        f.clickButton(QStringLiteral("Copy as lockctl run"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("lockctl run unlock-by-a-stranger"));
    }

    /// Held back, one step at a time: what has begun goes on meanwhile.
    void pausesAndSteps()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("One holder at a time"));
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("mutual-exclusion", 0), StepState::Passed, Limit);
        QCOMPARE(f.session().state(), lab::LabSession::State::Paused);
        QCOMPARE(f.stateOf("mutual-exclusion", 1), StepState::Waiting);
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("mutual-exclusion", 1), StepState::Passed, Limit);
        f.clickButton(QStringLiteral("Step")); // B waits
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("mutual-exclusion", 2), StepState::Running, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(!f.table().selectionModel()->selectedRows().isEmpty(), Limit);
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 2);
        QCOMPARE(f.stateOf("mutual-exclusion", 3), StepState::Waiting);
        f.clickButton(QStringLiteral("Resume"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("mutual-exclusion"), Verdict::Passed, Limit);
        QVERIFY(f.session().recordOf("mutual-exclusion")->heldBack > lockcore::Millis(0));
        QVERIFY(saying<QLabel>(f.page(), QStringLiteral("1 passed")));
    }

    /// Also before anything is played: nothing else would paint them anew.
    void lanesShowAtOnceThatTheyHaveTheFocus()
    {
        LabFixture f;
        auto &lanes = *f.stage().findChild<LabLanesView *>();
        QTRY_VERIFY(lanes.isVisible());
        Painted painted(*lanes.viewport());
        QVERIFY(f.tabTo(lanes));
        QVERIFY(!painted.take().isEmpty());
        press(f.window(), Qt::Key_Tab);
        QVERIFY(!lanes.hasFocus());
        QVERIFY(!painted.take().isEmpty());
    }

    /// Ten times as fast, but for a pause of which the scenario does not say that it may be.
    void scalesOnlyWhatMayBeScaled()
    {
        LabFixture f;
        const auto scenario = lab::readScenario(R"({ "name": "slow", "title": "t", "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "A", "lock": "x", "pause": "30s", "scalable": true },
            { "do": "unlock", "client": "A", "lock": "x", "pause": "1s" } ] })");
        QVERIFY(scenario);
        f.stage().setScenario(*scenario);
        auto *speed = named<QComboBox>(f.page(), QStringLiteral("Speed"));
        QVERIFY(speed->isEnabled());
        speed->setFocus();
        press(f.window(), Qt::Key_End);
        QCOMPARE(speed->currentText(), QStringLiteral("10×"));
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("slow"), Verdict::Passed, Limit);
        const auto &progress = f.session().recordOf("slow")->progress;
        QVERIFY(*progress[1].beganAt - *progress[0].judgedAt >= std::chrono::seconds(3));
        QVERIFY(*progress[1].beganAt - *progress[0].judgedAt < std::chrono::seconds(30));
        QVERIFY(*progress[2].beganAt - *progress[1].judgedAt >= std::chrono::seconds(1));
        f.chooseScenario(QStringLiteral("Released by somebody else"));
        QVERIFY(!speed->isEnabled()); // it has no pause at all
    }

    /// Tab leads from the list to each part, and no button that goes takes the keys along to another.
    void isPlayedByKeysAlone()
    {
        LabFixture f;
        QVERIFY(f.list().hasFocus());
        for (int i = 0; i < f.list().count() && f.list().chosen() != "watchdog"; ++i)
            press(f.window(), Qt::Key_Down);
        QCOMPARE(f.list().chosen(), std::string("watchdog"));
        QAbstractButton *run = button(f.stage(), QStringLiteral("Run"));
        QAbstractButton *stop = button(f.stage(), QStringLiteral("Stop"));
        QVERIFY(f.tabTo(*run));
        press(f.window(), Qt::Key_Space);
        QCOMPARE(run->text(), QStringLiteral("Pause"));
        QVERIFY(run->hasFocus());
        press(f.window(), Qt::Key_Space);
        QCOMPARE(run->text(), QStringLiteral("Resume"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().state(), lab::LabSession::State::Paused, Limit);
        QCOMPARE(f.stateOf("watchdog", 0), StepState::Waiting);
        QVERIFY(f.tabTo(*button(f.stage(), QStringLiteral("Step"))));
        press(f.window(), Qt::Key_Space);
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 0), StepState::Passed, Limit);
        QVERIFY(f.tabTo(*stop));
        press(f.window(), Qt::Key_Space);
        QVERIFY(f.session().wasStopped("watchdog"));
        QVERIFY(f.table().hasFocus());
        press(f.window(), Qt::Key_Space);
        QVERIFY(!f.session().isPlaying());
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 0); // chosen, no more than that
        press(f.window(), Qt::Key_Backtab);
        QVERIFY(f.page().findChild<LabLanesView *>()->hasFocus());
        press(f.window(), Qt::Key_Tab);
        QVERIFY(f.table().hasFocus());
        press(f.window(), Qt::Key_Down);
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 1);
        QVERIFY(f.tabTo(*named<QScrollArea>(f.page(), QStringLiteral("The chosen step"))));
        QVERIFY(f.tabTo(*button(f.page(), QStringLiteral("Copy as lockctl run"))));
    }

    /// It did not mean the button that comes next, nor what the same button says by then.
    void theNextSpaceBeginsAndEndsNothing()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Released by somebody else"));
        f.clickButton(QStringLiteral("Run"));
        QAbstractButton *run = button(f.stage(), QStringLiteral("Pause"));
        QVERIFY(run && run->hasFocus());
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger"), Verdict::Passed, Limit);
        press(f.window(), Qt::Key_Space); // a moment too late to hold it back
        QCOMPARE(f.session().verdictOf("unlock-by-a-stranger"), Verdict::Passed);
        QVERIFY(f.table().hasFocus());

        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        QAbstractButton *step = button(f.stage(), QStringLiteral("Step"));
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 0), StepState::Passed, Limit);
        QVERIFY(step->hasFocus());
        press(f.window(), Qt::Key_F9); // goes on: there is nothing to step to
        QVERIFY(!step->isEnabled() && f.table().hasFocus());
        press(f.window(), Qt::Key_Space);
        QCOMPARE(f.session().state(), lab::LabSession::State::Running);
        f.clickButton(QStringLiteral("Stop"));
        QVERIFY(f.table().hasFocus());
        press(f.window(), Qt::Key_Space);
        QVERIFY(!f.session().isPlaying());
    }

    void isPlayedByShortcuts()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        press(f.window(), Qt::Key_F10);
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 0), StepState::Passed, Limit);
        QCOMPARE(f.stateOf("watchdog", 1), StepState::Waiting);
        press(f.window(), Qt::Key_F9);
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 1), StepState::Running, Limit);
        QCOMPARE(f.session().state(), lab::LabSession::State::Running);
        press(f.window(), Qt::Key_F9);
        QCOMPARE(f.session().state(), lab::LabSession::State::Paused);
        press(f.window(), Qt::Key_1, Qt::ControlModifier); // elsewhere these keys mean nothing
        const QListWidgetItem *page = f.window().findChild<Navigation *>()->item(6);
        QCOMPARE(page->data(Qt::AccessibleTextRole).toString(), QStringLiteral("Contention lab ◔"));
        press(f.window(), Qt::Key_F9, Qt::ShiftModifier);
        QVERIFY(f.session().isPlaying());
        press(f.window(), Qt::Key_7, Qt::ControlModifier);
        press(f.window(), Qt::Key_F9, Qt::ShiftModifier);
        QVERIFY(!f.session().isPlaying());
        QCOMPARE(page->data(Qt::AccessibleTextRole).toString().trimmed(), QStringLiteral("Contention lab"));
    }

    /// A title that needs another line in a list that is narrower than before.
    void noScenarioLiesOnAnother()
    {
        Theme theme(*qApp);
        ScenarioList list(theme);
        list.setScenarios(lab::builtInScenarios());
        list.resize(400, 600);
        list.show();
        for (const int width : { 400, 250, 240, 230, 220, 210, 200, 300 }) {
            list.resize(width, 600);
            QTRY_VERIFY2(areRowsApart(list) && list.sizeHintForRow(1) > 0, qPrintable(QString::number(width)));
        }
    }

    /// As long as the window has room for it.
    void showsEachStoryWhole()
    {
        LabFixture f;
        f.window().resize(1'440, 1'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.window().height(), 1'000, Limit);
        const auto *story = named<QScrollArea>(f.page(), QStringLiteral("About this scenario"));
        for (const lab::Scenario &scenario : lab::builtInScenarios()) {
            f.list().choose(scenario.name);
            QTRY_COMPARE_WITH_TIMEOUT(story->verticalScrollBar()->maximum(), 0, Limit);
        }
    }

    /// As long as steps are hidden, what is said below them takes no more room than it needs; also in a small window.
    void hidesNoStepForAnEmptyPlace()
    {
        LabFixture f;
        f.window().resize(1'366, 768);
        QTRY_COMPARE_WITH_TIMEOUT(f.window().height(), 768, Limit);
        f.chooseScenario(QStringLiteral("One holder at a time"));
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("mutual-exclusion", 0), StepState::Passed, Limit);
        const auto *detail = named<QLabel>(f.page(), QStringLiteral("The chosen step"));
        const auto isGood = [&] {
            const int last = f.table().model()->rowCount() - 1;
            const bool areAllShown
                = f.table().visualRect(f.table().model()->index(last, 0)).bottom() <= f.table().viewport()->height();
            return areAllShown || detail->height() <= detail->heightForWidth(detail->width());
        };
        QTRY_VERIFY_WITH_TIMEOUT(isGood(), Limit);
        f.clickButton(QStringLiteral("Stop"));
    }

    void stopsInTheMiddle()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        f.list().setFocus();
        press(f.window(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 1), StepState::Running, Limit);
        const QByteArray ours = QFile::encodeName(m_temporary.path()) + "/lockscope-demo-";
        QVERIFY(!processesWith(ours).isEmpty());
        f.clickButton(QStringLiteral("Stop"));
        QVERIFY(processesWith(ours).isEmpty());
        QCOMPARE(f.session().verdictOf("watchdog"), Verdict::None);
        QVERIFY(f.session().wasStopped("watchdog"));
        QCOMPARE(f.cell(0, StepTableModel::Mark), QStringLiteral("✓")); // what was seen stays
        QVERIFY(f.stateOf("watchdog", 1) == StepState::Stopped); // and nothing is shown as if it went on
        QCOMPARE(f.cell(1, StepTableModel::Seen), QStringLiteral("stopped before it ended"));
        QCOMPARE(f.cell(2, StepTableModel::Seen), QStringLiteral("not reached"));
        f.chooseScenario(QStringLiteral("Released by somebody else")); // and another can be played
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger"), Verdict::Passed, Limit);
    }

    /// What goes on while the play is paused is shown, and is not taken back.
    void endsWhenItIsStopped()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 0), StepState::Passed, Limit);
        const lab::PlayRecord &running = *f.session().recordOf("watchdog");
        const auto last = lastMoment(running);
        QTRY_VERIFY_WITH_TIMEOUT(lockcore::transport::monoNow() > last + std::chrono::milliseconds(300), Limit);
        const auto shown = lockcore::transport::monoNow();
        f.clickButton(QStringLiteral("Stop"));
        const lab::PlayRecord &played = *f.session().recordOf("watchdog");
        QVERIFY(lastMoment(played) >= shown);
        const lab::Lanes lanes = lanesOf(played, lastMoment(played));
        QVERIFY(lanes.clients[0].rows.at(0).holds.at(0).to >= shown); // to the end
        QVERIFY(played.heldBack > lockcore::Millis(300)); // also the pause that was not over
    }

    /// cleanup() looks for what is left.
    void leavesNothingWhenTheWindowCloses()
    {
        auto f = std::make_unique<LabFixture>();
        f->chooseScenario(QStringLiteral("Two holders at once after a failover"));
        f->clickButton(QStringLiteral("Run"));
        QTRY_VERIFY_WITH_TIMEOUT(f->stateOf("failover", 0) != StepState::Waiting, Limit);
        f->window().close();
        f.reset();
    }

    /// What differs is told of the step, in full.
    void showsWhatFailed()
    {
        LabFixture f;
        const auto scenario = lab::readScenario(R"({ "name": "wrong", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x", "expect": { "outcome": "acquired",
              "redis": [{ "key": "x", "fields": { "$A:1": "2" } }, { "key": "y", "exists": true },
                { "key": "z", "exists": true }, { "key": "v", "exists": true }, { "key": "w", "exists": true }],
              "within": "300ms" } },
            { "do": "lock", "client": "B", "lock": "x", "wait": "0ms", "expect": { "outcome": "acquired" } },
            { "do": "unlock", "client": "A", "lock": "x" } ] })");
        QVERIFY(scenario);
        f.stage().setScenario(*scenario);
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("wrong"), Verdict::Failed, Limit);
        QCOMPARE(f.cell(0, StepTableModel::Mark), QStringLiteral("✗"));
        QCOMPARE(f.cell(1, StepTableModel::Mark), QStringLiteral("✗"));
        QCOMPARE(f.cell(2, StepTableModel::Mark), QStringLiteral("✓"));
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 0); // the first that failed
        const auto *detail = named<QLabel>(f.page(), QStringLiteral("The chosen step"));
        QVERIFY2(
            detail->text().contains(QStringLiteral("x: expected A:1 = 2; found A:1 = 1")), qPrintable(detail->text()));
        QVERIFY2(detail->text().count(QStringLiteral("✗")) == 5, qPrintable(detail->text()));
        QTRY_VERIFY_WITH_TIMEOUT( // nothing of it has to be scrolled to
            detail->visibleRegion().boundingRect().height() >= detail->heightForWidth(detail->width()), Limit);
        click(cellOf(f.table(), 1, StepTableModel::Seen));
        QVERIFY2(detail->text().contains(QStringLiteral("expected acquired, got not acquired after ")),
            qPrintable(detail->text()));
    }

    /// Rows that failed leave the view while a play goes on.
    void leadsToTheFirstStepThatFailed()
    {
        LabFixture f;
        std::string steps;
        for (int i = 0; i < 40; ++i)
            steps
                += R"(, { "do": "lock", "client": "A", "lock": "x", "wait": "0ms", "expect": {"outcome": "acquired"} })";
        const auto scenario = lab::readScenario(R"({ "name": "wrong", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "0ms", "expect": { "outcome": "acquired" } })"
            + steps
            + R"(, { "do": "check", "expect": {"redis": [{"key": "y", "exists": true}], "within": "60s"} } ] })");
        QVERIFY(scenario);
        f.stage().setScenario(*scenario);
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("wrong", 42), StepState::Running, Limit);
        const auto isInSight = [&f](int row) {
            return f.table().viewport()->rect().contains(f.table().visualRect(f.table().model()->index(row, 0)));
        };
        QTRY_VERIFY_WITH_TIMEOUT(!isInSight(1), Limit);
        f.clickButton(QStringLiteral("1 failed"));
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 1);
        QVERIFY(isInSight(1) && f.table().hasFocus());
        f.clickButton(QStringLiteral("Stop"));
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 1);
    }

    /// Unless a person looks elsewhere.
    void keepsTheStepThatRunsInSight()
    {
        LabFixture f;
        std::string steps;
        for (int i = 1; i < 60; ++i)
            steps += R"(, { "do": "lock", "client": "B", "lock": "x", "wait": "10m", "meanwhile": true, "thread": )"
                + std::to_string(i) + " }";
        const auto scenario = lab::readScenario(R"({ "name": "long", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" })"
            + steps + "] }");
        QVERIFY2(scenario, scenario ? "" : qPrintable(scenario.error().message));
        f.stage().setScenario(*scenario);
        QScrollBar &bar = *f.table().verticalScrollBar();
        const auto isInSight = [&f](int row) {
            return f.table().viewport()->rect().contains(f.table().visualRect(f.table().model()->index(row, 0)));
        };
        auto stepTo = [&f, next = 0](int row) mutable {
            for (; next <= row; ++next) {
                press(f.window(), Qt::Key_F10);
                QTRY_VERIFY_WITH_TIMEOUT(
                    f.stateOf("long", static_cast<std::size_t>(next)) != StepState::Waiting, Limit);
                if (next == 0)
                    QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("long", 0), StepState::Passed, Limit);
            }
        };
        const auto turnWheel = [&f](int turns) {
            const QWidget &rows = *f.table().viewport();
            for (int i = 0; i < std::abs(turns); ++i) {
                QWheelEvent turn(rows.rect().center(), rows.mapToGlobal(rows.rect().center()), {},
                    { 0, turns > 0 ? 120 : -120 }, Qt::NoButton, {}, Qt::NoScrollPhase, false);
                QCoreApplication::sendEvent(f.table().viewport(), &turn);
            }
        };
        stepTo(40);
        QTRY_VERIFY_WITH_TIMEOUT(isInSight(40), Limit);
        f.window().resize(1'440, 640);
        QTRY_VERIFY_WITH_TIMEOUT(f.window().height() == 640 && isInSight(40), Limit);
        turnWheel(50);
        QCOMPARE(bar.value(), 0);
        stepTo(41);
        QTRY_COMPARE_WITH_TIMEOUT(f.table().selectionModel()->selectedRows().front().row(), 41, Limit);
        f.window().resize(1'440, 660);
        QTRY_COMPARE_WITH_TIMEOUT(f.window().height(), 660, Limit);
        QCOMPARE(bar.value(), 0);
        turnWheel(-200); // to the end
        QCOMPARE(bar.value(), bar.maximum());
        stepTo(42);
        QTRY_VERIFY_WITH_TIMEOUT(isInSight(42), Limit);
        turnWheel(50);
        for (int i = 0; i < 2'000 && !isInSight(42); ++i)
            bar.triggerAction(QScrollBar::SliderSingleStepAdd); // as its arrow does
        QVERIFY(isInSight(42));
        stepTo(46); // back where it runs: followed again
        QTRY_VERIFY_WITH_TIMEOUT(isInSight(46), Limit);
        turnWheel(50);
        f.clickButton(QStringLiteral("Stop"));
        QCOMPARE(bar.value(), 0);
    }

    void leadsFromOneFailedStepToTheNext()
    {
        LabFixture f;
        const auto scenario = lab::readScenario(R"({ "name": "wrong", "title": "t", "clients": ["A", "B"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" },
            { "do": "lock", "client": "B", "lock": "x", "wait": "0ms", "expect": { "outcome": "acquired" } },
            { "do": "unlock", "client": "A", "lock": "x" },
            { "do": "unlock", "client": "A", "lock": "x" } ] })");
        QVERIFY(scenario);
        f.stage().setScenario(*scenario);
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("wrong"), Verdict::Failed, Limit);
        for (const int row : { 3, 1, 3 }) { // the first is chosen already
            f.clickButton(QStringLiteral("2 failed"));
            QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), row);
        }
    }

    /// A person may look at the step that runs, and goes along with the play from there.
    void followsFromTheStepThatRuns()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 0), StepState::Passed, Limit);
        f.clickButton(QStringLiteral("Step"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 1), StepState::Running, Limit);
        click(cellOf(f.table(), 0, StepTableModel::Does));
        click(cellOf(f.table(), 1, StepTableModel::Does));
        f.clickButton(QStringLiteral("Resume"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 5), StepState::Running, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.table().selectionModel()->selectedRows().front().row(), 5, Limit);
        f.clickButton(QStringLiteral("Stop"));
    }

    /// A play is no server of the person's: it is watched read-only, not remembered, and gone at its end.
    void isWatchedInTheWindow()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 1), StepState::Running, Limit);
        f.clickButton(QStringLiteral("Watch in the window"));
        QVERIFY(f.lab.page().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(f.lab.page().locks().rowOf("report") >= 0, Limit);
        QCOMPARE(f.lab.store.remembered, 0);
        press(f.window(), Qt::Key_7, Qt::ControlModifier);
        f.clickButton(QStringLiteral("Stop"));
        press(f.window(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.lab.page(), QStringLiteral("Not connected")), Limit);
    }

    void whatWasWatchedBeforeIsWatchedAgain()
    {
        testsupport::RedisServer server;
        QVERIFY(server.start());
        server.cli({ QStringLiteral("HSET"), QStringLiteral("mine"), testsupport::OwnerA, QStringLiteral("1") });
        LabFixture f;
        ConnectionProfile own;
        own.deployment = server.endpoint();
        f.window().openConnection(own);
        press(f.window(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.lab.page().locks().rowOf("mine") >= 0, Limit);
        press(f.window(), Qt::Key_7, Qt::ControlModifier);
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 1), StepState::Running, Limit);
        const auto answer = [&f](const char *text) { // it is not left unasked
            f.clickButton(QStringLiteral("Watch in the window"));
            auto *asked = f.window().findChild<WatchPlayDialog *>();
            if (asked == nullptr || !QTest::qWaitForWindowExposed(asked))
                return false;
            click(middleOf(*lockui::test::button(*asked, QString::fromUtf8(text))));
            f.window().activateWindow();
            return QTest::qWaitFor([&f] { return f.window().findChild<WatchPlayDialog *>() == nullptr; }, Limit)
                && QTest::qWaitForWindowActive(&f.window());
        };
        QVERIFY(answer("Stay connected"));
        QVERIFY(f.lab.page().locks().rowOf("mine") >= 0 && f.page().isVisible());
        QVERIFY(answer("Leave it and watch the play"));
        QTRY_VERIFY_WITH_TIMEOUT(f.lab.page().locks().rowOf("report") >= 0, Limit);
        QCOMPARE(f.lab.page().locks().rowOf("mine"), -1);
        press(f.window(), Qt::Key_7, Qt::ControlModifier);
        f.clickButton(QStringLiteral("Stop"));
        press(f.window(), Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.lab.page().locks().rowOf("mine") >= 0, Limit);
    }

    void asksNobodyWhetherToWatchWhatIsOver()
    {
        testsupport::RedisServer server;
        QVERIFY(server.start());
        LabFixture f;
        ConnectionProfile own;
        own.deployment = server.endpoint();
        f.window().openConnection(own);
        f.chooseScenario(QStringLiteral("Renewed while its holder lives"));
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.stateOf("watchdog", 1), StepState::Running, Limit);
        f.clickButton(QStringLiteral("Watch in the window"));
        QVERIFY(f.window().findChild<WatchPlayDialog *>());
        f.session().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!f.window().findChild<WatchPlayDialog *>(), Limit);
        QVERIFY(f.page().isVisible());
    }

    void isFoundInThePalette()
    {
        LabFixture f;
        press(f.window(), Qt::Key_1, Qt::ControlModifier);
        press(f.window(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        type(f.window(), "run scenario released by somebody");
        press(f.window(), Qt::Key_Return);
        QVERIFY(f.page().isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger"), Verdict::Passed, Limit);
        QCOMPARE(f.list().chosen(), std::string("unlock-by-a-stranger"));
    }

    /// Also where what is said below grows, or something comes above: it ended there, and nobody has looked elsewhere.
    void keepsTheLastStepInSightAfterTheEnd()
    {
        LabFixture f;
        std::string steps;
        for (int i = 0; i < 40; ++i)
            steps += R"(, { "do": "lock", "client": "A", "lock": "x" })";
        const auto scenario = lab::readScenario(R"({ "name": "long", "title": "t", "clients": ["A"], "steps": [
            { "do": "lock", "client": "A", "lock": "x" })"
            + steps + "] }");
        QVERIFY(scenario);
        f.stage().setScenario(*scenario);
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("long"), Verdict::Passed, Limit);
        const auto isInSight = [&f](int row) {
            return f.table().viewport()->rect().contains(f.table().visualRect(f.table().model()->index(row, 0)));
        };
        QTRY_VERIFY_WITH_TIMEOUT(isInSight(40), Limit);
        f.window().resize(1'440, 640);
        QTRY_VERIFY_WITH_TIMEOUT(f.window().height() == 640 && isInSight(40), 5'000);
        f.table().verticalScrollBar()->triggerAction(QAbstractSlider::SliderToMinimum);
        f.window().resize(1'440, 700);
        QTRY_VERIFY_WITH_TIMEOUT(f.window().height() == 700 && isInSight(0), 5'000);
    }

    /// What a call says first counts most, unlike a name.
    void aCallIsCutAtItsEnd()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Two holders at once after a failover"));
        int row = 0;
        while (!f.cell(row, StepTableModel::Does).contains(QStringLiteral("tries again")))
            ++row;
        const QModelIndex cell = f.table().model()->index(row, StepTableModel::Does);
        const auto painted = [&](int width) { return paintedCell(f.table(), cell, width); };
        constexpr int Room = 260;
        constexpr int BeforeEllipsis = 220;
        QVERIFY(painted(Room) != painted(1'000).copy(0, 0, Room, 25)); // it is cut
        QCOMPARE(painted(Room).copy(0, 0, BeforeEllipsis, 25), painted(1'000).copy(0, 0, BeforeEllipsis, 25));
    }

    /// Hold, wait, kill and the time in which Redis names the dead one; a click on a bar chooses its step.
    void paintsWhatEachClientDid()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("A holder dies"));
        f.clickButton(QStringLiteral("Run"));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("holder-crashes"), Verdict::Passed, Limit);
        auto &view = *f.page().findChild<LabLanesView *>();
        QTRY_COMPARE_WITH_TIMEOUT(view.lanes().clients.size(), 2U, Limit);
        view.viewport()->repaint();
        const auto &progress = f.session().recordOf("holder-crashes")->progress;
        const auto at = [&](std::size_t step) { return *progress[step].endedAt; };
        const auto between = [](auto from, auto to) { return from + (to - from) / 2; };
        const QPoint hold = view.placeOf(0, between(at(0), at(3)));
        QVERIFY2(view.textAt(hold).contains(QStringLiteral("A held invoice")), qPrintable(view.textAt(hold)));
        const QPoint dead = view.placeOf(0, between(at(3), at(1)));
        QVERIFY2(view.textAt(dead).contains(QStringLiteral("Redis still says that A holds invoice")),
            qPrintable(view.textAt(dead)));
        const QPoint killed = view.placeOf(0, at(3));
        QVERIFY2(view.textAt(killed).contains(QStringLiteral("killed with -9")), qPrintable(view.textAt(killed)));
        const QPoint wait = view.placeOf(1, f.session().recordOf("holder-crashes")->start->mono);
        const QImage drawn = view.viewport()->grab().toImage();
        const auto isWait = [&](QPoint place) { return drawn.pixelColor(place) == f.lab.theme.color(Tone::Waiting); };
        int line = wait.y();
        while (line < drawn.height() - 1 && !isWait({ wait.x() + 20, line }))
            ++line;
        for (int x = wait.x() + 20; x < killed.x() + 100; ++x) // the lines of the seconds are behind it
            QVERIFY2(isWait({ x, line + 1 }), qPrintable(QString::number(x)));
        const QPoint next = view.placeOf(1, at(1)) + QPoint(2, 0); // however short it held it
        QVERIFY2(view.textAt(next).contains(QStringLiteral("B held invoice")), qPrintable(view.textAt(next)));
        view.clearFocus();
        const QImage bare = view.viewport()->grab().toImage();
        click(placeIn(*view.viewport(), hold));
        QCOMPARE(f.table().selectionModel()->selectedRows().front().row(), 0);
        view.setFocus(Qt::TabFocusReason);
        const QImage framed = view.viewport()->grab().toImage(); // around the lanes, and not in place of them
        QVERIFY(framed.pixel(0, 0) != bare.pixel(0, 0));
        for (const QPoint &place : { hold, dead, next, QPoint(bare.width() - 4, bare.height() - 4) })
            QCOMPARE(framed.pixelColor(place), bare.pixelColor(place));
    }

    /// Up to a limit, and close to each other where they would have to be scrolled otherwise.
    void fewLanesSpreadOverTheRoomThatTheyHave()
    {
        const Theme theme{ *qApp };
        const auto distance = [&theme](int clients, int height) {
            QStringList names;
            for (int i = 0; i < clients; ++i)
                names << QStringLiteral("\"%1\"").arg(QChar(u'A' + i));
            lab::PlayRecord record;
            record.scenario = *lab::readScenario(QStringLiteral(
                R"({ "name": "n", "title": "t", "clients": [%1], "steps": [{ "client": "A", "do": "lock", "lock": "x" }] })")
                                                     .arg(names.join(u','))
                                                     .toStdString());
            record.progress.resize(1);
            record.start = lockcore::Now{ lockcore::MonoTime(std::chrono::seconds(1)), {} };
            LabLanesView view(theme);
            view.resize(600, height);
            view.show();
            view.setRecord(record, record.start->mono);
            const int last = view.placeOf(static_cast<std::size_t>(clients) - 1, record.start->mono).y();
            const int needed = view.verticalScrollBar()->maximum();
            const int between = view.placeOf(1, record.start->mono).y() - view.placeOf(0, record.start->mono).y();
            return std::tuple(between, last<height, needed> 0);
        };
        constexpr int Close = 40;
        constexpr int Widest = 104;
        QCOMPARE(distance(2, 250), std::tuple(Widest, true, false));
        QCOMPARE(distance(2, 900), std::tuple(Widest, true, false));
        const auto [between, isSeen, scrolls] = distance(4, 300);
        QVERIFY2(between > Close && between < Widest, qPrintable(QString::number(between)));
        QVERIFY(isSeen && !scrolls);
        QCOMPARE(distance(12, 300), std::tuple(Close, false, true));
    }

    /// A copy of one that comes with the program, changed and played; what is not saved is asked for on closing.
    void editsOnesOwn()
    {
        LabFixture f;
        f.chooseScenario(QStringLiteral("Released by somebody else"));
        f.clickButton(QStringLiteral("Edit…"));
        auto *own = f.page().findChild<OwnScenariosView *>();
        auto *dialog = own->findChild<ScenarioNameDialog *>();
        QVERIFY(own->isVisible() && dialog);
        press(*dialog, Qt::Key_Return);
        auto *text = own->findChild<JsonTextEdit *>();
        QTRY_VERIFY(text->exactText().contains(QStringLiteral("\"unlock-by-a-stranger-2\"")));
        click(middleOf(*button(*own, QStringLiteral("Run"))));
        QVERIFY(f.stage().isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger-2"), Verdict::Passed, Limit);
        QCOMPARE(f.session().verdictOf("unlock-by-a-stranger"), Verdict::None);
        // Its name stands beside it, and a way back.
        const auto *origin = saying<ElidedLabel>(f.stage(), QStringLiteral("unlock-by-a-stranger-2"));
        QVERIFY(origin && origin->isVisible());
        f.clickButton(QStringLiteral("‹ My scenarios"));
        QVERIFY(own->isVisible() && !own->findChild<ScenarioNameDialog *>());
        click(middleOf(*button(*own, QStringLiteral("Run"))));
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger-2"), Verdict::Passed, Limit);
        f.chooseScenario(QStringLiteral("A holder dies"));
        QVERIFY(!origin->isVisible() && button(f.stage(), QStringLiteral("‹ My scenarios"))->isHidden());
        f.page().run(*own->saved("unlock-by-a-stranger-2"));
        QVERIFY(origin->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("unlock-by-a-stranger-2"), Verdict::Passed, Limit);
        QCOMPARE(f.cell(3, StepTableModel::Mark), QStringLiteral("✓"));
        press(f.window(), Qt::Key_7, Qt::ControlModifier); // into the list, which has it not
        QCOMPARE(f.stage().scenario().name, std::string("unlock-by-a-stranger-2"));
        f.clickButton(QStringLiteral("Edit…"));
        QVERIFY(own->isVisible() && !own->findChild<ScenarioNameDialog *>()); // it is one's own already
        text->setFocus();
        press(f.window(), Qt::Key_End, Qt::ControlModifier);
        press(f.window(), Qt::Key_Space);
        f.window().close();
        QVERIFY(f.window().isVisible());
        auto *question = own->findChild<QuestionDialog *>();
        QVERIFY(question);
        click(middleOf(*button(*question, QStringLiteral("Discard"))));
        QTRY_VERIFY(!f.window().isVisible());
    }

    /// A signal comes from nobody who answers: the window goes, and what was written is offered at the next start.
    void endsUnaskedAndOffersWhatWasNotSaved()
    {
        LabFixture f;
        const lab::OwnScenarios store(f.lab.folder.filePath(QStringLiteral("scenarios")));
        writeUnsaved(f, store);
        QVERIFY(f.window().endUnasked());
        QVERIFY(!f.window().isVisible() && !f.window().findChild<QuestionDialog *>());
        QVERIFY(!store.find("mine")->text.contains("Not Released by"));

        MainWindow next({ f.lab.monitor, f.lab.theme, f.lab.store, f.lab.settings, f.lab.audit, f.lab.labTools });
        next.show();
        next.offerUnsaved();
        auto *offer = next.findChild<QuestionDialog *>();
        QVERIFY(offer && saying<QLabel>(*offer, QStringLiteral("Changes of “mine” were not saved")));
        click(middleOf(*button(*offer, QStringLiteral("Show them"))));
        auto *own = next.findChild<OwnScenariosView *>();
        QTRY_VERIFY(own->isVisible() && own->hasUnsavedChanges());
        QVERIFY(own->findChild<JsonTextEdit *>()->exactText().contains(QStringLiteral("Not Released by")));
    }

    /// Of two questions at once neither would get the keys for sure.
    void offersWhatWasNotSavedBehindTheQuestionWhereToConnect()
    {
        LabFixture f;
        const lab::OwnScenarios store(f.lab.folder.filePath(QStringLiteral("scenarios")));
        writeUnsaved(f, store);
        QVERIFY(f.window().endUnasked());
        MainWindow next({ f.lab.monitor, f.lab.theme, f.lab.store, f.lab.settings, f.lab.audit, f.lab.labTools });
        next.show();
        next.askForConnection();
        next.offerUnsaved();
        QVERIFY(!next.findChild<QuestionDialog *>());
        press(*next.findChild<ConnectionDialog *>(), Qt::Key_Escape);
        QTRY_VERIFY(next.findChild<QuestionDialog *>());
        press(*next.findChild<QuestionDialog *>(), Qt::Key_Escape);
        QTRY_VERIFY(!next.findChild<QuestionDialog *>());
    }

    /// Nothing is lost, and nothing stays connected.
    void asksWithoutAConnectionWhereNothingCanBeKept()
    {
        testsupport::RedisServer server;
        QVERIFY(server.start());
        LabFixture f;
        const lab::OwnScenarios store(f.lab.folder.filePath(QStringLiteral("scenarios")));
        const auto clients = [&] {
            return server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).count('\n');
        };
        const auto alone = clients();
        f.lab.connectTo(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(clients() > alone, Limit);
        press(f.window(), Qt::Key_7, Qt::ControlModifier);
        writeUnsaved(f, store);
        QVERIFY(QDir(store.folder()).removeRecursively());
        QFile inItsPlace(store.folder());
        QVERIFY(inItsPlace.open(QIODevice::WriteOnly));
        QVERIFY(!f.window().endUnasked());
        QVERIFY(f.window().isVisible());
        QVERIFY(f.page().findChild<QuestionDialog *>());
        QTRY_COMPARE_WITH_TIMEOUT(clients(), alone, Limit);
        QVERIFY(f.page().hasUnsavedChanges());
    }

    /// lockctl plays what is saved: what is shown may be something else by then.
    void copiesACommandThatPlaysWhatIsShown()
    {
        LabFixture f;
        const lab::OwnScenarios store(f.lab.folder.filePath(QStringLiteral("scenarios")));
        QVERIFY(store.save("mine", lab::OwnScenarios::withName(lab::builtInText("unlock-by-a-stranger"), "mine"), {}));
        f.page().findChild<QTabBar *>()->setCurrentIndex(1);
        auto *own = f.page().findChild<OwnScenariosView *>();
        QTRY_VERIFY(own->isVisible());
        const auto isRunnable = [&] { return button(*own, QStringLiteral("Run"))->isEnabled(); };
        const auto run = [&] {
            QTRY_VERIFY(isRunnable());
            QCoreApplication::processEvents(); // layouts follow what they hold
            click(middleOf(*button(*own, QStringLiteral("Run"))));
            QVERIFY(f.stage().isVisible());
            QTRY_COMPARE_WITH_TIMEOUT(f.session().verdictOf("mine"), Verdict::Passed, Limit);
        };
        run();
        QGuiApplication::clipboard()->clear();
        f.clickButton(QStringLiteral("Copy as lockctl run"));
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("lockctl run mine"));
        QGuiApplication::clipboard()->clear();
        f.clickButton(QStringLiteral("Edit…"));
        auto *text = own->findChild<JsonTextEdit *>();
        text->goTo(text->exactText().indexOf(QStringLiteral("Released by")));
        type(f.window(), "Not ");
        QTRY_VERIFY(f.page().hasUnsavedChanges() && isRunnable());
        run();
        f.clickButton(QStringLiteral("Copy as lockctl run"));
        QVERIFY(QGuiApplication::clipboard()->text().isEmpty());
        auto *question = f.page().findChild<QuestionDialog *>();
        QVERIFY(question && saying<QLabel>(*question, QStringLiteral("without your last changes")));
        click(middleOf(*button(*question, QStringLiteral("Save and copy"))));
        QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("lockctl run mine"));
        QVERIFY(!f.page().hasUnsavedChanges());
        QVERIFY(store.find("mine")->text.contains("Not Released by"));
        // Somebody else changes the file, and then it goes.
        QTRY_VERIFY(!f.page().findChild<QuestionDialog *>());
        const QByteArray saved = store.find("mine")->text;
        QVERIFY(store.save("mine", QByteArray(saved).replace("Not Released", "Perhaps released"), saved));
        f.window().activateWindow();
        f.clickButton(QStringLiteral("Copy as lockctl run"));
        QTRY_VERIFY((question = f.page().findChild<QuestionDialog *>()));
        QVERIFY(saying<QLabel>(*question, QStringLiteral("another one by now")));
        QVERIFY(!button(*question, QStringLiteral("Save and copy")));
        question->reject();
    }

    void saysWhatIsMissing()
    {
        auto missing = std::make_shared<std::vector<LabNeed>>();
        *missing = { LabNeed::RedisServer, LabNeed::Lockctl };
        lab::LabTools tools = realTools();
        tools.missing = [missing] { return *missing; };
        LabFixture f(std::move(tools));
        QVERIFY(saying<QLabel>(f.page(), QStringLiteral("redis-server is not installed")));
        QVERIFY(saying<QLabel>(f.page(), QStringLiteral("lockctl is neither")));
        QVERIFY(!button(f.stage(), QStringLiteral("Run"))->isEnabled());
        missing->clear(); // it was installed meanwhile
        QTRY_VERIFY_WITH_TIMEOUT(button(f.stage(), QStringLiteral("Run"))->isEnabled(), Limit);
        QVERIFY(!saying<QLabel>(f.page(), QStringLiteral("redis-server is not installed")));
    }

private:
    static void writeUnsaved(LabFixture &f, const lab::OwnScenarios &store)
    {
        QVERIFY(store.save("mine", lab::OwnScenarios::withName(lab::builtInText("unlock-by-a-stranger"), "mine"), {}));
        f.page().findChild<QTabBar *>()->setCurrentIndex(1);
        auto *text = f.page().findChild<OwnScenariosView *>()->findChild<JsonTextEdit *>();
        QTRY_VERIFY(text->isVisible());
        text->goTo(text->exactText().indexOf(QStringLiteral("Released by")));
        type(f.window(), "Not ");
        QTRY_VERIFY(f.page().hasUnsavedChanges());
    }

    QTemporaryDir m_temporary;
    QUrl m_opened;
};

QTEST_MAIN(LabPageTest)

#include "tst_lab_page.moc"
