// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <memory>
#include <string>
#include <vector>

namespace testsupport {

/// A private Redis Cluster of three masters, each with so many replicas; fails over within seconds. With TLS its nodes
/// talk so to each other too, and the deployment is that of the TLS ports.
/// Blocks while it starts and stops. What is said to a node beside the code under test does not follow redirections.
class RedisCluster {
public:
    static constexpr int Masters = 3;

    explicit RedisCluster(int replicasOfEach = 0, RedisServerOptions options = {});

    bool start(); // true once all nodes agree, and the replicas have what their masters have
    lockcore::transport::Deployment deployment() const;
    /// At the start the masters have the numbers 0 to 2, then come the replicas of 0, 1 and 2, and so on.
    RedisServer &node(int number) { return *m_nodes.at(static_cast<std::size_t>(number)); }
    lockcore::protocol::Reply run(int number, const lockcore::protocol::Command &command) const;

    int slotOf(const std::string &key) const;
    /// A name that starts with `stem` and is kept by that master at the start.
    std::string nameAt(int master, const std::string &stem) const;

    void startToMove(int slot, int from, int to);
    bool moveKeys(int slot, int from, int to);
    void endMove(int slot, int to);
    bool move(int slot, int from, int to); // all three

private:
    bool join();
    void meet() const;
    bool addReplicas();
    bool isAgreed() const;
    std::string id(int number) const;
    quint16 portOf(const RedisServer &node) const { return m_tls ? node.tlsPort() : node.port(); } // for the others

    const int m_replicas;
    const bool m_tls;
    QTemporaryDir m_folder; // of the certificates
    std::vector<std::unique_ptr<RedisServer>> m_nodes;
};

} // namespace testsupport
