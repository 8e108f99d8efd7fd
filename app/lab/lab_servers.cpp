// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab/lab_servers.h"

#include "app/common/words.h"

#include <utility>

namespace app {

using lockcore::transport::Connection;
using lockcore::transport::Deployment;
using lockcore::transport::Topology;
using lockui::lab::Setting;

namespace {

using namespace std::chrono_literals;

constexpr const char *MasterName = "lab";
constexpr auto ReplicationLookEvery = 50ms;
constexpr int MostReplicationLooks = 600; // half a minute

bool tells(const lockcore::Result<lockcore::protocol::Reply> &reply, const char *text)
{
    return reply && reply->bulk() && reply->bulk()->find(text) != std::string::npos;
}

} // namespace

LabServers::LabServers(
    Setting setting, std::size_t count, bool byTcp, std::optional<Deployment> foreign, QObject *parent)
    : QObject(parent)
    , m_setting(setting)
    , m_foreign(std::move(foreign))
{
    if (m_foreign)
        return;
    const PrivateServerOptions options{ .listensOnTcp = byTcp || setting != Setting::One,
        .isClusterNode = setting == Setting::Cluster,
        .config = { "repl-diskless-sync-delay 0", "repl-ping-replica-period 1" } };
    for (std::size_t i = 0; i < count; ++i) {
        auto &server = m_servers.emplace_back(std::make_unique<PrivateServer>(options));
        connect(server.get(), &PrivateServer::ready, this, &LabServers::serverReady);
        connect(server.get(), &PrivateServer::failed, this, &LabServers::failed);
    }
    m_replication.setInterval(ReplicationLookEvery);
    connect(&m_replication, &QTimer::timeout, this, &LabServers::lookForReplication);
}

LabServers::~LabServers() = default;

void LabServers::start()
{
    if (m_foreign)
        return openReaders();
    for (const auto &server : m_servers)
        server->start();
}

void LabServers::serverReady()
{
    if (m_isReady || ++m_started < m_servers.size())
        return;
    openReaders();
}

void LabServers::openReaders()
{
    std::vector<lockcore::transport::Endpoint> endpoints;
    if (m_foreign)
        endpoints = m_foreign->seeds;
    for (const auto &server : m_servers)
        endpoints.push_back(server->endpoint());
    for (const auto &endpoint : endpoints) {
        m_readers.push_back(
            std::make_unique<Connection>(endpoint, lockcore::transport::ConnectionOptions{ .readOnly = false }));
        connect(m_readers.back().get(), &Connection::ready, this, &LabServers::readerReady, Qt::SingleShotConnection);
        m_readers.back()->open();
    }
}

void LabServers::readerReady()
{
    if (++m_connected < m_readers.size())
        return;
    if (m_setting == Setting::Replicated)
        return startSentinel();
    if (m_setting == Setting::Cluster)
        return joinCluster();
    beReady();
}

void LabServers::joinCluster()
{
    std::vector<PrivateCluster::Node> nodes;
    for (std::size_t i = 0; i < m_servers.size(); ++i)
        nodes.push_back({ m_readers[i].get(), m_servers[i]->busPort() });
    m_cluster = std::make_unique<PrivateCluster>(std::move(nodes));
    connect(m_cluster.get(), &PrivateCluster::failed, this, &LabServers::failed);
    connect(m_cluster.get(), &PrivateCluster::ready, this, &LabServers::beReady);
    m_cluster->join();
}

void LabServers::beReady()
{
    if (!std::exchange(m_isReady, true))
        Q_EMIT ready();
}

void LabServers::moveSlot(const std::string &key, std::size_t to, PrivateCluster::Done done)
{
    m_cluster->move(key, to, std::move(done));
}

void LabServers::startSentinel()
{
    const std::string master = MasterName;
    const std::string port = std::to_string(m_servers.front()->endpoint().port);
    m_sentinel = std::make_unique<PrivateServer>(PrivateServerOptions{ .listensOnTcp = true,
        .isSentinel = true,
        .config = { "sentinel monitor " + master + " 127.0.0.1 " + port + " 1",
            "sentinel down-after-milliseconds " + master + " 500", "sentinel failover-timeout " + master + " 3000" } });
    connect(m_sentinel.get(), &PrivateServer::failed, this, &LabServers::failed);
    connect(m_sentinel.get(), &PrivateServer::ready, this, [this] {
        m_sentinelReader = std::make_unique<Connection>(
            m_sentinel->endpoint(), lockcore::transport::ConnectionOptions{ .readOnly = false, .toSentinel = true });
        m_sentinelReader->open();
    });
    m_readers.back()->send({ "REPLICAOF", "127.0.0.1", port }, [this](const auto &) { m_sentinel->start(); });
    m_replication.start();
}

/// Until the replica follows, and the Sentinel knows it: it would find nobody to take over before.
void LabServers::lookForReplication()
{
    if (++m_looks > MostReplicationLooks) {
        m_replication.stop();
        return Q_EMIT failed(
            { lockcore::ErrorCode::FileFailed, Words::tr("the replica does not follow its master").toStdString(),
                Words::tr("starting a master with a replica").toStdString() });
    }
    if (!m_sentinelReader)
        return;
    m_readers.front()->send({ "INFO", "replication" }, [this](const auto &reply) {
        if (!tells(reply, "state=online"))
            return;
        m_sentinelReader->send({ "INFO", "sentinel" }, [this](const auto &told) {
            if (!tells(told, "slaves=1") || !tells(told, "status=ok"))
                return;
            m_replication.stop();
            beReady();
        });
    });
}

Deployment LabServers::deployment() const
{
    if (m_foreign)
        return *m_foreign;
    Deployment deployment;
    deployment.seeds.clear();
    if (m_setting == Setting::Replicated) {
        deployment.topology = Topology::Sentinel;
        deployment.masterName = MasterName;
        deployment.seeds.push_back(m_sentinel->endpoint());
        return deployment;
    }
    deployment.topology = m_setting == Setting::Independent ? Topology::Nodes
        : m_setting == Setting::Cluster                     ? Topology::Cluster
                                                            : Topology::Single;
    for (const auto &server : m_servers)
        deployment.seeds.push_back(server->endpoint());
    return deployment;
}

} // namespace app
