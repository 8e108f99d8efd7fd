// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/finding.h"
#include "lockcore/monitor/snapshot.h"

#include <cstdint>
#include <map>
#include <optional>

namespace lockcore::monitor {

/// Remembers the fencing tokens that were seen. Each hold takes the next number, so that what it writes to can refuse
/// whoever comes with an older one. Where the count began anew, after a restart without data or FLUSHALL, a late writer
/// has a token that is as good as that of the holder, or better.
class FencingTokens {
public:
    void seen(const LockState &lock);
    void vanished(const LockName &lock); // with all its keys, as far as is known
    std::optional<Finding> setBack(const LockState &lock) const;

private:
    struct Given {
        std::int64_t last = 0;
        std::optional<OwnerId> owner; // who was seen with it
        std::optional<std::int64_t> former; // the largest before the count began anew, until that is passed
        bool wasGone = false;
    };

    std::map<LockName, Given> m_given;
};

} // namespace lockcore::monitor
