// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/server_feed.h"

namespace lockcore::service {

using namespace monitor;
using namespace transport;

namespace {

bool isReady(const Connection &connection) { return connection.state() == Connection::State::Ready; }

} // namespace

ServerFeed::ServerFeed(const Endpoint &endpoint, FeedOptions options, QObject *parent)
    : QObject(parent)
    , m_commands(endpoint, ConnectionOptions())
    , m_subscriber(endpoint, ConnectionOptions())
    , m_rights(endpoint.user)
    , m_choice(m_commands, m_subscriber, m_rights)
    , m_listener(m_commands, m_subscriber, m_rights,
          channelsOfPattern(options.plainNames ? options.keyPattern : std::string()), this)
    , m_heartbeat(m_commands, m_subscriber, this)
    , m_rightsWatch(m_commands, m_subscriber, m_rights, this)
    , m_options(std::move(options))
{
    connect(&m_commands, &Connection::ready, this, [this] { connected(); });
    connect(&m_commands, &Connection::lost, this, [this](const Error &error) { connectionLost(error); });
    connect(&m_subscriber, &Subscriber::ready, this, [this] { subscriberReady(); });
    connect(&m_subscriber, &Subscriber::lost, this, [this](const Error &error) { subscriberLost(error); });
    for (const auto &feed : m_choice.feeds()) {
        connect(feed.get(), &ChangeFeed::keysChanged, this, &ServerFeed::keysChanged);
        connect(feed.get(), &ChangeFeed::everythingChanged, this, [this] { Q_EMIT everythingChanged(0); });
        connect(feed.get(), &ChangeFeed::broken, this, [this](MonoTime since) { feedBroke(since); });
    }
    connect(&m_listener, &ChannelListener::heard, this, &ServerFeed::messageHeard);
    connect(&m_listener, &ChannelListener::refused, this, &ServerFeed::rightsMissing);
    connect(&m_listener, &ChannelListener::limitChanged, this, [this] {
        if (m_up && m_feedSettled)
            explainAnew();
    });
    connect(&m_heartbeat, &Heartbeat::timeTold, this, &ServerFeed::timeTold);
    connect(&m_heartbeat, &Heartbeat::timeRefused, this, [this] {
        m_rights.add(Right::Time);
        Q_EMIT rightsMissing();
    });
    connect(&m_heartbeat, &Heartbeat::databaseEmptied, this, &ServerFeed::everythingChanged);
    connect(&m_heartbeat, &Heartbeat::databasesSwapped, this, &ServerFeed::databasesSwapped);
    connect(&m_heartbeat, &Heartbeat::stopped, this, [this](const Error &error) {
        m_silent = true;
        m_up = false;
        m_losses.supersede();
        m_rightsWatch.stop();
        Q_EMIT broken(error, m_heartbeat.heardAt());
    });
    const auto startAfter = [this](Phrase pause) {
        return [this, pause](Millis time) {
            startAgain({ pause, { std::to_string(std::chrono::round<std::chrono::seconds>(time).count()) } });
        };
    };
    connect(&m_heartbeat, &Heartbeat::slept, this, startAfter(Phrase::WasAsleep));
    connect(&m_heartbeat, &Heartbeat::stoodStill, this, startAfter(Phrase::StoodStill));
    connect(&m_heartbeat, &Heartbeat::announcementsSilent, this, [this] { subscriberSilent(); });
    connect(&m_heartbeat, &Heartbeat::resumed, this, [this] { resumed(); });
    connect(&m_rightsWatch, &RightsWatch::found, this, &ServerFeed::rightsMissing);
    connect(&m_rightsWatch, &RightsWatch::regained, this, [this] { startAgain({ Phrase::OtherRights }); });
}

void ServerFeed::open()
{
    m_subscriber.open();
    m_commands.open();
}

void ServerFeed::choose(std::optional<Feed> byHand)
{
    m_options.byHand = byHand;
    m_scope = {};
    if (isReady(m_commands))
        chooseFeed();
}

void ServerFeed::limit(FeedScope scope)
{
    const bool sameFeed = scope.extent == m_scope.extent && scope.prefixes == m_scope.prefixes;
    m_scope = std::move(scope);
    if (!isReady(m_commands))
        return;
    if (!m_feedSettled)
        return chooseFeed();
    if (!sameFeed)
        return narrowOrWiden();
    m_choice.describe(m_scope);
    explainAnew();
}

/// The feed stays what it is, and is described in other words.
void ServerFeed::explainAnew()
{
    m_missedNothing = true;
    Q_EMIT changed();
}

void ServerFeed::connected()
{
    m_heartbeat.start();
    m_rights.clear();
    if (m_commands.serverInfo().version.empty())
        m_rights.add(Right::Info);
    if (!knowsSubscriber())
        return;
    listen();
    chooseFeed();
}

bool ServerFeed::knowsSubscriber() const { return m_subscriberLost || isReady(m_subscriber.connection()); }

/// What was found out before, and in the silence, may hold no longer.
void ServerFeed::resumed()
{
    m_silent = false;
    m_scope = {};
    if (knowsSubscriber())
        chooseFeed();
}

void ServerFeed::subscriberReady()
{
    m_subscriberLost.reset();
    m_heartbeat.startAnnouncements();
    if (!isReady(m_commands))
        return;
    listen();
    chooseFeed();
}

void ServerFeed::subscriberLost(const Error &error)
{
    const bool first = !m_subscriberLost;
    m_subscriberLost = error;
    m_scope = {};
    m_heartbeat.stopAnnouncements();
    if (!first || !isReady(m_commands))
        return;
    deaf(m_heartbeat.announcementsHeardAt());
    listen();
    doWithoutSubscriber();
}

/// Where the server is gone, the other connection is lost in a moment as well: then nothing is seen, which begins with
/// this loss and does not end with it.
void ServerFeed::doWithoutSubscriber()
{
    m_feedSettled = false;
    m_losses.supersede();
    m_commands.send({ "PING" }, m_losses.whileLatest([this](const Result<protocol::Reply> &reply) {
        if (reply)
            chooseFeed();
    }));
}

/// The server answers on the other connection: another attempt may do better than waiting for this one.
void ServerFeed::subscriberSilent()
{
    subscriberLost(errorOf(ErrorCode::ReplyTimeout, { Phrase::NoAnswerForLong }));
    m_subscriber.close();
    m_subscriber.open();
}

void ServerFeed::feedBroke(MonoTime since)
{
    m_scope = {};
    deaf(since);
    listen();
    chooseFeed();
}

void ServerFeed::deaf(MonoTime since) { m_deafSince = std::min(since, m_deafSince.value_or(since)); }

void ServerFeed::connectionLost(const Error &error)
{
    m_heartbeat.stop();
    m_losses.supersede();
    m_choice.stopAll();
    m_rightsWatch.stop();
    m_scope = {};
    m_up = m_silent = m_feedSettled = m_listenerSettled = false;
    m_deafSince.reset();
    Q_EMIT broken(error, m_heartbeat.heardAt());
}

void ServerFeed::listen()
{
    m_listenerSettled = m_subscriberLost.has_value();
    if (m_subscriberLost)
        return m_listener.stop();
    m_listener.start([this] {
        m_listenerSettled = true;
        settled();
    });
}

void ServerFeed::chooseFeed()
{
    m_losses.supersede();
    m_choice.stopAll();
    m_before = nullptr;
    m_feedSettled = false;
    m_choice.begin(m_options.byHand, m_subscriberLost ? FeedScope{ FeedScope::Extent::Nothing, {} } : m_scope);
    tryCandidate();
}

/// What is in use stays so until the other scope works.
void ServerFeed::narrowOrWiden()
{
    m_before = &m_choice.candidate();
    m_feedSettled = false;
    m_choice.begin(m_options.byHand, m_scope);
    tryCandidate();
}

void ServerFeed::tryCandidate()
{
    m_choice.candidate().start(prefixesOfInterest(), m_choice.isNeeded(),
        [this](std::optional<FeedDetour> obstacle) { tried(std::move(obstacle)); });
}

Prefixes ServerFeed::prefixesOfInterest() const
{
    if (!m_scope.prefixes.empty())
        return m_scope.prefixes;
    return m_options.plainNames ? plainPrefixesOfPattern(m_options.keyPattern)
                                : prefixesOfPattern(m_options.keyPattern);
}

void ServerFeed::tried(std::optional<FeedDetour> obstacle)
{
    if (obstacle) {
        m_choice.impossible(std::move(*obstacle));
        return tryCandidate();
    }
    m_choice.stopOthers();
    m_missedNothing = m_before && m_choice.candidate().tookOver(*m_before);
    m_feedSettled = true;
    settled();
}

void ServerFeed::settled()
{
    if (!m_feedSettled || !m_listenerSettled || m_silent)
        return;
    if (!m_up)
        return m_rightsWatch.start([this] { establish(); });
    Q_EMIT changed();
    m_missedNothing = false;
    m_deafSince.reset();
    Q_EMIT rightsMissing();
}

void ServerFeed::establish()
{
    if (!m_feedSettled || !m_listenerSettled || std::exchange(m_up, true))
        return;
    m_deafSince.reset(); // it was out of sight until now altogether
    Q_EMIT established();
}

void ServerFeed::startAgain(Said why)
{
    connectionLost(errorOf(ErrorCode::ConnectionClosed, std::move(why)));
    m_subscriber.close();
    m_commands.close();
    m_subscriberLost.reset();
    open();
}

FeedReason ServerFeed::reason() const
{
    if (m_subscriberLost)
        return { .detours = { { FeedObstacle::AnnouncementsLost, m_subscriberLost->message } } };
    FeedReason reason = m_choice.reason();
    reason.leavesChannelsOut = m_listener.leavesSomeOut();
    return reason;
}

std::optional<Millis> ServerFeed::retryIn() const
{
    const auto commands = m_commands.retryIn();
    return commands ? commands : m_subscriber.connection().retryIn();
}

void ServerFeed::follow(std::shared_ptr<const Snapshot> snapshot)
{
    if (m_up)
        m_listener.follow(std::move(snapshot));
}

} // namespace lockcore::service
