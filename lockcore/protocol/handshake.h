// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/base/time.h"
#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/protocol/server_info.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockcore::protocol {

struct HandshakeOptions {
    std::string user; // empty: the default user
    std::string password;
    int database = 0;
    std::string clientName;
    bool asksTime = false;
    bool toSentinel = false; // else one is turned away: it keeps no locks, and knows hardly any command
};

/// What is said on a new connection before anything else: login, database, name, and what the server is.
/// All of it is sent at once. What a restricted user may not do, but nothing depends on, is passed over.
/// Errors: server/authentication-failed, server/loading and others as they come, and local/invalid-argument for a
///         sentinel that is taken for a server of data; the connection is then of no use.
class Handshake {
public:
    explicit Handshake(HandshakeOptions options);

    std::vector<Command> commands() const;
    /// Takes the next reply.
    [[nodiscard]] Result<void> feed(const Reply &reply);
    bool done() const { return m_next == m_steps.size(); }

    ServerInfo serverInfo() const { return parseServerInfo(m_info); }
    std::int64_t clientId() const { return m_clientId; } // 0: not known
    std::optional<WallTime> serverTime() const { return m_serverTime; } // by the last reply; absent: not known

private:
    enum class Step { Auth, Select, Ping, SetName, Id, ServerInfo, ReplicationInfo, NoTouch, Time };

    Command commandFor(Step step) const;
    void take(Step step, const Reply &reply);
    Error failed(Step step, const Reply &reply) const;

    HandshakeOptions m_options;
    std::vector<Step> m_steps;
    std::size_t m_next = 0;
    std::string m_info;
    std::int64_t m_clientId = 0;
    std::optional<WallTime> m_serverTime;
};

} // namespace lockcore::protocol
