// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/cluster_link.h"

#include "lockcore/protocol/key_slot.h"
#include "lockcore/transport/look_pauses.h"

#include <algorithm>

namespace lockcore {

namespace {

using protocol::keySlot;

} // namespace

ClusterLink::ClusterLink(const Deployment &deployment, const ConnectionOptions &options)
    : m_seeds(deployment.seeds)
    , m_plainMessages(deployment.plainMessages)
    , m_nodes(m_seeds.front(), options)
    , m_subscriptions(m_seeds.front(), options,
          [this](const std::string &channel) { return m_nodes.whereabouts(keySlot(channel)); })
    , m_requests({ [this](int slot) { return m_nodes.slotOwnerOf(slot); },
          [this](const NodeAddress &node) { return &m_nodes.at(node); },
          [this](int slot, const NodeAddress &to) { moved(slot, to); }, [this] { lookSoon(); } })
    , m_probe(options)
    , m_backoff(ShortestLookPause, LongestLookPause)
{
    m_lookTimer.setSingleShot(true);
    connect(&m_lookTimer, &QTimer::timeout, this, [this] { look(); });
    connect(&m_probe, &ClusterProbe::found, this, [this](const ClusterMap &map) { found(map); });
    connect(&m_probe, &ClusterProbe::failed, this, [this](const Error &error) { notFound(error); });
    connect(&m_nodes, &ClusterNodes::ready, this, [this] { nodeReady(); });
    connect(&m_nodes, &ClusterNodes::lost, this, [this](const Error &error) { nodeLost(error); });
    connect(&m_subscriptions, &RoutedSubscriptions::back, this, &Link::subscriptionsBack);
    connect(&m_subscriptions, &RoutedSubscriptions::lost, this, &Link::subscriptionsLost);
    connect(&m_subscriptions, &RoutedSubscriptions::astray, this, [this] { lookSoon(); });
}

void ClusterLink::open()
{
    if (m_open)
        return;
    m_open = true;
    m_failed = false;
    m_sharded.reset();
    look();
}

void ClusterLink::close()
{
    m_open = false;
    m_lookTimer.stop();
    m_probe.stop();
    m_requests.failAll({ ErrorCode::Cancelled, "the connection was closed here", "the connection to a cluster" });
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
    const auto stranger = std::ranges::find_if(keys, [slot](const std::string &key) { return keySlot(key) != slot; });
    if (stranger != keys.end()) {
        return m_requests.refuse("CROSSSLOT a cluster keeps '" + keys.front() + "' and '" + *stranger
                + "' in different slots: a name with braces has to have a tag, as in '{tag}name'",
            std::move(handler));
    }
    m_requests.addScript(slot, script, keys, arguments, std::move(handler));
}

void ClusterLink::send(protocol::Command command, std::string_view key, ReplyHandler handler)
{
    m_requests.addCommand(keySlot(key), std::move(command), std::move(handler));
}

SubscriptionId ClusterLink::subscribe(
    const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
{
    return m_subscriptions.subscribe(channel, std::move(onMessage), std::move(confirmed));
}

void ClusterLink::unsubscribe(SubscriptionId subscription) { m_subscriptions.unsubscribe(subscription); }

void ClusterLink::found(const ClusterMap &map)
{
    if (!m_sharded) {
        m_sharded = map.sharded && !m_plainMessages;
        m_subscriptions.setSharded(*m_sharded);
    }
    const bool gained = m_nodes.apply(map.ranges);
    m_subscriptions.follow();
    if (gained)
        nodeReady();
    if (m_oldAgain)
        lookSoon();
    else if (!m_nodes.isWhole())
        lookAgain();
}

void ClusterLink::notFound(const Error &error)
{
    lookAgain();
    if (m_nodes.isAnyReady())
        return;
    m_failed = true;
    Q_EMIT lost(error);
}

void ClusterLink::nodeLost(const Error &error)
{
    m_failed = true;
    lookSoon();
    Q_EMIT lost(error);
}

void ClusterLink::nodeReady()
{
    m_failed = false;
    if (m_nodes.isWhole())
        m_backoff.reset();
    m_requests.connected();
    Q_EMIT ready();
}

void ClusterLink::moved(int slot, const NodeAddress &to)
{
    m_nodes.move(slot, to);
    m_first = to; // knows best what has come to it
    lookSoon();
}

void ClusterLink::lookSoon()
{
    if (!m_open)
        return;
    m_oldAgain = m_probe.isLooking();
    if (m_oldAgain)
        return;
    const bool justLooked = m_sinceLook.isValid() && m_sinceLook.elapsed() < ShortestLookPause.count();
    const Millis pause = justLooked ? ShortestLookPause : Millis(0);
    if (!m_lookTimer.isActive() || m_lookTimer.remainingTimeAsDuration() > pause)
        m_lookTimer.start(pause);
}

void ClusterLink::lookAgain()
{
    if (m_open && !m_lookTimer.isActive())
        m_lookTimer.start(m_backoff.next());
}

void ClusterLink::look()
{
    m_oldAgain = false;
    m_sinceLook.start();
    m_probe.look(places());
}

/// Another one first each time: one that is cut off from the others does not know what has changed.
std::vector<Endpoint> ClusterLink::places()
{
    std::vector<NodeAddress> known = m_nodes.known();
    if (!known.empty())
        std::rotate(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(m_turn++ % known.size()), known.end());
    if (m_first)
        known.insert(known.begin(), *m_first);
    m_first.reset();
    std::vector<Endpoint> places;
    for (const NodeAddress &node : known)
        places.push_back(endpointAt(m_seeds.front(), node));
    places.insert(places.end(), m_seeds.begin(), m_seeds.end());
    for (auto place = places.begin(); place != places.end(); ++place)
        places.erase(std::remove(place + 1, places.end(), *place), places.end());
    return places;
}

} // namespace lockcore
