// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/server_feed.h"

#include "lockcore/service/missing_rights.h"

#include <algorithm>

namespace lockcore {

using protocol::PubSubMessage;
using protocol::Reply;

namespace {

constexpr auto Invalidations = "__redis__:invalidate";
constexpr auto UnlockMessages = "redisson_*"; // an ACL has to name this very pattern
constexpr int RedirectCheckEveryMs = 3'000;

ConnectionOptions readOnly()
{
    ConnectionOptions options;
    options.readOnly = true;
    return options;
}

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

ServerFeed::ServerFeed(const Endpoint &endpoint, QObject *parent)
    : QObject(parent)
    , m_commands(endpoint, readOnly())
    , m_subscriber(endpoint, readOnly())
{
    connect(&m_commands, &Connection::ready, this, [this] { connected(); });
    connect(&m_commands, &Connection::lost, this, [this](const Error &error) { connectionLost(error); });
    connect(&m_subscriber, &Subscriber::ready, this, [this] {
        m_subscriberReady = true;
        connected();
    });
    connect(&m_subscriber, &Subscriber::lost, this, [this](const Error &error) {
        m_subscriberReady = false;
        connectionLost(error);
    });
    m_redirectCheck.setInterval(RedirectCheckEveryMs);
    connect(&m_redirectCheck, &QTimer::timeout, this, [this] { checkRedirect(); });
}

void ServerFeed::open()
{
    subscribe();
    m_subscriber.open();
    m_commands.open();
}

void ServerFeed::subscribe()
{
    m_subscriber.subscribe(
        Invalidations,
        [this](const PubSubMessage &message) {
            if (message.everything)
                Q_EMIT everythingChanged();
            else if (message.keys)
                Q_EMIT keysChanged(*message.keys);
        },
        [this](const Result<void> &result) {
            m_hearsInvalidations = result.has_value();
            if (!result)
                missing(missingRight(Right::Invalidations));
        });
    m_subscriber.psubscribe(
        UnlockMessages, [this](const PubSubMessage &message) { Q_EMIT messageHeard(message.channel); },
        [this](const Result<void> &result) {
            m_hearsUnlocks = result.has_value();
            if (result)
                return;
            missing(missingRight(Right::UnlockMessages));
            m_channels = std::make_unique<ChannelListener>(
                m_subscriber, [this](const PubSubMessage &message) { Q_EMIT messageHeard(message.channel); });
        });
}

void ServerFeed::follow(const Snapshot &snapshot)
{
    if (m_channels && m_established)
        m_channels->follow(snapshot);
}

void ServerFeed::connected()
{
    if (!m_subscriberReady || m_commands.state() != Connection::State::Ready)
        return;
    const auto attempt = ++m_attempt;
    const auto redirect = m_subscriber.connection().clientId();
    if (!m_hearsInvalidations || redirect == 0) {
        if (m_hearsInvalidations)
            missing(missingRight(Right::ConnectionId));
        return establish(Feed::Rereading);
    }
    // The subscriber may be a new connection while ours is the old one, and still tracks to where nobody listens.
    m_commands.send({ "CLIENT", "TRACKING", "OFF" }, [](const Result<Reply> &) {});
    m_commands.send({ "CLIENT", "TRACKING", "ON", "REDIRECT", std::to_string(redirect), "BCAST" },
        [this, attempt](const Result<Reply> &reply) {
            if (attempt != m_attempt || !reply)
                return;
            if (reply->isError()) {
                missing(missingRight(Right::Tracking, *reply));
                return establish(Feed::Rereading);
            }
            m_redirectCheck.start();
            establish(Feed::ClientTracking);
        });
}

void ServerFeed::missing(std::string sentence)
{
    if (std::find(m_missing.begin(), m_missing.end(), sentence) == m_missing.end())
        m_missing.push_back(std::move(sentence));
}

void ServerFeed::establish(Feed feed)
{
    m_feed = feed;
    m_established = true;
    Q_EMIT established();
}

void ServerFeed::connectionLost(const Error &error)
{
    ++m_attempt;
    m_established = false;
    m_feed = Feed::None;
    m_redirectCheck.stop();
    Q_EMIT broken(error);
}

std::optional<Millis> ServerFeed::retryIn() const
{
    const auto commands = m_commands.retryIn();
    return commands ? commands : m_subscriber.connection().retryIn();
}

void ServerFeed::checkRedirect()
{
    const auto attempt = m_attempt;
    m_commands.send({ "CLIENT", "TRACKINGINFO" }, [this, attempt](const Result<Reply> &reply) {
        if (attempt != m_attempt || !m_established || !reply || reply->isError() || redirectWorks(*reply))
            return;
        connectionLost({ ErrorCode::ConnectionClosed, "the server stopped announcing changes",
            "checking the announcements of " + m_commands.endpoint().display() });
        connected();
    });
}

} // namespace lockcore
