// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/cluster_probe.h"

#include "lockcore/protocol/server_error.h"

namespace lockcore {

ClusterProbe::ClusterProbe(const ConnectionOptions &options)
    : m_inquiry(options, [this](Connection &node) { ask(node); })
{
    connect(&m_inquiry, &Inquiry::failed, this, &ClusterProbe::failed);
}

void ClusterProbe::ask(Connection &node)
{
    node.send({ "CLUSTER", "SLOTS" },
        m_inquiry.ifStillAsking([this, where = node.endpoint()](const auto &reply) { takeSlots(where, reply); }));
    node.send({ "PUBSUB", "SHARDNUMSUB" },
        m_inquiry.ifStillAsking([this, &node](const auto &reply) { takeSharding(node, reply); }));
}

void ClusterProbe::takeSlots(const Endpoint &node, const protocol::Reply &reply)
{
    const std::string context = "CLUSTER SLOTS on " + node.display();
    auto ranges = reply.isError() ? tl::unexpected(protocol::toError(reply, context))
                                  : protocol::parseClusterSlots(reply, node.host);
    if (!ranges)
        return m_inquiry.next(ranges.error());
    if (ranges->empty())
        return m_inquiry.next({ ErrorCode::ClusterBusy, "the node knows nobody who keeps a slot", context });
    m_map.ranges = std::move(*ranges);
}

void ClusterProbe::takeSharding(const Connection &node, const protocol::Reply &reply)
{
    const auto error = reply.isError() ? std::optional(protocol::toError(reply, {})) : std::nullopt;
    const bool refused = error && error->code == ErrorCode::PermissionDenied;
    // Only a server that knows the subcommand refuses it by its name; the version may not be told either.
    const bool known = refused && error->message.find("|shardnumsub") != std::string::npos;
    m_map.sharded = refused ? known || node.serverInfo().atLeast(7, 0) : !error;
    stop();
    Q_EMIT found(m_map);
}

} // namespace lockcore
