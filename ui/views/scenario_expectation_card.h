// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/scenario_draft.h"
#include "ui/views/scenario_fields.h"

#include <QWidget>
#include <string>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace lockui {

/// What a step expects of the world: of keys and channels of Redis, of what the monitor shows, of what it tells. Each
/// is a list in "expect".
inline constexpr const char *WorldLists[]{ "redis", "seen", "events" };

/// One element of such a list, as fields.
class ScenarioExpectationCard : public QWidget {
    Q_OBJECT
public:
    ScenarioExpectationCard(std::string list, QWidget *parent);

    const std::string &list() const { return m_list; }
    QStringList memberNames() const; // of those that it has a field for
    /// `path`: of the element.
    void setDraft(const lab::ScenarioDraft &draft, const lab::JsonPath &path, const JsonValue &element);

Q_SIGNALS:
    void memberEdited(const std::string &member, const std::optional<lockui::JsonValue> &value);
    void textWanted(); // there a person wants to write by hand
    void removeWanted();

private:
    void addHead(QVBoxLayout &layout);
    void addFields(QVBoxLayout &layout);
    bool isUseful(const std::string &member, const lab::ScenarioDraft &draft, const JsonValue &element) const;

    const std::string m_list;
    std::vector<ScenarioMember> m_members;
    QLabel *m_error;
};

} // namespace lockui
