// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/analysis.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lockui {

/// All that looks wrong: suspects and deadlocks.
std::int64_t foundCount(const lockcore::monitor::Analysis &analysis);

/// The locks that something looks wrong with, each once, the gravest first.
std::vector<lockcore::LockName> needyLocks(const lockcore::monitor::Analysis &analysis);

/// Those locks, and which of them a person comes to next.
class Attention {
public:
    /// False: it is that of before. Null: nothing is known.
    bool setAnalysis(const std::shared_ptr<const lockcore::monitor::Analysis> &analysis);

    int count() const { return static_cast<int>(m_locks.size()); }
    bool hasMore() const { return m_analysis && m_analysis->moreSuspects > 0; } // than are counted
    /// 1: the one after that which is chosen, -1: the one before; where that needs no attention the gravest, or the
    /// last. Absent: none.
    std::optional<lockcore::LockName> next(int step, const std::optional<lockcore::LockName> &chosen) const;

private:
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::vector<lockcore::LockName> m_locks;
};

} // namespace lockui
