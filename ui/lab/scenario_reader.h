// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_position.h"
#include "ui/lab/scenario.h"

#include <QString>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockui::lab {

/// Something that is wrong with a scenario's text, in a sentence that says what was expected.
struct ScenarioError {
    TextPosition at;
    QString message;
    JsonPath path{}; // of the value that is wrong
};

/// `line 3, column 14: …`
QString placedText(const ScenarioError &error);

struct ScenarioReading {
    Scenario scenario; // to be relied on only when there is no error
    std::vector<ScenarioError> errors; // at most one a step; none: it can be played
};

/// Reads the JSON of one scenario; resources/scenarios/scenario.schema.json describes it. What it does not know is an
/// error, as is all that could not be played: nothing has run by then.
ScenarioReading readThrough(std::string_view json);

/// The same for who only wants to play it: the first error is enough.
tl::expected<Scenario, ScenarioError> readScenario(std::string_view json);

} // namespace lockui::lab
