// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockcore::monitor {

/// What may be heard of a lock.
enum class Heard : std::uint8_t {
    Message, // on its unlock channel: a release, or a force release by another client
    Latch, // the key that only an unlock by the holder itself writes
    Forced, // released by us
    LeaseSet, // by us
    Flushed, // the server said that everything changed
    ActionBegun, // by us: what it does may be seen before its answer comes
    ActionOver, // and nothing of the above came of it
};

/// A message or a change of a key is heard at the latest so long after a look has shown what it tells of.
constexpr Millis NeverSoLate{ 200 };

/// What was heard of a lock since its last reading, and tells why it changed.
struct UnlockTrace {
    std::vector<MonoTime> messages; // oldest first
    std::vector<MonoTime> latches;
    std::optional<MonoTime> forcedAt;
    std::optional<MonoTime> leaseSetAt;
    std::optional<MonoTime> flushedAt;
    bool awaitsAction = false; // ours
    std::vector<MonoTime> missing; // since when: releases that left their latch, but no message yet; oldest first

    /// A message that was missing is of a release that is known already, and explains nothing more.
    void heard(Heard what, MonoTime at);
    /// Of a lock whose messages were missing for so long, none is to come: it is a spin lock.
    void missedUntil(MonoTime now);
    MonoTime lastHeard() const;
    /// Forgets what was heard before a question that is answered, and of what was heard later so much as explained the
    /// answer; the rest belongs to the next look.
    void explained(MonoTime askedAt, std::size_t messagesUsed, std::size_t latchesUsed);

    bool operator==(const UnlockTrace &) const = default;
};

/// What was heard of names that are not known to be locks: one that was taken a moment ago may be released before the
/// answer comes that says so.
class EarlyTraces {
public:
    void heard(const LockName &name, Heard what, MonoTime now);
    UnlockTrace take(const LockName &name);

private:
    void forgetOld(MonoTime now);

    std::unordered_map<LockName, UnlockTrace> m_traces;
    std::deque<std::pair<MonoTime, LockName>> m_order;
};

/// The locks, semaphores or latches that a channel may belong to: two where braces may be Redisson's or the name's.
/// Empty: none, or one that is not shown.
std::vector<LockName> locksOfChannel(std::string_view channel);

/// The same for the key `redisson_unlock_latch:{name}:<32 hex digits>`.
std::vector<LockName> locksOfUnlockLatch(std::string_view key);

} // namespace lockcore::monitor
