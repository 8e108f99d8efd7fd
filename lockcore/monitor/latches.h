// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace lockcore::monitor {

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
