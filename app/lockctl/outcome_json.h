// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/json.h"
#include "lockcore/synchronizers/admin_command.h"

#include <string>

namespace lockctl {

Json outcomeJson(const lockcore::synchronizers::AdminCommand &command,
    const lockcore::synchronizers::CommandOutcome &outcome, const std::string &server);

} // namespace lockctl
