// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/analysis.h"
#include "lockcore/recording/player.h"
#include "lockcore/recording/recording_writer.h"
#include "lockcore/service/monitor.h"
#include "lockcore/transport/clock.h"
#include "tests/support/lock_user.h"
#include "tests/support/server_test.h"

#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <sys/resource.h>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::service;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;
using testsupport::GenerousMs;
using testsupport::LockUser;
using testsupport::ServerTest;

namespace {

using SnapshotPointer = std::shared_ptr<const Snapshot>;

/// All that a person at the window could read of a lock at that moment.
std::string shownOf(const LockState &lock, const Now &now)
{
    const auto left = [&](const std::optional<MonoTime> &until) {
        return until ? std::to_string((*until - now.mono).count()) : std::string("never");
    };
    std::string shown = lock.name + ' ' + std::to_string(int(lock.kind)) + ' ' + left(lock.expiresAt) + ' '
        + std::to_string(int(lock.lease)) + ' ' + std::to_string(lock.renewals) + ' '
        + std::to_string(lock.subscribers.value_or(-1)) + ' ' + left(lock.lastChange.at) + ' '
        + std::to_string(int(lock.lastChange.kind)) + ' ' + lock.node;
    for (const Holder &holder : lock.holders)
        shown += "\nheld " + toString(holder.owner) + ' ' + std::to_string(holder.count) + ' ' + left(holder.since.at);
    for (const Waiter &waiter : lock.waiters)
        shown += "\nwaits " + toString(waiter.owner) + ' ' + left(waiter.since.at) + ' '
            + std::to_string(waiter.deadline ? (*waiter.deadline - now.wall).count() : -1);
    for (const TtlCorner &corner : ttlHistoryOf(lock))
        shown += "\ncorner " + left(corner.at) + ' ' + std::to_string(corner.before.count()) + ' '
            + std::to_string(corner.after.count());
    for (const std::string &key : keysOf(lock))
        shown += "\nkey " + key;
    return shown;
}

std::vector<std::string> shownOf(const Snapshot &snapshot)
{
    std::vector<std::string> locks;
    for (const auto &lock : snapshot.locks)
        locks.push_back(shownOf(*lock, snapshot.takenAt));
    return locks;
}

/// A monitor, and all that it said.
struct Witness {
    explicit Witness(const MonitorOptions &options = {})
        : service(options)
    {
        QObject::connect(
            &service, &Monitor::snapshotReady, &service, [this] { snapshots.push_back(service.latest()); });
        QObject::connect(&service, &Monitor::eventsReported, &service,
            [this](const EventList &list) { events.insert(events.end(), list->begin(), list->end()); });
        QObject::connect(&service.replay(), &Replay::jumped, &service, [this] { events.clear(); });
    }

    bool shows(const char *name) const
    {
        const auto snapshot = service.latest();
        const auto &locks = snapshot->locks;
        return std::any_of(locks.begin(), locks.end(), [name](const auto &lock) { return lock->name == name; });
    }

    Monitor service;
    std::vector<SnapshotPointer> snapshots;
    std::vector<Event> events;
};

} // namespace

class TestMonitorRecording : public ServerTest {
    Q_OBJECT

protected:
    void prepareNext() override
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("it.lockrec"));
    }

private Q_SLOTS:
    void replaysWhatWasSeenLockByLockAndEventByEvent();
    void showsARecordingAsIfItWereAServer();
    void tellsOfWhatWasToldSinceTheLastPicture();
    void beginsWhenItIsStarted();
    void saysWhereNothingWasRecorded();
    void tellsAtItsEndWhatWasNotSeenAnyMore();
    void countsNothingOfBeforeTheRecording();
    void countsWhatWasWaitedInARecordingAsTheMonitorDid();
    void tellsSinceWhenWaitsAreCounted();
    void tellsOfAFileThatCannotBeShown();
    void keepsWhatItShowsWhereAMomentIsDamaged();
    void beginsAnewBehindADamagedEvent();
    void goesOnWatchingWhenTheDiskIsFull();

private:
    /// Clients at work for a while, recorded.
    void recordAShop(Witness &witness);
    void recordRenewals(Now begin, int seconds) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
};

void TestMonitorRecording::recordAShop(Witness &witness)
{
    LockClientOptions options;
    options.watchdogTimeout = 900ms; // renewed every 300 ms
    LockUser anna(m_server.endpoint(), options);
    LockUser bert(m_server.endpoint(), options);
    QVERIFY(anna.waitReady() && bert.waitReady());
    const LockTarget fair{ "fair", Kind::Fair, std::nullopt };
    const LockTarget plain{ "plain", Kind::Reentrant, std::nullopt };
    QVERIFY(anna.tryLock({ "early", Kind::Reentrant, std::nullopt }));
    witness.service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(witness.service.latest()->status.phase == SourcePhase::Live, GenerousMs);
    QCoreApplication::processEvents(); // what led there
    witness.snapshots.clear();
    witness.snapshots.push_back(witness.service.latest());
    witness.events.clear();
    witness.service.recorder().start(m_file);
    QVERIFY(anna.tryLock(fair));
    const auto waiting = bert.startAcquire({ fair, "2", std::nullopt, std::nullopt });
    for (int i = 0; i < 6; ++i) {
        QVERIFY(bert.tryLock(plain, "1", 20'000ms));
        QVERIFY(bert.tryLock(plain, "1", 20'000ms));
        QTRY_VERIFY_WITH_TIMEOUT(witness.shows("plain"), GenerousMs);
        QVERIFY(bert.release(plain));
        QVERIFY(bert.release(plain));
        QTRY_VERIFY_WITH_TIMEOUT(!witness.shows("plain"), GenerousMs);
    }
    QVERIFY(anna.release(fair));
    QVERIFY(waiting->wait());
    const auto released = [&](const char *name) {
        return std::any_of(witness.events.begin(), witness.events.end(),
            [name](const Event &event) { return event.lock == name && event.kind == EventKind::Released; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(released("fair") && released("plain"), GenerousMs);
    QTRY_VERIFY_WITH_TIMEOUT(witness.service.recorder().state()->progress.events > 0, GenerousMs);
    witness.service.recorder().stop();
    QVERIFY(!witness.service.recorder().state());
}

void TestMonitorRecording::replaysWhatWasSeenLockByLockAndEventByEvent()
{
    Witness witness;
    QSignalSpy failures(&witness.service.recorder(), &Recorder::failed);
    recordAShop(witness);
    QCOMPARE(failures.size(), 0);
    auto player = Player::open(m_file);
    QVERIFY2(player, toString(player ? Error() : player.error()).c_str());
    QVERIFY(witness.snapshots.size() > 10);
    std::size_t compared = 0;
    for (std::size_t i = 1; i + 1 < witness.snapshots.size(); ++i) {
        const Snapshot &seen = *witness.snapshots[i];
        // The line runs as the steady clock does, and the wall clock may be slewed. The next one is 10 ms away.
        const auto shown = (*player)->at(MonoTime(seen.takenAt.wall.time_since_epoch()) + 5ms);
        QVERIFY(shown);
        const Snapshot &then = **shown;
        if (then.takenAt.wall - seen.takenAt.wall > 8ms)
            continue; // it was kept waiting between its two clocks
        ++compared;
        QCOMPARE(then.locks.size(), seen.locks.size());
        for (std::size_t k = 0; k < seen.locks.size(); ++k) {
            QCOMPARE(then.locks[k]->name, seen.locks[k]->name);
            // The moment at which it was read is the same on both clocks: from there all times are compared.
            const Now read{ seen.locks[k]->readAtMono, seen.locks[k]->readAt };
            const Now readThen{ then.locks[k]->readAtMono, then.locks[k]->readAt };
            QCOMPARE(shownOf(*then.locks[k], readThen), shownOf(*seen.locks[k], read));
        }
    }
    QVERIFY2(compared * 4 >= witness.snapshots.size() * 3, qPrintable(QString::number(compared)));
    const auto events = (*player)->events(MonoTime(), (*player)->span().last, 100'000);
    QVERIFY(events);
    QVERIFY(!events->empty());
    // A recording begins with the locks that are there.
    const auto first = std::find_if(
        events->begin(), events->end(), [](const Event &event) { return event.kind != EventKind::Appeared; });
    QVERIFY(first != events->end());
    const auto areThere = [&] { // those told last may still be on their way to us
        // What happened to one lock may be known before what happened earlier to another; a recording is read by time.
        std::vector<Event> told = witness.events;
        std::stable_sort(told.begin(), told.end(), [](const Event &a, const Event &b) { return a.at < b.at; });
        return std::search(told.begin(), told.end(), first, events->end()) != told.end();
    };
    QTRY_VERIFY_WITH_TIMEOUT(areThere(), GenerousMs);
}

void TestMonitorRecording::showsARecordingAsIfItWereAServer()
{
    Witness recorded;
    recordAShop(recorded);
    const auto moment = recorded.snapshots[recorded.snapshots.size() / 2];
    recorded.service.close();

    Witness witness;
    Monitor &service = witness.service;
    service.setWritable(true);
    service.replay().open(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(service.replay().state() && service.replay().state()->overview, GenerousMs);
    QVERIFY(service.replay().state()->overview->events > 0);
    service.replay().seek(moment->takenAt.wall + 2ms);
    const auto isThere = [&](WallTime wanted) {
        const auto shown = service.latest()->status.recordedAt;
        return shown && *shown - wanted <= 2ms && wanted - *shown <= 2ms; // the line is finer than milliseconds
    };
    QTRY_VERIFY_WITH_TIMEOUT(isThere(moment->takenAt.wall + 2ms), GenerousMs);
    QCOMPARE(shownOf(*service.latest()).size(), shownOf(*moment).size());

    QSignalSpy answers(&service, &Monitor::commandFinished);
    service.submit(ForceRelease{ "early", Kind::Reentrant, {}, "to see that nothing happens" });
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 1, GenerousMs);
    const auto answer = answers.front().at(1).value<Result<CommandOutcome>>();
    QVERIFY(!answer);
    QVERIFY(answer.error().message.find("recording") != std::string::npos);

    service.replay().seek(service.replay().state()->overview->first);
    QTRY_VERIFY_WITH_TIMEOUT(service.replay().state()->at == service.replay().state()->overview->first, GenerousMs);
    service.replay().play(16);
    QTRY_VERIFY_WITH_TIMEOUT(service.replay().state()->at == service.replay().state()->overview->last, GenerousMs);
    QTRY_VERIFY_WITH_TIMEOUT(!service.replay().state()->playing, GenerousMs);
    QCOMPARE(qint64(witness.events.size()), service.replay().state()->overview->events);
    const auto stepBack = [&] { // the last event may be in the recording's last millisecond
        service.replay().seekPreviousEvent();
        return service.replay().state()->at < service.replay().state()->overview->last;
    };
    QTRY_VERIFY_WITH_TIMEOUT(stepBack(), GenerousMs);

    service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(service.latest()->status.phase == SourcePhase::Live && !service.latest()->status.recordedAt
            && service.latest()->status.lastSweep,
        GenerousMs);
    QVERIFY(!service.replay().state());
}

/// A recording may begin when an event is known, and no picture shows yet what it led to.
void TestMonitorRecording::tellsOfWhatWasToldSinceTheLastPicture()
{
    MonitorOptions options;
    options.snapshotsPerSecond = 1;
    Witness witness(options);
    LockUser anna(m_server.endpoint());
    QVERIFY(anna.waitReady());
    witness.service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(witness.service.latest()->status.phase == SourcePhase::Live, GenerousMs);
    const auto isTold = [&](const LockName &lock) {
        return std::ranges::any_of(witness.events, [&](const Event &event) { return event.lock == lock; });
    };
    int taken = 0;
    const auto takesOneThatIsToldFirst = [&] { // after a picture there is none for a while
        const std::string name = "taken " + std::to_string(++taken);
        return anna.tryLock({ name, Kind::Reentrant, std::nullopt })
            && QTest::qWaitFor([&] { return isTold(name); }, GenerousMs) && !witness.shows(name.c_str());
    };
    QTRY_VERIFY_WITH_TIMEOUT(takesOneThatIsToldFirst(), GenerousMs);
    witness.service.recorder().start(m_file);
    const auto written = [&] { return witness.service.recorder().state()->progress.bytes > 0; };
    QTRY_VERIFY_WITH_TIMEOUT(written(), GenerousMs);
    witness.service.recorder().stop();

    const auto player = Player::open(m_file);
    QVERIFY(player);
    const auto [first, last] = (*player)->span();
    const auto shown = (*player)->at(last);
    const auto events = (*player)->events(MonoTime(), first, 100);
    QVERIFY(shown && events);
    const std::string name = "taken " + std::to_string(taken);
    QVERIFY((*shown)->locks.find(name));
    QVERIFY(std::ranges::any_of(*events, [&](const Event &event) { return event.lock == name; }));
}

/// Also where nothing is open yet, or something else is opened right then.
void TestMonitorRecording::beginsWhenItIsStarted()
{
    for (const bool wasOpen : { false, true }) {
        Witness witness;
        if (wasOpen) {
            witness.service.open(m_server.endpoint());
            QTRY_VERIFY_WITH_TIMEOUT(witness.service.latest()->status.phase == SourcePhase::Live, GenerousMs);
        }
        const QString file = m_folder->filePath(QString::number(wasOpen));
        const WallTime started = transport::wallNow();
        witness.service.recorder().start(file);
        witness.service.open(m_server.endpoint());
        const auto written = [&] { return witness.service.recorder().state()->progress.bytes > 0; };
        QTRY_VERIFY_WITH_TIMEOUT(written() && witness.service.latest()->status.phase == SourcePhase::Live, GenerousMs);
        witness.service.recorder().stop();
        const auto player = Player::open(file);
        QVERIFY(player);
        QVERIFY((*player)->wallAt((*player)->span().first) >= started - 100ms); // one clock is read after the other
    }
}

void TestMonitorRecording::saysWhereNothingWasRecorded()
{
    Witness witness;
    witness.service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(witness.service.latest()->status.phase == SourcePhase::Live, GenerousMs);
    QSignalSpy failures(&witness.service.recorder(), &Recorder::failed);
    witness.service.recorder().start(m_folder->filePath(QStringLiteral("no such folder/it")));
    witness.service.recorder().stop(); // at once
    QTRY_COMPARE_WITH_TIMEOUT(failures.size(), 1, GenerousMs);
    QVERIFY(!witness.service.recorder().state());
}

void TestMonitorRecording::tellsAtItsEndWhatWasNotSeenAnyMore()
{
    LockUser anna(m_server.endpoint());
    QVERIFY(anna.waitReady() && anna.tryLock({ "order", Kind::Reentrant, std::nullopt }, "1", 60s));
    Witness recorded;
    recorded.service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(recorded.shows("order"), GenerousMs);
    recorded.service.recorder().start(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(recorded.service.recorder().state()->progress.events > 0, GenerousMs);
    m_server.pause();
    const auto status = [&] { return recorded.service.latest()->status; };
    QTRY_VERIFY_WITH_TIMEOUT(status().phase == SourcePhase::Stale, GenerousMs);
    recorded.service.recorder().stop();

    Witness witness;
    Replay &replay = witness.service.replay();
    replay.open(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview, GenerousMs);
    const ReplayOverview overview = *replay.state()->overview;
    const auto toWall = [](MonoTime line) { return WallTime(std::chrono::floor<Millis>(line.time_since_epoch())); };
    QCOMPARE(overview.gaps.size(), std::size_t{ 1 });
    QCOMPARE(toWall(overview.gaps[0].last), overview.last);
    QVERIFY(overview.gaps[0].last - overview.gaps[0].first > 2s);
    const auto gaps
        = [&] { return std::ranges::count(witness.events, EventKind::Gap, [](const Event &it) { return it.kind; }); };
    replay.seek(overview.last);
    QTRY_COMPARE_WITH_TIMEOUT(gaps(), 1, GenerousMs);
    QCOMPARE(qint64(witness.events.size()), overview.events);
    replay.seek(toWall(overview.gaps[0].first));
    QTRY_COMPARE_WITH_TIMEOUT(gaps(), 0, GenerousMs);
    replay.play(16);
    QTRY_VERIFY_WITH_TIMEOUT(replay.state()->at == overview.last && !replay.state()->playing, GenerousMs);
    QTRY_COMPARE_WITH_TIMEOUT(gaps(), 1, GenerousMs);
}

void TestMonitorRecording::countsNothingOfBeforeTheRecording()
{
    LockUser anna(m_server.endpoint());
    QVERIFY(anna.waitReady());
    const LockTarget plain{ "plain", Kind::Reentrant, std::nullopt };
    Witness witness;
    Monitor &service = witness.service;
    const auto taken = [&] {
        const auto analysis = service.latest()->analysis;
        const LockStatistics *numbers = analysis ? statisticsOf(*analysis, "plain") : nullptr;
        return numbers == nullptr ? std::int64_t(0) : numbers->acquires;
    };
    const auto takeSoOften = [&](int times) {
        const auto before = taken();
        for (int i = 0; i < times; ++i) {
            QVERIFY(anna.tryLock(plain));
            QTRY_VERIFY_WITH_TIMEOUT(witness.shows("plain"), GenerousMs);
            QVERIFY(anna.release(plain));
            QTRY_VERIFY_WITH_TIMEOUT(!witness.shows("plain"), GenerousMs);
        }
        QTRY_COMPARE_WITH_TIMEOUT(taken(), before + times, GenerousMs);
    };
    service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(service.latest()->status.phase == SourcePhase::Live, GenerousMs);
    takeSoOften(3);
    service.recorder().start(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(service.recorder().state()->progress.bytes > 0, GenerousMs);
    takeSoOften(2);
    QTRY_VERIFY_WITH_TIMEOUT(service.recorder().state()->progress.events > 0, GenerousMs);
    service.recorder().stop();

    Replay &replay = service.replay();
    replay.open(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview, GenerousMs);
    const WallTime first = replay.state()->overview->first;
    const WallTime last = replay.state()->overview->last;
    const auto isAt = [&](WallTime moment) { return replay.state()->at == moment; };
    for (int round = 0; round < 2; ++round) {
        replay.seek(first);
        QTRY_VERIFY_WITH_TIMEOUT(isAt(first) && taken() == 0, GenerousMs);
        replay.seek(last);
        QTRY_VERIFY_WITH_TIMEOUT(isAt(last), GenerousMs);
        QTRY_COMPARE_WITH_TIMEOUT(taken(), 2, GenerousMs);
    }
    replay.play(16);
    QTRY_VERIFY_WITH_TIMEOUT(isAt(last) && !replay.state()->playing, GenerousMs);
    QTRY_COMPARE_WITH_TIMEOUT(taken(), 2, GenerousMs);
}

/// Whoever waits came before the monitor did: of that no event tells.
void TestMonitorRecording::countsWhatWasWaitedInARecordingAsTheMonitorDid()
{
    LockUser anna(m_server.endpoint());
    LockUser bert(m_server.endpoint());
    QVERIFY(anna.waitReady() && bert.waitReady());
    const LockTarget fair{ "fair", Kind::Fair, std::nullopt };
    QVERIFY(anna.tryLock(fair));
    const auto wait = bert.startAcquire({ fair, "1", std::nullopt, std::nullopt });
    QTRY_COMPARE_WITH_TIMEOUT(
        m_server.cli({ QStringLiteral("LLEN"), QStringLiteral("redisson_lock_queue:{fair}") }), "1", GenerousMs);
    Witness witness;
    Monitor &service = witness.service;
    const auto waited = [&] {
        const auto analysis = service.latest()->analysis;
        const LockStatistics *numbers = analysis ? statisticsOf(*analysis, "fair") : nullptr;
        return numbers == nullptr ? Millis(0) : numbers->blocked;
    };
    service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(waited() > 1s, GenerousMs);
    std::optional<Millis> begun; // what it had waited by then counts, and what it waits between the sessions
    Millis ended{ 0 };
    for (int session = 0; session < 2; ++session) {
        const Millis before = waited();
        begun = begun.value_or(before);
        service.recorder().start(m_file);
        QTRY_VERIFY_WITH_TIMEOUT(waited() > before + 2s, GenerousMs);
        ended = waited();
        const auto written = service.recorder().state()->progress.elapsed;
        QTRY_VERIFY_WITH_TIMEOUT(service.recorder().state()->progress.elapsed > written, GenerousMs);
        service.recorder().stop();
        QTRY_VERIFY_WITH_TIMEOUT(waited() > before + 4s, GenerousMs);
    }

    Replay &replay = service.replay();
    replay.open(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview, GenerousMs);
    const WallTime first = replay.state()->overview->first;
    const WallTime last = replay.state()->overview->last;
    const auto isAt = [&](WallTime moment) { return replay.state()->at == moment; };
    const auto isLike = [&](Millis live) { return waited() >= live - 10ms && waited() < live + 1'500ms; }; // rounded
    for (int round = 0; round < 2; ++round) {
        replay.seek(first);
        QTRY_VERIFY_WITH_TIMEOUT(isAt(first) && isLike(*begun), GenerousMs);
        replay.seek(last);
        QTRY_VERIFY_WITH_TIMEOUT(isAt(last), GenerousMs);
        QTRY_VERIFY_WITH_TIMEOUT(isLike(ended), GenerousMs);
    }
    replay.seek(first);
    QTRY_VERIFY_WITH_TIMEOUT(isAt(first), GenerousMs);
    replay.play(16);
    QTRY_VERIFY_WITH_TIMEOUT(isAt(last) && !replay.state()->playing, GenerousMs);
    QTRY_VERIFY_WITH_TIMEOUT(isLike(ended), GenerousMs);
    QVERIFY(anna.release(fair));
    QVERIFY(wait->wait());
}

/// In a long recording that is later than since when all that happened is told.
void TestMonitorRecording::tellsSinceWhenWaitsAreCounted()
{
    const Now begin = transport::readClocks();
    const auto at = [&](int i) { return Now{ begin.mono + 50ms * i, begin.wall + 50ms * i }; };
    constexpr int Count = 16'000;
    {
        const auto recorder = RecordingWriter::open(m_file, { 4 << 20, std::nullopt }, begin);
        QVERIFY(recorder);
        RecordingQueue::Content content;
        for (int i = 0; i < Count; ++i) {
            auto lock = std::make_shared<LockState>();
            lock->name = "listened";
            lock->kind = Kind::Reentrant;
            lock->subscribers = i % 7;
            auto snapshot = std::make_shared<Snapshot>();
            snapshot->takenAt = at(i);
            snapshot->locks = std::vector<LockList::Pointer>{ lock };
            content.snapshots.push_back(std::move(snapshot));
            if (i % 100 == 99)
                QVERIFY((*recorder)->write(std::exchange(content, {}), at(i)));
        }
    }
    Witness witness;
    Replay &replay = witness.service.replay();
    std::vector<std::pair<WallTime, WallTime>> jumps;
    std::vector<WaitCount> counts;
    connect(&replay, &Replay::jumped, this, [&](WallTime since, WallTime countedSince) {
        jumps.emplace_back(since, countedSince);
        counts.clear();
    });
    connect(&replay, &Replay::waitsCounted, this,
        [&](const WaitCountList &list) { counts.insert(counts.end(), list->begin(), list->end()); });
    replay.open(m_file);
    QTRY_VERIFY_WITH_TIMEOUT(replay.state() && replay.state()->overview && !jumps.empty(), GenerousMs);
    QCOMPARE(jumps.back(), (std::pair(begin.wall, begin.wall)));
    replay.seek(replay.state()->overview->last);
    QTRY_VERIFY_WITH_TIMEOUT(jumps.size() > 1 && !counts.empty(), GenerousMs);
    const auto &[since, countedSince] = jumps.back();
    QCOMPARE(since, begin.wall);
    const auto first = (countedSince - begin.wall) / 50ms;
    QVERIFY2(first > 9'000 && first < Count - 1'000, qPrintable(QString::number(first)));
    for (const WaitCount &each : counts)
        QVERIFY(each.at >= countedSince);
}

void TestMonitorRecording::tellsOfAFileThatCannotBeShown()
{
    Witness witness;
    QSignalSpy failures(&witness.service.replay(), &Replay::failed);
    witness.service.replay().open(m_folder->filePath(QStringLiteral("nothing")));
    QTRY_COMPARE_WITH_TIMEOUT(failures.size(), 1, GenerousMs);
    QTRY_VERIFY_WITH_TIMEOUT(witness.service.latest()->status.phase == SourcePhase::Failed, GenerousMs);
    QVERIFY(witness.service.latest()->status.error->message.find("no such file") != std::string::npos);
}

/// Of the moment that is shown nothing is forgotten for one that cannot be read.
void TestMonitorRecording::recordRenewals(Now begin, int seconds) const
{
    const auto recorder = RecordingWriter::open(m_file, {}, begin);
    QVERIFY(recorder);
    for (int second = 0; second < seconds; ++second) {
        const Now now{ begin.mono + 1s * second, begin.wall + 1s * second };
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = now;
        Event event;
        event.at = now.wall;
        event.kind = EventKind::Renewed;
        event.lock = "it " + std::to_string(second);
        RecordingQueue::Content content;
        content.snapshots.push_back(std::move(snapshot));
        content.reports.push_back({ std::make_shared<const std::vector<Event>>(1, event), now });
        QVERIFY((*recorder)->write(std::move(content), now));
    }
}

/// One damaged event takes away what was before it, and nothing else.
void TestMonitorRecording::beginsAnewBehindADamagedEvent()
{
    recordRenewals(transport::readClocks(), 40);
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("damage"));
        database.setDatabaseName(m_file);
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(QStringLiteral("UPDATE event SET count = 7 WHERE lock = CAST('it 0' AS BLOB) "
                                          "OR lock = CAST('it 20' AS BLOB)")));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("damage"));
    Witness witness;
    Replay &replay = witness.service.replay();
    QSignalSpy failures(&replay, &Replay::failed);
    QSignalSpy warnings(&replay, &Replay::warned);
    QSignalSpy jumps(&replay, &Replay::jumped);
    QSignalSpy checks(&replay, &Replay::checked);
    replay.check(m_file);
    QTRY_COMPARE_WITH_TIMEOUT(checks.size(), 1, GenerousMs);
    QVERIFY(!checks.front().back().value<std::optional<Error>>());
    replay.open(m_file);
    QTRY_COMPARE_WITH_TIMEOUT(warnings.size(), 1, GenerousMs);
    QVERIFY(witness.events.empty());
    const WallTime first = replay.state()->overview->first;
    const auto told = [&] {
        return witness.events.empty() ? std::string()
                                      : witness.events.front().lock + " to " + witness.events.back().lock;
    };
    replay.seek(first + 15s);
    QTRY_COMPARE_WITH_TIMEOUT(told(), std::string("it 1 to it 15"), GenerousMs);
    replay.play(10);
    QTRY_COMPARE_WITH_TIMEOUT(told(), std::string("it 21 to it 39"), GenerousMs);
    QTRY_VERIFY_WITH_TIMEOUT(!replay.state()->playing, GenerousMs);
    QCOMPARE(replay.state()->at, replay.state()->overview->last);
    QCOMPARE(warnings.size(), 2);
    QVERIFY(jumps.back().front().value<WallTime>() > replay.state()->overview->first + 19s);
    QVERIFY(failures.empty());
}

void TestMonitorRecording::keepsWhatItShowsWhereAMomentIsDamaged()
{
    recordRenewals(transport::readClocks(), 300);
    QFile file(m_file);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    int damaged = 0;
    constexpr qsizetype Page = 4'096;
    for (qsizetype page = Page; page < good.size(); page += Page) {
        QFile copy(m_folder->filePath(QStringLiteral("%1.lockrec").arg(page)));
        QByteArray bad = good;
        bad.replace(page, 2'000, QByteArray(2'000, '\xa5'));
        QVERIFY(copy.open(QIODevice::WriteOnly) && copy.write(bad) == bad.size());
        copy.close();
        Witness witness;
        Replay &replay = witness.service.replay();
        QSignalSpy failures(&replay, &Replay::failed);
        QSignalSpy jumps(&replay, &Replay::jumped);
        replay.open(copy.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(replay.state()->overview || !failures.empty(), GenerousMs);
        if (!failures.empty())
            continue;
        const auto told = witness.events.size();
        replay.seek(replay.state()->overview->last);
        QTRY_VERIFY_WITH_TIMEOUT(replay.state()->at == replay.state()->overview->last || !failures.empty(), GenerousMs);
        if (failures.empty())
            continue;
        ++damaged;
        QCOMPARE(failures.front().front().value<Error>().why.front().phrase, Phrase::DamagedAt);
        QCOMPARE(jumps.size(), 1); // to its beginning
        QCOMPARE(witness.events.size(), told);
        QCOMPARE(replay.state()->at, replay.state()->overview->first);
    }
    QVERIFY(damaged > 0);
}

void TestMonitorRecording::goesOnWatchingWhenTheDiskIsFull()
{
    Witness witness;
    witness.service.open(m_server.endpoint());
    QTRY_VERIFY_WITH_TIMEOUT(witness.service.latest()->status.phase == SourcePhase::Live, GenerousMs);
    LockUser user(m_server.endpoint());
    QVERIFY(user.waitReady());
    QSignalSpy failures(&witness.service.recorder(), &Recorder::failed);

    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit little{ 200'000, before.rlim_max };
    setrlimit(RLIMIT_FSIZE, &little);
    witness.service.recorder().start(m_file);
    const bool begun = QTest::qWaitFor(
        [&] { return witness.service.recorder().state() && witness.service.recorder().state()->progress.bytes > 0; },
        GenerousMs);
    const bool failed = QTest::qWaitFor(
        [&] {
            const std::string name(20'000, 'x');
            return !failures.isEmpty() || (user.tryLock({ name, Kind::Reentrant, std::nullopt }, "1", 5s), false);
        },
        GenerousMs);
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(begun && failed);
    QVERIFY(!witness.service.recorder().state());

    QVERIFY(user.tryLock({ "after", Kind::Reentrant, std::nullopt }));
    const auto isSeen = [&] {
        const auto snapshot = witness.service.latest();
        const auto &locks = snapshot->locks;
        return std::any_of(locks.begin(), locks.end(), [](const auto &lock) { return lock->name == "after"; });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isSeen(), GenerousMs);
    auto player = Player::open(m_file); // what could be written is whole
    QVERIFY(player);
    QVERIFY((*player)->at((*player)->span().last));
}

QTEST_GUILESS_MAIN(TestMonitorRecording)
#include "tst_monitor_recording.moc"
