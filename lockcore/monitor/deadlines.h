// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lockcore {

/// When to look at which lock again without being told: an expiry may not be announced for minutes.
class Deadlines {
public:
    void set(const LockName &name, MonoTime at)
    {
        clear(name);
        m_byTime.emplace(at, &m_byName.emplace(name, at).first->first);
    }
    void clear(const LockName &name)
    {
        if (const auto found = m_byName.find(name); found != m_byName.end()) {
            m_byTime.erase({ found->second, &found->first });
            m_byName.erase(found);
        }
    }
    std::vector<LockName> takeDue(MonoTime now)
    {
        std::vector<LockName> due;
        while (!m_byTime.empty() && m_byTime.begin()->first <= now) {
            due.push_back(*m_byTime.begin()->second);
            m_byTime.erase(m_byTime.begin());
            m_byName.erase(due.back());
        }
        return due;
    }
    std::optional<MonoTime> next() const
    {
        return m_byTime.empty() ? std::nullopt : std::optional{ m_byTime.begin()->first };
    }

private:
    std::unordered_map<LockName, MonoTime> m_byName;
    std::set<std::pair<MonoTime, const LockName *>> m_byTime; // the names there
};

} // namespace lockcore
