// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/protocol/command.h"
#include "lockcore/protocol/reply.h"
#include "lockcore/transport/subscriber.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace lockcore::service {

/// Who listens to a channel by its name without being a client that waits, as monitors do, listens to this mark, too:
/// first to it, and last. It lies in the channel's slot, and rights to Redisson's channels cover it.
std::string markOf(const std::string &channel);

/// A channel listened to by its name, with the mark that says so to other monitors.
struct MarkedSubscription {
    transport::SubscriptionId mark{};
    transport::SubscriptionId channel{};

    using Subscribe = decltype(&transport::Subscriber::subscribe); // or ssubscribe

    /// Where the mark is refused, the channel may still be heard.
    static MarkedSubscription begin(transport::Subscriber &subscriber, Subscribe subscribe, const std::string &channel,
        transport::Subscriber::MessageHandler onMessage, transport::Subscriber::ConfirmedHandler confirmed);
    void end(transport::Subscriber &subscriber) const;
};

/// Those of locks among the channels that a server has listed: no marks.
void addLockChannels(const protocol::Reply &reply, std::vector<std::string> &channels);

/// How many clients subscribe to some channels, monitors left out.
class SubscriberNumbers {
public:
    using Numbers = std::map<std::string, std::int64_t>;
    using Channels = std::vector<std::string>;
    static constexpr std::size_t ChannelsATime = 125; // in one command

    /// `PUBSUB word`, for as many channels from `first` on as one command may have.
    static protocol::Command command(const char *word, const Channels &channels, std::size_t first);
    void add(const protocol::Reply &reply); // to such a command
    /// `isOurs`: we are one of its subscribers, whether we could set a mark or not.
    Numbers clients(const std::function<bool(const std::string &channel)> &isOurs) const;

private:
    struct Count {
        std::int64_t subscribers = 0;
        std::int64_t marks = 0;
    };

    std::map<std::string, Count> m_counts;
};

} // namespace lockcore::service
