// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/own_scenarios.h"

#include <QDialog>
#include <functional>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockui {

/// Asks for a name under which a scenario is kept, and says why one cannot be.
class ScenarioNameDialog : public QDialog {
    Q_OBJECT
public:
    struct Words {
        QString title;
        QString action; // on the button
    };

    ScenarioNameDialog(
        const lab::OwnScenarios &store, const Words &words, const std::string &suggested, QWidget *parent);

    void show(); // above its parent; it is deleted when it is closed

Q_SIGNALS:
    void chosen(const std::string &name); // which is free

private:
    void check();

    const lab::OwnScenarios &m_store;
    QLineEdit *m_name;
    QLabel *m_problem;
    QPushButton *m_choose;
};

/// Asks what is to become of something, with a button for each answer. Cancel, Escape and closing change nothing.
class QuestionDialog : public QDialog {
    Q_OBJECT
public:
    QuestionDialog(const QString &question, const QString &details, QWidget *parent);

    /// `role`: of the style sheet.
    void addAnswer(const QString &text, const QString &role, std::function<void()> then);
    void show(); // above its parent; it is deleted when it is closed

private:
    QHBoxLayout *m_buttons;
};

} // namespace lockui
