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

/// Those locks, and which of them a person has come to.
class Attention {
public:
    /// False: it is that of before. Null: nothing is known.
    bool setAnalysis(const std::shared_ptr<const lockcore::monitor::Analysis> &analysis);

    int count() const { return static_cast<int>(m_locks.size()); }
    bool hasMore() const { return m_analysis && m_analysis->moreSuspects > 0; } // than are counted
    std::optional<lockcore::LockName> next(int step); // 1: the one after, -1: the one before; absent: none

private:
    std::shared_ptr<const lockcore::monitor::Analysis> m_analysis;
    std::vector<lockcore::LockName> m_locks;
    lockcore::LockName m_shown; // the last one that was asked for
};

} // namespace lockui
