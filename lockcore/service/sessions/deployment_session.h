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

namespace lockcore::service {

/// The servers of a deployment under watch: a session for each that keeps locks, following failover and resharding, and
/// what they see joined into one picture. A lock whose slot owner changes goes over with all that is known of it.
/// Thread: that of the object.
class DeploymentSession : public QObject {
public:
    DeploymentSession(transport::Deployment deployment, MonitorOptions options, MonitorSession::Sink sink);
    ~DeploymentSession() override;

    void open();
    void refresh();
    void publishNow(); // what has been reported until now is in it
    void setFeed(std::optional<monitor::Feed> feed);
    void setUnattended(bool unattended);
    void changedByUs(const std::string &node, const monitor::input::ChangedByUs &change);

    const transport::Deployment &deployment() const { return m_deployment; }
    const std::vector<transport::SlotOwner> &nodes() const { return m_nodes; }
    bool isSharded() const { return m_topology.isSharded(); } // channels belong to slots
    std::shared_ptr<const monitor::LockState> find(const LockName &name) const; // as of the last snapshot
    std::shared_ptr<const monitor::Snapshot> snapshot() const { return m_snapshot; } // null: none yet
    std::string aclLine() const; // as of the last snapshot: permits all that is missing; empty: nothing is
    void lookSoon() { m_topology.lookSoon(); } // an answer said that a slot owner has changed

private:
    struct Node {
        transport::Endpoint endpoint;
        std::unique_ptr<MonitorSession> session;
        std::shared_ptr<const monitor::Snapshot> snapshot; // null: none yet
    };
    using Locks = std::vector<std::shared_ptr<const monitor::LockState>>;
    struct Transfer { // to one node
        Locks locks;
        std::optional<MonoTime> unseenSince;
        std::string from; // who was not seen since then

        void add(const std::string &node, MonoTime nodeUnseenSince);
    };

    struct NewMaster {
        std::string name;
        std::string former;
    };

    void found(const std::vector<transport::SlotOwner> &nodes);
    std::map<std::string, Transfer> transfersTo(const std::vector<transport::SlotOwner> &nodes) const;
    void reportNewMasters(const std::vector<transport::SlotOwner> &nodes) const;
    std::vector<NewMaster> newMasters(const std::vector<transport::SlotOwner> &nodes) const;
    std::shared_ptr<const monitor::LockState> claimed(const LockName &name, const std::string &by);
    void seekAt(const std::map<std::string, std::vector<SlotSpan>> &slots);
    void dropAllBut(const std::map<std::string, std::vector<SlotSpan>> &nodes);
    Node newNode(const transport::Endpoint &endpoint);
    void published(const std::string &node, std::shared_ptr<const monitor::Snapshot> snapshot);
    void notFound(const Error &error);
    void refused();
    void foundAgain();
    void publishSoon();
    void publish();

    const transport::Deployment m_deployment;
    MonitorOptions m_options;
    MonitorSession::Sink m_sink;
    std::shared_ptr<SingleLockSearch> m_search; // null: all locks are looked at
    transport::ServerTopology m_topology;
    ConnectionProbe m_rightsProbe; // where the topology may not be asked for
    bool m_rightsProbed = false;
    SubscriberCensus m_census;
    monitor::Join m_join;
    std::vector<transport::SlotOwner> m_nodes;
    std::map<std::string, Node> m_sessions; // by the node's name
    std::shared_ptr<const monitor::Snapshot> m_snapshot;
    QTimer m_publishTimer;
    QElapsedTimer m_sincePublished;
};

} // namespace lockcore::service
