// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/client_finder.h"
#include "tests/support/blocking_client.h"
#include "tests/support/lock_user.h"
#include "tests/support/redis_server.h"

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::transport;
using namespace testsupport;

namespace {

constexpr int Limit = 30'000;

struct Look {
    explicit Look(const Endpoint &endpoint, ClientFinderLimits limits = { .duration = Millis{ 20'000 } })
    {
        QObject::connect(&finder, &ClientFinder::listening, &finder, [this] { listening = true; });
        QObject::connect(
            &finder, &ClientFinder::finished, &finder, [this](const Result<ClientLook> &look) { result = look; });
        finder.start(endpoint, limits);
    }

    ClientFinder finder;
    bool listening = false;
    std::optional<Result<ClientLook>> result;
};

bool isMonitored(const RedisServer &server)
{
    return server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).contains("cmd=monitor");
}

} // namespace

class TestClientFinder : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }
    void init()
    {
        m_server = std::make_unique<RedisServer>(
            RedisServerOptions{ .users = { QStringLiteral("looker on >secret ~* &* +@all -monitor"),
                                    QStringLiteral("nameless on >secret ~* &* +@all -client|list") } });
        QVERIFY(m_server->start());
    }
    void cleanup() { m_server.reset(); }

    void findsWhereAClientIsAndWhatItIsCalled()
    {
        auto place = m_server->endpoint();
        place.clientName = "billing";
        LockUser user(place);
        QVERIFY(user.waitReady());
        Look look(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(look.listening, Limit);
        QVERIFY(user.tryLock({ "stock \"]\\\n" }) && user.release({ "stock \"]\\\n" }));
        m_server->cli({ QStringLiteral("PING") });
        look.finder.finishNow();
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY(look.result->has_value());
        const auto &found = **look.result;
        QCOMPARE(found.clients.size(), std::size_t{ 1 });
        QCOMPARE(found.clients[0].client, user.client->id());
        QCOMPARE(found.clients[0].host, std::string("127.0.0.1"));
        QCOMPARE(found.clients[0].names, std::vector<std::string>{ "billing" });
        QVERIFY(found.clients[0].commands >= 2 && found.commands >= 3);
        QVERIFY(!isMonitored(*m_server));
    }

    void looksOnWhenSomebodyStoresLargeValues()
    {
        auto place = m_server->endpoint();
        place.clientName = "billing";
        LockUser user(place);
        QVERIFY(user.waitReady());
        Look look(m_server->endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(look.listening, Limit);
        BlockingClient storing(m_server->socketPath().toStdString());
        for (const std::size_t size : { std::size_t{ 100'000 }, std::size_t{ 1 } << 20, std::size_t{ 4 } << 20 }) {
            QVERIFY(user.tryLock({ "stock" }) && user.release({ "stock" }));
            QVERIFY(storing.run({ "SET", "picture", std::string(size, 'x') }).status());
        }
        QVERIFY(user.tryLock({ "stock" }) && user.release({ "stock" }));
        QVERIFY(!look.result);
        look.finder.finishNow();
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY2(look.result->has_value(), look.result->has_value() ? "" : look.result->error().message.c_str());
        const auto &found = **look.result;
        QVERIFY(!found.full && found.commands >= 8 + 3);
        QCOMPARE(found.clients.size(), std::size_t{ 1 });
        QCOMPARE(found.clients[0].client, user.client->id());
        QVERIFY(found.clients[0].commands >= 8); // before, between and after
    }

    void endsByItselfWhenTheTimeIsOver()
    {
        Look look(m_server->endpoint(), { .duration = Millis{ 300 } });
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY(look.result->has_value() && (*look.result)->lasted >= Millis{ 290 } && !(*look.result)->full);
        QVERIFY(!isMonitored(*m_server) && !look.finder.isRunning());
    }

    void endsAtOnceWhenItIsToldTooMuch_data()
    {
        QTest::addColumn<int>("size");
        QTest::newRow("in lines that are read") << 50'000;
        QTest::newRow("in lines that are not") << 80'000;
    }
    void endsAtOnceWhenItIsToldTooMuch()
    {
        QFETCH(int, size);
        Look look(m_server->endpoint(), { .duration = Millis{ 60'000 }, .bytes = 100'000 });
        QTRY_VERIFY_WITH_TIMEOUT(look.listening, Limit);
        for (int i = 0; i < 4 && !look.result; ++i)
            m_server->cli({ QStringLiteral("ECHO"), QString(size, QLatin1Char('x')) });
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY(look.result->has_value() && (*look.result)->full);
        QTRY_VERIFY_WITH_TIMEOUT(!isMonitored(*m_server), Limit);
    }

    void isRefusedCleanlyWhereTheUserMayNot()
    {
        auto place = m_server->endpoint();
        place.user = "looker";
        place.password = "secret";
        Look look(place);
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY(!look.result->has_value() && !look.listening);
        QCOMPARE(look.result->error().code, ErrorCode::PermissionDenied);
    }

    void goesWithoutNamesWhereTheyAreRefused()
    {
        auto place = m_server->endpoint();
        place.user = "nameless";
        place.password = "secret";
        Look look(place, { .duration = Millis{ 100 } });
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY(look.result->has_value());
        QVERIFY(toString((*look.result)->namesMissing.value()).ends_with("+client|list"));
    }

    void tellsWhyItCannotConnect()
    {
        auto place = m_server->endpoint();
        place.password = "wrong";
        place.user = "looker";
        Look look(place);
        QTRY_VERIFY_WITH_TIMEOUT(look.result, Limit);
        QVERIFY(!look.result->has_value());
        QCOMPARE(look.result->error().code, ErrorCode::AuthenticationFailed);
    }

    void saysNothingAfterItWasCancelled()
    {
        Look look(m_server->endpoint(), { .duration = Millis{ 100 } });
        QTRY_VERIFY_WITH_TIMEOUT(look.listening, Limit);
        look.finder.cancel();
        QTRY_VERIFY_WITH_TIMEOUT(!isMonitored(*m_server), Limit);
        QVERIFY(!look.result);
    }

    void readsTheAddressOfAServerFromItsName()
    {
        Endpoint first;
        first.host = "10.0.0.1";
        first.user = "me";
        const Deployment servers(first);
        const auto found = endpointOf(servers, "[::1]:7001");
        QVERIFY(found && found->host == "::1" && found->port == 7001 && found->user == "me");
        QVERIFY(endpointOf(servers, "10.0.0.1:6379") && !endpointOf(servers, "nowhere") && !endpointOf(servers, ""));
    }

private:
    std::unique_ptr<RedisServer> m_server;
};

QTEST_MAIN(TestClientFinder)
#include "tst_client_finder.moc"
