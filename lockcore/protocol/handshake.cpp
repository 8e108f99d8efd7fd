// SPDX-License-Identifier: Apache-2.0
#include "lockcore/protocol/handshake.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/protocol/server_info.h"

#include <string_view>
#include <utility>

namespace lockcore::protocol {

namespace {

/// Said to no command in particular, before the server closes the connection.
bool turnsAway(std::string_view error)
{
    return error.starts_with("ERR max number of clients") || error.starts_with("DENIED");
}

/// Of no importance for reading; a server that cannot save says the second to PING.
bool canBePassedOver(std::string_view error) { return error.starts_with("NOPERM") || error.starts_with("MISCONF"); }

/// A server that does not know AUTH repeats its arguments.
void hide(const std::string &secret, std::string &text)
{
    for (auto at = secret.empty() ? text.npos : text.find(secret); at != text.npos; at = text.find(secret, at + 3))
        text.replace(at, secret.size(), "***");
}

} // namespace

Handshake::Handshake(HandshakeOptions options)
    : m_options(std::move(options))
{
    if (!m_options.user.empty() || !m_options.password.empty())
        m_steps.push_back(Step::Auth);
    m_steps.push_back(Step::ServerInfo); // a sentinel does not know what follows
    if (m_options.database != 0)
        m_steps.push_back(Step::Select);
    m_steps.push_back(Step::Ping); // the one that a server refuses while it loads
    if (!m_options.clientName.empty())
        m_steps.push_back(Step::SetName);
    m_steps.insert(m_steps.end(), { Step::Id, Step::ReplicationInfo, Step::NoTouch });
    if (m_options.asksTime)
        m_steps.push_back(Step::Time);
}

std::vector<Command> Handshake::commands() const
{
    std::vector<Command> commands;
    for (const Step step : m_steps)
        commands.push_back(commandFor(step));
    return commands;
}

Result<void> Handshake::feed(const Reply &reply)
{
    if (done())
        return failure(ErrorCode::MalformedReply, { Phrase::UnaskedReply }, { Phrase::LoggingIn });
    const Step step = m_steps[m_next];
    if (!reply.isError()) {
        take(step, reply);
        ++m_next;
        if (step == Step::ServerInfo && serverInfo().mode == "sentinel" && !m_options.toSentinel)
            return failure(ErrorCode::InvalidArgument, { Phrase::IsSentinel }, { Phrase::LoggingIn });
        return {};
    }
    const std::string_view said = reply.error()->text;
    const bool needed = step == Step::Auth || step == Step::Select || (step == Step::Ping && !canBePassedOver(said));
    if (needed || turnsAway(said) || toError(reply, {}).code == ErrorCode::AuthenticationFailed)
        return tl::unexpected(failed(step, reply));
    ++m_next;
    return {};
}

Command Handshake::commandFor(Step step) const
{
    switch (step) {
    case Step::Auth:
        return m_options.user.empty() ? Command{ "AUTH", m_options.password }
                                      : Command{ "AUTH", m_options.user, m_options.password };
    case Step::Select:
        return { "SELECT", std::to_string(m_options.database) };
    case Step::Ping:
        return { "PING" };
    case Step::SetName:
        return { "CLIENT", "SETNAME", m_options.clientName };
    case Step::Id:
        return { "CLIENT", "ID" };
    case Step::ServerInfo:
        return { "INFO", "server" };
    case Step::ReplicationInfo:
        return { "INFO", "replication" };
    case Step::NoTouch:
        return { "CLIENT", "NO-TOUCH", "ON" };
    case Step::Time:
        return { "TIME" };
    }
    return {};
}

void Handshake::take(Step step, const Reply &reply)
{
    if (step == Step::Id && reply.integer())
        m_clientId = *reply.integer();
    if ((step == Step::ServerInfo || step == Step::ReplicationInfo) && reply.bulk())
        m_info += *reply.bulk() + "\r\n";
    if (step == Step::Time)
        parseTime(reply).map([this](WallTime time) { m_serverTime = time; });
}

Error Handshake::failed(Step step, const Reply &reply) const
{
    Error error = toError(reply,
        step == Step::Select ? Said{ Phrase::ChoosingDatabase, { std::to_string(m_options.database) } }
                             : Said{ Phrase::LoggingIn });
    if (step == Step::Auth)
        hide(m_options.password, error.message);
    return error;
}

} // namespace lockcore::protocol
