// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/join.h"
#include "lockcore/service/rights/connection_probe.h"
#include "lockcore/service/sessions/monitor_session.h"
#include "lockcore/service/sessions/subscriber_census.h"
#include "lockcore/transport/topology.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lockcore {

/// The servers of a deployment under watch: a session for each that keeps locks, following failover and resharding, and
/// what they see joined into one picture. A lock whose slot owner changes goes over with all that is known of it.
/// Thread: that of the object.
class DeploymentSession : public QObject {
    Q_OBJECT
public:
    DeploymentSession(Deployment deployment, MonitorOptions options, MonitorSession::Sink sink);
    ~DeploymentSession() override;

    void open();
    void refresh();
    void setFeed(std::optional<Feed> feed);
    void changedByUs(const std::string &node, const LockName &name, Heard what);

    const Deployment &deployment() const { return m_deployment; }
    const std::vector<SlotOwner> &nodes() const { return m_nodes; }
    bool isSharded() const { return m_topology.isSharded(); } // channels belong to slots
    std::shared_ptr<const LockState> find(const LockName &name) const; // as of the last snapshot
    std::shared_ptr<const Snapshot> snapshot() const { return m_snapshot; } // null: none yet
    std::string aclLine() const; // as of the last snapshot: permits all that is missing; empty: nothing is
    void lookSoon() { m_topology.lookSoon(); } // an answer said that a slot owner has changed

private:
    struct Node {
        Endpoint endpoint;
        std::unique_ptr<MonitorSession> session;
        std::shared_ptr<const Snapshot> snapshot; // null: none yet
    };
    using Locks = std::vector<std::shared_ptr<const LockState>>;
    struct Transfer { // to one node
        Locks locks;
        std::optional<MonoTime> unseenSince;
    };

    void found(const std::vector<SlotOwner> &nodes);
    std::map<std::string, Transfer> transfersTo(const std::vector<SlotOwner> &nodes) const;
    std::shared_ptr<const LockState> claimed(const LockName &name, const std::string &by);
    void seekAt(const std::map<std::string, std::vector<SlotSpan>> &slots);
    void dropAllBut(const std::map<std::string, std::vector<SlotSpan>> &nodes);
    Node newNode(const Endpoint &endpoint);
    void published(const std::string &node, std::shared_ptr<const Snapshot> snapshot);
    void notFound(const Error &error);
    void refused();
    void foundAgain();
    void publishSoon();
    void publish();

    const Deployment m_deployment;
    MonitorOptions m_options;
    MonitorSession::Sink m_sink;
    std::shared_ptr<SingleLockSearch> m_search; // null: all locks are looked at
    ServerTopology m_topology;
    ConnectionProbe m_rightsProbe; // where the topology may not be asked for
    bool m_rightsProbed = false;
    SubscriberCensus m_census;
    Join m_join;
    std::vector<SlotOwner> m_nodes;
    std::map<std::string, Node> m_sessions; // by the node's name
    std::shared_ptr<const Snapshot> m_snapshot;
    QTimer m_publishTimer;
    QElapsedTimer m_sincePublished;
};

} // namespace lockcore
