// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/subscriber_count.h"

#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t LocksATime = 500;
constexpr std::size_t LocksLookedAt = 20'000; // where the list of channels tells of most

/// Where its waiters listen, or might.
std::vector<std::string> channelsOf(const LockState &lock)
{
    std::vector<std::string> channels;
    if (tellsOfReleases(lock.kind))
        channels.push_back(rowOf(lock.kind).channel(lock.name));
    for (const Kind kind : lock.otherKinds) {
        if (std::string channel = rowOf(kind).channel(lock.name);
            std::ranges::find(channels, channel) == channels.end())
            channels.push_back(std::move(channel));
    }
    return channels;
}

/// Nobody was subscribed to its channel when the channels were listed.
bool isSilent(const LockState &lock, const std::vector<ChannelState> &listed)
{
    return lock.kind != Kind::Fair && std::ranges::none_of(channelsOf(lock), [&](const std::string &channel) {
        return std::ranges::binary_search(listed, channel, {}, &ChannelState::channel);
    });
}

/// Of two locks, `a` and `{a}`, that have one channel between them it is not known which its clients wait for.
/// Source: Redisson: RedissonLock.getChannelName, which adds the braces only where there are none.
bool isSharedWithANamesake(const LockName &name, const std::string &channel, const LockRegistry &registry)
{
    const auto other = key_layout::namesake(name);
    const LockState *state = other ? registry.find(*other) : nullptr;
    return state != nullptr && hasKeys(*state) && std::ranges::count(channelsOf(*state), channel) > 0;
}

/// Those that it tells of are asked about, whatever was known of them.
void tellOfListed(const std::vector<ChannelState> &listed, LockRegistry &registry)
{
    for (const ChannelState &channel : listed) {
        for (const LockName &name : locksOfChannel(channel.channel))
            registry.listenersListed(name);
    }
}

} // namespace

void SubscriberCount::ask(action::CountSubscribers &count, std::string channel, MonoTime at, Listener listener)
{
    Asked &asked = m_asked[channel];
    auto &listeners = asked.listeners;
    if (listeners.empty() || asked.at != at) { // else it was asked about just now, for another lock
        asked = { at, {} };
        count.channels.push_back(std::move(channel));
    }
    if (std::ranges::find(listeners, listener.lock, &Listener::lock) == listeners.end())
        listeners.push_back(std::move(listener));
}

void SubscriberCount::ask(action::CountSubscribers &count, const LockState &lock, MonoTime now)
{
    if (lock.kind != Kind::Fair) {
        for (std::string &channel : channelsOf(lock))
            ask(count, std::move(channel), now, { lock.name, {} });
        return;
    }
    for (std::size_t i = 0; i < lock.waiters.size() && i < MostWaitersAsked; ++i)
        ask(count, key_layout::fairChannel(lock.name, lock.waiters[i].owner), now,
            { lock.name, lock.waiters[i].owner });
}

action::CountSubscribers SubscriberCount::take(LockRegistry &registry, const AllChannels &all, MonoTime now)
{
    m_asked.clear();
    const auto &locks = registry.shown();
    if (!all.listed || locks.size() <= LocksATime)
        return takeOfAll(locks, now);
    if (std::exchange(m_toldListOf, all.askedAt) != all.askedAt)
        tellOfListed(*all.listed, registry);
    return takeOfThoseToCount(registry, all, now);
}

action::CountSubscribers SubscriberCount::takeOfAll(const LockList &locks, MonoTime now)
{
    action::CountSubscribers count;
    auto place = m_lastLock ? locks.upperBound(*m_lastLock) : locks.begin();
    for (std::size_t left = LocksATime; left > 0 && place != locks.end(); --left, ++place) {
        if (tellsOfReleases((*place)->kind)) // who waits for the others stays unknown
            ask(count, **place, now);
    }
    m_lastLock = place == locks.end() ? std::nullopt : std::optional((*std::prev(place))->name);
    return count;
}

action::CountSubscribers SubscriberCount::takeOfThoseToCount(
    LockRegistry &registry, const AllChannels &all, MonoTime now)
{
    action::CountSubscribers count;
    std::vector<LockName> waitedForByNobody;
    const auto &open = registry.toCount();
    auto place = m_lastLock ? open.upper_bound(*m_lastLock) : open.begin();
    std::size_t left = LocksATime;
    for (std::size_t looks = LocksLookedAt; left > 0 && looks > 0 && place != open.end(); --looks, ++place) {
        const LockState &lock = *registry.find(*place);
        const bool isListedLater = lock.subscribers || lock.readAtMono <= all.askedAt;
        if (lock.subscribers.value_or(0) == 0 && isListedLater && isSilent(lock, *all.listed)) {
            waitedForByNobody.push_back(lock.name);
            continue;
        }
        --left;
        ask(count, lock, now);
    }
    m_lastLock = place == open.end() ? std::nullopt : std::optional(*std::prev(place));
    for (const LockName &name : waitedForByNobody)
        registry.counted(name, { .subscribers = 0, .waiters = {} });
    return count;
}

void SubscriberCount::askSoon(const LockName &name)
{
    if (m_soon.size() < LocksATime) // the list of channels tells of the others
        m_soon.insert(name);
}

action::CountSubscribers SubscriberCount::takeFree(const LockRegistry &registry, MonoTime now)
{
    action::CountSubscribers count;
    for (const LockName &name : std::exchange(m_soon, {})) {
        if (const LockState *lock = registry.find(name); lock != nullptr && lock->holders.empty())
            ask(count, *lock, now);
    }
    return count;
}

void SubscriberCount::clear()
{
    m_asked.clear();
    m_soon.clear();
}

void SubscriberCount::counted(const input::SubscribersCounted &answer, LockRegistry &registry)
{
    std::map<LockName, LockRegistry::Count> byLock;
    for (const auto &[channel, number] : answer.channels) {
        const auto found = m_asked.find(channel);
        if (found == m_asked.end())
            continue;
        const bool isKnown = number > 0 || answer.complete; // some are some, wherever else there may be others
        for (const auto &[lock, waiter] : found->second.listeners) {
            auto &count = byLock[lock];
            count.askedAt = found->second.at;
            if (waiter)
                count.waiters.emplace_back(*waiter, isKnown ? std::optional(number > 0) : std::nullopt);
            else if (isKnown && (number == 0 || !isSharedWithANamesake(lock, channel, registry)))
                count.subscribers = count.subscribers.value_or(0) + number;
            else
                count.subscribersUnknown = true;
        }
    }
    for (const auto &[lock, count] : byLock)
        registry.counted(lock, count);
}

} // namespace lockcore::monitor
