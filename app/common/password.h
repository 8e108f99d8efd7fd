// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace app {

/// Asks on the controlling terminal, without echo; nothing where there is none.
std::optional<std::string> askPassword(const std::string &question);

} // namespace app
