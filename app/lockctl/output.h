// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace lockctl {

/// One line on stdout, at once. False: nobody reads it any more.
bool printLine(std::string_view line);

} // namespace lockctl
