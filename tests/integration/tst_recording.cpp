// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/player.h"
#include "lockcore/recording/recording_writer.h"
#include "recorded_world.h"

#include <QFile>
#include <QRegularExpression>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QtEndian>
#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <thread>
#include <utility>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::synchronizers;
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
    const auto sameParts = std::equal(a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
        [](const auto &one, const auto &other) { return sameLock(*one, *other); });
    LockState left = a;
    LockState right = b;
    for (LockState *lock : { &left, &right }) {
        lock->members.clear();
        lock->ttlHistory.clear();
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
        && replayed.moreChannels == seen.moreChannels && sameValue(replayed.knownWaits, seen.knownWaits)
        && sameValue(replayed.knownHolds, seen.knownHolds)
        && std::equal(replayed.locks.begin(), replayed.locks.end(), seen.locks.begin(), seen.locks.end(),
            [](const auto &a, const auto &b) { return sameLock(*a, *b); })
        && sameAnalysis(*replayed.analysis, *seen.analysis);
}

/// Where the first picture is damaged it is not known any more since when something was.
bool sameEvent(const Event &replayed, Event seen)
{
    if (!replayed.since)
        seen.since.reset();
    return replayed == seen;
}

/// As a picture of one server that is lost since then; absent: it is not.
std::shared_ptr<const Snapshot> lostSince(std::optional<Millis> moment, const Snapshot &picture)
{
    auto lost = std::make_shared<Snapshot>(picture);
    lost->status.phase = moment ? SourcePhase::Stale : SourcePhase::Live;
    lost->status.staleSince = moment ? std::optional(at(*moment).mono) : std::nullopt;
    if (moment)
        lost->status.feed = Feed::None;
    lost->nodes = { { "node", NodeRole::Master, {}, {}, 5, lost->status } };
    return lost;
}

/// By this program, of all files so far; absent: the system does not tell.
std::optional<qint64> bytesRead()
{
    QFile file(QStringLiteral("/proc/self/io"));
    const QByteArray told = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    const QByteArray what = "rchar: ";
    const qsizetype begin = told.indexOf(what) + what.size();
    return told.contains(what) ? std::optional(told.mid(begin, told.indexOf('\n', begin) - begin).toLongLong())
                               : std::nullopt;
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
    /// Whoever can read it learns all names of locks.
    void isItsOwnersAlone()
    {
        const auto recorder = RecordingWriter::open(m_file, {}, at(0ms));
        QVERIFY(recorder);
        const QDir folder(m_folder->path());
        for (const QFileInfo &each : folder.entryInfoList({ QStringLiteral("it.lockrec*") }, QDir::Files)) {
            if (!each.fileName().endsWith(QStringLiteral(".lock")))
                QVERIFY2(!(each.permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther)),
                    qPrintable(each.fileName()));
        }
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_file = m_folder->filePath(QStringLiteral("it.lockrec"));
    }

    void replaysWhatWasSeenAtEachMoment();
    void countsWaitsHoweverOneCameToAMoment();
    void countsNoWaitsThroughWhatIsDamaged();
    void goesOnWithWaitsBehindWhatIsDamaged();
    void countsWaitsNotFartherBackThanAJumpMayTake();
    void tellsOfKnownWaitsHoweverOneCameToAMoment();
    void tellsOfKnownWaitsThatGoOnInTheNextSession();
    void keepsTheTimesOfAMomentWhateverTheSteadyClockWas();
    void givesBackEventsByTime();
    void stepsFromWhatOneEventLedToToTheNext();
    void goesOnInTheSameFileThoughTheClockWasSetBack();
    void findsEachMomentByTheWallClockThoughItWasSet();
    void beginsWithTheLocksThatAreThere();
    void tellsOfNothingAsSeenThatItBeginsWithOnALostServer();
    void tellsOnWhichServersTheyAreThere();
    void tellsSinceWhenItWasThatTheyAreThere();
    void findsTheFirstLookAfterAMoment();
    void findsTheFirstLookAtOneServer();
    void keepsWhatWasConcludedLaterOfTheSamePicture();
    void countsAsManyEventsAsItReplays();
    void saysStaleBetweenTwoSessions();
    void tellsWhatWasNotSeenAnyMoreWhenASessionEnded();
    void tellsNoGapWhereOneLockCouldNotBeRead();
    void tellsNoGapOfAServerThatNobodyWatches();
    void tellsASecondLossBeforeAllWasReadAgain();
    void saysStaleInAGapThatWasNoticedLater();
    void saysOnHowManyServersALockWasSeenInAGap();
    void suspectsNoTooFewServersInAGapOfOthers();
    void saysStaleWhatAFormerMasterKeptInAGap();
    void takesNoGapForOneOfASessionBefore();
    void saysStaleUntilTheFirstPictureOfASession();
    void tellsAGapOnceThatWasOverBeforeTheLastPicture();
    void tellsEachGapOnceOfThoseThatFollowEachOther();
    void isNotDamagedWhereTheOldestIsDroppedMeanwhile();
    void isNotDamagedWherePicturesComeLateMeanwhile();
    void doesNotTakeADamagedEndForSeen_data();
    void doesNotTakeADamagedEndForSeen();
    void tellsWhereItIsDamaged();
    void tellsAllGapsButADamagedOne();
    void doesNotTakeAGapForSeenThatItsIndexHides_data();
    void doesNotTakeAGapForSeenThatItsIndexHides();
    void findsItsGapsWithoutReadingAllEvents_data();
    void findsItsGapsWithoutReadingAllEvents();
    void tellsEventsBehindADamagedOne();
    void tellsWhenTheDiskWasTooSlowForAllEvents();
    void keepsItsSize();
    void keepsItsSizeInAStormOfEvents();
    void keepsItsSizeWithManyLocks();
    void keepsItsSizeWhileTheLocksBecomeMany();
    void namesTheLeastSizeForManyLocks();
    void givesSpaceBackWhenLessIsAllowed();
    void keepsItsAge();
    void refusesWhatIsNoRecording_data();
    void refusesWhatIsNoRecording();
    void refusesOneWithoutSessions();
    void survivesAnyDamage();
    void givesAllOrAnErrorWhereAPageIsDamaged();
    void givesWhatWasRecordedOrAnErrorWhereABitIsFlipped();
    void tellsOfACopyWithoutItsLog();
    void refusesASecondRecorder();
    void readsWhereNothingCanBeWritten();

private:
    std::unique_ptr<RecordingWriter> record(Now now, RecordingLimits limits = {})
    {
        auto recorder = RecordingWriter::open(m_file, limits, now);
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
    void change(const QString &statement);
    void recordListened(int pictures);
    void recordLoad(World &world, RecordingWriter &recorder, Millis from, int rounds, qint64 *largest = nullptr);
    qint64 bytesOnDisk() const { return QFile(m_file).size() + QFile(m_file + QStringLiteral("-wal")).size(); }
    /// What it takes for so many locks, as a limit that is too small says.
    qint64 leastFor(const std::shared_ptr<const Snapshot> &snapshot);

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
            const auto picture = world.next(at(50ms * i), 8);
            seen.push_back(i < 399 ? picture : lostSince({}, *picture)); // no loss at the end
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

/// As the pictures have it, each change when it was seen.
void TestRecording::countsWaitsHoweverOneCameToAMoment()
{
    using Counts = std::map<LockName, std::int64_t>;
    constexpr int Count = 300;
    World world(31);
    std::vector<Counts> seen;
    std::minstd_rand random(32);
    {
        const auto recorder = record(at(0ms), { 4 << 20, std::nullopt }); // with many whole frames
        QVERIFY(recorder);
        RecordingQueue::Content content;
        LockList::Changes listened;
        Counts counts;
        for (int i = 0; i < Count; ++i) {
            auto lock = std::make_shared<LockState>();
            lock->name = "listened:" + std::to_string(random() % 9);
            lock->kind = Kind::Reentrant;
            lock->subscribers = static_cast<std::int64_t>(random() % 3);
            counts[lock->name] = *lock->subscribers;
            std::erase_if(counts, [](const auto &each) { return each.second == 0; });
            listened[lock->name] = lock;
            auto snapshot = std::make_shared<Snapshot>(*world.next(at(50ms * i), 8));
            snapshot->locks.apply(listened);
            content.snapshots.push_back(std::move(snapshot));
            seen.push_back(counts);
            if (i % 20 == 19)
                QVERIFY(recorder->write(std::exchange(content, {}), at(50ms * i)));
        }
    }
    QVERIFY(seen.front() != seen.back() && !seen.back().empty());
    const auto player = play();
    QVERIFY(player);
    const auto moment = [](int i) { return at(50ms * i).mono; };
    const auto isRight = [&](int from, int to, std::vector<WaitCount> changes, Counts counts) {
        std::erase_if(changes, [](const WaitCount &each) { return each.owner.has_value(); });
        std::size_t next = 0;
        for (int i = from; i <= to; ++i) {
            for (; next < changes.size() && changes[next].at <= at(50ms * i).wall; ++next)
                if (changes[next].count > 0)
                    counts[changes[next].lock] = changes[next].count;
                else
                    counts.erase(changes[next].lock);
            if (counts != seen[std::size_t(i)])
                return false;
        }
        return next == changes.size();
    };
    const auto jumps = [&](int from, int to) {
        MonoTime since = moment(from);
        const auto counts = player->waitCounts(since, moment(to));
        return since == moment(from) && isRight(from, to, counts, {});
    };
    for (const auto &[from, to] : { std::pair(0, 10), { 0, 299 }, { 0, 40 }, { 250, 280 }, { 200, 299 }, { 20, 20 } })
        QVERIFY2(jumps(from, to), qPrintable(QStringLiteral("%1–%2").arg(from).arg(to)));
    for (int i = 0; i + 7 < Count; i += 7)
        QVERIFY(isRight(i + 1, i + 7, player->waitChanges(moment(i), moment(i + 7)), seen[std::size_t(i)]));
    for (int round = 0; round < 100; ++round) {
        const int from = static_cast<int>(random() % Count);
        const int to = from + static_cast<int>(random() % static_cast<unsigned>(Count - from));
        QVERIFY2(jumps(from, to), qPrintable(QStringLiteral("%1–%2").arg(from).arg(to)));
    }
}

/// For a lock, one listens more with each picture, and after six nobody does.
void TestRecording::recordListened(int pictures)
{
    const auto recorder = record(at(0ms), { 4 << 20, std::nullopt }); // with many whole frames
    QVERIFY(recorder);
    RecordingQueue::Content content;
    for (int i = 0; i < pictures; ++i) {
        auto lock = std::make_shared<LockState>();
        lock->name = "listened";
        lock->kind = Kind::Reentrant;
        lock->subscribers = i % 7;
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = at(50ms * i);
        snapshot->locks = std::vector<LockList::Pointer>{ lock };
        content.snapshots.push_back(std::move(snapshot));
        if (i % 100 == 99)
            QVERIFY(recorder->write(std::exchange(content, {}), at(50ms * i)));
    }
}

/// What led from there to the next whole picture is not known, and neither is how many waited meanwhile.
void TestRecording::countsNoWaitsThroughWhatIsDamaged()
{
    constexpr int Count = 16'000;
    recordListened(Count);
    change(
        QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = (SELECT min(at) FROM frame WHERE whole = 0)"));
    const auto player = play();
    QVERIFY(player);
    for (const int to : { 4'000, 15'000, 100, 8'000 }) {
        MonoTime since = player->span().first;
        const auto counts = player->waitCounts(since, at(50ms * to).mono);
        const auto first = static_cast<int>((since - at(0ms).mono) / 50ms);
        QVERIFY2(to < 5'000 ? first == to : first > 5'000 && first < to, qPrintable(QString::number(first)));
        QCOMPARE(counts.empty(), to < 5'000);
        std::size_t next = first % 7 == 0 ? 0 : 1;
        for (int i = first + 1; i <= to; ++i, ++next)
            QVERIFY(next < counts.size() && counts[next].count == i % 7 && counts[next].at == at(50ms * i).wall);
    }
}

/// Whoever goes on over it is told who waited behind it, and that the others do not any more.
void TestRecording::goesOnWithWaitsBehindWhatIsDamaged()
{
    constexpr int From = 4'000;
    recordListened(16'000);
    change(QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = "
                          "(SELECT at FROM frame WHERE whole = 0 ORDER BY at LIMIT 1 OFFSET 4500)"));
    auto player = play();
    QVERIFY(player);
    MonoTime whole = player->span().first;
    (void)player->waitCounts(whole, at(50ms * 8'000).mono);
    const auto behind = static_cast<int>((whole - at(0ms).mono) / 50ms);
    QVERIFY2(behind > From && behind < 8'000, qPrintable(QString::number(behind)));
    for (const int to : { behind, behind + 1 }) {
        player = play();
        QVERIFY(player);
        MonoTime since = player->span().first;
        const auto before = player->waitCounts(since, at(50ms * From).mono);
        QCOMPARE(since, player->span().first);
        QCOMPARE(before.back().count, From % 7);
        const auto changes = player->waitChanges(at(50ms * From).mono, at(50ms * to).mono);
        QVERIFY(!changes.empty());
        QCOMPARE(changes.back().count, to % 7);
        QCOMPARE(changes.back().lock, before.back().lock);
        QCOMPARE(changes.back().at, at(50ms * to).wall);
    }
}

/// Whoever jumps does not wait for all of it to be read.
void TestRecording::countsWaitsNotFartherBackThanAJumpMayTake()
{
    constexpr int Count = 16'000;
    recordListened(Count);
    const auto player = play();
    QVERIFY(player);
    for (const int to : { Count - 1, 9'000, 12'000, 100 }) {
        MonoTime since = player->span().first;
        const auto counts = player->waitCounts(since, at(50ms * to).mono);
        const auto first = static_cast<int>((since - at(0ms).mono) / 50ms);
        QVERIFY2(to - first <= 6'000 && first <= to, qPrintable(QString::number(first)));
        QVERIFY(to > 5'000 ? to - first > 1'000 : first == 0);
        std::size_t next = first % 7 == 0 ? 0 : 1;
        for (int i = first + 1; i <= to; ++i, ++next)
            QVERIFY(next < counts.size() && counts[next].count == i % 7 && counts[next].at == at(50ms * i).wall);
        QCOMPARE(next, counts.size());
    }
}

/// Each from when its client began to wait to the first picture in which it does not.
void TestRecording::tellsOfKnownWaitsHoweverOneCameToAMoment()
{
    constexpr int Count = 300;
    World world(33);
    std::minstd_rand random(34);
    std::vector<std::vector<WaitCount>> told; // by each picture
    std::vector<std::map<LockName, WaitCount>> standing;
    {
        const auto recorder = record(at(0ms), { 4 << 20, std::nullopt }); // with many whole frames
        QVERIFY(recorder);
        RecordingQueue::Content content;
        std::map<LockName, WaitCount> waits;
        std::map<LockName, KnownHold> holds;
        for (int i = 0; i < Count; ++i) {
            const Now now = at(50ms * i);
            std::vector<WaitCount> ends;
            std::vector<WaitCount> begins;
            for (const LockName lock : { "x", "y", "z" }) {
                const OwnerId owner{ "ours", lock };
                const auto wait = waits.find(lock);
                const auto what = random() % 20;
                const WaitCount begun{
                    .lock = lock, .count = 1, .at = now.wall - 20ms, .owner = owner, .since = now.wall - 20ms
                };
                WaitCount over{ .lock = lock, .count = 0, .at = now.wall, .owner = owner };
                if (wait == waits.end() && what < 3) {
                    holds.erase(lock);
                    waits.emplace(lock, begun);
                    begins.push_back(begun);
                } else if (wait != waits.end() && what == 0) { // again since the last picture
                    over.at = begun.at;
                    ends.push_back(over);
                    begins.push_back(begun);
                    wait->second = begun;
                } else if (wait != waits.end() && what < 4) {
                    over.got = what % 2 == 0;
                    if (*over.got)
                        holds[lock] = { owner, lock };
                    ends.push_back(over);
                    waits.erase(wait);
                }
            }
            auto snapshot = std::make_shared<Snapshot>(*world.next(now, 8));
            std::vector<KnownWait> knownWaits;
            for (const auto &[lock, wait] : waits)
                knownWaits.push_back({ *wait.owner, lock, now.mono - (now.wall - *wait.since) });
            std::vector<KnownHold> knownHolds;
            for (const auto &[lock, hold] : holds)
                knownHolds.push_back(hold);
            snapshot->knownWaits = std::make_shared<const std::vector<KnownWait>>(knownWaits);
            snapshot->knownHolds = std::make_shared<const std::vector<KnownHold>>(knownHolds);
            content.snapshots.push_back(std::move(snapshot));
            ends.insert(ends.end(), begins.begin(), begins.end());
            told.push_back(ends);
            standing.push_back(waits);
            if (i % 20 == 19)
                QVERIFY(recorder->write(std::exchange(content, {}), now));
        }
    }
    QVERIFY(!standing.back().empty());
    const auto player = play();
    QVERIFY(player);
    const auto moment = [](int i) { return at(50ms * i).mono; };
    const auto isRight = [&](std::vector<WaitCount> counts, std::optional<int> first, int after, int to) {
        std::erase_if(counts, [](const WaitCount &each) { return !each.owner; });
        std::vector<WaitCount> expected;
        if (first)
            for (const auto &[lock, wait] : standing[std::size_t(*first)]) {
                expected.push_back(wait);
                expected.back().at = at(50ms * *first).wall;
            }
        for (int i = after + 1; i <= to; ++i)
            expected.insert(expected.end(), told[std::size_t(i)].begin(), told[std::size_t(i)].end());
        return counts == expected;
    };
    const auto jumps = [&](int from, int to) {
        MonoTime since = moment(from);
        const auto counts = player->waitCounts(since, moment(to));
        return since == moment(from) && isRight(counts, from, from, to);
    };
    for (const auto &[from, to] : { std::pair(0, 10), { 0, 299 }, { 0, 40 }, { 250, 280 }, { 200, 299 }, { 20, 20 } })
        QVERIFY2(jumps(from, to), qPrintable(QStringLiteral("%1–%2").arg(from).arg(to)));
    for (int i = 0; i + 7 < Count; i += 7)
        QVERIFY(isRight(player->waitChanges(moment(i), moment(i + 7)), {}, i, i + 7));
    for (int round = 0; round < 100; ++round) {
        const int from = static_cast<int>(random() % Count);
        const int to = from + static_cast<int>(random() % static_cast<unsigned>(Count - from));
        QVERIFY2(jumps(from, to), qPrintable(QStringLiteral("%1–%2").arg(from).arg(to)));
    }
}

/// The wall clock was set a little meanwhile: on the time line it is another moment since which it waits.
void TestRecording::tellsOfKnownWaitsThatGoOnInTheNextSession()
{
    const OwnerId ours{ "ours", "1" };
    const OwnerId other{ "ours", "2" };
    const auto write = [&](Now now, std::vector<KnownWait> waits) {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = now;
        snapshot->knownWaits = std::make_shared<const std::vector<KnownWait>>(std::move(waits));
        const auto recorder = record(now);
        QVERIFY(recorder && recorder->write(only(snapshot), now));
    };
    const MonoTime began = at(1s).mono;
    write(at(2s), { { ours, "x", began }, { other, "x", began } });
    Now later = at(60s);
    later.wall += 30ms;
    write(later, { { ours, "x", began }, { other, "y", at(59s).mono } });
    const auto player = play();
    QVERIFY(player);
    QCOMPARE(player->sessions().size(), std::size_t(2));
    MonoTime since = player->span().first;
    const auto counts = player->waitCounts(since, player->span().last);
    const auto begun = [](const OwnerId &owner, const LockName &lock, Millis told, Millis waits) {
        return WaitCount{ .lock = lock, .count = 1, .at = Start + told, .owner = owner, .since = Start + waits };
    };
    QCOMPARE(counts,
        (std::vector<WaitCount>{ begun(ours, "x", 2s, 1s), begun(other, "x", 2s, 1s),
            { .lock = "x", .count = 0, .at = later.wall, .owner = other },
            begun(other, "y", 59s + 30ms, 59s + 30ms) }));
}

void TestRecording::keepsTheTimesOfAMomentWhateverTheSteadyClockWas()
{
    const auto since = [](Millis millis) { return Now{ MonoTime(MonoTime::duration(77)) + millis, Start + millis }; };
    auto snapshot = std::make_shared<Snapshot>();
    auto lock = std::make_shared<LockState>();
    lock->name = "lock";
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
    const auto appeared = player->eventCount() - 200; // the locks that were there before
    const auto events = player->events(MonoTime(), player->span().last, 1'000);
    QVERIFY(events);
    QCOMPARE(events->size(), static_cast<std::size_t>(appeared + 200));
    for (std::size_t i = 0; i < events->size(); ++i) {
        if (i < static_cast<std::size_t>(appeared))
            QVERIFY(events->at(i).at == Start
                && (events->at(i).kind == EventKind::Appeared || events->at(i).kind == EventKind::FoundQueued));
        else
            QCOMPARE(events->at(i), seen[i - static_cast<std::size_t>(appeared)]);
    }
    QCOMPARE(player->events(at(100ms).mono, at(200ms).mono, 1'000),
        Result<std::vector<Event>>({ seen.begin() + 3, seen.begin() + 5 }));
    QCOMPARE(
        player->events(MonoTime(), player->span().last, 3), Result<std::vector<Event>>({ seen.end() - 3, seen.end() }));
    std::vector<std::int64_t> density(10, 20);
    density.front() += appeared;
    QCOMPARE(player->density(10), density);
}

void TestRecording::stepsFromWhatOneEventLedToToTheNext()
{
    World world(3);
    const auto recorder = record(at(0ms));
    QVERIFY(recorder->write(only(std::make_shared<const Snapshot>()), at(0ms)));
    // Seen 30 ms after it happened, and two seen together.
    QVERIFY(recorder->write(only({ world.event(at(970ms)) }, at(970ms)), at(970ms)));
    QVERIFY(recorder->write(only(world.next(at(1'000ms), 5)), at(1'000ms)));
    QVERIFY(recorder->write(only({ world.event(at(1'960ms)), world.event(at(1'980ms)) }, at(1'980ms)), at(1'980ms)));
    QVERIFY(recorder->write(only(world.next(at(2'000ms), 5)), at(2'000ms)));
    QVERIFY(recorder->write({}, at(3'000ms)));
    const auto player = play();
    const auto moment = [](Millis since) { return std::optional(at(since).mono); };
    const std::optional<MonoTime> none;
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

void TestRecording::findsEachMomentByTheWallClockThoughItWasSet()
{
    World world(19);
    {
        const auto recorder = record(at(1h));
        QVERIFY(recorder->write(only(world.next(at(1h), 9)), at(1h)));
        QVERIFY(recorder->write({}, at(1h + 1min)));
        // Set back by half an hour while it is recorded; the steady clock goes on.
        QVERIFY(recorder->write(only(world.next(at(31min, 30min + 1s), 9)), at(31min, 30min + 1s)));
        QVERIFY(recorder->write({}, at(32min, 30min + 1s)));
    }
    const Now later = at(0ms, 5h); // and once more between two recordings
    QVERIFY(record(later)->write(only(world.next(later, 9)), at(1min, 5h)));
    const auto player = play();
    QCOMPARE(player->wallAt(player->span().first), Start + 1h);
    QCOMPARE(player->wallAt(player->span().last), Start + 1min);
    for (const Millis since : { Millis(1h), Millis(1h + 30s), Millis(31min + 30s), Millis(0), Millis(30s) }) {
        const auto moment = player->momentAt(Start + since);
        QVERIFY(moment);
        QCOMPARE((*player->at(*moment))->takenAt.wall, Start + since);
        QCOMPARE(player->wallAt(*moment), Start + since);
    }
    QVERIFY(!player->momentAt(Start + 2h));
    QVERIFY(!player->momentAt(Start + 10min));
}

void TestRecording::beginsWithTheLocksThatAreThere()
{
    auto snapshot = std::make_shared<Snapshot>();
    auto held = std::make_shared<LockState>();
    held->name = "held";
    held->holders.push_back({ { "client", "7" }, 2, at(12s).mono, { at(-1s).mono, false }, {} });
    auto latch = std::make_shared<LockState>();
    latch->name = "latch";
    latch->kind = Kind::CountDownLatch;
    latch->count = 3;
    auto waitedFor = std::make_shared<LockState>();
    waitedFor->name = "waited for";
    snapshot->takenAt = at(-1s);
    snapshot->locks = { held, latch, waitedFor };
    {
        const auto recorder = record(at(0ms));
        RecordingQueue::Content content = only(snapshot);
        QVERIFY(recorder->write(content, at(1s)));
    }
    const auto player = play();
    const auto events = player->events(MonoTime(), player->span().last, 10);
    QVERIFY(events);
    QCOMPARE(events->size(), 2);
    Event expected;
    expected.at = Start;
    expected.kind = EventKind::Appeared;
    expected.lock = "held";
    expected.lockKind = Kind::Reentrant;
    expected.owner = OwnerId{ "client", "7" };
    expected.count = 2;
    expected.ttl = 13s;
    expected.since = KnownSince{ Start - 1s, false };
    QCOMPARE(events->at(0), expected);
    QVERIFY(events->at(1).lock == "latch" && events->at(1).count == 3 && !events->at(1).owner);
    QVERIFY((events->at(1).since == KnownSince{ Start, false })); // at the latest
}

namespace {

/// As two of a set of independent servers have it together.
std::shared_ptr<LockState> onServers(const LockName &name, const OwnerId &owner, const std::vector<const char *> &nodes)
{
    auto lock = std::make_shared<LockState>();
    lock->name = name;
    lock->holders.push_back({ owner, 1, {}, { at(-1s).mono, false }, {} });
    for (const char *node : nodes) {
        auto member = std::make_shared<LockState>(*lock);
        member->members.clear();
        member->node = node;
        lock->members.push_back(member);
    }
    lock->quorum = Quorum{ static_cast<int>(nodes.size()), 0, 3 };
    return lock;
}

} // namespace

/// As their monitor tells what happens on them later: else a gap of one of them would not concern what it has.
/// What it keeps of it is what was seen before.
void TestRecording::tellsOfNothingAsSeenThatItBeginsWithOnALostServer()
{
    auto lock = std::make_shared<LockState>();
    lock->name = "held";
    lock->node = "node";
    lock->holders.push_back({ { "client", "7" }, 1, {}, { at(-4min).mono, true }, {} });
    auto picture = std::make_shared<Snapshot>();
    picture->takenAt = at(0ms);
    picture->locks = { lock };
    QVERIFY(record(at(0ms))->write(only(lostSince(-3min, *picture)), at(10s)));
    const auto events = play()->events(MonoTime(), at(10s).mono, 10);
    QVERIFY(events);
    for (const Event &event : *events)
        QVERIFY(event.certainty != Certainty::Seen || event.at <= at(-3min).wall);
}

void TestRecording::tellsOnWhichServersTheyAreThere()
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->takenAt = at(0s);
    snapshot->locks
        = { onServers("both", { "client", "7" }, { "n1", "n2" }), onServers("one", { "client", "8" }, { "n2" }) };
    QVERIFY(record(at(0ms))->write(only(snapshot), at(1s)));
    const auto player = play();
    const auto events = player->events(MonoTime(), player->span().last, 10);
    QVERIFY(events);
    std::vector<std::pair<LockName, std::string>> told;
    for (const Event &event : *events) {
        QVERIFY(event.kind == EventKind::Appeared && event.since);
        told.emplace_back(event.lock, event.node);
    }
    QVERIFY((told == decltype(told){ { "both", "n1" }, { "both", "n2" }, { "one", "n2" } }));
}

/// Where nothing changes the picture stays, and what is concluded of it goes on.
void TestRecording::keepsWhatWasConcludedLaterOfTheSamePicture()
{
    const auto concluded = [](Millis when, Millis waited) {
        auto numbers = std::make_shared<LockStatistics>();
        numbers->lock = "it";
        numbers->blocked = waited;
        auto list = std::make_shared<StatisticsList>();
        list->apply({ { numbers->lock, std::shared_ptr<const LockStatistics>(numbers) } });
        auto analysis = std::make_shared<Analysis>();
        analysis->at = at(when).mono;
        analysis->graph = std::make_shared<WaitGraph>();
        analysis->statistics = std::move(list);
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = at(1s);
        snapshot->status.phase = SourcePhase::Live;
        snapshot->analysis = std::move(analysis);
        return snapshot;
    };
    {
        const auto recorder = record(at(0s));
        RecordingQueue::Content content;
        for (const Millis when : { 1s, 2s, 3s })
            content.snapshots.push_back(concluded(when, when));
        QVERIFY(recorder->write(std::move(content), at(4s)));
    }
    const auto player = play();
    QVERIFY(player);
    for (const Millis when : { Millis(1'000), Millis(1'999), Millis(2'000), Millis(2'999), Millis(3'500) }) {
        const auto snapshot = player->at(at(when).mono);
        QVERIFY(snapshot);
        const Millis waited = statisticsOf(*(*snapshot)->analysis, "it")->blocked;
        QCOMPARE(waited, std::chrono::floor<std::chrono::seconds>(when));
        QCOMPARE((*snapshot)->takenAt.wall, at(when).wall);
    }
}

/// The monitor may have known it long before the recording began, and its picture of them says so.
void TestRecording::tellsSinceWhenItWasThatTheyAreThere()
{
    const OwnerId holder{ "client", "7" };
    const OwnerId waiter{ "client", "8" };
    const auto seenAt = [&](Millis now) {
        auto lock = std::make_shared<LockState>();
        lock->name = "held";
        lock->kind = Kind::Fair;
        lock->holders.push_back({ holder, 1, at(60s).mono, { at(-4min).mono, true }, {} });
        lock->waiters.push_back({ waiter, {}, { at(-3min).mono, false }, {} });
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = at(now);
        snapshot->locks = { lock };
        return snapshot;
    };
    Event renewed;
    renewed.at = at(1s).wall;
    renewed.kind = EventKind::Renewed;
    renewed.lock = "held";
    renewed.owner = holder;
    for (const Millis begin : { 0s, 60s }) { // the same monitor goes on in the same file
        const auto recorder = record(at(begin));
        RecordingQueue::Content content = only(seenAt(begin));
        content.reports.push_back({ std::make_shared<const std::vector<Event>>(1, renewed), at(begin + 1s) });
        QVERIFY(recorder->write(content, at(begin + 1s)));
    }
    const auto player = play();
    std::vector<Event> all;
    QVERIFY(player->visitEvents(MonoTime(), player->span().last, [&](const Event &event) {
        all.push_back(event);
        return true;
    }));
    QCOMPARE(all.size(), 6);
    QVERIFY(*player->events(MonoTime(), player->span().last, 10) == all);
    for (const std::size_t begin : { 0U, 3U }) {
        QCOMPARE(all[begin].kind, EventKind::Appeared);
        QVERIFY((all[begin].since == KnownSince{ at(-4min).wall, true }));
        QCOMPARE(all[begin + 1].kind, EventKind::FoundQueued);
        QVERIFY((all[begin + 1].since == KnownSince{ at(-3min).wall, false }));
        QVERIFY(!all[begin + 2].since);
    }
}

void TestRecording::findsTheFirstLookAfterAMoment()
{
    const auto picture = [](Now now, Millis lookedAt, bool isStale = false) {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = now;
        snapshot->status.phase = SourcePhase::Live;
        snapshot->status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = at(lookedAt).mono };
        if (isStale)
            snapshot->status.staleSince = now.mono;
        return snapshot;
    };
    {
        const auto recorder = record(at(10s));
        for (const auto &[now, look, isStale] :
            { std::tuple(10s, 5s, false), std::tuple(20s, 5s, true), std::tuple(30s, 25s, true),
                std::tuple(31s, 25s, false), std::tuple(40s, 25s, false), std::tuple(50s, 49s, false) })
            QVERIFY(recorder->write(only(picture(at(now), look, isStale)), at(now)));
    }
    {
        const auto recorder = record(at(100s));
        QVERIFY(recorder->write(only(picture(at(101s), 60s)), at(102s)));
    }
    const auto player = play();
    const auto lookFrom = [&](Millis moment) { return *player->lookFrom(at(moment).mono); };
    QCOMPARE(lookFrom(22s), at(25s).mono);
    QCOMPARE(lookFrom(26s), at(49s).mono); // for that long nothing else tells so
    QCOMPARE(lookFrom(49s), at(49s).mono);
    QCOMPARE(lookFrom(51s), at(101s).mono); // what the monitor knew as it was recorded again
    QVERIFY(!lookFrom(102s));
}

void TestRecording::countsAsManyEventsAsItReplays()
{
    World world(20);
    {
        const auto recorder = record(at(0ms), { 1 << 20, std::nullopt });
        // What came before anything was to be seen does not belong to it.
        QVERIFY(recorder->write(only({ world.event(at(0ms)) }, at(0ms)), at(0ms)));
        recordLoad(world, *recorder, 300ms, 600);
    }
    recordLoad(world, *record(at(1h)), 1h, 20);
    const auto player = play();
    QVERIFY(player->span().first > at(1s).mono); // something had to go
    qint64 replayed = 0;
    for (const RecordedSpan &session : player->sessions())
        QVERIFY(player->visitEvents(session.first - 1us, session.last, [&](const Event &) { return ++replayed > 0; }));
    QCOMPARE(player->sessions().size(), 2);
    QCOMPARE(player->eventCount(), replayed + 1); // and the gap between the two
}

void TestRecording::saysStaleBetweenTwoSessions()
{
    World world(5);
    const auto seen = std::make_shared<Snapshot>(*lostSince({}, *world.next(at(0ms), 9)));
    auto analysis = std::make_shared<Analysis>(*seen->analysis);
    analysis->suspects.emplace_back().lock = seen->locks.front()->name;
    seen->analysis = analysis;
    QVERIFY(record(at(0ms))->write(only(seen), at(10s)));
    QVERIFY(record(at(60s))->write(only(lostSince({}, *world.next(at(60s), 9))), at(70s)));
    const auto player = play();
    QCOMPARE(player->gaps(), (std::vector<RecordedSpan>{ { at(10s).mono, at(60s).mono } }));
    const auto between = player->at(at(30s).mono);
    QVERIFY(between);
    QVERIFY((*between)->status.phase == SourcePhase::Stale);
    QVERIFY(*(*between)->status.staleSince <= at(10s).mono);
    QCOMPARE((*between)->locks.size(), seen->locks.size());
    QVERIFY((*between)->analysis && (*between)->analysis->suspects.empty());
    QVERIFY(!(*player->at(at(5s).mono))->analysis->suspects.empty());
    QVERIFY((*player->at(at(5s).mono))->status.phase == seen->status.phase);
}

/// As if it had been killed: nothing was written down any more but that it went on.
void TestRecording::tellsWhatWasNotSeenAnyMoreWhenASessionEnded()
{
    World world(5);
    const auto write = [&](RecordingWriter &recorder, Millis when, std::optional<Millis> staleSince) {
        return recorder.write(only(lostSince(staleSince, *world.next(at(when), 9))), at(when)).has_value();
    };
    {
        const auto recorder = record(at(0ms));
        QVERIFY(write(*recorder, 0ms, {}) && write(*recorder, 4s, 2s) && recorder->write({}, at(10s)));
    }
    {
        const auto recorder = record(at(60s));
        QVERIFY(write(*recorder, 60s, {}) && write(*recorder, 64s, 62s) && write(*recorder, 68s, {}));
    }
    const auto player = play();
    const std::vector<RecordedSpan> expected{ { at(2s).mono, at(10s).mono }, { at(10s).mono, at(60s).mono } };
    QCOMPARE(player->gaps(), expected);
    qint64 written = 0;
    for (const RecordedSpan &session : player->sessions())
        QVERIFY(player->visitEvents(session.first - 1us, session.last, [&](const Event &) { return ++written > 0; }));
    QCOMPARE(player->eventCount(), written + 2);
    for (const auto &[moment, isSeen] : { std::pair(1s, true), { 3s, false }, { 5s, false } }) {
        const auto shown = *player->at(at(moment).mono);
        QCOMPARE(shown->status.staleSince, isSeen ? std::nullopt : std::optional(at(2s).mono));
        QCOMPARE(shown->nodes[0].status.staleSince, shown->status.staleSince);
    }
}

/// It makes its server stale, which is seen all the same.
void TestRecording::tellsNoGapWhereOneLockCouldNotBeRead()
{
    World world(5);
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(0ms)));
        auto unread = std::make_shared<Snapshot>(*lostSince(2s, *world.next(at(4s), 9)));
        unread->status.feed = unread->nodes[0].status.feed = Feed::ClientTracking;
        QVERIFY(recorder->write(only(unread), at(4s)));
        QVERIFY(recorder->write({}, at(10s)));
    }
    const auto player = play();
    QCOMPARE(player->gaps(), std::vector<RecordedSpan>());
    QVERIFY(player->untoldGaps(MonoTime(), player->span().last).empty());
    const auto shown = *player->at(at(5s).mono);
    QCOMPARE(shown->nodes[0].status.staleSince, std::optional(at(2s).mono)); // as it was shown then
}

/// A cluster's replica is listed only.
void TestRecording::tellsNoGapOfAServerThatNobodyWatches()
{
    World world(5);
    auto picture = std::make_shared<Snapshot>(*lostSince({}, *world.next(at(0ms), 9)));
    picture->nodes.push_back({ "replica", NodeRole::Replica, {}, {}, 0, {} });
    picture->nodes.back().status.phase = SourcePhase::Stale;
    picture->nodes.back().status.staleSince = at(0ms).mono;
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(picture), at(0ms)));
        QVERIFY(recorder->write({}, at(10s)));
    }
    QCOMPARE(play()->gaps(), std::vector<RecordedSpan>());
}

/// What has not been read since is stale from the first loss on, the time of which has been told.
void TestRecording::tellsASecondLossBeforeAllWasReadAgain()
{
    World world(5);
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(0ms)));
        QVERIFY(recorder->write(only(lostSince(2s, *world.next(at(4s), 9))), at(4s)));
        Event gap;
        gap.at = at(9s).wall;
        gap.kind = EventKind::Gap;
        gap.node = "node";
        gap.ttl = 7s;
        QVERIFY(recorder->write(only({ gap }, at(9s)), at(9s)));
        QVERIFY(recorder->write(only(lostSince(2s, *world.next(at(12s), 9))), at(12s)));
        QVERIFY(recorder->write({}, at(20s)));
    }
    const auto player = play();
    QCOMPARE(
        player->gaps(), (std::vector<RecordedSpan>{ { at(2s).mono, at(9s).mono }, { at(9s).mono, at(20s).mono } }));
    const auto untold = player->untoldGaps(MonoTime(), player->span().last);
    QCOMPARE(untold.size(), std::size_t{ 1 });
    QCOMPARE(untold.front().ttl, std::optional(Millis(11s)));
}

/// A lost server is noticed when it has been silent for some seconds: until then its pictures say that it is watched.
void TestRecording::saysStaleInAGapThatWasNoticedLater()
{
    const auto gap = [](const char *node, Millis end, Millis length) {
        Event event;
        event.at = at(end).wall;
        event.kind = EventKind::Gap;
        event.node = node;
        event.ttl = length;
        return event;
    };
    World world(5);
    auto both = std::make_shared<Snapshot>(*lostSince({}, *world.next(at(0ms), 9)));
    both->nodes.push_back(both->nodes.front());
    both->nodes.back().node = "other";
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(both), at(0ms)));
        QVERIFY(recorder->write(only({ gap("node", 9s, 7s) }, at(9s)), at(9s)));
        QVERIFY(recorder->write(only({ gap("", 15s, 3s) }, at(15s)), at(20s)));
    }
    const auto player = play();
    using Since = std::optional<MonoTime>;
    const auto staleSince = [&](Millis moment) {
        const auto snapshot = *player->at(at(moment).mono);
        const std::vector<NodeStatus> &nodes = snapshot->nodes;
        for (const SourceStatus *status : { &snapshot->status, &nodes[0].status, &nodes[1].status })
            if ((status->phase == SourcePhase::Stale) != status->staleSince.has_value())
                return std::vector<Since>();
        return std::vector<Since>{ snapshot->status.staleSince, nodes[0].status.staleSince,
            nodes[1].status.staleSince };
    };
    const std::vector<Since> none(3);
    QCOMPARE(staleSince(2s), none);
    QCOMPARE(staleSince(3s), (std::vector<Since>{ at(2s).mono, at(2s).mono, {} }));
    QCOMPARE(staleSince(9s), none);
    QCOMPARE(staleSince(14s), none); // what is missing then are events
}

namespace {

/// Of three independent servers that are watched.
std::shared_ptr<Snapshot> ofThreeServers(std::vector<std::shared_ptr<const LockState>> locks)
{
    auto picture = std::make_shared<Snapshot>();
    picture->takenAt = at(0s);
    picture->status.phase = SourcePhase::Live;
    picture->status.lastSweep.emplace();
    for (const char *node : { "n1", "n2", "n3" }) {
        picture->nodes.push_back({ node, NodeRole::Master, {}, {}, 1, picture->status });
        picture->nodes.back().status.server = node;
    }
    picture->locks = std::move(locks);
    return picture;
}

Event gapOf(const char *node, Millis begin, Millis end)
{
    Event gap;
    gap.at = at(end).wall;
    gap.kind = EventKind::Gap;
    gap.node = node;
    gap.ttl = end - begin;
    return gap;
}

} // namespace

/// As a window does that looks on: of a lost server it is not known what it has.
void TestRecording::saysOnHowManyServersALockWasSeenInAGap()
{
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(
            only(ofThreeServers({ onServers("all", { "client", "7" }, { "n1", "n2", "n3" }),
                onServers("one", { "client", "8" }, { "n2" }), onServers("other", { "client", "9" }, { "n3" }) })),
            at(0ms)));
        QVERIFY(recorder->write(only({ gapOf("n3", 2s, 9s) }, at(9s)), at(20s)));
    }
    const auto player = play();
    const auto quorums = [&](Millis moment) {
        std::vector<Quorum> found;
        const auto snapshot = *player->at(at(moment).mono);
        for (const auto &lock : snapshot->locks)
            found.push_back(*lock->quorum);
        return found;
    };
    const std::vector<Quorum> seen{ { 3, 0, 3 }, { 1, 0, 3 }, { 1, 0, 3 } };
    QCOMPARE(quorums(1s), seen);
    QCOMPARE(quorums(3s), (std::vector<Quorum>{ { 2, 1, 3 }, { 1, 1, 3 }, { 0, 1, 3 } }));
    QCOMPARE(quorums(9s), seen);
}

/// It may be on the server that was not seen, and be a RedLock with it.
void TestRecording::suspectsNoTooFewServersInAGapOfOthers()
{
    const auto picture = ofThreeServers(
        { onServers("seen", { "client", "8" }, { "n2" }), onServers("unseen", { "client", "9" }, { "n3" }) });
    auto analysis = std::make_shared<Analysis>();
    analysis->graph = std::make_shared<WaitGraph>();
    for (const auto &lock : picture->locks) {
        Suspect &suspect = analysis->suspects.emplace_back();
        suspect.lock = lock->name;
        suspect.kind = SuspectKind::TooFewServers;
    }
    picture->analysis = analysis;
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(picture), at(0ms)));
        QVERIFY(recorder->write(only({ gapOf("n3", 2s, 9s) }, at(9s)), at(20s)));
    }
    const auto player = play();
    const auto suspected = [&](Millis moment) { return (*player->at(at(moment).mono))->analysis->suspects.size(); };
    QCOMPARE(suspected(1s), std::size_t(2));
    QCOMPARE(suspected(3s), std::size_t(0));
    QCOMPARE(suspected(9s), std::size_t(2));
}

/// A gap that ends with another master is told of that one.
void TestRecording::saysStaleWhatAFormerMasterKeptInAGap()
{
    const auto eventOf = [](EventKind kind, const char *node, Millis when) {
        Event event;
        event.at = at(when).wall;
        event.kind = kind;
        event.node = node;
        return event;
    };
    World world(5);
    auto both = std::make_shared<Snapshot>(*lostSince({}, *world.next(at(0ms), 9)));
    both->nodes.push_back(both->nodes.front());
    both->nodes.back().node = "third"; // not yet
    both->nodes.back().role = NodeRole::Replica;
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(both), at(0ms)));
        std::vector<Event> events;
        for (const auto &[master, former] : { std::pair("second", "node"), std::pair("third", "second") }) {
            events.push_back(eventOf(EventKind::MasterChanged, master, 8s));
            events.back().formerMaster = former;
        }
        events.push_back(eventOf(EventKind::Gap, "third", 9s));
        events.back().ttl = 7s;
        events.back().formerMaster = "node";
        QVERIFY(recorder->write(only(events, at(9s)), at(9s)));
        QVERIFY(recorder->write({}, at(20s)));
    }
    const auto player = play();
    QCOMPARE((*player->events(at(8s).mono, at(9s).mono, 1)).front().formerMaster, "node");
    for (const auto &[moment, isStale] : { std::pair(2s, false), std::pair(3s, true), std::pair(9s, false) }) {
        const auto snapshot = *player->at(at(moment).mono);
        const auto since = isStale ? std::optional(at(2s).mono) : std::nullopt;
        QCOMPARE(snapshot->nodes[0].status.staleSince, since);
        QCOMPARE(snapshot->nodes[1].status.staleSince, std::optional<MonoTime>());
        QCOMPARE(snapshot->status.staleSince, since);
    }
}

/// Who recorded later may have lost its server long before it began to record; who recorded before saw it then.
void TestRecording::takesNoGapForOneOfASessionBefore()
{
    World world(5);
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(10s)));
    }
    {
        const auto recorder = record(at(20s));
        QVERIFY(recorder->write(only(lostSince(-5s, *world.next(at(20s), 9))), at(20s)));
        Event gap;
        gap.at = at(24s).wall;
        gap.kind = EventKind::Gap;
        gap.node = "node";
        gap.ttl = 29s;
        QVERIFY(recorder->write(only({ gap }, at(24s)), at(24s)));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(24s), 9))), at(30s)));
    }
    const auto player = play();
    QVERIFY((*player->at(at(22s).mono))->status.phase == SourcePhase::Stale);
    QVERIFY((*player->at(at(5s).mono))->status.phase == SourcePhase::Live);
    QVERIFY(player->gaps().front().first >= at(10s).mono);
}

/// What is shown until then is the last picture of the session before.
void TestRecording::saysStaleUntilTheFirstPictureOfASession()
{
    World world(5);
    QVERIFY(record(at(0ms))->write(only(lostSince({}, *world.next(at(0ms), 9))), at(10s)));
    {
        const auto recorder = record(at(60s));
        QVERIFY(recorder->write({}, at(62s)));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(65s), 9))), at(70s)));
    }
    const auto player = play();
    QVERIFY((*player->at(at(59s).mono))->status.phase == SourcePhase::Stale);
    QVERIFY((*player->at(at(66s).mono))->status.phase == SourcePhase::Live);
    QVERIFY((*player->at(at(63s).mono))->status.phase == SourcePhase::Stale);
}

/// Pictures come a little after the events that led to them, and a recording may end between both.
void TestRecording::tellsAGapOnceThatWasOverBeforeTheLastPicture()
{
    World world(5);
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(0ms)));
        QVERIFY(recorder->write(only(lostSince(2s, *world.next(at(4s), 9))), at(4s)));
        Event gap;
        gap.at = at(9s).wall;
        gap.kind = EventKind::Gap;
        gap.node = "node";
        gap.ttl = 7s;
        QVERIFY(recorder->write(only({ gap }, at(9s)), at(9'400ms)));
    }
    const auto player = play();
    QCOMPARE(player->gaps(), (std::vector<RecordedSpan>{ { at(2s).mono, at(9s).mono } }));
    QVERIFY(player->untoldGaps(MonoTime(), player->span().last).empty());
}

/// A loss before all was read again is told from the end of the one before on, by another clock than pictures have.
void TestRecording::tellsEachGapOnceOfThoseThatFollowEachOther()
{
    const auto recordTwo = [this](World &world) {
        auto recorder = record(at(0ms));
        const auto write = [&](Millis when, std::optional<Millis> staleSince) {
            return recorder->write(only(lostSince(staleSince, *world.next(at(when), 9))), at(when)).has_value();
        };
        const bool isWritten = write(0ms, {}) && write(4s, 2s)
            && recorder->write(only({ gapOf("node", 2'002ms, 9s) }, at(9s)), at(9s)) && write(12s, 2s)
            && recorder->write(only({ gapOf("node", 9'001ms, 15s) }, at(15s)), at(15s));
        return isWritten ? std::move(recorder) : nullptr;
    };
    const std::vector<RecordedSpan> told{ { at(2'002ms).mono, at(9s).mono }, { at(9'001ms).mono, at(15s).mono } };
    {
        World world(5);
        const auto recorder = recordTwo(world);
        QVERIFY(recorder && recorder->write({}, at(15'500ms)));
    }
    auto player = play();
    QCOMPARE(player->gaps(), told);
    QVERIFY(player->untoldGaps(MonoTime(), player->span().last).empty());

    init(); // another file
    {
        World world(5);
        const auto recorder = recordTwo(world);
        QVERIFY(recorder && recorder->write(only(lostSince(2s, *world.next(at(33s), 9))), at(33s)));
        QVERIFY(recorder->write({}, at(40s))); // lost once more
    }
    player = play();
    QCOMPARE(player->gaps(), (std::vector<RecordedSpan>{ told[0], told[1], { at(15s).mono, at(40s).mono } }));
}

/// Who reads gets what is left of it.
void TestRecording::isNotDamagedWhereTheOldestIsDroppedMeanwhile()
{
    World world(5);
    const auto seen = lostSince({}, *world.next(at(0ms), 9));
    std::atomic<bool> isOver = false;
    std::atomic<int> written = 0;
    std::thread recording([&] {
        const auto recorder = record(at(0ms), { std::nullopt, 20s });
        for (int round = 0; !isOver; ++round) {
            const Now now = at(100ms * round);
            std::vector<Event> events;
            for (int i = 0; i < 20; ++i) {
                events.emplace_back();
                events.back().at = now.wall;
                events.back().kind = EventKind::Renewed;
                events.back().lock = "order";
            }
            auto picture = std::make_shared<Snapshot>(*seen);
            picture->takenAt = now;
            RecordingQueue::Content content = only(std::move(events), now);
            content.snapshots.push_back(picture);
            if (!recorder->write(content, now))
                break;
            ++written;
        }
    });
    std::string wrong;
    for (int opened = 0; opened < 40 && wrong.empty(); ++opened) {
        while (written < 250)
            QThread::yieldCurrentThread();
        const auto player = Player::open(m_file);
        for (int i = 0; player && i < 25 && wrong.empty(); ++i) {
            const auto events = (*player)->events(MonoTime(), (*player)->span().last, 10'000);
            if (!events)
                wrong = "after " + std::to_string(opened) + ": " + toString(events.error());
        }
        if (!player)
            wrong = "opening " + std::to_string(opened) + ": " + toString(player.error());
        else if (!(*player)->damage().empty())
            wrong = "damage " + std::to_string(opened) + ": " + toString((*player)->damage().front());
    }
    isOver = true;
    recording.join();
    QVERIFY2(wrong.empty(), wrong.c_str());
}

/// A picture that was taken before the recorder wrote last may reach it after that.
void TestRecording::isNotDamagedWherePicturesComeLateMeanwhile()
{
    World world(5, 2'000);
    const auto seen = lostSince({}, *world.next(at(0ms), 2'000));
    std::atomic<bool> isOver = false;
    std::atomic<int> written = 0;
    std::thread recording([&] {
        const auto recorder = record(at(0ms));
        for (int round = 0; !isOver; ++round) {
            const Now now = at(100ms * round);
            auto picture = std::make_shared<Snapshot>(*seen);
            picture->takenAt = at(100ms * round - (round > 0 ? 101ms : 0ms));
            if (!recorder->write(only(picture), now))
                break;
            ++written;
        }
    });
    while (written < 2)
        QThread::yieldCurrentThread();
    std::string wrong;
    for (int opened = 0; opened < 100 && wrong.empty(); ++opened) {
        const auto player = Player::open(m_file);
        if (!player)
            wrong = "opening " + std::to_string(opened) + ": " + toString(player.error());
        else if (!(*player)->damage().empty())
            wrong = "damage " + std::to_string(opened) + ": " + toString((*player)->damage().front());
        else if (const auto picture = (*player)->at((*player)->span().last); !picture)
            wrong = "picture " + std::to_string(opened) + ": " + toString(picture.error());
    }
    isOver = true;
    recording.join();
    QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestRecording::doesNotTakeADamagedEndForSeen_data()
{
    QTest::addColumn<bool>("wasLost"); // in the last picture before the damaged one
    QTest::addColumn<qint64>("from");
    QTest::newRow("live until then") << false << qint64(4'000);
    QTest::newRow("lost before") << true << qint64(2'000);
}

/// Nothing tells whether it was: the last picture would have said since when a server was lost.
void TestRecording::doesNotTakeADamagedEndForSeen()
{
    QFETCH(const bool, wasLost);
    QFETCH(const qint64, from);
    World world(5);
    for (const Millis begin : { 0s, 60s }) {
        const auto recorder = record(at(begin));
        for (const Millis passed : { 0s, 4s, 6s }) {
            const bool isLost = wasLost && passed == 4s;
            const auto picture
                = lostSince(isLost ? std::optional(begin + 2s) : std::nullopt, *world.next(at(begin + passed), 9));
            QVERIFY(recorder->write(only(picture), at(begin + passed)));
        }
        QVERIFY(recorder->write({}, at(begin + 10s)));
    }
    QVERIFY(play()->damage().empty());
    change(QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = (SELECT max(at) FROM frame "
                          "WHERE at < (SELECT max(first) FROM session))"));
    const auto player = play();
    const std::vector<RecordedSpan> expected{ { at(Millis(from)).mono, at(10s).mono }, { at(10s).mono, at(60s).mono } };
    QCOMPARE(player->gaps(), expected);
    QCOMPARE(player->damage().size(), 1);
    const auto shown = player->at(at(8s).mono);
    QVERIFY(!shown && shown.error() == player->damage().front());
    QVERIFY(player->at(at(65s).mono));
    const auto before = player->at(at(5s).mono);
    QVERIFY(before && (*before)->status.phase == SourcePhase::Stale);
}

/// Also where nothing but words of it is missing.
void TestRecording::tellsWhereItIsDamaged()
{
    World world(5);
    const OwnerId holder{ "client", "7" };
    auto lock = std::make_shared<LockState>();
    lock->name = "held";
    lock->holders.push_back({ holder, 1, {}, { at(-4min).mono, true }, {} });
    for (const Millis begin : { 0s, 60s, 120s }) {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = at(begin);
        snapshot->locks = { lock };
        const auto recorder = record(at(begin));
        QVERIFY(recorder->write(only(snapshot), at(begin)));
        auto later = std::make_shared<Snapshot>(*snapshot);
        later->takenAt = at(begin + 1s);
        QVERIFY(recorder->write(only(later), at(begin + 2s)));
    }
    change(QStringLiteral("UPDATE frame SET data = zeroblob(9) WHERE at = "
                          "(SELECT min(at) FROM frame WHERE at >= (SELECT max(first) FROM session))"));
    const auto player = play();
    std::vector<bool> areKnown;
    QVERIFY(player->visitEvents(MonoTime(), player->span().last, [&](const Event &event) {
        areKnown.push_back(event.since.has_value());
        return true;
    }));
    QCOMPARE(areKnown, (std::vector<bool>{ true, true, false }));
    QCOMPARE(player->damage().size(), 1);
    const std::vector<Said> why = player->damage().front().why;
    QVERIFY(why == (std::vector<Said>{ { Phrase::DamagedAt, { "120000" } } }));
}

/// All of several servers have been looked at when the last one has.
void TestRecording::findsTheFirstLookAtOneServer()
{
    const auto picture = [](Now now, Millis one, Millis other, bool isOtherStale = false) {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->takenAt = now;
        snapshot->status.lastSweep = SweepInfo{ .keysSeen = 1, .finishedAt = at(std::min(one, other)).mono };
        snapshot->nodes.resize(2);
        for (std::size_t i = 0; i < 2; ++i) {
            snapshot->nodes[i].node = i == 0 ? "one" : "other";
            snapshot->nodes[i].status.lastSweep = snapshot->status.lastSweep;
            snapshot->nodes[i].status.lastSweep->finishedAt = at(i == 0 ? one : other).mono;
        }
        if (isOtherStale)
            snapshot->status.staleSince = snapshot->nodes[1].status.staleSince = now.mono;
        return snapshot;
    };
    {
        const auto recorder = record(at(10s));
        for (const auto &[now, one, other, isStale] : { std::tuple(10s, 5s, 6s, false), std::tuple(20s, 19s, 15s, true),
                 std::tuple(30s, 19s, 25s, false), std::tuple(80s, 79s, 25s, false) })
            QVERIFY(recorder->write(only(picture(at(now), one, other, isStale)), at(now)));
    }
    const auto player = play();
    QCOMPARE(*player->lookFrom(at(12s).mono, "one"), at(19s).mono);
    QCOMPARE(*player->lookFrom(at(12s).mono, "other"), at(25s).mono);
    QCOMPARE(*player->lookFrom(at(12s).mono), at(19s).mono);
    QCOMPARE(*player->lookFrom(at(22s).mono, "one"), at(79s).mono);
    QCOMPARE(*player->lookFrom(at(22s).mono), at(25s).mono);
    QVERIFY(!*player->lookFrom(at(12s).mono, "a third"));
}

void TestRecording::tellsAllGapsButADamagedOne()
{
    World world(5);
    const auto gap = [](Millis end) {
        Event event;
        event.at = at(end).wall;
        event.kind = EventKind::Gap;
        event.node = "node";
        event.ttl = 1s;
        return event;
    };
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(0ms)));
        for (const Millis end : { 3s, 6s, 9s })
            QVERIFY(recorder->write(only({ gap(end) }, at(end)), at(end)));
        QVERIFY(recorder->write({}, at(20s)));
    }
    const auto span = [](Millis first, Millis last) { return RecordedSpan{ at(first).mono, at(last).mono }; };
    QCOMPARE(play()->gaps(), (std::vector<RecordedSpan>{ span(2s, 3s), span(5s, 6s), span(8s, 9s) }));
    change(QStringLiteral("UPDATE event SET ttl = 4000 WHERE at = (SELECT min(at) FROM event WHERE kind = 14 AND "
                          "at > (SELECT min(at) FROM event WHERE kind = 14))"));
    const auto player = play();
    QCOMPARE(player->gaps(), (std::vector<RecordedSpan>{ span(2s, 3s), span(8s, 9s) }));
    QCOMPARE(player->damage().size(), 1);
    QVERIFY(player->damage().front().why == (std::vector<Said>{ { Phrase::DamagedAt, { "6000" } } }));
    QVERIFY((*player->at(at(8'500ms).mono))->status.staleSince == at(8s).mono);
}

void TestRecording::doesNotTakeAGapForSeenThatItsIndexHides_data()
{
    QTest::addColumn<QString>("index");
    QTest::addColumn<bool>("isOfBefore"); // when there was one index
    QTest::addColumn<bool>("isInEntry"); // else in how many entries there are
    for (const bool isInEntry : { true, false }) {
        const char *const what = isInEntry ? "a moment in" : "the length of";
        QTest::addRow("%s the one", what) << QStringLiteral("event_gap") << false << isInEntry;
        QTest::addRow("%s the other", what) << QStringLiteral("event_gap_again") << false << isInEntry;
        QTest::addRow("%s the only one", what) << QStringLiteral("event_gap") << true << isInEntry;
    }
}

/// One bit of where a gap is looked up: its event is there, and whole.
void TestRecording::doesNotTakeAGapForSeenThatItsIndexHides()
{
    QFETCH(const QString, index);
    QFETCH(const bool, isOfBefore);
    QFETCH(const bool, isInEntry);
    World world(5);
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(0ms)));
        Event gap;
        gap.at = at(9s).wall;
        gap.kind = EventKind::Gap;
        gap.node = "node";
        gap.ttl = 7s;
        QVERIFY(recorder->write(only({ gap }, at(9s)), at(9s)));
        QVERIFY(recorder->write({}, at(20s)));
    }
    if (isOfBefore)
        change(QStringLiteral("DROP INDEX event_gap_again"));
    QVERIFY((*play()->at(at(5s).mono))->status.phase == SourcePhase::Stale);
    qint64 page = 0;
    qint64 pageSize = 0;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
        database.setDatabaseName(m_file);
        QVERIFY(database.open());
        QSqlQuery query(database);
        QVERIFY(query.exec(QStringLiteral("SELECT rootpage FROM sqlite_master WHERE name = '%1'").arg(index)));
        QVERIFY(query.next());
        page = query.value(0).toLongLong();
        QVERIFY(query.exec(QStringLiteral("PRAGMA page_size")) && query.next());
        pageSize = query.value(0).toLongLong();
    }
    QSqlDatabase::removeDatabase(QStringLiteral("test"));
    QByteArray moment(8, 0);
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(at(9s).mono.time_since_epoch()).count();
    qToBigEndian<qint64>(micros, moment.data());
    {
        constexpr qsizetype Entries = 3; // how many, in two bytes
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek((page - 1) * pageSize));
        const QByteArray bytes = file.read(pageSize);
        const qsizetype place = isInEntry ? bytes.indexOf(moment) + 7 : Entries + 1;
        QVERIFY(place > Entries && (isInEntry || bytes[place] == 1));
        QVERIFY(file.seek((page - 1) * pageSize + place));
        QVERIFY(file.write(QByteArray(1, static_cast<char>(bytes[place] ^ 1))) == 1);
    }
    const auto player = play();
    QVERIFY(player->events(MonoTime(), player->span().last, 1'000)); // nothing is missing
    const auto shown = player->at(at(5s).mono);
    QVERIFY(!shown || (*shown)->status.phase == SourcePhase::Stale || !player->damage().empty());
}

void TestRecording::findsItsGapsWithoutReadingAllEvents_data()
{
    QTest::addColumn<bool>("isOfBefore");
    QTest::newRow("found in two ways") << false;
    QTest::newRow("in one, as before") << true;
}

/// There may be several gigabytes of them, and nothing is shown before the gaps are known.
void TestRecording::findsItsGapsWithoutReadingAllEvents()
{
    QFETCH(const bool, isOfBefore);
    if (!bytesRead())
        QSKIP("this system does not tell what was read");
    {
        World world(5);
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(lostSince({}, *world.next(at(0ms), 9))), at(0ms)));
        for (int second = 1; second <= 30; ++second) {
            std::vector<Event> events(2'000);
            for (Event &event : events) {
                event.at = at(1s * second).wall;
                event.kind = EventKind::Renewed;
                event.lock = "order";
            }
            if (second == 20) {
                events.back().kind = EventKind::Gap;
                events.back().node = "node";
                events.back().ttl = 7s;
            }
            QVERIFY(recorder->write(only(std::move(events), at(1s * second)), at(1s * second)));
        }
    }
    if (isOfBefore)
        change(QStringLiteral("DROP INDEX event_gap_again"));
    const auto before = bytesRead();
    const auto player = play();
    const auto read = *bytesRead() - *before;
    QCOMPARE(player->gaps(), (std::vector<RecordedSpan>{ { at(13s).mono, at(20s).mono } }));
    const auto size = QFile(m_file).size();
    QVERIFY2(read > 0 && read < size / 10, qPrintable(QStringLiteral("%1 of %2").arg(read).arg(size)));
}

void TestRecording::tellsEventsBehindADamagedOne()
{
    World world(5);
    {
        const auto recorder = record(at(0ms));
        QVERIFY(recorder->write(only(world.next(at(0ms), 9)), at(0ms)));
        for (int second = 1; second <= 100; ++second) {
            Event event;
            event.at = at(1s * second).wall;
            event.kind = EventKind::Renewed;
            event.lock = std::to_string(second);
            QVERIFY(recorder->write(only({ event }, at(1s * second)), at(1s * second)));
        }
    }
    const auto told = [&](Player &player, Millis to) {
        const auto events = player.told({}, at(to).mono, 1'000).events;
        return events.empty() ? std::string() : events.front().event.lock + " to " + events.back().event.lock;
    };
    const auto whole = play();
    const std::string first = told(*whole, 100s);
    QVERIFY(!first.empty() && whole->damage().empty());
    QVERIFY(first.ends_with(" to 100"));
    change(QStringLiteral("UPDATE event SET count = 7 WHERE lock IN (CAST('20' AS BLOB), CAST('70' AS BLOB))"));
    const auto player = play();
    QCOMPARE(told(*player, 19s), first.substr(0, first.find(' ')) + " to 19");
    QVERIFY(player->damage().empty());
    QCOMPARE(told(*player, 60s), "21 to 60");
    QCOMPARE(told(*player, 70s), "");
    QCOMPARE(told(*player, 100s), "71 to 100");
    for (const Error &each : player->damage())
        QCOMPARE(each.why.front().phrase, Phrase::DamagedAt);
    QCOMPARE(player->damage().size(), 2);
    QVERIFY(!player->events(MonoTime(), at(100s).mono, 1'000));
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

void TestRecording::recordLoad(World &world, RecordingWriter &recorder, Millis from, int rounds, qint64 *largest)
{
    RecordingQueue::Content content;
    for (int i = 0; i < rounds; ++i) {
        const Now now = at(from + 400ms * i);
        const auto picture = world.next(now, 40);
        content.snapshots.push_back(i + 1 < rounds ? picture : lostSince({}, *picture)); // no loss at the end
        content.reports.push_back(only(std::vector<Event>(40, world.event(now)), now).reports.front());
        if (i % 10 < 9)
            continue;
        QVERIFY(recorder.write(std::exchange(content, {}), now));
        if (largest != nullptr)
            *largest = std::max(*largest, bytesOnDisk());
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
    QVERIFY2(largest <= Limit, qPrintable(QString::number(largest)));
    const auto player = play();
    QVERIFY(player);
    QVERIFY(player->span().first > at(0ms).mono); // something had to go, and not all of it
    QVERIFY(player->span().last - player->span().first > 20s);
    QVERIFY(player->at(player->span().first));
    const auto early = player->events(MonoTime(), player->span().first - 1us, 10);
    QVERIFY(early && early->empty());
}

void TestRecording::keepsItsSizeInAStormOfEvents()
{
    constexpr qint64 Limit = 1'000'000;
    World world(14);
    const auto recorder = record(at(0ms), { Limit, std::nullopt });
    const auto seen = world.next(at(0ms), 60);
    QVERIFY(recorder->write(only(seen), at(0ms)));
    for (int i = 1; i < 20; ++i) {
        std::vector<Event> events;
        for (int k = 0; k < 4'000; ++k)
            events.push_back(world.event(at(400ms * i)));
        QVERIFY(recorder->write(only(std::move(events), at(400ms * i)), at(400ms * i)));
        QVERIFY2(bytesOnDisk() <= Limit, qPrintable(QString::number(bytesOnDisk())));
    }
    const auto player = play();
    QVERIFY(player->events(MonoTime(), player->span().last, 100'000)->size() > 1'000);
    const auto shown = player->at(player->span().last);
    QVERIFY(shown && sameSnapshot(**shown, *seen)); // though it was written anew since
    QCOMPARE((*shown)->takenAt.wall, Start + 400ms * 19);
}

void TestRecording::keepsItsSizeWithManyLocks()
{
    World world(15, 1'500);
    const auto first = world.next(at(0ms), 3'000);
    const qint64 limit = leastFor(first) * 4 / 3; // what is known of its locks grows
    QVERIFY2(limit > 1'000'000 && limit < 20'000'000, qPrintable(QString::number(limit)));
    const auto recorder = record(at(0ms), { limit, std::nullopt });
    QVERIFY(recorder->write(only(first), at(0ms)));
    std::shared_ptr<const Snapshot> last;
    MonoTime::duration longest{}; // it falls each time when the older of two segments goes
    for (int round = 1; round <= 1'000; ++round) {
        last = world.next(at(400ms * round), 4);
        QVERIFY(recorder->write(only(last), at(400ms * round)));
        QVERIFY2(bytesOnDisk() <= limit, qPrintable(QString::number(bytesOnDisk())));
        if (round % 20 != 0)
            continue;
        if (const auto span = play()->span(); span.first > at(0ms).mono)
            longest = std::max(longest, span.last - span.first);
    }
    const auto player = play();
    QVERIFY(player->span().first > at(0ms).mono);
    QVERIFY2(longest > 40s, qPrintable(QString::number(longest.count())));
    QVERIFY(player->at(player->span().first));
    const auto shown = player->at(player->span().last);
    QVERIFY(shown && sameSnapshot(**shown, *last));
}

void TestRecording::keepsItsSizeWhileTheLocksBecomeMany()
{
    constexpr qint64 Limit = 8'000'000;
    World world(16, 2'000);
    const auto recorder = record(at(0ms), { Limit, std::nullopt });
    for (int i = 0; i < 200; ++i) {
        QVERIFY(recorder->write(only(world.next(at(400ms * i), 40)), at(400ms * i)));
        QVERIFY2(bytesOnDisk() <= Limit, qPrintable(QString::number(bytesOnDisk())));
    }
}

qint64 TestRecording::leastFor(const std::shared_ptr<const Snapshot> &snapshot)
{
    const QString file = std::exchange(m_file, m_folder->filePath(QStringLiteral("too small")));
    const auto written = record(at(0ms), { 1'000'000, std::nullopt })->write(only(snapshot), at(0ms));
    m_file = file;
    const QString reason = written ? QString() : QString::fromStdString(written.error().message);
    const auto named = QRegularExpression(QStringLiteral("at least (\\d+) bytes")).match(reason);
    return named.captured(1).toLongLong();
}

void TestRecording::namesTheLeastSizeForManyLocks()
{
    World world(17, 1'500);
    const auto first = world.next(at(0ms), 3'000);
    const auto recorder = record(at(0ms), { 1'000'000, std::nullopt });
    const auto written = recorder->write(only(first), at(0ms));
    QVERIFY(!written);
    QVERIFY(written.error().code == ErrorCode::FileFailed);
    const std::string locks = std::to_string(first->locks.size()) + " locks";
    QVERIFY2(written.error().message.find(locks) != std::string::npos, written.error().message.c_str());
    QVERIFY(bytesOnDisk() < 200'000); // before anything of it was written
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
    QTest::newRow("truncated") << QString() << 9'000 << QStringLiteral("cut short");
    QTest::newRow("another program's") << QStringLiteral("PRAGMA application_id = 1") << -2
                                       << QStringLiteral("not a recording");
    QTest::newRow("newer") << QStringLiteral("PRAGMA user_version = 5") << -2 << QStringLiteral("newer Lockscope");
    QTest::newRow("nothing recorded") << QStringLiteral("DELETE FROM frame") << -2
                                      << QStringLiteral("nothing has been recorded");
    QTest::newRow("a table is missing") << QStringLiteral("DROP TABLE session") << -2 << QStringLiteral("session");
}

/// Behind its back.
void TestRecording::change(const QString &statement)
{
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
        database.setDatabaseName(m_file);
        QVERIFY(database.open());
        QVERIFY(QSqlQuery(database).exec(statement));
    }
    QSqlDatabase::removeDatabase(QStringLiteral("test"));
}

void TestRecording::refusesWhatIsNoRecording()
{
    QFETCH(QString, statement);
    QFETCH(int, cut);
    QFETCH(QString, complaint);
    World world(10);
    recordLoad(world, *record(at(0ms)), 0ms, 20);
    if (!statement.isEmpty()) {
        change(statement);
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

void TestRecording::refusesOneWithoutSessions()
{
    World world(10);
    recordLoad(world, *record(at(0ms)), 0ms, 20);
    change(QStringLiteral("DELETE FROM session"));
    QVERIFY(!Player::open(m_file));
    change(QStringLiteral("DELETE FROM clock"));
    QVERIFY(!Player::open(m_file));
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
            (void)(*player)->waitChanges(MonoTime(), (*player)->span().last);
        }
    }
}

void TestRecording::givesAllOrAnErrorWhereAPageIsDamaged()
{
    constexpr qint64 Page = 4'096;
    World world(18);
    recordLoad(world, *record(at(0ms)), 0ms, 20);
    const auto whole = play();
    const auto end = whole->span().last;
    const auto allEvents = whole->events(MonoTime(), end, 10'000);
    const auto allDensity = whole->density(1);
    QVERIFY(allEvents && allEvents->size() == static_cast<std::size_t>(whole->eventCount()));
    const auto good = m_file;
    int failures = 0;
    for (qint64 page = 1; page < QFile(good).size() / Page; ++page) {
        m_file = m_folder->filePath(QString::number(page));
        QVERIFY(QFile::copy(good, m_file));
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(page * Page));
        file.write(QByteArray(Page, '\xff'));
        file.close();
        const auto player = Player::open(m_file);
        if (!player) {
            ++failures;
            continue;
        }
        std::size_t visited = 0;
        const auto visit = (*player)->visitEvents(MonoTime(), end, [&](const Event &) { return ++visited > 0; });
        const auto events = (*player)->events(MonoTime(), end, 10'000);
        const bool isDense = (*player)->density(1) == allDensity;
        failures += visit ? 0 : 1;
        QVERIFY2(!visit || visited == allEvents->size(), qPrintable(m_file));
        QVERIFY2(!events || events->size() == allEvents->size(), qPrintable(m_file));
        QVERIFY2(isDense || !(*player)->damage().empty(), qPrintable(m_file));
    }
    QVERIFY(failures > 5);
}

void TestRecording::givesWhatWasRecordedOrAnErrorWhereABitIsFlipped()
{
    World world(21);
    recordLoad(world, *record(at(0ms)), 0ms, 20);
    const auto whole = play();
    const auto first = whole->span().first;
    const auto end = whole->span().last;
    const auto allEvents = whole->events(MonoTime(), end, 10'000);
    QVERIFY(allEvents);
    std::vector<std::shared_ptr<const Snapshot>> seen;
    for (MonoTime moment = first; moment <= end; moment += 2s) {
        auto snapshot = std::make_shared<Snapshot>(**whole->at(moment));
        snapshot->status.recordedAt.reset();
        seen.push_back(std::move(snapshot));
    }
    QFile original(m_file);
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray good = original.readAll();
    std::minstd_rand random(22);
    int refused = 0;
    for (int round = 0; round < 60; ++round) {
        QByteArray bad = good;
        const auto place = static_cast<qsizetype>(random() % static_cast<unsigned>(bad.size()));
        bad[place] = static_cast<char>(bad[place] ^ (1 << random() % 8));
        m_file = m_folder->filePath(QString::number(round));
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bad);
        file.close();
        const auto player = Player::open(m_file);
        if (!player) {
            ++refused;
            continue;
        }
        const QByteArray where = QByteArray::number(round) + ", byte " + QByteArray::number(place);
        std::size_t visited = 0;
        std::size_t next = 0;
        bool same = true;
        const auto visit = (*player)->visitEvents(MonoTime(), end, [&](const Event &event) {
            while (next < allEvents->size() && !sameEvent(event, (*allEvents)[next])) // what is damaged is left out
                ++next;
            same = same && next++ < allEvents->size();
            return ++visited > 0;
        });
        QVERIFY2(same && (!visit || visited == allEvents->size()), where.constData());
        const auto events = (*player)->events(MonoTime(), end, 10'000);
        QVERIFY2(!events || std::ranges::equal(*events, *allEvents, sameEvent), where.constData());
        bool all = visit && events;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const auto snapshot = (*player)->at(first + 2s * i);
            const bool isDamageTold = !(*player)->damage().empty(); // of what was not seen then, perhaps
            QVERIFY2(!snapshot || isDamageTold || sameSnapshot(**snapshot, *seen[i]), where.constData());
            all = all && snapshot;
        }
        refused += all ? 0 : 1;
    }
    QVERIFY2(refused > 15, QByteArray::number(refused).constData()); // else the flips hit only what is free
}

void TestRecording::tellsOfACopyWithoutItsLog()
{
    World world(23);
    const auto recorder = record(at(0ms));
    recordLoad(world, *recorder, 0ms, 200);
    QVERIFY(!play()->warning());
    const QString copy = m_folder->filePath(QStringLiteral("copy"));
    QVERIFY(QFile::copy(m_file, copy));
    m_file = copy;
    const auto player = Player::open(copy);
    const auto told = player ? (*player)->warning() : std::optional(player.error());
    QVERIFY(told);
    QVERIFY2(toString(*told).find("-wal") != std::string::npos, toString(*told).c_str());
    QVERIFY(!QFile::exists(copy + QStringLiteral("-wal"))); // and it is told the next time as well
}

void TestRecording::refusesASecondRecorder()
{
    const auto recorder = record(at(0ms));
    const auto second = RecordingWriter::open(m_file, {}, at(1s));
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
