// SPDX-License-Identifier: GPL-3.0-or-later
#include "lockcore/service/feeds/sharded_channels.h"
#include "tests/support/asking.h"
#include "tests/support/blocking_client.h"
#include "tests/support/command_calls.h"

#include <QElapsedTimer>

using namespace lockcore;
using namespace lockcore::service;
using namespace lockcore::transport;
using namespace testsupport;

namespace {

constexpr int Limit = 60'000;
constexpr int Many = 20'000;

std::string channel(int number) { return "redisson_lock__channel:{order" + std::to_string(number) + "}"; }

} // namespace

/// Of one node of a cluster, at which very many clients wait.
class TestShardedChannels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        NEED_REDIS_SERVER();
        RedisServerOptions options;
        options.cluster = true;
        m_server = std::make_unique<RedisServer>(options);
        QVERIFY(m_server->start());
        m_server->cli(QStringLiteral("CLUSTER ADDSLOTSRANGE 0 16383").split(u' '));
        QTRY_VERIFY_WITH_TIMEOUT(
            m_server->cli(QStringLiteral("CLUSTER INFO").split(u' ')).contains("cluster_state:ok"), Limit);
    }

    void init()
    {
        m_commands = std::make_unique<Connection>(m_server->endpoint(), ConnectionOptions{});
        m_subscriber = std::make_unique<Subscriber>(m_server->endpoint(), ConnectionOptions{});
        m_subscriber->open();
        QVERIFY(!openAndWait(*m_commands));
        QTRY_COMPARE_WITH_TIMEOUT(m_subscriber->connection().state(), Connection::State::Ready, Limit);
        m_channels = std::make_unique<ShardedChannels>(*m_commands, *m_subscriber, m_rights, nullptr);
        forgetCalls(*m_server);
    }

    void cleanup()
    {
        m_channels.reset();
        m_subscriber.reset();
        m_commands.reset();
    }

    void countsAFewOfVeryManyAndSaysSo()
    {
        BlockingClient waiters(m_server->socketPath().toStdString());
        wait(waiters, Many);
        bool told = false;
        connect(m_channels.get(), &ShardedChannels::limitChanged, this, [&told] { told = true; });
        m_channels->start();
        QTRY_VERIFY_WITH_TIMEOUT(listening() == 1'000, Limit);
        QVERIFY(told && m_channels->leavesSomeOut());
        const int counted = commandCalls(*m_server, "pubsub|shardnumsub");
        QVERIFY2(counted <= 20, qPrintable(QString::number(counted)));
        const int listed = commandCalls(*m_server, "pubsub|shardchannels");
        QVERIFY2(listed == 1, qPrintable(QString::number(listed))); // there are 15 s until the next time
    }

    void keepsThoseThatItListensTo()
    {
        BlockingClient waiters(m_server->socketPath().toStdString());
        wait(waiters, 3);
        m_channels->start();
        QTRY_VERIFY_WITH_TIMEOUT(listening() == 3, Limit);
        QVERIFY(!m_channels->leavesSomeOut());
        BlockingClient more(m_server->socketPath().toStdString());
        wait(more, 1'500);
        QTRY_VERIFY_WITH_TIMEOUT(listening() == 1'000, Limit);
        QVERIFY(m_channels->leavesSomeOut());
        for (int i = 0; i < 3; ++i)
            QVERIFY(m_channels->listensTo(channel(i)));
    }

    void asksOnceOfAServerThatIsSlow()
    {
        m_channels->start();
        QTRY_VERIFY_WITH_TIMEOUT(commandCalls(*m_server, "pubsub|shardchannels") == 1, Limit);
        forgetCalls(*m_server);
        m_server->pause();
        QElapsedTimer paused;
        paused.start();
        QTRY_VERIFY_WITH_TIMEOUT(paused.elapsed() > 6'000, Limit); // some rounds
        m_server->resume();
        QVERIFY(ask(*m_commands, { "PING" }));
        QCOMPARE(commandCalls(*m_server, "pubsub|shardchannels"), 1);
    }

private:
    static void wait(BlockingClient &waiters, int number)
    {
        std::vector<protocol::Command> commands;
        for (int i = 0; i < number; ++i)
            commands.push_back({ "SSUBSCRIBE", channel(i) });
        QCOMPARE(waiters.runAll(commands).size(), commands.size());
    }
    int listening() const
    {
        int number = 0;
        for (int i = 0; i < Many; ++i)
            number += m_channels->listensTo(channel(i)) ? 1 : 0;
        return number;
    }

    std::unique_ptr<RedisServer> m_server;
    MissingRights m_rights{ "default" };
    std::unique_ptr<Connection> m_commands;
    std::unique_ptr<Subscriber> m_subscriber;
    std::unique_ptr<ShardedChannels> m_channels;
};

QTEST_GUILESS_MAIN(TestShardedChannels)
#include "tst_sharded_channels.moc"
