// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/monitor_line.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockcore::monitor {

/// Where commands that name a client's id came from. Inferred: a command can also name the id of another client.
struct ClientSighting {
    std::string client; // its UUID
    std::string host; // the address without port; `unix:/path`
    std::vector<std::string> connections; // `10.0.0.7:51234`
    std::vector<std::string> names; // of these connections, as CLIENT LIST says; empty: none has one, or not known
    std::int64_t commands = 0;
    bool alsoElsewhere = false; // commands with this id came from other hosts too

    bool operator==(const ClientSighting &) const = default;
};

/// Ties the ids of clients to the addresses that their commands come from.
/// Source: Redis: MONITOR and CLIENT LIST; Redisson: the id of a client stands in the arguments of its scripts, see
///         RedissonBaseLock.getLockName.
class ClientAddresses {
public:
    void saw(const protocol::MonitorLine &line);
    /// The answer to CLIENT LIST; connections called `ownName` are ours, and what they say of others is no sign.
    void named(std::string_view clientList, const std::string &ownName);

    /// By client; of several hosts the one that most commands came from.
    std::vector<ClientSighting> list() const;

private:
    static constexpr std::size_t MostClients = 10'000;
    static constexpr std::size_t MostConnections = 200; // of one client

    std::map<std::string, std::map<std::string, std::int64_t>> m_seen; // client, connection, commands
    std::map<std::string, std::string> m_names; // by connection
    std::set<std::string> m_own; // connections
};

} // namespace lockcore::monitor
