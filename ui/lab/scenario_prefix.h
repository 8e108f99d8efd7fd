// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario.h"

#include <string>
#include <vector>

namespace lockui::lab {

/// The names of all its locks; longer ones first.
std::vector<lockcore::LockName> locksIn(const Scenario &scenario);

/// The same story about locks whose names all begin with this, and their keys with them.
Scenario withPrefix(Scenario scenario, const std::string &prefix);

} // namespace lockui::lab
