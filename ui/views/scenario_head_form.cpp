// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_head_form.h"

#include "ui/support/widgets.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using lab::JsonPath;
using Shape = ScenarioField::Shape;

namespace {

QStringList settingWords()
{
    QStringList words;
    for (const auto &row : lab::Settings)
        words << QString::fromLatin1(row.text);
    return words;
}

JsonPath clientPath(std::size_t index) { return { std::string("clients"), index }; }

} // namespace

ScenarioHeadForm::ScenarioHeadForm(QWidget *parent)
    : QWidget(parent)
    , m_error(plainLabel(QStringLiteral("fieldError"), this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 12, 18, 12);
    m_error->setWordWrap(true);
    layout->addWidget(formSection(tr("The scenario"), this));
    layout->addWidget(m_error);
    const auto add = [&](Shape shape, const char *member, const QString &label) {
        auto *field = new ScenarioField(shape, label, this);
        layout->addWidget(field);
        m_members.push_back({ member, false, field });
        connect(field, &ScenarioField::edited, this,
            [this, name = std::string(member)](const std::optional<JsonValue> &value) { write({}, name, value); });
        return field;
    };
    add(Shape::Text, "name", tr("Name"))->setHint(tr("one word, as on a command line"));
    add(Shape::Text, "title", tr("Title"));
    add(Shape::Texts, "about", tr("About"));
    add(Shape::Text, "forYourCode", tr("For your code"))->setHint(tr("what it means for code that uses locks"));
    add(Shape::Word, "group", tr("Group"))->setWords(wordsOfSchema({}, "group"));
    layout->addWidget(formSection(tr("Where it is played"), this));
    buildServers(*layout);
    add(Shape::Duration, "watchdog", tr("Watchdog"))->setHint(QStringLiteral("30s"));
    add(Shape::Duration, "fairWait", tr("Fair wait"))->setHint(QStringLiteral("5m"));
    layout->addWidget(formSection(tr("Clients"), this));
    buildClients(*layout);
    layout->addStretch(1);
}

void ScenarioHeadForm::buildServers(QVBoxLayout &layout)
{
    m_setting = new ScenarioField(Shape::Word, tr("Servers"), this);
    m_setting->setHint(QStringLiteral("one"));
    m_setting->setWords(settingWords());
    m_servers = new ScenarioField(Shape::Number, tr("How many"), this);
    layout.addWidget(m_setting);
    layout.addWidget(m_servers);
    connect(m_setting, &ScenarioField::edited, this, [this](const std::optional<JsonValue> &value) {
        const bool areSeveral = value && *value == "independent";
        write({}, "servers", areSeveral ? JsonValue::object({ { "independent", 3 } }) : value);
    });
    connect(m_servers, &ScenarioField::edited, this, [this](const std::optional<JsonValue> &value) {
        write({ std::string("servers") }, "independent", value.value_or(JsonValue()));
    });
}

void ScenarioHeadForm::buildClients(QVBoxLayout &layout)
{
    m_clients = new QVBoxLayout;
    layout.addLayout(m_clients);
    auto *add = new QPushButton(tr("Add a client"), this);
    add->setAutoDefault(false);
    connect(add, &QPushButton::clicked, this, &ScenarioHeadForm::addClient);
    auto *row = new QHBoxLayout;
    row->addWidget(add);
    row->addStretch(1);
    layout.addLayout(row);
}

QWidget *ScenarioHeadForm::buildClient(std::size_t index)
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *name = new QLineEdit(row);
    name->setAccessibleName(tr("Name of client %1").arg(index + 1));
    name->setFixedWidth(160);
    auto *renews = new QCheckBox(tr("its watchdog renews"), row);
    renews->setToolTip(tr("Without it the client is one whose watchdog never comes"));
    auto *remove = new QToolButton(row);
    remove->setText(QStringLiteral("✕"));
    remove->setAccessibleName(tr("Remove client %1").arg(index + 1));
    remove->setToolTip(tr("Remove client %1").arg(index + 1));
    remove->setProperty("role", QStringLiteral("pill"));
    layout->addWidget(name);
    layout->addSpacing(8);
    layout->addWidget(renews);
    layout->addSpacing(8);
    layout->addWidget(remove);
    layout->addStretch(1);
    connect(name, &QLineEdit::textEdited, this, [this, index](const QString &text) { renameClient(index, text); });
    connect(renews, &QCheckBox::clicked, this, [this, index](bool isRenewing) { letRenew(index, isRenewing); });
    connect(remove, &QToolButton::clicked, this, [this, index] {
        Q_EMIT changeWanted(lab::removeElement(m_draft.json, { std::string("clients") }, index), {});
    });
    return row;
}

void ScenarioHeadForm::setDraft(const lab::ScenarioDraft &draft)
{
    m_draft = draft;
    for (const ScenarioMember &member : m_members)
        member.field->setValue(lab::memberOf(m_draft.value, member.name));
    const JsonValue *servers = lab::memberOf(m_draft.value, "servers");
    const JsonValue several("independent");
    const JsonValue *count = servers ? lab::memberOf(*servers, "independent") : nullptr;
    m_setting->setValue(count ? &several : servers);
    m_servers->setValue(count);
    m_servers->setVisible(count != nullptr);
    showClients();
    std::vector<lab::ScenarioError> ours;
    for (const lab::ScenarioError &error : m_draft.errors) {
        if (!lab::stepOf(error.path))
            ours.push_back(error);
    }
    auto members = m_members;
    members.push_back({ "servers", false, count ? m_servers : m_setting });
    showFieldErrors(members, {}, ours, *m_error);
}

void ScenarioHeadForm::showClients()
{
    const JsonValue *clients = lab::memberOf(m_draft.value, "clients");
    const std::size_t count = clients && clients->is_array() ? clients->size() : 0;
    while (m_clientRows.size() > count) {
        m_clientRows.back()->hide();
        m_clientRows.back()->deleteLater(); // its own button may have asked for it
        m_clientRows.pop_back();
    }
    while (m_clientRows.size() < count) {
        m_clientRows.push_back(buildClient(m_clientRows.size()));
        m_clients->addWidget(m_clientRows.back());
    }
    for (std::size_t i = 0; i < count; ++i) {
        const JsonValue &each = client(i);
        const JsonValue *renews = lab::memberOf(each, "renews");
        const QString text = QString::fromStdString(each.is_string() ? each.get<std::string>()
                : each.is_object()                                   ? lab::textOf(each, "name")
                                                                     : lab::lineOf(each));
        auto *name = m_clientRows[i]->findChild<QLineEdit *>();
        if (name->text() != text)
            name->setText(text);
        m_clientRows[i]->findChild<QCheckBox *>()->setChecked(!renews || *renews != false);
    }
}

void ScenarioHeadForm::write(const JsonPath &object, const std::string &member, const std::optional<JsonValue> &value)
{
    Q_EMIT changeWanted(
        value ? lab::setMember(m_draft.json, object, member, *value) : lab::removeMember(m_draft.json, object, member),
        QString::fromStdString(member));
}

/// By the next letter that is free.
void ScenarioHeadForm::addClient()
{
    const std::vector<std::string> taken = m_draft.clients();
    std::string name = "A";
    while (std::ranges::find(taken, name) != taken.end()) {
        if (name.back() < 'Z')
            ++name.back();
        else
            name += 'A';
    }
    const JsonValue *clients = lab::memberOf(m_draft.value, "clients");
    if (clients && clients->is_array())
        Q_EMIT changeWanted(
            lab::insertElement(m_draft.json, { std::string("clients") }, clients->size(), lab::lineOf(name)), {});
    else
        write({}, "clients", JsonValue::array({ name }));
}

void ScenarioHeadForm::renameClient(std::size_t index, const QString &name)
{
    const JsonPath path = clientPath(index);
    Q_EMIT changeWanted(client(index).is_object() ? lab::setMember(m_draft.json, path, "name", name.toStdString())
                                                  : lab::setValue(m_draft.json, path, name.toStdString()),
        QStringLiteral("client %1").arg(index));
}

void ScenarioHeadForm::letRenew(std::size_t index, bool renews)
{
    const JsonPath path = clientPath(index);
    const JsonValue &each = client(index);
    Q_EMIT changeWanted(each.is_object()
            ? lab::setMember(m_draft.json, path, "renews", renews)
            : lab::setValue(m_draft.json, path, JsonValue::object({ { "name", each }, { "renews", renews } })),
        {});
}

const JsonValue &ScenarioHeadForm::client(std::size_t index) const
{
    return lab::memberOf(m_draft.value, "clients")->at(index);
}

} // namespace lockui
