// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockcore/base/ids.h"

namespace lockcore {

/// Another one at each call, for all services of the process.
/// Thread: any.
CommandId nextCommandId();

} // namespace lockcore
