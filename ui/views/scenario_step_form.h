// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_draft.h"
#include "ui/views/scenario_fields.h"

#include <QWidget>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace lockui {

class ScenarioWorldForm;

/// One step of a scenario: what it does, when, and what is expected of it and of the world after it.
class ScenarioStepForm : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioStepForm(QWidget *parent = nullptr);

    void setDraft(const lab::ScenarioDraft &draft, std::size_t step);

Q_SIGNALS:
    void changeWanted(const lockui::lab::TextChange &change, const QString &what);
    void textWanted(const lockui::lab::JsonPath &path); // there a person wants to write by hand

private:
    void addFields(QVBoxLayout &layout);
    bool isUseful(const ScenarioMember &member) const;
    QStringList knownWords(const std::string &member) const;
    void write(const lab::JsonPath &object, const std::string &member, const std::optional<JsonValue> &value);
    void writeExpected(const std::string &member, const std::optional<JsonValue> &value);
    const JsonValue &step() const { return m_draft.step(m_step); }
    lab::JsonPath path() const { return lab::stepPath(m_step); }
    lab::JsonPath expectPath() const { return lab::inside(path(), std::string("expect")); }

    lab::ScenarioDraft m_draft;
    std::size_t m_step = 0;
    QLabel *m_title;
    QLabel *m_error;
    std::vector<ScenarioMember> m_members;
    ScenarioWorldForm *m_world;
};

} // namespace lockui
