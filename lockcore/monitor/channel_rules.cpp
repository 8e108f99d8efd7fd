// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/channel_rules.h"

#include "lockcore/monitor/words.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>

namespace lockcore {

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
    const auto listens = clients == 1 ? " has listened" : " have listened";
    const auto free = std::chrono::floor<Millis>(now - freeSince);
    Finding finding;
    finding.subject = channel.channel;
    const auto start = counted(clients, "client instance") + listens + " for at least " + inWords(free);
    if (!locks.empty() && locks.front()->rare->permits) {
        finding.kind = SuspectKind::FreeButWaitedFor;
        finding.evidence = start + " though " + counted(freePermits(*locks.front()->rare->permits), "permit")
            + " could be taken: a message was missed, or each wants more than that.";
    } else if (isCounterChannel(channel.channel)) {
        finding.kind = SuspectKind::FreeButWaitedFor;
        finding.evidence = start + ", but there is nothing of that name to wait for: it was deleted, or never set up.";
    } else if (free >= NotSeenForLong) {
        finding.kind = SuspectKind::LeakedChannel;
        finding.evidence = start + " for a lock that was not held in all that time: nobody may wait any more.";
    } else {
        finding.kind = SuspectKind::FreeButWaitedFor;
        finding.evidence = start + ", but nobody holds the lock: a message was missed, and they sleep on.";
    }
    return finding;
}

} // namespace lockcore
