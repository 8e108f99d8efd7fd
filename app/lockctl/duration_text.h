// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"

#include <string>

namespace lockctl {

/// `0.4 s`, `38.0 s`, `4 m 12 s`, `1 h 22 m`
std::string durationText(lockcore::Millis duration);

} // namespace lockctl
