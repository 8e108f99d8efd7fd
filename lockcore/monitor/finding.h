// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/monitor/analysis.h"

#include <string>

namespace lockcore::monitor {

/// Between a release and the next hold a lock looks wrong for a moment: what lasts no longer is no suspect.
inline constexpr Millis HandOver{ 1'000 };

/// What looks wrong at this moment, which may be a hand-over. Found again and again for its hold-off, it is a Suspect.
struct Finding {
    SuspectKind kind = SuspectKind::LateRenewal;
    std::string subject; // as in Suspect
    Observation evidence;
    Certainty certainty = Certainty::Inferred;
    Millis holdOff{ 0 }; // it must last for so long

    bool operator==(const Finding &) const = default;
};

} // namespace lockcore::monitor
