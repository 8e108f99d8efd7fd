// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/transport/topology.h"
#include "tests/support/lock_user.h"
#include "tests/support/sentinel_setup.h"

#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace lockcore;
using namespace lockcore::client;
using namespace lockcore::synchronizers;
using namespace lockcore::transport;
using testsupport::LockUser;
using testsupport::SentinelSetup;

namespace {

const LockTarget Job{ "job", Kind::Reentrant };
constexpr Millis LongLease{ 600'000 }; // nobody waits for it to run out
constexpr int PromptMs = 5'000;

std::int64_t number(const protocol::Reply &reply) { return reply.integer() ? *reply.integer() : -1; }

bool isHeldBy(const testsupport::RedisServer &server, const LockUser &user)
{
    return number(SentinelSetup::run(server, { "HEXISTS", Job.name, user.owner().toStdString() })) == 1;
}

bool hasWaiter(const testsupport::RedisServer &server)
{
    const auto reply = SentinelSetup::run(server, { "PUBSUB", "NUMSUB", "redisson_lock__channel:{" + Job.name + '}' });
    return reply.array() && number(reply.array()->back()) == 1;
}

/// Says to everybody that the master is at this port of four digits.
class FakeSentinel {
public:
    explicit FakeSentinel(const QByteArray &port)
    {
        m_server.listen(QHostAddress::LocalHost);
        QObject::connect(&m_server, &QTcpServer::newConnection, &m_server, [this, port] {
            QTcpSocket *socket = m_server.nextPendingConnection();
            socket->write("+PONG\r\n+OK\r\n:1\r\n$0\r\n\r\n$0\r\n\r\n+OK\r\n");
            QObject::connect(socket, &QIODevice::readyRead, socket, [this, socket, port] {
                if (!socket->readAll().contains("GET-MASTER"))
                    return;
                ++m_asked;
                socket->write("*2\r\n$9\r\n127.0.0.1\r\n$4\r\n" + port + "\r\n");
            });
        });
    }
    Endpoint endpoint() const
    {
        Endpoint endpoint;
        endpoint.port = m_server.serverPort();
        endpoint.clientName = "test"; // one reply of the handshake is for that
        return endpoint;
    }
    int asked() const { return m_asked; }

private:
    QTcpServer m_server;
    int m_asked = 0;
};

/// One holds, another waits, and what became of it.
struct Contention {
    explicit Contention(const Deployment &deployment)
        : holder(deployment, { .watchdogTimeout = Millis(9'000) })
        , waiter(deployment)
    {
        QObject::connect(holder.client.get(), &LockClient::lockLost, holder.client.get(), [this] { ++lost; });
        QObject::connect(holder.client.get(), &LockClient::renewed, holder.client.get(), [this] { ++renewals; });
    }

    bool start(const testsupport::RedisServer &master)
    {
        if (!holder.tryLock(Job))
            return false;
        waiting = waiter.startAcquire({ Job, "1", {}, {} });
        return QTest::qWaitFor([&] { return hasWaiter(master); }, testsupport::GenerousMs);
    }

    /// Holds on, and hands over by a message.
    void goesOnAt(const testsupport::RedisServer &master)
    {
        QTRY_VERIFY_WITH_TIMEOUT(hasWaiter(master), testsupport::GenerousMs);
        const int before = renewals;
        QTRY_VERIFY_WITH_TIMEOUT(renewals >= before + 2, testsupport::GenerousMs);
        QVERIFY(isHeldBy(master, holder));
        QCOMPARE(lost, 0);
        QVERIFY(!waiting->isHere());
        QCOMPARE(holder.release(Job), Result<ReleaseOutcome>(ReleaseOutcome::Released));
        QVERIFY(waiting->wait(PromptMs));
        QVERIFY(*waiting->result && (*waiting->result)->acquired);
        QVERIFY(isHeldBy(master, waiter));
    }

    LockUser holder;
    LockUser waiter;
    LockUser::Acquired waiting;
    int lost = 0;
    int renewals = 0;
};

} // namespace

class SentinelLinkTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksAnotherSentinelWhereTheMasterNamedDoesNotServe()
    {
        const FakeSentinel cutOff("1111");
        const FakeSentinel knowing("2222");
        Deployment deployment;
        deployment.topology = Topology::Sentinel;
        deployment.masterName = "mymaster";
        deployment.seeds = { cutOff.endpoint(), knowing.endpoint() };
        ServerTopology topology(deployment, {}, ServerTopology::Refresh::OnDemand);
        std::vector<int> ports;
        connect(&topology, &ServerTopology::found, this,
            [&](const ServerMap &map) { ports.push_back(map.ranges.front().master.port); });
        topology.open();
        QTRY_COMPARE(ports, std::vector{ 1111 });
        topology.lookAgain();
        QTRY_COMPARE(ports, (std::vector{ 1111, 1111 }));
        topology.lookSoon();
        QTRY_COMPARE(ports, (std::vector{ 1111, 1111, 2222 }));
        topology.lookAgain();
        QTRY_COMPARE(ports, (std::vector{ 1111, 1111, 2222, 2222 }));
    }

    /// Who presses F5 does not say that anything is wrong.
    void asksTheSameSentinelWhenAPersonWantsToLookAgain()
    {
        const FakeSentinel usual("1111");
        const FakeSentinel other("2222");
        Deployment deployment;
        deployment.topology = Topology::Sentinel;
        deployment.masterName = "mymaster";
        deployment.seeds = { usual.endpoint(), other.endpoint() };
        ServerTopology topology(deployment, {}, ServerTopology::Refresh::Periodic);
        std::vector<int> ports;
        connect(&topology, &ServerTopology::changed, this,
            [&](const std::vector<SlotOwner> &owners) { ports.push_back(owners.front().endpoint.port); });
        topology.open();
        QTRY_COMPARE(ports, std::vector{ 1111 });
        const int before = usual.asked();
        topology.lookAgain();
        QTRY_VERIFY(usual.asked() > before);
        QCOMPARE(other.asked(), 0);
        QCOMPARE(ports, std::vector{ 1111 });
        topology.lookSoon();
        QTRY_COMPARE(ports, (std::vector{ 1111, 2222 }));
    }

    void initTestCase() { NEED_REDIS_SERVER(); }

    void goesOnAfterTheMasterHasDied()
    {
        SentinelSetup setup;
        QVERIFY(setup.start());
        Contention contention(setup.deployment());
        QVERIFY(contention.start(setup.first()));
        QTRY_VERIFY_WITH_TIMEOUT(isHeldBy(setup.second(), contention.holder), testsupport::GenerousMs);
        setup.first().kill();
        contention.goesOnAt(setup.second());
    }

    void leavesAMasterThatWasReplacedByRequest()
    {
        SentinelSetup setup(3, { .password = QStringLiteral("secret") });
        QVERIFY(setup.start());
        Contention contention(setup.deployment());
        QVERIFY(contention.start(setup.first()));
        QTRY_VERIFY_WITH_TIMEOUT(isHeldBy(setup.second(), contention.holder), testsupport::GenerousMs);
        setup.startToFailOver();
        contention.goesOnAt(setup.second());
    }

    void asksTheNextSentinel()
    {
        SentinelSetup setup(3);
        QVERIFY(setup.start());
        setup.sentinel(0).kill();
        LockUser user(setup.deployment());
        QVERIFY(user.tryLock(Job, "1", LongLease));
        QVERIFY(isHeldBy(setup.first(), user));
        setup.sentinel(1).kill();
        setup.sentinel(2).kill();
        QVERIFY(user.release(Job)); // nobody is needed while the master is there
    }

    void holdsBackWhatAReplicaRefuses()
    {
        SentinelSetup setup;
        QVERIFY(setup.start());
        LockUser user(setup.deployment());
        QVERIFY(user.tryLock(Job, "1", LongLease));
        QSignalSpy lost(user.client.get(), &LockClient::lost);
        setup.run(setup.first(), { "REPLICAOF", "127.0.0.1", std::to_string(testsupport::freePort()) });
        const auto released = user.startRelease(Job);
        QTRY_VERIFY_WITH_TIMEOUT(!lost.isEmpty(), testsupport::GenerousMs);
        QVERIFY(!released->isHere());
        setup.run(setup.first(), { "REPLICAOF", "NO", "ONE" });
        QVERIFY(released->wait());
        QCOMPARE(*released->result, Result<ReleaseOutcome>(ReleaseOutcome::Released));
    }

    void saysWhyThereIsNoMaster()
    {
        SentinelSetup setup;
        QVERIFY(setup.start());
        Deployment deployment = setup.deployment();
        deployment.masterName = "others";
        LockUser stranger(deployment);
        const auto unknown = stranger.acquire({ Job, "1", {}, {} });
        QVERIFY(!unknown);
        QVERIFY(toString(unknown.error()).find("others") != std::string::npos);

        deployment.seeds.front() = setup.first().endpoint();
        LockUser mistaken(deployment);
        const auto noSentinel = mistaken.acquire({ Job, "1", {}, {} });
        QVERIFY(!noSentinel);
        QVERIFY(toString(noSentinel.error()).find("unknown command") != std::string::npos);

        deployment.seeds.front().port = testsupport::freePort();
        LockUser lonely(deployment);
        QCOMPARE(lonely.acquire({ Job, "1", {}, {} }).error().code, ErrorCode::ConnectionRefused);
    }
};

QTEST_GUILESS_MAIN(SentinelLinkTest)
#include "tst_sentinel_link.moc"
