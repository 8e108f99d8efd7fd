// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/manual_clients.h"
#include "lockcore/synchronizers/admin_command.h"

#include <QString>

namespace lockui {

/// What is done to a lock of others: `force release`
QString actionText(const lockcore::AdminCommand &command);

/// What was done. `server`: as a person names it.
QString successText(
    const lockcore::AdminCommand &command, const lockcore::CommandOutcome &outcome, const std::string &server);

/// Why nothing was: what was found instead of what was expected.
QString refusalText(const lockcore::AdminCommand &command, const lockcore::CommandOutcome &outcome);

/// How what a manual client was asked for ended: `acquired after 1.2 s`
QString outcomeText(const lockcore::ManualOutcome &outcome);

} // namespace lockui
