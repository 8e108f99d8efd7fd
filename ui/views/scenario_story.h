// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/lab_session.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QScrollArea;

namespace lockui {

class ElidedLabel;

/// What a scenario is about, and the buttons that play it.
class ScenarioStory : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioStory(lab::LabSession &session, QWidget *parent = nullptr);

    void setScenario(const lab::Scenario &scenario);
    void showState(); // of the session
    int fullHeight() const; // at this width: nothing has to be scrolled then

Q_SIGNALS:
    void runRequested(bool paused);

private:
    QWidget *buildText();
    QLayout *buildControls();
    void goOn(); // run, pause or resume: what the first button says
    void step();

    lab::LabSession &m_session;
    lab::Scenario m_scenario;
    QWidget *m_text;
    QScrollArea *m_scroll;
    QLabel *m_title;
    QLabel *m_about;
    QLabel *m_codeTitle;
    QLabel *m_code;
    QPushButton *m_run;
    QPushButton *m_step;
    QPushButton *m_stop;
    QComboBox *m_speed;
    ElidedLabel *m_facts;
};

} // namespace lockui
