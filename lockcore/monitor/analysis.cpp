// SPDX-License-Identifier: Apache-2.0
#include "lockcore/monitor/analysis.h"

#include <algorithm>
#include <iterator>

namespace lockcore::monitor {

const LockStatistics *statisticsOf(const Analysis &analysis, const LockName &lock)
{
    return analysis.statistics->find(lock).get();
}

std::vector<Suspect> suspectsOf(const Analysis &analysis, const LockName &lock)
{
    std::vector<Suspect> found;
    std::copy_if(analysis.suspects.begin(), analysis.suspects.end(), std::back_inserter(found),
        [&](const Suspect &suspect) { return suspect.lock == lock; });
    return found;
}

} // namespace lockcore::monitor
