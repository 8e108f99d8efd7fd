// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

#include <algorithm>

namespace lockcore {

/// How long to wait between attempts at something that does not work: twice as long each time, up to a limit. Where
/// many attempt the same, as the clients of a server that restarts, a part of each pause is left to chance, so that
/// they do not come back in the same moment.
struct Backoff {
    Millis first{ 0 };
    Millis longest{ 0 };
    double jitter = 0.5; // the part of each pause that may be missing, 0…1

    /// The next pause, after so many since the last success. `chance`: 0…1, which part of the jitter is taken off.
    constexpr Millis pause(int earlierPauses, double chance = 0) const
    {
        Millis whole = std::min(first, longest);
        for (int i = 0; i < earlierPauses && whole < longest; ++i)
            whole = std::min(whole * 2, longest);
        return whole - Millis(static_cast<Millis::rep>(static_cast<double>(whole.count()) * jitter * chance));
    }
};

} // namespace lockcore
