// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/unlock_trace.h"

#include "lockcore/synchronizers/key_layout.h"

namespace lockcore {

namespace {

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
    if (channel.starts_with(key_layout::LatchChannels) && channel.ends_with('}')) {
        // With braces whatever the name.
        channel.remove_suffix(1);
        parents.emplace_back(channel.substr(key_layout::LatchChannels.size()));
    } else if (channel.starts_with(key_layout::SemaphoreChannels)) {
        const auto rest = channel.substr(key_layout::SemaphoreChannels.size());
        if (!key_layout::isQueueCapacity(rest))
            addParents(parents, rest);
    } else if (channel.starts_with(key_layout::ReadWriteChannels)) {
        addParents(parents, channel.substr(key_layout::ReadWriteChannels.size()));
    } else if (channel.starts_with(key_layout::LockChannels)) {
        const auto rest = channel.substr(key_layout::LockChannels.size());
        addParents(parents, rest);
        if (const auto base = withoutOwner(rest); base != rest)
            addParents(parents, base);
    }
    return parents;
}

std::vector<LockName> locksOfUnlockLatch(std::string_view key)
{
    std::vector<LockName> parents;
    if (!key.starts_with(key_layout::UnlockLatches)
        || key.size() < key_layout::UnlockLatches.size() + RequestIdLength + 2)
        return parents;
    const auto colon = key.size() - RequestIdLength - 1;
    if (key[colon] == ':')
        addParents(parents, key.substr(key_layout::UnlockLatches.size(), colon - key_layout::UnlockLatches.size()));
    return parents;
}

} // namespace lockcore
