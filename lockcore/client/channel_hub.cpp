// SPDX-License-Identifier: Apache-2.0
#include "lockcore/client/channel_hub.h"

namespace lockcore {

ChannelHub::ChannelHub(Link &link, Callbacks callbacks)
    : m_link(link)
    , m_callbacks(std::move(callbacks))
{
}

void ChannelHub::add(const std::string &channel, std::uint64_t waiter)
{
    auto [entry, isNew] = m_entries.try_emplace(channel);
    entry->second.waiters.insert(waiter);
    if (!isNew) {
        if (entry->second.confirmed)
            m_callbacks.subscribed(waiter);
        return;
    }
    const std::uint64_t generation = entry->second.generation = ++m_generation;
    entry->second.subscription = m_link.subscribe(
        channel,
        [this](const protocol::PubSubMessage &message) { m_callbacks.message(message.channel, message.payload); },
        [this, channel, generation](const Result<void> &result) { confirmed(channel, generation, result); });
}

bool ChannelHub::join(const std::string &channel, std::uint64_t waiter)
{
    if (!isConfirmed(channel))
        return false;
    m_entries.at(channel).waiters.insert(waiter);
    return true;
}

bool ChannelHub::isConfirmed(const std::string &channel) const
{
    const auto entry = m_entries.find(channel);
    return entry != m_entries.end() && entry->second.confirmed;
}

void ChannelHub::remove(const std::string &channel, std::uint64_t waiter)
{
    const auto entry = m_entries.find(channel);
    if (entry == m_entries.end() || entry->second.waiters.erase(waiter) == 0 || !entry->second.waiters.empty())
        return;
    const SubscriptionId subscription = entry->second.subscription;
    m_entries.erase(entry);
    m_link.unsubscribe(subscription);
}

const std::set<std::uint64_t> &ChannelHub::waiters(const std::string &channel) const
{
    static const std::set<std::uint64_t> None;
    const auto entry = m_entries.find(channel);
    return entry == m_entries.end() ? None : entry->second.waiters;
}

void ChannelHub::confirmed(const std::string &channel, std::uint64_t generation, const Result<void> &result)
{
    const auto entry = m_entries.find(channel);
    if (entry == m_entries.end() || entry->second.generation != generation)
        return;
    entry->second.confirmed = result.has_value();
    const std::set<std::uint64_t> waiters = entry->second.waiters;
    for (const std::uint64_t waiter : waiters) {
        if (result)
            m_callbacks.subscribed(waiter);
        else
            m_callbacks.failed(waiter, result.error());
    }
}

} // namespace lockcore
