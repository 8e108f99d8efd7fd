// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/sessions/topology_watch.h"

#include "lockcore/transport/look_pauses.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockcore {

TopologyWatch::TopologyWatch(Deployment deployment)
    : m_deployment(std::move(deployment))
    , m_backoff(ShortestLookPause, LongestLookPause)
{
    m_lookTimer.setSingleShot(true);
    connect(&m_lookTimer, &QTimer::timeout, this, [this] { look(); });
    if (m_deployment.topology == Topology::Cluster) {
        m_cluster = std::make_unique<ClusterProbe>(ConnectionOptions());
        connect(m_cluster.get(), &ClusterProbe::found, this, [this](const ClusterMap &map) { takeMap(map); });
        connect(m_cluster.get(), &ClusterProbe::failed, this, [this](const Error &error) { lookFailed(error); });
    } else if (m_deployment.topology == Topology::Sentinel) {
        m_sentinels = std::make_unique<SentinelProbe>(m_deployment, ConnectionOptions());
        connect(m_sentinels.get(), &SentinelProbe::found, this, [this](const NodeAddress &master) {
            m_backoff.reset();
            take({ { endpointAt(m_deployment.seeds.front(), master), {} } });
        });
        connect(m_sentinels.get(), &SentinelProbe::failed, this, [this](const Error &error) { lookFailed(error); });
        connect(m_sentinels.get(), &SentinelProbe::changed, this, [this] { lookIn(ShortestLookPause); });
    }
}

void TopologyWatch::open()
{
    if (m_sentinels)
        return m_sentinels->open();
    if (m_cluster)
        return look();
    std::vector<KeepingNode> nodes;
    for (const Endpoint &seed : m_deployment.seeds)
        nodes.push_back({ seed, {} });
    take(std::move(nodes));
}

void TopologyWatch::lookSoon()
{
    m_trust = SentinelProbe::Trust::Doubt;
    lookAgain();
}

void TopologyWatch::lookAgain()
{
    if (m_cluster || m_sentinels)
        lookIn(ShortestLookPause);
}

void TopologyWatch::lookIn(Millis pause)
{
    if (!m_lookTimer.isActive() || m_lookTimer.remainingTimeAsDuration() > pause)
        m_lookTimer.start(pause);
}

void TopologyWatch::look()
{
    if (m_sentinels)
        m_sentinels->look(std::exchange(m_trust, SentinelProbe::Trust::Usual));
    else
        m_cluster->look(places());
}

std::optional<Millis> TopologyWatch::retryIn() const
{
    return m_lookTimer.isActive() ? std::optional<Millis>(m_lookTimer.remainingTimeAsDuration()) : std::nullopt;
}

void TopologyWatch::take(std::vector<KeepingNode> nodes)
{
    if (std::exchange(m_failed, false))
        Q_EMIT recovered();
    if (std::exchange(m_nodes, nodes) != nodes)
        Q_EMIT found(m_nodes);
}

void TopologyWatch::takeMap(const ClusterMap &map)
{
    m_backoff.reset();
    m_sharded = map.sharded;
    std::map<NodeAddress, KeepingNode> slotOwners;
    for (const protocol::SlotRange &range : map.ranges) {
        KeepingNode &slotOwner = slotOwners[range.master];
        slotOwner.endpoint = endpointAt(m_deployment.seeds.front(), range.master);
        slotOwner.slots.push_back({ range.first, range.last });
    }
    std::vector<KeepingNode> nodes;
    for (auto &[address, slotOwner] : slotOwners)
        nodes.push_back(std::move(slotOwner));
    m_lookTimer.start(LongestLookPause);
    take(std::move(nodes));
}

void TopologyWatch::lookFailed(const Error &error)
{
    m_failed = true;
    m_lookTimer.start(m_backoff.next());
    Q_EMIT failed(error);
}

/// Another one first each time: one that is cut off from the others does not know what has changed.
std::vector<Endpoint> TopologyWatch::places()
{
    std::vector<Endpoint> places;
    for (const KeepingNode &node : m_nodes)
        places.push_back(node.endpoint);
    if (!places.empty())
        std::rotate(
            places.begin(), places.begin() + static_cast<std::ptrdiff_t>(m_turn++ % places.size()), places.end());
    for (const Endpoint &seed : m_deployment.seeds) {
        if (std::find(places.begin(), places.end(), seed) == places.end())
            places.push_back(seed);
    }
    return places;
}

} // namespace lockcore
