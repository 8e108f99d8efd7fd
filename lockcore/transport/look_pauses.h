// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/time.h"

namespace lockcore {

/// Between two looks at which servers there are and who is master, also where all is well: nobody tells of a change.
inline constexpr Millis ShortestLookPause{ 100 };
inline constexpr Millis LongestLookPause{ 2'000 };

} // namespace lockcore
