// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/export.h"

#include <string>
#include <string_view>

namespace lockcore::synchronizers {

/// Whether a name matches a pattern of SCAN's MATCH; an empty pattern matches all.
bool matchesPattern(std::string_view pattern, std::string_view name);

/// Matches this name alone.
LOCKCORE_EXPORT std::string exactPattern(std::string_view name);

} // namespace lockcore::synchronizers
