// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/channel_listener.h"

#include "lockcore/synchronizers/key_layout.h"

#include <set>

namespace lockcore {

namespace {

constexpr std::size_t MostChannels = 1'000;

/// Where the release of the lock is told; empty: nobody is told.
std::string channelOf(const LockState &lock)
{
    if (lock.kind == Kind::ReadWrite)
        return key_layout::readWriteChannel(lock.name);
    if (lock.kind == Kind::Fair)
        return lock.waiters.empty() ? std::string{} : key_layout::fairChannel(lock.name, lock.waiters[0].owner);
    return key_layout::lockChannel(lock.name);
}

} // namespace

ChannelListener::ChannelListener(Subscriber &subscriber, Subscriber::MessageHandler onMessage)
    : m_subscriber(subscriber)
    , m_onMessage(std::move(onMessage))
{
}

ChannelListener::~ChannelListener()
{
    for (const auto &[channel, subscription] : m_channels)
        m_subscriber.unsubscribe(subscription);
}

void ChannelListener::follow(const Snapshot &snapshot)
{
    std::set<std::string> wanted;
    for (std::size_t i = 0; i < snapshot.locks.size() && wanted.size() < MostChannels; ++i) {
        if (auto channel = channelOf(*snapshot.locks[i]); !channel.empty())
            wanted.insert(std::move(channel));
    }
    std::erase_if(m_channels, [&](const auto &entry) {
        if (wanted.contains(entry.first))
            return false;
        m_subscriber.unsubscribe(entry.second);
        return true;
    });
    for (const auto &channel : wanted) {
        // A channel that is refused stays silent: the missing right has been reported with the pattern.
        if (!m_channels.contains(channel))
            m_channels.emplace(channel, m_subscriber.subscribe(channel, m_onMessage, [](const Result<void> &) {}));
    }
}

} // namespace lockcore
