// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/peer.h"

#include "lockcore/transport/deployment.h"
#include "tests/interop/cpp/output.h"

#include <algorithm>

namespace interop {

using namespace lockcore::client;
using namespace lockcore::transport;

void Peer::take(std::string_view line)
{
    const Arguments arguments(line);
    if (arguments.command() == "quit")
        std::_Exit(0); // what is held is left to run out
    if (arguments.command() == "connect")
        return connectTo(arguments);
    if (arguments.command() == "cancel") {
        if (!m_locks->cancel(arguments.word(0)))
            m_permits->cancel(arguments.word(0));
        return say(arguments.tag(), "ok");
    }
    if (arguments.command() == "crowd")
        return gather(arguments);
    if (arguments.command() == "crowd.stop") {
        m_crowd->stop();
        return say(arguments.tag(), "ok");
    }
    if (!m_locks->take(arguments) && !m_permits->take(arguments))
        say(arguments.tag(), "error NoSuchCommand " + arguments.command());
}

/// `connect - single|cluster|plain-cluster|independent URL[,URL] WATCHDOG-MS string|default`; the last is the codec.
void Peer::connectTo(const Arguments &arguments)
{
    const std::string &topology = arguments.word(0);
    m_deployment = {};
    m_deployment.topology = topology.ends_with("cluster") ? Topology::Cluster : Topology::Single;
    m_deployment.plainMessages = topology == "plain-cluster";
    for (const std::string &url : arguments.list(1)) {
        const auto endpoint = parseUrl(url);
        if (!endpoint)
            return say(arguments.tag(), answer(endpoint.error()));
        m_deployment.seeds.push_back(*endpoint);
    }
    LockClientOptions options;
    options.watchdogTimeout = arguments.millis(2).value_or(options.watchdogTimeout);
    m_permits.reset();
    m_locks.reset();
    m_clients.clear();
    if (topology == "independent") {
        for (const Endpoint &server : m_deployment.seeds)
            m_clients.push_back(std::make_unique<LockClient>(server, options));
    } else {
        m_clients.push_back(std::make_unique<LockClient>(m_deployment, options));
    }
    m_locks = std::make_unique<Locks>(m_clients, arguments.word(3) == "default");
    m_permits = std::make_unique<Permits>(*m_clients.front());
    for (const auto &client : m_clients) {
        connect(
            client.get(), &LockClient::ready, this, [this, tag = arguments.tag()] { answerIfReady(tag); },
            Qt::SingleShotConnection);
        client->open();
    }
}

void Peer::answerIfReady(const std::string &tag) const
{
    if (!std::ranges::all_of(m_clients, [](const auto &client) { return client->isReady(); }))
        return;
    std::string ids;
    for (const auto &client : m_clients)
        ids += (ids.empty() ? "" : ",") + client->id();
    say(tag, "ok " + ids);
}

void Peer::gather(const Arguments &arguments)
{
    m_crowd = std::make_unique<Crowd>(*m_clients.front(), m_deployment.seeds.front(), arguments,
        [tag = arguments.tag()](const std::string &result) { say(tag, result); });
}

} // namespace interop
