// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/cluster_nodes.h"
#include "lockcore/transport/link.h"
#include "lockcore/transport/routed_subscriptions.h"
#include "lockcore/transport/router.h"
#include "lockcore/transport/topology.h"

#include <optional>

namespace lockcore::transport {

/// The masters of a Redis Cluster. Who keeps which slot is asked anew whenever an answer or a lost connection says that
/// it has changed, and until every slot has a slot owner that is connected.
class ClusterLink : public Link {
public:
    ClusterLink(const Deployment &deployment, const ConnectionOptions &options);

    void open() override;
    void close() override;
    bool isReady() const override;
    bool isReadyFor(std::string_view key) const override;
    bool isDown() const override;
    bool isSharded() const override { return true; }
    const std::string &publishCommand() const override;

    void eval(const protocol::Script &script, std::span<const std::string> keys, std::span<const std::string> arguments,
        ReplyHandler handler) override;
    void send(protocol::Command command, std::string_view key, ReplyHandler handler) override;

    SubscriptionId subscribe(const std::string &channel, Subscriber::MessageHandler onMessage,
        Subscriber::ConfirmedHandler confirmed) override;
    void unsubscribe(SubscriptionId subscription) override;

private:
    void found(const ServerMap &map);
    void notFound(const Error &error);
    void nodeLost(const Error &error);
    void nodeReady();

    const bool m_plainMessages;
    bool m_open = false;
    bool m_failed = false; // and nobody has been reached since
    std::optional<bool> m_sharded; // channels, as found at first
    ClusterNodes m_nodes;
    RoutedSubscriptions m_subscriptions;
    Router m_router;
    ServerTopology m_topology;
};

} // namespace lockcore::transport
