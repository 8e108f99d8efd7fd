// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/slow_log.h"

#include <QTest>

using namespace lockcore;
using namespace lockcore::protocol;

namespace {

Reply entry(std::int64_t id, std::int64_t micros, const std::vector<std::string> &words)
{
    Reply::Array arguments;
    for (const std::string &word : words)
        arguments.emplace_back(word);
    return Reply(Reply::Array{ Reply(id), Reply(std::int64_t(1'700'000'000)), Reply(micros), Reply(arguments),
        Reply(std::string("127.0.0.1:4711")), Reply(std::string()) });
}

SlowCommand only(const std::vector<std::string> &words)
{
    const auto log = parseSlowLog(Reply(Reply::Array{ entry(7, 12'345, words) }));
    return log.empty() ? SlowCommand() : log.front();
}

} // namespace

class SlowLogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsTheCommandAndItsKeyAlone_data()
    {
        QTest::addColumn<QList<QByteArray>>("words");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("key");
        const auto row = [](const char *name, const QList<QByteArray> &words, const char *command, const char *key) {
            QTest::newRow(name) << words << QString::fromLatin1(command) << QString::fromLatin1(key);
        };
        row("a key", { "set", "stock:1", "secret" }, "SET", "stock:1");
        row("a pattern", { "KEYS", "*" }, "KEYS", "*");
        row("a script", { "eval", "secret", "1", "stock:1", "secret" }, "EVAL", "stock:1");
        row("a script without keys", { "EVALSHA", "secret", "0", "secret" }, "EVALSHA", "");
        row("a script cut short", { "EVAL", "secret", "... (3 more arguments)", "secret" }, "EVAL", "");
        row("a setting", { "config", "set", "requirepass", "secret" }, "CONFIG SET", "");
        row("a user", { "ACL", "SETUSER", "ann", ">secret" }, "ACL SETUSER", "");
        row("a password", { "AUTH", "secret" }, "AUTH", "");
        row("a message", { "PUBLISH", "channel", "secret" }, "PUBLISH", "");
        row("of a module", { "x.load", "secret" }, "X.LOAD", "");
        row("a key behind a word", { "MEMORY", "USAGE", "stock:1" }, "MEMORY USAGE", "stock:1");
        row("no name of a command", { "\x1b[31m", "secret" }, "", "");
        row("no word", { "CONFIG", "se cret" }, "CONFIG", "");
        row("nothing", {}, "", "");
    }

    void tellsTheCommandAndItsKeyAlone()
    {
        QFETCH(const QList<QByteArray>, words);
        std::vector<std::string> given;
        for (const QByteArray &word : words)
            given.push_back(word.toStdString());
        const SlowCommand slow = only(given);
        QCOMPARE(slow.id, 7);
        QCOMPARE(slow.took, std::chrono::microseconds(12'345));
        QTEST(QString::fromStdString(slow.command), "command");
        QTEST(QString::fromStdString(slow.key), "key");
    }

    void tellsWhoSentIt()
    {
        const auto sentBy = [](const Reply &name) {
            Reply::Array parts = *entry(7, 12, { "GET", "it" }).array();
            parts.back() = name;
            return parseSlowLog(Reply(Reply::Array{ Reply(parts) })).at(0).client;
        };
        QCOMPARE(sentBy(Reply(std::string("lockscope"))), std::string("lockscope"));
        QCOMPARE(sentBy(Reply(std::string())), std::string());
        QCOMPARE(sentBy(Reply(std::int64_t(3))), std::string());
        Reply::Array old = *entry(7, 12, { "GET", "it" }).array(); // before Redis 4.0
        old.resize(4);
        QCOMPARE(parseSlowLog(Reply(Reply::Array{ Reply(old) })).at(0).client, std::string());
    }

    /// As a server writes it when each of them takes too long. Who is gone before the answer has no address, either.
    void knowsWhatAScriptRan()
    {
        const auto sentFrom = [](const char *address, std::int64_t id, std::int64_t micros, const char *command,
                                  const char *name = "") {
            Reply::Array parts = *entry(id, micros, { command, "it" }).array();
            parts[4] = Reply(std::string(address));
            parts[5] = Reply(std::string(name));
            return Reply(parts);
        };
        const auto areOfScripts = [](const std::vector<Reply> &entries) {
            std::vector<bool> are;
            for (const SlowCommand &slow : parseSlowLog(Reply(Reply::Array(entries.begin(), entries.end()))))
                are.push_back(slow.isOfScript);
            return are;
        };
        const Reply script = sentFrom("127.0.0.1:42868", 9, 100, "EVALSHA");
        const Reply gone = sentFrom("?:0", 7, 60, "KEYS");
        QCOMPARE(areOfScripts({ script, sentFrom("?:0", 8, 30, "HGETALL"), gone }),
            (std::vector<bool>{ false, true, true }));
        QCOMPARE(areOfScripts({ gone }), std::vector<bool>{ false });
        QCOMPARE(areOfScripts({ script, gone }), (std::vector<bool>{ false, false })); // the one between is not seen
        QCOMPARE(areOfScripts({ script, sentFrom("?:0", 8, 70, "KEYS"), gone }),
            (std::vector<bool>{ false, true, false })); // together they took longer
        QCOMPARE(areOfScripts({ script, sentFrom("?:0", 8, 30, "KEYS", "payments"), gone }),
            (std::vector<bool>{ false, false, false }));
        QCOMPARE(areOfScripts({ sentFrom("127.0.0.1:42868", 9, 100, "GET"), sentFrom("?:0", 8, 30, "KEYS") }),
            (std::vector<bool>{ false, false }));
    }

    void cutsWhatIsLong()
    {
        QCOMPARE(only({ "GET", std::string(100'000, 'x') }).key.size(), std::size_t(256));
        QVERIFY(only({ std::string(100'000, 'X') }).command.empty());
    }

    void leavesOutWhatIsNoEntry()
    {
        const Reply nested(Reply::Array{ Reply(Reply::Array{}) });
        for (const Reply &reply : { Reply(), Reply(std::int64_t(3)), nested,
                 Reply(Reply::Array{ entry(-1, 1, { "GET" }), entry(1, -1, { "GET" }) }) })
            QVERIFY(parseSlowLog(reply).empty());
    }

    void putsTheNewestFirst()
    {
        const auto log = parseSlowLog(
            Reply(Reply::Array{ entry(1, 1, { "GET" }), entry(3, 1, { "SET" }), entry(2, 1, { "DEL" }) }));
        QCOMPARE(log.size(), std::size_t(3));
        QCOMPARE(log.front().id, 3);
        QCOMPARE(log.back().id, 1);
    }
};

QTEST_APPLESS_MAIN(SlowLogTest)
#include "tst_slow_log.moc"
