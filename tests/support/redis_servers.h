// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/redis_server.h"

#include <memory>
#include <vector>

namespace testsupport {

/// Private servers that know nothing of each other.
class RedisServers {
public:
    explicit RedisServers(std::size_t number)
    {
        while (m_servers.size() < number)
            m_servers.push_back(std::make_unique<RedisServer>());
    }

    bool start()
    {
        for (const auto &server : m_servers) {
            if (!server->start())
                return false;
        }
        return true;
    }

    /// All running, and empty.
    bool reset()
    {
        for (const auto &server : m_servers) {
            server->resume();
            if (server->cli({ QStringLiteral("flushall") }) != "OK" && !server->restart())
                return false;
        }
        return true;
    }

    RedisServer &operator[](std::size_t index) { return *m_servers[index]; }
    std::size_t size() const { return m_servers.size(); }

    std::vector<lockcore::transport::Endpoint> endpoints() const
    {
        std::vector<lockcore::transport::Endpoint> all;
        for (const auto &server : m_servers)
            all.push_back(server->endpoint());
        return all;
    }

    /// On how many of those that answer the lock is held.
    int held(const char *name, std::size_t except = std::size_t(-1)) const
    {
        int number = 0;
        for (std::size_t i = 0; i < m_servers.size(); ++i) {
            if (i != except && m_servers[i]->cli({ QStringLiteral("exists"), QLatin1String(name) }) == "1")
                ++number;
        }
        return number;
    }

private:
    std::vector<std::unique_ptr<RedisServer>> m_servers;
};

} // namespace testsupport
