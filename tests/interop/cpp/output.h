// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/error.h"

#include <string>

namespace interop {

/// One line on stdout, at once.
void say(const std::string &tag, const std::string &text);

/// `error NAME what was said`.
std::string answer(const lockcore::Error &error);

} // namespace interop
