// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/result.h"
#include "ui/lab/scenario.h"

#include <string>

namespace app {

struct ScenarioChoice {
    lockui::lab::Scenario scenario;
    bool isFile = false; // named with its path; false: known by its name
};

/// What a command line calls a scenario: the name of one that comes with the program, or of one of the person's, or a
/// file. What has a / or a . in it is a file; the names of scenarios have neither.
/// Errors: local/invalid-argument where there is none of this name, or its text is wrong, with the line and the column;
/// local/file-failed.
[[nodiscard]] lockcore::Result<ScenarioChoice> chooseScenario(const std::string &word);

} // namespace app
