// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario needs of the computer that it is played on.
#pragma once

#include "lockcore/base/result.h"
#include "ui/lab/scenario.h"

#include <QStringList>

namespace app {

/// Whether redis-server is installed.
/// Errors: local/file-failed with what is missing and what to do.
[[nodiscard]] lockcore::Result<void> checkServerProgram();

/// Whether Java is, and in these places the Redisson that the scenario names. Nothing is started.
/// Errors: as above.
[[nodiscard]] lockcore::Result<void> checkRedisson(
    const lockui::lab::Scenario &scenario, const QStringList &redissonPlaces);

} // namespace app
