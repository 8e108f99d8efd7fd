// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/counter_recognition.h"
#include "lockcore/synchronizers/hash_recognition.h"
#include "lockcore/synchronizers/owner_format.h"
#include "lockcore/synchronizers/recognition.h"
#include "lockcore/synchronizers/scripts.h"
#include "lockcore/synchronizers/token_recognition.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;

namespace {

const std::string Uuid = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10";
const std::string Other = "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2";
const std::string Transaction = ":0123456789abcdef0123456789abcdef";
const std::string Hash = "Zm9vYmFyYmF6cXV4cXV1eA";

LockLook hashWith(HashFields fields)
{
    LockLook look;
    look.fields = std::move(fields);
    look.pttl = 20'000;
    return look;
}

LockLook queueOf(std::vector<std::string> members)
{
    LockLook look;
    look.queueLength = std::ssize(members);
    look.queue = std::move(members);
    return look;
}

std::optional<Kind> kindOf(const LockLook &look)
{
    const auto reading = recognise("n", look);
    return reading ? std::optional(reading->kind) : std::nullopt;
}

HashFields groupFields(const std::string &hash, const std::string &owner, const char *count)
{
    return { { hash, owner }, { hash + ':' + owner + ":expire_time", "1732174560000" },
        { hash + ':' + owner + ":lock_count", count } };
}

} // namespace

Q_DECLARE_METATYPE(lockcore::synchronizers::LockLook)

class TestRecognition : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hasTheLimitsOfTheScripts();
    void readsOwnersOfEveryForm_data();
    void readsOwnersOfEveryForm();
    void takesNothingElseForAnOwner_data();
    void takesNothingElseForAnOwner();
    void readsOnlyIntegersThatRedisWrites();

    void readsAReentrantLock();
    void tellsALockThatNeverExpires();
    void saysThatAPortWroteIt();
    void readsAFairLockWithItsQueue();
    void tellsAFairLockByItsDeadlinesAlone();
    void readsAFencedLock();
    void readsAReadLockWithEachHold();
    void readsAWriterThatAlsoReads();
    void joinsTheValuesOfAFasterMultiLockByHolder();
    void readsAFreeLockThatSomebodyWaitsFor();
    void givesASharedQueueToOneFreeNameOnly();
    void findsNoLockInSimilarHashes_data();
    void findsNoLockInSimilarHashes();
    void readsADamagedLockWhereItIsAskedFor();
    void ignoresAuxiliaryKeysThatAreNotRedissons();
    void knowsNoWaitersOfAQueueThatAnotherProgramHasWrittenInto();
    void takesAStringForALockByItsNameAlone_data();
    void takesAStringForALockByItsNameAlone();
    void readsTokens_data();
    void readsTokens();
    void takesNothingElseForAToken();
    void takesAKnownCounterForOneUnderAnyName();
    void saysWhichPatternsItCannotLookFor();
};

void TestRecognition::readsOwnersOfEveryForm_data()
{
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("thread");
    QTest::addColumn<bool>("write");
    QTest::addColumn<bool>("fromPort");
    QTest::newRow("plain") << Uuid + ":57" << std::string("57") << false << false;
    QTest::newRow("negative") << Uuid + ":-9223372036854775808" << std::string("-9223372036854775808") << false
                              << false;
    QTest::newRow("writer") << Uuid + ":57:write" << std::string("57") << true << false;
    QTest::newRow("transaction") << Uuid + ":57" + Transaction << "57" + Transaction << false << false;
    QTest::newRow("writer in a transaction") << Uuid + ":57:write" + Transaction << "57" + Transaction << true << false;
    QTest::newRow("port") << Uuid + ':' + Other << Other << false << true;
    QTest::newRow("port with named workers") << Uuid + ":worker-7" << std::string("worker-7") << false << true;
    QTest::newRow("port with a pool") << Uuid + ":pool-1-thread-3:write" << std::string("pool-1-thread-3") << true
                                      << true;
    QTest::newRow("port's writer") << Uuid + ':' + Other + ":write" << Other << true << true;
}

void TestRecognition::readsOwnersOfEveryForm()
{
    QFETCH(const std::string, text);
    QFETCH(const std::string, thread);
    QFETCH(const bool, write);
    QFETCH(const bool, fromPort);
    const auto parsed = parseOwner(text);
    QVERIFY(parsed);
    QVERIFY((*parsed == ParsedOwner{ { Uuid, thread }, write, fromPort }));
    QCOMPARE(ownerField(parsed->owner, write), text);
}

void TestRecognition::takesNothingElseForAnOwner_data()
{
    QTest::addColumn<std::string>("text");
    const auto row = [](const char *name, std::string text) { QTest::newRow(name) << std::move(text); };
    row("empty", "");
    row("uuid alone", Uuid);
    row("no thread", Uuid + ':');
    row("upper case", "0F8E4B1C-9D3A-4C57-8A21-6B7C8D9E0F10:57");
    row("version 1", "0f8e4b1c-9d3a-1c57-8a21-6b7c8d9e0f10:57");
    row("other variant", "0f8e4b1c-9d3a-4c57-ca21-6b7c8d9e0f10:57");
    row("no dashes", "0f8e4b1c09d3a04c5708a2106b7c8d9e0f10:57");
    row("not hex", "0g8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10:57");
    row("20 digits", Uuid + ":12345678901234567890");
    row("plus", Uuid + ":+57");
    row("minus alone", Uuid + ":-");
    row("text thread", Uuid + ":main");
    row("space", Uuid + ":57 ");
    row("newline", Uuid + ":57\n");
    row("something before", "x" + Uuid + ":57");
    row("short transaction", Uuid + ":57:0123456789abcdef");
    row("upper case transaction", Uuid + ":57:0123456789ABCDEF0123456789ABCDEF");
    row("write after transaction", Uuid + ":57" + Transaction + ":write");
    row("write twice", Uuid + ":57:write:write");
    row("write without thread", Uuid + "::write");
    row("transaction without thread", Uuid + ':' + Transaction);
    row("port in upper case", Uuid + ":7F21AA09-41C2-4E0B-9F55-0C5D1BE0A7D2");
    row("port with other version", Uuid + ":7f21aa09-41c2-1e0b-9f55-0c5d1be0a7d2");
    row("a named part without a number", Uuid + ":clicks");
    row("a short one", Uuid + ":v2");
    row("a long one", Uuid + ":abcdefabcdefabcdefabcdefabcdef12");
    row("another id", Uuid + ":af21aa09-41c2-1e0b-9f55-0c5d1be0a7d2");
    row("port in a transaction", Uuid + ':' + Other + Transaction);
}

void TestRecognition::takesNothingElseForAnOwner()
{
    QFETCH(const std::string, text);
    QVERIFY(!parseOwner(text));
}

void TestRecognition::readsOnlyIntegersThatRedisWrites()
{
    using Integer = std::optional<std::int64_t>;
    QCOMPARE(parseInteger("-12"), Integer(-12));
    QCOMPARE(parseInteger("9223372036854775807"), Integer(INT64_MAX));
    for (const auto *text : { "", "1.0", "01", "+1", " 1", "1 ", "-0", "1e3", "9223372036854775808", "x" })
        QCOMPARE(parseInteger(text), Integer());
}

void TestRecognition::readsAReentrantLock()
{
    const auto reading = recognise("orders", hashWith({ { Uuid + ":57", "3" } }));
    LockReading expected;
    expected.name = "orders";
    expected.holders = { { .owner = { Uuid, "57" }, .count = 3, .mode = {}, .readTtls = {} } };
    expected.ttl = Millis(20'000);
    expected.keys = { "orders" };
    QVERIFY(reading && *reading == expected);
}

void TestRecognition::tellsALockThatNeverExpires()
{
    auto look = hashWith({ { Uuid + ":57", "1" } });
    look.pttl = -1;
    const auto reading = recognise("n", look);
    QVERIFY(reading && !reading->ttl && !reading->holders.empty());
    look.pttl = -2; // gone between two commands
    QVERIFY(!recognise("n", look));
}

void TestRecognition::saysThatAPortWroteIt()
{
    const auto reading = recognise("n", hashWith({ { Uuid + ':' + Other, "1" } }));
    QVERIFY(reading && reading->holders.front().fromPort);
    QVERIFY(reading->holders.front().owner == (OwnerId{ Uuid, Other }));
}

void TestRecognition::readsAFairLockWithItsQueue()
{
    auto look = hashWith({ { Uuid + ":57", "1" } });
    look.queue = { Other + ":1", Uuid + ":-2", Other + ":3" };
    look.queueLength = 5;
    look.deadlines = { "1732174560000", std::nullopt, "1.7321745600009e+12" };
    look.firstTimeout = Other + ":1";
    const auto reading = recognise("n", look);
    QVERIFY(reading);
    QVERIFY(reading->kind == Kind::Fair);
    constexpr Millis Score{ 1732174560000 };
    const std::vector<WaiterReading> expected{ { { Other, "1" }, WallTime(Score), Score }, { { Uuid, "-2" }, {} },
        { { Other, "3" }, WallTime(Score), Score } };
    QVERIFY(reading->waiters == expected);
    QCOMPARE(reading->moreWaiters, std::int64_t(2));
    const std::vector<std::string> keys{ "n", "redisson_lock_queue:{n}", "redisson_lock_timeout:{n}" };
    QCOMPARE(reading->keys, keys);
}

void TestRecognition::tellsAFairLockByItsDeadlinesAlone()
{
    auto look = hashWith({ { Uuid + ":57", "1" } });
    look.firstTimeout = Other + ":1";
    QCOMPARE(kindOf(look), std::optional(Kind::Fair));
    look.firstTimeout = "player one";
    QCOMPARE(kindOf(look), std::optional(Kind::Reentrant));
}

void TestRecognition::readsAFencedLock()
{
    auto look = hashWith({ { Uuid + ":57", "1" } });
    look.token = "42";
    const auto reading = recognise("n", look);
    QVERIFY(reading && reading->kind == Kind::Fenced && reading->token == 42);
    const std::vector<std::string> keys{ "n", "redisson_lock_token:{n}" };
    QCOMPARE(reading->keys, keys);
}

void TestRecognition::readsAReadLockWithEachHold()
{
    auto look = hashWith({ { "mode", "read" }, { Uuid + ":57", "3" }, { Other + ":1", "1" }, { Other + ":2", "2" } });
    look.readHolds = { { Uuid + ":57", { 5'000, -2, -1 } }, { Other + ":1", { 20'000 } } };
    const auto reading = recognise("n", look);
    QVERIFY(reading && reading->kind == Kind::ReadWrite && reading->mode == HoldMode::Read);
    QCOMPARE(reading->holders.size(), std::size_t(3));
    QVERIFY((reading->holders[0].readTtls == std::vector{ Millis(5'000), Millis(0), Millis(-1) }));
    QVERIFY((reading->holders[1].readTtls == std::vector{ Millis(20'000) }));
    QVERIFY(reading->holders[2].readTtls.empty()); // too many to be looked at
    const std::vector<std::string> keys{ "n", "{n}:" + Uuid + ":57:rwlock_timeout:1",
        "{n}:" + Uuid + ":57:rwlock_timeout:3", "{n}:" + Other + ":1:rwlock_timeout:1" };
    QCOMPARE(reading->keys, keys);
}

void TestRecognition::readsAWriterThatAlsoReads()
{
    const auto reading = recognise("n",
        hashWith(
            { { Uuid + ":57:write" + Transaction, "2" }, { "mode", "write" }, { Uuid + ":57" + Transaction, "1" } }));
    QVERIFY(reading && reading->mode == HoldMode::Write);
    QCOMPARE(reading->holders.size(), std::size_t(2));
    QVERIFY(reading->holders[0].owner == reading->holders[1].owner);
    QVERIFY(reading->holders[0].mode == HoldMode::Read && reading->holders[1].mode == HoldMode::Write);
    QCOMPARE(reading->holders[1].count, std::int64_t(2));
}

void TestRecognition::joinsTheValuesOfAFasterMultiLockByHolder()
{
    const auto second = "AAAA" + Hash.substr(4);
    const auto third = "BBBB" + Hash.substr(4);
    auto fields = groupFields(Hash, Uuid + ":57", "1");
    for (const auto &more : { groupFields(second, Uuid + ":57", "2"), groupFields(third, Other + ":1", "1") })
        fields.insert(fields.end(), more.begin(), more.end());
    fields.emplace_back(Hash + ':' + Other + ":9:lock_count", "1"); // left behind by an earlier holder
    const auto reading = recognise("n", hashWith(fields));
    QVERIFY(reading && reading->kind == Kind::FasterMulti);
    QCOMPARE(reading->holders.size(), std::size_t(2));
    QVERIFY(reading->holders[0].owner == (OwnerId{ Uuid, "57" }));
    QCOMPARE(reading->holders[0].count, std::int64_t(2));
    QVERIFY(reading->holders[0].heldUntil == WallTime(Millis(1732174560000)));
    for (const auto &field : fields)
        QVERIFY(mayBeLock(field.first));
}

void TestRecognition::readsAFreeLockThatSomebodyWaitsFor()
{
    const auto reading = recognise("n", queueOf({ Other + ":1" }));
    QVERIFY(reading && reading->kind == Kind::Fair && reading->holders.empty() && !reading->ttl);
    QCOMPARE(reading->keys, std::vector<std::string>{ "redisson_lock_queue:{n}" });
    QVERIFY(!recognise("n", queueOf({})));
    QVERIFY(!recognise("n", queueOf({ Other + ":1", "job 7" })));
    QVERIFY(!recognise("n", queueOf({ Other + ":1:write" })));
}

void TestRecognition::givesASharedQueueToOneFreeNameOnly()
{
    const auto seen = [](const char *name, const char *namesakeType, const HashFields &fields) {
        auto look = queueOf({ Other + ":1" });
        look.namesakeType = namesakeType;
        look.namesakeFields = fields;
        return recognise(name, look).has_value();
    };
    QVERIFY(seen("a", "none", {}) && !seen("{a}", "none", {}));
    QVERIFY(!seen("a", "hash", { { Uuid + ":57", "1" } }));
    QVERIFY(!seen("{a}", "hash", { { Uuid + ":57", "1" } }));
    QVERIFY(seen("{a}", "string", {})); // `a` is something else
    QVERIFY(seen("a", "hash", { { "colour", "1" } }));
}

void TestRecognition::findsNoLockInSimilarHashes_data()
{
    QTest::addColumn<HashFields>("fields");
    const auto row = [](const char *name, HashFields fields) { QTest::newRow(name) << std::move(fields); };
    row("count 0", { { Uuid + ":57", "0" } });
    row("negative count", { { Uuid + ":57", "-1" } });
    row("count not an integer", { { Uuid + ":57", "1.5" } });
    row("text", { { Uuid + ":57", "Alice" } });
    row("two owners", { { Uuid + ":57", "1" }, { Other + ":1", "1" } });
    row("owner and more", { { Uuid + ":57", "1" }, { "ttl", "1" } });
    row("writer without mode", { { Uuid + ":57:write", "1" } });
    row("mode alone", { { "mode", "read" } });
    row("unknown mode", { { "mode", "dark" }, { Uuid + ":57", "1" } });
    row("mode in capitals", { { "mode", "READ" }, { Uuid + ":57", "1" } });
    row("mode and other fields", { { "mode", "read" }, { Uuid + ":57", "1" }, { "colour", "1" } });
    row("reader without count", { { "mode", "read" }, { Uuid + ":57", "" } });
    row("writer in read mode", { { "mode", "read" }, { Uuid + ":57:write", "1" } });
    row("no writer in write mode", { { "mode", "write" }, { Uuid + ":57", "1" } });
    row("two writers", { { "mode", "write" }, { Uuid + ":57:write", "1" }, { Other + ":1:write", "1" } });
    row("group without details", { { Hash, Uuid + ":57" }, { Hash.substr(1) + 'x', Uuid + ":57" } });
    row("group without count", { { Hash, Uuid + ":57" }, { Hash + ':' + Uuid + ":57:expire_time", "1732174560000" } });
    row("group with another field", [] {
        auto fields = groupFields(Hash, Uuid + ":57", "1");
        fields.emplace_back("colour", "red");
        return fields;
    }());
    row("remains of a group",
        { { Hash + ':' + Uuid + ":57:lock_count", "1" }, { Hash + ':' + Uuid + ":57:expire_time", "1732174560000" } });
}

void TestRecognition::findsNoLockInSimilarHashes()
{
    QFETCH(const HashFields, fields);
    QVERIFY(!recognise("n", hashWith(fields)));
}

void TestRecognition::readsADamagedLockWhereItIsAskedFor()
{
    const auto holdersOf = [](HashFields fields) {
        std::vector<std::string> holders;
        const auto reading = recognise("n", hashWith(std::move(fields)), Recognition::OrDamaged);
        for (const auto &holder : reading ? reading->holders : std::vector<HolderReading>())
            holders.push_back(toString(holder.owner) + (holder.mode == HoldMode::Write ? " writes" : ""));
        if (reading && !isDamaged(*reading))
            holders.clear();
        return holders;
    };
    using Texts = std::vector<std::string>;
    QCOMPARE(holdersOf({ { Uuid + ":57", "1" }, { "other", "1" } }), (Texts{ Uuid + ":57", "other" }));
    QCOMPARE(holdersOf({ { Uuid + ":57", "1" }, { Other + ":1", "1" } }), (Texts{ Uuid + ":57", Other + ":1" }));
    QCOMPARE(holdersOf({ { Uuid + ":57", "0" } }), Texts{ Uuid + ":57" });
    QCOMPARE(holdersOf({ { "mode", "write" }, { Uuid + ":57:write", "1" }, { Other + ":1:write", "1" } }),
        (Texts{ Uuid + ":57 writes", Other + ":1 writes" }));
    QCOMPARE(holdersOf({ { "mode", "read" }, { Uuid + ":57", "1" }, { "colour", "red" } }),
        (Texts{ Uuid + ":57", "colour" }));
    auto group = groupFields(Hash, Uuid + ":57", "1");
    group.emplace_back("colour", "red");
    QCOMPARE(holdersOf(group), (Texts{ Uuid + ":57", "colour" }));
    QCOMPARE(holdersOf({ { "name", "Alice" }, { "colour", "red" } }), Texts{});
    // A field that no lock has keeps its name to the letter, and no port of Redisson wrote it.
    for (const std::string strange : { "junk", "x:", "x::", "a:b:c:", ":", "total", "mode" }) {
        const auto reading
            = recognise("n", hashWith({ { Uuid + ":57", "1" }, { strange, "7" } }), Recognition::OrDamaged);
        QVERIFY2(reading && reading->holders.size() == 2, strange.c_str());
        const auto found = std::ranges::find_if(
            reading->holders, [&](const HolderReading &holder) { return toString(holder.owner) == strange; });
        QVERIFY2(found != reading->holders.end() && !found->fromPort && !found->mode, strange.c_str());
    }
    QCOMPARE(
        holdersOf({ { Uuid + ":57", "1" }, { Other + ":1:write", "1" } }), (Texts{ Uuid + ":57", Other + ":1:write" }));
    const auto isReal = [](HashFields fields) {
        return hasRealHolds(*recognise("n", hashWith(std::move(fields)), Recognition::OrDamaged));
    };
    QVERIFY(isReal({ { Uuid + ":57", "1" }, { "colour", "red" } }));
    QVERIFY(!isReal({ { Uuid + ":57", "alice" }, { Other + ":1", "bob" } }));
    const auto byItsLooks = [](HashFields fields, std::int64_t pttl = 60'000) {
        auto look = hashWith(std::move(fields));
        look.pttl = pttl;
        return isLockByItsLooks(*recognise("n", look, Recognition::OrDamaged));
    };
    const HashFields two{ { Uuid + ":57", "1" }, { Other + ":1", "2" } };
    QVERIFY(byItsLooks(two));
    QVERIFY(!byItsLooks(two, -1));
    QVERIFY(byItsLooks({ { "mode", "write" }, { Uuid + ":57:write", "1" }, { Other + ":1:write", "1" } }));
    QVERIFY(byItsLooks({ { "mode", "read" }, { Uuid + ":57:write", "1" } }));
    QVERIFY(!byItsLooks({ { Uuid + ":57", "1" }, { "other", "1" } }));
    QVERIFY(!byItsLooks({ { Uuid + ":57", "1" }, { Other + ":1", "0" } }));
    QVERIFY(!byItsLooks({ { Uuid + ":57", "1" }, { Uuid + ":worker-7", "1" } }));
    QVERIFY(!byItsLooks({ { Uuid + ":57", "1" }, { Other + ":1:write", "1" } }));
    HashFields numbers;
    for (int i = 1; i <= 5; ++i)
        numbers.emplace_back(Uuid + ":" + std::to_string(i), "1");
    QVERIFY(!byItsLooks(numbers));
    HashFields many{ { "mode", "read" }, { "colour", "red" } };
    for (int i = 1; i <= 300; ++i)
        many.emplace_back(Uuid + ":" + std::to_string(i), "1");
    QCOMPARE(holdersOf(many).size(), std::size_t(301));
    QVERIFY(!isDamaged(*recognise("n", hashWith({ { Uuid + ":57", "1" } }))));
    QVERIFY(!isDamaged(*recognise("n", hashWith(groupFields(Hash, Uuid + ":57", "1")))));
    QVERIFY(
        !isDamaged(*recognise("n", hashWith({ { "mode", "read" }, { Uuid + ":57", "1" }, { Other + ":1", "2" } }))));
}

void TestRecognition::ignoresAuxiliaryKeysThatAreNotRedissons()
{
    auto look = hashWith({ { Uuid + ":57", "1" } });
    look.queue = { "job 7" };
    look.queueLength = 1;
    look.token = "abc";
    const auto reading = recognise("n", look);
    QVERIFY(reading && reading->kind == Kind::Reentrant && reading->waiters.empty() && !reading->token);
    QCOMPARE(reading->keys, std::vector<std::string>{ "n" });
    QVERIFY(!recognise("redisson_unlock_latch:{n}:0123456789abcdef0123456789abcdef", look));
}

/// Whoever waits beside it goes on waiting: that nobody does is not known.
void TestRecognition::knowsNoWaitersOfAQueueThatAnotherProgramHasWrittenInto()
{
    const std::vector<std::string> queue{ Other + ":1", "junk", Other + ":3" };
    auto held = hashWith({ { Uuid + ":57", "1" } });
    auto free = queueOf(queue);
    held.queue = queue;
    held.queueLength = free.queueLength;
    free.firstTimeout = Other + ":1";
    for (const LockLook &look : { held, free }) {
        const auto reading = recognise("n", look);
        QVERIFY(reading && reading->kind == Kind::Fair && reading->waiters.empty());
        QVERIFY(std::ranges::find(reading->keys, "redisson_lock_queue:{n}") != reading->keys.end());
    }
    free.firstTimeout.reset();
    QVERIFY(!recognise("n", free)); // it may be a list of anything
}

void TestRecognition::takesAStringForALockByItsNameAlone_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("is");
    QTest::newRow("of the first pattern") << QByteArray("lock:order") << true;
    QTest::newRow("of the second pattern") << QByteArray("job-7") << true;
    QTest::newRow("of none") << QByteArray("order:lock:") << false;
    QTest::newRow("what Redisson keeps of an unlock")
        << QByteArray("redisson_unlock_latch:{lock:order}:" + QByteArray(32, 'a')) << false;
    QTest::newRow("a reader's time-out") << QByteArray::fromStdString("lock:{order}:" + Uuid + ":57:rwlock_timeout:1")
                                         << false;
}

void TestRecognition::takesAStringForALockByItsNameAlone()
{
    QFETCH(const QByteArray, name);
    QFETCH(const bool, is);
    const TokenNames names{ "lock:*", "job-?", "redisson_*" };
    QCOMPARE(isTokenName(names, name.toStdString()), is);
    QVERIFY(!isTokenName({}, name.toStdString()));
}

void TestRecognition::readsTokens_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<QByteArray>("client");
    QTest::addColumn<QByteArray>("thread");
    const auto whole
        = [](const char *who, const QByteArray &token) { QTest::newRow(who) << token << token << QByteArray(); };
    whole("redis-py", "5a1d3c1e8a9f11ee8c990242ac120002");
    whole("node-redlock", "3b9f1c7a52d04e8896fb7a0d5c1e2f3a4b5c6d7e");
    whole("ShedLock", "ADDED:2024-11-20T14:02:11.380Z@worker-3");
    whole("any bytes", QByteArray("\xff\0 mode:write", 13));
    whole("a number", "1");
    QTest::newRow("lockcore") << QByteArray::fromStdString(Uuid + ":57") << QByteArray::fromStdString(Uuid)
                              << QByteArray("57");
}

/// The token is the owner, byte for byte, in whatever parts it is shown.
void TestRecognition::readsTokens()
{
    QFETCH(const QByteArray, token);
    QFETCH(const QByteArray, client);
    QFETCH(const QByteArray, thread);
    const auto reading = recogniseToken("lock:order", token.toStdString(), 20'000);
    QVERIFY(reading);
    QCOMPARE(reading->kind, Kind::Token);
    QCOMPARE(reading->ttl, std::optional(Millis(20'000)));
    QCOMPARE(reading->keys, std::vector<std::string>{ "lock:order" });
    QCOMPARE(reading->holders.size(), std::size_t(1));
    const OwnerId owner{ client.toStdString(), thread.toStdString() };
    QVERIFY(reading->holders.front().owner == owner);
    QCOMPARE(toString(owner), token.toStdString());
    QVERIFY(!isDamaged(*reading) && !reading->holders.front().fromPort);
    QVERIFY(!recogniseToken("lock:order", token.toStdString(), -1)->ttl);
}

void TestRecognition::takesNothingElseForAToken()
{
    QVERIFY(!recogniseToken("lock:order", "", 20'000));
    QVERIFY(!recogniseToken("lock:order", "token", -2));
    QVERIFY(recogniseToken("lock:order", std::string(LongestElement, 'x'), 20'000));
    QVERIFY(!recogniseToken("lock:order", std::string(LongestElement + 1, 'x'), 20'000));
}

/// Its keys tell of a semaphore; of a number of which nothing tells, its name does.
void TestRecognition::takesAKnownCounterForOneUnderAnyName()
{
    const TokenNames names{ "*" };
    CounterLook look;
    look.text = "3";
    look.pttl = 20'000;
    const auto number = recogniseString("seats", look, names);
    QVERIFY(number && isPlainNumber(*number));
    const auto lock = tokenLockOf(*number);
    QVERIFY(lock.kind == Kind::Token && lock.holders.front().owner.client == "3" && lock.ttl == Millis(20'000));
    look.pttl = -1;
    QVERIFY(!tokenLockOf(*recogniseString("seats", look, names)).ttl);
    look.firstPermits = { { std::string(32, 'a'), "1732174560000" } };
    look.permits = 1;
    QCOMPARE(recogniseString("seats", look, names)->kind, Kind::PermitExpirableSemaphore);
    look.text = "007"; // no number that Redis writes
    QCOMPARE(recogniseString("seats", look, names)->kind, Kind::Token);
    QVERIFY(!recogniseString("seats", look, {}));
}

void TestRecognition::saysWhichPatternsItCannotLookFor()
{
    QVERIFY(checkTokenNames({}));
    QVERIFY(checkTokenNames({ "lock:*", "*" }));
    QCOMPARE(checkTokenNames({ "lock:*", "" }).error().code, ErrorCode::InvalidArgument);
    QCOMPARE(checkTokenNames(TokenNames(11, "lock:*")).error().code, ErrorCode::InvalidArgument);
}

/// What the scripts do not read to the end must not look whole here.
void TestRecognition::hasTheLimitsOfTheScripts()
{
    const auto says = [](const protocol::Script &script, const std::string &line) {
        return script.text.find(line) != std::string_view::npos;
    };
    const auto text = [](auto number) { return std::to_string(number); };
    QVERIFY(says(scripts::readLocks(), "LongestElement, LongestName = " + text(LongestElement) + ','));
    QCOMPARE(MaxReadHolds, MaxWaiters);
    QVERIFY(says(scripts::readLocks(),
        "MaxElements, MaxLeases, MostInAStep, FewFields = " + text(MaxWaiters) + ", " + text(MaxLeases) + ','));
    QVERIFY(says(scripts::readLocks(), "'GETRANGE', name, 0, " + text(LongestNumber) + ')'));
    QVERIFY(says(scripts::forceRelease(), "count <= " + text(MaxFields) + ' '));
    QVERIFY(says(scripts::lockUnlock(), "count <= " + text(MaxFields) + ' '));
    for (const KindRow &kind : allKinds()) {
        if (kind.wordOfValues)
            QVERIFY2(says(scripts::sweepPage(), std::string(kind.wordOfValues) + " = true"), kind.wordOfValues);
    }
}

QTEST_GUILESS_MAIN(TestRecognition)
#include "tst_recognition.moc"
