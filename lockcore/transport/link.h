// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/connection.h"
#include "lockcore/transport/subscriber.h"

#include <QObject>
#include <span>
#include <string>
#include <string_view>

namespace lockcore::transport {

/// The way to the servers of a deployment: every request goes where its key is kept now, across redirections,
/// resharding and failover. One subscription a channel, however many ask for it.
/// Errors: every handler is called exactly once; handlers outstanding at destruction are dropped. A request that can
///         not be sent fails at once with network/connection-closed: nothing is queued for later. A redirected request
///         (MOVED, ASK, TRYAGAIN, CLUSTERDOWN) has not been carried out and is sent again, for a bounded time.
/// Thread: that of the object.
class LOCKCORE_EXPORT Link : public QObject {
    Q_OBJECT
public:
    using ReplyHandler = Connection::ReplyHandler;

    virtual void open() = 0;
    virtual void close() = 0; // outstanding handlers get local/cancelled

    virtual bool isReady() const = 0; // all known nodes connected, the subscriptions too
    virtual bool isReadyFor(std::string_view key) const = 0; // a request for this key would be sent
    /// Neither connected nor connecting for the first time: a request would have to wait for somebody to come back.
    virtual bool isDown() const = 0;
    /// Scripts have to keep to the keys of one slot, see protocol/cluster_slots.h.
    virtual bool isSharded() const { return false; }
    /// `PUBLISH` or `SPUBLISH`, as Redisson's peers choose. Source: Redisson: shardedSubscriptionMode.
    virtual const std::string &publishCommand() const
    {
        static const std::string Plain = "PUBLISH";
        return Plain;
    }

    /// Goes to the node of the first key.
    virtual void eval(const protocol::Script &script, std::span<const std::string> keys,
        std::span<const std::string> arguments, ReplyHandler handler)
        = 0;
    /// Goes to the node of `key`, on the same connection as an eval() for it.
    virtual void send(protocol::Command command, std::string_view key, ReplyHandler handler) = 0;

    virtual SubscriptionId subscribe(
        const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
        = 0;
    virtual void unsubscribe(SubscriptionId subscription) = 0;

Q_SIGNALS:
    void ready(); // some of what failed for want of a connection would be sent now
    void lost(const lockcore::Error &error); // a node that was ready, or an attempt to reach one
    void subscriptionsBack(); // messages may have been missed
    void subscriptionsLost(const lockcore::Error &error);

protected:
    Link() = default;
};

} // namespace lockcore::transport
