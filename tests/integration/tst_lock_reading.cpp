// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/admin_script.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"
#include "lockcore/synchronizers/lock_reader.h"
#include "lockcore/synchronizers/pipelined_reader.h"
#include "tests/integration/plain_reading.h"
#include "tests/integration/random_keyspace.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <QElapsedTimer>
#include <QTest>
#include <algorithm>
#include <map>
#include <set>

using namespace lockcore;
using namespace lockcore::synchronizers;
using namespace testsupport;
using protocol::Reply;

namespace {

constexpr int Count = 500;
constexpr std::size_t Batch = 100;
const WallTime ReadAt(Millis(1'732'174'560'000));
using Readings = std::map<LockName, LockReading>;

std::vector<LockName> unique(std::vector<LockName> names)
{
    const std::set<LockName> sorted(names.begin(), names.end());
    return { sorted.begin(), sorted.end() };
}

/// Times to live are whole multiples of the step plus a half, so that what passes during the test is cut off.
Millis coarse(Millis ttl) { return ttl.count() > 0 ? ttl - ttl % TtlStep : ttl; }

LockReading coarse(LockReading reading)
{
    if (reading.ttl)
        reading.ttl = coarse(*reading.ttl);
    for (auto &holder : reading.holders) {
        for (auto &ttl : holder.readTtls)
            ttl = coarse(ttl);
    }
    return reading;
}

Readings byName(const std::vector<LockReading> &readings)
{
    Readings result;
    for (const auto &reading : readings)
        result.emplace(reading.name, coarse(reading));
    return result;
}

QByteArray firstDifference(const Readings &actual, const Readings &expected)
{
    for (const auto &[name, reading] : expected) {
        const auto found = actual.find(name);
        if (found == actual.end())
            return "missed: " + QByteArray::fromStdString(name);
        if (!(found->second == reading))
            return "differs: " + QByteArray::fromStdString(name);
    }
    for (const auto &[name, reading] : actual) {
        if (!expected.contains(name))
            return "invented: " + QByteArray::fromStdString(name);
    }
    return {};
}

} // namespace

class TestLockReading : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void scriptsHaveTheDigestThatRedisComputes();
    void findsEachLockAmongManyOtherKeys();
    void readsRandomKeysAlikeInEveryWay();
    void readsNamesOfAnyBytes();
    void neverFetchesAHugeHash();
    void refusesElementsLongerThanAnOwner();
    void readsALockWhoseHashHasShrunk();
    void saysWhatIsTooLargeToBeRead();
    void showsWhatIsTooLongByHowItBegins();
    void readsWhereMemoryHasAnotherName();
    void tellsWhenItLookedByTheServersClock();
    void leavesNoErrorsBehindForKeysOfOtherTypes();
    void saysHowManyWaitersWereNotRead();
    void leavesTheRestForLaterWhenLocksAreLarge();
    void fetchesPermitsAndQueuesAtOnce();
    void readsPermitsOfBothLayouts();
    void takesNoOtherZsetForPermits_data();
    void takesNoOtherZsetForPermits();
    void tellsCountersByTheNamesOfOtherObjects();
    void leavesANumberUndecided();
    void givesSharedPermitsToOneName();
    void readsANumberWhosePermitsAreNotForUs();
    void readsANumberWhoseNamesakeIsNotForUs();
    void followsAPatternInTheSweep();
    void matchesPatternsLikeTheServer();
    void needsNoMoreThanReadRights();
    void saysWhereTheRightsEnd();

private:
    BlockingClient client() const { return BlockingClient(m_server.socketPath().toStdString()); }
    std::vector<LockName> sweepByScript(const std::string &pattern = {});
    std::vector<LockName> sweepByScan(const std::string &pattern = {});
    std::vector<LockReading> readByScript(const std::vector<LockName> &names);
    std::vector<LockReading> readByCommands(const std::vector<LockName> &names);

    RedisServer m_server{ { .users = { QStringLiteral("reader on nopass ~* -@all +@read +@connection -@dangerous"
                                                      " +evalsha_ro +eval_ro +dbsize"),
                                QStringLiteral("timeless on nopass ~* +@all -time"),
                                QStringLiteral("narrow on nopass ~app:* -@all +@read +@connection +eval_ro") } } };
    std::unique_ptr<BlockingClient> m_client;
    Readings m_swept; // by the last sweep
};

void TestLockReading::initTestCase()
{
    NEED_REDIS_SERVER();
    QVERIFY(m_server.start());
    m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
}

void TestLockReading::init() { m_client->run({ "FLUSHALL" }); }

std::vector<LockName> TestLockReading::sweepByScript(const std::string &pattern)
{
    std::vector<LockName> names;
    m_swept.clear();
    const auto walks = sweepWalks(pattern);
    SweepPosition position;
    std::int64_t keysSeen = 0;
    while (!position.isAtEnd()) {
        auto page = decodeSweepPage(m_client->eval(sweepPageScript(), {}, sweepPageArguments(walks, position, Count)));
        if (!page || page->next.cursors.size() != walks.size())
            qFatal("the sweep failed");
        position = std::move(page->next);
        keysSeen += page->keysSeen;
        names.insert(names.end(), page->candidates.begin(), page->candidates.end());
        for (const auto &reading : page->readings) {
            names.push_back(reading.name);
            m_swept.emplace(reading.name, coarse(reading));
        }
    }
    if (keysSeen != *m_client->run({ "DBSIZE" }).integer())
        qFatal("the sweep does not tell how many keys there are");
    return unique(std::move(names));
}

std::vector<LockName> TestLockReading::sweepByScan(const std::string &pattern)
{
    std::vector<LockName> names;
    const auto walks = sweepWalks(pattern);
    SweepPosition position;
    while (!position.isAtEnd()) {
        const auto replies = m_client->runAll(scanCommands(walks, position, Count));
        const auto page = decodeScans(walks, position, replies);
        if (!page)
            qFatal("the sweep failed");
        position = page->next;
        names.insert(names.end(), page->candidates.begin(), page->candidates.end());
    }
    return unique(names);
}

std::vector<LockReading> TestLockReading::readByScript(const std::vector<LockName> &names)
{
    std::vector<LockReading> readings;
    for (std::size_t i = 0; i < names.size(); i += Batch) {
        const auto size = std::min(Batch, names.size() - i);
        const std::vector<LockName> keys(names.data() + i, names.data() + i + size);
        const auto reply = m_client->eval(readLocksScript(), keys, readLocksArguments(ReadAt));
        const auto part = decodeReadLocks(keys, reply);
        if (!part)
            qFatal("%s", toString(part.error()).c_str());
        if (!namesForLater(keys, reply).empty())
            qFatal("too much at a time");
        readings.insert(readings.end(), part->begin(), part->end());
    }
    std::erase_if(readings, isPlainNumber);
    return readings;
}

std::vector<LockReading> TestLockReading::readByCommands(const std::vector<LockName> &names)
{
    PipelinedReader reader(names, ReadAt);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next()) {
        const auto fed = reader.feed(m_client->runAll(commands));
        if (!fed)
            qFatal("%s", toString(fed.error()).c_str());
    }
    auto readings = reader.take();
    std::erase_if(readings, isPlainNumber);
    return readings;
}

void TestLockReading::scriptsHaveTheDigestThatRedisComputes()
{
    for (const auto *script : { &readLocksScript(), &sweepPageScript() }) {
        const auto reply = m_client->run({ "SCRIPT", "LOAD", std::string(script->text) });
        QVERIFY(reply.bulk());
        QCOMPARE(*reply.bulk(), std::string(script->sha1));
        QVERIFY(script->readOnly);
    }
}

void TestLockReading::findsEachLockAmongManyOtherKeys()
{
    RandomKeyspace keyspace(20'000, 300);
    const auto replies = m_client->runAll(keyspace.commands());
    QVERIFY(std::none_of(replies.begin(), replies.end(), [](const Reply &reply) { return reply.isError(); }));
    QVERIFY(*m_client->run({ "DBSIZE" }).integer() >= 20'300);

    Readings expected;
    for (const auto &lock : keyspace.locks())
        expected.emplace(lock.name, coarse(lock));
    QCOMPARE(expected.size(), std::size_t(300));

    QElapsedTimer timer;
    timer.start();
    const auto byScript = byName(readByScript(sweepByScript()));
    QVERIFY(m_swept.size() > 100);
    for (const auto &[name, reading] : m_swept)
        QVERIFY2(byScript.contains(name) && byScript.at(name) == reading, name.c_str());
    qInfo("by script: %lld ms", timer.restart());
    const auto byCommands = byName(readByCommands(sweepByScan()));
    qInfo("by commands: %lld ms", timer.elapsed());
    QCOMPARE(firstDifference(byScript, expected), QByteArray());
    QCOMPARE(firstDifference(byCommands, expected), QByteArray());
}

void TestLockReading::readsRandomKeysAlikeInEveryWay()
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        m_client->run({ "FLUSHALL" });
        RandomKeyspace keyspace(200, 40, seed);
        keyspace.damage(200); // so that many locks are none any more
        m_client->runAll(keyspace.commands());

        const auto names = keyspace.names();
        const auto plain = byName(readPlainly(*m_client, names));
        QVERIFY(plain.size() > 5);
        for (const auto &readings : { readByScript(names), readByCommands(names), readByScript(sweepByScript()),
                 readByCommands(sweepByScan()) }) {
            const auto difference = firstDifference(byName(readings), plain);
            QVERIFY2(difference.isEmpty(), QByteArray::number(seed).append(' ').append(difference).constData());
        }
    }
}

void TestLockReading::readsNamesOfAnyBytes()
{
    const std::vector<LockName> names{ "", "{", "}", "{}", "a}b", "a{b", "{a}b", std::string{ '\0', 'x' }, "\n\r\n",
        "\xff\xfe\x80", "<b>bold</b>",
        "\xe2\x80\xae"
        "drow",
        "%s*[?]\\", std::string(10'000, 'n') };
    const std::string owner = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57";
    const std::string waiter = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:1";
    for (const auto &name : names) {
        m_client->run({ "HSET", name, owner, "1" });
        m_client->run({ "PEXPIRE", name, "100000" });
        m_client->run({ "RPUSH", key_layout::fairQueue(name), waiter });
        m_client->run({ "ZADD", key_layout::fairTimeouts(name), "1732174560000", waiter });
    }
    const auto byScript = readByScript(sweepByScript());
    QCOMPARE(byScript.size(), names.size());
    for (const auto &reading : byScript) {
        QVERIFY(std::find(names.begin(), names.end(), reading.name) != names.end());
        QVERIFY(!reading.waiters.empty() && reading.waiters.front().deadline);
    }
    QCOMPARE(byName(readByCommands(sweepByScan())).size(), names.size());
}

void TestLockReading::neverFetchesAHugeHash()
{
    m_client->run({ "EVAL",
        "for i = 1, 1000000 do redis.call('HSET', KEYS[1],"
        " string.format('0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:%d', i), 1) end",
        "1", "orders" });
    QCOMPARE(*m_client->run({ "HLEN", "orders" }).integer(), std::int64_t(1'000'000));
    m_client->run({ "CONFIG", "RESETSTAT" });

    QVERIFY(readByScript(sweepByScript()).empty());
    QVERIFY(readByCommands(sweepByScan()).empty());
    const auto statistics = m_server.cli({ QStringLiteral("INFO"), QStringLiteral("commandstats") });
    QVERIFY(statistics.contains("cmdstat_hlen"));
    QVERIFY(!statistics.contains("cmdstat_hgetall"));
}

/// One element may be larger than a reply may be: it is not fetched, and what it spoils is said not to be known.
void TestLockReading::refusesElementsLongerThanAnOwner()
{
    constexpr int Long = 100'000;
    const std::string owner = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:1";
    const std::string other = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2:7";
    const std::string huge(Long, '7');
    const auto held = [&](const std::string &name) { m_client->run({ "HSET", name, owner, "1" }); };
    for (const std::string name : { "queued", "deadlines", "fenced", "{namesake}" })
        held(name);
    m_client->run({ "RPUSH", "redisson_lock_queue:{free}", other, owner + huge });
    m_client->run({ "RPUSH", "redisson_lock_queue:{queued}", huge });
    m_client->run({ "ZADD", "redisson_lock_timeout:{deadlines}", "1", huge });
    m_client->run({ "SET", "redisson_lock_token:{fenced}", huge });
    m_client->run({ "RPUSH", "redisson_lock_queue:{spoilt}", other });
    m_client->run({ "HSET", "{spoilt}", owner, huge });
    m_client->run({ "HSET", "count", owner, huge });
    m_client->run({ "HSET", "field", owner + huge, "1" });
    m_client->run({ "HSET", "shared", "mode", "read", owner, "1", other + huge, "1" });
    m_client->run({ "SET", "permits", "3" });
    m_client->run({ "ZADD", "{permits}:timeout", "1", huge });
    m_client->run({ "HSET", huge, owner, "1" });
    m_client->run({ "RPUSH", "redisson_lock_queue:" + huge, owner });
    m_client->run({ "CONFIG", "RESETSTAT" });
    const auto sent = [this] {
        const auto stats = m_server.cli({ QStringLiteral("INFO"), QStringLiteral("stats") });
        const auto at = stats.indexOf("total_net_output_bytes:");
        return stats.mid(at + 23, stats.indexOf('\r', at) - at - 23).toLongLong();
    };

    const std::vector<LockName> names{ "queued", "free", "deadlines", "fenced", "{namesake}", "namesake", "spoilt",
        "{spoilt}", "count", "field", "shared", "permits" };
    const auto before = sent();
    const auto swept = sweepByScript();
    const auto byScript = byName(readByScript(names));
    QVERIFY2(sent() - before < 40'000, qPrintable(QString::number(sent() - before)));
    QVERIFY(std::find(swept.begin(), swept.end(), "free") != swept.end());
    const auto beforeCommands = sent();
    const auto byCommands = byName(readByCommands(names));
    // One field at random tells whether a hash is worth a look.
    QVERIFY2(sent() - beforeCommands < 40'000, qPrintable(QString::number(sent() - beforeCommands)));
    QCOMPARE(firstDifference(byCommands, byScript), QByteArray());
    for (const auto *name : { "queued", "free" }) {
        const auto reading = byScript.find(name);
        QVERIFY2(reading != byScript.end(), name);
        QCOMPARE(reading->second.kind, Kind::Fair);
        QVERIFY(reading->second.waiters.empty());
        QCOMPARE(reading->second.keys.back(), key_layout::fairQueue(name));
    }
    for (const auto *name : { "deadlines", "fenced", "{namesake}" }) {
        QVERIFY2(byScript.contains(name), name);
        QCOMPARE(byScript.at(name).kind, Kind::Reentrant);
    }
    for (const auto *name : { "namesake", "{spoilt}", "count", "field", "shared", "permits" })
        QVERIFY2(!byScript.contains(name), name);
}

/// While the server writes a snapshot, and until another field goes, the table of a hash stays as large as it was.
void TestLockReading::readsALockWhoseHashHasShrunk()
{
    const std::string client = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:";
    protocol::Command share{ "HSET", "shared", "mode", "read" };
    protocol::Command leave{ "HDEL", "shared" };
    for (int i = 1; i <= 600; ++i) {
        share.insert(share.end(), { client + std::to_string(i), "1" });
        if (i > 1)
            leave.push_back(client + std::to_string(i));
    }
    m_client->run(share);
    m_client->run({ "CONFIG", "SET", "rdb-key-save-delay", "60000000" });
    QVERIFY(!m_client->run({ "BGSAVE" }).isError());
    QCOMPARE(*m_client->run(leave).integer(), std::int64_t(599));
    QVERIFY(*m_client->run({ "MEMORY", "USAGE", "shared", "SAMPLES", "0" }).integer() > 4'000);
    const auto swept = sweepByScript();
    for (const auto &readings : { readByScript({ "shared" }), readByCommands({ "shared" }), readByScript(swept),
             readByCommands(sweepByScan()) }) {
        QCOMPARE(readings.size(), std::size_t(1));
        QCOMPARE(toString(readings.front().holders.front().owner), client + "1");
    }
}

void TestLockReading::saysWhatIsTooLargeToBeRead()
{
    const std::string client = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:";
    protocol::Command share{ "HSET", "crowded", "mode", "read" };
    for (int i = 1; i <= 1'200; ++i)
        share.insert(share.end(), { client + std::to_string(i), "1" });
    m_client->run(share);
    m_client->run({ "HSET", "heavy", client + "1", "1", client + "2", std::string(2'000'000, '7') });
    m_client->run({ "HSET", "ordinary", "name", "Alice", "text", std::string(2'000'000, 'x') });
    const std::vector<LockName> names{ "crowded", "heavy", "ordinary" };
    const std::vector<LockName> unread{ "crowded", "heavy" };
    const auto reply = m_client->eval(readLocksScript(), names, readLocksArguments(ReadAt));
    QVERIFY(decodeReadLocks(names, reply, Recognition::OrDamaged).value().empty());
    QCOMPARE(namesUnread(names, reply), unread);
    PipelinedReader reader(unread, ReadAt);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next())
        QVERIFY(reader.feed(m_client->runAll(commands)));
    QCOMPARE(reader.unread(), unread);
    QVERIFY(reader.take(Recognition::OrDamaged).empty());
}

/// It spoils a lock, and does not make it disappear.
void TestLockReading::showsWhatIsTooLongByHowItBegins()
{
    const std::string owner = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:1";
    m_client->run({ "HSET", "job", owner, "1", "note" + std::string(2'000, 'e'), std::string(2'000, '7') });
    const std::vector<LockName> names{ "job" };
    const auto reply = m_client->eval(readLocksScript(), names, readLocksArguments(ReadAt));
    PipelinedReader reader(names, ReadAt);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next())
        QVERIFY(reader.feed(m_client->runAll(commands)));
    for (const auto &readings :
        { decodeReadLocks(names, reply, Recognition::OrDamaged).value(), reader.take(Recognition::OrDamaged) }) {
        QCOMPARE(readings.size(), std::size_t(1));
        const auto &holders = readings.front().holders;
        QCOMPARE(holders.size(), std::size_t(2));
        QCOMPARE(toString(holders[0].owner), owner);
        QCOMPARE(toString(holders[1].owner), "note" + std::string(28, 'e') + "…");
        QCOMPARE(holders[1].count, std::int64_t(0));
    }
}

void TestLockReading::readsWhereMemoryHasAnotherName()
{
    RedisServer server({ .config = { QStringLiteral("rename-command MEMORY \"\"") } });
    QVERIFY(server.start());
    BlockingClient there(server.socketPath().toStdString());
    const std::string owner = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:1";
    there.run({ "HSET", "rw", "mode", "read", owner, "1" });
    const std::vector<LockName> names{ "rw" };
    const auto readings = decodeReadLocks(names, there.eval(readLocksScript(), names, readLocksArguments(ReadAt)));
    QVERIFY2(readings, readings ? "" : toString(readings.error()).c_str());
    QCOMPARE(readings->size(), std::size_t(1));
    const ForceRelease release{ "rw", Kind::ReadWrite, { { { owner.substr(0, 36), "1" }, HoldMode::Read } }, "why" };
    const auto call = prepare(release, WallTime(Millis(32'503'680'000'000)));
    QVERIFY(call);
    const auto outcome = decodeOutcome(there.eval(*call->script, call->keys, call->arguments));
    QVERIFY2(outcome && outcome->done, outcome ? "" : toString(outcome.error()).c_str());
}

void TestLockReading::leavesNoErrorsBehindForKeysOfOtherTypes()
{
    m_client->run({ "SET", "s", "1" });
    m_client->run({ "RPUSH", "l", "1" });
    m_client->run({ "ZADD", "z", "1", "m" });
    m_client->run({ "SADD", "t", "m" });
    m_client->run({ "XADD", "x", "*", "f", "v" });
    m_client->run({ "CONFIG", "RESETSTAT" });
    QVERIFY(readByScript({ "s", "l", "z", "t", "x", "none" }).empty());
    QVERIFY(readByCommands({ "s", "l", "z", "t", "x", "none" }).empty());
    QVERIFY(!m_server.cli({ QStringLiteral("INFO"), QStringLiteral("errorstats") }).contains("errorstat_"));
}

void TestLockReading::saysHowManyWaitersWereNotRead()
{
    protocol::Command push{ "RPUSH", key_layout::fairQueue("busy") };
    protocol::Command add{ "ZADD", key_layout::fairTimeouts("busy") };
    for (int i = 0; i < 1'500; ++i) {
        push.push_back("0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:" + std::to_string(i));
        add.insert(add.end(), { std::to_string(1732174560000 + i), push.back() });
    }
    m_client->run(push);
    m_client->run(add);
    for (const auto &readings : { readByScript({ "busy" }), readByCommands({ "busy" }) }) {
        QCOMPARE(readings.size(), std::size_t(1));
        QCOMPARE(readings.front().waiters.size(), std::size_t(1'000));
        QCOMPARE(readings.front().moreWaiters, std::int64_t(500));
        QVERIFY(readings.front().waiters.back().deadline == WallTime(Millis(1732174560999)));
    }
}

void TestLockReading::leavesTheRestForLaterWhenLocksAreLarge()
{
    std::vector<LockName> names;
    for (int i = 0; i < 12; ++i) {
        names.push_back("busy" + std::to_string(i));
        protocol::Command push{ "RPUSH", key_layout::fairQueue(names.back()) };
        for (int waiter = 0; waiter < 300; ++waiter)
            push.push_back("0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:" + std::to_string(waiter));
        m_client->run(push);
    }
    std::vector<LockReading> readings;
    int steps = 0;
    for (auto left = names; !left.empty(); ++steps) {
        const auto reply = m_client->eval(readLocksScript(), left, readLocksArguments(ReadAt));
        const auto part = decodeReadLocks(left, reply);
        QVERIFY(part && !part->empty());
        QVERIFY(part->size() < names.size() / 2);
        readings.insert(readings.end(), part->begin(), part->end());
        left = namesForLater(left, reply);
    }
    QVERIFY(steps >= 3);
    QCOMPARE(byName(readings).size(), names.size());
}

/// One by one they would keep the server busy for many milliseconds.
void TestLockReading::fetchesPermitsAndQueuesAtOnce()
{
    std::vector<LockName> names;
    for (int i = 0; i < 20; ++i) {
        names.push_back("pool" + std::to_string(i));
        protocol::Command add{ "ZADD", key_layout::permitDeadlines(names.back()) };
        for (int permit = 0; permit < 150; ++permit)
            add.insert(add.end(),
                { std::to_string(1732174560000 + permit),
                    "0123456789abcdef0123456789abc" + std::to_string(100 + permit) });
        m_client->run({ "SET", names.back(), "3" });
        m_client->run(add);
    }
    protocol::Command push{ "RPUSH", key_layout::fairQueue("busy") };
    for (int waiter = 0; waiter < 1'000; ++waiter)
        push.push_back("0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:" + std::to_string(waiter));
    m_client->run(push);
    names.push_back("busy");
    m_client->run({ "CONFIG", "RESETSTAT" });

    std::vector<LockReading> readings;
    int steps = 0;
    for (auto left = names; !left.empty(); ++steps) {
        const auto reply = m_client->eval(readLocksScript(), left, readLocksArguments(ReadAt));
        const auto part = decodeReadLocks(left, reply);
        QVERIFY(part && !part->empty());
        readings.insert(readings.end(), part->begin(), part->end());
        left = namesForLater(left, reply);
    }
    QVERIFY2(steps >= 2, "their elements count");
    QCOMPARE(readings.size(), names.size());
    QCOMPARE(readings.front().permits->leases.size(), std::size_t(MaxLeases));
    const auto statistics = m_server.cli({ QStringLiteral("INFO"), QStringLiteral("commandstats") });
    QVERIFY2(statistics.contains("cmdstat_zrange:calls=41,"), statistics.constData());
    QVERIFY2(statistics.contains("cmdstat_lrange:calls=1,") && !statistics.contains("cmdstat_lindex"),
        statistics.constData());
}

void TestLockReading::readsPermitsOfBothLayouts()
{
    const std::string raw = std::string("\0\1\2\xff", 4) + "456789abcdef";
    m_client->run({ "SET", "jobs", "-2" });
    m_client->run({ "ZADD", "{jobs}:timeout", "1732174559999", raw, "1732174560000", "0123456789abcdef0123456789abcdef",
        "1732174560001", "fedcba9876543210fedcba9876543210", "922337203685477", "00000000000000000000000000000000" });
    m_client->run({ "SET", "x{a}y", "3" });
    m_client->run({ "ZADD", "x{a}y:timeout", "1732174570000", raw });
    for (const auto &read : { byName(readByScript(sweepByScript())), byName(readByCommands(sweepByScan())) }) {
        QCOMPARE(read.size(), std::size_t(2));
        const auto &jobs = read.at("jobs");
        QCOMPARE(jobs.kind, Kind::PermitExpirableSemaphore);
        QVERIFY(jobs.alsoPossible.empty());
        QVERIFY(!jobs.ttl);
        QCOMPARE(jobs.keys, (std::vector<std::string>{ "jobs", "{jobs}:timeout" }));
        QCOMPARE(jobs.permits->available, -2);
        QVERIFY(jobs.permits->leased == 2 && jobs.permits->overdue == 2);
        const std::vector<PermitReading> leases{ { "000102ff343536373839616263646566", ReadAt - Millis(1) },
            { "0123456789abcdef0123456789abcdef", ReadAt }, { "fedcba9876543210fedcba9876543210", ReadAt + Millis(1) },
            { std::string(32, '0'), {} } };
        QVERIFY(jobs.permits->leases == leases);
        QVERIFY(read.at("x{a}y").permits->leased == 1);
    }
}

void TestLockReading::takesNoOtherZsetForPermits_data()
{
    QTest::addColumn<QStringList>("members");
    const auto hex = QStringLiteral("0123456789abcdef0123456789abcdef");
    const auto deadline = QStringLiteral("1732174560000");
    QTest::newRow("words of sixteen letters") << QStringList{ deadline, QStringLiteral("user:12345678901") };
    QTest::newRow("other members") << QStringList{ deadline, hex, deadline, QStringLiteral("job 7") };
    QTest::newRow("capital digits") << QStringList{ deadline, hex.toUpper() };
    QTest::newRow("seconds") << QStringList{ QStringLiteral("1732174560"), hex };
    QTest::newRow("one small score") << QStringList{ deadline, hex, QStringLiteral("7"),
        QString(hex).replace(0, 1, QLatin1Char('f')) };
    QTest::newRow("endless") << QStringList{ QStringLiteral("inf"), hex };
}

void TestLockReading::takesNoOtherZsetForPermits()
{
    QFETCH(const QStringList, members);
    m_client->run({ "SET", "n", "5" });
    protocol::Command add{ "ZADD", "{n}:timeout" };
    for (const auto &part : members)
        add.push_back(part.toStdString());
    QVERIFY(!m_client->run(add).isError());
    QVERIFY(readByScript(sweepByScript()).empty());
    QVERIFY(readByCommands(sweepByScan()).empty());
}

void TestLockReading::tellsCountersByTheNamesOfOtherObjects()
{
    const std::map<LockName, Kind> kinds{ { "{map}:Zm9vYmFyYmF6cXV4cXV1eA:semaphore", Kind::Semaphore },
        { "{map}:Zm9vYmFyYmF6cXV4cXV1eA:permitexpirablesemaphore", Kind::PermitExpirableSemaphore },
        { "{map}:Zm9vYmFyYmF6cXV4cXV1eA:countdownlatch", Kind::CountDownLatch },
        { "{adder}:0123456789abcdef0123456789abcdef:semaphore", Kind::Semaphore },
        { "map:clear:0123456789abcdef0123456789abcdef", Kind::Semaphore },
        { "jobs:workers-semaphore:0123456789abcdef0123456789abcdef", Kind::Semaphore },
        { "jcache_sync:0.25:{cache}", Kind::Semaphore } };
    std::vector<LockName> names;
    for (const auto &[name, kind] : kinds) {
        m_client->run({ "SET", name, "2", "PX", "60000" });
        names.push_back(name);
    }
    for (const std::string name : { "stats:semaphore", "{map}:7:semaphore", "map:clear:yes", "countdownlatch",
             "{map}:Zm9vYmFyYmF6cXV4cXV1eA:lock", "jobs:clear:0123456789abcdef0123456789abcdef:x" }) {
        m_client->run({ "SET", name, "2", "PX", "60000" });
        names.push_back(name);
    }
    for (const auto &readings : { readByScript(names), readByCommands(names) }) {
        QCOMPARE(readings.size(), kinds.size());
        for (const auto &reading : readings) {
            QCOMPARE(reading.kind, kinds.at(reading.name));
            QCOMPARE(reading.count.has_value(), reading.kind == Kind::CountDownLatch);
            QCOMPARE(reading.permits.has_value(), reading.kind != Kind::CountDownLatch);
        }
    }
}

void TestLockReading::leavesANumberUndecided()
{
    m_client->run({ "SET", "n", "-5", "PX", "3600000" });
    for (const std::string text : { "5 ", "05", "+5", "5.0", "", "-", "9223372036854775808", "1e3" })
        m_client->run({ "SET", "text" + text, text });
    m_client->run({ "SET", "redisson_bqs:{queue}", "7" });
    const std::vector<LockName> names{ "n", "text5 ", "text05", "text+5", "text5.0", "text", "text-",
        "text9223372036854775808", "text1e3", "redisson_bqs:{queue}" };
    PipelinedReader reader(names, ReadAt);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next())
        QVERIFY(reader.feed(m_client->runAll(commands)));
    const auto byScript = decodeReadLocks(names, m_client->eval(readLocksScript(), names, readLocksArguments(ReadAt)));
    for (const auto &readings : { byScript.value(), reader.take() }) {
        QCOMPARE(readings.size(), std::size_t(1));
        const auto &number = readings.front();
        QVERIFY(isPlainNumber(number));
        QVERIFY(number.permits->available == -5 && !number.permits->leased && number.ttl);
        QVERIFY(!resolveCounter(number, {}, {}));
        const auto waitedFor = resolveCounter(number, {}, { .semaphore = true });
        QCOMPARE(waitedFor->kind, Kind::Semaphore);
        QVERIFY(waitedFor->alsoPossible == std::vector<Kind>{ Kind::PermitExpirableSemaphore });
        QCOMPARE(resolveCounter(number, { Kind::PermitExpirableSemaphore }, {})->permits->leased,
            std::optional(std::int64_t(0)));
        const auto latch = resolveCounter(number, {}, { .latch = true });
        QVERIFY(latch->kind == Kind::CountDownLatch && latch->count == -5 && !latch->permits);
    }
}

void TestLockReading::givesSharedPermitsToOneName()
{
    m_client->run({ "ZADD", "{a}:timeout", "1732174560000", "0123456789abcdef0123456789abcdef" });
    m_client->run({ "SET", "{a}", "1" });
    QCOMPARE(byName(readByScript(sweepByScript())).begin()->first, LockName("{a}"));
    QCOMPARE(byName(readByCommands(sweepByScan())).begin()->first, LockName("{a}"));
    m_client->run({ "SET", "a", "1" });
    for (const auto &read : { byName(readByScript(sweepByScript())), byName(readByCommands(sweepByScan())) }) {
        QCOMPARE(read.size(), std::size_t(1));
        QCOMPARE(read.begin()->first, LockName("a"));
    }
}

void TestLockReading::readsANumberWhosePermitsAreNotForUs()
{
    m_client->run({ "SET", "app:{n}", "1" });
    m_client->run({ "SET", "app:n", "1" });
    m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
    QVERIFY(!m_client->run({ "AUTH", "narrow", "" }).isError());
    const std::vector<LockName> names{ "app:{n}", "app:n" };
    const auto read = decodeReadLocks(names, m_client->eval(readLocksScript(), names, readLocksArguments(ReadAt)));
    PipelinedReader reader(names, ReadAt);
    bool fed = true;
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next())
        fed = fed && reader.feed(m_client->runAll(commands));
    m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
    QVERIFY(fed);
    QVERIFY2(!reader.refusals().keys, "most numbers have no permits");
    QCOMPARE(read.value().size(), names.size());
    QCOMPARE(reader.take().size(), names.size());
}

/// Of the number without braces, which may be its other name, this user may know nothing.
void TestLockReading::readsANumberWhoseNamesakeIsNotForUs()
{
    m_client->run({ "SET", "{orders}", "3" });
    m_client->run({ "ACL", "SETUSER", "braced", "on", "nopass", "~{orders*", "+@all" });
    auto narrow = client();
    QVERIFY(!narrow.run({ "AUTH", "braced", "" }).isError());
    PipelinedReader reader({ "{orders}" }, ReadAt);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next())
        QVERIFY(reader.feed(narrow.runAll(commands)));
    QCOMPARE(reader.take().size(), std::size_t(1));
}

void TestLockReading::followsAPatternInTheSweep()
{
    for (const std::string name : { "app:1", "web:1" }) {
        m_client->run({ "HSET", name, "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57", "1" });
        m_client->run({ "RPUSH", key_layout::fairQueue("free:" + name), "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57" });
    }
    const std::vector<LockName> expected{ "app:1", "free:app:1", "free:web:1", "{free:app:1}", "{free:web:1}" };
    QCOMPARE(sweepByScript("app:*"), expected);
    QCOMPARE(sweepByScan("app:*"), expected);
}

void TestLockReading::matchesPatternsLikeTheServer()
{
    std::vector<LockName> names;
    for (const std::string first : { "", "a", "b", "*", "]", "\\", "\xff" }) {
        for (const std::string second : { "", "a", "-", "^", "[", "?" })
            names.push_back(first + second + "x");
    }
    for (const auto &name : names)
        m_client->run({ "SET", name, "1" });
    const std::vector<std::string> patterns{ "*", "a*", "*ax", "?x", "??x", "[ab]x", "[^a]*x", "[a-c]*", "[\\]]x",
        "\\*x", "*[-^]x", "[]x", "*\\", "[", "\\", "a\\ax", "[\x80-\xff]*", "*x*", "**", "[a", "[^", "[a-", "[z-a]x" };
    for (const std::string &pattern : patterns) {
        const auto reply = m_client->run({ "SCAN", "0", "COUNT", "1000", "MATCH", pattern });
        std::set<LockName> found;
        for (const auto &element : *reply.array()->back().array())
            found.insert(*element.bulk());
        for (const auto &name : names)
            QVERIFY2(matchesPattern(pattern, name) == found.contains(name), (pattern + " on " + name).c_str());
    }
}

void TestLockReading::tellsWhenItLookedByTheServersClock()
{
    m_client->run({ "HSET", "a", "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57", "1" });
    m_client->run({ "PEXPIREAT", "a", "4102444800000" });
    const std::vector<LockName> names{ "a" };
    constexpr bool Asks = true;
    const auto reply = m_client->eval(readLocksScript(), names, readLocksArguments(ReadAt, Asks));
    const auto readings = decodeReadLocks(names, reply).value();
    const auto time = timeOfLooks(names, reply);
    QVERIFY(time);
    QVERIFY(time->from != ReadAt);
    const WallTime deadline(Millis{ 4102444800000 });
    QVERIFY(time->from + readings.at(0).ttl.value() >= deadline - time->span - Millis{ 1 });
    QVERIFY(time->from + readings.at(0).ttl.value() <= deadline + Millis{ 1 });

    // Behind many others it is looked at later than at first.
    std::vector<LockName> many;
    for (int i = 0; i < 5'000; ++i)
        many.push_back("free:" + std::to_string(i));
    many.push_back("a");
    const auto slow = m_client->eval(readLocksScript(), many, readLocksArguments(ReadAt, Asks));
    const auto times = timeOfLooks(many, slow);
    QVERIFY(times && times->span > Millis{ 1 } && times->span < Millis{ 5'000 });
    const auto found = times->from + decodeReadLocks(many, slow).value().at(0).ttl.value();
    QVERIFY(found <= deadline + Millis{ 1 } && found >= deadline - times->span - Millis{ 1 });

    QVERIFY(!timeOfLooks(names, m_client->eval(readLocksScript(), names, readLocksArguments(ReadAt))));
    auto timeless = client();
    QVERIFY(!timeless.run({ "AUTH", "timeless", "" }).isError());
    const auto without = timeless.eval(readLocksScript(), names, readLocksArguments(ReadAt, Asks));
    QVERIFY(!timeOfLooks(names, without));
    QCOMPARE(decodeReadLocks(names, without).value().size(), names.size());
}

void TestLockReading::needsNoMoreThanReadRights()
{
    m_client->run({ "HSET", "a", "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57", "1" });
    const auto admin = std::move(m_client);
    m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
    QVERIFY(!m_client->run({ "AUTH", "reader", "" }).isError());
    const auto byScript = readByScript(sweepByScript());
    const auto byCommands = readByCommands(sweepByScan());
    m_client = std::make_unique<BlockingClient>(m_server.socketPath().toStdString());
    QCOMPARE(byScript.size(), std::size_t(1));
    QCOMPARE(byCommands.size(), std::size_t(1));
}

void TestLockReading::saysWhereTheRightsEnd()
{
    m_client->run({ "HSET", "app:1", "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57", "1" });
    auto narrow = client();
    QVERIFY(!narrow.run({ "AUTH", "narrow", "" }).isError());
    const std::vector<LockName> names{ "app:1" };
    const auto byScript = decodeReadLocks(names, narrow.eval(readLocksScript(), names, {}));
    QVERIFY(!byScript);
    QVERIFY(byScript.error().code == ErrorCode::PermissionDenied);
    PipelinedReader reader(names, ReadAt);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next())
        QVERIFY(reader.feed(narrow.runAll(commands)));
    QVERIFY(reader.refusals().keys);
    QCOMPARE(reader.take().size(), names.size()); // without what its other keys would tell
}

QTEST_GUILESS_MAIN(TestLockReading)
#include "tst_lock_reading.moc"
