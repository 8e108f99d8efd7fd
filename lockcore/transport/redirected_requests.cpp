// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/redirected_requests.h"

#include <algorithm>
#include <vector>

namespace lockcore {

namespace {

using protocol::Redirection;

constexpr Millis RedirectLimit{ 10'000 };
constexpr int RedirectionsAtOnce = 5; // then with pauses: two nodes may name each other for a while
constexpr int FirstPauseMs = 25;
constexpr int LongestPauseMs = 400;

bool isThere(const Connection *connection) { return connection && connection->state() == Connection::State::Ready; }

} // namespace

RedirectedRequests::RedirectedRequests(Callbacks callbacks)
    : m_callbacks(std::move(callbacks))
{
    m_timer.setInterval(FirstPauseMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { goOn(false); });
}

void RedirectedRequests::addScript(int slot, const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, ReplyHandler handler)
{
    auto sender = [script, keys = std::vector(keys.begin(), keys.end()),
                      arguments = std::vector(arguments.begin(), arguments.end())](
                      Connection &connection, bool afterAsking, ReplyHandler answered) {
        if (afterAsking)
            connection.evalAfterAsking(script, keys, arguments, std::move(answered));
        else
            connection.eval(script, keys, arguments, std::move(answered));
    };
    dispatch(add({ slot, std::move(sender), std::move(handler) }));
}

void RedirectedRequests::addCommand(int slot, protocol::Command command, ReplyHandler handler)
{
    auto sender = [command = std::move(command)](Connection &connection, bool afterAsking, ReplyHandler answered) {
        if (afterAsking)
            connection.send({ "ASKING" }, {});
        connection.send(command, std::move(answered));
    };
    dispatch(add({ slot, std::move(sender), std::move(handler) }));
}

void RedirectedRequests::refuse(std::string error, ReplyHandler handler)
{
    finishLater(add({ 0, {}, std::move(handler) }), protocol::Reply(protocol::Reply::ServerError{ std::move(error) }));
}

std::uint64_t RedirectedRequests::add(Request request)
{
    m_requests.emplace(++m_lastId, std::move(request));
    return m_lastId;
}

void RedirectedRequests::connected() { goOn(true); }

void RedirectedRequests::failAll(const Error &error)
{
    m_timer.stop();
    m_parked.clear();
    for (const auto &[id, request] : std::exchange(m_requests, {})) {
        if (request.handler)
            request.handler(tl::unexpected(error));
    }
}

void RedirectedRequests::dispatch(std::uint64_t id)
{
    const Request &request = m_requests.at(id);
    if (request.redirections > 0 && request.limit.hasExpired())
        return finish(id, *request.lastWord);
    Connection *const connection = m_callbacks.slotOwner(request.slot);
    if (isThere(connection))
        return sendTo(id, *connection, false);
    if (request.redirections > 0)
        return park(id);
    const std::string where = connection ? "to " + connection->endpoint().display() : "to whoever is in charge now";
    finishLater(id, failure(ErrorCode::ConnectionClosed, "not connected " + where));
}

void RedirectedRequests::sendTo(std::uint64_t id, Connection &connection, bool afterAsking)
{
    m_requests.at(id).sender(
        connection, afterAsking, [this, id, host = connection.endpoint().host](Result<protocol::Reply> reply) {
            answered(id, host, std::move(reply));
        });
}

void RedirectedRequests::answered(std::uint64_t id, const std::string &host, Result<protocol::Reply> reply)
{
    const auto found = m_requests.find(id);
    if (found == m_requests.end())
        return; // all were failed meanwhile
    if (!reply && reply.error().code == ErrorCode::Cancelled) // a node that was left, not the caller's wish
        reply = failure(ErrorCode::ConnectionClosed, "the server was left", reply.error().context);
    const auto redirection = reply ? protocol::toRedirection(*reply, host) : std::nullopt;
    if (!redirection)
        return finish(id, std::move(reply));
    Request &request = found->second;
    if (request.redirections++ == 0)
        request.limit.setRemainingTime(RedirectLimit);
    request.lastWord = std::move(*reply);
    follow(id, *redirection);
}

void RedirectedRequests::follow(std::uint64_t id, const Redirection &redirection)
{
    switch (redirection.kind) {
    case Redirection::Kind::Moved:
        m_callbacks.moved(redirection.slot, redirection.node);
        if (m_requests.at(id).redirections <= RedirectionsAtOnce)
            return dispatch(id);
        break;
    case Redirection::Kind::Ask:
        if (Connection *const connection = m_callbacks.node(redirection.node);
            isThere(connection) && !m_requests.at(id).limit.hasExpired())
            return sendTo(id, *connection, true);
        break;
    case Redirection::Kind::Later:
        break;
    case Redirection::Kind::Down:
    case Redirection::Kind::Demoted:
        m_callbacks.stale();
        break;
    }
    park(id);
}

void RedirectedRequests::park(std::uint64_t id)
{
    const auto found = m_requests.find(id);
    if (found == m_requests.end())
        return; // leaving a server may have ended it all
    Request &request = found->second;
    request.again.setRemainingTime(std::min(FirstPauseMs << std::min(request.redirections, 8), LongestPauseMs));
    m_parked.insert(id);
    if (!m_timer.isActive())
        m_timer.start();
}

void RedirectedRequests::goOn(bool all)
{
    std::vector<std::uint64_t> due;
    for (const std::uint64_t id : m_parked) {
        const Request &request = m_requests.at(id);
        if (all || request.again.hasExpired() || request.limit.hasExpired())
            due.push_back(id);
    }
    for (const std::uint64_t id : due) {
        if (m_parked.erase(id) != 0)
            dispatch(id);
    }
    if (m_parked.empty())
        m_timer.stop();
}

void RedirectedRequests::finish(std::uint64_t id, Result<protocol::Reply> reply)
{
    const auto node = m_requests.extract(id);
    if (!node.empty() && node.mapped().handler)
        node.mapped().handler(std::move(reply));
}

void RedirectedRequests::finishLater(std::uint64_t id, Result<protocol::Reply> reply)
{
    QMetaObject::invokeMethod(
        this, [this, id, reply = std::move(reply)] { finish(id, reply); }, Qt::QueuedConnection);
}

} // namespace lockcore
