// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"
#include "tests/faults/plan.h"
#include "tests/faults/proxy.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_cluster.h"
#include "tests/support/redis_server.h"

#include <QLocalSocket>
#include <memory>
#include <string>
#include <vector>

namespace faults {

/// The servers of a schedule, each behind a proxy, and what can be done to them. Clients log in as the default user;
/// what is done here is done by another one.
/// Thread: that of the object, whose event loop has to run.
class Servers {
public:
    explicit Servers(const Plan &plan);
    ~Servers();

    bool start(); // blocks
    lockcore::transport::Deployment deployment() const;
    QString url() const; // the same in words

    void apply(const Fault &fault); // one of those on the way or of the server; never waits for one that was stopped
    void heal(); // all faults end
    bool isWhole() const { return m_moves == 0; } // nothing goes on among them

    /// Answered at once: all is healed. To all servers that keep data, in turn.
    std::vector<lockcore::protocol::Reply> ask(const lockcore::protocol::Command &command);
    bool lostDataNow(); // once for each time

private:
    struct Node {
        testsupport::RedisServer *server = nullptr;
        std::unique_ptr<QLocalSocket> admin; // nobody waits for its answers
        bool isStopped = false;
    };
    bool startServers();
    void connectAdmin(Node &node) const;
    void tell(Node &node, const std::string &command) const; // words without blanks
    void stop(Node &node, Millis time);
    void refuse(Node &node, const char *without, Millis time) const;
    void restart(Node &node);
    void failOver();
    void moveSlot(const Fault &fault);
    void endMove(int slot, int from, int to);
    bool isAnyStopped() const;
    void announce(int number, const std::string &host);
    Node &node(int number) { return m_nodes[std::size_t(number) % m_nodes.size()]; }
    Proxy &proxy(int number) { return *m_proxies[std::size_t(number) % m_proxies.size()]; }

    const Plan &m_plan;
    std::vector<std::unique_ptr<testsupport::RedisServer>> m_single; // and the replica
    std::unique_ptr<testsupport::RedisCluster> m_cluster;
    std::vector<Node> m_nodes; // that keep data
    std::vector<std::unique_ptr<Proxy>> m_proxies; // of these
    QObject m_context; // of what is to be done later
    bool m_lostData = false;
    bool m_hasFailedOver = false;
    int m_moves = 0; // of slots, under way
};

} // namespace faults
