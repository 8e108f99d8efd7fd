// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_draft.h"

#include <QString>
#include <QWidget>
#include <optional>
#include <string>
#include <vector>

class QToolButton;
class QVBoxLayout;

namespace lockui {

class ScenarioExpectationCard;

/// All that a step expects of the world after it, a card each.
class ScenarioWorldForm : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioWorldForm(QWidget *parent = nullptr);

    void setDraft(const lab::ScenarioDraft &draft, std::size_t step); // of those that it has
    bool shows(const lab::JsonPath &path) const; // at a card: what is wrong there stands in it

Q_SIGNALS:
    void changeWanted(const lockui::lab::TextChange &change, const QString &what);
    void listWanted(const std::string &list, const std::optional<lockui::JsonValue> &value); // the whole of it
    void textWanted(const lockui::lab::JsonPath &path); // there a person wants to write by hand

private:
    /// Where a thing that is expected stands in "expect".
    struct Place {
        std::string list;
        std::size_t index = 0;
    };

    std::vector<Place> places() const;
    lab::JsonPath pathOf(const Place &place) const;
    const JsonValue *listNamed(const std::string &list) const; // null: it has none
    void build(const std::vector<Place> &places);
    ScenarioExpectationCard *buildCard(const Place &place);
    void writeMember(const Place &place, const std::string &member, const std::optional<JsonValue> &value);
    void remove(const Place &place);
    void insert(const std::string &list, const JsonValue &element);
    void offerExamples(QToolButton &button);

    lab::ScenarioDraft m_draft;
    std::size_t m_step = 0;
    QVBoxLayout *m_layout;
    std::vector<ScenarioExpectationCard *> m_cards; // one for each place
    std::string m_insertedInto; // a list whose last card is to have the cursor
};

} // namespace lockui
