// SPDX-License-Identifier: Apache-2.0
#include "lockcore/transport/router.h"

#include "lockcore/transport/chance.h"
#include "lockcore/transport/clock.h"

#include <vector>

namespace lockcore::transport {

namespace {

using protocol::Redirection;

constexpr Millis TimeForRedirections{ 10'000 };
constexpr int LookForDueMs = 25;

bool isThere(const Connection *connection) { return connection && connection->state() == Connection::State::Ready; }

} // namespace

Router::Router(Servers servers)
    : m_servers(std::move(servers))
{
    m_timer.setInterval(LookForDueMs);
    connect(&m_timer, &QTimer::timeout, this, [this] { goOn(false); });
}

void Router::addScript(int slot, const protocol::Script &script, std::span<const std::string> keys,
    std::span<const std::string> arguments, ReplyHandler handler)
{
    auto sender
        = [script, keys = std::vector(keys.begin(), keys.end()),
              arguments = std::vector(arguments.begin(), arguments.end())](Connection &connection, const Asking &asking,
              ReplyHandler answered) { connection.eval(script, keys, arguments, std::move(answered), asking); };
    dispatch(add(slot, std::move(sender), std::move(handler)));
}

void Router::addCommand(int slot, protocol::Command command, ReplyHandler handler)
{
    auto sender = [command = std::move(command)](Connection &connection, const Asking &asking, ReplyHandler answered) {
        connection.send(command, std::move(answered), asking);
    };
    dispatch(add(slot, std::move(sender), std::move(handler)));
}

void Router::refuse(std::string error, ReplyHandler handler)
{
    finishLater(add(0, {}, std::move(handler)), protocol::Reply(protocol::Reply::ServerError{ std::move(error) }));
}

std::uint64_t Router::add(int slot, Sender sender, ReplyHandler handler)
{
    m_requests.emplace(++m_lastId,
        Request{ slot, std::move(sender), std::move(handler), protocol::RedirectLimit(TimeForRedirections) });
    return m_lastId;
}

void Router::connected() { goOn(true); }

void Router::failAll(const Error &error)
{
    m_timer.stop();
    m_parked.clear();
    for (const auto &[id, request] : std::exchange(m_requests, {})) {
        if (request.handler)
            request.handler(tl::unexpected(error));
    }
}

void Router::dispatch(std::uint64_t id)
{
    const Request &request = m_requests.at(id);
    if (request.limit.hasPassed(monoNow()))
        return finish(id, *request.lastWord);
    Connection *const connection = m_servers.slotOwner(request.slot);
    if (isThere(connection))
        return sendTo(id, *connection, {});
    if (request.limit.wasRedirected())
        return park(id);
    finishLater(id,
        failure(ErrorCode::ConnectionClosed,
            connection ? Said{ Phrase::NotConnectedTo, { connection->endpoint().display() } }
                       : Said{ Phrase::NotConnectedToOwner }));
}

void Router::sendTo(std::uint64_t id, Connection &connection, const Asking &asking)
{
    m_requests.at(id).sender(
        connection, asking, [this, id, host = connection.endpoint().host](Result<protocol::Reply> reply) {
            answered(id, host, std::move(reply));
        });
}

void Router::answered(std::uint64_t id, const std::string &host, Result<protocol::Reply> reply)
{
    const auto found = m_requests.find(id);
    if (found == m_requests.end())
        return; // all were failed meanwhile
    if (!reply && reply.error().code == ErrorCode::Cancelled) { // a node that was left, not the caller's wish
        Error left = errorOf(ErrorCode::ConnectionClosed, { Phrase::ServerLeft });
        left.context = reply.error().context;
        left.tried = reply.error().tried;
        reply = tl::unexpected(std::move(left));
    }
    const auto redirection = reply ? protocol::toRedirection(*reply, host) : std::nullopt;
    if (!redirection)
        return finish(id, std::move(reply));
    found->second.lastWord = std::move(*reply);
    follow(id, *redirection);
}

void Router::follow(std::uint64_t id, const Redirection &redirection)
{
    using Step = protocol::RedirectLimit::Step;
    const Step step = m_requests.at(id).limit.follow(redirection, monoNow());
    if (redirection.kind == Redirection::Kind::Moved)
        m_servers.moved(redirection.slot, redirection.node);
    else if (redirection.kind == Redirection::Kind::Down || redirection.kind == Redirection::Kind::Demoted)
        m_servers.stale();
    const auto found = m_requests.find(id);
    if (found == m_requests.end())
        return; // leaving a server may have ended it all
    if (step == Step::GiveUp)
        return finish(id, *found->second.lastWord);
    if (step == Step::ToOwner)
        return dispatch(id);
    if (step == Step::ToNamed) {
        if (Connection *const connection = m_servers.node(redirection.node); isThere(connection))
            return sendTo(id, *connection, { .first = true });
    }
    park(id);
}

void Router::park(std::uint64_t id)
{
    Request &request = m_requests.at(id);
    request.again.setRemainingTime(request.limit.nextPause(drawChance()));
    m_parked.insert(id);
    if (!m_timer.isActive())
        m_timer.start();
}

void Router::goOn(bool all)
{
    std::vector<std::uint64_t> due;
    for (const std::uint64_t id : m_parked) {
        const Request &request = m_requests.at(id);
        if (all || request.again.hasExpired() || request.limit.hasPassed(monoNow()))
            due.push_back(id);
    }
    for (const std::uint64_t id : due) {
        if (m_parked.erase(id) != 0)
            dispatch(id);
    }
    if (m_parked.empty())
        m_timer.stop();
}

void Router::finish(std::uint64_t id, Result<protocol::Reply> reply)
{
    const auto node = m_requests.extract(id);
    if (!node.empty() && node.mapped().handler)
        node.mapped().handler(std::move(reply));
}

void Router::finishLater(std::uint64_t id, Result<protocol::Reply> reply)
{
    QMetaObject::invokeMethod(
        this, [this, id, reply = std::move(reply)] { finish(id, reply); }, Qt::QueuedConnection);
}

} // namespace lockcore::transport
