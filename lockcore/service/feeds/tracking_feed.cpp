// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/tracking_feed.h"

#include "lockcore/protocol/server_error.h"
#include "lockcore/transport/clock.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

using protocol::PubSubMessage;
using protocol::Reply;

namespace {

constexpr auto Invalidations = "__redis__:invalidate";
constexpr int RedirectCheckEveryMs = 3'000;

/// CLIENT TRACKINGINFO is a map as a flat list, with its flags as a list.
bool redirectWorks(const Reply &reply)
{
    const auto *entries = reply.array();
    for (std::size_t i = 0; entries && i + 1 < entries->size(); i += 2) {
        const auto *key = (*entries)[i].bulk();
        const auto *flags = (*entries)[i + 1].array();
        if (!key || *key != "flags" || !flags)
            continue;
        const auto has = [flags](const char *wanted) {
            return std::any_of(flags->begin(), flags->end(),
                [wanted](const Reply &flag) { return flag.bulk() && *flag.bulk() == wanted; });
        };
        return has("on") && !has("broken_redirect");
    }
    return true; // an older server, which does not say
}

} // namespace

TrackingFeed::TrackingFeed(Connection &commands, Subscriber &subscriber, MissingRights &rights)
    : m_commands(commands)
    , m_subscriber(subscriber)
    , m_rights(rights)
{
    m_redirectCheck.setInterval(RedirectCheckEveryMs);
    connect(&m_redirectCheck, &QTimer::timeout, this, [this] { checkRedirect(); });
}

void TrackingFeed::Later::operator()(Connection *connection) const
{
    QObject::disconnect(connection, nullptr, nullptr, nullptr);
    connection->close();
    connection->deleteLater();
}

void TrackingFeed::start(const Prefixes &prefixes, bool, Started started)
{
    m_attempts.supersede();
    m_next.reset();
    m_tookOver = m_on != nullptr;
    if (m_tookOver)
        takeOver(prefixes, started);
    else
        startAfresh(prefixes, started);
}

/// Its rights are the better ones to ask for.
bool TrackingFeed::lacksRights() const
{
    return m_rights.lacks(Right::Tracking) || m_rights.lacks(Right::Invalidations)
        || m_rights.lacks(Right::ConnectionId);
}

void TrackingFeed::startAfresh(const Prefixes &prefixes, const Started &started)
{
    m_tookOver = false;
    const auto before = m_subscription;
    m_subscription = m_subscriber.subscribe(
        Invalidations,
        [this](const PubSubMessage &message) {
            if (message.everything)
                Q_EMIT everythingChanged();
            else if (message.keys)
                Q_EMIT keysChanged(*message.keys);
        },
        m_attempts.whileLatest([this, prefixes, started](const Result<void> &result) {
            if (result) {
                // Prefixes can only be added to tracking that is on; and it may still redirect to where nobody listens.
                m_on = &m_commands;
                turnOff();
                return redirect(m_commands, prefixes, started);
            }
            m_rights.add(Right::Invalidations);
            started(FeedDetour{ FeedObstacle::InvalidationsRefused });
        }));
    if (before)
        m_subscriber.unsubscribe(*before);
}

void TrackingFeed::takeOver(const Prefixes &prefixes, const Started &started)
{
    ConnectionOptions options;
    options.readOnly = true;
    options.reconnect = false;
    m_next = OwnConnection(new Connection(m_commands.endpoint(), options));
    connect(
        m_next.get(), &Connection::ready, this, [this, prefixes, started] { redirect(*m_next, prefixes, started); });
    connect(m_next.get(), &Connection::lost, this, m_attempts.whileLatest([this, prefixes, started](const Error &) {
        m_next.reset();
        startAfresh(prefixes, started);
    }));
    m_next->open();
}

void TrackingFeed::redirect(Connection &connection, const Prefixes &prefixes, const Started &started)
{
    const auto subscriber = m_subscriber.connection().clientId();
    if (subscriber == 0) {
        m_rights.add(Right::ConnectionId);
        return started(FeedDetour{ FeedObstacle::ConnectionIdRefused });
    }
    protocol::Command command{ "CLIENT", "TRACKING", "ON", "REDIRECT", std::to_string(subscriber), "BCAST" };
    for (const auto &prefix : prefixes)
        command.insert(command.end(), { "PREFIX", prefix });
    if (!m_on)
        m_on = &connection;
    connection.send(
        std::move(command), m_attempts.whileLatest([this, &connection, started](const Result<Reply> &reply) {
            if (!reply)
                return;
            if (!reply->isError()) {
                isOn(connection);
                return started(std::nullopt);
            }
            m_rights.add(Right::Tracking, *reply);
            started(isPermissionError(*reply) ? FeedDetour{ FeedObstacle::TrackingRefused }
                                              : FeedDetour{ FeedObstacle::TrackingFails, reply->error()->text });
        }));
}

void TrackingFeed::isOn(Connection &connection)
{
    m_worksAt = monoNow();
    m_redirectCheck.start();
    if (m_next.get() != &connection)
        return;
    turnOff();
    m_own = std::move(m_next);
    m_on = m_own.get();
    disconnect(m_own.get(), &Connection::lost, this, nullptr);
    connect(m_own.get(), &Connection::lost, this, [this] { Q_EMIT broken(m_worksAt); });
}

void TrackingFeed::stop()
{
    m_attempts.supersede();
    m_redirectCheck.stop();
    m_next.reset();
    turnOff();
}

void TrackingFeed::turnOff()
{
    const auto *on = std::exchange(m_on, nullptr);
    if (on == &m_commands && m_commands.state() == Connection::State::Ready)
        m_commands.send({ "CLIENT", "TRACKING", "OFF" }, [](const Result<Reply> &) {});
    m_own.reset();
}

void TrackingFeed::checkRedirect()
{
    m_on->send({ "CLIENT", "TRACKINGINFO" }, m_attempts.whileLatest([this, sentAt = monoNow()](const auto &reply) {
        if (!reply || reply->isError())
            return;
        if (redirectWorks(*reply))
            m_worksAt = sentAt;
        else
            Q_EMIT broken(m_worksAt);
    }));
}

} // namespace lockcore::service
