// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/protocol/pubsub.h"
#include "lockcore/protocol/server_error.h"

#include <QTest>

using namespace lockcore::protocol;
using namespace lockcore;
using Kind = Redirection::Kind;

namespace {

Reply bulk(const char *text) { return Reply(std::string(text)); }
Reply integer(std::int64_t number) { return Reply(number); }
Reply array(Reply::Array parts) { return Reply(std::move(parts)); }
Reply error(const char *text) { return Reply(Reply::ServerError{ text }); }

} // namespace

class RedirectionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhereARequestIsSent()
    {
        QVERIFY(toRedirection(error("MOVED 3999 127.0.0.1:6381"), "seed")
            == (Redirection{ Kind::Moved, 3999, { "127.0.0.1", 6381 } }));
        QVERIFY(
            toRedirection(error("ASK 0 fe80::1:7000"), "seed") == (Redirection{ Kind::Ask, 0, { "fe80::1", 7000 } }));
        QVERIFY(toRedirection(error("MOVED 16383 node.example:1"), "seed")
            == (Redirection{ Kind::Moved, 16383, { "node.example", 1 } }));
    }

    void takesTheAskedHostWhereNoneIsAnnounced()
    {
        for (const char *text : { "MOVED 1 :6381", "MOVED 1 ?:6381" })
            QVERIFY(toRedirection(error(text), "seed") == (Redirection{ Kind::Moved, 1, { "seed", 6381 } }));
    }

    void knowsWhatWillPass()
    {
        QCOMPARE(
            toRedirection(error("TRYAGAIN Multiple keys request during rehashing of slot"), {})->kind, Kind::Later);
        QCOMPARE(toRedirection(error("CLUSTERDOWN The cluster is down"), {})->kind, Kind::Down);
        QCOMPARE(
            toRedirection(error("READONLY You can't write against a read only replica."), {})->kind, Kind::Demoted);
        QCOMPARE(toRedirection(error("ERR Error running script (call to f_1): @user_script:3: -READONLY You can't"), {})
                     ->kind,
            Kind::Demoted);
    }

    void leavesOrdinaryRepliesAlone()
    {
        for (const char *text : { "ERR unknown command", "MOVED", "MOVED 1", "MOVED x h:1", "MOVED 1 h:0",
                 "MOVED 1 h:x", "MOVED 16384 h:1", "MOVED -1 h:1", "MOVED 1 h", "ASKING", "" })
            QVERIFY2(!toRedirection(error(text), "seed"), text);
        QVERIFY(!toRedirection(bulk("MOVED 1 h:1"), "seed"));
    }

    void readsWhoKeepsWhichSlots()
    {
        const Reply reply = array({
            array({ integer(0), integer(5460), array({ bulk("10.0.0.1"), integer(7000), bulk("id") }),
                array({ bulk("10.0.0.4"), integer(7003), bulk("id"), array({}) }) }),
            array({ integer(5461), integer(16383), array({ bulk(""), integer(7001), bulk("id") }),
                array({ Reply(), integer(7004), bulk("id") }), array({ bulk("10.0.0.9"), integer(0), bulk("id") }) }),
        });
        const auto ranges = parseClusterSlots(reply, "seed");
        QVERIFY(ranges);
        QVERIFY(*ranges
            == (std::vector<SlotRange>{ { 0, 5460, { "10.0.0.1", 7000 }, { { "10.0.0.4", 7003 } } },
                { 5461, 16383, { "seed", 7001 }, { { "seed", 7004 } } } }));
    }

    void takesTheAddressOfANodeWhoseHostNameIsUnknown()
    {
        const auto node = [](Reply::Array facts) {
            return array(
                { array({ integer(0), integer(1), array({ bulk("?"), integer(7000), bulk("id"), array(facts) }) }) });
        };
        QCOMPARE(parseClusterSlots(node({ bulk("ip"), bulk("10.0.0.1") }), "seed")->front().master.host,
            std::string("10.0.0.1"));
        QCOMPARE(parseClusterSlots(node({}), "seed")->front().master.host, std::string("seed"));
    }

    /// Each master costs connections.
    void followsMovesAtOnceButNotForEver()
    {
        using Step = RedirectLimit::Step;
        RedirectLimit limit(Millis(2'000));
        const MonoTime start{ std::chrono::seconds(100) };
        QVERIFY(!limit.wasRedirected() && !limit.hasPassed(start + Millis(60'000)));
        const Redirection moved{ Redirection::Kind::Moved, 1, { "h", 1 } };
        for (int i = 0; i < 5; ++i)
            QVERIFY(limit.follow(moved, start) == Step::ToOwner);
        QVERIFY(limit.wasRedirected());
        QVERIFY(limit.follow(moved, start) == Step::Wait); // two nodes that name each other
        QVERIFY(limit.follow(moved, start + Millis(1'999)) == Step::Wait);
        QVERIFY(!limit.hasPassed(start + Millis(1'999)));
        QVERIFY(limit.hasPassed(start + Millis(2'000)));
        QVERIFY(limit.follow(moved, start + Millis(2'000)) == Step::GiveUp);
    }

    void asksWhoIsNamedAndWaitsForTheRest()
    {
        using Step = RedirectLimit::Step;
        RedirectLimit limit(Millis(2'000));
        const MonoTime now;
        for (int i = 0; i < 10; ++i)
            QVERIFY(limit.follow({ Redirection::Kind::Ask, 1, { "h", 1 } }, now) == Step::ToNamed);
        for (const auto kind : { Redirection::Kind::Later, Redirection::Kind::Down, Redirection::Kind::Demoted })
            QVERIFY(limit.follow({ kind, 0, {} }, now) == Step::Wait);
        QVERIFY(limit.follow({ Redirection::Kind::Moved, 1, { "h", 1 } }, now) == Step::ToOwner);
    }

    void pausesEverLonger()
    {
        RedirectLimit limit(Millis(2'000));
        QCOMPARE(limit.nextPause(0), Millis(50));
        for (int i = 0; i < 10; ++i)
            QVERIFY(limit.nextPause(1) > Millis(25));
        QCOMPARE(limit.nextPause(0), Millis(400));
    }

    void refusesMoreMastersThanAnyClusterHas()
    {
        const auto mapOf = [](std::size_t masters) {
            Reply::Array ranges;
            for (std::size_t i = 0; i < masters; ++i)
                ranges.push_back(array({ integer(static_cast<int>(i)), integer(static_cast<int>(i)),
                    array({ bulk("10.0.0.1"), integer(static_cast<int>(1'000 + i)), bulk("id") }) }));
            return Reply(std::move(ranges));
        };
        QVERIFY(parseClusterSlots(mapOf(MostMasters), "seed"));
        const auto refused = parseClusterSlots(mapOf(MostMasters + 1), "seed");
        QVERIFY(!refused);
        QVERIFY(refused.error().message.find("masters") != std::string::npos);
    }

    void refusesOtherForms()
    {
        const Reply node = array({ bulk("h"), integer(7000) });
        const std::vector<Reply> wrong{ bulk("x"), error("ERR x"), array({ bulk("x") }), array({ array({}) }),
            array({ array({ integer(0), integer(1) }) }), array({ array({ integer(2), integer(1), node }) }),
            array({ array({ integer(-1), integer(1), node }) }), array({ array({ integer(0), integer(16384), node }) }),
            array({ array({ integer(0), integer(1), array({ bulk("h"), integer(0) }) }) }),
            array({ array({ integer(0), integer(1), array({ bulk("h"), integer(65536) }) }) }) };
        for (const Reply &reply : wrong)
            QVERIFY(!parseClusterSlots(reply, "seed"));
    }

    void tellsShardedMessagesApart()
    {
        const auto message = toPubSubMessage(array({ bulk("smessage"), bulk("c"), bulk("0") }));
        QVERIFY(message && message->sharded && message->type == PubSubMessage::Type::Message);
        const auto end = toPubSubMessage(array({ bulk("sunsubscribe"), bulk("c"), integer(0) }));
        QVERIFY(end && end->sharded && end->type == PubSubMessage::Type::Unsubscribed);
        QVERIFY(!toPubSubMessage(array({ bulk("message"), bulk("c"), bulk("0") }))->sharded);
        QVERIFY(!toPubSubMessage(array({ bulk("subscribe"), bulk("c"), integer(1) }))->sharded);
    }
};

QTEST_APPLESS_MAIN(RedirectionTest)
#include "tst_redirection.moc"
