// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/connection_trial.h"
#include "tests/support/redis_server.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using namespace lockcore::transport;
using testsupport::RedisServer;
using testsupport::RedisServerOptions;
using testsupport::tried;

namespace {

constexpr int Limit = 20'000;

bool misses(const ConnectionReport &report, Right right)
{
    return std::ranges::any_of(report.missing, [right](const MissingRight &each) { return each.right == right; });
}

} // namespace

class TestConnectionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void reportsAServerThatPermitsEverything();
    void namesTheRuleForWhatIsRefused();
    void keysThatMayBeReadAreNotCalledRefused();
    void allowedMonitorUserMissesNothing();
    void wrongPasswordIsAnError();
    void nobodyListeningIsAnError();
    void aServerThatCannotBeReachedIsToldLater();
    void leavesNothingBehind();
    void cancelledTestSaysNothing();
};

void TestConnectionTest::initTestCase() { NEED_REDIS_SERVER(); }

void TestConnectionTest::reportsAServerThatPermitsEverything()
{
    RedisServer server;
    QVERIFY(server.start());
    const auto report = tried(server.endpoint());
    QVERIFY2(report, report ? "" : toString(report.error()).c_str());
    const QByteArray version = QByteArray("redis_version:").append(report->version.c_str());
    QVERIFY(server.cli({ QStringLiteral("INFO"), QStringLiteral("server") }).contains(version));
    QCOMPARE(report->role, std::string("master"));
    QCOMPARE(report->mode, std::string("standalone"));
    QVERIFY(report->roundTrip.count() > 0);
    QVERIFY(report->readOnlyScripts && report->clientTracking && report->pubSub);
    QVERIFY(report->missing.empty());
}

void TestConnectionTest::namesTheRuleForWhatIsRefused()
{
    RedisServerOptions options;
    options.users = { QStringLiteral("poor on >secret ~* -@all +@read +ping +hello +select +client|setname") };
    RedisServer server(options);
    QVERIFY(server.start());
    Endpoint endpoint = server.endpoint();
    endpoint.user = "poor";
    endpoint.password = "secret";
    const auto report = tried(endpoint);
    QVERIFY2(report, report ? "" : toString(report.error()).c_str());
    QVERIFY(!report->readOnlyScripts && !report->clientTracking && !report->pubSub);
    for (const Right right : { Right::Info, Right::ReadScripts, Right::Tracking, Right::UnlockMessages,
             Right::Invalidations, Right::CountWaiters }) {
        const char *rules = rowOf(AclRules, right).text;
        QVERIFY2(misses(*report, right), rules);
        for (const QString &rule : QString::fromLatin1(rules).split(u' '))
            QVERIFY2(QString::fromStdString(report->aclLine).split(u' ').contains(rule), qPrintable(rule));
    }
    QVERIFY(!misses(*report, Right::Scan));
}

/// A user who lacks commands alone: one that works tells that the keys are permitted.
void TestConnectionTest::keysThatMayBeReadAreNotCalledRefused()
{
    RedisServerOptions options;
    options.users = { QStringLiteral("less on >secret ~* -@all +get +hgetall +type +ping +hello +auth"),
        QStringLiteral("none on >secret ~* -@all +ping +hello +auth") };
    RedisServer server(options);
    QVERIFY(server.start());
    Endpoint endpoint = server.endpoint();
    endpoint.user = "less";
    endpoint.password = "secret";
    const auto report = tried(endpoint);
    QVERIFY2(report, report ? "" : toString(report.error()).c_str());
    QVERIFY(misses(*report, Right::ReadCommands));
    QVERIFY2(!misses(*report, Right::ReadKeys), report->aclLine.c_str());
    QVERIFY2(report->aclLine.find("~*") == std::string::npos, report->aclLine.c_str());
    endpoint.user = "none"; // of whom nothing tells
    const auto other = tried(endpoint);
    QVERIFY(other);
    QVERIFY(misses(*other, Right::ReadKeys));
}

void TestConnectionTest::allowedMonitorUserMissesNothing()
{
    RedisServerOptions options;
    options.users
        = { QStringLiteral("lockmon on >secret ~* &redisson_* &__redis__:invalidate -@all +@read +@connection "
                           "-@dangerous +subscribe +psubscribe +unsubscribe +punsubscribe +pubsub +info "
                           "+eval_ro +evalsha_ro +time") };
    RedisServer server(options);
    QVERIFY(server.start());
    Endpoint endpoint = server.endpoint();
    endpoint.user = "lockmon";
    endpoint.password = "secret";
    const auto report = tried(endpoint);
    QVERIFY2(report, report ? "" : toString(report.error()).c_str());
    QVERIFY2(report->missing.empty(), report->aclLine.c_str());
    QVERIFY(report->readOnlyScripts && report->clientTracking && report->pubSub);
}

void TestConnectionTest::wrongPasswordIsAnError()
{
    RedisServerOptions options;
    options.password = QStringLiteral("right");
    RedisServer server(options);
    QVERIFY(server.start());
    Endpoint endpoint = server.endpoint();
    endpoint.password = "hunter2";
    const auto report = tried(endpoint);
    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::AuthenticationFailed);
    QVERIFY(toString(report.error()).find("hunter2") == std::string::npos);
}

void TestConnectionTest::nobodyListeningIsAnError()
{
    RedisServer server;
    QVERIFY(server.start());
    const Endpoint endpoint = server.endpoint();
    server.stop();
    const auto report = tried(endpoint);
    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::ConnectionRefused);
}

/// To connect there is refused inside the call.
void TestConnectionTest::aServerThatCannotBeReachedIsToldLater()
{
    Deployment deployment;
    deployment.topology = Topology::Nodes;
    deployment.seeds.resize(2);
    for (Endpoint &seed : deployment.seeds)
        seed.host = "224.0.0.1";
    ConnectionProbe test;
    QSignalSpy finished(&test, &ConnectionProbe::finished);
    test.start(deployment);
    QVERIFY(finished.isEmpty());
    QVERIFY(finished.wait(Limit));
    QCOMPARE(finished.count(), 1);
    const auto report = finished.first().first().value<Result<ConnectionReport>>();
    QVERIFY(!report);
    QCOMPARE(report.error().code, ErrorCode::NetworkOther);
}

void TestConnectionTest::leavesNothingBehind()
{
    RedisServer server;
    QVERIFY(server.start());
    Endpoint endpoint = server.endpoint();
    endpoint.clientName = "probe";
    QVERIFY(tried(endpoint));
    QCOMPARE(server.cli({ QStringLiteral("DBSIZE") }), QByteArray("0"));
    // Gone once the connection, which is deleted later, is closed.
    QTRY_VERIFY_WITH_TIMEOUT(
        !server.cli({ QStringLiteral("CLIENT"), QStringLiteral("LIST") }).contains("name=probe"), Limit);
}

void TestConnectionTest::cancelledTestSaysNothing()
{
    RedisServer server;
    QVERIFY(server.start());
    ConnectionProbe test;
    QSignalSpy finished(&test, &ConnectionProbe::finished);
    test.start(server.endpoint());
    QVERIFY(test.isRunning());
    test.cancel();
    QVERIFY(!test.isRunning());
    test.start(server.endpoint()); // the next one is told, and only that one
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, Limit);
    QVERIFY(!test.isRunning());
}

QTEST_GUILESS_MAIN(TestConnectionTest)
#include "tst_connection_probe.moc"
