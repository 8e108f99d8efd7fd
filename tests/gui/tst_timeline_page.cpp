// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/clock.h"
#include "tests/gui/find_widget.h"
#include "tests/gui/input.h"
#include "tests/gui/sample_snapshot.h"
#include "tests/gui/test_window.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/locks_by_hand.h"
#include "tests/support/redis_servers.h"
#include "ui/charts/timeline_view.h"
#include "ui/dialogs/notice_dialog.h"
#include "ui/lab/scenario_reader.h"
#include "ui/support/widgets.h"
#include "ui/views/empty_state.h"
#include "ui/views/export_button.h"
#include "ui/views/locks_page.h"
#include "ui/views/scrub_bar.h"
#include "ui/views/timeline_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

using namespace lockui;
using namespace lockui::test;
using namespace lockcore;
using namespace std::chrono_literals;
using testsupport::BlockingClient;
using testsupport::OwnerA;
using testsupport::OwnerB;
using testsupport::RedisServer;
using testsupport::release;
using testsupport::take;

namespace {

constexpr int Limit = 20'000;

struct Fixture : TestWindow {
    explicit Fixture(const RedisServer &server)
        : Fixture(server.endpoint())
    {
    }
    explicit Fixture(const transport::Deployment &servers)
    {
        connectTo(servers);
        showAt({ 1'440, 900 });
        press(window, Qt::Key_2, Qt::ControlModifier);
    }

    TimelinePage &timelinePage() { return *window.findChild<TimelinePage *>(); }
    TimelineView &view() { return *window.findChild<TimelineView *>(); }
    const Timeline &timeline() { return timelinePage().timeline(); }
    QAbstractButton &follow() { return *button(timelinePage(), QStringLiteral("Follow")); }
    QStringList names()
    {
        QStringList names;
        for (const auto id : view().lanes())
            names << QString::fromStdString(timeline().lane(id).lock);
        return names;
    }
    const TimelineSpan *hold(const LockName &lock, std::size_t i = 0)
    {
        const auto id = timeline().laneOf(lock);
        const auto *rows = id ? &timeline().lane(*id).holds : nullptr;
        return rows && !rows->empty() && rows->front().spans.size() > i ? &rows->front().spans[i] : nullptr;
    }
    const TimelineLane &lane(const LockName &lock)
    {
        static const TimelineLane None; // for a moment, while a recording goes to another one
        const auto id = timeline().laneOf(lock);
        return id ? timeline().lane(*id) : None;
    }
    std::int64_t countedNow(const LockName &lock)
    {
        const auto &counted = lane(lock).counted;
        return !counted.empty() && counted.back().to == TimelineSpan::Open ? counted.back().count : 0;
    }
    const TimelineSpan *lastHold(const LockName &lock)
    {
        const auto id = timeline().laneOf(lock);
        return hold(lock) ? &timeline().lane(*id).holds.front().spans.back() : nullptr;
    }
    int rowOf(const LockName &lock) { return static_cast<int>(names().indexOf(QString::fromStdString(lock))); }
    QPoint pointOf(const LockName &lock, int x)
    {
        return { x, view().laneRect(rowOf(lock)).top() + LaneShape::HoldsTop + LaneShape::HoldsHeight / 2 };
    }
    QPoint middleOf(const LockName &lock, const TimelineSpan &span)
    {
        const auto end = std::min(
            span.to, WallTime(std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch())));
        return pointOf(lock, view().xOf(span.from + (end - span.from) / 2));
    }
    Place inView(const QPoint &point) { return placeIn(*view().viewport(), point); }
    Millis length() { return view().range().to - view().range().from; }
    void turnWheel(const QPoint &at, int turns, Qt::KeyboardModifiers modifiers = {})
    {
        const Place place = inView(at);
        moveTo(place);
        QWheelEvent turn(at, view().viewport()->mapToGlobal(at), {}, { 0, 120 * turns }, Qt::NoButton, modifiers,
            Qt::NoScrollPhase, false);
        QApplication::sendEvent(view().viewport(), &turn);
    }
};

/// Without a monitor: it is told what there is to be seen.
struct LonePage {
    LonePage()
    {
        page.setConnected(true);
        page.show();
    }

    QTemporaryDir folder;
    QSettings settings{ folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat };
    Theme theme{ *qApp };
    ViewClock clock;
    ClientNames names{ settings };
    EventStore events;
    TimelinePage page{ theme, clock, names, events };
};

} // namespace

class TimelinePageTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void init() { m_server.cli({ QStringLiteral("FLUSHALL") }); }

    /// Nothing else may happen for long, and so no other snapshot come.
    void goesOnThoughTheGapIsToldAfterTheSnapshot()
    {
        LonePage f;
        const Now now = currentNow();
        auto lock = makeLock("it", now.mono);
        lock->node = "n1";
        lock->readAt = now.wall;
        monitor::Event acquired;
        acquired.at = now.wall - 2s;
        acquired.kind = monitor::EventKind::Acquired;
        acquired.lock = "it";
        acquired.node = "n1";
        acquired.owner = lock->holders.front().owner;
        f.events.add({ acquired });
        auto snapshot = makeSnapshot(now, { lock });
        snapshot->status.lastSweep = monitor::SweepInfo{ .keysSeen = 1, .finishedAt = now.mono };
        f.page.setSnapshot(snapshot);
        monitor::Event gap;
        gap.at = now.wall - 1s;
        gap.kind = monitor::EventKind::Gap;
        gap.node = "n1";
        gap.ttl = 40ms;
        f.events.add({ gap });
        const auto &spans = f.page.timeline().lane(*f.page.timeline().laneOf("it")).holds.front().spans;
        QTRY_COMPARE(spans.front().end, TimelineSpan::End::NotSeen);
        QCOMPARE(spans.size(), std::size_t(2));
        QCOMPARE(spans.back().to, TimelineSpan::Open);
    }

    /// As the dashboard: a ghost's stay in the queue keeps nobody waiting. Where the server does not tell who listens
    /// they may wait all the same.
    void sortsByWhatTheMonitorCounts()
    {
        LonePage f;
        const Now now = currentNow();
        std::vector<std::shared_ptr<const monitor::LockState>> locks;
        std::vector<monitor::Event> heard;
        for (const char *name : { "ghosts", "idle", "short", "untold", "wanted" }) {
            auto lock = makeLock(name, now.mono);
            lock->kind = synchronizers::Kind::Fair;
            lock->node = "n1";
            const bool isWaitedFor = lock->name != "idle";
            const auto listens = lock->name == "untold" ? std::nullopt : std::optional(lock->name != "ghosts");
            if (isWaitedFor)
                lock->waiters.push_back({ { "w", name }, std::nullopt, { now.mono - 9min, true }, listens });
            monitor::Event queued;
            queued.at = now.wall - (lock->name == "short" ? 3s : 540s);
            queued.kind = monitor::EventKind::Queued;
            queued.lock = name;
            queued.node = "n1";
            queued.owner = OwnerId{ "w", name };
            if (isWaitedFor)
                heard.push_back(queued);
            locks.push_back(lock);
        }
        f.events.add(heard);
        auto analysis = std::make_shared<monitor::Analysis>();
        analysis->graph = std::make_shared<const monitor::WaitGraph>();
        monitor::StatisticsList::Changes counted;
        for (const auto &[name, blocked] : { std::pair("short", 700'000ms), std::pair("wanted", 42'500ms) }) {
            auto numbers = std::make_shared<monitor::LockStatistics>();
            numbers->lock = name;
            numbers->blocked = blocked; // of earlier waits as well
            counted.emplace(name, numbers);
        }
        auto statistics = std::make_shared<monitor::StatisticsList>();
        statistics->apply(counted);
        analysis->statistics = statistics;
        auto snapshot = makeSnapshot(now, locks);
        snapshot->analysis = analysis;
        snapshot->status.lastSweep = monitor::SweepInfo{ .keysSeen = 1, .finishedAt = now.mono };
        f.page.setSnapshot(snapshot);
        auto &view = *f.page.findChild<TimelineView *>();
        const auto shown = [&] {
            std::vector<LockName> lanes;
            for (const auto id : view.lanes())
                lanes.push_back(f.page.timeline().lane(id).lock);
            return lanes;
        };
        QCOMPARE(shown(), (std::vector<LockName>{ "short", "wanted", "untold", "ghosts", "idle" }));
        button(f.page, QStringLiteral("Only contended"))->setChecked(true);
        QCOMPARE(shown(), (std::vector<LockName>{ "short", "wanted", "untold" }));
        const auto tip = [&](int row) { return view.textAt({ 20, view.laneRect(row).center().y() }); };
        QVERIFY2(tip(0).contains(QStringLiteral("kept others waiting ≥ 11 m 40 s")), qPrintable(tip(0)));
        QVERIFY2(tip(1).contains(QStringLiteral("kept others waiting ≥ 42.5 s")), qPrintable(tip(1))); // as there
    }

    void showsAHoldFromItsBeginningToItsEnd()
    {
        Fixture f(m_server);
        QVERIFY(f.timelinePage().isVisible());
        take(m_server, QStringLiteral("early"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("early"), Limit);
        take(m_server, QStringLiteral("it"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it"), Limit);
        QVERIFY(f.hold("it")->beginSeen);
        QCOMPARE(f.hold("it")->to, TimelineSpan::Open);
        QTRY_VERIFY_WITH_TIMEOUT(f.view().textAt(f.middleOf("it", *f.hold("it"))).contains(OwnerA), Limit);
        const QString goesOn = f.view().textAt(f.middleOf("it", *f.hold("it")));
        QVERIFY2(goesOn.contains(QStringLiteral("goes on")), qPrintable(goesOn));
        release(m_server, QStringLiteral("it"));
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it")->to != TimelineSpan::Open, Limit);
        QVERIFY(f.hold("it")->end == TimelineSpan::End::Released);
        const QString over = f.view().textAt(f.middleOf("it", *f.hold("it")));
        QVERIFY2(over.contains(QStringLiteral("released at")), qPrintable(over));
    }

    void saysThatWhatWasHeldBeforeMayHaveBegunBefore()
    {
        take(m_server, QStringLiteral("old"), OwnerA, 60'000);
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("old"), Limit);
        QVERIFY(!f.hold("old")->beginSeen);
        QTRY_VERIFY_WITH_TIMEOUT(
            f.view().textAt(f.middleOf("old", *f.hold("old"))).contains(QStringLiteral("may have begun before")),
            Limit);
        const QString before = f.view().textAt(f.pointOf("old", f.view().xOf(*f.timeline().knownFrom() - 500ms)));
        QVERIFY2(before.contains(QStringLiteral("Nothing from before")), qPrintable(before));
    }

    /// A jump leads to a moment with all that led to it, also of locks to which nothing happened since.
    void showsEachMomentOfARecording()
    {
        take(m_server, QStringLiteral("old"), OwnerA, 600'000);
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("old"), Limit);
        // Else the recording begins before the lock was found.
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest() && f.monitor.latest()->status.lastSweep, Limit);
        take(m_server, QStringLiteral("known"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("known"), Limit);
        const WallTime acquired = f.hold("known")->from;
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        auto &recorder = f.monitor.recorder();
        recorder.start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.state() && recorder.state()->progress.bytes > 0, Limit);
        take(m_server, QStringLiteral("new"), OwnerB, 600'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("new"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.state()->progress.elapsed > 2s, Limit);
        recorder.stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();

        f.window.openRecording(file);
        auto &track = *f.window.findChild<ScrubTrack *>();
        const auto state = [&] { return f.monitor.replay().state().value_or(service::ReplayState{}); };
        QTRY_VERIFY_WITH_TIMEOUT(state().overview && track.isVisible() && track.isEnabled(), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("old"), Limit);
        QVERIFY(!f.hold("new"));
        for (int round = 0; round < 2; ++round) {
            QTest::keyClick(&track, Qt::Key_End);
            QTRY_VERIFY_WITH_TIMEOUT(state().overview && state().at == state().overview->last, Limit);
            QTRY_VERIFY_WITH_TIMEOUT(f.hold("new"), Limit);
            QVERIFY(f.hold("old"));
            QCOMPARE(*f.timeline().knownFrom(), state().overview->first);
            QVERIFY2(state().wall - f.hold("old")->from > 2s,
                qPrintable(QString::number((state().wall - f.hold("old")->from).count())));
            QVERIFY(!f.hold("old")->beginSeen);
            QVERIFY(f.hold("new")->beginSeen);
            const QString known = f.view().textAt(f.middleOf("known", *f.hold("known")));
            QVERIFY2(known.contains(QStringLiteral("acquired at ")), qPrintable(known)); // before the recording began
            const WallTime begin = Timeline::wholeOf(f.lane("known"), *f.hold("known"), false).from;
            QVERIFY2(std::chrono::abs(begin - acquired) < 100ms, qPrintable(known));
            QTest::keyClick(&track, Qt::Key_Home);
            QTRY_VERIFY_WITH_TIMEOUT(state().at == state().overview->first && !f.hold("new"), Limit);
            QVERIFY(f.hold("old"));
        }
    }

    /// No event tells of those who wait for a lock without a queue: the pictures do.
    void countsWaitsAlikeHoweverOneCameToAMomentOfARecording()
    {
        take(m_server, QStringLiteral("it"), OwnerA, 600'000);
        take(m_server, QStringLiteral("other"), OwnerB, 600'000);
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it") && f.hold("other"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest() && f.monitor.latest()->status.lastSweep, Limit);
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        auto &recorder = f.monitor.recorder();
        recorder.start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.state() && recorder.state()->progress.bytes > 0, Limit);
        {
            BlockingClient first(m_server.socketPath().toStdString());
            first.run({ "SUBSCRIBE", "redisson_lock__channel:{it}" });
            QTRY_COMPARE_WITH_TIMEOUT(f.countedNow("it"), 1, Limit);
            BlockingClient second(m_server.socketPath().toStdString());
            second.run({ "SUBSCRIBE", "redisson_lock__channel:{it}" });
            QTRY_COMPARE_WITH_TIMEOUT(f.countedNow("it"), 2, Limit);
        }
        QTRY_COMPARE_WITH_TIMEOUT(f.countedNow("it"), 0, Limit);
        const auto live = f.lane("it").counted;
        const auto written = recorder.state()->progress.elapsed;
        QTRY_VERIFY_WITH_TIMEOUT(recorder.state()->progress.elapsed > written + 1s, Limit);
        recorder.stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();

        f.window.openRecording(file);
        auto &replay = f.monitor.replay();
        auto &track = *f.window.findChild<ScrubTrack *>();
        QTRY_VERIFY_WITH_TIMEOUT(track.isVisible() && track.isEnabled() && f.hold("it"), Limit);
        QVERIFY(f.lane("it").counted.empty());
        QTest::keyClick(&track, Qt::Key_End);
        QTRY_COMPARE_WITH_TIMEOUT(f.lane("it").counted.size(), live.size(), Limit);
        const auto jumped = f.lane("it").counted;
        for (std::size_t i = 0; i < live.size(); ++i) {
            QCOMPARE(jumped[i].count, live[i].count);
            QVERIFY2(std::chrono::abs(jumped[i].from - live[i].from) < 500ms, qPrintable(QString::number(i)));
            QVERIFY2(std::chrono::abs(jumped[i].to - live[i].to) < 500ms, qPrintable(QString::number(i)));
        }
        button(f.timelinePage(), QStringLiteral("Only contended"))->setChecked(true);
        QCOMPARE(f.names(), QStringList{ QStringLiteral("it") }); // though nobody waits for it by now
        QTest::keyClick(&track, Qt::Key_Home);
        QTRY_VERIFY_WITH_TIMEOUT(f.names().isEmpty() && f.lane("it").counted.empty(), Limit);
        replay.play(16);
        QTRY_VERIFY_WITH_TIMEOUT(
            !replay.state()->playing && replay.state()->at == replay.state()->overview->last, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.lane("it").counted.size(), jumped.size(), Limit);
        const auto &played = f.lane("it").counted;
        for (std::size_t i = 0; i < played.size(); ++i)
            QVERIFY(std::tuple(played[i].from, played[i].to, played[i].count)
                == std::tuple(jumped[i].from, jumped[i].to, jumped[i].count));
        QCOMPARE(f.names(), QStringList{ QStringLiteral("it") });
    }

    void countsWaitsWhileAnotherPageIsShown()
    {
        take(m_server, QStringLiteral("it"), OwnerA, 600'000);
        Fixture f(m_server);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it"), Limit);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        const auto isCounted = [&](std::int64_t count) {
            const auto lock = f.monitor.latest()->locks.find("it");
            return lock && lock->subscribers == count;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isCounted(0), Limit);
        {
            BlockingClient waiter(m_server.socketPath().toStdString());
            waiter.run({ "SUBSCRIBE", "redisson_lock__channel:{it}" });
            QTRY_VERIFY_WITH_TIMEOUT(isCounted(1), Limit);
        }
        QTRY_VERIFY_WITH_TIMEOUT(isCounted(0), Limit);
        const WallTime until = f.monitor.latest()->takenAt.wall;
        QTRY_VERIFY_WITH_TIMEOUT(transport::wallNow() - until > 1s, Limit);
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        const auto &counted = f.lane("it").counted;
        QCOMPARE(counted.size(), std::size_t(1));
        QCOMPARE(counted.front().count, 1);
        QVERIFY2(std::chrono::abs(counted.front().to - until) < 500ms,
            qPrintable(QString::number((counted.front().to - until).count())));
    }

    /// A server that stands still: what is counted is known until it was last heard, and anew from then on.
    void countsNoWaitsThroughATimeThatWasNotSeen()
    {
        RedisServer server;
        QVERIFY(server.start());
        take(server, QStringLiteral("it"), OwnerA, 600'000);
        Fixture f(server);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it"), Limit);
        BlockingClient stays(server.socketPath().toStdString());
        stays.run({ "SUBSCRIBE", "redisson_lock__channel:{it}" });
        {
            BlockingClient goes(server.socketPath().toStdString());
            goes.run({ "SUBSCRIBE", "redisson_lock__channel:{it}" });
            QTRY_COMPARE_WITH_TIMEOUT(f.countedNow("it"), 2, Limit);
            server.pause();
            const auto isStale = [&] { return f.monitor.latest()->status.staleSince.has_value(); };
            QTRY_VERIFY_WITH_TIMEOUT(isStale(), Limit);
        }
        server.resume();
        QTRY_VERIFY_WITH_TIMEOUT(!f.timeline().gaps().empty(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.countedNow("it"), 1, Limit);
        const TimelineGap gap = f.timeline().gaps().front();
        for (const TimelineCount &counted : f.lane("it").counted) {
            const QString times = QStringLiteral("%1: %2 to %3 of the gap's beginning, %4 to %5 of its end")
                                      .arg(counted.count)
                                      .arg((counted.from - gap.from).count())
                                      .arg((std::min(counted.to, gap.to) - gap.from).count())
                                      .arg((counted.from - gap.to).count())
                                      .arg((std::min(counted.to, gap.to) - gap.to).count());
            QVERIFY2(counted.to <= gap.from || counted.from >= gap.to, qPrintable(times));
        }
        // The one that is left gets the lock: nobody waits any more.
        release(server, QStringLiteral("it"));
        take(server, QStringLiteral("it"), OwnerB, 600'000);
        stays.run({ "UNSUBSCRIBE" });
        QTRY_COMPARE_WITH_TIMEOUT(f.countedNow("it"), 0, Limit);
    }

    /// Also of what is gone by the moment that is shown.
    void showsWhatGoesOnAfterAGapAlsoInARecording()
    {
        for (const char *name : { "gone", "here" })
            take(m_server, QLatin1String(name), OwnerA, 600'000);
        Fixture f(m_server);
        const auto isLookedAt = [&] { return f.monitor.latest() && f.monitor.latest()->status.lastSweep; };
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("gone") && f.hold("here") && isLookedAt(), Limit);
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        auto &recorder = f.monitor.recorder();
        recorder.start(file);
        QTRY_VERIFY_WITH_TIMEOUT(recorder.state() && recorder.state()->progress.bytes > 0, Limit);
        m_server.cli(
            { QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("TYPE"), QStringLiteral("normal") });
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("gone", 1) && f.hold("here", 1), Limit);
        const auto look = [&] { return f.monitor.latest()->status.lastSweep->finishedAt; };
        const MonoTime first = look();
        f.window.findChild<LocksPage *>()->wayOutChosen(WayOut::Look);
        QTRY_VERIFY_WITH_TIMEOUT(look() > first, Limit); // else the last look is the first after the gap
        release(m_server, QStringLiteral("gone"));
        const auto isOver
            = [&] { return f.lastHold("gone") && f.lastHold("gone")->end == TimelineSpan::End::Released; };
        QTRY_VERIFY_WITH_TIMEOUT(isOver(), Limit);
        const TimelineSpan gone = *f.lastHold("gone");
        const TimelineSpan here = *f.lastHold("here");
        const auto written = recorder.state()->progress.elapsed;
        QTRY_VERIFY_WITH_TIMEOUT(recorder.state()->progress.elapsed > written + 1s, Limit);
        recorder.stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();

        f.window.openRecording(file);
        auto &track = *f.window.findChild<ScrubTrack *>();
        QTRY_VERIFY_WITH_TIMEOUT(track.isVisible() && track.isEnabled() && f.hold("gone"), Limit);
        QTest::keyClick(&track, Qt::Key_End);
        QTRY_VERIFY_WITH_TIMEOUT(isOver() && f.lastHold("gone")->to == gone.to, Limit);
        const auto apart = [&](const char *lock, const TimelineSpan &live) {
            return std::chrono::abs(f.lastHold(lock)->from - live.from);
        };
        QVERIFY2(apart("gone", gone) < 1s, qPrintable(QString::number(apart("gone", gone).count())));
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("here", 1), Limit);
        QVERIFY2(apart("here", here) < 1s, qPrintable(QString::number(apart("here", here).count())));
        QCOMPARE(f.lastHold("here")->to, TimelineSpan::Open);
    }

    /// What it had was there already when the recording began, and nothing changes of it.
    void hidesWhatOneOfIndependentServersHasWhileItIsLost()
    {
        testsupport::RedisServers servers(2);
        QVERIFY(servers.start());
        take(servers[1], QStringLiteral("it"), OwnerA, 600'000);
        transport::Deployment both;
        both.topology = transport::Topology::Nodes;
        both.seeds = servers.endpoints();
        Fixture f(both);
        const auto isLookedAt = [&] { return f.monitor.latest() && f.monitor.latest()->status.lastSweep; };
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it") && isLookedAt(), Limit);
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        auto &recorder = f.monitor.recorder();
        recorder.start(file);
        const auto isWritten = [&](std::chrono::milliseconds elapsed) {
            return recorder.state() && recorder.state()->progress.bytes > 0
                && recorder.state()->progress.elapsed > elapsed;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWritten(1s), Limit);
        servers[1].pause();
        QTRY_VERIFY_WITH_TIMEOUT(f.timeline().unseenSince(f.lane("it")), Limit);
        servers[1].resume();
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it", 1), Limit); // the other server is looked at once a minute
        const TimelineGap gap = f.timeline().gaps().back();
        const TimelineSpan after = *f.lastHold("it");
        QVERIFY(after.from - gap.to < 5s);
        const auto written = recorder.state()->progress.elapsed;
        QTRY_VERIFY_WITH_TIMEOUT(isWritten(written + 1s), Limit);
        recorder.stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();

        f.window.openRecording(file);
        auto &track = *f.window.findChild<ScrubTrack *>();
        QTRY_VERIFY_WITH_TIMEOUT(track.isVisible() && track.isEnabled() && f.hold("it"), Limit);
        QTest::keyClick(&track, Qt::Key_End);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it", 1), Limit);
        QCOMPARE(f.hold("it")->end, TimelineSpan::End::NotSeen);
        QVERIFY(std::chrono::abs(f.lastHold("it")->from - after.from) < 1s);
        QCOMPARE(f.lane("it").holds.size(), std::size_t(1));
        f.monitor.replay().seek(gap.from + (gap.to - gap.from) / 2);
        QTRY_VERIFY_WITH_TIMEOUT(f.timeline().gaps().empty() && f.timeline().unseenSince(f.lane("it")), Limit);
        QVERIFY(std::chrono::abs(*f.timeline().unseenSince(f.lane("it")) - gap.from) < 1s);
    }

    /// One that has it is killed and stays away, then the other one that has it is lost for a while.
    void goesOnWhereOneOfIndependentServersIsSeenAgain()
    {
        testsupport::RedisServers servers(3);
        QVERIFY(servers.start());
        for (const std::size_t i : { 0U, 1U })
            take(servers[i], QStringLiteral("it"), OwnerA, 1'800'000);
        transport::Deployment all;
        all.topology = transport::Topology::Nodes;
        all.seeds = servers.endpoints();
        Fixture f(all);
        const auto isLookedAt = [&] { return f.monitor.latest() && f.monitor.latest()->status.lastSweep; };
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it") && isLookedAt() && f.lane("it").nodes.size() == 2, Limit);
        const QString file = f.folder.filePath(QStringLiteral("it.lockrec"));
        auto &recorder = f.monitor.recorder();
        recorder.start(file);
        const auto isWritten = [&](std::chrono::milliseconds elapsed) {
            return recorder.state() && recorder.state()->progress.bytes > 0
                && recorder.state()->progress.elapsed > elapsed;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isWritten(1s), Limit);
        servers[1].kill();
        QTRY_COMPARE_WITH_TIMEOUT(f.timeline().unseenParts(f.lane("it")).size(), std::size_t(1), Limit);
        const WallTime killed = f.timeline().unseenParts(f.lane("it")).front().from;
        const WallTime later = f.monitor.latest()->takenAt.wall + 2s;
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->takenAt.wall > later, Limit);
        QVERIFY(!f.timeline().unseenSince(f.lane("it"), 0, false));
        servers[0].pause();
        QTRY_VERIFY_WITH_TIMEOUT(f.timeline().unseenSince(f.lane("it")), Limit);
        servers[0].resume();
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it", 1), Limit);
        const TimelineSpan before = *f.hold("it");
        const TimelineSpan after = *f.lastHold("it");
        const TimelineGap gap = f.timeline().gaps().back();
        const auto isAlike = [&] {
            return std::chrono::abs(f.hold("it")->to - gap.from) < 1s
                && std::chrono::abs(f.lastHold("it")->from - after.from) < 1s
                && f.lastHold("it")->to == TimelineSpan::Open && f.lane("it").holds.front().spans.size() == 2
                && !f.timeline().unseenSince(f.lane("it"), 0, false);
        };
        QVERIFY(before.to - killed > 1s && after.from - gap.to < 5s && isAlike());
        const auto written = recorder.state()->progress.elapsed;
        QTRY_VERIFY_WITH_TIMEOUT(isWritten(written + 1s), Limit);
        recorder.stop();
        NoticeDialog *notice = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((notice = f.window.findChild<NoticeDialog *>()), Limit);
        notice->close();
        QVERIFY(servers[1].restart());
        const auto areAllSeen = [&] { return f.timeline().unseenParts(f.lane("it")).empty(); };
        QTRY_VERIFY_WITH_TIMEOUT(areAllSeen(), Limit);
        QVERIFY(isAlike());

        f.window.openRecording(file);
        auto &track = *f.window.findChild<ScrubTrack *>();
        QTRY_VERIFY_WITH_TIMEOUT(track.isVisible() && track.isEnabled() && f.hold("it"), Limit);
        QTest::keyClick(&track, Qt::Key_End);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it", 1) && isAlike(), Limit);
    }

    void marksWhatRanOut()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("lost"), OwnerA, 300);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("lost") && f.hold("lost")->end == TimelineSpan::End::Expired, Limit);
        QCOMPARE(f.timeline().lane(*f.timeline().laneOf("lost")).marks.size(), std::size_t(1));
    }

    void catchesUpWithWhatHappenedWhileItWasHidden()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("first"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("first"), Limit);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        take(m_server, QStringLiteral("second"), OwnerB, 200);
        take(m_server, QStringLiteral("third"), OwnerB, 60'000);
        const LockTableModel &locks = f.page().locks();
        QTRY_VERIFY_WITH_TIMEOUT(locks.rowOf("third") >= 0 && locks.rowOf("second") < 0, Limit);
        QVERIFY(!f.timeline().laneOf("second")); // a hidden page costs nothing
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(f.hold("second"));
        QVERIFY(f.hold("second")->end == TimelineSpan::End::Expired);
    }

    void zoomsAtThePointer()
    {
        Fixture f(m_server);
        wait(f);
        QVERIFY(f.view().isFollowing());
        const int x = f.view().viewport()->width() * 3 / 4;
        f.turnWheel({ x, 200 }, 1);
        QVERIFY(!f.view().isFollowing());
        const auto before = f.length();
        const WallTime at = f.view().range().from + before * (x - 208) / (f.view().viewport()->width() - 208);
        f.turnWheel({ x, 200 }, 4);
        QVERIFY(f.length() < before / 2);
        QVERIFY(std::abs(f.view().xOf(at) - x) <= 2);
        f.turnWheel({ x, 200 }, -8);
        QVERIFY(f.length() > before * 2);
        QVERIFY(std::abs(f.view().xOf(at) - x) <= 2);
    }

    void pansByDraggingAndStopsFollowing()
    {
        Fixture f(m_server);
        wait(f);
        QVERIFY(f.follow().isChecked());
        const auto from = f.view().range().from;
        drag(f.inView({ 700, 400 }), { 200, 0 });
        QVERIFY(f.view().range().from < from);
        QVERIFY(!f.view().isFollowing());
        QVERIFY(!f.follow().isChecked());
        const auto held = f.view().range().from;
        take(m_server, QStringLiteral("later"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("later"), Limit);
        QCOMPARE(f.view().range().from, held); // it stands still
        click(middle(f.follow()));
        QVERIFY(f.view().isFollowing());
        QVERIFY(f.view().range().to > held + f.length());
    }

    void zoomsToAHoldAndStepsBack()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("it"), OwnerA, 400);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it") && f.hold("it")->to != TimelineSpan::Open, Limit);
        wait(f);
        const auto before = f.length();
        const TimelineSpan span = *f.hold("it");
        const Place place = f.inView(f.middleOf("it", span));
        QTest::mouseDClick(place.window, Qt::LeftButton, {}, place.point);
        QVERIFY(!f.view().isFollowing());
        const Millis held = span.to - span.from;
        QVERIFY(f.length() >= held && f.length() < held * 2);
        QVERIFY(f.view().range().from <= span.from && f.view().range().to >= span.to);
        press(f.window, Qt::Key_Escape);
        QVERIFY(std::chrono::abs(f.length() - before) < before / 2);
        QVERIFY(f.view().isFollowing());
    }

    void obeysTheKeyboard()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        take(m_server, QStringLiteral("b"), OwnerB, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.view().hasFocus(), Limit);
        press(f.window, Qt::Key_Down);
        QCOMPARE(f.view().chosen(), LockName("a"));
        press(f.window, Qt::Key_Down);
        QCOMPARE(f.view().chosen(), LockName("b"));
        QVERIFY2(f.view().accessibleDescription().contains(QStringLiteral("b")),
            qPrintable(f.view().accessibleDescription()));
        const auto before = f.length();
        press(f.window, Qt::Key_Plus);
        QVERIFY(f.length() < before);
        QVERIFY(f.view().isFollowing());
        press(f.window, Qt::Key_Minus);
        press(f.window, Qt::Key_Minus);
        QVERIFY(f.length() > before);
        const auto from = f.view().range().from;
        press(f.window, Qt::Key_Left);
        QVERIFY(f.view().range().from < from);
        QVERIFY(!f.view().isFollowing());
        press(f.window, Qt::Key_F);
        QVERIFY(f.view().isFollowing());
        press(f.window, Qt::Key_Home);
        QVERIFY(f.view().range().from <= *f.timeline().knownFrom());
        press(f.window, Qt::Key_Return);
        QVERIFY(f.page().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && f.page().selectedLock()->name == "b", Limit);
    }

    void choosesALockForAllPages()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        take(m_server, QStringLiteral("b"), OwnerB, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        click(f.inView(f.pointOf("b", 50)));
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.page().selectedLock() && f.page().selectedLock()->name == "b", Limit);
        f.window.selectLock("a");
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(f.view().chosen(), LockName("a"));
    }

    /// Before it is shown it has no size, and nearly every lane would be out of sight.
    void scrollsToTheChosenLaneOnlyAsFarAsNeeded()
    {
        for (int lock = 0; lock < 40; ++lock)
            take(m_server, QStringLiteral("lock:%1").arg(lock, 2, 10, QLatin1Char('0')), OwnerA, 60'000);
        TestWindow f;
        f.connectTo(m_server.endpoint());
        f.showAt({ 1'440, 900 });
        QTRY_COMPARE_WITH_TIMEOUT(f.page().locks().rowCount(), 40, Limit);
        auto &view = *f.window.findChild<TimelineView *>();
        f.window.selectLock("lock:05");
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        QTRY_COMPARE(view.lanes().size(), 40U);
        QCOMPARE(view.chosen(), LockName("lock:05"));
        QCOMPARE(view.verticalScrollBar()->value(), 0);
        f.window.selectLock("lock:35");
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        QTRY_COMPARE(view.chosen(), LockName("lock:35"));
        QCOMPARE(view.laneRect(35).bottom(), view.viewport()->rect().bottom());
    }

    void pinsALane()
    {
        Fixture f(m_server);
        for (const char *name : { "a", "b", "c" })
            take(m_server, QString::fromLatin1(name), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 3, Limit);
        QCOMPARE(f.names(), QStringList({ QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c") }));
        click(f.inView(f.pointOf("c", 50)));
        press(f.window, Qt::Key_P);
        QCOMPARE(f.names().front(), QStringLiteral("c"));
        const QPoint place = f.pointOf("b", 50);
        QContextMenuEvent asks(QContextMenuEvent::Mouse, place, f.view().viewport()->mapToGlobal(place));
        QApplication::sendEvent(f.view().viewport(), &asks);
        auto *menu = f.view().findChild<QMenu *>();
        QVERIFY(menu != nullptr);
        QCOMPARE(entriesWithoutAccessKey(*menu), QStringList());
        lockui::test::choose(*menu, QStringLiteral("Pin lane to the top"));
        QTRY_COMPARE(f.names(), QStringList({ QStringLiteral("c"), QStringLiteral("b"), QStringLiteral("a") }));
        click(f.inView(f.pointOf("c", 50)));
        press(f.window, Qt::Key_P);
        QCOMPARE(f.names().front(), QStringLiteral("b"));
    }

    /// What a person aims at stays where it is, also while locks come that belong above it.
    void lanesStandStillUnderThePointer()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("d"), OwnerA, 60'000);
        take(m_server, QStringLiteral("e"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names(), QStringList({ QStringLiteral("d"), QStringLiteral("e") }), Limit);
        const QPoint place = f.pointOf("e", 50);
        moveTo(f.inView(place));
        const auto come = [&](const char *name) {
            const auto before = f.names().size();
            take(m_server, QString::fromLatin1(name), OwnerB, 60'000);
            return QTest::qWaitFor([&] { return f.names().size() > before; }, Limit);
        };
        QVERIFY(come("c"));
        QCOMPARE(f.names(), QStringList({ QStringLiteral("d"), QStringLiteral("e"), QStringLiteral("c") }));
        // A menu is above the lanes, and still about one of them.
        QTest::mouseClick(f.inView(place).window, Qt::RightButton, {}, f.inView(place).point);
        const QPointer<QMenu> menu = f.view().findChild<QMenu *>();
        QVERIFY(menu != nullptr);
        QTest::mouseMove(menu->windowHandle(), menu->rect().center());
        QVERIFY(come("b"));
        QCOMPARE(f.names(),
            QStringList({ QStringLiteral("d"), QStringLiteral("e"), QStringLiteral("c"), QStringLiteral("b") }));
        QTest::keyClick(menu->windowHandle(), Qt::Key_Escape);
        moveTo(f.inView(place)); // else the pointer is nowhere for a moment
        QTRY_VERIFY(menu == nullptr);
        click(f.inView(place));
        QCOMPARE(f.view().chosen(), LockName("e"));
        QVERIFY(come("a"));
        QCOMPARE(f.names().indexOf(QStringLiteral("e")), 1);
        press(f.window, Qt::Key_P); // a person asks for another order
        QStringList sorted{ QStringLiteral("e"), QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"),
            QStringLiteral("d") };
        QCOMPARE(f.names(), sorted);
        press(f.window, Qt::Key_P);
        QVERIFY(come("0"));
        QCOMPARE(f.names().back(), QStringLiteral("0"));
        moveTo(middle(f.follow()));
        QTRY_COMPARE(f.names().front(), QStringLiteral("0"));
    }

    /// Else a person cannot tell which lane it was, where they lie close together.
    void tipsNameTheirLockFirst()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("it"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("it"), Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.view().textAt(f.middleOf("it", *f.hold("it"))).contains(OwnerA), Limit);
        for (const QPoint &place : { f.middleOf("it", *f.hold("it")), f.pointOf("it", 50),
                 f.pointOf("it", f.view().xOf(*f.timeline().knownFrom() - 500ms)) })
            QVERIFY2(f.view().textAt(place).startsWith(QStringLiteral("it\n")), qPrintable(f.view().textAt(place)));
    }

    void aPinnedLaneStaysAmongTheContended()
    {
        Fixture f(m_server);
        for (const char *name : { "a", "b" })
            take(m_server, QString::fromLatin1(name), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        click(f.inView(f.pointOf("b", 50)));
        press(f.window, Qt::Key_P);
        QAbstractButton *contended = button(f.timelinePage(), QStringLiteral("Only contended"));
        click(middle(*contended));
        QCOMPARE(f.names(), QStringList{ QStringLiteral("b") });
        click(f.inView(f.pointOf("b", 50)));
        press(f.window, Qt::Key_P);
        QVERIFY(f.names().isEmpty());
    }

    /// Which time is shown is what a person reads the lanes by.
    void theNoteOfAnExportLeavesTheRangeWhole()
    {
        Fixture f(m_server);
        wait(f);
        for (const QSize size : { QSize(1'440, 900), QSize(1'366, 768) }) {
            f.window.resize(size);
            QTRY_COMPARE(f.window.size(), size);
            auto *range = saying<ElidedLabel>(f.timelinePage(), QStringLiteral(" – "));
            QVERIFY(range);
            doLayouts();
            const QString whole = range->shownText();
            QVERIFY2(whole.contains(QStringLiteral(" – ")), qPrintable(whole));
            Q_EMIT f.timelinePage().findChild<ExportButton *>()->written(
                f.folder.filePath(QStringLiteral("a-picture-of-the-timeline.png")));
            doLayouts();
            QVERIFY(saying<ElidedLabel>(f.timelinePage(), QStringLiteral("written to "))->isVisible());
            QVERIFY2(range->shownText().contains(QStringLiteral(" – ")), qPrintable(range->shownText()));
        }
    }

    /// As a file that lockctl plays.
    void savesAScenarioOfWhatIsInSight()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("a"), Limit);
        release(m_server, QStringLiteral("a"));
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("a")->end == TimelineSpan::End::Released, Limit);
        take(m_server, QStringLiteral("a"), OwnerB, 60'000);
        take(m_server, QStringLiteral("b"), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("a", 1), Limit);
        const QTemporaryDir folder;
        const auto saved = [&](const QString &entry, const QString &name) -> std::optional<lab::Scenario> {
            const QPoint place = f.pointOf("a", 50);
            QContextMenuEvent asks(QContextMenuEvent::Mouse, place, f.view().viewport()->mapToGlobal(place));
            QApplication::sendEvent(f.view().viewport(), &asks);
            auto *menu = f.view().findChild<QMenu *>();
            if (!menu)
                return {};
            lockui::test::choose(*menu, entry);
            QFileDialog *dialog = nullptr;
            [&] { QTRY_VERIFY((dialog = f.window.findChild<QFileDialog *>())); }();
            if (!dialog)
                return {};
            const QString path = folder.filePath(name);
            auto *field = dialog->findChild<QLineEdit *>(QStringLiteral("fileNameEdit"));
            field->setText(path);
            QTest::keyClick(field, Qt::Key_Return);
            [&] { QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), Limit); }();
            [&] { QTRY_VERIFY_WITH_TIMEOUT(!f.window.findChild<QFileDialog *>(), Limit); }();
            QFile file(path);
            if (!file.open(QIODevice::ReadOnly))
                return {};
            const auto read = lab::readScenario(file.readAll().toStdString());
            return read ? std::optional(*read) : std::nullopt;
        };
        const auto all = saved(QStringLiteral("Save a scenario of what is in sight…"), QStringLiteral("all.json"));
        QVERIFY(all);
        QCOMPARE(all->steps.size(), 5U); // a is taken, given back and taken, b is taken, and a look
        QCOMPARE(all->clients.size(), 2U);
        const auto one = saved(QStringLiteral("Save a scenario of this lock…"), QStringLiteral("one.json"));
        QVERIFY(one);
        QCOMPARE(one->steps.size(), 4U);
        // Lanes below are not in sight.
        for (int i = 0; i < 60; ++i)
            take(m_server, QStringLiteral("c%1").arg(i, 2, 10, QLatin1Char('0')), OwnerA, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 62, Limit);
        f.timelinePage().findChild<QComboBox *>()->setCurrentIndex(1); // by name
        Q_EMIT f.timelinePage().findChild<QComboBox *>()->activated(1);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().front(), QStringLiteral("a"), Limit);
        const auto above = saved(QStringLiteral("Save a scenario of what is in sight…"), QStringLiteral("above.json"));
        QVERIFY(above);
        const auto isOf = [&](const char *lock) {
            return std::ranges::any_of(above->steps, [&](const lab::Step &step) { return step.lock == lock; });
        };
        QVERIFY(isOf("b") && isOf("c00") && !isOf("c59"));
    }

    void sortsLanesAndLeavesOutWhatNobodyWaitsFor()
    {
        testsupport::LockUser holder(m_server.endpoint());
        testsupport::LockUser waiter(m_server.endpoint());
        QVERIFY(holder.waitReady() && waiter.waitReady());
        const client::LockTarget fair{ "z:fair", synchronizers::Kind::Fair };
        Fixture f(m_server);
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        QVERIFY(holder.tryLock(fair));
        auto waits = waiter.startAcquire({ fair, "1", {}, Millis(30'000) });
        const auto isSeenToWait = [&] {
            const auto id = f.timeline().laneOf("z:fair");
            return id && !f.timeline().lane(*id).waits.empty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isSeenToWait(), Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        auto *order = named<QComboBox>(f.timelinePage(), QStringLiteral("Order of lanes"));
        order->setFocus();
        press(f.window, Qt::Key_Down);
        QCOMPARE(f.names(), QStringList({ QStringLiteral("a"), QStringLiteral("z:fair") }));
        press(f.window, Qt::Key_Up);
        // What was waited is counted about once a second.
        QTRY_COMPARE_WITH_TIMEOUT(f.names(), QStringList({ QStringLiteral("z:fair"), QStringLiteral("a") }), Limit);
        click(middle(*button(f.timelinePage(), QStringLiteral("Only contended"))));
        QCOMPARE(f.names(), QStringList{ QStringLiteral("z:fair") });
        const auto id = *f.timeline().laneOf("z:fair");
        QVERIFY(f.timeline().lane(id).waits.front().spans.front().beginSeen);
        holder.startRelease(fair)->awaited();
        QVERIFY(waits->awaited());
        QTRY_VERIFY_WITH_TIMEOUT(
            f.timeline().lane(id).waits.front().spans.front().end == TimelineSpan::End::Acquired, Limit);
    }

    /// Who waits for it is only counted, and it stays in sight when nobody does any more.
    void keepsALockThatIsNotFairAmongTheContended()
    {
        testsupport::LockUser holder(m_server.endpoint());
        testsupport::LockUser waiter(m_server.endpoint());
        QVERIFY(holder.waitReady() && waiter.waitReady());
        const client::LockTarget plain{ "plain", synchronizers::Kind::Reentrant };
        Fixture f(m_server);
        take(m_server, QStringLiteral("a"), OwnerA, 60'000);
        QVERIFY(holder.tryLock(plain));
        auto waits = waiter.startAcquire({ plain, "1", {}, Millis(30'000) });
        const auto waiting = [&] {
            const auto lock = f.monitor.latest()->locks.find("plain");
            return lock ? lock->subscribers.value_or(0) : -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(waiting() > 0, Limit);
        QAbstractButton *contended = button(f.timelinePage(), QStringLiteral("Only contended"));
        click(middle(*contended));
        QTRY_COMPARE_WITH_TIMEOUT(f.names(), QStringList{ QStringLiteral("plain") }, Limit);
        holder.startRelease(plain)->awaited();
        QVERIFY(waits->awaited());
        QTRY_COMPARE_WITH_TIMEOUT(waiting(), 0, Limit);
        click(middle(*contended));
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        click(middle(*contended));
        QCOMPARE(f.names(), QStringList{ QStringLiteral("plain") });
    }

    void filtersLanes()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("stock:1"), OwnerA, 60'000);
        take(m_server, QStringLiteral("order:1"), OwnerB, 300);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("order:1") && f.hold("order:1")->to != TimelineSpan::Open, Limit);
        QTRY_COMPARE_WITH_TIMEOUT(f.names().size(), 2, Limit);
        press(f.window, Qt::Key_K, Qt::ControlModifier);
        type(f.window, "order");
        QTRY_COMPARE_WITH_TIMEOUT(f.names(), QStringList{ QStringLiteral("order:1") }, Limit); // though it is gone
        QVERIFY(saying<ElidedLabel>(f.timelinePage(), QStringLiteral("1 of 2 locks")));
        type(f.window, "x");
        QTRY_VERIFY_WITH_TIMEOUT(f.timelinePage().findChild<EmptyState *>()->isVisible(), Limit);
    }

    void standsStillWhilePaused()
    {
        Fixture f(m_server);
        wait(f);
        f.window.setPaused(true);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        const auto range = f.view().range();
        take(m_server, QStringLiteral("later"), OwnerA, 60'000);
        QSignalSpy heard(&f.monitor, &service::Monitor::eventsReported);
        QTRY_VERIFY_WITH_TIMEOUT(heard.size() > 0, Limit);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(!f.hold("later"));
        QCOMPARE(f.view().range().from, range.from);
        f.window.setPaused(false);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("later"), Limit);
    }

    /// A hold that ended while another page was shown does not go on up to the pause.
    void showsThePauseThoughItWasHidden()
    {
        Fixture f(m_server);
        take(m_server, QStringLiteral("order:1"), OwnerA, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("order:1"), Limit);
        press(f.window, Qt::Key_1, Qt::ControlModifier);
        QSignalSpy heard(&f.monitor, &service::Monitor::eventsReported);
        release(m_server, QStringLiteral("order:1"));
        take(m_server, QStringLiteral("order:2"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->locks.find("order:2") != nullptr, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.latest()->locks.find("order:1") == nullptr, Limit);
        QTRY_VERIFY_WITH_TIMEOUT(heard.size() > 0, Limit);
        QCoreApplication::processEvents();
        f.window.setPaused(true);
        press(f.window, Qt::Key_2, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("order:2"), Limit);
        QVERIFY(f.hold("order:1")->to != TimelineSpan::Open);
    }

    void keepsItsArrangement()
    {
        Fixture f(m_server);
        auto *order = named<QComboBox>(f.timelinePage(), QStringLiteral("Order of lanes"));
        order->setCurrentIndex(1);
        button(f.timelinePage(), QStringLiteral("Only contended"))->setChecked(true);
        f.timelinePage().save(f.settings);
        Fixture other(m_server);
        other.timelinePage().restore(f.settings);
        QCOMPARE(named<QComboBox>(other.timelinePage(), QStringLiteral("Order of lanes"))->currentIndex(), 1);
        QVERIFY(button(other.timelinePage(), QStringLiteral("Only contended"))->isChecked());
    }

    void showsARecordingFromTheMomentThatIsShown()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("it.lockrec"));
        Fixture f(m_server);
        wait(f);
        f.monitor.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(f.monitor.recorder().state(), Limit);
        take(m_server, QStringLiteral("recorded"), OwnerA, 300);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("recorded") && f.hold("recorded")->to != TimelineSpan::Open, Limit);
        f.monitor.recorder().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!f.monitor.recorder().state(), Limit);
        f.window.openRecording(file);
        QVERIFY(!f.hold("recorded"));
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("kept"), Limit);
        QVERIFY(!f.hold("kept")->beginSeen); // it was held before the recording began
        f.monitor.replay().play(16);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("recorded") && f.hold("recorded")->end == TimelineSpan::End::Expired, Limit);
        f.monitor.replay().seek(f.monitor.replay().state()->overview->first);
        QTRY_VERIFY_WITH_TIMEOUT(!f.hold("recorded") && f.hold("kept"), Limit); // what is known then begins there
    }

    void saysThatNothingIsConnected()
    {
        Fixture f(m_server);
        wait(f);
        QVERIFY(!f.timelinePage().findChild<EmptyState *>()->isVisible());
        const auto says = [&](const char *text) {
            return saying<ElidedLabel>(f.timelinePage(), QString::fromUtf8(text)) != nullptr;
        };
        QVERIFY(says(" – "));
        f.window.closeConnection();
        QVERIFY(f.timelinePage().findChild<EmptyState *>()->isVisible());
        QVERIFY(saying<QLabel>(f.timelinePage(), QStringLiteral("Not connected")));
        QVERIFY(!says(" – ")); // a range of nothing
        QVERIFY(f.names().isEmpty());
    }

private:
    static Place middle(const QWidget &widget) { return lockui::test::middleOf(widget); }

    /// Until something is held and shown.
    void wait(Fixture &f)
    {
        take(m_server, QStringLiteral("kept"), OwnerB, 60'000);
        QTRY_VERIFY_WITH_TIMEOUT(f.hold("kept") && f.view().isVisible(), Limit);
    }

    RedisServer m_server;
};

QTEST_MAIN(TimelinePageTest)
#include "tst_timeline_page.moc"
