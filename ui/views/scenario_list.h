// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_session.h"
#include "ui/support/wrapped_rows.h"

#include <string>

namespace lockui {

class Theme;

/// Scenarios by their groups, and what became of each since the window was opened.
class ScenarioList : public WrappedRows {
    Q_OBJECT
public:
    explicit ScenarioList(const Theme &theme, QWidget *parent = nullptr);

    void setScenarios(const std::vector<lab::Scenario> &scenarios);
    void showVerdicts(const lab::LabSession &session);
    void choose(const std::string &name);
    std::string chosen() const; // empty: none

Q_SIGNALS:
    void scenarioChosen(const std::string &name);
    void runRequested(const std::string &name); // by a double click or Enter

private:
    void addGroup(const QString &title);
    void addScenario(const lab::Scenario &scenario);
};

} // namespace lockui
