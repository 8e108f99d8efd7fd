// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::synchronizers;

namespace {

const std::string Uuid = "0f8e4b1c-9d3a-4c57-8a21-6b7c8d9e0f10";
const OwnerId Owner{ Uuid, "57" };
const OwnerId InTransaction{ Uuid, "57:0123456789abcdef0123456789abcdef" };

using Names = std::vector<LockName>;

} // namespace

class TestKeyLayout : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void putsBracesAroundNamesWithoutOne();
    void findsTheParentsOfEachAuxiliaryKey_data();
    void findsTheParentsOfEachAuxiliaryKey();
    void givesNoParentsToOtherKeys_data();
    void givesNoParentsToOtherKeys();
    void knowsWhichNamesShareTheirQueue();
    void knowsUnlockLatchesByTheirName();
    void matchesNamesAsScanDoes_data();
    void matchesNamesAsScanDoes();
};

void TestKeyLayout::putsBracesAroundNamesWithoutOne()
{
    QCOMPARE(key_layout::fairQueue("a"), std::string("redisson_lock_queue:{a}"));
    QCOMPARE(key_layout::fairQueue("a}b"), std::string("redisson_lock_queue:{a}b}"));
    QCOMPARE(key_layout::fairTimeouts("a{b"), std::string("redisson_lock_timeout:a{b"));
    QCOMPARE(key_layout::token("{a}b"), std::string("redisson_lock_token:{a}b"));
    QCOMPARE(key_layout::unlockLatch("", "ff"), std::string("redisson_unlock_latch:{}:ff"));
    QCOMPARE(key_layout::readTimeout("a", Owner, 1), "{a}:" + Uuid + ":57:rwlock_timeout:1");
    QCOMPARE(key_layout::readTimeout("x{a}y", Owner, 12), "x{a}y:" + Uuid + ":57:rwlock_timeout:12");
    QCOMPARE(key_layout::lockChannel("a"), std::string("redisson_lock__channel:{a}"));
    QCOMPARE(key_layout::fairChannel("a", Owner), "redisson_lock__channel:{a}:" + Uuid + ":57");
    QCOMPARE(key_layout::readWriteChannel("{a}"), std::string("redisson_rwlock:{a}"));
    QCOMPARE(key_layout::semaphoreChannel("a"), std::string("redisson_sc:{a}"));
    QCOMPARE(key_layout::permitDeadlines("a"), std::string("{a}:timeout"));
    QCOMPARE(key_layout::permitDeadlines("a{b}"), std::string("a{b}:timeout"));
    QCOMPARE(key_layout::latchChannel("{a}"), std::string("redisson_countdownlatch__channel__{{a}}"));
}

void TestKeyLayout::findsTheParentsOfEachAuxiliaryKey_data()
{
    QTest::addColumn<std::string>("name");
    QTest::addColumn<Names>("parents");
    QTest::newRow("plain") << std::string("a") << Names{ "a", "{a}" };
    QTest::newRow("braced") << std::string("{a}") << Names{ "a", "{a}" };
    QTest::newRow("empty") << std::string() << Names{ "", "{}" };
    QTest::newRow("tag and more") << std::string("{a}b") << Names{ "{a}b" };
    QTest::newRow("tag inside") << std::string("x{a}y") << Names{ "x{a}y" };
    QTest::newRow("open brace only") << std::string("a{b") << Names{ "a{b" };
    QTest::newRow("two tags") << std::string("{a}{b}") << Names{ "{a}{b}" };
    QTest::newRow("closing brace only") << std::string("a}b") << Names{ "a}b", "{a}b}" };
    QTest::newRow("colons") << std::string("a:b:") << Names{ "a:b:", "{a:b:}" };
    QTest::newRow("any bytes") << std::string("\0\n\xff\xfe", 4)
                               << Names{ std::string("\0\n\xff\xfe", 4), std::string("{\0\n\xff\xfe}", 6) };
    QTest::newRow("looks like a hold") << "a:" + Uuid + ":9:rwlock_timeout:1"
                                       << Names{ "a:" + Uuid + ":9:rwlock_timeout:1",
                                              "{a:" + Uuid + ":9:rwlock_timeout:1}" };
}

void TestKeyLayout::findsTheParentsOfEachAuxiliaryKey()
{
    QFETCH(const std::string, name);
    QFETCH(const Names, parents);
    QCOMPARE(key_layout::possibleParents(key_layout::fairQueue(name)), parents);
    QCOMPARE(key_layout::possibleParents(key_layout::fairTimeouts(name)), parents);
    QCOMPARE(key_layout::possibleParents(key_layout::token(name)), parents);
    QCOMPARE(key_layout::possibleSemaphores(key_layout::permitDeadlines(name)), parents);
    for (const auto &owner : { Owner, InTransaction, OwnerId{ Uuid, "-9223372036854775808" }, OwnerId{ Uuid, Uuid } })
        QCOMPARE(key_layout::possibleParents(key_layout::readTimeout(name, owner, 3)), parents);
}

void TestKeyLayout::givesNoParentsToOtherKeys_data()
{
    QTest::addColumn<std::string>("key");
    for (const std::string key : { "", "a", "redisson_lock_queue", "redisson_lock_queue:", "redisson_lock_queue:a",
             "redisson_lock_queues:{a}", "{a}:rwlock_timeout:1", ":rwlock_timeout:", "{a}:x:57:rwlock_timeout:1" })
        QTest::newRow(key.c_str()) << key;
    QTest::newRow("a name that no semaphore's permits have") << std::string("a:timeout");
    QTest::newRow("hold without index") << "{a}:" + Uuid + ":57:rwlock_timeout:";
    QTest::newRow("hold with text for index") << "{a}:" + Uuid + ":57:rwlock_timeout:1a";
    QTest::newRow("write hold") << "{a}:" + Uuid + ":57:write:rwlock_timeout:1";
    QTest::newRow("no name") << Uuid + ":57:rwlock_timeout:1";
    QTest::newRow("name without braces") << "a:" + Uuid + ":57:rwlock_timeout:1";
}

void TestKeyLayout::givesNoParentsToOtherKeys()
{
    QFETCH(const std::string, key);
    QCOMPARE(key_layout::possibleParents(key), Names{});
    QCOMPARE(key_layout::possibleSemaphores(key), Names{});
}

void TestKeyLayout::knowsWhichNamesShareTheirQueue()
{
    using Name = std::optional<LockName>;
    QCOMPARE(key_layout::namesake("a"), Name("{a}"));
    QCOMPARE(key_layout::namesake("{a}"), Name("a"));
    QCOMPARE(key_layout::namesake(""), Name("{}"));
    QCOMPARE(key_layout::namesake("{a}b}"), Name("a}b"));
    QCOMPARE(key_layout::namesake("{a}b"), Name());
    QCOMPARE(key_layout::namesake("{{a}"), Name());
}

void TestKeyLayout::knowsUnlockLatchesByTheirName()
{
    const std::string id = "0123456789abcdef0123456789abcdef";
    QVERIFY(key_layout::isUnlockLatch(key_layout::unlockLatch("a", id)));
    QVERIFY(key_layout::isUnlockLatch(key_layout::unlockLatch("x{a}:y", id)));
    QVERIFY(!key_layout::isUnlockLatch("redisson_unlock_latch:{a}"));
    QVERIFY(!key_layout::isUnlockLatch("redisson_unlock_latch:" + id));
    QVERIFY(!key_layout::isUnlockLatch("redisson_unlock_latch:{a}:" + id.substr(1) + 'G'));
    QVERIFY(!key_layout::isUnlockLatch("my_redisson_unlock_latch:{a}:" + id));
}

void TestKeyLayout::matchesNamesAsScanDoes_data()
{
    QTest::addColumn<std::string>("pattern");
    QTest::addColumn<std::string>("name");
    QTest::addColumn<bool>("matches");
    const auto row = [](const char *pattern, const char *name, bool matches) {
        QTest::addRow("%s on %s", pattern, name) << std::string(pattern) << std::string(name) << matches;
    };
    row("", "anything", true);
    row("*", "", true);
    row("app:*", "app:1", true);
    row("app:*", "app", false);
    row("*:lock", "a:lock:b:lock", true);
    row("*:lock", "a:lock:b", false);
    row("a?c", "abc", true);
    row("a?c", "ac", false);
    row("a[b-d]e", "ace", true);
    row("a[d-b]e", "ace", true);
    row("a[^b-d]e", "ace", false);
    row("a\\*b", "a*b", true);
    row("a\\*b", "axb", false);
    row("a[\\]]b", "a]b", true);
    row("a[bc", "ab", true);
    row("**a**b**", "xxayybzz", true);
    row("abc", "abcd", false);
}

void TestKeyLayout::matchesNamesAsScanDoes()
{
    QFETCH(const std::string, pattern);
    QFETCH(const std::string, name);
    QFETCH(const bool, matches);
    QCOMPARE(matchesPattern(pattern, name), matches);
}

QTEST_GUILESS_MAIN(TestKeyLayout)
#include "tst_key_layout.moc"
