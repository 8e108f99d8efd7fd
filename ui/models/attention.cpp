// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/attention.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

std::int64_t foundCount(const Analysis &analysis)
{
    return std::ssize(analysis.suspects) + std::ssize(analysis.graph->cycles) + analysis.moreSuspects;
}

std::vector<LockName> needyLocks(const Analysis &analysis)
{
    std::vector<LockName> locks;
    std::set<LockName> known;
    const auto add = [&](const LockName &lock) {
        if (known.insert(lock).second)
            locks.push_back(lock);
    };
    for (const WaitCycle &cycle : analysis.graph->cycles)
        for (const WaitEdge &edge : cycle)
            add(edge.lock);
    for (const Suspect &suspect : analysis.suspects)
        add(suspect.lock);
    return locks;
}

bool Attention::setAnalysis(const std::shared_ptr<const Analysis> &analysis)
{
    if (std::exchange(m_analysis, analysis) == analysis)
        return false;
    m_locks = analysis ? needyLocks(*analysis) : std::vector<LockName>();
    return true;
}

std::optional<LockName> Attention::next(int step, const std::optional<LockName> &chosen) const
{
    if (m_locks.empty())
        return std::nullopt;
    const auto size = static_cast<std::ptrdiff_t>(m_locks.size());
    const auto from = chosen ? std::ranges::find(m_locks, *chosen) - m_locks.begin() : size;
    const auto next = from < size ? (from + step + size) % size : step > 0 ? 0 : size - 1;
    return m_locks[static_cast<std::size_t>(next)];
}

} // namespace lockui
