// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/channel_listener.h"

#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"

#include <set>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

using protocol::PubSubMessage;

namespace {

constexpr std::size_t MostChannels = 1'000;
constexpr int FollowEveryMs = 500; // locks may come and go thousands of times a second

/// Where the release of the lock is told; empty: nobody is told.
std::string channelOf(const LockState &lock)
{
    if (lock.kind != Kind::Fair)
        return tellsOfReleases(lock.kind) ? rowOf(lock.kind).channel(lock.name) : std::string{};
    return lock.waiters.empty() ? std::string{} : key_layout::fairChannel(lock.name, lock.waiters[0].owner);
}

} // namespace

ChannelListener::ChannelListener(
    Connection &commands, Subscriber &subscriber, MissingRights &rights, std::string pattern, QObject *parent)
    : QObject(parent)
    , m_commands(commands)
    , m_subscriber(subscriber)
    , m_rights(rights)
    , m_sharded(commands, subscriber, rights, this)
    , m_channelsOfInterest(std::move(pattern))
{
    m_followTimer.setSingleShot(true);
    connect(&m_followTimer, &QTimer::timeout, this, [this] { followLatest(); });
    connect(&m_sharded, &ShardedChannels::heard, this, &ChannelListener::heard);
    connect(&m_sharded, &ShardedChannels::refused, this, &ChannelListener::refused);
    connect(&m_sharded, &ShardedChannels::limitChanged, this, &ChannelListener::limitChanged);
}

void ChannelListener::start(std::function<void()> settled)
{
    stop();
    const auto &server = m_commands.serverInfo();
    m_inCluster = server.mode == "cluster" && server.atLeast(7, 0);
    if (m_inCluster)
        m_sharded.start();
    hear(m_channelsOfInterest, std::move(settled));
}

/// An ACL permits no pattern but the very one that it names, which is that of all channels.
void ChannelListener::hear(const std::string &pattern, std::function<void()> settled)
{
    const auto confirmed
        = m_attempts.whileLatest([this, pattern, settled = std::move(settled)](const Result<void> &result) {
              if (!result && pattern != key_layout::Channels) {
                  m_subscriber.unsubscribe(*m_pattern);
                  return hear(std::string(key_layout::Channels), settled);
              }
              m_hearsPattern = result.has_value();
              m_byChannel = !result;
              if (!result)
                  m_rights.add(Right::UnlockMessages);
              settled();
          });
    m_pattern = m_subscriber.psubscribe(
        pattern, [this](const PubSubMessage &message) { Q_EMIT heard(message.channel); }, confirmed);
}

void ChannelListener::stop()
{
    m_attempts.supersede();
    m_hearsPattern = m_byChannel = false;
    m_sharded.stop();
    if (const auto pattern = std::exchange(m_pattern, std::nullopt))
        m_subscriber.unsubscribe(*pattern);
    m_followTimer.stop();
    m_latest.reset();
    leaveChannels();
}

void ChannelListener::leaveChannels()
{
    for (const auto &[name, channel] : std::exchange(m_channels, {}))
        channel.end(m_subscriber);
}

void ChannelListener::follow(std::shared_ptr<const Snapshot> snapshot)
{
    if (!m_byChannel)
        return;
    m_latest = std::move(snapshot);
    if (!m_followTimer.isActive())
        followLatest();
}

/// And again after a pause, when there was another snapshot meanwhile.
void ChannelListener::followLatest()
{
    const auto snapshot = std::exchange(m_latest, nullptr);
    if (!snapshot)
        return;
    m_followTimer.start(FollowEveryMs);
    std::set<std::string> wanted;
    for (const auto &lock : snapshot->locks) {
        if (wanted.size() == MostChannels)
            break;
        if (auto channel = channelOf(*lock); !channel.empty())
            wanted.insert(std::move(channel));
    }
    std::erase_if(m_channels, [&](const auto &entry) {
        if (wanted.contains(entry.first))
            return false;
        entry.second.end(m_subscriber);
        return true;
    });
    for (const auto &channel : wanted) {
        // A channel that is refused stays silent: the missing right has been reported with the pattern.
        if (m_channels.contains(channel))
            continue;
        m_channels[channel] = MarkedSubscription::begin(
            m_subscriber, &Subscriber::subscribe, channel,
            [this](const PubSubMessage &message) { Q_EMIT heard(message.channel); }, [](const auto &) {});
    }
}

} // namespace lockcore::service
