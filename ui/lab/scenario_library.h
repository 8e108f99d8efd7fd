// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario.h"

#include <QByteArray>
#include <vector>

namespace lockui::lab {

/// The scenarios that come with the program, in the order in which one learns from them.
const std::vector<Scenario> &builtInScenarios();

/// Null: there is none of that name.
const Scenario *builtInScenario(const std::string &name);

/// The text of one as it can be saved, changed and played; empty: there is none of that name.
QByteArray builtInText(const std::string &name);

/// The JSON Schema of scenarios.
QByteArray schemaText();

} // namespace lockui::lab
