// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/transport/subscriber.h"

#include <map>
#include <string>

namespace lockcore {

/// Listens to the unlock channel of each lock shown, where the user may not listen to all with one pattern.
/// Thread: that of the subscriber.
class ChannelListener {
public:
    ChannelListener(Subscriber &subscriber, Subscriber::MessageHandler onMessage);
    ~ChannelListener();
    ChannelListener(const ChannelListener &) = delete;
    ChannelListener &operator=(const ChannelListener &) = delete;

    void follow(const Snapshot &snapshot);
    bool listensTo(const std::string &channel) const { return m_channels.contains(channel); }

private:
    Subscriber &m_subscriber;
    Subscriber::MessageHandler m_onMessage;
    std::map<std::string, SubscriptionId> m_channels;
};

} // namespace lockcore
