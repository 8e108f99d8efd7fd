// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/backoff.h"
#include "lockcore/transport/cluster_probe.h"
#include "lockcore/transport/deployment.h"
#include "lockcore/transport/sentinel_probe.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore {

/// A server that keeps locks of a deployment.
struct KeepingNode {
    Endpoint endpoint;
    std::vector<SlotSpan> slots; // of a cluster

    bool operator==(const KeepingNode &) const = default;
};

/// Which servers keep the locks of a deployment, and how that changes: by failover, and in a cluster by resharding.
/// Thread: that of the object.
class TopologyWatch : public QObject {
    Q_OBJECT
public:
    explicit TopologyWatch(Deployment deployment);

    void open();
    void lookSoon(); // what is known may be old
    void lookAgain(); // for a person: nothing speaks against what is known
    bool isSharded() const { return m_sharded; } // channels belong to slots
    std::optional<Millis> retryIn() const;

Q_SIGNALS:
    void found(const std::vector<lockcore::KeepingNode> &nodes); // others than before
    void failed(const lockcore::Error &error); // nobody could be asked
    void recovered(); // somebody has answered again

private:
    void look();
    void lookIn(Millis pause);
    void take(std::vector<KeepingNode> nodes);
    void takeMap(const ClusterMap &map);
    void lookFailed(const Error &error);
    std::vector<Endpoint> places();

    const Deployment m_deployment;
    std::unique_ptr<ClusterProbe> m_cluster;
    std::unique_ptr<SentinelProbe> m_sentinels;
    std::vector<KeepingNode> m_nodes;
    SentinelProbe::Trust m_trust = SentinelProbe::Trust::Usual; // in the master named last
    bool m_sharded = false;
    bool m_failed = false;
    std::size_t m_turn = 0;
    Backoff m_backoff;
    QTimer m_lookTimer;
};

} // namespace lockcore
