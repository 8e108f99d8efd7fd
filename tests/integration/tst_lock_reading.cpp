// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/lock_reader.h"
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
using namespace testsupport;
using protocol::Reply;

namespace {

constexpr int Count = 500;
constexpr std::size_t Batch = 100;
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
    void leavesNoErrorsBehindForKeysOfOtherTypes();
    void saysHowManyWaitersWereNotRead();
    void followsAPatternInTheSweep();
    void matchesPatternsLikeTheServer();
    void needsNoMoreThanReadRights();
    void failsWhereTheRightsEnd();

private:
    BlockingClient client() const { return BlockingClient(m_server.socketPath().toStdString()); }
    std::vector<LockName> sweepByScript(const std::string &pattern = {});
    std::vector<LockName> sweepByScan(const std::string &pattern = {});
    std::vector<LockReading> readByScript(const std::vector<LockName> &names);
    std::vector<LockReading> readByCommands(const std::vector<LockName> &names);

    RedisServer m_server{ { .users = { QStringLiteral("reader on nopass ~* -@all +@read +@connection -@dangerous"
                                                      " +evalsha_ro +eval_ro +dbsize"),
                                QStringLiteral("narrow on nopass ~app:* -@all +@read +@connection +eval_ro") } } };
    std::unique_ptr<BlockingClient> m_client;
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
    for (const std::string type : { "hash", "list" }) {
        std::string cursor = "0";
        std::int64_t keysSeen = 0;
        double progress = 0;
        do {
            const auto page = decodeSweepPage(
                m_client->eval(sweepPageScript(), {}, { cursor, std::to_string(Count), type, pattern }));
            if (!page || page->progress < progress)
                qFatal("the sweep failed");
            cursor = page->nextCursor;
            keysSeen += page->keysSeen;
            progress = page->progress;
            names.insert(names.end(), page->candidates.begin(), page->candidates.end());
        } while (cursor != "0");
        if (progress != 1 || keysSeen != *m_client->run({ "DBSIZE" }).integer())
            qFatal("the sweep does not tell how far it came");
    }
    return unique(names);
}

std::vector<LockName> TestLockReading::sweepByScan(const std::string &pattern)
{
    std::vector<LockName> names;
    for (const std::string type : { "hash", "list" }) {
        std::string cursor = "0";
        do {
            const auto page = decodeScan(type, m_client->run(scanCommand(cursor, Count, type, pattern)));
            if (!page)
                qFatal("the sweep failed");
            cursor = page->nextCursor;
            names.insert(names.end(), page->candidates.begin(), page->candidates.end());
        } while (cursor != "0");
    }
    return unique(names);
}

std::vector<LockReading> TestLockReading::readByScript(const std::vector<LockName> &names)
{
    std::vector<LockReading> readings;
    for (std::size_t i = 0; i < names.size(); i += Batch) {
        const auto size = std::min(Batch, names.size() - i);
        const std::vector<LockName> keys(names.data() + i, names.data() + i + size);
        const auto part = decodeReadLocks(keys, m_client->eval(readLocksScript(), keys, {}));
        if (!part)
            qFatal("%s", toString(part.error()).c_str());
        readings.insert(readings.end(), part->begin(), part->end());
    }
    return readings;
}

std::vector<LockReading> TestLockReading::readByCommands(const std::vector<LockName> &names)
{
    PipelinedReader reader(names);
    for (auto commands = reader.next(); !commands.empty(); commands = reader.next()) {
        const auto fed = reader.feed(m_client->runAll(commands));
        if (!fed)
            qFatal("%s", toString(fed.error()).c_str());
    }
    return reader.take();
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

void TestLockReading::failsWhereTheRightsEnd()
{
    m_client->run({ "HSET", "app:1", "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57", "1" });
    auto narrow = client();
    QVERIFY(!narrow.run({ "AUTH", "narrow", "" }).isError());
    const std::vector<LockName> names{ "app:1" };
    const auto byScript = decodeReadLocks(names, narrow.eval(readLocksScript(), names, {}));
    QVERIFY(!byScript);
    QVERIFY(byScript.error().code == ErrorCode::PermissionDenied);
    PipelinedReader reader(names);
    bool failed = false;
    for (auto commands = reader.next(); !commands.empty() && !failed; commands = reader.next())
        failed = !reader.feed(narrow.runAll(commands));
    QVERIFY(failed);
}

QTEST_GUILESS_MAIN(TestLockReading)
#include "tst_lock_reading.moc"
