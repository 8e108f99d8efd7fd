// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_head_form.h"

#include "ui/support/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using lab::JsonPath;
using Shape = ScenarioField::Shape;

namespace {

const char *nameOf(lab::ClientProgramKind kind) { return lockcore::rowOf(lab::ClientProgramKinds, kind).text; }

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

ScenarioHeadForm::ClientRow ScenarioHeadForm::buildClient(std::size_t index)
{
    constexpr int NameWidth = 140;
    constexpr int VersionWidth = 84;
    ClientRow row{ new QWidget(this) };
    row.name = new QLineEdit(row.all);
    row.name->setAccessibleName(tr("Name of client %1").arg(index + 1));
    row.name->setFixedWidth(NameWidth);
    row.program = new QComboBox(row.all);
    row.program->setAccessibleName(tr("Program of client %1").arg(index + 1));
    row.program->setToolTip(tr("lockcore is this program's own; redisson is the real one, in Java"));
    for (const auto &program : lab::ClientProgramKinds)
        row.program->addItem(QString::fromLatin1(program.text));
    row.version = new QLineEdit(row.all);
    row.version->setAccessibleName(tr("Version of client %1").arg(index + 1));
    row.version->setToolTip(tr("Of Redisson: 3.16.8, or 4 for any that begins with 4."));
    row.version->setPlaceholderText(tr("any version"));
    row.version->setFixedWidth(VersionWidth);
    row.renews = new QCheckBox(tr("its watchdog renews"), row.all);
    row.renews->setToolTip(tr("Without it the client is one whose watchdog never comes"));
    row.error = plainLabel(QStringLiteral("fieldError"), row.all);
    row.error->setWordWrap(true);
    auto *remove = new QToolButton(row.all);
    remove->setText(QStringLiteral("✕"));
    remove->setAccessibleName(tr("Remove client %1").arg(index + 1));
    remove->setToolTip(tr("Remove client %1").arg(index + 1));
    remove->setProperty("role", QStringLiteral("pill"));
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    for (QWidget *each : std::initializer_list<QWidget *>{ row.name, row.program, row.version, row.renews, remove })
        line->addWidget(each);
    line->addStretch(1);
    auto *layout = new QVBoxLayout(row.all);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(line);
    layout->addWidget(row.error);
    connect(row.name, &QLineEdit::textEdited, this, [this, index](const QString &text) { renameClient(index, text); });
    connect(row.program, &QComboBox::activated, this, [this, index](int kind) {
        const auto &chosen = lab::ClientProgramKinds[static_cast<std::size_t>(kind)];
        const bool isUsual = chosen.value == lab::ClientProgramKind::Lockcore;
        writeClient(index, "program", isUsual ? std::nullopt : std::optional<JsonValue>(chosen.text));
    });
    connect(row.version, &QLineEdit::textEdited, this, [this, index](const QString &text) {
        writeClient(index, "version", text.isEmpty() ? std::nullopt : std::optional<JsonValue>(text.toStdString()));
    });
    connect(
        row.renews, &QCheckBox::clicked, this, [this, index](bool renews) { writeClient(index, "renews", renews); });
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
        if (!lab::stepOf(error.path) && !isOfClient(error.path))
            ours.push_back(error);
    }
    auto members = m_members;
    members.push_back({ "servers", false, count ? m_servers : m_setting });
    showFieldErrors(members, {}, ours, *m_error);
}

bool ScenarioHeadForm::isOfClient(const JsonPath &path) const
{
    for (std::size_t i = 0; i < m_clientRows.size(); ++i) {
        if (lab::leadsInto(path, clientPath(i)))
            return true;
    }
    return false;
}

void ScenarioHeadForm::showClients()
{
    const JsonValue *clients = lab::memberOf(m_draft.value, "clients");
    const std::size_t count = clients && clients->is_array() ? clients->size() : 0;
    while (m_clientRows.size() > count) {
        m_clientRows.back().all->hide();
        m_clientRows.back().all->deleteLater(); // its own button may have asked for it
        m_clientRows.pop_back();
    }
    while (m_clientRows.size() < count) {
        m_clientRows.push_back(buildClient(m_clientRows.size()));
        m_clients->addWidget(m_clientRows.back().all);
    }
    for (std::size_t i = 0; i < count; ++i)
        showClient(i);
}

void ScenarioHeadForm::showClient(std::size_t index)
{
    const ClientRow &row = m_clientRows[index];
    const JsonValue &each = client(index);
    const JsonValue *renews = lab::memberOf(each, "renews");
    const auto setText = [](QLineEdit &line, const QString &text) {
        if (line.text() != text)
            line.setText(text);
    };
    setText(*row.name,
        QString::fromStdString(each.is_string() ? each.get<std::string>()
                : each.is_object()              ? lab::textOf(each, "name")
                                                : lab::lineOf(each)));
    setText(*row.version, QString::fromStdString(lab::textOf(each, "version")));
    const QString program = QString::fromStdString(lab::textOf(each, "program"));
    row.program->setCurrentIndex(program.isEmpty() ? 0 : row.program->findText(program)); // none of another name
    const bool isRedisson = program == QLatin1String(nameOf(lab::ClientProgramKind::Redisson));
    row.version->setVisible(isRedisson || !row.version->text().isEmpty());
    row.renews->setVisible(!isRedisson || renews);
    row.renews->setChecked(!renews || *renews != false);
    const auto wrong = std::ranges::find_if(
        m_draft.errors, [&](const lab::ScenarioError &error) { return lab::leadsInto(error.path, clientPath(index)); });
    row.error->setText(wrong == m_draft.errors.end() ? QString() : wrong->message);
    row.error->setVisible(wrong != m_draft.errors.end());
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

/// A client of which nothing is said but its name may be that name alone.
void ScenarioHeadForm::writeClient(std::size_t index, const std::string &member, const std::optional<JsonValue> &value)
{
    const JsonPath path = clientPath(index);
    const JsonValue &each = client(index);
    const QString what = QStringLiteral("client %1 ").arg(index) + QString::fromStdString(member);
    if (each.is_object())
        Q_EMIT changeWanted(
            value ? lab::setMember(m_draft.json, path, member, *value) : lab::removeMember(m_draft.json, path, member),
            what);
    else if (value)
        Q_EMIT changeWanted(
            lab::setValue(m_draft.json, path, JsonValue::object({ { "name", each }, { member, *value } })), what);
}

const JsonValue &ScenarioHeadForm::client(std::size_t index) const
{
    return lab::memberOf(m_draft.value, "clients")->at(index);
}

} // namespace lockui
