// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/cluster_link.h"

#include "lockcore/protocol/cluster_slots.h"

#include <algorithm>

namespace lockcore::transport {

namespace {

using protocol::keySlot;

} // namespace

ClusterLink::ClusterLink(const Deployment &deployment, const ConnectionOptions &options)
    : m_plainMessages(deployment.plainMessages)
    , m_nodes(deployment.seeds.front(), options)
    , m_subscriptions(deployment.seeds.front(), options,
          [this](const std::string &channel) { return m_nodes.whereabouts(keySlot(channel)); })
    , m_router({ [this](int slot) { return m_nodes.slotOwnerOf(slot); },
          [this](const NodeAddress &node) { return &m_nodes.at(node); },
          [this](int slot, const NodeAddress &to) {
              m_nodes.move(slot, to);
              m_topology.learn(to);
          },
          [this] { m_topology.lookSoon(); } })
    , m_topology(deployment, options, ServerTopology::Refresh::OnDemand)
{
    connect(&m_topology, &ServerTopology::found, this, [this](const ServerMap &map) { found(map); });
    connect(&m_topology, &ServerTopology::failed, this, [this](const Error &error) { notFound(error); });
    connect(&m_nodes, &ClusterNodes::ready, this, [this] { nodeReady(); });
    connect(&m_nodes, &ClusterNodes::lost, this, [this](const Error &error) { nodeLost(error); });
    connect(&m_subscriptions, &RoutedSubscriptions::back, this, &Link::subscriptionsBack);
    connect(&m_subscriptions, &RoutedSubscriptions::lost, this, &Link::subscriptionsLost);
    connect(&m_subscriptions, &RoutedSubscriptions::astray, this, [this] { m_topology.lookSoon(); });
}

void ClusterLink::open()
{
    if (m_open)
        return;
    m_open = true;
    m_failed = false;
    m_sharded.reset();
    m_topology.open();
}

void ClusterLink::close()
{
    m_open = false;
    m_topology.close();
    m_router.failAll(errorOf(ErrorCode::Cancelled, { Phrase::ClosedHere }, { Phrase::ClusterConnection }));
    m_subscriptions.close();
    m_nodes.close();
}

bool ClusterLink::isReady() const { return m_nodes.areReady() && m_subscriptions.isReady(); }

bool ClusterLink::isReadyFor(std::string_view key) const
{
    const Connection *const slotOwner = m_nodes.slotOwnerOf(keySlot(key));
    return slotOwner && slotOwner->state() == Connection::State::Ready;
}

bool ClusterLink::isDown() const { return !m_open || (m_failed && !m_nodes.isAnyReady()); }

const std::string &ClusterLink::publishCommand() const
{
    static const std::string Sharded = "SPUBLISH";
    return m_sharded.value_or(false) ? Sharded : Link::publishCommand();
}

void ClusterLink::eval(const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, ReplyHandler handler)
{
    const int slot = keys.empty() ? 0 : keySlot(keys.front());
    const auto elsewhere = std::ranges::find_if(keys, [slot](const std::string &key) { return keySlot(key) != slot; });
    if (elsewhere != keys.end()) {
        return m_router.refuse("CROSSSLOT '" + keys.front() + "', '" + *elsewhere + '\'', std::move(handler));
    }
    m_router.addScript(slot, script, keys, arguments, std::move(handler));
}

void ClusterLink::send(protocol::Command command, std::string_view key, ReplyHandler handler)
{
    m_router.addCommand(keySlot(key), std::move(command), std::move(handler));
}

SubscriptionId ClusterLink::subscribe(
    const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
{
    return m_subscriptions.subscribe(channel, std::move(onMessage), std::move(confirmed));
}

void ClusterLink::unsubscribe(SubscriptionId subscription) { m_subscriptions.unsubscribe(subscription); }

void ClusterLink::found(const ServerMap &map)
{
    if (!m_sharded) {
        m_sharded = map.sharded && !m_plainMessages;
        m_subscriptions.setSharded(*m_sharded);
    }
    const bool gained = m_nodes.apply(map.ranges);
    m_subscriptions.follow();
    if (gained)
        nodeReady();
    if (!m_nodes.isWhole())
        m_topology.lookLater();
}

void ClusterLink::notFound(const Error &error)
{
    if (m_nodes.isAnyReady())
        return;
    m_failed = true;
    Q_EMIT lost(error);
}

void ClusterLink::nodeLost(const Error &error)
{
    m_failed = true;
    m_topology.lookSoon();
    Q_EMIT lost(error);
}

void ClusterLink::nodeReady()
{
    m_failed = false;
    if (m_nodes.isWhole())
        m_topology.settle();
    m_router.connected();
    Q_EMIT ready();
}

} // namespace lockcore::transport
