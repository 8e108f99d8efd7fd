// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_set>

namespace lockcore {

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

} // namespace lockcore
