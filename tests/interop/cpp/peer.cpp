// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/interop/cpp/peer.h"

#include "lockcore/transport/endpoint.h"
#include "tests/interop/cpp/output.h"

#include <cstdlib>

namespace interop {

using namespace lockcore;

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

/// `connect - single|cluster URL[,URL] WATCHDOG-MS`.
void Peer::connectTo(const Arguments &arguments)
{
    m_deployment.topology = arguments.word(0) == "cluster" ? Topology::Cluster : Topology::Single;
    m_deployment.seeds.clear();
    for (const std::string &url : arguments.list(1)) {
        const auto endpoint = parseUrl(url);
        if (!endpoint)
            return say(arguments.tag(), answer(endpoint.error()));
        m_deployment.seeds.push_back(*endpoint);
    }
    LockClientOptions options;
    options.watchdogTimeout = arguments.millis(2).value_or(options.watchdogTimeout);
    m_client = std::make_unique<LockClient>(m_deployment, options);
    m_locks = std::make_unique<Locks>(*m_client);
    m_permits = std::make_unique<Permits>(*m_client);
    connect(
        m_client.get(), &LockClient::ready, this, [this, tag = arguments.tag()] { say(tag, "ok " + m_client->id()); },
        Qt::SingleShotConnection);
    m_client->open();
}

void Peer::gather(const Arguments &arguments)
{
    m_crowd = std::make_unique<Crowd>(*m_client, m_deployment.seeds.front(), arguments,
        [tag = arguments.tag()](const std::string &result) { say(tag, result); });
}

} // namespace interop
