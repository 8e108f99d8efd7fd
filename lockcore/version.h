// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"

namespace lockcore {

/// Of the library that is loaded, e.g. "0.1.0".
LOCKCORE_EXPORT const char *version();

} // namespace lockcore
