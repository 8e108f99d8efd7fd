// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/protocol/cluster_slots.h"
#include "lockcore/transport/connection.h"
#include "lockcore/transport/deployment.h"

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

namespace lockcore::transport {

using protocol::NodeAddress;

/// A node that was found, with the login and all else of the server that was named.
Endpoint endpointAt(Endpoint named, const NodeAddress &node);

/// A server that keeps locks of a deployment.
struct SlotOwner {
    Endpoint endpoint;
    std::vector<SlotSpan> slots; // of a cluster; empty: it keeps all that there is

    bool operator==(const SlotOwner &) const = default;
};

/// What the servers said of themselves.
struct ServerMap {
    std::vector<protocol::SlotRange> ranges; // Sentinel: one, of all slots
    bool sharded = false; // channels belong to slots. Source: Redis 7: SSUBSCRIBE; Redisson: shardedSubscriptionMode
};

/// Who owns which slots of a deployment, and who is its master. The servers themselves are asked, over a connection of
/// its own, one after the other until one gives an answer that will do: the sentinels for the master of a name, the
/// nodes of a cluster for their slots. Independent servers, and one alone, are known from the beginning.
///
/// Another one is asked first each time where what is known has proved wrong: a sentinel or a node that is cut off
/// from the others still answers, but does not know what has changed.
///
/// Nothing is told from inside open(). Thread: that of the object.
class ServerTopology : public QObject {
    Q_OBJECT
public:
    /// Sentinels tell of a new master; of slots that move nobody tells who does not ask.
    enum class Refresh {
        OnDemand, // for whoever sends requests, and learns from the answers
        Periodic, // for whoever only watches
    };

    ServerTopology(Deployment deployment, ConnectionOptions options, Refresh refresh);
    ~ServerTopology() override;

    void open();
    void close();

    void lookSoon(); // what is known is wrong, or may be
    void lookAgain(); // for a person: nothing speaks against what is known
    void lookLater(); // what was found does not work yet; after ever longer pauses
    void settle(); // what was found works: the next pauses are short again
    void learn(const NodeAddress &owner); // it has got a slot, and knows best what has come to it

    bool isSharded() const; // by the last answer
    std::optional<Millis> retryIn() const;

Q_SIGNALS:
    void found(const lockcore::transport::ServerMap &map); // each answer of a sentinel or a cluster
    void changed(const std::vector<lockcore::transport::SlotOwner> &owners); // others than before
    void failed(const lockcore::Error &error); // nobody could be asked; the last one's error
    void recovered(); // somebody has answered again

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace lockcore::transport
