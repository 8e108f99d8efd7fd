// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_position.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <string_view>
#include <tl/expected.hpp>

namespace lockui::lab {

/// The first thing that is wrong with a scenario's text, in a sentence that says what was expected.
struct ScenarioError {
    TextPosition at;
    QString message;
};

/// Reads the JSON of one scenario; resources/scenarios/scenario.schema.json describes it. What it does not know is an
/// error, as is all that could not be played: nothing has run by then.
tl::expected<Scenario, ScenarioError> readScenario(std::string_view json);

} // namespace lockui::lab
