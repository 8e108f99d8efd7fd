// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/free_play.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/painted.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_window.h"
#include "tests/support/redis_server.h"
#include "ui/charts/curve_chart.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/models/contender_text.h"
#include "ui/models/roles.h"
#include "ui/support/freshness.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/views/empty_state.h"
#include "ui/views/free_play_card.h"
#include "ui/views/free_play_knobs.h"
#include "ui/views/free_play_view.h"
#include "ui/views/lab_page.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTest>

using namespace lockui;
using namespace lockui::test;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;
using lockcore::synchronizers::Kind;

namespace {

constexpr int Long = 60'000;

/// What plays without anybody playing, and remembers what it was asked for.
struct StillPlay : lab::FreePlay {
    void start(std::vector<lab::GroupSettings> given, std::optional<lockcore::transport::Deployment> where,
        const QString &recordedIn, const lockcore::service::AuditedConnection &) override
    {
        groups = std::move(given);
        server = std::move(where);
        auditFile = recordedIn;
    }
    void stop() override { ++stopped; }
    void setGroups(std::vector<lab::GroupSettings> given) override { groups = std::move(given); }
    void act(lab::GroupId group, const std::string &client, lab::HandAct act) override
    {
        acts.push_back({ .group = group, .client = client, .act = act });
    }

    /// Running, with clients as they are given, in each group.
    void show(const std::vector<lab::ContenderState> &clients, lab::FreePlayPhase phase = lab::FreePlayPhase::Running)
    {
        auto state = std::make_shared<lab::FreePlayState>();
        state->phase = phase;
        state->server = "unix:///tmp/x/redis.sock";
        state->at = at;
        for (const lab::GroupSettings &settings : groups)
            state->groups.push_back({ .settings = settings, .lock = lock, .clients = clients, .ghosts = ghosts });
        Q_EMIT stateChanged(state);
    }

    int stopped = 0;
    lockcore::LockName lock = "free-play:1";
    lockcore::MonoTime at{};
    std::vector<lab::GroupSettings> groups;
    std::optional<lockcore::transport::Deployment> server;
    std::vector<lab::HandOutcome> acts;
    std::vector<lab::HolderGhost> ghosts; // that it shows
    QString auditFile;
};

lab::ContenderState client(const char *name, lab::ClientPhase phase)
{
    return { .name = name, .id = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", .phase = phase };
}

/// The tab of the lab, by its keys and a click.
FreePlayView &showFreePlay(MainWindow &window)
{
    window.resize(1'366, 768);
    window.show();
    press(window, Qt::Key_7, Qt::ControlModifier);
    auto &tabs = *named<QTabBar>(window, u"Parts of the lab"_s);
    click(placeIn(tabs, tabs.tabRect(1).center()));
    return *window.findChild<FreePlayView *>();
}

struct Fixture {
    explicit Fixture(FreePlayRun::MakeFreePlay make = {})
        : view(
            theme, clock, make ? std::move(make) : [this] {
                auto made = std::make_unique<StillPlay>();
                play = made.get();
                return made;
            })
    {
        view.resize(1'200, 650);
        view.show();
    }

    QAbstractButton &button(const char *text) { return *test::button(view, QString::fromUtf8(text)); }
    void press(const char *text) { click(middleOf(button(text))); }
    std::vector<FreePlayCard *> cards()
    {
        auto found = view.findChildren<FreePlayCard *>();
        found.removeIf([](const FreePlayCard *each) { return !each->isVisible(); });
        return { found.begin(), found.end() };
    }
    DataTable &table(std::size_t card) { return *cards().at(card)->findChild<DataTable *>(); }
    QString cell(std::size_t card, int row, ContenderModel::Column column)
    {
        return table(card).model()->index(row, column).data().toString();
    }
    void choose(std::size_t card, int row) { click(cellOf(table(card), row, ContenderModel::State)); }
    QComboBox &choice(const char *name) { return *named<QComboBox>(view, QString::fromUtf8(name)); }
    QSpinBox &number(const char *name) { return *named<QSpinBox>(view, QString::fromUtf8(name)); }
    /// With the keyboard, as a person does.
    void enter(QSpinBox &field, const char *value)
    {
        click(middleOf(field));
        field.selectAll();
        QTest::keyClicks(&field, QString::fromUtf8(value));
        QTest::keyClick(&field, Qt::Key_Return);
    }
    void pick(QComboBox &choice, const char *text)
    {
        const int wanted = choice.findText(QString::fromUtf8(text), Qt::MatchStartsWith);
        QVERIFY(wanted >= 0);
        choice.setFocus();
        while (choice.currentIndex() != wanted)
            QTest::keyClick(&choice, choice.currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
    }

    /// The person's server, on which one may write.
    void connectTo(bool isProduction = false)
    {
        view.setConnected(
            { .server = lockcore::transport::Endpoint(), .title = u"orders-db"_s, .isProduction = isProduction });
    }
    /// What the monitor sees of the lock `hand1`; null: it is not there.
    void see(lockcore::Millis at, const char *holder,
        lockcore::monitor::SourcePhase phase = lockcore::monitor::SourcePhase::Live)
    {
        const lockcore::Now now{ lockcore::MonoTime(at), lockcore::WallTime(at) };
        std::vector<std::shared_ptr<const lockcore::monitor::LockState>> locks;
        if (holder != nullptr) {
            auto lock = makeLock("hand1", now.mono);
            lock->readAtMono = now.mono;
            lock->holders.front().owner = { holder, lab::HandThread };
            locks.push_back(std::move(lock));
        }
        auto snapshot = makeSnapshot(now, std::move(locks));
        snapshot->status.phase = phase;
        view.setSnapshot(snapshot);
    }
    void type(const char *name)
    {
        auto &field = *named<QLineEdit>(view, u"Name of the lock"_s);
        click(middleOf(field));
        field.selectAll();
        QTest::keyClicks(&field, QString::fromUtf8(name));
    }

    Theme theme{ *qApp };
    ViewClock clock;
    StillPlay *play = nullptr;
    FreePlayView view;
};

} // namespace

class TestFreePlayView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// A test clicks on what a button says now, however lately that changed.
    void init() { QApplication::setDoubleClickInterval(0); }

    void aSecondClickDoesNothingElseThanTheFirst()
    {
        Fixture f;
        const auto twice = [](const QAbstractButton &button, const std::function<void()> &between) {
            const Place place = middleOf(button);
            click(place);
            between();
            click(place);
        };
        constexpr int Longest = 100'000; // milliseconds: as soon as it may be
        QApplication::setDoubleClickInterval(Longest);
        twice(f.button("Start"), [&] { QVERIFY(f.play && f.button("Stop").isEnabled()); });
        QCOMPARE(f.play->stopped, 0);

        QApplication::setDoubleClickInterval(0);
        const auto show = [&](lab::ClientPhase phase) { f.play->show({ client("A", phase) }); };
        show(lab::ClientPhase::Thinking);
        f.choose(0, 0);
        doLayouts();
        QApplication::setDoubleClickInterval(Longest);
        twice(f.button("Lock"), [&] { show(lab::ClientPhase::Waiting); });
        QCOMPARE(f.play->acts.size(), std::size_t(1));
        f.press("Crash"); // which says what it said
        QCOMPARE(f.play->acts.size(), std::size_t(2));

        QApplication::setDoubleClickInterval(0);
        show(lab::ClientPhase::Thinking);
        const Place lock = middleOf(f.button("Lock")); // held down meanwhile
        const QPoint near = lock.point + QPoint(1, 0); // no hand is still
        QTest::mousePress(lock.window, Qt::LeftButton, {}, lock.point);
        show(lab::ClientPhase::Waiting);
        QTest::mouseMove(lock.window, near);
        QTest::mousePress(lock.window, Qt::RightButton, {}, near);
        QTest::mouseMove(lock.window, lock.point);
        QTest::mouseRelease(lock.window, Qt::LeftButton, {}, lock.point);
        QCOMPARE(f.play->acts.size(), std::size_t(2));
        show(lab::ClientPhase::Thinking); // held down, drawn off, and back on it
        QTest::mousePress(lock.window, Qt::LeftButton, {}, lock.point);
        QTest::mouseMove(lock.window, lock.point - QPoint(0, 200));
        show(lab::ClientPhase::Waiting);
        QTest::mouseMove(lock.window, near);
        QTest::mouseRelease(lock.window, Qt::LeftButton, {}, near);
        QCOMPARE(f.play->acts.size(), std::size_t(2));
        f.press("Give up");
        QCOMPARE(f.play->acts.size(), std::size_t(3));

        QApplication::setDoubleClickInterval(Longest);
        f.view.resize(f.view.width(), f.view.height() - 40); // as where a notice comes below
        f.press("Give up");
        QCOMPARE(f.play->acts.size(), std::size_t(3));
    }

    void theScaleOfWaitsHasWholeTimes()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        const auto charts = f.view.findChildren<CurveChart *>();
        const auto waits
            = std::ranges::find_if(charts, [](const CurveChart *each) { return each->data().isLogarithmic; });
        QVERIFY(waits != charts.end());
        const auto text = [&](double micros) { return (*waits)->data().text(micros); };
        QCOMPARE(text(1e3), u"1 ms"_s);
        QCOMPARE(text(1e4), u"10 ms"_s);
        QCOMPARE(text(1e5), u"0.1 s"_s);
        QCOMPARE(text(1e6), u"1 s"_s);
        QCOMPARE(text(1e7), u"10 s"_s);
        QCOMPARE(text(6e8), u"10 m"_s);
    }

    void beginsWithWhatAPersonChooses()
    {
        Fixture f;
        QVERIFY(!f.view.isRunning());
        QCOMPARE(f.cards().size(), 0U); // nothing is shown that nobody has played
        QVERIFY(saying<QLabel>(f.view, u"spin lock"_s));
        f.pick(f.choice("What to begin with"), "Readers");
        QVERIFY(saying<QLabel>(f.view, u"Nine of ten only read"_s));
        f.press("Start");
        QVERIFY(f.view.isRunning());
        QVERIFY(saying<QLabel>(f.view, u"Starting"_s));
        QCOMPARE(f.play->groups.size(), 2U);
        QCOMPARE(f.play->groups[0].kind, Kind::ReadWrite);
        QCOMPARE(f.play->groups[0].readersPercent, 90);
        f.play->show({ client("A", lab::ClientPhase::Holding), client("B", lab::ClientPhase::Waiting) });
        QCOMPARE(f.cards().size(), 2U);
        QCOMPARE(f.cell(0, 0, ContenderModel::Client), u"A"_s);
        QVERIFY(f.cell(0, 0, ContenderModel::State).startsWith(u"holds"_s));
        QVERIFY(f.cell(1, 1, ContenderModel::State).startsWith(u"waits"_s));
        QVERIFY(saying<ElidedLabel>(f.view, u"unix:///tmp/x/redis.sock"_s));
    }

    void turnsKnobsOfAllGroupsOrOfOne()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        f.enter(f.number("Number of clients"), "7");
        f.enter(f.number("Hold time"), "33");
        for (const lab::GroupSettings &group : f.play->groups) {
            QCOMPARE(group.clients, 7);
            QVERIFY(group.hold.mean == 33ms);
        }
        QVERIFY(f.play->groups[1].kind == Kind::Fair);
        f.view.findChild<QCheckBox *>()->setFocus();
        QTest::keyClick(f.view.findChild<QCheckBox *>(), Qt::Key_Space);
        f.choose(1, 0);
        QVERIFY(saying<QLabel>(f.view, u"Clients of: Fair"_s));
        f.pick(f.choice("Lease"), "Fixed");
        f.enter(f.number("Length of the lease"), "2");
        QVERIFY(f.play->groups[1].lease == 2s);
        QVERIFY(!f.play->groups[0].lease && !f.play->groups[2].lease);
        f.pick(f.choice("Lease"), "Watchdog"); // its own time is back
        QVERIFY(!f.play->groups[1].lease && f.play->groups[1].watchdog == 5s);
        f.pick(f.choice("Longest wait"), "Up to");
        QVERIFY(f.play->groups[1].wait == 1s);
        f.pick(f.choice("Kind of lock"), "Semaphore");
        QCOMPARE(f.play->groups[1].kind, Kind::Semaphore);
        f.enter(f.number("Permits"), "3");
        QCOMPARE(f.play->groups[1].permits, 3);
        f.enter(f.number("Crashes per minute"), "500"); // more than there may be
        QVERIFY(f.play->groups[1].crashesPerMinute <= 120);
        f.enter(f.number("Hold time"), "9999999");
        QVERIFY(f.play->groups[1].hold.mean == 600s);
        QCOMPARE(f.number("Hold time").value(), 600);
    }

    void addsAndRemovesGroups()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QVERIFY(!f.button("Add a group").isEnabled()); // there are three
        click(middleOf(*named<QToolButton>(*f.cards()[0], u"Remove this group"_s)));
        QCOMPARE(f.play->groups.size(), 2U);
        QCOMPARE(f.play->groups[0].kind, Kind::Fair);
        QCOMPARE(f.cards().size(), 2U);
        click(middleOf(*named<QToolButton>(*f.cards()[1], u"Remove this group"_s)));
        QCOMPARE(f.play->groups.size(), 1U);
        QVERIFY(named<QToolButton>(*f.cards()[0], u"Remove this group"_s)->isHidden()); // the last one stays
        f.press("Add a group");
        QCOMPARE(f.play->groups.size(), 2U);
        QCOMPARE(f.play->groups[1].kind, Kind::Fair);
        QVERIFY(f.play->groups[0].id != f.play->groups[1].id);
    }

    void offersWhatCanBeDoneWithTheChosenClient()
    {
        Fixture f;
        f.press("Start");
        auto standing = client("D", lab::ClientPhase::Holding);
        standing.isPaused = true;
        f.play->show({ client("A", lab::ClientPhase::Holding), client("B", lab::ClientPhase::Thinking),
            client("C", lab::ClientPhase::Crashed), standing });
        QVERIFY(!f.button("Lock").isEnabled() && !f.button("Crash").isEnabled()); // of whom?
        f.choose(0, 1);
        QVERIFY(f.button("Lock").isEnabled() && !f.button("Unlock").isEnabled());
        f.press("Lock");
        f.choose(0, 0);
        QVERIFY(f.button("Lock again").isEnabled() && f.button("Unlock").isEnabled());
        f.press("Unlock");
        f.press("Stand still");
        f.press("Crash");
        f.press("Take by the hand");
        f.choose(0, 2);
        QVERIFY(!f.button("Unlock").isEnabled() && !f.button("Stand still").isEnabled());
        f.press("Start again");
        f.choose(0, 3);
        QVERIFY(!f.button("Unlock").isEnabled()); // it hears nothing
        f.press("Go on");
        const std::vector<std::pair<std::string, lab::HandAct>> expected{ { "B", lab::HandAct::Lock },
            { "A", lab::HandAct::Unlock }, { "A", lab::HandAct::Pause }, { "A", lab::HandAct::Crash },
            { "A", lab::HandAct::Take }, { "C", lab::HandAct::Start }, { "D", lab::HandAct::Resume } };
        QCOMPARE(f.play->acts.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(f.play->acts[i].client, expected[i].first);
            QCOMPARE(f.play->acts[i].act, expected[i].second);
        }
        Q_EMIT f.play->acted({ .group = f.play->groups[0].id,
            .client = "D",
            .act = lab::HandAct::Unlock,
            .outcome = lab::Outcome::Failed,
            .said = "not <b>held</b>" });
        QVERIFY(saying<ElidedLabel>(f.view, u"D: unlock – not <b>held</b>"_s));
        f.choose(1, 0); // of another group
        QVERIFY(f.table(0).selectionModel()->selectedRows().isEmpty());
    }

    /// Of that client alone, as long as nothing else has become of it.
    void whatWasDoneLastIsSaidOfItsClientAlone()
    {
        Fixture f;
        f.press("Start");
        const auto said
            = [&f](const char *text) { return saying<ElidedLabel>(f.view, QString::fromUtf8(text)) != nullptr; };
        const auto a = client("A", lab::ClientPhase::Crashed);
        auto b = client("B", lab::ClientPhase::Thinking);
        f.play->show({ a, b });
        f.choose(0, 0);
        Q_EMIT f.play->acted({ .group = f.play->groups[0].id, .client = "A", .act = lab::HandAct::Crash });
        QVERIFY(said("Client A, Reentrant: crashed   ·   A: crashed"));
        f.choose(0, 1);
        QVERIFY(said("Client B, Reentrant: idle") || said("Client B, Reentrant: thinks"));
        QVERIFY(!said("A: crashed"));
        f.choose(1, 0); // of this name in another group
        QVERIFY(said("Client A, Fair") && !said("A: crashed"));
        f.choose(0, 0);
        QVERIFY(said("A: crashed")); // it still is
        f.play->show({ client("A", lab::ClientPhase::Thinking), b });
        QVERIFY(said("Client A, Reentrant") && !said("A: crashed"));
        f.choose(0, 1);
        Q_EMIT f.play->acted({ .group = f.play->groups[0].id,
            .client = "B",
            .act = lab::HandAct::Lock,
            .outcome = lab::Outcome::NotAcquired });
        QVERIFY(said("B: lock – not acquired"));
        f.press("Lock"); // once more
        QVERIFY(!said("not acquired"));
        Q_EMIT f.play->acted({ .group = f.play->groups[0].id,
            .client = "B",
            .act = lab::HandAct::Lock,
            .outcome = lab::Outcome::NotAcquired });
        b.id = "03dd7c1e-64b1-4d8e-9a3d-2f60a1f5c9aa"; // another life
        f.play->show({ a, b });
        QVERIFY(said("Client B") && !said("not acquired"));
    }

    /// A client that goes, or one that begins anew, gives back what it has without a word.
    void nobodyGoesWhileTheLockOfAHandIsHeld()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.type("permits");
        f.pick(f.choice("Kind of lock"), "Semaphore");
        QVERIFY(!f.number("Permits").isVisible()); // they are what they are there
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking), client("B", lab::ClientPhase::Thinking) });
        QVERIFY(f.number("Number of clients").isEnabled());
        const QString usual = f.number("Number of clients").toolTip();
        auto holding = client("B", lab::ClientPhase::Holding);
        holding.holds = 1;
        f.play->show({ client("A", lab::ClientPhase::Thinking), holding });
        QVERIFY(!f.number("Number of clients").isEnabled());
        QVERIFY(f.number("Number of clients").toolTip().contains(u"let it give it back first"_s));
        f.play->show({ client("A", lab::ClientPhase::Thinking), client("B", lab::ClientPhase::Thinking) });
        QVERIFY(f.number("Number of clients").isEnabled());
        QCOMPARE(f.number("Number of clients").toolTip(), usual);
    }

    /// What is turned then would not be in force: a process has its watchdog for life.
    void theLeaseStaysWhileTheLockOfAHandIsHeld()
    {
        Fixture f;
        f.pick(f.choice("What to begin with"), "Clients by hand");
        f.pick(f.choice("Kind of lock"), "Fair");
        f.press("Start");
        const std::vector<QWidget *> knobs{ &f.choice("Lease"),
            named<QWidget>(f.view, u"Length of the lease"_s)->parentWidget(),
            named<QWidget>(f.view, u"Place in the queue"_s)->parentWidget() };
        const auto areEnabled = [&](bool enabled) {
            return std::ranges::all_of(knobs, [&](QWidget *each) { return each->isEnabled() == enabled; });
        };
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QVERIFY(areEnabled(true));
        const QString usual = knobs[1]->toolTip();
        f.play->show({ client("A", lab::ClientPhase::Waiting) });
        QVERIFY(areEnabled(false));
        QVERIFY(knobs[1]->toolTip().contains(u"let it give it back first"_s));
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QVERIFY(areEnabled(true));
        QCOMPARE(knobs[1]->toolTip(), usual);
    }

    /// It is another one, with another id in all tables: at its row and where it is led from.
    void tellsOfANewProcessAndWhyItCame()
    {
        Fixture f;
        f.pick(f.choice("What to begin with"), "Clients by hand");
        f.press("Start");
        auto a = client("A", lab::ClientPhase::Thinking);
        a.isByHand = true;
        f.play->show({ a });
        f.choose(0, 0);
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"idle"_s);
        QVERIFY(!saying<ElidedLabel>(f.view, u"in place of"_s));
        a.insteadOf = std::exchange(a.id, {});
        a.phase = lab::ClientPhase::Starting;
        f.play->show({ a });
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"starts anew"_s);
        QVERIFY(saying<ElidedLabel>(f.view, u"starts anew   ·   in place of 7f21aa09…:1: a knob was"_s));
        a.id = "03dd7c1e-64b1-4d8e-9a3d-2f60a1f5c9aa";
        a.phase = lab::ClientPhase::Thinking;
        f.play->show({ a });
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"idle, new process"_s);
        const char *const why = "03dd7c1e…:1 in place of 7f21aa09…:1: a knob was turned";
        QVERIFY(saying<ElidedLabel>(f.view, QString::fromUtf8(why)));
        QVERIFY(f.table(0)
                    .model()
                    ->index(0, ContenderModel::State)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QString::fromUtf8(why)));
        Q_EMIT f.play->acted({ .group = f.play->groups[0].id,
            .client = "A",
            .act = lab::HandAct::Lock,
            .outcome = lab::Outcome::NotAcquired });
        QVERIFY(saying<ElidedLabel>(f.view, u"A: lock – not acquired in 0.00 ms   ·   03dd7c1e"_s));
        a.insteadOf.clear();
        f.play->show({ a });
        QVERIFY(!saying<ElidedLabel>(f.view, u"in place of"_s));
    }

    /// On a private server they are set, and once: another number begins the group anew.
    void permitsStayWhileSomebodyHasOne()
    {
        Fixture f;
        f.pick(f.choice("What to begin with"), "Clients by hand");
        f.pick(f.choice("Kind of lock"), "Semaphore");
        QVERIFY(f.number("Permits").isVisible() && f.number("Permits").isEnabled());
        f.press("Start");
        auto holding = client("A", lab::ClientPhase::Holding);
        holding.holds = 1;
        f.play->show({ holding });
        QVERIFY(f.number("Permits").isVisible() && !f.number("Permits").isEnabled());
    }

    /// At the side there is room for so much, whatever a lock is called.
    void noNameMakesTheSideWider()
    {
        Fixture f;
        FreePlayKnobs &knobs = *f.view.findChild<FreePlayKnobs *>();
        const int before = knobs.minimumSizeHint().width();
        knobs.setTitle(u"Read/Write · report:nightly:of:the:week"_s);
        knobs.setWarning(QString(60, u'w'));
        QTRY_COMPARE(knobs.minimumSizeHint().width(), before);
    }

    /// In as little room as three groups have in a window of 1,366 points.
    void everyNumberOfAcquiresIsWhole()
    {
        Fixture f;
        f.press("Start");
        auto many = client("A", lab::ClientPhase::Thinking);
        auto half = client("B", lab::ClientPhase::Thinking);
        many.acquires = 888'888;
        half.acquires = 444'444;
        half.share = 1; // only of the last seconds
        f.play->show({ many, half });
        f.view.resize(1'195, 600);
        doLayouts();
        DataTable &table = f.table(0);
        QVERIFY2(table.width() < 300, qPrintable(QString::number(table.width())));
        const QModelIndex first = table.model()->index(0, ContenderModel::Acquires);
        const QModelIndex second = table.model()->index(1, ContenderModel::Acquires);
        QCOMPARE(first.data(ShareRole).toDouble(), 1.0);
        QCOMPARE(second.data(ShareRole).toDouble(), 0.5); // that of the number
        // It ends the same with more room to its right: nothing of it is cut.
        const auto painted = [&](int width) { return paintedCell(table, first, width); };
        const int width = table.columnWidth(ContenderModel::Acquires);
        const auto inkOf = [](const QImage &image) { // of the digits: darker than the bar
            int ink = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    ink += qGray(image.pixel(x, y)) < 70 ? 1 : 0;
            }
            return ink;
        };
        const int whole = inkOf(painted(400));
        QVERIFY(whole > 0);
        QCOMPARE(inkOf(painted(width)), whole);
    }

    void keepsTheChosenClientWhileOthersComeAndGo()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Holding), client("B", lab::ClientPhase::Waiting) });
        f.choose(0, 1);
        f.play->show({ client("B", lab::ClientPhase::Holding), client("C", lab::ClientPhase::Waiting) });
        QVERIFY(saying<ElidedLabel>(f.view, u"Client B"_s));
        f.play->show({ client("C", lab::ClientPhase::Waiting) });
        QVERIFY(!f.button("Take by the hand").isEnabled());
    }

    /// Qt would give the focus to what comes next, such as the button that closes the first group.
    void aButtonThatGoesLeavesNothingToTheNextSpace_data()
    {
        QTest::addColumn<QString>("button");
        QTest::addColumn<lab::ClientPhase>("before");
        QTest::addColumn<lab::ClientPhase>("after");
        using enum lab::ClientPhase;
        QTest::newRow("start again") << u"Start again"_s << Crashed << Starting;
        QTest::newRow("stand still") << u"Stand still"_s << Holding << Crashed;
        QTest::newRow("unlock") << u"Unlock"_s << Holding << Thinking;
        QTest::newRow("read lock") << u"Read lock"_s << Thinking << Waiting;
    }
    void aButtonThatGoesLeavesNothingToTheNextSpace()
    {
        QFETCH(const QString, button);
        QFETCH(const lab::ClientPhase, before);
        QFETCH(const lab::ClientPhase, after);
        Fixture f;
        f.pick(f.choice("What to begin with"), "Readers");
        f.press("Start");
        f.play->show({ client("A", before) });
        f.choose(0, 0); // of read/write locks
        f.press(qPrintable(button));
        QCOMPARE(f.play->acts.size(), 1U);
        QVERIFY(f.button(qPrintable(button)).hasFocus());
        f.play->show({ client("A", after) });
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->acts.size(), 1U);
        QCOMPARE(f.play->groups.size(), 2U);
        QVERIFY(f.table(0).hasFocus()); // from where the keys lead on
        QVERIFY(saying<ElidedLabel>(f.view, u"Client A, Read/Write"_s)); // still the chosen one
    }

    void aKeyClosesOneGroupAlone()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        named<QToolButton>(*f.cards()[0], u"Remove this group"_s)->setFocus();
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->groups.size(), 2U);
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->groups.size(), 2U);
        f.button("Add a group").setFocus();
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->groups.size(), 3U); // and no more of them
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->groups.size(), 3U);
    }

    void theNextSpaceDoesNothingWhereItBeginsOrEnds()
    {
        Fixture f;
        f.view.findChild<EmptyState *>()->findChild<QPushButton *>()->setFocus();
        test::press(f.view, Qt::Key_Space);
        QVERIFY(f.view.isRunning());
        f.play->show({ client("A", lab::ClientPhase::Crashed) });
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->groups.size(), 3U);
        QCOMPARE(f.play->stopped, 0);
        f.button("Stop").setFocus();
        f.play->show({ client("A", lab::ClientPhase::Crashed) }, lab::FreePlayPhase::Stopping);
        test::press(f.view, Qt::Key_Space);
        QCOMPARE(f.play->groups.size(), 3U);
        QCOMPARE(f.play->stopped, 0);
        f.play->show({ client("A", lab::ClientPhase::Crashed) });
        f.button("Stop").setFocus();
        f.play->show({ client("A", lab::ClientPhase::Crashed) }, lab::FreePlayPhase::Stopped);
        test::press(f.view, Qt::Key_Space);
        QVERIFY(!f.view.isRunning()); // it says Start by then
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Crashed) });
        f.choose(0, 0);
        f.press("Start again");
        Q_EMIT f.play->failed({ lockcore::ErrorCode::FileFailed, "redis-server is gone", {} });
        test::press(f.view, Qt::Key_Space);
        QVERIFY(!f.view.isRunning()); // nobody has asked to try it again
    }

    void saysWhatWentWrong()
    {
        Fixture f;
        f.press("Start");
        auto state = std::make_shared<lab::FreePlayState>();
        state->phase = lab::FreePlayPhase::Running;
        for (const lab::GroupSettings &settings : f.play->groups)
            state->groups.push_back({ .settings = settings });
        state->groups[0].overlaps = 3;
        state->groups[0].losses = 1;
        Q_EMIT f.play->stateChanged(state);
        QVERIFY(saying<QLabel>(f.view, u"3 × two at once"_s));
        QVERIFY(saying<QLabel>(f.view, u"1 lost before"_s));
        Q_EMIT f.play->failed({ lockcore::ErrorCode::FileFailed, "redis-server is not installed", "starting" });
        QVERIFY(!f.view.isRunning());
        QVERIFY(saying<QLabel>(f.view, u"Free play has ended"_s)); // it had begun
        const auto labels = f.view.findChildren<QLabel *>();
        QCOMPARE(std::ranges::count_if(labels,
                     [](const QLabel *each) {
                         return each->isVisible() && each->text().contains(u"redis-server is not installed"_s);
                     }),
            1); // once
        f.press("Try again");
        QVERIFY(f.view.isRunning());
        Q_EMIT f.play->failed({ lockcore::ErrorCode::FileFailed, "redis-server is not installed", "starting" });
        QVERIFY(saying<QLabel>(f.view, u"Free play could not begin"_s));
        f.play->groups.clear(); // all that it wrote is removed by now
        f.play->show({}, lab::FreePlayPhase::Stopped);
        QVERIFY(saying<QLabel>(f.view, u"redis-server is not installed"_s));
        f.pick(f.choice("What to begin with"), "A lease that is too short");
        QVERIFY(!saying<QLabel>(f.view, u"redis-server is not installed"_s));
    }

    /// What went wrong elsewhere is no news of the server that the window is connected to by now.
    void triesAgainOnlyWhatCanBegin()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        Q_EMIT f.play->failed({ lockcore::ErrorCode::ConnectionRefused, "nobody is there", {} });
        QVERIFY(saying<QLabel>(f.view, u"Free play has ended"_s));
        QVERIFY(saying<QPushButton>(f.view, u"Try again"_s));
        lockcore::transport::Endpoint other;
        other.port = 7'721;
        f.view.setConnected({ other, u"another"_s, {} });
        QVERIFY2(!saying<QLabel>(f.view, u"nobody is there"_s), "of the former server");
        QVERIFY(!saying<QPushButton>(f.view, u"Try again"_s));
        f.press("Start");
        Q_EMIT f.play->failed({ lockcore::ErrorCode::ConnectionRefused, "nobody is there", {} });
        f.view.setConnected({ other, u"another"_s, u"the connection is lost"_s });
        QVERIFY(saying<QLabel>(f.view, u"nobody is there"_s));
        QVERIFY(!f.button("Start").isEnabled());
        QVERIFY(!saying<QPushButton>(f.view, u"Try again"_s));
        QVERIFY(saying<QLabel>(f.view, u"Not on the connected server: the connection is lost"_s));
    }

    void saysInFullWhyOneMayNotPlayThere()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.view.setConnected({ {}, {}, u"switch it to writable first"_s });
        doLayouts();
        QComboBox &place = f.choice("Where to play");
        QStyleOptionComboBox option;
        option.initFrom(&place);
        const QRect room
            = place.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &place);
        const int needed = place.fontMetrics().horizontalAdvance(place.currentText());
        QVERIFY2(room.width() >= needed, qPrintable(u"%1 < %2"_s.arg(room.width()).arg(needed)));
    }

    void aNameThatNobodyHasTypedKeepsItsBytes()
    {
        FreePlayKnobs knobs;
        lab::GroupSettings settings;
        for (const std::string &name : { std::string("a\xff"), std::string(" a "), std::string(600, 'a') }) {
            settings.byHand = name;
            knobs.setSettings(settings);
            auto &leading = *named<QComboBox>(knobs, u"Who leads the clients"_s);
            for (const int row : { 0, 1 }) {
                leading.setCurrentIndex(row);
                Q_EMIT leading.activated(row);
            }
            QCOMPARE(knobs.settings().byHand, settings.byHand);
        }
    }

    /// It is told minutes later, of a server that has not answered so long.
    void saysWhatIsLeftAndGoesOn()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Holding) });
        Q_EMIT f.play->leftBehind({ lockcore::ErrorCode::FileFailed, "keys with x in their names", "removing" });
        QVERIFY(f.view.isRunning());
        auto *notice = f.view.findChild<NoticeDialog *>();
        QVERIFY(notice && notice->isVisible());
        QVERIFY(saying<BulletList>(*notice, u"Keys with x in their names."_s)); // a sentence
    }

    /// What was seen by then is still true.
    void keepsItsFiguresWhereItIsCutShort()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Holding) });
        f.play->show({}, lab::FreePlayPhase::Stopping);
        f.play->show({}, lab::FreePlayPhase::Stopped);
        Q_EMIT f.play->cutShort({ lockcore::ErrorCode::FileFailed, "the cleaner has ended: another one did it", {} });
        QVERIFY(!f.view.isRunning());
        auto *notice = f.view.findChild<NoticeDialog *>();
        QVERIFY(notice && notice->isVisible());
        QVERIFY(saying<QLabel>(*notice, u"Free play has ended"_s));
        QVERIFY(saying<BulletList>(*notice, u"The cleaner has ended: another one did it."_s));
        QCOMPARE(f.cards().size(), 3U);
        QCOMPARE(f.cell(0, 0, ContenderModel::Client), u"A"_s);
    }

    void saysSinceWhenALockIsLost()
    {
        auto holder = client("A", lab::ClientPhase::Holding);
        holder.since = lockcore::MonoTime(1s);
        QCOMPARE(phaseText(holder, lockcore::MonoTime(33s)), u"holds 32.0 s"_s);
        holder.hasLostIt = true;
        holder.lostAt = lockcore::MonoTime(25s);
        QCOMPARE(phaseText(holder, lockcore::MonoTime(33s)), u"lost it, works on 8.0 s"_s);
        QCOMPARE(shortPhaseText(holder, lockcore::MonoTime(33s)), u"lost it 8.0 s"_s); // of three groups side by side
    }

    /// A client asks only when its watchdog comes; the monitor beside it sees the end at once.
    void saysThatAHoldIsGoneBeforeItsClientKnows()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.type("hand1");
        f.press("Start");
        auto holder = client("A", lab::ClientPhase::Holding);
        holder.isByHand = true;
        holder.holds = 1;
        holder.since = lockcore::MonoTime(10s);
        f.play->lock = "hand1";
        f.play->at = lockcore::MonoTime(12s);
        f.play->show({ holder });
        f.see(12s, nullptr); // the monitor has not heard of the acquire yet
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"holds 2.0 s"_s);
        QVERIFY(saying<QLabel>(f.view, u"Nobody lost a lock, gave up or crashed so far."_s));
        f.see(12s, holder.id.c_str());
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"holds 2.0 s"_s);
        f.see(13s, nullptr); // somebody deletes it
        f.play->at = lockcore::MonoTime(16s);
        f.play->show({ holder });
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"thinks it holds, gone 3.0 s"_s);
        QVERIFY(saying<QLabel>(f.view, u"1 goes on without its lock"_s));
        holder.hasLostIt = true; // its watchdog has come
        holder.lostAt = lockcore::MonoTime(18s);
        f.play->at = lockcore::MonoTime(20s);
        f.play->show({ holder });
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"lost it, works on 7.0 s"_s);
    }

    /// While nobody looks it may have ended at any time.
    void aHoldThatWentUnseenIsGoneForAtLeastSoLong()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.type("hand1");
        f.press("Start");
        auto holder = client("A", lab::ClientPhase::Holding);
        holder.isByHand = true;
        holder.since = lockcore::MonoTime(10s);
        f.play->lock = "hand1";
        f.play->at = lockcore::MonoTime(12s);
        f.play->show({ holder });
        f.see(12s, holder.id.c_str());
        f.view.hide();
        f.view.show();
        f.see(60s, "another-one");
        f.play->at = lockcore::MonoTime(62s);
        f.play->show({ holder });
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"thinks it holds, gone ≥ 2.0 s"_s);
        f.see(63s, holder.id.c_str()); // it has it again
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"holds 52.0 s"_s);
        f.see(64s, nullptr, lockcore::monitor::SourcePhase::Stale); // nobody sees anything
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"holds 52.0 s"_s);
    }

    void tellsGroupsOfOneKindApart()
    {
        Fixture f;
        f.pick(f.choice("What to begin with"), "A lease that is too short");
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Holding) });
        QVERIFY(saying<QLabel>(*f.cards()[0], u"Reentrant · watchdog"_s));
        QVERIFY(saying<QLabel>(*f.cards()[1], u"Reentrant · lease 0.3 s"_s));
        f.choose(1, 0);
        QVERIFY(saying<QLabel>(f.view, u"Clients of: Reentrant · lease 0.3 s"_s));
        f.press("Add a group");
        f.play->show({ client("A", lab::ClientPhase::Holding) });
        QVERIFY(saying<QLabel>(*f.cards()[2], u"Reentrant · lease 0.3 s (2)"_s));
    }

    void copiesWhereThePrivateServerIs()
    {
        Fixture f;
        QVERIFY(!f.button("Copy address").isVisible());
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Holding) });
        f.press("Copy address");
        QCOMPARE(QGuiApplication::clipboard()->text(), u"unix:///tmp/x/redis.sock"_s);
    }

    void offersTheConnectedServerOnlyWhereOneMayWrite()
    {
        Fixture f;
        f.view.setConnected({ {}, {}, u"switch it to writable first"_s });
        QComboBox &place = f.choice("Where to play");
        QCOMPARE(place.itemText(1), u"The connected server: switch it to writable first"_s);
        place.setFocus();
        QTest::keyClick(&place, Qt::Key_Down);
        QCOMPARE(place.currentIndex(), 0);
        f.connectTo();
        QCOMPARE(place.itemText(1), u"Connected: orders-db"_s);
        f.pick(place, "Connected");
        QCOMPARE(f.choice("What to begin with").currentText(), u"Clients by hand"_s); // nothing by itself
        f.view.setConnected({ {}, {}, u"connect first"_s });
        QCOMPARE(place.currentText(), u"The connected server: connect first"_s); // and not another place
        QVERIFY(!f.button("Start").isEnabled());
        QVERIFY(saying<QLabel>(f.view, u"Not on the connected server: connect first"_s));
        f.pick(place, "A private");
        QVERIFY(f.button("Start").isEnabled());
    }

    void leadsClientsToTheLockThatAPersonNames()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.type(" ");
        QVERIFY(!f.button("Start").isEnabled()); // which lock?
        f.type("orders: 7 ");
        f.pick(f.choice("Kind of lock"), "Fair");
        f.pick(f.choice("Lease"), "No renewals");
        f.pick(f.choice("Longest wait"), "One try");
        f.press("Start");
        QVERIFY(f.play->server == lockcore::transport::Endpoint());
        const lab::GroupSettings &group = f.play->groups.at(0);
        QVERIFY(group.byHand == "orders: 7" && group.kind == Kind::Fair);
        QVERIFY(!group.renews && group.wait == 0ms && group.fairWait == 5min);
        auto waiting = client("A", lab::ClientPhase::Waiting);
        auto holding = client("B", lab::ClientPhase::Holding);
        waiting.isByHand = holding.isByHand = true;
        holding.holds = 1;
        f.play->show({ waiting, holding });
        QVERIFY(f.button("Take by the hand").isHidden()); // it is
        QVERIFY(!named<QLineEdit>(f.view, u"Name of the lock"_s)->isEnabled()); // while it is held
        QVERIFY(!f.choice("Where to play").isEnabled());
        QVERIFY(f.button("Copy address").isHidden() && f.button("Watch in the window").isHidden());
        f.choose(0, 0);
        const int unlockAt = f.button("Unlock").x();
        f.press("Give up");
        f.choose(0, 1);
        QCOMPARE(f.button("Unlock").x(), unlockAt); // nothing moves under the pointer
        f.press("Renew");
        f.press("Unlock");
        QCOMPARE(f.play->acts.size(), 3U);
        QCOMPARE(f.play->acts[0].act, lab::HandAct::GiveUp);
        QCOMPARE(f.play->acts[1].act, lab::HandAct::Renew);
        QVERIFY((f.view.hands() == std::vector<lab::HandHold>{ { "free-play:1", { holding.id, "1" }, false } }));
    }

    void asksBeforeClientsContendThere_data()
    {
        QTest::addColumn<bool>("isProduction");
        QTest::newRow("test") << false;
        QTest::newRow("production") << true;
    }
    void asksBeforeClientsContendThere()
    {
        QFETCH(const bool, isProduction);
        Fixture f;
        f.connectTo(isProduction);
        f.pick(f.choice("Where to play"), "Connected");
        f.pick(f.choice("What to begin with"), "Readers");
        f.press("Start");
        QVERIFY(!f.view.isRunning() && !f.play);
        auto *dialog = f.view.findChild<ContentionDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        click(middleOf(*test::button(*dialog, u"Leave it"_s)));
        QTRY_VERIFY(!f.view.findChild<ContentionDialog *>());
        QVERIFY(!f.view.isRunning() && !f.play);
        f.press("Start");
        dialog = f.view.findChild<ContentionDialog *>();
        QVERIFY(dialog && QTest::qWaitForWindowExposed(dialog));
        QAbstractButton &yes = *test::button(*dialog, u"Let them contend"_s);
        QCOMPARE(yes.isEnabled(), !isProduction);
        if (isProduction)
            QTest::keyClicks(dialog->findChild<QLineEdit *>(), u"PROD"_s);
        click(middleOf(yes));
        QTRY_VERIFY(f.view.isRunning());
        QVERIFY(f.play->server);
    }

    /// Which was not asked about.
    void nobodyBeginsToContendThereInTheMiddle()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QComboBox &leading = f.choice("Who leads the clients");
        leading.setFocus();
        QTest::keyClick(&leading, Qt::Key_Up);
        QVERIFY(f.play->groups.at(0).byHand);
        QVERIFY(!f.choice("What to begin with").isEnabled());
    }

    void clientsContendOnOneServerAlone()
    {
        Fixture f;
        lockcore::transport::Deployment cluster = lockcore::transport::Endpoint();
        cluster.topology = lockcore::transport::Topology::Cluster;
        f.view.setConnected({ cluster, u"cluster"_s, {} });
        f.pick(f.choice("Where to play"), "Connected");
        QVERIFY(f.button("Start").isEnabled());
        f.pick(f.choice("What to begin with"), "Readers");
        QVERIFY(!f.button("Start").isEnabled());
        QVERIFY(saying<QLabel>(f.view, u"one server that stands alone"_s));
    }

    void endsWhereOneMayNoLongerWrite()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.press("Start");
        auto holding = client("A", lab::ClientPhase::Holding);
        holding.isByHand = true;
        holding.holds = 1;
        f.play->show({ holding });
        f.view.setConnected({ {}, {}, u"switch it to writable first"_s });
        QCOMPARE(f.play->stopped, 1);
        f.play->show({}, lab::FreePlayPhase::Stopping);
        QVERIFY(saying<ElidedLabel>(f.view, u"Stopping"_s));
        QVERIFY(!f.button("Stop").isEnabled());
        QVERIFY(!f.view.findChild<NoticeDialog *>()); // it is on its way back
        f.play->show({}, lab::FreePlayPhase::Stopped);
        auto *notice = f.view.findChild<NoticeDialog *>(); // whoever has switched may be on another page
        QVERIFY(notice && notice->isVisible());
        QVERIFY(saying<BulletList>(
            *notice, u"no longer connected to orders-db for writing. What clients held is given back"_s));
        QVERIFY(saying<ElidedLabel>(f.view, u"Stopped: the window is no longer connected to orders-db for writing"_s));
        QCOMPARE(f.choice("Where to play").currentText(), u"The connected server: switch it to writable first"_s);
        QVERIFY(!f.button("Start").isEnabled());
        QVERIFY(f.button("Start").toolTip().contains(u"Not on the connected server: switch it to writable first"_s));
        f.connectTo();
        QVERIFY(f.button("Start").isEnabled());
    }

    /// Nothing was taken from anybody then: the line at the top says enough.
    void endsWithoutANoticeWhereNobodyHadAnything()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        f.view.setConnected({ {}, {}, u"switch it to writable first"_s });
        f.play->show({}, lab::FreePlayPhase::Stopped);
        QVERIFY(!f.view.findChild<NoticeDialog *>());
        QVERIFY(saying<ElidedLabel>(f.view, u"Stopped: the window is no longer connected to orders-db for writing"_s));
    }

    /// Whose permit nobody would give back.
    void losesNoPermitOfOthers()
    {
        Fixture f;
        f.connectTo();
        f.pick(f.choice("Where to play"), "Connected");
        f.type("permits");
        f.pick(f.choice("Kind of lock"), "Semaphore");
        f.press("Start");
        auto holding = client("A", lab::ClientPhase::Holding);
        holding.holds = 1;
        f.play->show({ holding });
        f.choose(0, 0);
        QVERIFY(!f.button("Crash").isEnabled());
        QVERIFY(f.button("Crash").toolTip().contains(u"lost for good"_s));
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QVERIFY(f.button("Crash").isEnabled());
        f.pick(f.choice("Kind of lock"), "Expirable permits");
        f.play->show({ holding });
        QVERIFY(!f.button("Crash").isEnabled()); // without a lease it is the same
        QVERIFY(!f.choice("Lease").isEnabled()); // and stays so
    }

    void aLatchIsWaitedForAndCountedDown()
    {
        Fixture f;
        f.pick(f.choice("What to begin with"), "Clients by hand");
        f.pick(f.choice("Kind of lock"), "Latch");
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        f.choose(0, 0);
        QVERIFY(f.button("Unlock").isHidden() && f.button("Renew").isHidden());
        f.press("Wait for it");
        f.press("Count down");
        QCOMPARE(f.play->acts[0].act, lab::HandAct::Lock);
        QCOMPARE(f.play->acts[1].act, lab::HandAct::CountDown);
    }

    void nothingMovesAsItStarts()
    {
        Fixture f;
        const auto *knobs = f.view.findChild<FreePlayKnobs *>();
        const auto top = [&] {
            doLayouts();
            return knobs->mapTo(&f.view, QPoint()).y();
        };
        const int before = top();
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QVERIFY(f.button("Stop").isVisible());
        QCOMPARE(top(), before);
        f.play->show({}, lab::FreePlayPhase::Stopped);
        QVERIFY(f.button("Start").isVisible());
        QCOMPARE(top(), before);
    }

    /// Nothing runs any more: "now" would be wrong.
    void theCurvesEndWhereItStopped()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        const auto ends = [&f] {
            QStringList texts;
            for (const CurveChart *chart : f.view.findChildren<CurveChart *>())
                texts << chart->data().end;
            texts.removeDuplicates();
            return texts;
        };
        QCOMPARE(ends(), QStringList(QString()));
        f.play->show({}, lab::FreePlayPhase::Stopped);
        QCOMPARE(ends().size(), 1);
        QVERIFY2(ends().front().startsWith(u"stopped at "_s), qPrintable(ends().front()));
        const QStringList stopped = ends();
        f.play->show({}, lab::FreePlayPhase::Stopped); // it stays that moment
        QCOMPARE(ends(), stopped);
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        QCOMPARE(ends(), QStringList(QString()));
    }

    /// Nobody holds or waits any more.
    void saysWhatClientsWereAtAsItStopped()
    {
        Fixture f;
        f.press("Start");
        auto reader = client("C", lab::ClientPhase::Holding);
        reader.mode = lockcore::synchronizers::HoldMode::Read;
        f.play->show({ client("A", lab::ClientPhase::Holding), client("B", lab::ClientPhase::Waiting), reader });
        f.play->show({}, lab::FreePlayPhase::Stopped);
        QCOMPARE(f.cell(0, 0, ContenderModel::State), u"held until then"_s);
        QCOMPARE(f.cell(0, 1, ContenderModel::State), u"waited until then"_s);
        QCOMPARE(f.cell(0, 2, ContenderModel::State), u"read until then"_s);
    }

    /// What was played says nothing of what would be played now.
    void showsNoEndOfAnotherPlay()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        f.play->show({}, lab::FreePlayPhase::Stopped);
        QVERIFY(saying<ElidedLabel>(f.view, u"Stopped"_s));
        f.pick(f.choice("What to begin with"), "Readers");
        QVERIFY(f.cards().empty());
        QVERIFY(!saying<ElidedLabel>(f.view, u"Stopped"_s));
        QVERIFY(!saying<QLabel>(f.view, u"Nobody lost a lock"_s));
    }

    /// Of several groups it may have been added after the end, or be another one now.
    void showsNoEndOfAGroupThatNeverRan()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        click(middleOf(*named<QToolButton>(*f.cards()[2], u"Remove this group"_s)));
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        f.play->show({}, lab::FreePlayPhase::Stopped);
        f.press("Add a group");
        const auto saysWhatBecameOfIt = [&f](std::size_t card) {
            return saying<QLabel>(*f.cards().at(card), u"Nobody lost a lock"_s) != nullptr;
        };
        const auto endOf = [&f](std::size_t card) { return f.cards().at(card)->findChild<CurveChart *>()->data().end; };
        QVERIFY(saysWhatBecameOfIt(1) && endOf(1).startsWith(u"stopped at "_s));
        QVERIFY(!saysWhatBecameOfIt(2));
        QCOMPARE(endOf(2), QString());
        f.choose(1, 0);
        f.view.findChild<QCheckBox *>()->setChecked(false); // the others stay as they are
        f.pick(f.choice("Kind of lock"), "Semaphore");
        QVERIFY(!saysWhatBecameOfIt(1));
        QVERIFY(saysWhatBecameOfIt(0));
    }

    /// A sentence without its middle may say anything.
    void saysWholeWhereItIsPlayed()
    {
        StillPlay *play = nullptr;
        lab::LabTools tools;
        tools.missing = [] { return std::vector<lab::LabNeed>(); };
        tools.makeFreePlay = [&play] {
            auto made = std::make_unique<StillPlay>();
            play = made.get();
            return made;
        };
        TestWindow f(std::move(tools));
        f.showAt({ 1'366, 768 });
        FreePlayView &view = showFreePlay(f.window);
        QTRY_COMPARE(f.window.width(), 1'366);
        click(middleOf(*test::button(view, u"Start"_s)));
        const auto note = [&view](const QString &part) {
            doLayouts();
            const auto *label = saying<ElidedLabel>(view, part);
            return label ? label->shownText() : QString();
        };
        play->show({ client("A", lab::ClientPhase::Thinking) });
        QVERIFY2(note(u"Private server"_s).endsWith(u"gone when it stops"_s), qPrintable(note(u"Private server"_s)));
        QVERIFY2(!note(u"Private server"_s).contains(u'…'), qPrintable(note(u"Private server"_s)));
        play->show({}, lab::FreePlayPhase::Stopped);
        QVERIFY2(!note(u"Stopped"_s).contains(u'…'), qPrintable(note(u"Stopped"_s)));
    }

    /// What was played on a private server says nothing of the connected one.
    void beginsAnewWhereAHandLeadsToAnotherPlace()
    {
        Fixture f;
        f.press("Start");
        f.play->show({ client("A", lab::ClientPhase::Thinking) });
        f.play->show({}, lab::FreePlayPhase::Stopped);
        f.connectTo();
        f.view.lead(nullptr);
        QVERIFY(f.cards().empty());
        QVERIFY(!saying<ElidedLabel>(f.view, u"Stopped"_s));
    }

    void saysWhomRedisStillNames()
    {
        Fixture f;
        f.press("Start");
        f.play->ghosts = { { .client = "A", .until = lockcore::MonoTime(4'200ms) } };
        f.play->show({ client("A", lab::ClientPhase::Crashed), client("B", lab::ClientPhase::Waiting) });
        const auto *said = saying<QLabel>(
            *f.cards()[0], u"A died as a holder: unless somebody removes it, its lease ends in at most 4.2 s"_s);
        QVERIFY(said && said->isVisible());
        f.play->ghosts = { { .client = "A" } };
        f.play->show({ client("B", lab::ClientPhase::Waiting) });
        QVERIFY(saying<QLabel>(*f.cards()[0], u"its permit is taken for good"_s));
        f.play->ghosts.clear();
        f.play->show({ client("B", lab::ClientPhase::Holding) });
        QVERIFY(!saying<QLabel>(*f.cards()[0], u"is dead"_s));
    }

    /// What the lines mean stands beside the curves.
    void noCurveRunsThroughTheWordsOfItsAxis()
    {
        Theme theme(*qApp);
        CurveChart chart(theme, u"a chart"_s);
        chart.resize(240, 60);
        std::vector<std::optional<double>> half(30, 0.5);
        chart.setData({ .curves = { { u"it"_s, Tone::Accent, true, half } }, .seconds = 30, .text = [](double) {
                           return u"8888"_s;
                       } });
        QImage image(chart.size(), QImage::Format_RGB32);
        image.fill(Qt::white);
        chart.render(&image, {}, {}, {});
        const QRgb curve = theme.color(Tone::Accent).rgb();
        int curveBegins = image.width();
        int wordsEnd = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixel(x, y) == curve)
                    curveBegins = std::min(curveBegins, x);
                else if (x < 60 && qGray(image.pixel(x, y)) < 140) // of the words, not of the lines across
                    wordsEnd = std::max(wordsEnd, x);
            }
        }
        QVERIFY2(wordsEnd > 0 && wordsEnd < curveBegins, qPrintable(u"%1, %2"_s.arg(wordsEnd).arg(curveBegins)));
    }

    /// With a real server and real processes.
    void playsForReal()
    {
        NEED_REDIS_SERVER();
        Fixture f([] { return std::make_unique<app::ProcessFreePlay>(QStringLiteral(LOCKCTL)); });
        f.press("Start");
        QTRY_COMPARE_WITH_TIMEOUT(f.cards().size(), 3U, Long);
        const auto acquires = [&f](std::size_t card) { return f.cell(card, 0, ContenderModel::Acquires).toInt(); };
        QTRY_VERIFY_WITH_TIMEOUT(acquires(0) > 0 && acquires(1) > 0 && acquires(2) > 0, Long);
        QTRY_VERIFY_WITH_TIMEOUT(
            named<CurveChart>(*f.cards()[1], u"Fairness, Jain's index"_s)->data().curves[0].values.size() >= 2, Long);
        f.choose(1, 0);
        f.press("Crash");
        QTRY_VERIFY_WITH_TIMEOUT(f.cell(1, 0, ContenderModel::State).startsWith(u"crashed"_s), Long);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.view, u"1 crash"_s), Long);
        f.press("Start again");
        QTRY_VERIFY_WITH_TIMEOUT(!f.cell(1, 0, ContenderModel::State).startsWith(u"crashed"_s), Long);
        f.press("Stop");
        QTRY_VERIFY_WITH_TIMEOUT(!f.view.isRunning(), Long);
        QVERIFY(acquires(0) > 0); // the figures of its end stay
        QVERIFY(saying<ElidedLabel>(f.view, u"Stopped"_s));
        QVERIFY(!f.button("Lock").isEnabled());
        f.press("Start");
        QTRY_VERIFY_WITH_TIMEOUT(f.cards().size() == 3 && acquires(0) > 0, Long);
    }

    /// Another server, or a recording, may have a lock of the same name.
    void handsAreOnlyOfTheServerThatIsWatched()
    {
        StillPlay *play = nullptr;
        lab::LabTools tools;
        tools.makeFreePlay = [&play]() -> std::unique_ptr<lab::FreePlay> {
            auto made = std::make_unique<StillPlay>();
            play = made.get();
            return made;
        };
        TestWindow f(tools);
        FreePlayView &view = showFreePlay(f.window);
        click(middleOf(*test::button(view, u"Start"_s)));
        auto waiting = client("A", lab::ClientPhase::Waiting);
        waiting.isByHand = true;
        std::vector<lab::HandHold> hands;
        connect(f.window.findChild<LabPage *>(), &LabPage::handsChanged, this,
            [&hands](const std::vector<lab::HandHold> &told) { hands = told; });
        play->show({ waiting });
        QVERIFY(hands.empty());
        click(middleOf(*test::button(view, u"Watch in the window"_s)));
        QVERIFY(!hands.empty());
        f.connectToNobody();
        QVERIFY(hands.empty());
        play->show({ client("A", lab::ClientPhase::Thinking), waiting });
        QVERIFY(hands.empty());
    }

    /// As a tab of the lab, whose server the window watches, read-only, until it is gone.
    void isATabOfTheLab()
    {
        NEED_REDIS_SERVER();
        lab::LabTools tools;
        tools.missing = [] { return std::vector<lab::LabNeed>(); };
        tools.makeFreePlay = []() -> std::unique_ptr<lab::FreePlay> {
            return std::make_unique<app::ProcessFreePlay>(QStringLiteral(LOCKCTL));
        };
        TestWindow f(tools);
        FreePlayView &view = showFreePlay(f.window);
        QVERIFY(view.isVisible());
        QVERIFY(view.minimumSizeHint().width() <= 612); // no window gets wider for it
        click(middleOf(*test::button(view, u"Start"_s)));
        QAbstractButton &watch = *test::button(view, u"Watch in the window"_s);
        QTRY_VERIFY_WITH_TIMEOUT(watch.isVisible(), Long);
        click(middleOf(watch));
        QTRY_VERIFY_WITH_TIMEOUT(f.page().locks().rowOf("free-play:2:fair") >= 0, Long);
        QCOMPARE(f.store.remembered, 0);
        press(f.window, Qt::Key_7, Qt::ControlModifier);
        click(middleOf(*test::button(view, u"Stop"_s)));
        QTRY_VERIFY_WITH_TIMEOUT(!view.isRunning(), Long);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(saying<QLabel>(f.page(), u"Not connected"_s), Long);
    }
};

QTEST_MAIN(TestFreePlayView)
#include "tst_free_play_view.moc"
