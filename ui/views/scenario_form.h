// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_reader.h"
#include "ui/views/scenario_fields.h"

#include <QWidget>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QListWidget;
class QScrollArea;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace lockui {

class ElidedLabel;
class Theme;

/// The head of a scenario and its steps, one at a time, as fields. It shows a text and asks for changes of it; the text
/// is somebody else's. What it has no field for stays as it is written.
class ScenarioForm : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioForm(const Theme &theme, QWidget *parent = nullptr);

    void setText(const std::string &json, const std::vector<lab::ScenarioError> &errors);
    bool isOpen() const { return m_value.is_object(); } // false: the text is no JSON
    void chooseStep(int step); // -1: the head
    int chosenStep() const { return m_chosen; }

Q_SIGNALS:
    /// `what`: the same for changes of the same value, which a person makes letter by letter.
    void changeWanted(const lockui::lab::TextChange &change, const QString &what);
    void textWanted(const lockui::lab::JsonPath &path); // there a person wants to write by hand

private:
    struct Row {
        std::string member;
        bool isExpected = false; // a member of "expect"
        ScenarioField *field = nullptr;
    };

    QWidget *buildSteps();
    QWidget *buildHead();
    QWidget *buildStep();
    QWidget *buildWorld();
    ScenarioField *addField(QVBoxLayout &layout, std::vector<Row> &rows, ScenarioField::Shape shape, const char *member,
        const QString &label, bool isExpected = false);
    void connectField(const Row &row, bool isHead);

    void showSteps();
    void showHead();
    void showClients();
    void showStep();
    void showWorld(const JsonValue &step);
    void showErrors(const std::vector<Row> &rows, const lab::JsonPath &object, QLabel &rest);
    QStringList knownWords(const std::string &member) const;
    bool isUseful(const Row &row, const JsonValue &step) const;

    lab::JsonPath stepPath() const;
    const JsonValue *chosenValue() const; // null: the head is shown
    std::size_t stepCount() const;
    void write(const lab::JsonPath &object, const std::string &member, const std::optional<JsonValue> &value);
    void writeExpected(const std::string &member, const std::optional<JsonValue> &value);
    void addStep();
    void duplicateStep();
    void moveStep(int by);
    void removeStep();
    void insertExample(const std::string &member, const JsonValue &example);
    void offerExamples(QToolButton &button);

    const Theme &m_theme;
    std::string m_json;
    JsonValue m_value; // of the text; no object: it is no JSON
    std::vector<lab::ScenarioError> m_errors;
    int m_chosen = -1;
    bool m_showing = false; // what is chosen in the list is not chosen by a person

    QStackedWidget *m_open; // the form, or why there is none
    QLabel *m_closed;
    QListWidget *m_steps;
    std::vector<QToolButton *> m_stepButtons; // which need a step
    QStackedWidget *m_pages; // head, step
    QLabel *m_headError = nullptr;
    std::vector<Row> m_headRows;
    ScenarioField *m_setting = nullptr;
    ScenarioField *m_servers = nullptr;
    QVBoxLayout *m_clients = nullptr;
    std::vector<QWidget *> m_clientRows;
    QLabel *m_stepTitle = nullptr;
    QLabel *m_stepError = nullptr;
    std::vector<Row> m_stepRows;
    QVBoxLayout *m_world = nullptr;
    JsonValue m_shownWorld;
};

} // namespace lockui
