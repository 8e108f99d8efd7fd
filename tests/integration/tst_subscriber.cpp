// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/subscriber.h"
#include "tests/support/asking.h"
#include "tests/support/redis_server.h"

#include <QSignalSpy>

using namespace lockcore::protocol;
using namespace lockcore::transport;
using namespace lockcore;
using namespace testsupport;
using namespace Qt::StringLiterals;

namespace {

ConnectionOptions quick()
{
    ConnectionOptions options;
    options.backoff = { Millis(20), Millis(200) };
    return options;
}

/// What came of one subscription.
struct Log {
    std::vector<std::string> messages;
    std::vector<bool> confirmations;

    Subscriber::MessageHandler onMessage()
    {
        return [this](const PubSubMessage &message) { messages.push_back(message.channel + '=' + message.payload); };
    }
    Subscriber::ConfirmedHandler confirmed()
    {
        return [this](const Result<void> &result) { confirmations.push_back(result.has_value()); };
    }
};

} // namespace

class SubscriberTest : public QObject {
    Q_OBJECT

    RedisServer m_server;

    QByteArray publish(const char *channel, const char *message)
    {
        return m_server.cli({ u"PUBLISH"_s, QString::fromLatin1(channel), QString::fromLatin1(message) });
    }
    QByteArray subscribers(const char *channel)
    {
        return m_server.cli({ u"PUBSUB"_s, u"NUMSUB"_s, QString::fromLatin1(channel) });
    }

private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        QVERIFY(m_server.start());
    }

    void hearsAgainWhatWasRefusedAfterAReconnect()
    {
        Subscriber subscriber(m_server.endpoint(), quick());
        QSignalSpy dropped(&subscriber, &Subscriber::dropped);
        QSignalSpy ready(&subscriber, &Subscriber::ready);
        subscriber.open();
        Log log;
        subscriber.subscribe("refused", log.onMessage(), log.confirmed());
        QTRY_COMPARE(log.confirmations, std::vector{ true });
        m_server.cli({ u"ACL"_s, u"SETUSER"_s, u"default"_s, u"-subscribe"_s });
        m_server.cli({ u"CLIENT"_s, u"KILL"_s, u"TYPE"_s, u"pubsub"_s });
        QTRY_COMPARE(dropped.size(), 1);
        QTRY_VERIFY(!ready.isEmpty());
        const auto before = ready.size();
        m_server.cli({ u"ACL"_s, u"SETUSER"_s, u"default"_s, u"+subscribe"_s });
        QTRY_VERIFY_WITH_TIMEOUT(ready.size() > before, 20'000); // who waits looks again: a message may be missed
        QCOMPARE(subscribers("refused"), QByteArray("refused\n1"));
        publish("refused", "1");
        QTRY_COMPARE(log.messages, std::vector<std::string>{ "refused=1" });
    }

    void subscribesOncePerChannel()
    {
        Subscriber subscriber(m_server.endpoint(), quick());
        Log first;
        Log second;
        Log late;
        const auto a = subscriber.subscribe("c", first.onMessage(), first.confirmed());
        const auto b = subscriber.subscribe("c", second.onMessage(), second.confirmed());
        subscriber.open();
        QTRY_VERIFY(first.confirmations == std::vector{ true } && second.confirmations == std::vector{ true });
        const auto c = subscriber.subscribe("c", late.onMessage(), late.confirmed());
        QVERIFY(late.confirmations.empty());
        QTRY_VERIFY(late.confirmations == std::vector{ true });
        QCOMPARE(publish("c", "1"), "1");
        QTRY_COMPARE(late.messages.size(), 1U);
        QCOMPARE(first.messages, std::vector<std::string>{ "c=1" });
        subscriber.unsubscribe(a);
        QCOMPARE(publish("c", "2"), "1");
        QTRY_COMPARE(second.messages.size(), 2U);
        QCOMPARE(first.messages.size(), 1U);
        subscriber.unsubscribe(b);
        subscriber.unsubscribe(c);
        QTRY_COMPARE(subscribers("c"), "c\n0");
        QCOMPARE(first.confirmations.size() + second.confirmations.size() + late.confirmations.size(), 3U);
    }

    void staysSubscribedWhenSubscribedAgainAtOnce()
    {
        Subscriber subscriber(m_server.endpoint(), quick());
        Log before;
        Log after;
        subscriber.open();
        const auto id = subscriber.subscribe("again", before.onMessage(), before.confirmed());
        QTRY_COMPARE(before.confirmations.size(), 1U);
        subscriber.unsubscribe(id);
        subscriber.subscribe("again", after.onMessage(), after.confirmed());
        QTRY_VERIFY(after.confirmations == std::vector{ true });
        QCOMPARE(publish("again", "x"), "1");
        QTRY_COMPARE(after.messages, std::vector<std::string>{ "again=x" });
        QVERIFY(before.messages.empty());
    }

    void tellsChannelsFromPatterns()
    {
        Subscriber subscriber(m_server.endpoint(), quick());
        Log exact;
        Log pattern;
        subscriber.open();
        subscriber.subscribe("p1", exact.onMessage(), exact.confirmed());
        subscriber.psubscribe("p*", pattern.onMessage(), pattern.confirmed());
        QTRY_VERIFY(exact.confirmations.size() == 1 && pattern.confirmations.size() == 1);
        publish("p1", "x");
        publish("p2", "y");
        QTRY_COMPARE(pattern.messages, (std::vector<std::string>{ "p1=x", "p2=y" }));
        QCOMPARE(exact.messages, std::vector<std::string>{ "p1=x" });
    }

    void handlersMayUnsubscribeThemselves()
    {
        Subscriber subscriber(m_server.endpoint(), quick());
        Log log;
        int calls = 0;
        std::vector<SubscriptionId> ids;
        for (int i = 0; i < 2; ++i)
            ids.push_back(subscriber.subscribe(
                "self",
                [&](const PubSubMessage &) {
                    ++calls;
                    for (const SubscriptionId id : ids)
                        subscriber.unsubscribe(id);
                },
                log.confirmed()));
        subscriber.open();
        QTRY_COMPARE(log.confirmations.size(), 2U);
        publish("self", "x");
        QTRY_COMPARE(subscribers("self"), "self\n0");
        QCOMPARE(calls, 1);
    }

    void isSubscribedAgainBeforeItIsReady()
    {
        RedisServer server;
        QVERIFY(server.start());
        Subscriber subscriber(server.endpoint(), quick());
        Log log;
        subscriber.subscribe("c", log.onMessage(), log.confirmed());
        subscriber.psubscribe("d*", log.onMessage(), log.confirmed());
        QSignalSpy ready(&subscriber, &Subscriber::ready);
        QSignalSpy lost(&subscriber, &Subscriber::lost);
        subscriber.open();
        QVERIFY(ready.wait(10'000));
        QCOMPARE(log.confirmations.size(), 2U);
        server.kill();
        QTRY_VERIFY(lost.count() > 0);
        ready.clear();
        QVERIFY(server.restart());
        QVERIFY(ready.count() > 0 || ready.wait(10'000));
        QCOMPARE(server.cli({ u"PUBLISH"_s, u"c"_s, u"1"_s }), "1");
        QCOMPARE(server.cli({ u"PUBLISH"_s, u"d1"_s, u"2"_s }), "1");
        QTRY_COMPARE(log.messages, (std::vector<std::string>{ "c=1", "d1=2" }));
        QCOMPARE(log.confirmations.size(), 2U);
    }

    void tellsEveryoneWhenTheServerRefuses()
    {
        m_server.cli({ u"ACL"_s, u"SETUSER"_s, u"deaf"_s, u"on"_s, u">x"_s, u"~*"_s, u"+@all"_s, u"resetchannels"_s,
            u"&open"_s });
        Endpoint endpoint = m_server.endpoint();
        endpoint.user = "deaf";
        endpoint.password = "x";
        Subscriber subscriber(endpoint, quick());
        Log log;
        QSignalSpy ready(&subscriber, &Subscriber::ready);
        subscriber.subscribe("closed", log.onMessage(), log.confirmed());
        subscriber.subscribe("open", log.onMessage(), log.confirmed());
        subscriber.open();
        QVERIFY(ready.wait(10'000));
        QCOMPARE(log.confirmations.size(), 2U);
        Log second;
        subscriber.subscribe("closed", second.onMessage(), second.confirmed());
        QTRY_VERIFY(second.confirmations == std::vector{ false });
    }

    void passesInvalidationsOn()
    {
        Subscriber subscriber(m_server.endpoint(), quick());
        std::vector<PubSubMessage> messages;
        bool confirmed = false;
        subscriber.subscribe(
            "__redis__:invalidate", [&](const PubSubMessage &message) { messages.push_back(message); },
            [&](const Result<void> &) { confirmed = true; });
        subscriber.open();
        QTRY_VERIFY(confirmed);
        Connection tracker(m_server.endpoint(), {});
        QVERIFY(!openAndWait(tracker));
        const auto id = std::to_string(subscriber.connection().clientId());
        QVERIFY(ask(tracker, { "CLIENT", "TRACKING", "ON", "REDIRECT", id, "BCAST" })->status());
        m_server.cli({ u"SET"_s, u"k"_s, u"v"_s });
        QTRY_COMPARE(messages.size(), 1U);
        QVERIFY(messages[0].keys == std::vector<std::string>{ "k" });
        m_server.cli({ u"FLUSHALL"_s });
        QTRY_VERIFY(messages.back().everything);
    }
};

QTEST_GUILESS_MAIN(SubscriberTest)
#include "tst_subscriber.moc"
