// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/synchronizers/admin_command.h"

#include <string>

namespace lockctl {

std::string outcomeJson(
    const lockcore::AdminCommand &command, const lockcore::CommandOutcome &outcome, const std::string &server);

} // namespace lockctl
