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
class PressGuard;

/// Where a scenario comes from that is not in the list beside it.
struct ScenarioOrigin {
    QString text{}; // its name there; empty: it is of the list
    bool isOwn = false; // among a person's own, to which one goes back
};

/// What a scenario is about, and the buttons that play it.
class ScenarioStory : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioStory(lab::LabSession &session, QWidget *parent = nullptr);

    void leaveFocusTo(QWidget &widget) { m_harmless = &widget; } // by a button that can be pressed no more
    void setScenario(const lab::Scenario &scenario, const ScenarioOrigin &origin);
    void showState(); // of the session
    int fullHeight() const; // at this width: nothing has to be scrolled then

Q_SIGNALS:
    void runRequested(bool paused);
    void backRequested(); // to where it comes from

private:
    QWidget *buildOrigin();
    QWidget *buildText();
    QLayout *buildControls();
    void goOn(); // run, pause or resume: what the first button says
    void step();

    lab::LabSession &m_session;
    QWidget *m_harmless;
    lab::Scenario m_scenario;
    bool m_isPlaying = false; // this one, as it was shown last
    QWidget *m_originLine;
    QPushButton *m_back;
    ElidedLabel *m_origin;
    QWidget *m_text;
    QScrollArea *m_scroll;
    QLabel *m_title;
    QLabel *m_about;
    QLabel *m_codeTitle;
    QLabel *m_code;
    QPushButton *m_run;
    QPushButton *m_step;
    QPushButton *m_stop;
    PressGuard *m_presses;
    QComboBox *m_speed;
    ElidedLabel *m_facts;
};

} // namespace lockui
