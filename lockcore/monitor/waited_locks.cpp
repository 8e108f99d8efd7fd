// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/waited_locks.h"

#include "lockcore/monitor/unlock_trace.h"
#include "lockcore/synchronizers/catalog.h"
#include "lockcore/synchronizers/key_layout.h"

#include <algorithm>

namespace lockcore {

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

} // namespace lockcore
