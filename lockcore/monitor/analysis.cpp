// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/analysis.h"

#include <algorithm>
#include <iterator>

namespace lockcore {

const LockStatistics *statisticsOf(const Analysis &analysis, const LockName &lock)
{
    const auto &list = *analysis.statistics;
    const auto place = std::lower_bound(
        list.begin(), list.end(), lock, [](const auto &entry, const LockName &name) { return entry->lock < name; });
    return place != list.end() && (*place)->lock == lock ? place->get() : nullptr;
}

std::vector<Suspect> suspectsOf(const Analysis &analysis, const LockName &lock)
{
    std::vector<Suspect> found;
    std::copy_if(analysis.suspects.begin(), analysis.suspects.end(), std::back_inserter(found),
        [&](const Suspect &suspect) { return suspect.lock == lock; });
    return found;
}

} // namespace lockcore
