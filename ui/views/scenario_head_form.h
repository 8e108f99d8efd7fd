// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/json_edit.h"
#include "ui/lab/scenario_draft.h"
#include "ui/views/scenario_fields.h"

#include <QWidget>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
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
    struct ClientRow {
        QWidget *all = nullptr;
        QLineEdit *name = nullptr;
        QComboBox *program = nullptr;
        QLineEdit *version = nullptr;
        QCheckBox *renews = nullptr;
        QLabel *error = nullptr;
    };

    void buildServers(QVBoxLayout &layout);
    void buildClients(QVBoxLayout &layout);
    ClientRow buildClient(std::size_t index);
    void showClients();
    void showClient(std::size_t index);
    bool isOfClient(const lab::JsonPath &path) const; // that has a row
    void write(const lab::JsonPath &object, const std::string &member, const std::optional<JsonValue> &value);
    void addClient();
    void renameClient(std::size_t index, const QString &name);
    void writeClient(std::size_t index, const std::string &member, const std::optional<JsonValue> &value);
    const JsonValue &client(std::size_t index) const;

    lab::ScenarioDraft m_draft;
    QLabel *m_error;
    std::vector<ScenarioMember> m_members;
    ScenarioField *m_setting = nullptr;
    ScenarioField *m_servers = nullptr;
    QVBoxLayout *m_clients = nullptr;
    std::vector<ClientRow> m_clientRows;
};

} // namespace lockui
