// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/sentinel_link.h"

namespace lockcore::transport {

namespace {

constexpr int OneSlot = 0; // for all

} // namespace

SentinelLink::SentinelLink(const Deployment &deployment, const ConnectionOptions &options)
    : m_named(deployment.seeds.front())
    , m_options(options)
    , m_subscriptions(m_named, options, [this](const std::string &) { return m_home; })
    , m_router({ [this](int) { return m_accepted ? m_master.get() : nullptr; },
          [this](const NodeAddress &) { return m_accepted ? m_master.get() : nullptr; },
          [](int, const NodeAddress &) {}, [this] { demoted(); } })
    , m_topology(deployment, options, ServerTopology::Refresh::OnDemand)
{
    m_options.reconnect = false;
    connect(
        &m_topology, &ServerTopology::found, this, [this](const ServerMap &map) { found(map.ranges.front().master); });
    connect(&m_topology, &ServerTopology::failed, this, [this](const Error &error) {
        if (!m_accepted)
            failed(error);
    });
    connect(&m_subscriptions, &RoutedSubscriptions::back, this, &Link::subscriptionsBack);
    connect(&m_subscriptions, &RoutedSubscriptions::lost, this, &Link::subscriptionsLost);
}

void SentinelLink::open()
{
    if (m_open)
        return;
    m_open = true;
    m_failed = false;
    m_topology.open();
}

void SentinelLink::close()
{
    m_open = false;
    m_topology.close();
    m_router.failAll(errorOf(ErrorCode::Cancelled, { Phrase::ClosedHere }));
    m_subscriptions.close();
    m_home.reset();
    leave();
}

void SentinelLink::eval(const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, ReplyHandler handler)
{
    m_router.addScript(OneSlot, script, keys, arguments, std::move(handler));
}

void SentinelLink::send(protocol::Command command, std::string_view, ReplyHandler handler)
{
    m_router.addCommand(OneSlot, std::move(command), std::move(handler));
}

SubscriptionId SentinelLink::subscribe(
    const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
{
    return m_subscriptions.subscribe(channel, std::move(onMessage), std::move(confirmed));
}

void SentinelLink::unsubscribe(SubscriptionId subscription) { m_subscriptions.unsubscribe(subscription); }

void SentinelLink::found(const NodeAddress &master)
{
    if (m_master && m_address == master)
        return;
    if (std::exchange(m_accepted, false))
        Q_EMIT lost(errorOf(ErrorCode::ConnectionClosed, { Phrase::OtherMaster }, connection()));
    leave();
    m_address = master;
    m_master = std::make_unique<Connection>(endpointAt(m_named, master), m_options);
    connect(m_master.get(), &Connection::ready, this, [this] { connected(); });
    connect(m_master.get(), &Connection::lost, this, [this](const Error &error) { failed(error); });
    m_master->open();
}

void SentinelLink::connected()
{
    const std::string role = m_master->serverInfo().role;
    if (!role.empty() && role != "master") { // empty: this user may not ask
        return failed(errorOf(ErrorCode::ReadOnlyReplica, { Phrase::NoMasterNow },
            { Phrase::Connecting, { m_master->endpoint().displayWithDatabase() } }));
    }
    m_accepted = true;
    m_failed = false;
    m_topology.settle();
    m_home = m_address;
    m_subscriptions.follow();
    m_router.connected();
    Q_EMIT ready();
}

void SentinelLink::failed(const Error &error)
{
    leave();
    m_failed = true;
    m_topology.lookLater();
    Q_EMIT lost(error);
}

void SentinelLink::demoted()
{
    if (m_accepted)
        failed(errorOf(ErrorCode::ReadOnlyReplica, { Phrase::MasterDemoted }, connection()));
}

Said SentinelLink::connection() const { return { Phrase::Connection, { m_master->endpoint().displayWithDatabase() } }; }

void SentinelLink::leave()
{
    m_accepted = false;
    m_address.reset();
    if (!m_master)
        return;
    Connection *const master = m_master.release(); // we may have been called from one of its signals
    master->disconnect();
    master->close();
    master->setParent(this);
    master->deleteLater();
}

} // namespace lockcore::transport
