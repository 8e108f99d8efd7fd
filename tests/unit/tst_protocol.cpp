// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/acl_line.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/pubsub.h"
#include "lockcore/protocol/server_info.h"

#include <QTest>

using namespace lockcore::protocol;
using Type = PubSubMessage::Type;

namespace {

Reply array(std::vector<Reply> items) { return Reply(std::move(items)); }
Reply text(const char *bytes) { return Reply(std::string(bytes)); }

} // namespace

class ProtocolTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsArgumentsAsBytes()
    {
        QCOMPARE(format({ "SET", std::string("a\r\n\0", 4), "" }),
            std::string("*3\r\n$3\r\nSET\r\n$4\r\na\r\n\0\r\n$0\r\n\r\n", 29));
    }

    void answersRequestsInTheOrderSent()
    {
        Pipeline<int> pipeline;
        pipeline.sent(1);
        pipeline.sent(2);
        QCOMPARE(pipeline.answered(), std::optional(1));
        pipeline.sent(3);
        QCOMPARE(pipeline.answered(), std::optional(2));
        QCOMPARE(pipeline.answered(), std::optional(3));
        QVERIFY(pipeline.empty() && !pipeline.answered());
    }

    void makesOneAclLineOfAllRules()
    {
        QCOMPARE(aclLine("lockmon", "+time ~* +time"), std::string("ACL SETUSER lockmon +time ~*"));
        QCOMPARE(aclLine("", "+time"), std::string("ACL SETUSER default +time"));
        QCOMPARE(aclLine("lockmon", " "), std::string());
        std::string line;
        addAclRules(line, aclLine("lockmon", "+time"));
        addAclRules(line, aclLine("lockmon", "~* +time"));
        QCOMPARE(line, aclLine("lockmon", "+time ~*"));
        addAclRules(line, aclLine("somebody", "+info"));
        addAclRules(line, {});
        QCOMPARE(line, aclLine("lockmon", "+time ~*"));
    }

    void refusesEverythingNotKnownToBeHarmless_data()
    {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<bool>("passes");
        const auto add = [](const char *line, bool passes) {
            QTest::newRow(line) << QString::fromLatin1(line).split(u' ') << passes;
        };
        for (const char *line :
            { "GET k", "get k", "evalsha_ro sha 0", "EVAL_RO x 0", "Scan 0", "client id", "CLIENT TRACKING ON",
                "pubsub NUMSUB c", "SUBSCRIBE c", "PTTL k", "SCRIPT EXISTS x", "CONFIG GET notify-keyspace-events" })
            add(line, true);
        for (const char *line : { "DEL k", "SET k v", "EVAL x 0", "EVALSHA sha 0", "PEXPIRE k 1", "PUBLISH c m",
                 "SCRIPT LOAD x", "SCRIPT FLUSH", "CLIENT KILL ID 1", "CLIENT REPLY OFF", "CLIENT", "CONFIG GET *",
                 "CONFIG GET requirepass", "CONFIG GET notify-keyspace-events requirepass", "CONFIG", "CONFIG SET a b",
                 "FLUSHALL", "KEYS *", "MONITOR", "MULTI", "EXEC", "GETDEL k", "GETEX k", "GETSET k v", "HELLO 3",
                 "DEBUG SLEEP 1", "ZRANGESTORE a b 0 1", "FCALL f 0", "FUNCTION LOAD x", "SORT k STORE d", "RENAME a b",
                 "PUBSUB", "G", "GET\tDEL" })
            add(line, false);
    }
    void refusesEverythingNotKnownToBeHarmless()
    {
        QFETCH(QStringList, words);
        QFETCH(bool, passes);
        Command command;
        for (const QString &word : words)
            command.push_back(word.toStdString());
        QCOMPARE(isReadOnly(command), passes);
    }

    void refusesTheEmptyCommand() { QVERIFY(!isReadOnly({}) && !isReadOnly({ "" })); }

    void hashesTheTagOnly()
    {
        QCOMPARE(keySlot("123456789"), 0x31C3 % 16384); // the check value of CRC-16/XMODEM
        QCOMPARE(keySlot("foo"), 12182);
        QCOMPARE(keySlot("{foo}.bar"), keySlot("foo"));
        QCOMPARE(keySlot("redisson_lock_queue:{foo}"), keySlot("foo"));
        QCOMPARE(keySlot("a{foo}{bar}"), keySlot("foo"));
        QCOMPARE(keySlot("{{foo}}"), keySlot("{foo"));
        QVERIFY(keySlot("{}foo") != keySlot("foo") && keySlot("{foo") != keySlot("foo"));
        QCOMPARE(keySlot(""), 0);
    }

    void readsMessages()
    {
        const auto message = toPubSubMessage(array({ text("message"), text("c"), text("0") }));
        QVERIFY(message == (PubSubMessage{ Type::Message, "c", {}, "0", {}, false }));
        const auto byPattern = toPubSubMessage(array({ text("pmessage"), text("c*"), text("c1"), text("0") }));
        QVERIFY(byPattern == (PubSubMessage{ Type::PatternMessage, "c1", "c*", "0", {}, false }));
        const auto confirmed = toPubSubMessage(array({ text("psubscribe"), text("c*"), Reply(std::int64_t{ 1 }) }));
        QVERIFY(confirmed == (PubSubMessage{ Type::Subscribed, "c*", {}, {}, {}, false }));
        const auto none = toPubSubMessage(array({ text("unsubscribe"), Reply(), Reply(std::int64_t{ 0 }) }));
        QVERIFY(none == (PubSubMessage{ Type::Unsubscribed, {}, {}, {}, {}, false }));
    }

    void readsInvalidations()
    {
        const Reply channel = text("__redis__:invalidate");
        const auto keys = toPubSubMessage(array({ text("message"), channel, array({ text("a"), text("b") }) }));
        QVERIFY(keys && keys->keys == (std::vector<std::string>{ "a", "b" }) && !keys->everything);
        const auto all = toPubSubMessage(array({ text("message"), channel, Reply() }));
        QVERIFY(all && all->everything && !all->keys);
    }

    void leavesOrdinaryRepliesAlone()
    {
        for (const Reply &reply :
            { array({ text("pong"), text("") }), array({}), text("message"), array({ text("message"), text("c") }),
                array({ text("subscribe"), text("c"), text("1") }), Reply(Reply::ServerError{ "NOPERM" }) })
            QVERIFY(!toPubSubMessage(reply));
    }

    void readsOnlyWhatTheServerSaysOfItself()
    {
        const auto info = parseServerInfo("# Server\r\nredis_version:255.255.255\r\nodd line\r\nrole:slave\r\nrun_id:");
        QVERIFY(info == (ServerInfo{ "255.255.255", 255, 255, {}, "slave", {} }));
        QVERIFY(info.atLeast(7, 0));
        const auto master = parseServerInfo("slave0:ip=10.0.0.5,port=7003,state=online,offset=84,lag=2\r\n"
                                            "slave1:ip=10.0.0.6,port=7004,state=wait_bgsave,offset=0,lag=0\r\n"
                                            "slave_expires_tracked_keys:0\r\nslave7:odd\r\n");
        QVERIFY((master.replicas == std::vector{ ReplicaInfo{ "10.0.0.5", 7003, std::chrono::seconds(2) } }));
        QVERIFY(parseServerInfo("redis_version:x") == (ServerInfo{ "x", 0, 0, {}, {}, {} }));
    }
};

QTEST_GUILESS_MAIN(ProtocolTest)
#include "tst_protocol.moc"
