// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/recording/player.h"
#include "lockcore/service/replay/recorder.h"
#include "lockcore/service/sessions/server_watch.h"
#include "tests/support/blocking_client.h"
#include "tests/support/monitor_watch.h"
#include "tests/support/redis_server.h"
#include "tests/support/sentinel_setup.h"

#include <QTemporaryDir>
#include <QTest>

using namespace lockcore;
using namespace lockcore::monitor;
using namespace lockcore::service;
using testsupport::BlockingClient;
using testsupport::MonitorWatch;
using testsupport::RedisServer;
using testsupport::SentinelSetup;

namespace {

constexpr int Limit = 40'000;
constexpr const char *Slow = "local n = 0 for i = 1, 5000000 do n = n + i % 7 end return n";

const Event *newest(const MonitorWatch &watch, EventKind kind)
{
    const auto found = std::ranges::find(watch.events.rbegin(), watch.events.rend(), kind, &Event::kind);
    return found == watch.events.rend() ? nullptr : &*found;
}

/// Some tens of milliseconds, as the server counts them.
void runSlowly(const RedisServer &server)
{
    server.cli({ QStringLiteral("EVAL"), QString::fromLatin1(Slow), QStringLiteral("1"), QStringLiteral("stock:1"),
        QStringLiteral("s3cret") });
}

protocol::SlowCommand slow(std::int64_t id)
{
    protocol::SlowCommand command;
    command.id = id;
    command.command = "GET";
    return command;
}

} // namespace

class TestServerEvents : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { NEED_REDIS_SERVER(); }

    void tellsOfARestart()
    {
        RedisServer server;
        QVERIFY(server.start());
        MonitorWatch watch(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        QVERIFY(!newest(watch, EventKind::ServerRestarted));
        QVERIFY(server.restart());
        QTRY_VERIFY_WITH_TIMEOUT(newest(watch, EventKind::ServerRestarted), Limit);
        const Event &event = *newest(watch, EventKind::ServerRestarted);
        QCOMPARE(event.node, server.endpoint().display());
        QVERIFY(event.ttl && *event.ttl < std::chrono::minutes(1));
        QVERIFY(!watch.gaps().empty());
    }

    /// What is lost for a moment is no other process.
    void takesALostConnectionForNoRestart()
    {
        RedisServer server;
        QVERIFY(server.start());
        MonitorWatch watch(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        server.cli(
            { QStringLiteral("CLIENT"), QStringLiteral("KILL"), QStringLiteral("SKIPME"), QStringLiteral("yes") });
        QTRY_VERIFY_WITH_TIMEOUT(!watch.gaps().empty() && watch.isLive(), Limit);
        QVERIFY(!newest(watch, EventKind::ServerRestarted));
    }

    void tellsOfANewMaster()
    {
        SentinelSetup setup;
        QVERIFY(setup.start());
        MonitorWatch watch(setup.deployment());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        const std::string former = watch.service.latest()->nodes.front().node;
        setup.first().kill();
        QTRY_VERIFY_WITH_TIMEOUT(newest(watch, EventKind::MasterChanged), Limit);
        const Event &event = *newest(watch, EventKind::MasterChanged);
        QCOMPARE(event.formerMaster, former);
        QVERIFY(event.node != former);
        QVERIFY(event.node.ends_with(std::to_string(setup.second().port())));
        const std::string master = event.node;
        QTRY_VERIFY_WITH_TIMEOUT(newest(watch, EventKind::Gap), Limit);
        QCOMPARE(newest(watch, EventKind::Gap)->node, master);
        QCOMPARE(newest(watch, EventKind::Gap)->formerMaster, former); // that is what was not seen
    }

    void tellsOfSlowCommands()
    {
        RedisServer server({ .config = { QStringLiteral("slowlog-log-slower-than 5000") } });
        QVERIFY(server.start());
        runSlowly(server); // before our time
        MonitorWatch watch(server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().slowLog, SlowLogAccess::Read, Limit);
        QVERIFY(!newest(watch, EventKind::SlowCommand));
        runSlowly(server);
        QTRY_VERIFY_WITH_TIMEOUT(newest(watch, EventKind::SlowCommand), Limit);
        const Event &event = *newest(watch, EventKind::SlowCommand);
        QCOMPARE(event.command, std::string("EVAL"));
        QCOMPARE(event.key, std::string("stock:1"));
        QVERIFY(event.ttl && *event.ttl >= Millis(5));
        QCOMPARE(event.node, server.endpoint().display());
    }

    /// That is told as the rest is: it did cost the server.
    void tellsWhatLockscopeItselfSent()
    {
        RedisServer server({ .config = { QStringLiteral("slowlog-log-slower-than 0") } });
        QVERIFY(server.start());
        auto endpoint = server.endpoint();
        endpoint.clientName = "this-window";
        MonitorWatch watch(endpoint);
        const auto isTold = [&](const std::string &command, const std::string &key, bool byLockscope) {
            return std::ranges::any_of(watch.events, [&](const Event &event) {
                return event.kind == EventKind::SlowCommand && event.command == command && event.key == key
                    && event.byLockscope == byLockscope;
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(
            std::ranges::any_of(watch.events, [](const Event &event) { return event.byLockscope; }), Limit);
        const std::vector<std::string> own{ "lockscope", "lockctl", "this-window" };
        const std::vector<std::string> others{ "", "billing", "lockscopes" };
        const auto send = [&](const std::string &name) {
            BlockingClient client(server.socketPath().toStdString());
            if (!name.empty())
                client.run({ "CLIENT", "SETNAME", name });
            client.run({ "GET", "of " + name });
        };
        const auto areTold = [&](const std::vector<std::string> &names, bool byLockscope) {
            return std::ranges::all_of(
                names, [&](const std::string &name) { return isTold("GET", "of " + name, byLockscope); });
        };
        const auto areAllTold = [&] {
            std::ranges::for_each(own, send);
            std::ranges::for_each(others, send);
            return areTold(own, true) && areTold(others, false);
        };
        QTRY_VERIFY_WITH_TIMEOUT(areAllTold(), Limit);
        for (const std::string &name : own)
            QVERIFY2(!isTold("GET", "of " + name, false), name.c_str());
        for (const std::string &name : others)
            QVERIFY2(!isTold("GET", "of " + name, true), name.c_str());
    }

    void saysThatTheSlowLogMayNotBeRead()
    {
        RedisServer server({ .users = { QStringLiteral("few on >secret ~* &* +@all -slowlog") } });
        QVERIFY(server.start());
        auto endpoint = server.endpoint();
        endpoint.user = "few";
        endpoint.password = "secret";
        MonitorWatch watch(endpoint);
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().slowLog, SlowLogAccess::Refused, Limit);
        QVERIFY(watch.status().missingRights.empty()); // locks are seen all the same
    }

    void tellsOfPausedClients()
    {
        RedisServer server;
        QVERIFY(server.start());
        MonitorWatch watch(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        const auto pauseOnce = [&] {
            server.cli(
                { QStringLiteral("CLIENT"), QStringLiteral("PAUSE"), QStringLiteral("1"), QStringLiteral("WRITE") });
            return newest(watch, EventKind::ClientsPaused);
        };
        QTRY_VERIFY_WITH_TIMEOUT(pauseOnce(), Limit);
        const Event &event = *newest(watch, EventKind::ClientsPaused);
        QVERIFY(event.count && *event.count >= 1);
        QVERIFY(event.at > WallTime());
    }

    void tellsOfAnEmptiedDatabase()
    {
        RedisServer server;
        QVERIFY(server.start());
        MonitorWatch watch(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        server.cli({ QStringLiteral("FLUSHALL") });
        QTRY_VERIFY_WITH_TIMEOUT(newest(watch, EventKind::DatabaseEmptied), Limit);
    }

    void tellsOfSwappedDatabases()
    {
        RedisServer server;
        QVERIFY(server.start());
        MonitorWatch watch(server.endpoint());
        QTRY_VERIFY_WITH_TIMEOUT(watch.isLiveAndSwept(), Limit);
        const auto swapOnce = [&] {
            server.cli({ QStringLiteral("SWAPDB"), QStringLiteral("0"), QStringLiteral("1") });
            return newest(watch, EventKind::DatabasesSwapped);
        };
        QTRY_VERIFY_WITH_TIMEOUT(swapOnce(), Limit);
        QVERIFY(!newest(watch, EventKind::DatabaseEmptied));
    }

    void keepsThemInRecordings_data()
    {
        QTest::addColumn<QByteArray>("client");
        QTest::newRow("of somebody") << QByteArray("billing");
        QTest::newRow("of Lockscope itself") << QByteArray("lockctl");
    }

    void keepsThemInRecordings()
    {
        QFETCH(const QByteArray, client);
        RedisServer server({ .config = { QStringLiteral("slowlog-log-slower-than 5000") } });
        QVERIFY(server.start());
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("it.lockrec"));
        MonitorWatch watch(server.endpoint());
        QTRY_COMPARE_WITH_TIMEOUT(watch.status().slowLog, SlowLogAccess::Read, Limit);
        watch.service.recorder().start(file);
        QTRY_VERIFY_WITH_TIMEOUT(
            watch.service.recorder().state() && watch.service.recorder().state()->progress.bytes > 0, Limit);
        BlockingClient sender(server.socketPath().toStdString());
        sender.run({ "CLIENT", "SETNAME", client.toStdString() });
        sender.run({ "EVAL", Slow, "1", "stock:1" });
        QTRY_VERIFY_WITH_TIMEOUT(newest(watch, EventKind::SlowCommand), Limit);
        watch.service.recorder().stop();
        const auto player = recording::Player::open(file);
        QVERIFY(player.has_value());
        const auto &[first, last] = (*player)->span();
        const auto events = (*player)->events(first - std::chrono::seconds(1), last, 1'000);
        QVERIFY(events.has_value());
        const auto found = std::ranges::find(*events, EventKind::SlowCommand, &Event::kind);
        QVERIFY(found != events->end());
        QCOMPARE(*found, *newest(watch, EventKind::SlowCommand));
        QCOMPARE(found->byLockscope, client == "lockctl");
        QVERIFY(!found->count);
        const auto snapshot = (*player)->at(last);
        QVERIFY(snapshot.has_value());
        QCOMPARE((*snapshot)->status.slowLog, SlowLogAccess::Read);
    }

    void readsWhatIsNewInTheSlowLog()
    {
        SlowLogReader reader;
        reader.connected("run", {});
        QVERIFY(reader.read({ slow(4), slow(3) }).empty()); // before our time
        QVERIFY(reader.read({ slow(4), slow(3) }).empty());
        QCOMPARE(reader.read({ slow(5), slow(4) }).size(), std::size_t(1));
        const auto some = reader.read({ slow(9), slow(8) }); // of two nothing more is known
        QCOMPARE(some.size(), std::size_t(3));
        QCOMPARE(some.front().count, std::optional<std::int64_t>(2));
        QVERIFY(some.front().command.empty());
        auto ofScript = slow(10);
        ofScript.isOfScript = true; // told with the script, and not lost
        const auto script = reader.read({ slow(11), ofScript, slow(9) });
        QCOMPARE(script.size(), std::size_t(1));
        QVERIFY(!script.front().count);
        reader.connected("another", {});
        QCOMPARE(reader.read({ slow(1), slow(0) }).size(), std::size_t(2));
        QVERIFY(reader.read({}).empty()); // it was emptied
        QCOMPARE(reader.read({ slow(2) }).size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestServerEvents)
#include "tst_server_events.moc"
