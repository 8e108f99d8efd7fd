// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"
#include "lockcore/transport/connection.h"

#include <QObject>
#include <functional>
#include <memory>
#include <string>

namespace lockcore::transport {

enum class SubscriptionId : std::uint64_t {};

/// Subscriptions on a connection of their own: counted per channel, and back after each reconnect before `ready`.
/// Thread: that of the object.
class LOCKCORE_EXPORT Subscriber : public QObject {
    Q_OBJECT
public:
    using MessageHandler = std::function<void(const protocol::PubSubMessage &)>;
    using ConfirmedHandler = std::function<void(Result<void>)>;

    Subscriber(Endpoint endpoint, ConnectionOptions options, QObject *parent = nullptr);
    ~Subscriber() override;

    void open();
    void close();
    Connection &connection();
    const Connection &connection() const;

    /// `confirmed` is called once: at once if the channel is subscribed already, else when the server confirms or
    /// refuses.
    SubscriptionId subscribe(const std::string &channel, MessageHandler onMessage, ConfirmedHandler confirmed);
    /// For a channel that belongs to a slot of a cluster: only the node that keeps the slot has its messages.
    SubscriptionId ssubscribe(const std::string &channel, MessageHandler onMessage, ConfirmedHandler confirmed);
    SubscriptionId psubscribe(const std::string &pattern, MessageHandler onMessage, ConfirmedHandler confirmed);
    void unsubscribe(SubscriptionId subscription);

Q_SIGNALS:
    void ready(); // connected, and all subscriptions that the server permits are confirmed
    void lost(const lockcore::Error &error); // messages may be missed from now on
    /// A confirmed subscription was ended by the server, or refused after a reconnect: then it is asked for again now
    /// and then, and `ready` tells when it is heard again. It stays known.
    void dropped(const std::string &channel);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::transport
