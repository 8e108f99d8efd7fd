// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/monitor/snapshot.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace lockcore {

/// Locks whose channel has subscribers. Of a lock that nobody holds nothing else tells: it has no key. The waiters of
/// fair locks listen on channels of their own, and are known by their queue.
/// Source: wire format, section 12.
class WaitedLocks {
public:
    /// Takes in the channels that have subscribers now; returns the names that they may be of, those first that share
    /// a channel with another and are less likely.
    std::vector<LockName> listed(const std::vector<ChannelState> &channels);

    /// Clients subscribed at the last list; absent: none.
    std::optional<std::int64_t> clients(const LockName &name) const;
    /// What such a lock is when it is free.
    LockReading freeLock(const LockName &name) const;

private:
    struct Waited {
        Kind kind = Kind::Reentrant;
        std::int64_t clients = 0;
    };
    std::unordered_map<LockName, Waited> m_waited;
};

} // namespace lockcore
