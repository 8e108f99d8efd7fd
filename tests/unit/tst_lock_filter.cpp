// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/monitor/lock_filter.h"

#include "lockcore/base/duration.h"
#include "ui/text/display_text.h"
#include "ui/text/printable_text.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::synchronizers;

namespace {

const MonoTime Now{ std::chrono::microseconds(1'000'000'000) };

LockState held(const LockName &name)
{
    LockState lock;
    lock.name = name;
    lock.kind = Kind::Fair;
    lock.expiresAt = Now + Millis(4'000);
    lock.lease = Lease::Watchdog;
    Holder holder;
    holder.owner = { "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
    holder.since = { Now - Millis(90'000), true };
    lock.holders = { holder };
    lock.waiters.resize(3);
    return lock;
}

bool matches(const char *text, const LockState &lock)
{
    const auto filter = LockFilter::parse(text);
    return filter && filter->matches(lock, Now);
}

bool finds(const char *text, const LockName &name)
{
    const auto filter = LockFilter::parse(text, { lockui::fromPrintable, lockui::lockNameBytes });
    return filter && filter->matches(held(name), Now);
}

} // namespace

class LockFilterTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// What is read in the window or a terminal can be typed.
    void findsANameAsItIsShown()
    {
        const LockName strange = "b\xff\xfe!a\n";
        QCOMPARE(lockui::printable(strange), std::string("b\\xff\\xfe!a\\x0a"));
        for (const char *text : { "b\\xff\\xfe!", "name:\\xFF", "a\\x0a", "-name:\\xfd", "b\\", "\\xff\\x" })
            QVERIFY2(finds(text, strange), text);
        for (const char *text : { "\\xfd", "name:xff", "-\\xff", "c\\" })
            QVERIFY2(!finds(text, strange), text);
        QVERIFY(finds("dir\\\\file", "dir\\file")); // as it is shown
        QVERIFY(finds("dir\\file", "dir\\file")); // as it is
        QVERIFY(!matches("b\\xff", held(strange)));
    }

    /// Also a letter that is shown by its number because it looks like one of another script.
    void findsALookAlikeAsItIsShown()
    {
        const LockName alike = "nightly-rep\xce\xbfrt";
        QCOMPARE(lockui::lockNameBytes(alike), std::string("nightly-rep\\u{03bf}rt"));
        for (const char *text : { "nightly-rep\\u{03bf}rt", "nightly-rep\\u", "{03bf}", "name:\\u{03BF}rt",
                 "rep\xce\xbfrt", "-name:\\u{03c1}" })
            QVERIFY2(finds(text, alike), text);
        for (const char *text : { "03bf", "nightly-report", "-{03bf}" })
            QVERIFY2(!finds(text, alike), text);
    }

    /// In quotes it is part of the word.
    void turnsOnlyByAMinusBeforeTheQuotes()
    {
        for (const char *text : { "\"-rf\"", "\"-rf --help\"", "-\"-x\"", "-\"x y\"" })
            QVERIFY2(matches(text, held("-rf --help")), text);
        for (const char *text : { "\"-x\"", "-\"-rf\"", "-\"rf\"" })
            QVERIFY2(!matches(text, held("-rf --help")), text);
    }

    void decides_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("expected");
        const std::pair<const char *, bool> rows[] = { { "", true }, { "  ", true }, { "SKU", true },
            { "7F21AA", true }, { "other", false }, { "sku inventory", true }, { "sku other", false },
            { "-other", true }, { "-sku", false }, { "inventory:sku:1093", true }, { "name:sku", true },
            { "name:7f21", false }, { "holder:7f21aa09", true }, { "holder:sku", false }, { "client:7F21AA09", true },
            { "client:sku", false }, { "waiter:sku", false }, { "kind:fair", true }, { "KIND:Fair", true },
            { "kind:reentrant", false }, { "kind:token", false }, { "-kind:Token", true }, { "-kind:reentrant", true },
            { "lease:watchdog", true }, { "lease:fixed", false }, { "state:held", true }, { "state:free", false },
            { "state:waited", true }, { "waiters:3", true }, { "waiters:>3", false }, { "waiters:>=3", true },
            { "waiters:<3", false }, { "ttl:<5s", true }, { "ttl:<4000ms", false }, { "ttl:<=4000ms", true },
            { "ttl:none", false }, { "held:>1m", true }, { "held:>2m", false }, { "\"inventory:sku\"", true },
            { "\"kind:fair\"", false }, { "name:\"a b\"", false } };
        for (const auto &[text, expected] : rows)
            QTest::newRow(text) << QByteArray(text) << expected;
    }

    void decides()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const bool, expected);
        QVERIFY(LockFilter::parse(text.toStdString()));
        QCOMPARE(matches(text.constData(), held("inventory:sku:1093")), expected);
    }

    void namesAllThatIsWrong()
    {
        const auto filter = LockFilter::parse("kind:fare order ttl:<5");
        QVERIFY(!filter);
        const std::string &message = filter.error().message;
        QVERIFY2(message.find("kind:fare") < message.find("ttl:<5"), message.c_str());
        QVERIFY2(message.find("ttl:<5") != std::string::npos, message.c_str());
    }

    void tellsWhatIsWrong_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char *text : { "kind:fare", "kind:", "waiters:>", "waiters:many", "waiters:3x", "ttl:5s", "ttl:=5s",
                 "held:1m", "ttl:<5", "ttl:<5y", "ttl:<-5s", "ttl:<99999999999999999999s", "ttl:<9223372036854775807h",
                 "held:long", "lease:x", "state:gone", "name:", "\"open" })
            QTest::newRow(text) << QByteArray(text);
    }

    void tellsWhatIsWrong()
    {
        QFETCH(const QByteArray, text);
        const auto filter = LockFilter::parse(text.toStdString());
        QVERIFY(!filter);
        QCOMPARE(filter.error().code, ErrorCode::InvalidArgument);
        QVERIFY(filter.error().message.find(text.toStdString()) != std::string::npos);
    }

    void readsDurationsWithinBounds_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("millis"); // -1: none
        QTest::newRow("milliseconds") << QByteArray("500ms") << qint64(500);
        QTest::newRow("seconds") << QByteArray("5s") << qint64(5'000);
        QTest::newRow("a space before the unit") << QByteArray("10 m") << qint64(600'000);
        QTest::newRow("the most") << QByteArray("1h") << qint64(3'600'000);
        QTest::newRow("the least") << QByteArray("500") << qint64(500);
        QTest::newRow("too much") << QByteArray("3600001ms") << qint64(-1);
        QTest::newRow("far too much") << QByteArray("9223372036854775807h") << qint64(-1);
        QTest::newRow("too little") << QByteArray("499") << qint64(-1);
        QTest::newRow("two spaces") << QByteArray("10  m") << qint64(-1);
        QTest::newRow("a space behind the number") << QByteArray("500 ") << qint64(-1);
        QTest::newRow("negative") << QByteArray("-5s") << qint64(-1);
        QTest::newRow("a sign") << QByteArray("+5s") << qint64(-1);
        QTest::newRow("a unit alone") << QByteArray("s") << qint64(-1);
        QTest::newRow("no unit of ours") << QByteArray("5d") << qint64(-1);
        QTest::newRow("a fraction") << QByteArray("1.5s") << qint64(-1);
        QTest::newRow("empty") << QByteArray() << qint64(-1);
    }

    void readsDurationsWithinBounds()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const qint64, millis);
        const auto read = parseDuration(text.toStdString(), { Millis(1), Millis(500), Millis(3'600'000) });
        QCOMPARE(read ? read->count() : -1, millis);
    }

    void matchesNothingUnknown()
    {
        LockState lock = held("a");
        lock.waiters.clear();
        lock.kind = Kind::Reentrant;
        QVERIFY(!matches("waiters:0", lock)); // not known how many wait
        lock.subscribers = 0;
        QVERIFY(matches("waiters:0", lock));
    }

    void findsLocksThatNeverExpire()
    {
        LockState lock = held("a");
        lock.expiresAt.reset();
        QVERIFY(matches("ttl:none", lock));
        QVERIFY(!matches("ttl:>1s", lock));
        lock.holders.clear();
        QVERIFY(!matches("ttl:none", lock)); // free is not endless
    }

    void matchesBytesThatAreNoText()
    {
        QVERIFY(matches("a\xff",
            held("A\xff"
                 "b")));
    }

    void knowsWhenItDependsOnTime()
    {
        QVERIFY(!LockFilter::parse("kind:fair sku")->dependsOnTime());
        QVERIFY(LockFilter::parse("sku ttl:<5s")->dependsOnTime());
        QVERIFY(LockFilter::parse("-held:>1m")->dependsOnTime());
        QVERIFY(LockFilter::parse("state:late")->dependsOnTime());
    }

    /// Also of one that would be text if the others were right, and with each way to name a kind.
    void tellsOfAllWordsThatAreNotWhatTheyLookLike()
    {
        const auto filter = LockFilter::parse("kind:fiar foo:bar");
        QVERIFY(!filter);
        const std::string &message = filter.error().message;
        for (const char *part : { "“kind:fiar” is none of reentrant, ", "permitExpirableSemaphore (permits), ",
                 "countDownLatch (latch), ", "“foo:” is none of name:, holder:, " })
            QVERIFY2(message.find(part) != std::string::npos, message.c_str());
    }

    void tellsWhoHoldsFromWhoWaits()
    {
        LockState lock = held("sku");
        lock.waiters.push_back({ { "5d0e77c1", "112" }, std::nullopt, {}, true });
        QVERIFY(matches("waiter:5d0e", lock) && matches("client:5d0e", lock) && !matches("holder:5d0e", lock));
        QVERIFY(matches("waiter:5d0e77c1:112", lock) && matches("client:7f21", lock) && !matches("waiter:7f21", lock));
        QVERIFY(!matches("-client:5d0e", lock));
    }

    /// An event has a name, a kind and an owner; how its lock is now it does not tell.
    void asksEventsWhatTheyTell()
    {
        Event event;
        event.lock = "order:{8812}:pay";
        event.lockKind = Kind::Fair;
        event.owner = OwnerId{ "7f21aa09-41c2-4e0b-9f55-0c5d1be0a7d2", "7" };
        const auto isFound = [&](const char *text) { return LockFilter::parse(text)->matches(event); };
        QVERIFY(isFound("pay") && isFound("name:order kind:fair") && isFound("holder:7f21") && isFound("-cart"));
        QVERIFY(isFound("client:7f21") && isFound("waiter:7f21") && !isFound("client:5d0e") && !isFound("waiter:5d0e"));
        QVERIFY(!isFound("cart") && !isFound("kind:reentrant") && !isFound("-order") && !isFound("holder:5d0e"));
        QVERIFY(isFound("pay waiters:>3 -ttl:<5s state:free lease:fixed held:>1m"));
        QVERIFY(!isFound("cart ttl:<5s"));
        const auto filter = LockFilter::parse("pay -ttl:<5s kind:fair waiters:>3");
        QCOMPARE(filter->stateWords(), std::vector<std::string>({ "-ttl:<5s", "waiters:>3" }));
    }
};

QTEST_APPLESS_MAIN(LockFilterTest)
#include "tst_lock_filter.moc"
