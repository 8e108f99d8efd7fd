// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario.h"

#include <string>

namespace lockui::lab {

/// The same story about locks whose names all begin with this, and their keys with them.
Scenario withPrefix(Scenario scenario, const std::string &prefix);

} // namespace lockui::lab
