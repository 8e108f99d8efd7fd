// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/subscriber.h"
#include "lockcore/transport/topology.h"

#include <QObject>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace lockcore::transport {

/// Subscriptions that follow their channels from server to server: one connection for each server that has some.
/// Thread: that of the object.
class RoutedSubscriptions : public QObject {
    Q_OBJECT
public:
    /// Where the messages of a channel are told now; absent: nowhere.
    using Whereabouts = std::function<std::optional<NodeAddress>(const std::string &channel)>;

    RoutedSubscriptions(Endpoint named, const ConnectionOptions &options, Whereabouts whereabouts);
    ~RoutedSubscriptions() override;

    void setSharded(bool sharded) { m_sharded = sharded; } // for what is subscribed from now on
    void follow(); // the whereabouts may have changed
    void close(); // until somebody follows again

    bool isReady() const;
    SubscriptionId subscribe(
        const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed);
    void unsubscribe(SubscriptionId subscription);

Q_SIGNALS:
    void back(); // messages may have been missed
    void lost(const lockcore::Error &error);
    void astray(); // a server does not have a channel that it should have

private:
    struct Subscription {
        std::string channel;
        Subscriber::MessageHandler onMessage;
        Subscriber::ConfirmedHandler confirmed; // empty once called
        std::optional<NodeAddress> home;
        SubscriptionId there{}; // at home
        std::uint64_t move = 0; // by which it got there
    };
    using Subscriptions = std::map<SubscriptionId, Subscription>;

    void place(SubscriptionId id, Subscription &subscription);
    void placed(SubscriptionId id, std::uint64_t move, const Result<void> &result);
    void leave(SubscriptionId id, Subscription &subscription);
    void settled(SubscriptionId id);
    void dropped(const NodeAddress &node, const std::string &channel);
    Subscriber &subscriberAt(const NodeAddress &node);
    void tellBack();
    void retire(std::unique_ptr<Subscriber> subscriber);

    const Endpoint m_named;
    const ConnectionOptions m_options;
    const Whereabouts m_whereabouts;
    bool m_sharded = false;
    bool m_tellsBack = false;
    std::uint64_t m_lastId = 0;
    std::uint64_t m_lastMove = 0;
    Subscriptions m_subscriptions;
    std::set<SubscriptionId> m_moving; // were confirmed once and are not now
    std::map<NodeAddress, std::unique_ptr<Subscriber>> m_subscribers;
};

} // namespace lockcore::transport
