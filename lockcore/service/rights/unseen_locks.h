// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"
#include "lockcore/monitor/snapshot.h"

namespace lockcore {

/// Whether there may be locks that are not shown, since the user may not look at them.
LOCKCORE_EXPORT bool mayHideLocks(const SourceStatus &status);

} // namespace lockcore
