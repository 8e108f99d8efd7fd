// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"
#include "lockcore/transport/endpoint.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::transport {

constexpr std::uint16_t SentinelPort = 26379; // where none is given

enum class Topology {
    Single, // one server
    Sentinel, // the master that sentinels name
    Cluster, // the masters of a Redis Cluster
    Nodes, // independent servers, the members of a RedLock
};

/// Where the servers are that keep the locks. An Endpoint alone is a deployment of one server.
struct Deployment {
    Deployment() = default;
    Deployment(Endpoint server)
        : seeds{ std::move(server) }
    {
    }

    Topology topology = Topology::Single;
    /// Single: the server. Sentinel: the sentinels. Cluster: nodes to ask first. Nodes: each one.
    /// Login, database, TLS and client name of the first are those of every node that is found.
    std::vector<Endpoint> seeds;
    std::string masterName; // Sentinel
    std::string sentinelUser; // login at the sentinels themselves; empty: none is needed
    std::string sentinelPassword;
    /// Cluster: messages go everywhere, as if it knew no sharded ones: where Redisson before 3.22 locks too, or a newer
    /// one whose shardedSubscriptionMode is OFF. Otherwise neither wakes the other.
    bool plainMessages = false;

    bool operator==(const Deployment &) const = default;

    /// For people and logs, without user and password.
    LOCKCORE_EXPORT std::string display() const;
};

/// Reads `redis://[[user]:password@]host[:port][/db]`, `rediss://…`, `unix:///path[?db=n]`. Percent-encoding is undone.
/// Errors: local/invalid-argument with what is wrong; local/not-supported for a topology this version does not speak.
[[nodiscard]] LOCKCORE_EXPORT Result<Endpoint> parseUrl(std::string_view url);

/// Reads what parseUrl() reads, and `redis-sentinel://[[user]:password@]host[:port][,host…]/master[/db]`,
/// `redis-cluster://host[:port][,host…]`, `redis-nodes://host[:port][,host…]`, each also with `rediss-` for TLS.
/// Sentinels listen on port 26379 where none is given. Nodes may end in `/db`, a cluster in `?messages=plain`.
/// Errors: local/invalid-argument with what is wrong.
[[nodiscard]] LOCKCORE_EXPORT Result<Deployment> parseDeployment(std::string_view url);

} // namespace lockcore::transport
