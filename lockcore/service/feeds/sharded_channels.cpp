// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/sharded_channels.h"

#include "lockcore/monitor/channel_list.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>

namespace lockcore::service {

using namespace monitor;
using namespace synchronizers;
using namespace transport;

using protocol::Reply;

namespace {

constexpr int ListEveryMs = 1'500;
constexpr std::size_t MostCounted = 2'000; // in a round: some are listened to by monitors only

} // namespace

ShardedChannels::ShardedChannels(Connection &commands, Subscriber &subscriber, MissingRights &rights, QObject *parent)
    : QObject(parent)
    , m_commands(commands)
    , m_subscriber(subscriber)
    , m_rights(rights)
{
    m_listing.setSingleShot(true);
    connect(&m_listing, &QTimer::timeout, this, [this] { list(); });
    connect(&m_subscriber, &Subscriber::dropped, this, [this](const std::string &channel) {
        if (const auto left = m_channels.extract(channel); !left.empty()) // its slot has moved
            left.mapped().subscription.end(m_subscriber);
    });
}

bool ShardedChannels::listensTo(const std::string &channel) const
{
    const auto found = m_channels.find(channel);
    return found != m_channels.end() && found->second.confirmed;
}

void ShardedChannels::start()
{
    m_mayListen = true;
    list();
}

void ShardedChannels::stop()
{
    m_rounds.supersede();
    m_listing.stop();
    m_leavesSomeOut = false;
    for (const auto &[name, channel] : std::exchange(m_channels, {}))
        channel.subscription.end(m_subscriber);
}

void ShardedChannels::list()
{
    m_wanted.clear();
    m_rounds.supersede();
    m_commands.send({ "PUBSUB", "SHARDCHANNELS", std::string(key_layout::Channels) },
        m_rounds.whileLatest([this](const Result<Reply> &reply) {
            if (!reply)
                return;
            if (reply->isError())
                return refuse(Right::ShardedChannels, *reply);
            std::vector<std::string> channels;
            addLockChannels(*reply, channels);
            m_listed = channels.size();
            count(std::move(channels));
        }));
}

/// Those that are listened to come first, so that they stay when there are too many.
void ShardedChannels::count(std::vector<std::string> channels)
{
    const auto others = std::partition(
        channels.begin(), channels.end(), [this](const auto &channel) { return m_channels.contains(channel); });
    std::sort(others, channels.end());
    channels.resize(std::min(channels.size(), MostCounted));
    m_uncounted = 0;
    for (std::size_t first = 0; first < channels.size(); first += SubscriberNumbers::ChannelsATime) {
        auto command = SubscriberNumbers::command("SHARDNUMSUB", channels, first);
        ++m_uncounted;
        m_commands.send(std::move(command), m_rounds.whileLatest([this](const Result<Reply> &reply) {
            if (!reply)
                return;
            if (reply->isError())
                return refuse(Right::ShardedChannels, *reply);
            counted(*reply);
        }));
    }
    if (m_uncounted == 0)
        endRound();
}

void ShardedChannels::counted(const Reply &reply)
{
    SubscriberNumbers numbers;
    numbers.add(reply);
    for (const auto &[channel, clients] : numbers.clients([this](const auto &each) { return listensTo(each); })) {
        if (clients > 0)
            m_wanted.push_back(channel);
    }
    if (--m_uncounted == 0)
        endRound();
}

void ShardedChannels::endRound()
{
    leaveOut(m_wanted.size() > MostChannels || m_listed > MostCounted);
    m_wanted.resize(std::min(m_wanted.size(), MostChannels));
    follow();
    m_listing.start(ListEveryMs * static_cast<int>(pausesAfter(static_cast<std::int64_t>(m_listed))));
}

void ShardedChannels::leaveOut(bool some)
{
    if (std::exchange(m_leavesSomeOut, some) != some)
        Q_EMIT limitChanged();
}

void ShardedChannels::follow()
{
    std::sort(m_wanted.begin(), m_wanted.end());
    std::erase_if(m_channels, [this](const auto &entry) {
        const bool left = !std::binary_search(m_wanted.begin(), m_wanted.end(), entry.first);
        if (left)
            entry.second.subscription.end(m_subscriber);
        return left;
    });
    for (const auto &channel : m_wanted) {
        if (m_mayListen && !m_channels.contains(channel))
            listen(channel);
    }
}

void ShardedChannels::listen(const std::string &channel)
{
    const auto confirmed = [this, channel](const Result<void> &result) {
        if (const auto found = m_channels.find(channel); found != m_channels.end())
            found->second.confirmed = result.has_value();
        if (result)
            return;
        if (const auto left = m_channels.extract(channel); !left.empty())
            left.mapped().subscription.end(m_subscriber);
        if (result.error().code != ErrorCode::PermissionDenied || !std::exchange(m_mayListen, false))
            return; // its slot has moved
        m_rights.add(Right::ShardedMessages);
        Q_EMIT refused();
    };
    const auto subscription = MarkedSubscription::begin(
        m_subscriber, &Subscriber::ssubscribe, channel,
        [this](const protocol::PubSubMessage &message) { Q_EMIT heard(message.channel); }, confirmed);
    m_channels[channel].subscription = subscription;
}

void ShardedChannels::refuse(Right right, const Reply &reply)
{
    stop();
    m_rights.add(right, reply);
    Q_EMIT refused();
}

} // namespace lockcore::service
