// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/recording_writer.h"
#include "lockcore/service/replay/recorder.h"
#include "lockcore/service/replay/replay.h"
#include "lockcore/service/replay/replay_figures.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <mutex>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::service;

namespace {

using seconds = std::chrono::seconds;

constexpr int Sessions = 20;

MonoTime at(int second) { return MonoTime(seconds(second)); }

/// For as long as the monitor is open somebody waits.
std::shared_ptr<const Snapshot> recordedAt(MonoTime moment)
{
    auto numbers = std::make_shared<LockStatistics>();
    numbers->lock = "stock";
    numbers->blocked = std::chrono::duration_cast<Millis>(moment.time_since_epoch());
    StatisticsList list;
    list.apply({ { "stock", numbers } });
    auto analysis = std::make_shared<Analysis>();
    analysis->at = moment;
    analysis->statistics = std::make_shared<const StatisticsList>(std::move(list));
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->analysis = std::move(analysis);
    return snapshot;
}

} // namespace

class TestReplayFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_read.clear();
        std::vector<RecordedSpan> sessions;
        for (int i = 0; i < Sessions; ++i)
            sessions.push_back({ at(100 * i + 10), at(100 * i + 20) });
        m_figures = std::make_unique<ReplayFigures>();
        m_figures->setRecording(std::move(sessions), [this](MonoTime moment) {
            ++m_read[moment];
            return recordedAt(moment);
        });
        m_figures->restart(at(10));
    }

    void addsUpWhatWasWaitedWhileItWasRecorded()
    {
        QCOMPARE(waited(10), Millis(0));
        QCOMPARE(waited(15), Millis(5'000));
        QCOMPARE(waited(20), Millis(10'000));
        QCOMPARE(waited(112), Millis(12'000));
        QCOMPARE(waited(100 * (Sessions - 1) + 20), Millis(10'000 * Sessions));
        m_figures->restart(at(115));
        QCOMPARE(waited(118), Millis(3'000));
        QCOMPARE(waited(213), Millis(8'000));
    }

    /// What they have waited who wait is told beside it, and no sum is less than its parts.
    void countsWhatThoseHadWaitedWhoStoodInTheQueue()
    {
        Waiter waiter{ { "client", "1" }, {}, { at(4), false }, true };
        const auto queued = [&](MonoTime moment) {
            auto lock = std::make_shared<LockState>();
            lock->name = "stock";
            lock->waiters = { waiter, { { "ghost", "1" }, {}, { at(1), true }, false } };
            auto snapshot = std::make_shared<Snapshot>(*recordedAt(moment));
            snapshot->locks.apply({ { lock->name, std::shared_ptr<const LockState>(lock) } });
            return snapshot;
        };
        // What was concluded last before a moment is of some time before, and so is what it counts.
        m_figures->setRecording({ { at(10), at(20) } }, [&](MonoTime moment) {
            auto late = std::make_shared<Snapshot>(*queued(moment - seconds(1)));
            late->takenAt.mono = moment;
            return late;
        });
        m_figures->restart(at(10));
        QCOMPARE(waited(15), Millis(11'000));
        m_figures->setRecording({ { at(10), at(20) }, { at(110), at(120) } }, queued);
        m_figures->restart(at(10));
        QCOMPARE(waited(10), Millis(6'000));
        QCOMPARE(waited(15), Millis(11'000));
        QCOMPARE(waited(20), Millis(16'000));
        QCOMPARE(waited(112), Millis(108'000)); // it waited in between, too
        waiter.since.at = at(105); // another one
        m_figures->setRecording({ { at(10), at(20) }, { at(110), at(120) } }, queued);
        m_figures->restart(at(10));
        QCOMPARE(waited(112), Millis(10'000 + 5'000 + 2'000));
    }

    /// While its server was lost nothing was counted, and what is shown says until when it was.
    void countsNothingOfBeforeWhereARecordingBeginsWithoutItsServer()
    {
        auto numbers = std::make_shared<LockStatistics>();
        numbers->lock = "stock";
        numbers->blocked = Millis(103'000); // of others, too, who were before it
        numbers->blockedUntil = at(7);
        auto lock = std::make_shared<LockState>();
        lock->name = "stock";
        lock->waiters = { { { "client", "1" }, {}, { at(4), false }, true } };
        const auto lost = [&](MonoTime moment) {
            auto snapshot = std::make_shared<Snapshot>(*recordedAt(moment));
            auto analysis = std::make_shared<Analysis>(*snapshot->analysis);
            StatisticsList list;
            list.apply({ { "stock", std::shared_ptr<const LockStatistics>(numbers) } });
            analysis->statistics = std::make_shared<const StatisticsList>(std::move(list));
            snapshot->analysis = std::move(analysis);
            snapshot->locks.apply({ { lock->name, std::shared_ptr<const LockState>(lock) } });
            return snapshot;
        };
        m_figures->setRecording({ { at(10), at(20) } }, lost);
        m_figures->restart(at(10));
        const auto shown = m_figures->in(lost(at(15)), at(15));
        QCOMPARE(statisticsOf(*shown->analysis, "stock")->blocked, Millis(3'000));
        QCOMPARE(*statisticsOf(*shown->analysis, "stock")->blockedUntil, at(7));
    }

    /// What was counted just before the recording began is no rate of it.
    void ratesAreOfTheRecordingAlone()
    {
        const auto ratesAt = [this](int second) {
            auto recorded = std::make_shared<Snapshot>(*recordedAt(at(second)));
            recorded->status.rates.renewals = 7;
            return m_figures->in(recorded, at(second))->status.rates;
        };
        const Rates unknown{ .areUnknown = true };
        const auto renewalsAt = [&](int second) { return ratesAt(second).renewals; };
        const auto hear = [this](EventKind kind, int second) {
            Event event;
            event.kind = kind;
            event.lock = "stock";
            m_figures->heard(event, at(second));
        };
        QCOMPARE(ratesAt(10), unknown);
        hear(EventKind::Renewed, 11);
        hear(EventKind::Renewed, 12);
        QCOMPARE(renewalsAt(14), 0.5);
        QCOMPARE(renewalsAt(21), 7.0);
        hear(EventKind::Gap, 110); // another session begins
        QCOMPARE(ratesAt(110), unknown);
        hear(EventKind::Renewed, 111);
        QCOMPARE(renewalsAt(112), 0.5);
        QCOMPARE(renewalsAt(121), 7.0);
    }

    /// After a jump only the newest events are told: those of part of a second are no rate, and what was recorded is.
    void ratesThatWereRecordedStayWhereOlderEventsAreLeftOut()
    {
        m_figures->restart(at(15));
        Event event;
        event.kind = EventKind::Renewed;
        event.lock = "stock";
        for (int i = 0; i < 100; ++i)
            m_figures->heard(event, at(14) + seconds(i / 50));
        auto recorded = std::make_shared<Snapshot>(*recordedAt(at(17)));
        recorded->status.rates.renewals = 7;
        QCOMPARE(m_figures->in(recorded, at(17))->status.rates.renewals, 7.0);
    }

    /// Of a large server each picture takes a while.
    void readsEachBeginningAndEndOnce()
    {
        for (int round = 0; round < 3; ++round) {
            m_figures->restart(at(10));
            for (int i = 0; i < Sessions; ++i)
                QCOMPARE(waited(100 * i + 15), Millis(10'000 * i + 5'000));
        }
        for (const auto &[moment, times] : m_read)
            QVERIFY2(
                times == 1, std::to_string(std::chrono::floor<seconds>(moment).time_since_epoch().count()).c_str());
        QCOMPARE(m_read.size(), std::size_t{ 2 * Sessions - 1 });
    }

    /// The time line goes on from where it was, and so does what happened.
    void tellsSessionsInTheirOrderThoughTheClockWasSetBack()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("recording"));
        for (const auto &[lock, second, wall] : { std::tuple("first", 100, 7'200), std::tuple("second", 200, 3'600) }) {
            const Now begin{ at(second), WallTime(seconds(wall)) };
            const auto recorder = RecordingWriter::open(file, {}, begin);
            QVERIFY(recorder);
            auto picture = std::make_shared<Snapshot>(*recordedAt(begin.mono));
            picture->takenAt = begin;
            Event event;
            event.kind = EventKind::Renewed;
            event.lock = lock;
            event.at = begin.wall + seconds(5);
            const Now then{ begin.mono + seconds(5), event.at };
            QVERIFY((*recorder)->write(
                { { picture }, { { std::make_shared<const std::vector<Event>>(1, event), then } } }, then));
        }
        std::vector<std::string> told;
        Replay replay({ [] {}, [] {}, [](auto) {},
            [&](const EventList &events) {
                for (const Event &event : *events)
                    told.push_back(event.kind == EventKind::Gap ? "gap" : event.lock);
            } });
        connect(&replay, &Replay::jumped, this, [&] { told.clear(); });
        replay.open(file);
        QTRY_VERIFY(replay.state() && replay.state()->overview);
        replay.seek(replay.state()->overview->last);
        QTRY_COMPARE(told.size(), std::size_t{ 3 });
        QCOMPARE(told, (std::vector<std::string>{ "first", "gap", "second" }));
    }

    /// What the wall clock said then it said again later, as it was set back.
    void tellsTheGapBetweenSessionsThoughTheClockWasSetBackAndEventsAreMany()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("recording"));
        for (const auto &[second, wall] : { std::pair(100, 7'200), std::pair(200, 7'190) }) {
            const Now begin{ at(second), WallTime(seconds(wall)) };
            const auto recorder = RecordingWriter::open(file, {}, begin);
            QVERIFY(recorder);
            auto picture = std::make_shared<Snapshot>(*recordedAt(begin.mono));
            picture->takenAt = begin;
            Event event;
            event.kind = EventKind::Renewed;
            event.lock = "order";
            event.at = begin.wall + seconds(5);
            const Now then{ begin.mono + seconds(5), event.at };
            QVERIFY((*recorder)->write(
                { { picture }, { { std::make_shared<const std::vector<Event>>(6'000, event), then } } },
                { begin.mono + seconds(60), begin.wall + seconds(60) }));
        }
        std::ptrdiff_t events = 0;
        std::ptrdiff_t gaps = 0;
        Replay replay({ [] {}, [] {}, [](auto) {},
            [&](const EventList &told) {
                events = std::ssize(*told);
                gaps = std::ranges::count(*told, EventKind::Gap, &Event::kind);
            } });
        replay.open(file);
        QTRY_VERIFY(replay.state() && replay.state()->overview);
        replay.seek(replay.state()->overview->last);
        QTRY_VERIFY(events >= 10'000);
        QCOMPARE(gaps, 1);
    }

    /// Of a gap the wall clock says whole milliseconds, and it may be ahead of the time line by less than one.
    void tellsALookBehindAGapNotBeforeItsEnd()
    {
        using std::chrono::microseconds;
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("recording"));
        const Now begin{ at(100), WallTime(seconds(100)) };
        {
            const auto recorder = RecordingWriter::open(file, {}, begin);
            QVERIFY(recorder);
            auto picture = std::make_shared<Snapshot>(*recordedAt(begin.mono));
            picture->takenAt = begin;
            Event gap;
            gap.kind = EventKind::Gap;
            gap.node = "node";
            gap.at = begin.wall + Millis(2'338);
            gap.ttl = Millis(400);
            const Now over{ begin.mono + microseconds(2'337'547), gap.at };
            const auto gaps = std::make_shared<const std::vector<Event>>(1, gap);
            QVERIFY((*recorder)->write({ { picture }, { { gaps, over } } }, over));
            auto later = std::make_shared<Snapshot>(*picture);
            later->takenAt = { begin.mono + seconds(3), begin.wall + seconds(3) };
            later->status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = over.mono + microseconds(340) };
            later->nodes.resize(1);
            later->nodes[0].node = "node";
            later->nodes[0].status = later->status;
            QVERIFY((*recorder)->write({ { later }, {} }, later->takenAt));
        }
        std::optional<WallTime> end;
        std::map<std::string, WallTime> looks;
        Replay replay({ [] {}, [] {}, [](auto) {},
            [&](const EventList &events) {
                for (const Event &event : *events)
                    if (event.kind == EventKind::Gap)
                        end = event.at;
            } });
        connect(&replay, &Replay::lookedAtAll, this,
            [&](WallTime moment, const std::string &node) { looks[node] = moment; });
        replay.open(file);
        QTRY_VERIFY(replay.state() && replay.state()->overview);
        replay.seek(replay.state()->overview->last);
        QTRY_VERIFY(end && looks.contains("node"));
        QCOMPARE(*end, begin.wall + Millis(2'338));
        QCOMPARE(looks[""], *end);
        QCOMPARE(looks["node"], *end);
    }

    /// Its end cannot be read, but its locks are those of another server.
    void recordsNoOtherServerIntoARecordingWhoseEndIsDamaged()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("recording"));
        const auto pictureOf = [](const char *server, int second) {
            auto picture = std::make_shared<Snapshot>(*recordedAt(at(second)));
            picture->takenAt = { at(second), WallTime(seconds(second)) };
            picture->status.server = server;
            return picture;
        };
        {
            const auto recorder = RecordingWriter::open(file, {}, pictureOf("one", 100)->takenAt);
            QVERIFY(recorder);
            for (const int second : { 100, 105 }) {
                const auto picture = pictureOf("one", second);
                QVERIFY((*recorder)->write({ { picture }, {} }, picture->takenAt));
            }
        }
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
            database.setDatabaseName(file);
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(
                QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = (SELECT max(at) FROM frame)")));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("test"));
        std::optional<Error> failed;
        bool isWritten = false;
        Recorder *running = nullptr;
        Recorder recorder([&](auto begin) {
            begin();
            running->put(pictureOf("two", 200));
            return true;
        });
        running = &recorder;
        connect(&recorder, &Recorder::failed, this, [&](const Error &error) { failed = error; });
        connect(&recorder, &Recorder::changed, this,
            [&] { isWritten = isWritten || (recorder.state() && recorder.state()->progress.bytes > 0); });
        recorder.start(file, {});
        QTRY_VERIFY(failed || isWritten);
        QVERIFY(failed && failed->code == ErrorCode::Cancelled);
    }

private:
    Millis waited(int second)
    {
        const auto shown = m_figures->in(recordedAt(at(second)), at(second));
        const LockStatistics *numbers = statisticsOf(*shown->analysis, "stock");
        return numbers == nullptr ? Millis(0) : numbers->blocked;
    }

    std::map<MonoTime, int> m_read;
    std::unique_ptr<ReplayFigures> m_figures;
};

QTEST_GUILESS_MAIN(TestReplayFigures)
#include "tst_replay_figures.moc"
