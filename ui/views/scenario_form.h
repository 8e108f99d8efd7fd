// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_draft.h"

#include <QWidget>
#include <string>
#include <vector>

class QListWidget;
class QStackedWidget;
class QToolButton;

namespace lockui {

class ScenarioHeadForm;
class ScenarioStepForm;
class Theme;

/// The head of a scenario and its steps, one at a time, as fields. It shows a text and asks for changes of it; the text
/// is somebody else's. What it has no field for stays as it is written.
class ScenarioForm : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioForm(const Theme &theme, QWidget *parent = nullptr);

    void setText(const std::string &json, const std::vector<lab::ScenarioError> &errors);
    bool isOpen() const { return m_draft.isOpen(); } // false: the text is no JSON
    void chooseStep(int step); // -1: the head
    int chosenStep() const { return m_chosen; }

Q_SIGNALS:
    /// `what`: the same for changes of the same value, which a person makes letter by letter.
    void changeWanted(const lockui::lab::TextChange &change, const QString &what);
    void textWanted(const lockui::lab::JsonPath &path); // there a person wants to write by hand

private:
    QWidget *buildSteps();
    void showSteps();
    void addStep();
    void duplicateStep();
    void moveStep(int by);
    void removeStep();

    const Theme &m_theme;
    lab::ScenarioDraft m_draft;
    int m_chosen = -1;
    bool m_showing = false; // what is chosen in the list is not chosen by a person

    QStackedWidget *m_open; // the form, or why there is none
    QListWidget *m_steps;
    std::vector<QToolButton *> m_stepButtons; // which need a step
    QStackedWidget *m_pages = nullptr;
    ScenarioHeadForm *m_head = nullptr;
    ScenarioStepForm *m_step = nullptr;
};

} // namespace lockui
