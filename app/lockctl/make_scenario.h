// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/lockctl/requests.h"

namespace lockctl {

/// Makes a scenario of a part of a recording, and prints it or writes it to a file. The exit status.
int makeScenario(const MakeScenarioRequest &request);

} // namespace lockctl
