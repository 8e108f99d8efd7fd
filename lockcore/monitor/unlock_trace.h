// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockcore {

/// What was heard of a lock since its last reading, and tells why it changed.
struct UnlockTrace {
    std::optional<MonoTime> messageAt; // on its unlock channel: a release, or a force release by another client
    std::optional<MonoTime> latchAt; // the key that only an unlock by the holder itself writes
    std::optional<MonoTime> forcedAt; // by us
    std::optional<MonoTime> flushedAt; // the server said that everything changed

    std::uint16_t messages = 0; // how many
    std::uint16_t latches = 0;

    void heard(std::optional<MonoTime> UnlockTrace::*what, MonoTime at);
    std::optional<MonoTime> releasedAt() const { return latchAt ? latchAt : messageAt; }
    MonoTime lastHeard() const;
    /// One release less is left to be explained.
    void releaseExplained();
    /// Forgets what a look that was asked for later has explained; the rest belongs to the next look.
    void explained(MonoTime askedAt);

    bool operator==(const UnlockTrace &) const = default;
};

/// What was heard of names that are not known to be locks: one that was taken a moment ago may be released before the
/// answer comes that says so.
class EarlyTraces {
public:
    void heard(const LockName &name, std::optional<MonoTime> UnlockTrace::*what, MonoTime now);
    UnlockTrace take(const LockName &name);

private:
    void forgetOld(MonoTime now);

    std::unordered_map<LockName, UnlockTrace> m_traces;
    std::deque<std::pair<MonoTime, LockName>> m_order;
};

/// The locks, semaphores or latches that a channel may belong to: two where braces may be Redisson's or the name's.
/// Empty: none, or one that is not shown.
std::vector<LockName> locksOfChannel(std::string_view channel);
/// Where the clients that wait for it listen. Not for fair locks: there each waiter has a channel of its own.
std::string channelOfWaiters(Kind kind, const LockName &name);

/// The same for the key `redisson_unlock_latch:{name}:<32 hex digits>`.
std::vector<LockName> locksOfUnlockLatch(std::string_view key);

} // namespace lockcore
