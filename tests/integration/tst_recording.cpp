// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/player.h"
#include "lockcore/recording/recorder.h"
#include "recorded_world.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <utility>

using namespace lockcore;
using namespace std::chrono_literals;
using recordingtest::World;

namespace {

constexpr auto Start = WallTime(Millis(1'763'700'000'000));

/// A steady clock that reads like the wall clock, so that what is replayed can be compared as it is.
Now at(Millis since, Millis steadyAhead = Millis(0))
{
    return { MonoTime((Start + since + steadyAhead).time_since_epoch()), Start + since };
}

bool sameLock(const LockState &a, const LockState &b)
{
    const auto sameParts = std::equal(a.rare->members.begin(), a.rare->members.end(), b.rare->members.begin(),
        b.rare->members.end(), [](const auto &one, const auto &other) { return sameLock(*one, *other); });
    LockState left = a;
    LockState right = b;
    for (LockState *lock : { &left, &right }) {
        lock->rare.edit().members.clear();
        lock->ttlHistory = nullptr;
    }
    return sameParts && left == right && ttlHistoryOf(a) == ttlHistoryOf(b);
}

template <typename Value>
bool sameValue(const std::shared_ptr<const Value> &a, const std::shared_ptr<const Value> &b)
{
    return bool(a) == bool(b) && (!a || *a == *b);
}

bool sameAnalysis(const Analysis &a, const Analysis &b)
{
    return a.at == b.at && a.suspects == b.suspects && a.moreSuspects == b.moreSuspects && a.pending == b.pending
        && *a.graph == *b.graph
        && std::equal(a.statistics->begin(), a.statistics->end(), b.statistics->begin(), b.statistics->end(),
            [](const auto &one, const auto &other) { return *one == *other; });
}

bool sameSnapshot(const Snapshot &replayed, const Snapshot &seen)
{
    SourceStatus status = replayed.status;
    if (status.recordedAt != replayed.takenAt.wall)
        return false;
    status.recordedAt.reset();
    return status == seen.status && replayed.nodes == seen.nodes && sameValue(replayed.channels, seen.channels)
        && replayed.moreChannels == seen.moreChannels
        && std::equal(replayed.locks.begin(), replayed.locks.end(), seen.locks.begin(), seen.locks.end(),
            [](const auto &a, const auto &b) { return sameLock(*a, *b); })
        && sameAnalysis(*replayed.analysis, *seen.analysis);
}

RecordingQueue::Content only(std::shared_ptr<const Snapshot> snapshot) { return { { std::move(snapshot) }, {} }; }

RecordingQueue::Content only(std::vector<Event> events, Now now)
{
    return { {}, { { std::make_shared<const std::vector<Event>>(std::move(events)), now } } };
}

} // namespace

class TestRecording : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("it.lockrec"));
    }

    void replaysWhatWasSeenAtEachMoment();
    void keepsTheTimesOfAMomentWhateverTheSteadyClockWas();
    void givesBackEventsByTime();
    void stepsFromWhatOneEventLedToToTheNext();
    void goesOnInTheSameFileThoughTheClockWasSetBack();
    void saysStaleBetweenTwoSessions();
    void tellsWhenTheDiskWasTooSlowForAllEvents();
    void keepsItsSize();
    void givesSpaceBackWhenLessIsAllowed();
    void keepsItsAge();
    void refusesWhatIsNoRecording_data();
    void refusesWhatIsNoRecording();
    void survivesAnyDamage();
    void refusesASecondRecorder();
    void readsWhereNothingCanBeWritten();

private:
    std::unique_ptr<Recorder> record(Now now, RecordingLimits limits = {})
    {
        auto recorder = Recorder::open(m_file, limits, now);
        if (!recorder)
            qWarning("%s", toString(recorder.error()).c_str());
        return recorder ? std::move(*recorder) : nullptr;
    }
    std::unique_ptr<Player> play()
    {
        auto player = Player::open(m_file);
        if (!player)
            qWarning("%s", toString(player.error()).c_str());
        return player ? std::move(*player) : nullptr;
    }
    void recordLoad(World &world, Recorder &recorder, Millis from, int rounds, qint64 *largest = nullptr);

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_file;
};

void TestRecording::replaysWhatWasSeenAtEachMoment()
{
    World world(1);
    std::vector<std::shared_ptr<const Snapshot>> seen;
    {
        // So little that there are many whole frames.
        const auto recorder = record(at(0ms), { 4 << 20, std::nullopt });
        QVERIFY(recorder);
        RecordingQueue::Content content;
        for (int i = 0; i < 400; ++i) {
            seen.push_back(world.next(at(50ms * i), 8));
            content.snapshots.push_back(seen.back());
            if (i % 20 == 19)
                QVERIFY(recorder->write(std::exchange(content, {}), at(50ms * i)));
        }
    }
    const auto player = play();
    QVERIFY(player);
    QCOMPARE(player->span(), (RecordedSpan{ at(0ms).mono, at(50ms * 399).mono }));
    const auto isRight = [&](int i, Millis later) {
        const auto snapshot = player->at(at(50ms * i + later).mono);
        return snapshot && (*snapshot)->takenAt.mono == at(50ms * i + later).mono
            && (*snapshot)->takenAt.wall == at(50ms * i + later).wall
            && sameSnapshot(**snapshot, *seen[std::size_t(i)]);
    };
    for (int i = 0; i < 399; ++i)
        QVERIFY2(isRight(i, i % 2 == 0 ? 0ms : 49ms), qPrintable(QString::number(i)));
    for (int i = 399; i >= 0; --i)
        QVERIFY2(isRight(i, 0ms), qPrintable(QString::number(i)));
    for (int i = 0; i < 400; ++i)
        QVERIFY2(isRight(i * 149 % 400, 0ms), qPrintable(QString::number(i)));
}

void TestRecording::keepsTheTimesOfAMomentWhateverTheSteadyClockWas()
{
    const auto since = [](Millis millis) { return Now{ MonoTime(MonoTime::duration(77)) + millis, Start + millis }; };
    auto snapshot = std::make_shared<Snapshot>();
    auto lock = std::make_shared<LockState>();
    lock->name = "lock";
    lock->ttlHistory = TtlHistory(std::vector<TtlCorner>());
    lock->holders.push_back({});
    lock->expiresAt = since(30'000ms).mono;
    lock->waiters = { { {}, Start + 90s, { since(-2s).mono, true }, {} } };
    snapshot->takenAt = since(0ms);
    snapshot->locks = { lock };
    {
        const auto recorder = record(since(0ms));
        QVERIFY(recorder->write(only(snapshot), since(0ms)));
        QVERIFY(recorder->write({}, since(20s)));
    }
    const auto player = play();
    const auto later = player->at(player->span().first + 12s);
    QVERIFY(later);
    const Now now = (*later)->takenAt;
    QCOMPARE(now.wall, Start + 12s);
    const LockState &replayed = *(*later)->locks[0];
    QCOMPARE(ttlAt(replayed, now.mono), std::optional(Millis(18'000)));
    QCOMPARE(now.mono - replayed.waiters.at(0).since.at, MonoTime::duration(14s));
    QCOMPARE(*replayed.waiters.at(0).deadline - now.wall, Millis(78'000));
}

void TestRecording::givesBackEventsByTime()
{
    World world(2);
    std::vector<Event> seen;
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(world.next(at(0ms), 5)), at(0ms)));
        for (int i = 0; i < 100; ++i) {
            std::vector<Event> events{ world.event(at(100ms * i)), world.event(at(100ms * i + 1ms)) };
            seen.insert(seen.end(), events.begin(), events.end());
            QVERIFY(recorder->write(only(events, at(100ms * i + 1ms)), at(100ms * i + 1ms)));
        }
    }
    const auto player = play();
    QCOMPARE(player->eventCount(), 200);
    QCOMPARE(player->events(MonoTime(), player->span().last, 1'000), Result<std::vector<Event>>(seen));
    QCOMPARE(player->events(at(100ms).mono, at(200ms).mono, 1'000),
        Result<std::vector<Event>>({ seen.begin() + 3, seen.begin() + 5 }));
    QCOMPARE(
        player->events(MonoTime(), player->span().last, 3), Result<std::vector<Event>>({ seen.end() - 3, seen.end() }));
    const auto density = player->density(10);
    QVERIFY(density);
    QCOMPARE(density->size(), 10);
    for (const auto count : *density)
        QCOMPARE(count, 20);
}

void TestRecording::stepsFromWhatOneEventLedToToTheNext()
{
    World world(3);
    const auto recorder = record(at(0ms));
    QVERIFY(recorder->write(only(world.next(at(0ms), 5)), at(0ms)));
    // Seen 30 ms after it happened, and two seen together.
    QVERIFY(recorder->write(only({ world.event(at(970ms)) }, at(970ms)), at(970ms)));
    QVERIFY(recorder->write(only(world.next(at(1'000ms), 5)), at(1'000ms)));
    QVERIFY(recorder->write(only({ world.event(at(1'960ms)), world.event(at(1'980ms)) }, at(1'980ms)), at(1'980ms)));
    QVERIFY(recorder->write(only(world.next(at(2'000ms), 5)), at(2'000ms)));
    QVERIFY(recorder->write({}, at(3'000ms)));
    const auto player = play();
    const auto moment = [](Millis since) { return Result<std::optional<MonoTime>>(at(since).mono); };
    const Result<std::optional<MonoTime>> none = std::optional<MonoTime>();
    QCOMPARE(player->nextEvent(player->span().first), moment(1'000ms));
    QCOMPARE(player->nextEvent(at(1'000ms).mono), moment(2'000ms));
    QCOMPARE(player->nextEvent(at(2'000ms).mono), none);
    QCOMPARE(player->previousEvent(player->span().last), moment(2'000ms));
    QCOMPARE(player->previousEvent(at(2'000ms).mono), moment(1'000ms));
    QCOMPARE(player->previousEvent(at(1'000ms).mono), none);
}

void TestRecording::goesOnInTheSameFileThoughTheClockWasSetBack()
{
    World world(4);
    const auto first = world.next(at(1h), 9);
    QVERIFY(record(at(1h))->write(only(first), at(1h + 1min)));
    const Now back = at(0ms, 5h); // the steady clock cannot be set back
    const auto second = world.next(back, 9);
    QVERIFY(record(back)->write(only(second), at(1min, 5h)));
    const auto player = play();
    QCOMPARE(player->sessions().size(), 2);
    QVERIFY(player->sessions()[0].last < player->sessions()[1].first);
    const auto shown = player->at(player->span().last);
    QVERIFY(shown);
    QCOMPARE((*shown)->takenAt.wall, Start + 1min);
    QCOMPARE((*shown)->locks.size(), second->locks.size());
}

void TestRecording::saysStaleBetweenTwoSessions()
{
    World world(5);
    const auto seen = world.next(at(0ms), 9);
    QVERIFY(record(at(0ms))->write(only(seen), at(10s)));
    QVERIFY(record(at(60s))->write(only(world.next(at(60s), 9)), at(70s)));
    const auto player = play();
    QCOMPARE(player->gaps(), (Result<std::vector<RecordedSpan>>({ { at(10s).mono, at(60s).mono } })));
    const auto between = player->at(at(30s).mono);
    QVERIFY(between);
    QVERIFY((*between)->status.phase == SourcePhase::Stale);
    QVERIFY(*(*between)->status.staleSince <= at(10s).mono);
    QCOMPARE((*between)->locks.size(), seen->locks.size());
    QVERIFY((*player->at(at(5s).mono))->status.phase == seen->status.phase);
}

void TestRecording::tellsWhenTheDiskWasTooSlowForAllEvents()
{
    World world(6);
    RecordingQueue queue;
    const auto many = std::make_shared<const std::vector<Event>>(30'000, world.event(at(0ms)));
    for (int i = 0; i < 10; ++i)
        queue.put(many, at(1s * i));
    for (int i = 0; i < 1'000; ++i)
        queue.put(world.next(at(10ms * i), 1));
    const auto content = queue.take(at(10s));
    QVERIFY(content.snapshots.size() <= 500);
    QCOMPARE(content.snapshots.back()->takenAt.wall, at(9'990ms).wall);
    const Event &gap = content.reports.back().events->back();
    QVERIFY(gap.kind == EventKind::Gap);
    QCOMPARE(gap.ttl, std::optional(Millis(4'000)));
    QVERIFY(queue.take(at(11s)).reports.empty());
}

void TestRecording::recordLoad(World &world, Recorder &recorder, Millis from, int rounds, qint64 *largest)
{
    RecordingQueue::Content content;
    for (int i = 0; i < rounds; ++i) {
        const Now now = at(from + 400ms * i);
        content.snapshots.push_back(world.next(now, 40));
        content.reports.push_back(only(std::vector<Event>(40, world.event(now)), now).reports.front());
        if (i % 10 < 9)
            continue;
        QVERIFY(recorder.write(std::exchange(content, {}), now));
        if (largest != nullptr)
            *largest = std::max({ *largest, QFile(m_file).size() + QFile(m_file + QStringLiteral("-wal")).size() });
    }
}

void TestRecording::keepsItsSize()
{
    constexpr qint64 Limit = 3 << 20;
    World world(7);
    qint64 largest = 0;
    {
        const auto recorder = record(at(0ms), { Limit, std::nullopt });
        recordLoad(world, *recorder, 0ms, 600, &largest);
    }
    QVERIFY2(QFile(m_file).size() <= Limit, qPrintable(QString::number(QFile(m_file).size())));
    QVERIFY2(largest <= Limit + Limit / 2, qPrintable(QString::number(largest)));
    const auto player = play();
    QVERIFY(player);
    QVERIFY(player->span().first > at(0ms).mono); // something had to go, and not all of it
    QVERIFY(player->span().last - player->span().first > 20s);
    QVERIFY(player->at(player->span().first));
    const auto early = player->events(MonoTime(), player->span().first - 1us, 10);
    QVERIFY(early && early->empty());
}

void TestRecording::givesSpaceBackWhenLessIsAllowed()
{
    World world(8);
    recordLoad(world, *record(at(0ms)), 0ms, 300);
    const qint64 before = QFile(m_file).size();
    QVERIFY(before > 2 << 20);
    {
        const auto recorder = record(at(300s), { 1 << 20, std::nullopt });
        recordLoad(world, *recorder, 300s, 30);
    }
    QVERIFY2(QFile(m_file).size() <= 1 << 20, qPrintable(QString::number(QFile(m_file).size())));
    QVERIFY(play());
}

void TestRecording::keepsItsAge()
{
    World world(9);
    {
        const auto recorder = record(at(0ms), { std::nullopt, 20s });
        recordLoad(world, *recorder, 0ms, 200);
    }
    const auto player = play();
    const auto length = player->span().last - player->span().first;
    QVERIFY(length >= 20s);
    QVERIFY(length <= 26s); // and the rest of a segment, and of a transaction
}

void TestRecording::refusesWhatIsNoRecording_data()
{
    QTest::addColumn<QString>("statement"); // done to a recording
    QTest::addColumn<int>("cut");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("text") << QString() << -1 << QStringLiteral("not a recording");
    QTest::newRow("empty") << QString() << 0 << QStringLiteral("not a recording");
    QTest::newRow("truncated") << QString() << 9'000 << QStringLiteral("damaged");
    QTest::newRow("another program's") << QStringLiteral("PRAGMA application_id = 1") << -2
                                       << QStringLiteral("not a recording");
    QTest::newRow("newer") << QStringLiteral("PRAGMA user_version = 2") << -2 << QStringLiteral("newer Lockscope");
    QTest::newRow("nothing recorded") << QStringLiteral("DELETE FROM frame") << -2
                                      << QStringLiteral("nothing has been recorded");
    QTest::newRow("a table is missing") << QStringLiteral("DROP TABLE session") << -2 << QStringLiteral("session");
}

void TestRecording::refusesWhatIsNoRecording()
{
    QFETCH(QString, statement);
    QFETCH(int, cut);
    QFETCH(QString, complaint);
    World world(10);
    recordLoad(world, *record(at(0ms)), 0ms, 20);
    if (!statement.isEmpty()) {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
            database.setDatabaseName(m_file);
            QVERIFY(database.open());
            QVERIFY(QSqlQuery(database).exec(statement));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("test"));
    } else {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(cut < 0 || file.resize(cut));
        if (cut < 0)
            file.write(QByteArray(200, 'x'));
    }
    const auto player = Player::open(m_file);
    const auto shown = player ? (*player)->at((*player)->span().last).map([](const auto &) {})
                              : Result<void>(tl::unexpected(player.error()));
    QVERIFY(!shown);
    QVERIFY2(
        toString(shown.error()).find(complaint.toStdString()) != std::string::npos, toString(shown.error()).c_str());
}

void TestRecording::survivesAnyDamage()
{
    World world(11);
    recordLoad(world, *record(at(0ms)), 0ms, 10);
    QFile original(m_file);
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray good = original.readAll();
    std::minstd_rand random(12);
    for (int round = 0; round < 150; ++round) {
        QByteArray bad = good;
        for (int i = 0; i < 20; ++i)
            bad[static_cast<qsizetype>(4'096 + random() % static_cast<unsigned>(bad.size() - 4'096))]
                = static_cast<char>(random());
        m_file = m_folder->filePath(QString::number(round));
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bad);
        file.close();
        if (const auto player = Player::open(m_file)) {
            (void)(*player)->at((*player)->span().last);
            (void)(*player)->events(MonoTime(), (*player)->span().last, 100);
            (void)(*player)->density(10);
            (void)(*player)->gaps();
        }
    }
}

void TestRecording::refusesASecondRecorder()
{
    const auto recorder = record(at(0ms));
    const auto second = Recorder::open(m_file, {}, at(1s));
    QVERIFY(!second);
    QVERIFY(toString(second.error()).find("another program is recording") != std::string::npos);
}

void TestRecording::readsWhereNothingCanBeWritten()
{
    World world(13);
    QVERIFY(record(at(0ms))->write(only(world.next(at(0ms), 9)), at(1s)));
    QVERIFY(QFile::setPermissions(m_file, QFileDevice::ReadOwner));
    QVERIFY(QFile::setPermissions(m_folder->path(), QFileDevice::ReadOwner | QFileDevice::ExeOwner));
    const auto player = play();
    QFile::setPermissions(m_folder->path(), QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    QVERIFY(player);
    QVERIFY(player->at(player->span().first));
}

QTEST_GUILESS_MAIN(TestRecording)
#include "tst_recording.moc"
