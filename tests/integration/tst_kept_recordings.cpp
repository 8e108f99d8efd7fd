// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that earlier versions made: whatever becomes of the format, they tell what they told.
#include "lockcore/recording/player.h"
#include "lockcore/recording/recording_writer.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::recording;
using namespace lockcore::synchronizers;
using namespace std::chrono_literals;

namespace {

const OwnerId Anna{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "57" };
const OwnerId Bert{ "c3d95e10-8a6b-4f7c-b1de-22a9f0417b38", "9" };
const std::string FirstServer = "127.0.0.1:17391"; // which has a part of each lock
const LockName Latch = "{map}:Zm9vYmFyYmF6cXV4cXV1eA:countdownlatch";
const LockName Counter = "{map}:Zm9vYmFyYmF6cXV4cXV1eA:semaphore";

QString fileOf(int version) { return QStringLiteral(TEST_DATA "/version-%1.lockrec").arg(version); }

/// One that can be changed.
QString copyTo(const QTemporaryDir &folder, int version)
{
    const QString copy = folder.filePath(QStringLiteral("copy"));
    const bool isMade = QFile::copy(fileOf(version), copy)
        && QFile::setPermissions(copy, QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    return isMade ? copy : QString();
}

/// Each with its holds and the minutes that it has left at most.
std::string holdersOf(const LockState &lock, MonoTime now)
{
    std::string text;
    for (const Holder &holder : lock.holders) {
        text += (text.empty() ? "" : ", ") + holder.owner.thread + " x" + std::to_string(holder.count);
        if (holder.expiresAt)
            text += ' ' + std::to_string(std::chrono::ceil<std::chrono::minutes>(*holder.expiresAt - now).count());
    }
    return text;
}

} // namespace

class TestKeptRecordings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void opensVersion1();
    void saysThatAPictureIsDamagedThatIsNotThere();
    void onlyReadsEarlierVersions_data() { addVersions({ 1, 2 }); }
    void onlyReadsEarlierVersions();
    void showsEachLock_data() { addVersions({ 2, 3 }); }
    void showsEachLock();
    void tellsWhatFewLocksHave_data() { addVersions({ 2, 3 }); }
    void tellsWhatFewLocksHave();
    void tellsWhatEachServerHas_data() { addVersions({ 2, 3 }); }
    void tellsWhatEachServerHas();
    void tellsWhereEachLockWasFound_data() { addVersions({ 2, 3 }); }
    void tellsWhereEachLockWasFound();
    void tellsTheCourseOfAHold_data() { addVersions({ 2, 3 }); }
    void tellsTheCourseOfAHold();

private:
    static void addVersions(std::initializer_list<int> versions)
    {
        QTest::addColumn<int>("version");
        for (const int version : versions)
            QTest::addRow("%d", version) << version;
    }
    /// What there was at the end; null: it cannot be read.
    std::shared_ptr<const Snapshot> open(int version)
    {
        auto player = Player::open(fileOf(version));
        if (!player)
            return nullptr;
        m_player = std::move(*player);
        const auto shown = m_player->at(m_player->span().last);
        return shown ? *shown : nullptr;
    }

    std::unique_ptr<Player> m_player;
};

void TestKeptRecordings::opensVersion1()
{
    const auto shown = open(1);
    QVERIFY(shown && !shown->locks.empty());
    QCOMPARE(m_player->eventCount(), 93);
    const auto events = m_player->events(MonoTime(), m_player->span().last, 1'000);
    QVERIFY(events);
    QCOMPARE(events->size(), 93);
    QCOMPARE(events->front().lock, "checkout:cart:70314");
    QCOMPARE(m_player->momentAt(events->front().at), std::optional(MonoTime(events->front().at.time_since_epoch())));
}

/// Its index names it all the same, and version 1 has nothing else that tells.
void TestKeptRecordings::saysThatAPictureIsDamagedThatIsNotThere()
{
    const QTemporaryDir folder;
    const QString copy = copyTo(folder, 1);
    const auto change = [&](const QStringList &statements) {
        {
            QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("test"));
            database.setDatabaseName(copy);
            QVERIFY(database.open());
            for (const QString &statement : statements)
                QVERIFY2(QSqlQuery(database).exec(statement), qPrintable(statement));
        }
        QSqlDatabase::removeDatabase(QStringLiteral("test"));
    };
    const QString permit = QStringLiteral("PRAGMA writable_schema = ON");
    change({ permit, QStringLiteral("CREATE TABLE kept AS SELECT * FROM sqlite_master WHERE name = 'frame_whole'"),
        QStringLiteral("DELETE FROM sqlite_master WHERE name = 'frame_whole'") });
    change({ QStringLiteral("DELETE FROM frame") });
    change({ permit, QStringLiteral("INSERT INTO sqlite_master SELECT * FROM kept") });

    const auto player = Player::open(copy);
    QVERIFY(player);
    QCOMPARE((*player)->damage().size(), 1);
    const auto shown = (*player)->at((*player)->span().last);
    QVERIFY(!shown);
    QVERIFY(shown.error() == (*player)->damage().front());
    QVERIFY((shown.error().why == std::vector<Said>{ { Phrase::DamagedAt, { "0" } } }));
}

void TestKeptRecordings::onlyReadsEarlierVersions()
{
    QFETCH(const int, version);
    const QTemporaryDir folder;
    const QString copy = copyTo(folder, version);
    QVERIFY(QFile::exists(copy));
    const auto more = RecordingWriter::open(copy, {}, { MonoTime(1h), WallTime(1h) });
    QVERIFY(!more);
    QVERIFY2(more.error().message.find("earlier Lockscope") != std::string::npos, more.error().message.c_str());
}

void TestKeptRecordings::showsEachLock()
{
    QFETCH(const int, version);
    const auto shown = open(version);
    QVERIFY(shown);
    struct Row {
        LockName name;
        Kind kind;
        std::int16_t slot;
        std::string holders;
        std::vector<std::string> keys;
    };
    const std::string readTimeout = ":rwlock_timeout:1";
    const std::vector<Row> rows{
        { "fair", Kind::Fair, 15735, "57 x1 10",
            { "fair", "redisson_lock_queue:{fair}", "redisson_lock_timeout:{fair}" } },
        { "fenced", Kind::Fenced, 2364, "57 x1 10", { "fenced", "redisson_lock_token:{fenced}" } },
        { "plain", Kind::Reentrant, 7143, "57 x2 10", { "plain" } },
        { "port", Kind::Reentrant, 9479, Bert.client + " x1", { "port" } },
        { "red", Kind::Reentrant, 11925, "57 x1 10, 9 x1 10", { "red" } },
        { "rw", Kind::ReadWrite, 8267, "57 x1 9, 9 x1 10",
            { "rw", "{rw}:" + toString(Anna) + readTimeout, "{rw}:" + toString(Bert) + readTimeout } },
        { "seats", Kind::PermitExpirableSemaphore, 12529, "", { "seats", "{seats}:timeout" } },
        { "together", Kind::FasterMulti, 15108, "57 x1 10", { "together" } },
        { Latch, Kind::CountDownLatch, 8118, "", { Latch } },
        { Counter, Kind::Semaphore, 8118, "", { Counter } },
    };
    QCOMPARE(shown->locks.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const LockState &lock = *shown->locks[i];
        QCOMPARE(lock.name, rows[i].name);
        QVERIFY2(lock.kind == rows[i].kind, lock.name.c_str());
        QCOMPARE(lock.slot, rows[i].slot);
        QCOMPARE(holdersOf(lock, shown->takenAt.mono), rows[i].holders);
        QCOMPARE(keysOf(lock), rows[i].keys);
        QVERIFY2(lock.lease == Lease::Unknown && lock.lastChange.certainty == Certainty::Seen, lock.name.c_str());
    }
}

void TestKeptRecordings::tellsWhatFewLocksHave()
{
    QFETCH(const int, version);
    const auto shown = open(version);
    QVERIFY(shown);
    const auto of = [&](const LockName &name) { return *shown->locks.find(name); };
    QCOMPARE(of("fenced").token, std::optional<std::int64_t>(41));
    QCOMPARE(of(Latch).count, std::optional<std::int64_t>(4));
    QCOMPARE(of(Counter).permits, std::optional(PermitsReading{ 3, std::nullopt, 0, {} }));
    const auto seats = of("seats").permits;
    QVERIFY(seats && seats->available == 3 && seats->leased == 1 && seats->overdue == 0);
    QCOMPARE(seats->leases.at(0).id, "17bb02e94ac6d0130000000000000000");
    QVERIFY(of("rw").mode == HoldMode::Read && of("rw").holders.at(1).mode == HoldMode::Read);
    QVERIFY(of("port").holders.at(0).fromPort && !of("port").expiresAt);
    const auto waiters = of("fair").waiters;
    QCOMPARE(waiters.size(), 1U);
    QVERIFY(waiters[0].owner == Bert && waiters[0].subscribed == false);
    QVERIFY(waiters[0].deadline > shown->takenAt.wall + 9min && waiters[0].deadline < shown->takenAt.wall + 10min);
    QVERIFY(shown->analysis);
    QCOMPARE(shown->analysis->suspects.size(), 2U);
    QVERIFY(shown->analysis->suspects[0].kind == SuspectKind::NoTtl); // what is graver comes first
    QVERIFY(shown->analysis->suspects[1].kind == SuspectKind::DeadWaiter);
    QCOMPARE(shown->analysis->suspects[1].subject, toString(Bert));
}

void TestKeptRecordings::tellsWhatEachServerHas()
{
    QFETCH(const int, version);
    const auto shown = open(version);
    QVERIFY(shown);
    QVERIFY(shown->status.phase == SourcePhase::Live && shown->status.feed == Feed::ClientTracking);
    QVERIFY(shown->status.lastSweep && shown->status.recordedAt == shown->takenAt.wall);
    QCOMPARE(shown->nodes.size(), 3U);
    QCOMPARE(shown->nodes[0].node, FirstServer);
    QCOMPARE(shown->nodes[0].locks, 10);
    QCOMPARE(shown->nodes[2].locks, 1);
    const auto red = shown->locks.find("red");
    QCOMPARE(red->quorum, std::optional(Quorum{ 2, 0, 3 }));
    QCOMPARE(red->members.size(), 3U);
    QVERIFY(red->node.empty() && red->members[0]->node == FirstServer);
    QVERIFY(red->members[1]->holders.at(0).owner == Anna && red->members[2]->holders.at(0).owner == Bert);
    QCOMPARE(shown->locks.find("plain")->members.size(), 1U);
}

/// What it began with was recorded without its server, but where several had it that is said by the picture alone.
void TestKeptRecordings::tellsWhereEachLockWasFound()
{
    QFETCH(const int, version);
    const auto shown = open(version);
    QVERIFY(shown);
    const auto events = m_player->events(MonoTime(), m_player->span().first, 100);
    QVERIFY(events && !events->empty());
    for (const Event &event : *events) {
        const bool isRed = event.lock == "red";
        const std::string &expected = !isRed ? FirstServer : event.owner == Bert ? shown->nodes[2].node : std::string();
        QVERIFY2(event.node == expected, (event.lock + " on " + event.node).c_str());
    }
}

void TestKeptRecordings::tellsTheCourseOfAHold()
{
    QFETCH(const int, version);
    QVERIFY(open(version));
    const auto events = m_player->events(MonoTime(), m_player->span().last, 100);
    QVERIFY(events);
    QCOMPARE(events->size(), 16U);
    std::vector<EventKind> kinds;
    for (const Event &event : *events) {
        if (event.lock == "order")
            kinds.push_back(event.kind);
    }
    QVERIFY((kinds == std::vector{ EventKind::Acquired, EventKind::Renewed, EventKind::Released }));
    const auto before = m_player->at(m_player->momentAt(events->back().at).value() - 100ms);
    QVERIFY(before);
    const auto order = (*before)->locks.find("order");
    QVERIFY(order && order->renewals == 1 && order->holders.at(0).owner == Bert);
    const auto corners = ttlHistoryOf(*order);
    QCOMPARE(corners.size(), 2U);
    QVERIFY(!corners[0].renewal && corners[1].renewal);
    QVERIFY(corners[1].after > 29s && corners[1].before < corners[1].after);
}

QTEST_GUILESS_MAIN(TestKeptRecordings)
#include "tst_kept_recordings.moc"
