// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/redis_cluster.h"

#include "tests/support/replication.h"
#include "tests/support/wait_until.h"

#include <QElapsedTimer>
#include <algorithm>

using namespace Qt::StringLiterals;
using lockcore::protocol::Command;
using lockcore::protocol::Reply;

namespace testsupport {

namespace {

constexpr int MeetAgainMs = 3'000;
constexpr int SlotCount = 16384;
constexpr int SlotsOfEach = SlotCount / RedisCluster::Masters + 1;

int lastSlot(int master) { return std::min((master + 1) * SlotsOfEach, SlotCount) - 1; }

std::string text(const Reply &reply) { return reply.bulk() ? *reply.bulk() : std::string(); }

} // namespace

RedisCluster::RedisCluster(int replicasOfEach, RedisServerOptions options)
    : m_replicas(replicasOfEach)
    , m_tls(options.tls)
{
    if (m_tls) {
        options.certificates = makeCertificates(m_folder.path());
        options.config << u"tls-cluster yes"_s << u"tls-replication yes"_s;
    }
    for (int number = 0; number < Masters * (1 + replicasOfEach); ++number) {
        RedisServerOptions own = options;
        own.cluster = true;
        own.config << u"cluster-node-timeout 1000"_s << u"cluster-replica-validity-factor 0"_s
                   << u"cluster-allow-replica-migration no"_s << u"repl-diskless-sync-delay 0"_s;
        m_nodes.push_back(std::make_unique<RedisServer>(own));
    }
}

bool RedisCluster::start()
{
    for (const auto &node : m_nodes) {
        if (!node->start())
            return false;
    }
    return join() && addReplicas();
}

lockcore::transport::Deployment RedisCluster::deployment() const
{
    lockcore::transport::Deployment deployment;
    deployment.topology = lockcore::transport::Topology::Cluster;
    for (int master = 0; master < Masters; ++master) {
        const RedisServer &node = *m_nodes[static_cast<std::size_t>(master)];
        deployment.seeds.push_back(m_tls ? node.tlsEndpoint() : node.endpoint());
    }
    return deployment;
}

Reply RedisCluster::run(int number, const Command &command) const
{
    const RedisServer &node = *m_nodes.at(static_cast<std::size_t>(number));
    return BlockingClient(node.socketPath().toStdString()).run(command);
}

int RedisCluster::slotOf(const std::string &key) const
{
    const Reply slot = run(0, { "CLUSTER", "KEYSLOT", key });
    return slot.integer() ? static_cast<int>(*slot.integer()) : -1;
}

std::string RedisCluster::nameAt(int master, const std::string &stem) const
{
    std::string name = stem;
    for (int number = 0; slotOf(name) / SlotsOfEach != master; ++number)
        name = stem + std::to_string(number);
    return name;
}

bool RedisCluster::join()
{
    for (int master = 0; master < Masters; ++master) {
        run(master,
            { "CLUSTER", "ADDSLOTSRANGE", std::to_string(master * SlotsOfEach), std::to_string(lastSlot(master)) });
        run(master, { "CLUSTER", "SET-CONFIG-EPOCH", std::to_string(master + 1) });
    }
    QElapsedTimer sinceMet;
    return waitUntil([&] {
        if (!sinceMet.isValid() || sinceMet.elapsed() > MeetAgainMs) { // it is forgotten where it takes too long
            meet();
            sinceMet.start();
        }
        return isAgreed();
    });
}

void RedisCluster::meet() const
{
    for (std::size_t number = 1; number < m_nodes.size(); ++number)
        run(0,
            { "CLUSTER", "MEET", "127.0.0.1", std::to_string(portOf(*m_nodes[number])),
                std::to_string(m_nodes[number]->busPort()) });
}

bool RedisCluster::isAgreed() const
{
    const std::string known = "cluster_known_nodes:" + std::to_string(m_nodes.size()) + "\r";
    for (std::size_t number = 0; number < m_nodes.size(); ++number) {
        const std::string info = text(run(static_cast<int>(number), { "CLUSTER", "INFO" }));
        if (info.find("cluster_state:ok") == info.npos || info.find(known) == info.npos)
            return false;
    }
    return true;
}

bool RedisCluster::addReplicas()
{
    const auto count = static_cast<int>(m_nodes.size());
    for (int number = Masters; number < count; ++number)
        run(number, { "CLUSTER", "REPLICATE", id(number % Masters) });
    return waitUntil([&] {
        for (int master = 0; master < Masters; ++master) {
            if (!isSentTo(m_replicas, text(run(master, { "INFO", "replication" }))))
                return false;
        }
        for (int number = 0; number < count; ++number) { // who is whose replica has come around
            const Reply map = run(number, { "CLUSTER", "SLOTS" });
            for (const Reply &range : *map.array()) {
                if (range.array()->size() != static_cast<std::size_t>(3 + m_replicas))
                    return false;
            }
        }
        return true;
    });
}

std::string RedisCluster::id(int number) const { return text(run(number, { "CLUSTER", "MYID" })); }

void RedisCluster::startToMove(int slot, int from, int to)
{
    run(to, { "CLUSTER", "SETSLOT", std::to_string(slot), "IMPORTING", id(from) });
    run(from, { "CLUSTER", "SETSLOT", std::to_string(slot), "MIGRATING", id(to) });
}

bool RedisCluster::moveKeys(int slot, int from, int to)
{
    const Reply keys = run(from, { "CLUSTER", "GETKEYSINSLOT", std::to_string(slot), "1000" });
    if (!keys.array()) // busy with a script
        return false;
    for (const Reply &key : *keys.array()) {
        const Reply moved
            = run(from, { "MIGRATE", "127.0.0.1", std::to_string(portOf(node(to))), text(key), "0", "5000" });
        if (!moved.status())
            return false;
    }
    return true;
}

void RedisCluster::endMove(int slot, int to)
{
    const std::string slotOwner = id(to);
    run(to, { "CLUSTER", "SETSLOT", std::to_string(slot), "NODE", slotOwner });
    for (int master = 0; master < Masters; ++master)
        run(master, { "CLUSTER", "SETSLOT", std::to_string(slot), "NODE", slotOwner });
}

bool RedisCluster::move(int slot, int from, int to)
{
    startToMove(slot, from, to);
    const bool moved = moveKeys(slot, from, to);
    endMove(slot, to);
    return moved;
}

} // namespace testsupport
