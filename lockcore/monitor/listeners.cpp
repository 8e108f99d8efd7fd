// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/listeners.h"

#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"
#include "lockcore/synchronizers/owner_format.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lockcore::monitor {

using namespace synchronizers;

std::optional<OwnChannel> ownChannel(std::string_view channel)
{
    if (!channel.starts_with(key_layout::LockChannels))
        return std::nullopt;
    const auto rest = channel.substr(key_layout::LockChannels.size());
    auto colon = rest.rfind(':');
    for (int parts = 2; parts <= 3 && colon != rest.npos && colon > 0; ++parts) {
        colon = rest.rfind(':', colon - 1);
        if (colon == rest.npos)
            break;
        const auto owner = parseOwner(rest.substr(colon + 1));
        auto locks = key_layout::unbraced(rest.substr(0, colon));
        if (owner && !owner->write && !locks.empty())
            return OwnChannel{ owner->owner, std::move(locks) };
    }
    return std::nullopt;
}

std::vector<OwnerId> listenersWithoutQueue(const Snapshot &snapshot, const LockState &lock)
{
    std::vector<OwnerId> owners;
    if (!snapshot.channels)
        return owners;
    const std::string start = key_layout::lockChannel(lock.name) + ':';
    const auto &channels = *snapshot.channels;
    for (auto place = std::ranges::lower_bound(channels, start, {}, &ChannelState::channel);
         place != channels.end() && place->channel.starts_with(start); ++place) {
        const auto own = ownChannel(place->channel);
        if (own && !holdsOrQueues(lock, own->owner) && std::ranges::find(owners, own->owner) == owners.end())
            owners.push_back(own->owner);
    }
    return owners;
}

std::vector<LockName> locksListenedForInstead(const Snapshot &snapshot, const LockState &lock)
{
    std::map<OwnerId, std::vector<LockName>> heardFor;
    if (lock.waiters.empty() || !snapshot.channels)
        return {};
    for (const ChannelState &channel : *snapshot.channels) {
        const auto own = ownChannel(channel.channel);
        if (own && hasOwner(lock.waiters, own->owner))
            heardFor[own->owner].push_back(own->locks.front());
    }
    const auto isThis = [queue = key_layout::fairQueue(lock.name)](
                            const LockName &name) { return key_layout::fairQueue(name) == queue; };
    std::vector<LockName> others;
    for (const auto &[owner, names] : heardFor) {
        if (std::ranges::any_of(names, isThis))
            continue;
        for (const LockName &name : names) {
            if (std::ranges::find(others, name) == others.end())
                others.push_back(name);
        }
    }
    return others;
}

std::vector<LockName> WaitedLocks::listed(const std::vector<ChannelState> &channels)
{
    m_waited.clear();
    std::vector<LockName> names;
    for (const ChannelState &channel : channels) {
        const bool isReadWrite = channel.channel.starts_with(key_layout::ReadWriteChannels);
        if (!channel.subscribers || (!isReadWrite && !channel.channel.starts_with(key_layout::LockChannels)))
            continue;
        const Kind kind = isReadWrite ? Kind::ReadWrite : Kind::Reentrant;
        const auto own = locksOfChannel(channel.channel);
        const bool isOfAll = std::ranges::all_of(own,
            [&](const LockName &name) { return channel.channel == rowOf(kind).channel(name); }); // not of one alone
        if (own.empty() || !isOfAll)
            continue;
        // Of `a` and `{a}`, which have one channel between them, it is `a`, unless the other is held.
        m_waited[own.front()] = { kind, *channel.subscribers };
        names.insert(names.end(), own.rbegin(), own.rend());
    }
    return names;
}

std::optional<std::int64_t> WaitedLocks::clients(const LockName &name) const
{
    const auto waited = m_waited.find(name);
    return waited == m_waited.end() ? std::nullopt : std::optional(waited->second.clients);
}

LockReading WaitedLocks::freeLock(const LockName &name) const
{
    LockReading reading;
    reading.name = name;
    const auto waited = m_waited.find(name);
    reading.kind = waited == m_waited.end() ? Kind::Reentrant : waited->second.kind;
    return reading;
}

} // namespace lockcore::monitor
