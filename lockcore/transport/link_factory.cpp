// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/link_factory.h"

#include "lockcore/transport/cluster_link.h"
#include "lockcore/transport/sentinel_link.h"

#include <utility>

namespace lockcore::transport {

namespace {

/// One server: a connection for requests and one for subscriptions. Nothing is looked up on the way, unlike where
/// several servers share the slots: a client of one server sends hundreds of thousands of requests a second.
class SingleLink : public Link {
public:
    SingleLink(const Endpoint &server, const ConnectionOptions &options)
        : m_connection(server, options)
        , m_subscriber(server, options)
    {
        connect(&m_connection, &Connection::ready, this, &Link::ready);
        connect(&m_connection, &Connection::lost, this, &Link::lost);
        connect(&m_subscriber, &Subscriber::ready, this, &Link::subscriptionsBack);
        connect(&m_subscriber, &Subscriber::lost, this, &Link::subscriptionsLost);
    }

    void open() override
    {
        m_connection.open();
        m_subscriber.open();
    }

    void close() override
    {
        m_connection.close();
        m_subscriber.close();
    }

    bool isReady() const override
    {
        return m_connection.state() == Connection::State::Ready
            && m_subscriber.connection().state() == Connection::State::Ready;
    }

    bool isReadyFor(std::string_view) const override { return m_connection.state() == Connection::State::Ready; }

    bool isDown() const override
    {
        const Connection::State state = m_connection.state();
        return state == Connection::State::Closed || state == Connection::State::WaitingToReconnect;
    }

    void eval(const protocol::Script &script, std::span<const std::string> keys, std::span<const std::string> arguments,
        ReplyHandler handler) override
    {
        m_connection.eval(script, keys, arguments, std::move(handler));
    }

    void send(protocol::Command command, std::string_view, ReplyHandler handler) override
    {
        m_connection.send(std::move(command), std::move(handler));
    }

    SubscriptionId subscribe(const std::string &channel, Subscriber::MessageHandler onMessage,
        Subscriber::ConfirmedHandler confirmed) override
    {
        return m_subscriber.subscribe(channel, std::move(onMessage), std::move(confirmed));
    }

    void unsubscribe(SubscriptionId subscription) override { m_subscriber.unsubscribe(subscription); }

private:
    Connection m_connection;
    Subscriber m_subscriber;
};

class UnusableLink : public Link {
public:
    explicit UnusableLink(Error error)
        : m_error(std::move(error))
    {
    }

    void open() override { }
    void close() override { }
    bool isReady() const override { return false; }
    bool isReadyFor(std::string_view) const override { return false; }
    bool isDown() const override { return true; }

    void eval(const protocol::Script &, std::span<const std::string>, std::span<const std::string>,
        ReplyHandler handler) override
    {
        send({}, {}, std::move(handler));
    }

    void send(protocol::Command, std::string_view, ReplyHandler handler) override
    {
        QMetaObject::invokeMethod(
            this, [this, handler = std::move(handler)] { handler(tl::unexpected(m_error)); }, Qt::QueuedConnection);
    }

    SubscriptionId subscribe(
        const std::string &, Subscriber::MessageHandler, Subscriber::ConfirmedHandler confirmed) override
    {
        QMetaObject::invokeMethod(
            this, [this, confirmed = std::move(confirmed)] { confirmed(tl::unexpected(m_error)); },
            Qt::QueuedConnection);
        return {};
    }

    void unsubscribe(SubscriptionId) override { }

private:
    const Error m_error;
};

} // namespace

Result<std::unique_ptr<Link>> makeLink(const Deployment &deployment, const ConnectionOptions &options)
{
    if (deployment.seeds.empty())
        return failure(ErrorCode::InvalidArgument, { Phrase::NoServerNamed });
    const Said connecting{ Phrase::Connecting, { deployment.display() } };
    switch (deployment.topology) {
    case Topology::Single:
        return std::make_unique<SingleLink>(deployment.seeds.front(), options);
    case Topology::Cluster:
        return std::make_unique<ClusterLink>(deployment, options);
    case Topology::Sentinel:
        if (deployment.masterName.empty())
            return failure(ErrorCode::InvalidArgument, { Phrase::NoMasterNamed }, connecting);
        return std::make_unique<SentinelLink>(deployment, options);
    case Topology::Nodes:
        break;
    }
    return failure(ErrorCode::NotSupported, { Phrase::IndependentNodes }, connecting);
}

std::unique_ptr<Link> makeUnusableLink(Error error) { return std::make_unique<UnusableLink>(std::move(error)); }

} // namespace lockcore::transport
