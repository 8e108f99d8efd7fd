// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/result.h"
#include "lockcore/export.h"

#include <string>
#include <string_view>

namespace lockcore::synchronizers {

/// A string as Redisson's default codec (Kryo 5, since Redisson 3.19) encodes it: for values of faster multi-locks that
/// Java peers lock too.
/// Errors: local/invalid-argument when the text is not UTF-8.
/// Thread: any.
LOCKCORE_EXPORT Result<std::string> kryo5String(std::string_view utf8);

} // namespace lockcore::synchronizers
