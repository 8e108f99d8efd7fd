// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/shared_text.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace lockcore {

/// Which client instances leave a latch at each unlock, as Redisson does since 3.24. What ends one of their holds
/// without one was no unlock; of others that is not known, since what older clients release may leave no trace at all.
/// Source: wire format, sections 1.4, 6.1.
class LatchWriters {
public:
    void unlocked(const std::string &client, bool leftLatch)
    {
        if (!leftLatch) {
            m_inARow.erase(client);
            return;
        }
        if (m_inARow.size() >= Most && !m_inARow.contains(client))
            m_inARow.clear();
        if (int &inARow = m_inARow[client]; inARow < Proof)
            ++inARow;
    }
    bool isOne(const std::string &client) const
    {
        const auto known = m_inARow.find(client);
        return known != m_inARow.end() && known->second == Proof;
    }

private:
    static constexpr int Proof = 2; // one may have been left by somebody else, between two looks
    static constexpr std::size_t Most = 20'000;

    std::unordered_map<std::string, int> m_inARow;
};

} // namespace lockcore
