// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/transport/deployment.h"
#include "tests/support/blocking_client.h"
#include "tests/support/redis_server.h"

#include <memory>
#include <vector>

namespace testsupport {

/// A private master with a replica, and sentinels that fail over within seconds. With TLS all of them talk so to each
/// other, and the deployment is that of the TLS ports. The users are those of master and replica.
/// Blocks while it starts and stops.
class SentinelSetup {
public:
    static constexpr const char *MasterName = "locks";

    explicit SentinelSetup(int sentinels = 1, RedisServerOptions options = {});

    bool start(); // true once the sentinels know both servers, and the replica has what its master has
    lockcore::transport::Deployment deployment() const;
    RedisServer &first() { return m_first; } // the master at the start
    RedisServer &second() { return m_second; } // its replica
    RedisServer &sentinel(int number) { return *m_sentinels.at(static_cast<std::size_t>(number)); }
    void startToFailOver(); // with both servers alive

    static lockcore::protocol::Reply run(const RedisServer &server, const lockcore::protocol::Command &command);

private:
    RedisServerOptions readyToReplicate(RedisServerOptions options) const;
    quint16 portOf(const RedisServer &server) const { return m_options.tls ? server.tlsPort() : server.port(); }
    bool startSentinels();
    bool isReadyToFailOver() const;

    QTemporaryDir m_folder; // of the certificates
    const int m_count;
    const RedisServerOptions m_options;
    RedisServer m_first;
    RedisServer m_second;
    std::vector<std::unique_ptr<RedisServer>> m_sentinels;
};

} // namespace testsupport
