// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/unlock_trace.h"

#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>

namespace lockcore::monitor {

using namespace synchronizers;

namespace {

constexpr std::size_t UuidLength = 36;
constexpr std::size_t RequestIdLength = 32;
constexpr std::chrono::seconds RememberTraceFor{ 2 };
constexpr std::size_t MostTraces = 20'000;
constexpr std::size_t MostHeardOfLock = 64; // of one lock between two looks

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

void UnlockTrace::heard(Heard what, MonoTime at)
{
    const auto add = [at](std::vector<MonoTime> &heard) {
        if (heard.size() == MostHeardOfLock)
            heard.erase(heard.begin());
        heard.push_back(at);
    };
    switch (what) {
    case Heard::Message:
        std::erase_if(missing, [at](MonoTime since) { return since <= at - NeverSoLate; });
        if (!missing.empty()) {
            missing.erase(missing.begin());
            return;
        }
        return add(messages);
    case Heard::Latch:
        return add(latches);
    case Heard::Forced:
        forcedAt = at;
        awaitsAction = false;
        return;
    case Heard::LeaseSet:
        leaseSetAt = at;
        awaitsAction = false;
        return;
    case Heard::ActionBegun:
    case Heard::ActionOver:
        awaitsAction = what == Heard::ActionBegun;
        return;
    case Heard::Flushed:
        flushedAt = at;
    }
}

void UnlockTrace::missedUntil(MonoTime now)
{
    if (!missing.empty() && missing.front() <= now - NeverSoLate)
        missing.clear();
}

void UnlockTrace::forgetLatchesBefore(MonoTime moment)
{
    latches.erase(latches.begin(), std::ranges::lower_bound(latches, moment));
}

void UnlockTrace::forcedOnly(const std::vector<OwnerId> &owners)
{
    const bool wereAll = forcedAt && forcedOwners.empty();
    if (wereAll || owners.empty() || !forcedAt)
        forcedOwners.clear();
    if (!wereAll)
        forcedOwners.insert(forcedOwners.end(), owners.begin(), owners.end());
}

bool UnlockTrace::isForced(const OwnerId &owner) const
{
    return forcedAt && (forcedOwners.empty() || std::ranges::find(forcedOwners, owner) != forcedOwners.end());
}

MonoTime UnlockTrace::lastHeard() const
{
    MonoTime last = MonoTime::min();
    for (const auto *heard : { &messages, &latches })
        last = heard->empty() ? last : std::max(last, heard->back());
    for (const auto &heardAt : { forcedAt, leaseSetAt, flushedAt })
        last = std::max(last, heardAt.value_or(last));
    return last;
}

void UnlockTrace::explained(MonoTime askedAt, std::size_t messagesUsed, std::size_t latchesUsed)
{
    const auto forget = [askedAt](std::vector<MonoTime> &heard, std::size_t used) {
        const auto later = std::ranges::upper_bound(heard, askedAt);
        heard.erase(heard.begin(), std::max(later, heard.begin() + static_cast<std::ptrdiff_t>(used)));
    };
    forget(messages, messagesUsed);
    forget(latches, latchesUsed);
    for (auto *heardAt : { &forcedAt, &leaseSetAt, &flushedAt }) {
        if (*heardAt && **heardAt <= askedAt)
            heardAt->reset();
    }
}

void EarlyTraces::heard(const LockName &name, Heard what, MonoTime now)
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
    while (!m_order.empty() && (m_order.front().first + RememberTraceFor <= now || m_order.size() >= MostTraces)) {
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
        const auto base = withoutOwner(rest);
        const bool isOfWaiter = base != rest && isPlainOwner(rest.substr(base.size() + 1));
        if (isOfWaiter) // of a fair lock; a lock whose own name ends with an owner is less likely
            addParents(parents, base);
        addParents(parents, rest);
        if (base != rest && !isOfWaiter)
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

} // namespace lockcore::monitor
