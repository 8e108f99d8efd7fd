// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/feeds/subscriber_numbers.h"

#include "lockcore/monitor/channel_list.h"

#include <algorithm>
#include <string_view>

namespace lockcore::service {

using namespace monitor;
using namespace transport;

using protocol::Reply;

namespace {

constexpr std::string_view MarkPrefix = "redisson_lockscope:";

} // namespace

std::string markOf(const std::string &channel) { return std::string(MarkPrefix) + channel; }

MarkedSubscription MarkedSubscription::begin(Subscriber &subscriber, Subscribe subscribe, const std::string &channel,
    Subscriber::MessageHandler onMessage, Subscriber::ConfirmedHandler confirmed)
{
    const auto mark = (subscriber.*subscribe)(
        markOf(channel), [](const auto &) {}, [](const auto &) {});
    return { mark, (subscriber.*subscribe)(channel, std::move(onMessage), std::move(confirmed)) };
}

void MarkedSubscription::end(Subscriber &subscriber) const
{
    subscriber.unsubscribe(channel);
    subscriber.unsubscribe(mark);
}

void addLockChannels(const Reply &reply, std::vector<std::string> &channels)
{
    if (const auto *array = reply.array()) {
        for (const auto &element : *array) {
            if (const auto *channel = element.bulk(); channel && isLockChannel(*channel))
                channels.push_back(*channel);
        }
    }
}

protocol::Command SubscriberNumbers::command(const char *word, const Channels &channels, std::size_t first)
{
    protocol::Command command{ "PUBSUB", word };
    for (std::size_t i = first; i < std::min(first + ChannelsATime, channels.size()); ++i) {
        command.push_back(channels[i]);
        command.push_back(markOf(channels[i]));
    }
    return command;
}

void SubscriberNumbers::add(const Reply &reply)
{
    const auto *array = reply.array();
    for (std::size_t i = 0; array && i + 1 < array->size(); i += 2) {
        const auto *channel = (*array)[i].bulk();
        const auto *number = (*array)[i + 1].integer();
        if (!channel || !number)
            continue;
        if (channel->starts_with(MarkPrefix))
            m_counts[channel->substr(MarkPrefix.size())].marks += *number;
        else
            m_counts[*channel].subscribers += *number;
    }
}

SubscriberNumbers::Numbers SubscriberNumbers::clients(
    const std::function<bool(const std::string &channel)> &isOurs) const
{
    Numbers numbers;
    for (const auto &[channel, count] : m_counts) {
        const auto monitors = std::max<std::int64_t>(count.marks, isOurs(channel) ? 1 : 0);
        numbers[channel] = std::max<std::int64_t>(count.subscribers - monitors, 0);
    }
    return numbers;
}

} // namespace lockcore::service
