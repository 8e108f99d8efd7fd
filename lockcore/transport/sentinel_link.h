// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/backoff.h"
#include "lockcore/transport/link.h"
#include "lockcore/transport/redirected_requests.h"
#include "lockcore/transport/routed_subscriptions.h"
#include "lockcore/transport/sentinel_probe.h"

#include <QTimer>
#include <memory>
#include <optional>

namespace lockcore {

/// The master that sentinels name. They are asked before each attempt to connect, since a master that was away may have
/// lost its office; so has one that is found to be a replica, or that refuses to write as one.
class SentinelLink : public Link {
    Q_OBJECT
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
    void leave();
    void lookSoon();

    const Endpoint m_named; // host and port do not count
    ConnectionOptions m_options;
    bool m_open = false;
    SentinelProbe::Trust m_trust = SentinelProbe::Trust::Usual; // in the master named last
    bool m_failed = false;
    bool m_accepted = false; // connected, and a master
    std::optional<NodeAddress> m_address; // of the connection
    std::optional<NodeAddress> m_home; // of the subscriptions: the last one accepted
    std::unique_ptr<Connection> m_master;
    SentinelProbe m_probe;
    RoutedSubscriptions m_subscriptions;
    RedirectedRequests m_requests;
    Backoff m_backoff;
    QTimer m_lookTimer;
};

} // namespace lockcore
