// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/unlock_trace.h"

#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>

namespace lockcore {

namespace {

constexpr std::size_t UuidLength = 36;
constexpr std::size_t RequestIdLength = 32;
constexpr std::chrono::seconds RememberFor{ 2 };
constexpr std::size_t MostRemembered = 20'000;

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

void UnlockTrace::heard(std::optional<MonoTime> UnlockTrace::*what, MonoTime at)
{
    this->*what = at;
    if (what == &UnlockTrace::messageAt)
        ++messages;
    else if (what == &UnlockTrace::latchAt)
        ++latches;
}

MonoTime UnlockTrace::lastHeard() const
{
    MonoTime last = MonoTime::min();
    for (const auto &heardAt : { messageAt, latchAt, forcedAt, flushedAt })
        last = std::max(last, heardAt.value_or(last));
    return last;
}

void UnlockTrace::releaseExplained()
{
    if (messages > 0 && --messages == 0)
        messageAt.reset();
    if (latches > 0 && --latches == 0)
        latchAt.reset();
}

void UnlockTrace::explained(MonoTime askedAt)
{
    for (auto *heardAt : { &messageAt, &latchAt, &forcedAt, &flushedAt }) {
        if (*heardAt && **heardAt <= askedAt)
            heardAt->reset();
    }
    messages = messageAt ? messages : 0;
    latches = latchAt ? latches : 0;
}

void EarlyTraces::heard(const LockName &name, std::optional<MonoTime> UnlockTrace::*what, MonoTime now)
{
    forgetOld(now);
    m_traces[name].heard(what, now);
    m_order.emplace_back(now, name);
}

UnlockTrace EarlyTraces::take(const LockName &name)
{
    const auto node = m_traces.extract(name);
    return node ? node.mapped() : UnlockTrace{};
}

void EarlyTraces::forgetOld(MonoTime now)
{
    while (!m_order.empty() && (m_order.front().first + RememberFor <= now || m_order.size() >= MostRemembered)) {
        const auto trace = m_traces.find(m_order.front().second);
        if (trace != m_traces.end() && trace->second.lastHeard() <= m_order.front().first)
            m_traces.erase(trace);
        m_order.pop_front();
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

std::string channelOfWaiters(Kind kind, const LockName &name)
{
    switch (kind) {
    case Kind::ReadWrite:
        return key_layout::readWriteChannel(name);
    case Kind::Semaphore:
    case Kind::PermitExpirableSemaphore:
        return key_layout::semaphoreChannel(name);
    case Kind::CountDownLatch:
        return key_layout::latchChannel(name);
    default:
        return key_layout::lockChannel(name);
    }
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
