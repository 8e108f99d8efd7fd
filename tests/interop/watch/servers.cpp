// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/watch/servers.h"

#include "tests/support/redis_cluster.h"
#include "tests/support/redis_server.h"
#include "tests/support/sentinel_setup.h"

#include <QStringList>

using namespace testsupport;
using namespace Qt::StringLiterals;

namespace crowdwatch {

using lockcore::transport::Deployment;

namespace {

class OneServer : public Servers {
public:
    bool start() override { return m_server.start(); }
    Deployment deployment() const override
    {
        Deployment deployment;
        deployment.seeds.push_back(m_server.endpoint());
        return deployment;
    }
    std::vector<std::string> masters() override { return { m_server.socketPath().toStdString() }; }
    QString urls() override { return m_server.url(); }

private:
    RedisServer m_server;
};

class ThreeMasters : public Servers {
public:
    bool start() override { return m_cluster.start(); }
    Deployment deployment() const override { return m_cluster.deployment(); }
    std::vector<std::string> masters() override
    {
        std::vector<std::string> sockets;
        for (int i = 0; i < RedisCluster::Masters; ++i)
            sockets.push_back(m_cluster.node(i).socketPath().toStdString());
        return sockets;
    }
    QString urls() override
    {
        QStringList urls;
        for (int i = 0; i < RedisCluster::Masters; ++i)
            urls << m_cluster.node(i).url();
        return urls.join(u',');
    }

private:
    RedisCluster m_cluster;
};

/// Redisson subscribes on the replica unless it is told otherwise.
class BehindSentinels : public Servers {
public:
    bool start() override { return m_setup.start(); }
    Deployment deployment() const override { return m_setup.deployment(); }
    std::vector<std::string> masters() override { return { m_setup.first().socketPath().toStdString() }; }
    QString urls() override
    {
        QStringList urls;
        for (int i = 0; i < Sentinels; ++i)
            urls << m_setup.sentinel(i).url();
        return urls.join(u',');
    }

private:
    static constexpr int Sentinels = 3;
    SentinelSetup m_setup{ Sentinels };
};

} // namespace

std::unique_ptr<Servers> makeServers(const QString &topology)
{
    if (topology == u"single")
        return std::make_unique<OneServer>();
    if (topology == u"cluster")
        return std::make_unique<ThreeMasters>();
    if (topology == u"sentinel")
        return std::make_unique<BehindSentinels>();
    return nullptr;
}

} // namespace crowdwatch
