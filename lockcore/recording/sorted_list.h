// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"
#include "lockcore/monitor/snapshot.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

/// Lists of immutable values by the name of a lock, in which the unchanged keep their pointers.
namespace lockcore {

inline const LockName &lockNameOf(const LockState &lock) { return lock.name; }
inline const LockName &lockNameOf(const LockStatistics &statistics) { return statistics.lock; }

template <typename Value>
using SortedList = std::vector<std::shared_ptr<const Value>>;

template <typename Value>
struct ListChanges {
    std::vector<LockName> gone;
    std::vector<std::pair<const Value *, const Value *>> changed; // as it is, as it was or null
};

template <typename Value>
ListChanges<Value> changesBetween(const SortedList<Value> &before, const SortedList<Value> &now)
{
    ListChanges<Value> changes;
    auto old = before.begin();
    for (const auto &value : now) {
        if (old != before.end() && *old == value) {
            ++old;
            continue;
        }
        for (; old != before.end() && lockNameOf(**old) < lockNameOf(*value); ++old)
            changes.gone.push_back(lockNameOf(**old));
        const bool known = old != before.end() && lockNameOf(**old) == lockNameOf(*value);
        if (!known || *old != value)
            changes.changed.emplace_back(value.get(), known ? old->get() : nullptr);
        if (known)
            ++old;
    }
    for (; old != before.end(); ++old)
        changes.gone.push_back(lockNameOf(**old));
    return changes;
}

/// A list with the changes to it not yet worked in.
template <typename Value>
class ChangingList {
public:
    using Pointer = std::shared_ptr<const Value>;

    void clear()
    {
        m_list.clear();
        m_changes.clear();
    }
    Pointer find(const LockName &name) const
    {
        if (const auto change = m_changes.find(name); change != m_changes.end())
            return change->second;
        const auto place = std::lower_bound(m_list.begin(), m_list.end(), name,
            [](const Pointer &value, const LockName &wanted) { return lockNameOf(*value) < wanted; });
        return place != m_list.end() && lockNameOf(**place) == name ? *place : nullptr;
    }
    void remove(const LockName &name) { m_changes[name] = nullptr; }
    void put(Pointer value)
    {
        if (m_changes.empty() && (m_list.empty() || lockNameOf(*m_list.back()) < lockNameOf(*value)))
            m_list.push_back(std::move(value)); // as a whole frame brings them
        else
            m_changes[lockNameOf(*value)] = std::move(value);
    }
    const SortedList<Value> &list()
    {
        if (!m_changes.empty())
            workIn();
        return m_list;
    }

private:
    void workIn()
    {
        SortedList<Value> merged;
        merged.reserve(m_list.size() + m_changes.size());
        auto old = m_list.begin();
        for (auto &[name, value] : m_changes) {
            for (; old != m_list.end() && lockNameOf(**old) < name; ++old)
                merged.push_back(std::move(*old));
            if (old != m_list.end() && lockNameOf(**old) == name)
                ++old;
            if (value)
                merged.push_back(std::move(value));
        }
        merged.insert(merged.end(), std::make_move_iterator(old), std::make_move_iterator(m_list.end()));
        m_list = std::move(merged);
        m_changes.clear();
    }

    SortedList<Value> m_list;
    std::map<LockName, Pointer> m_changes; // null: gone
};

} // namespace lockcore
