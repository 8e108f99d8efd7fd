// SPDX-License-Identifier: Apache-2.0
#include "lockcore/service/rights/unseen_locks.h"

#include "lockcore/service/rights/missing_rights.h"

#include <algorithm>

namespace lockcore {

bool mayHideLocks(const SourceStatus &status)
{
    // A status has the sentences alone, of several servers with their names in front.
    return std::ranges::any_of(status.missingRights, [](const std::string &sentence) {
        return sentence.ends_with(missingRight(Right::Scan)) || sentence.ends_with(missingRight(Right::ReadKeys))
            || sentence.ends_with(missingRight(Right::ReadCommands));
    });
}

} // namespace lockcore
