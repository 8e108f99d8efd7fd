// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"
#include "lockcore/synchronizers/synchronizer.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
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
    std::vector<OwnerId> forcedOwners; // whose holds were ended; empty: those of all
    std::optional<MonoTime> leaseSetAt;
    std::optional<MonoTime> flushedAt;
    bool awaitsAction = false; // ours
    std::vector<MonoTime> missing; // since when: releases that left their latch, but no message yet; oldest first

    /// A message that was missing is of a release that is known already, and explains nothing more.
    void heard(Heard what, MonoTime at);
    /// Before it is heard that these were released by us; none: all. Those of an earlier release that no look has shown
    /// yet stay so.
    void forcedOnly(const std::vector<OwnerId> &owners);
    /// Of a lock whose messages were missing for so long, none is to come: it is a spin lock.
    void missedUntil(MonoTime now);
    void forgetLatchesBefore(MonoTime moment);
    bool isForced(const OwnerId &owner) const; // the hold of this one was ended by us
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

/// Which client instances leave a latch at each unlock, as Redisson does since 3.24, and which leave none. What ends a
/// hold of the former without one was no unlock; of the others that is not known, since what older clients release may
/// leave no trace at all. A client is always the same; but a latch may be somebody else's who held the lock between two
/// looks, and a hold that ended without one may have been released by force: the many count.
/// Source: Redisson: RedissonBaseLock.getUnlockLatchName.
class LatchWriters {
public:
    void unlocked(const std::string &client, bool leftLatch)
    {
        if (m_unlocks.size() >= Most && !m_unlocks.contains(client))
            m_unlocks.clear();
        auto &unlocks = m_unlocks[client];
        if (++(leftLatch ? unlocks.withLatch : unlocks.without) == Enough) {
            unlocks.withLatch /= 2;
            unlocks.without /= 2;
        }
    }
    bool isOne(const std::string &client) const
    {
        const auto known = m_unlocks.find(client);
        return known != m_unlocks.end() && outweighs(known->second.withLatch, known->second.without);
    }
    bool isNone(const std::string &client) const
    {
        const auto known = m_unlocks.find(client);
        return known != m_unlocks.end() && outweighs(known->second.without, known->second.withLatch);
    }

private:
    struct Unlocks {
        std::uint16_t withLatch = 0;
        std::uint16_t without = 0;
    };

    static bool outweighs(int many, int few) { return many >= Proof && many >= few * TimesAsMany; }

    static constexpr int Proof = 2;
    static constexpr int TimesAsMany = 4;
    static constexpr std::uint16_t Enough = 1'000;
    static constexpr std::size_t Most = 20'000;

    std::unordered_map<std::string, Unlocks> m_unlocks;
};

/// Tells the writing of an unlock latch from its removal, which is announced in the same words: each has a name of its
/// own that is written once.
class LatchMemory {
public:
    bool isNew(const std::string &key)
    {
        if (!m_seen.insert(key).second)
            return false;
        m_order.push_back(key);
        if (m_order.size() > Most) {
            m_seen.erase(m_order.front());
            m_order.pop_front();
        }
        return true;
    }

private:
    static constexpr std::size_t Most = 20'000;

    std::unordered_set<std::string> m_seen;
    std::deque<std::string> m_order;
};

} // namespace lockcore::monitor
