// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/single_link.h"

namespace lockcore {

SingleLink::SingleLink(const Endpoint &server, const ConnectionOptions &options)
    : m_connection(server, options)
    , m_subscriber(server, options)
{
    connect(&m_connection, &Connection::ready, this, &Link::ready);
    connect(&m_connection, &Connection::lost, this, &Link::lost);
    connect(&m_subscriber, &Subscriber::ready, this, &Link::subscriptionsBack);
    connect(&m_subscriber, &Subscriber::lost, this, &Link::subscriptionsLost);
}

void SingleLink::open()
{
    m_connection.open();
    m_subscriber.open();
}

void SingleLink::close()
{
    m_connection.close();
    m_subscriber.close();
}

bool SingleLink::isReady() const
{
    return m_connection.state() == Connection::State::Ready
        && m_subscriber.connection().state() == Connection::State::Ready;
}

bool SingleLink::isReadyFor(std::string_view) const { return m_connection.state() == Connection::State::Ready; }

bool SingleLink::isDown() const
{
    const Connection::State state = m_connection.state();
    return state == Connection::State::Closed || state == Connection::State::WaitingToReconnect;
}

void SingleLink::eval(const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, ReplyHandler handler)
{
    m_connection.eval(script, keys, arguments, std::move(handler));
}

void SingleLink::send(protocol::Command command, std::string_view, ReplyHandler handler)
{
    m_connection.send(std::move(command), std::move(handler));
}

SubscriptionId SingleLink::subscribe(
    const std::string &channel, Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
{
    return m_subscriber.subscribe(channel, std::move(onMessage), std::move(confirmed));
}

void SingleLink::unsubscribe(SubscriptionId subscription) { m_subscriber.unsubscribe(subscription); }

} // namespace lockcore
