// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/link.h"
#include "lockcore/transport/routed_subscriptions.h"
#include "lockcore/transport/router.h"
#include "lockcore/transport/topology.h"

#include <memory>
#include <optional>

namespace lockcore::transport {

/// The master that sentinels name. They are asked before each attempt to connect, since a master that was away may have
/// lost its office; so has one that is found to be a replica, or that refuses to write as one.
class SentinelLink : public Link {
public:
    SentinelLink(const Deployment &deployment, const ConnectionOptions &options);

    void open() override;
    void close() override;
    bool isReady() const override { return m_accepted && m_subscriptions.isReady(); }
    bool isReadyFor(std::string_view) const override { return m_accepted; }
    bool isDown() const override { return !m_open || (m_failed && !m_accepted); }

    void eval(const protocol::Script &script, std::span<const std::string> keys, std::span<const std::string> arguments,
        ReplyHandler handler) override;
    void send(protocol::Command command, std::string_view key, ReplyHandler handler) override;

    SubscriptionId subscribe(const std::string &channel, Subscriber::MessageHandler onMessage,
        Subscriber::ConfirmedHandler confirmed) override;
    void unsubscribe(SubscriptionId subscription) override;

private:
    void found(const NodeAddress &master);
    void connected();
    void failed(const Error &error);
    void demoted();
    Said connection() const;
    void leave();

    const Endpoint m_named; // host and port do not count
    ConnectionOptions m_options;
    bool m_open = false;
    bool m_failed = false;
    bool m_accepted = false; // connected, and a master
    std::optional<NodeAddress> m_address; // of the connection
    std::optional<NodeAddress> m_home; // of the subscriptions: the last one accepted
    std::unique_ptr<Connection> m_master;
    RoutedSubscriptions m_subscriptions;
    Router m_router;
    ServerTopology m_topology;
};

} // namespace lockcore::transport
