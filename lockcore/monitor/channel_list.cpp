// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/channel_list.h"

#include "lockcore/monitor/listeners.h"
#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/key_pattern.h"

#include <algorithm>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

using namespace std::chrono_literals;

constexpr Millis TwoListings{ 10'000 };
constexpr std::size_t ChannelsOfThose = 2'000; // of more than so many, as many times as long
constexpr std::size_t MostTimes = 12;
constexpr Millis TwoCounts{ 3'000 };
constexpr std::size_t RowsOfACount = 500;
constexpr Millis NotSeenForLong = 5min;

bool isCounterChannel(std::string_view channel)
{
    return channel.starts_with(key_layout::SemaphoreChannels) || channel.starts_with(key_layout::LatchChannels);
}

/// Whoever waits for it has a reason.
bool isTaken(const LockState &lock) { return isHeld(lock) || !lock.waiters.empty(); }

std::int64_t latestCount(const ChannelState &channel, const std::vector<const LockState *> &locks)
{
    const auto counted = std::ranges::find_if(locks, [](const LockState *lock) { return isCountedOften(*lock); });
    return counted == locks.end() ? channel.subscribers.value_or(0) : *(*counted)->subscribers;
}

} // namespace

bool isCountedOften(const LockState &lock)
{
    return lock.subscribers && (!isCounter(lock.kind) || isStateUnknown(lock));
}

Millis channelHoldOff(std::size_t channels)
{
    return TwoListings * static_cast<std::int64_t>(std::min(1 + channels / ChannelsOfThose, MostTimes));
}

Millis countHoldOff(std::size_t rows) { return TwoCounts * static_cast<std::int64_t>(1 + rows / RowsOfACount); }

std::optional<Finding> findingOf(
    const ChannelState &channel, const std::vector<const LockState *> &locks, MonoTime freeSince, MonoTime now)
{
    const std::int64_t clients = latestCount(channel, locks);
    if (clients <= 0 || std::any_of(locks.begin(), locks.end(), [](const LockState *lock) { return isTaken(*lock); }))
        return std::nullopt;
    const auto free = std::chrono::floor<Millis>(now - freeSince);
    Finding finding;
    finding.kind = SuspectKind::FreeButWaitedFor;
    finding.subject = channel.channel;
    finding.evidence = { .since = free, .number = clients };
    if (!locks.empty() && locks.front()->permits) {
        finding.evidence.what = Observed::PermitsFree;
        finding.evidence.permits = freePermits(*locks.front()->permits);
    } else if (isCounterChannel(channel.channel)) {
        finding.evidence.what = Observed::NothingToWaitFor;
    } else if (free >= NotSeenForLong) {
        finding.kind = SuspectKind::LeakedChannel;
        finding.evidence.what = Observed::NotHeldForLong;
    } else {
        finding.evidence.what = Observed::NobodyHolds;
    }
    return finding;
}

namespace {

constexpr std::int64_t ChannelsPerPause = 2'000;
constexpr std::int64_t MostPauses = 12;

} // namespace

void ChannelList::start(MonoTime now)
{
    m_state = State::Resting;
    m_dueAt = now;
}

void ChannelList::hurry(MonoTime now)
{
    if (m_state == State::Resting)
        m_dueAt = std::min(m_dueAt, now);
}

std::optional<action::ListChannels> ChannelList::take(MonoTime now)
{
    if (m_state != State::Resting || m_dueAt > now)
        return std::nullopt;
    m_state = State::Asked;
    m_askedAt = now;
    return action::ListChannels{};
}

bool ChannelList::listed(const input::ChannelsListed &answer, MonoTime now)
{
    if (m_state != State::Asked)
        return false;
    m_state = State::Resting;
    m_dueAt = now + m_settings.listChannelsEvery * pausesAfter(std::ssize(answer.channels) + answer.more);
    if (answer.refused)
        return false;

    m_channelsAskedAt = m_askedAt;
    std::vector<ChannelState> channels;
    std::unordered_map<std::string, MonoTime> since;
    for (const auto &[channel, subscribers] : answer.channels) {
        const auto names = locksOfChannel(channel);
        // Who waits in the queue of a lock may listen for one of another name.
        const bool wanted = ownChannel(channel) || std::ranges::any_of(names, [this](const LockName &name) {
            return matchesPattern(m_settings.keyPattern, name);
        });
        if (!wanted || subscribers == 0)
            continue;
        const auto known = m_since.find(channel);
        const auto first = known == m_since.end() ? now : known->second;
        since.emplace(channel, first);
        channels.push_back({ channel, m_settings.server, subscribers, first });
    }
    std::ranges::sort(channels, {}, &ChannelState::channel);
    m_since = std::move(since);
    if (m_channels && *m_channels == channels && m_more == answer.more)
        return false;
    m_channels = std::make_shared<const std::vector<ChannelState>>(std::move(channels));
    m_more = answer.more;
    return true;
}

bool ChannelList::forget()
{
    m_more = 0;
    m_since.clear();
    return std::exchange(m_channels, nullptr) != nullptr;
}

std::optional<MonoTime> ChannelList::next() const
{
    return m_state == State::Resting ? std::optional(m_dueAt) : std::nullopt;
}

std::int64_t pausesAfter(std::int64_t channels) { return std::min(1 + channels / ChannelsPerPause, MostPauses); }

bool isLockChannel(std::string_view channel) { return !locksOfChannel(channel).empty(); }

} // namespace lockcore::monitor
