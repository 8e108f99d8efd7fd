// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/client_addresses.h"

#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <array>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

/// The scripts of locks write; whoever only reads may name anybody.
bool runsScript(std::string_view command)
{
    static constexpr std::array<std::string_view, 2> Commands{ "EVAL", "EVALSHA" };
    const auto same = [](char a, char b) { return (a >= 'a' && a <= 'z' ? a - 'a' + 'A' : a) == b; };
    return std::any_of(Commands.begin(), Commands.end(), [&](std::string_view known) {
        return std::equal(command.begin(), command.end(), known.begin(), known.end(), same);
    });
}

std::string hostOf(const std::string &connection)
{
    return connection.starts_with("unix:") ? connection : connection.substr(0, connection.rfind(':'));
}

/// The value of ` field=value` in one line of CLIENT LIST.
std::string_view valueOf(std::string_view line, std::string_view field)
{
    const auto start = line.find(field);
    if (start == std::string_view::npos)
        return {};
    const auto value = line.substr(start + field.size());
    return value.substr(0, value.find(' '));
}

} // namespace

void ClientAddresses::saw(const protocol::MonitorLine &line)
{
    if (line.words.empty() || line.client == "lua" || !runsScript(line.words.front()))
        return;
    std::set<std::string> clients;
    for (std::size_t i = 2; i < line.words.size(); ++i) { // the first argument is the script
        if (const auto owner = parseOwner(line.words[i]); owner && !owner->fromPort)
            clients.insert(owner->owner.client);
    }
    for (const auto &client : clients) {
        if (m_seen.size() == MostClients && !m_seen.contains(client))
            continue;
        auto &connections = m_seen[client];
        if (connections.size() < MostConnections || connections.contains(line.client))
            ++connections[line.client];
    }
}

void ClientAddresses::named(std::string_view clientList, const std::string &ownName)
{
    while (!clientList.empty()) {
        const auto line = clientList.substr(0, clientList.find('\n'));
        clientList.remove_prefix(std::min(clientList.size(), line.size() + 1));
        const std::string connection(valueOf(line, " addr="));
        const std::string name(valueOf(line, " name="));
        if (connection.empty() || name.empty())
            continue;
        if (name == ownName)
            m_own.insert(connection);
        else
            m_names.emplace(connection, name);
    }
}

std::vector<ClientSighting> ClientAddresses::list() const
{
    std::vector<ClientSighting> list;
    for (const auto &[client, connections] : m_seen) {
        std::map<std::string, ClientSighting> byHost;
        for (const auto &[connection, commands] : connections) {
            if (m_own.contains(connection))
                continue;
            auto &sighting = byHost[hostOf(connection)];
            sighting.connections.push_back(connection);
            sighting.commands += commands;
            const auto name = m_names.find(connection);
            if (name != m_names.end()
                && std::find(sighting.names.begin(), sighting.names.end(), name->second) == sighting.names.end())
                sighting.names.push_back(name->second);
        }
        const auto most = std::max_element(byHost.begin(), byHost.end(),
            [](const auto &a, const auto &b) { return a.second.commands < b.second.commands; });
        if (most == byHost.end())
            continue;
        auto &sighting = list.emplace_back(std::move(most->second));
        sighting.client = client;
        sighting.host = most->first;
        sighting.alsoElsewhere = byHost.size() > 1;
    }
    return list;
}

} // namespace lockcore::monitor
