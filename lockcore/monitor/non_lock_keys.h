// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"
#include "lockcore/base/time.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lockcore::monitor {

/// Keeps keys that are written often and are no locks from being read at each write: each at most a few times a
/// second, all of them within a budget. Whatever is held back is read later, or left to the next sweep when too much
/// piles up.
class NonLockKeys {
public:
    /// False: it is held back.
    bool mayRead(const LockName &name, MonoTime now);
    void foundNoLock(const LockName &name, MonoTime now);
    /// It is a lock after all.
    void forget(const LockName &name) { m_quietUntil.erase(name); }
    std::vector<LockName> takeDue(MonoTime now); // held back so far, and to be read now
    std::optional<MonoTime> next() const;
    /// Something was dropped since the last call.
    bool takeOverflow();
    void clear();

private:
    bool hasReadsLeft(MonoTime now);
    void hold(const LockName &name, MonoTime until);

    std::unordered_map<LockName, MonoTime> m_quietUntil;
    std::unordered_set<LockName> m_held;
    std::multimap<MonoTime, LockName> m_order;
    MonoTime m_periodStart;
    int m_readsInPeriod = 0;
    bool m_overflow = false;
};

} // namespace lockcore::monitor
