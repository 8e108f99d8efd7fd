// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/tracking_feed.h"

#include "lockcore/protocol/server_error.h"

#include <algorithm>

namespace lockcore {

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

TrackingFeed::TrackingFeed(Connection &commands, Subscriber &subscriber, MissingRights &rights, QObject *parent)
    : QObject(parent)
    , m_commands(commands)
    , m_subscriber(subscriber)
    , m_rights(rights)
{
    m_redirectCheck.setInterval(RedirectCheckEveryMs);
    connect(&m_redirectCheck, &QTimer::timeout, this, [this] { checkRedirect(); });
}

void TrackingFeed::start(const Prefixes &prefixes, Started started)
{
    const auto attempt = ++m_attempt;
    const auto before = m_subscription;
    m_subscription = m_subscriber.subscribe(
        Invalidations,
        [this](const PubSubMessage &message) {
            if (message.everything)
                Q_EMIT everythingChanged();
            else if (message.keys)
                Q_EMIT keysChanged(*message.keys);
        },
        [this, attempt, prefixes, started = std::move(started)](const Result<void> &result) {
            if (attempt != m_attempt)
                return;
            if (result)
                return redirect(prefixes, started);
            m_rights.add(Right::Invalidations);
            started("listening to invalidations is refused to this user");
        });
    if (before)
        m_subscriber.unsubscribe(*before);
}

void TrackingFeed::redirect(const Prefixes &prefixes, const Started &started)
{
    const auto subscriber = m_subscriber.connection().clientId();
    if (subscriber == 0) {
        m_rights.add(Right::ConnectionId);
        return started("CLIENT ID is refused to this user");
    }
    // Prefixes can only be added to tracking that is on; and it may still redirect to where nobody listens.
    m_commands.send({ "CLIENT", "TRACKING", "OFF" }, [](const Result<Reply> &) {});
    protocol::Command command{ "CLIENT", "TRACKING", "ON", "REDIRECT", std::to_string(subscriber), "BCAST" };
    for (const auto &prefix : prefixes)
        command.insert(command.end(), { "PREFIX", prefix });
    m_maybeOn = true;
    m_commands.send(std::move(command), [this, attempt = m_attempt, started](const Result<Reply> &reply) {
        if (attempt != m_attempt || !reply)
            return;
        if (!reply->isError()) {
            m_redirectCheck.start();
            return started(std::nullopt);
        }
        m_rights.add(Right::Tracking, *reply);
        started(isPermissionError(*reply) ? "CLIENT TRACKING is refused to this user"
                                          : "CLIENT TRACKING does not work here (" + reply->error()->text + ')');
    });
}

void TrackingFeed::stop()
{
    ++m_attempt;
    m_redirectCheck.stop();
    if (std::exchange(m_maybeOn, false) && m_commands.state() == Connection::State::Ready)
        m_commands.send({ "CLIENT", "TRACKING", "OFF" }, [](const Result<Reply> &) {});
}

void TrackingFeed::checkRedirect()
{
    m_commands.send({ "CLIENT", "TRACKINGINFO" }, [this, attempt = m_attempt](const Result<Reply> &reply) {
        if (attempt == m_attempt && reply && !reply->isError() && !redirectWorks(*reply))
            Q_EMIT broken();
    });
}

} // namespace lockcore
