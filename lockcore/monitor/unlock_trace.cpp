// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/unlock_trace.h"

#include "lockcore/synchronizers/key_layout.h"

namespace lockcore {

namespace {

constexpr std::string_view LockChannel = "redisson_lock__channel:";
constexpr std::string_view ReadWriteChannel = "redisson_rwlock:";
constexpr std::string_view SemaphoreChannel = "redisson_sc:";
constexpr std::string_view LatchChannel = "redisson_countdownlatch__channel__{";
constexpr std::string_view UnlockLatch = "redisson_unlock_latch:";
constexpr std::size_t UuidLength = 36;
constexpr std::size_t RequestIdLength = 32;

void addParents(std::vector<LockName> &parents, std::string_view rest)
{
    const auto names = key_layout::unbraced(rest);
    parents.insert(parents.end(), names.begin(), names.end());
}

/// Cuts `:uuid:thread` off a fair waiter's channel; unchanged if there is none.
std::string_view withoutOwner(std::string_view rest)
{
    const auto thread = rest.rfind(':');
    if (thread == std::string_view::npos || thread < UuidLength + 1 || rest[thread - UuidLength - 1] != ':')
        return rest;
    return rest.substr(0, thread - UuidLength - 1);
}

} // namespace

void UnlockTrace::explained(MonoTime askedAt)
{
    for (auto *heardAt : { &messageAt, &latchAt, &forcedAt, &flushedAt }) {
        if (*heardAt && **heardAt <= askedAt)
            heardAt->reset();
    }
}

std::vector<LockName> locksOfChannel(std::string_view channel)
{
    std::vector<LockName> parents;
    if (channel.starts_with(LatchChannel) && channel.ends_with('}')) {
        // With braces whatever the name.
        channel.remove_suffix(1);
        parents.emplace_back(channel.substr(LatchChannel.size()));
    } else if (channel.starts_with(SemaphoreChannel)) {
        const auto rest = channel.substr(SemaphoreChannel.size());
        if (!key_layout::isQueueCapacity(rest))
            addParents(parents, rest);
    } else if (channel.starts_with(ReadWriteChannel)) {
        addParents(parents, channel.substr(ReadWriteChannel.size()));
    } else if (channel.starts_with(LockChannel)) {
        const auto rest = channel.substr(LockChannel.size());
        addParents(parents, rest);
        if (const auto base = withoutOwner(rest); base != rest)
            addParents(parents, base);
    }
    return parents;
}

std::vector<LockName> locksOfUnlockLatch(std::string_view key)
{
    std::vector<LockName> parents;
    if (!key.starts_with(UnlockLatch) || key.size() < UnlockLatch.size() + RequestIdLength + 2)
        return parents;
    const auto colon = key.size() - RequestIdLength - 1;
    if (key[colon] == ':')
        addParents(parents, key.substr(UnlockLatch.size(), colon - UnlockLatch.size()));
    return parents;
}

} // namespace lockcore
