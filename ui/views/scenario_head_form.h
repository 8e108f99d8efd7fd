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

/// What a scenario says before its steps: name, title, servers, clients.
class ScenarioHeadForm : public QWidget {
    Q_OBJECT
public:
    explicit ScenarioHeadForm(QWidget *parent = nullptr);

    void setDraft(const lab::ScenarioDraft &draft);

Q_SIGNALS:
    void changeWanted(const lockui::lab::TextChange &change, const QString &what);

private:
    void buildServers(QVBoxLayout &layout);
    void buildClients(QVBoxLayout &layout);
    QWidget *buildClient(std::size_t index);
    void showClients();
    void write(const lab::JsonPath &object, const std::string &member, const std::optional<JsonValue> &value);
    void addClient();
    void renameClient(std::size_t index, const QString &name);
    void letRenew(std::size_t index, bool renews);
    const JsonValue &client(std::size_t index) const;

    lab::ScenarioDraft m_draft;
    QLabel *m_error;
    std::vector<ScenarioMember> m_members;
    ScenarioField *m_setting = nullptr;
    ScenarioField *m_servers = nullptr;
    QVBoxLayout *m_clients = nullptr;
    std::vector<QWidget *> m_clientRows;
};

} // namespace lockui
