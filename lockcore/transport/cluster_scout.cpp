// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/cluster_scout.h"

#include "lockcore/protocol/server_error.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr Millis LongestAnswer{ 2'000 }; // another node can be asked

} // namespace

ClusterScout::ClusterScout(const ConnectionOptions &options)
    : m_options(options)
{
    m_options.reconnect = false;
    m_options.connectTimeout = std::min(m_options.connectTimeout, LongestAnswer);
    m_options.replyTimeout = std::min(m_options.replyTimeout, LongestAnswer);
}

ClusterScout::~ClusterScout() = default;

void ClusterScout::look(const std::vector<Endpoint> &places)
{
    stop();
    m_places.assign(places.begin(), places.end());
    tryNext({ ErrorCode::InvalidArgument, "there is no node to ask", "looking for the nodes of a cluster" });
}

void ClusterScout::stop()
{
    m_places.clear();
    if (!m_connection)
        return;
    m_connection->disconnect();
    m_connection->setParent(this);
    m_connection.release()->deleteLater(); // we may have been called from one of its signals
}

void ClusterScout::tryNext(const Error &error)
{
    auto places = std::exchange(m_places, {});
    stop();
    if (places.empty()) {
        Q_EMIT failed(error);
        return;
    }
    m_connection = std::make_unique<Connection>(places.front(), m_options);
    places.pop_front();
    m_places = std::move(places);
    connect(m_connection.get(), &Connection::ready, this, [this] { ask(); });
    connect(m_connection.get(), &Connection::lost, this, [this](const Error &reason) { tryNext(reason); });
    m_connection->open();
}

void ClusterScout::ask()
{
    Connection *const asked = m_connection.get();
    const auto ifCurrent = [this, asked](auto take) {
        return [this, asked, take](const Result<protocol::Reply> &reply) {
            if (m_connection.get() == asked && reply) // a lost connection is told by its signal
                take(*reply);
        };
    };
    asked->send({ "CLUSTER", "SLOTS" }, ifCurrent([this](const protocol::Reply &reply) { takeSlots(reply); }));
    asked->send({ "PUBSUB", "SHARDNUMSUB" }, ifCurrent([this](const protocol::Reply &reply) { takeSharding(reply); }));
}

void ClusterScout::takeSlots(const protocol::Reply &reply)
{
    const std::string context = "CLUSTER SLOTS on " + m_connection->endpoint().display();
    auto ranges = reply.isError() ? tl::unexpected(protocol::toError(reply, context))
                                  : protocol::parseClusterSlots(reply, m_connection->endpoint().host);
    if (!ranges)
        return tryNext(ranges.error());
    if (ranges->empty())
        return tryNext({ ErrorCode::ClusterBusy, "the node knows nobody who keeps a slot", context });
    m_map.ranges = std::move(*ranges);
}

void ClusterScout::takeSharding(const protocol::Reply &reply)
{
    m_map.sharded = !reply.isError();
    stop();
    Q_EMIT found(m_map);
}

} // namespace lockcore
