// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario_reader.h"
#include "ui/text/json.h"

#include <string>
#include <vector>

namespace lockui::lab {

/// A scenario as it is being written: whatever stands in the text, whether it can be played or not.
struct ScenarioDraft { // NOLINT(bugprone-exception-escape) the move of a JSON value checks an invariant
    std::string json;
    JsonValue value; // of the text; no object: it is no JSON, or no scenario
    std::vector<ScenarioError> errors;

    bool isOpen() const { return value.is_object(); } // to who changes one value of it
    std::size_t stepCount() const;
    const JsonValue &step(std::size_t index) const; // below stepCount()

    // What names it uses, each once.
    std::vector<std::string> clients() const;
    std::vector<std::string> locks() const;
    std::vector<std::string> idsBefore(std::size_t step) const; // numbers, where they have no id of their own

    // What its steps are about.
    bool hasSemaphore() const;
    bool hasLatch() const;

private:
    bool hasStepWith(const std::string &member, const std::vector<std::string> &words) const;
};

ScenarioDraft draftOf(std::string json, std::vector<ScenarioError> errors);

/// Null: it has none of this name, or is no object.
const JsonValue *memberOf(const JsonValue &object, const std::string &name);
/// Empty: it has none, or it is no text.
std::string textOf(const JsonValue &object, const std::string &name);

JsonPath inside(JsonPath path, std::variant<std::string, std::size_t> step);
bool leadsInto(const JsonPath &path, const JsonPath &value); // the value itself included

JsonPath stepPath(std::size_t step);
/// Of an error; absent: it is of no step.
std::optional<std::size_t> stepOf(const JsonPath &path);

} // namespace lockui::lab
