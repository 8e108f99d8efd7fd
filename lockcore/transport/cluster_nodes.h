// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/transport/connection.h"
#include "lockcore/transport/topology.h"

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace lockcore::transport {

/// The masters of a cluster, a connection to each, and which slots they keep.
/// Thread: that of the object.
class ClusterNodes : public QObject {
    Q_OBJECT
public:
    ClusterNodes(Endpoint named, const ConnectionOptions &options);
    ~ClusterNodes() override;

    /// True: a slot that nobody connected kept has one who does.
    bool apply(const std::vector<protocol::SlotRange> &map);
    void move(int slot, const NodeAddress &to);
    void close(); // all is forgotten

    Connection *slotOwnerOf(int slot) const; // null: nobody
    std::optional<NodeAddress> whereabouts(int slot) const;
    Connection &at(const NodeAddress &node); // connects if need be
    std::vector<NodeAddress> known() const; // connected ones first, replicas last

    bool isAnyReady() const;
    bool areReady() const; // all that keep slots, and there is one
    bool isWhole() const { return m_unkept == 0 && areReady(); }

Q_SIGNALS:
    void ready();
    void lost(const lockcore::Error &error);

private:
    struct Node {
        NodeAddress address;
        std::unique_ptr<Connection> connection;
        int slots = 0;
    };
    Node &nodeAt(const NodeAddress &address);
    void assign(int slot, Node *node);
    void retireSoon();
    void retire(const NodeAddress &address);
    void connectionLost(const NodeAddress &address, const Error &error);

    const Endpoint m_named;
    const ConnectionOptions m_options;
    std::map<NodeAddress, Node> m_nodes;
    std::set<NodeAddress> m_replicas;
    std::vector<Node *> m_slotOwners; // of each slot
    int m_unkept;
};

} // namespace lockcore::transport
