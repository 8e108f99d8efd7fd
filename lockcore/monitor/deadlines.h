// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace lockcore {

/// When to look at which lock again without being told: an expiry may not be announced for minutes. The records keep
/// their deadlines; in order are only those that are near, since most are put off long before.
class Deadlines {
public:
    void add(const LockName &name, MonoTime at)
    {
        if (at < m_horizon)
            m_near.emplace(at, name);
    }
    /// Those of all records are to be added again before `takeDue`.
    bool mustLookAhead(MonoTime now) const { return m_horizon <= now + Ahead; }
    void lookAhead(MonoTime now)
    {
        m_near = {};
        m_horizon = now + 2 * Ahead;
    }
    /// Also such as have been put off since, and the same one twice.
    template <typename Visit>
    void takeDue(MonoTime now, Visit visit)
    {
        while (!m_near.empty() && m_near.top().first <= now) {
            const Due due = m_near.top();
            m_near.pop();
            visit(due.second, due.first);
        }
    }
    MonoTime next() const
    {
        return m_near.empty() ? m_horizon - Ahead : std::min(m_near.top().first, m_horizon - Ahead);
    }

private:
    using Due = std::pair<MonoTime, LockName>;
    static constexpr std::chrono::seconds Ahead{ 4 };

    std::priority_queue<Due, std::vector<Due>, std::greater<>> m_near;
    MonoTime m_horizon;
};

} // namespace lockcore
