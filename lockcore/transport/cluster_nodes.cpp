// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/cluster_nodes.h"

#include "lockcore/protocol/cluster_slots.h"

#include <QTimer>
#include <algorithm>

namespace lockcore::transport {

namespace {

constexpr Millis TimeForLastAnswers{ 1'000 };

bool isReady(const Connection &connection) { return connection.state() == Connection::State::Ready; }

} // namespace

ClusterNodes::ClusterNodes(Endpoint named, const ConnectionOptions &options)
    : m_named(std::move(named))
    , m_options(options)
    , m_slotOwners(protocol::SlotCount)
    , m_unkept(protocol::SlotCount)
{
}

ClusterNodes::~ClusterNodes() = default;

bool ClusterNodes::apply(const std::vector<protocol::SlotRange> &map)
{
    std::vector<Node *> slotOwners(protocol::SlotCount);
    m_replicas.clear();
    for (const protocol::SlotRange &range : map) {
        std::fill(slotOwners.begin() + range.first, slotOwners.begin() + range.last + 1, &nodeAt(range.master));
        m_replicas.insert(range.replicas.begin(), range.replicas.end());
    }
    const auto serves = [](const Node *node) { return node && isReady(*node->connection); };
    bool gained = false;
    for (int slot = 0; slot < protocol::SlotCount; ++slot) {
        Node *const slotOwner = slotOwners[static_cast<std::size_t>(slot)];
        gained = gained || (serves(slotOwner) && !serves(m_slotOwners[static_cast<std::size_t>(slot)]));
        assign(slot, slotOwner);
    }
    retireSoon();
    return gained;
}

void ClusterNodes::move(int slot, const NodeAddress &to) { assign(slot, &nodeAt(to)); }

void ClusterNodes::close()
{
    std::fill(m_slotOwners.begin(), m_slotOwners.end(), nullptr);
    m_unkept = protocol::SlotCount;
    while (!m_nodes.empty())
        retire(m_nodes.begin()->first);
}

Connection *ClusterNodes::slotOwnerOf(int slot) const
{
    const Node *node = m_slotOwners[static_cast<std::size_t>(slot)];
    return node ? node->connection.get() : nullptr;
}

std::optional<NodeAddress> ClusterNodes::whereabouts(int slot) const
{
    const Node *node = m_slotOwners[static_cast<std::size_t>(slot)];
    return node ? std::optional(node->address) : std::nullopt;
}

Connection &ClusterNodes::at(const NodeAddress &node) { return *nodeAt(node).connection; }

std::vector<NodeAddress> ClusterNodes::known() const
{
    std::vector<NodeAddress> nodes;
    for (const auto &[address, node] : m_nodes)
        nodes.push_back(address);
    std::stable_partition(nodes.begin(), nodes.end(),
        [this](const NodeAddress &address) { return isReady(*m_nodes.at(address).connection); });
    nodes.insert(nodes.end(), m_replicas.begin(), m_replicas.end());
    return nodes;
}

bool ClusterNodes::isAnyReady() const
{
    return std::ranges::any_of(m_nodes, [](const auto &node) { return isReady(*node.second.connection); });
}

bool ClusterNodes::areReady() const
{
    return m_unkept < protocol::SlotCount && std::ranges::all_of(m_nodes, [](const auto &node) {
        return node.second.slots == 0 || isReady(*node.second.connection);
    });
}

ClusterNodes::Node &ClusterNodes::nodeAt(const NodeAddress &address)
{
    Node &node = m_nodes[address];
    if (!node.connection) {
        node.address = address;
        node.connection = std::make_unique<Connection>(endpointAt(m_named, address), m_options);
        connect(node.connection.get(), &Connection::ready, this, &ClusterNodes::ready);
        connect(node.connection.get(), &Connection::lost, this,
            [this, address](const Error &error) { connectionLost(address, error); });
        node.connection->open();
    }
    return node;
}

void ClusterNodes::assign(int slot, Node *node)
{
    Node *&slotOwner = m_slotOwners[static_cast<std::size_t>(slot)];
    if (slotOwner == node)
        return;
    slotOwner ? --slotOwner->slots : --m_unkept;
    node ? ++node->slots : ++m_unkept;
    slotOwner = node;
}

/// A node that has given all its slots away may still have answers to give, one that is gone has not.
void ClusterNodes::retireSoon()
{
    std::vector<NodeAddress> gone;
    for (const auto &[address, node] : m_nodes) {
        if (node.slots != 0)
            continue;
        if (!isReady(*node.connection)) {
            gone.push_back(address);
            continue;
        }
        QTimer::singleShot(TimeForLastAnswers, node.connection.get(), [this, address = address] {
            if (const auto found = m_nodes.find(address); found != m_nodes.end() && found->second.slots == 0)
                retire(address);
        });
    }
    for (const NodeAddress &address : gone)
        retire(address);
}

/// Later: this may be called from one of the connection's signals.
void ClusterNodes::retire(const NodeAddress &address)
{
    auto node = m_nodes.extract(address);
    Connection *const connection = node.mapped().connection.release();
    connection->disconnect();
    connection->close();
    connection->setParent(this);
    connection->deleteLater();
}

void ClusterNodes::connectionLost(const NodeAddress &address, const Error &error)
{
    if (m_nodes.at(address).slots == 0)
        retire(address);
    else
        Q_EMIT lost(error);
}

} // namespace lockcore::transport
