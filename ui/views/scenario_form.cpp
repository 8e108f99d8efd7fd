// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_form.h"

#include "ui/lab/scenario_words.h"
#include "ui/support/theme.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <set>

namespace lockui {

using lab::JsonPath;
using Shape = ScenarioField::Shape;

namespace {

constexpr const char *WorldLists[]{ "redis", "seen", "events" };

const JsonValue *memberOf(const JsonValue &object, const std::string &name)
{
    const auto found = object.is_object() ? object.find(name) : object.end();
    return object.is_object() && found != object.end() ? &*found : nullptr;
}

std::string textOf(const JsonValue &object, const std::string &name)
{
    const JsonValue *value = memberOf(object, name);
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

/// Null: no act of this name.
const lab::ActRow *actOf(const JsonValue &step)
{
    const auto *row = std::ranges::find(
        lab::Acts, textOf(step, "do"), [](const lab::ActRow &each) { return std::string(each.name); });
    return row == std::end(lab::Acts) ? nullptr : row;
}

/// `A lock invoice`
QString stepSummary(const JsonValue &step)
{
    QStringList words;
    for (const char *member : { "client", "do", "lock" }) {
        if (const std::string text = textOf(step, member); !text.empty())
            words << displayText(text, 60);
    }
    if (const JsonValue *locks = memberOf(step, "locks"); locks && locks->is_array()) {
        for (const JsonValue &each : *locks) {
            if (each.is_string())
                words << displayText(each.get<std::string>(), 60);
        }
    }
    return words.join(u' ');
}

QStringList toWords(const std::vector<std::string> &all)
{
    QStringList words;
    for (const std::string &each : all)
        words << QString::fromStdString(each);
    return words;
}

bool beginsWith(const JsonPath &path, const JsonPath &beginning)
{
    return path.size() >= beginning.size() && std::equal(beginning.begin(), beginning.end(), path.begin());
}

JsonPath inside(JsonPath path, std::variant<std::string, std::size_t> step)
{
    path.push_back(std::move(step));
    return path;
}

QLabel *sectionTitle(const QString &text, QWidget *parent)
{
    QLabel *title = plainLabel(QStringLiteral("section"), parent);
    title->setText(text);
    title->setContentsMargins(0, 8, 0, 0);
    return title;
}

/// A column of fields that is scrolled where it is too high.
QScrollArea *scrolled(QWidget *content, QWidget *parent)
{
    auto *area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    content->setProperty("role", QStringLiteral("page"));
    content->setAttribute(Qt::WA_StyledBackground);
    area->setWidget(content);
    return area;
}

} // namespace

ScenarioForm::ScenarioForm(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_open(new QStackedWidget(this))
    , m_closed(plainLabel(QStringLiteral("emptyText"), this))
    , m_steps(new QListWidget(this))
    , m_pages(new QStackedWidget(this))
{
    auto *splitter = new QSplitter(this);
    splitter->addWidget(buildSteps());
    splitter->addWidget(m_pages);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({ 230, 600 });
    m_pages->addWidget(buildHead());
    m_pages->addWidget(buildStep());
    m_closed->setAlignment(Qt::AlignCenter);
    m_closed->setWordWrap(true);
    m_closed->setMargin(24);
    m_closed->setText(tr("The form is closed: the text is no JSON at the moment. Mend the place that is marked in the "
                         "text, and the form opens again."));
    m_open->addWidget(splitter);
    m_open->addWidget(m_closed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_open);
    connect(&theme, &Theme::changed, this, &ScenarioForm::showSteps);
    m_open->setCurrentWidget(m_closed);
}

QWidget *ScenarioForm::buildSteps()
{
    auto *side = new QWidget(this);
    side->setProperty("role", QStringLiteral("side"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setMinimumWidth(170);
    m_steps->setProperty("role", QStringLiteral("cards"));
    m_steps->setAccessibleName(tr("Steps"));
    m_steps->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_showing && row >= 0)
            chooseStep(row - 1);
    });
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    const auto add = [&](const QString &sign, const QString &name, const QKeySequence &key, auto &&act) {
        auto *button = new QToolButton(side);
        button->setText(sign);
        button->setAccessibleName(name);
        button->setToolTip(plainToolTip(name + QStringLiteral(" (%1)").arg(key.toString(QKeySequence::NativeText))));
        button->setProperty("role", QStringLiteral("button"));
        buttons->addWidget(button);
        connect(button, &QToolButton::clicked, this, act);
        auto *shortcut = new QShortcut(key, m_steps, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, button, &QToolButton::click);
        return button;
    };
    add(QStringLiteral("+"), tr("Add a step"), QKeySequence(Qt::Key_Insert), [this] { addStep(); });
    m_stepButtons = {
        add(QStringLiteral("⧉"), tr("Duplicate the step"), QKeySequence(Qt::CTRL | Qt::Key_D),
            [this] { duplicateStep(); }),
        add(QStringLiteral("↑"), tr("Move the step up"), QKeySequence(Qt::ALT | Qt::Key_Up), [this] { moveStep(-1); }),
        add(QStringLiteral("↓"), tr("Move the step down"), QKeySequence(Qt::ALT | Qt::Key_Down),
            [this] { moveStep(1); }),
        add(QStringLiteral("✕"), tr("Delete the step"), QKeySequence(Qt::Key_Delete), [this] { removeStep(); }),
    };
    buttons->addStretch(1);
    auto *layout = new QVBoxLayout(side);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_steps, 1);
    layout->addLayout(buttons);
    return side;
}

ScenarioField *ScenarioForm::addField(
    QVBoxLayout &layout, std::vector<Row> &rows, Shape shape, const char *member, const QString &label, bool isExpected)
{
    auto *field = new ScenarioField(shape, label, layout.parentWidget());
    if (shape == Shape::Duration || shape == Shape::Window)
        field->setHint(QStringLiteral("3s, 250ms"));
    layout.addWidget(field);
    rows.push_back({ member, isExpected, field });
    return field;
}

void ScenarioForm::connectField(const Row &row, bool isHead)
{
    connect(row.field, &ScenarioField::edited, this,
        [this, isHead, member = row.member, isExpected = row.isExpected](const std::optional<JsonValue> &value) {
            if (isExpected)
                writeExpected(member, value);
            else
                write(isHead ? JsonPath{} : stepPath(), member, value);
        });
}

QWidget *ScenarioForm::buildHead()
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 12, 18, 12);
    m_headError = plainLabel(QStringLiteral("fieldError"), page);
    m_headError->setWordWrap(true);
    layout->addWidget(sectionTitle(tr("The scenario"), page));
    layout->addWidget(m_headError);
    addField(*layout, m_headRows, Shape::Text, "name", tr("Name"))->setHint(tr("one word, as on a command line"));
    addField(*layout, m_headRows, Shape::Text, "title", tr("Title"));
    addField(*layout, m_headRows, Shape::Texts, "about", tr("About"));
    layout->addWidget(sectionTitle(tr("Where it is played"), page));
    m_setting = new ScenarioField(Shape::Word, tr("Servers"), page);
    m_setting->setWords({ QStringLiteral("one"), QStringLiteral("replicated"), QStringLiteral("independent") });
    m_servers = new ScenarioField(Shape::Number, tr("How many"), page);
    layout->addWidget(m_setting);
    layout->addWidget(m_servers);
    addField(*layout, m_headRows, Shape::Duration, "watchdog", tr("Watchdog"))->setHint(QStringLiteral("30s"));
    addField(*layout, m_headRows, Shape::Duration, "fairWait", tr("Fair wait"))->setHint(QStringLiteral("5m"));
    connect(m_setting, &ScenarioField::edited, this, [this](const std::optional<JsonValue> &value) {
        const bool areSeveral = value && *value == "independent";
        write({}, "servers", areSeveral ? JsonValue::object({ { "independent", 3 } }) : value);
    });
    connect(m_servers, &ScenarioField::edited, this, [this](const std::optional<JsonValue> &value) {
        write({ std::string("servers") }, "independent", value.value_or(JsonValue()));
    });
    layout->addWidget(sectionTitle(tr("Clients"), page));
    m_clients = new QVBoxLayout;
    layout->addLayout(m_clients);
    auto *add = new QPushButton(tr("Add a client"), page);
    connect(add, &QPushButton::clicked, this, [this] {
        std::set<QString> taken;
        for (const QString &each : knownWords("client"))
            taken.insert(each);
        QString name = QStringLiteral("A");
        while (taken.contains(name))
            name = name.at(0) < u'Z' ? QString(QChar(name.at(0).unicode() + 1)) + name.mid(1)
                                     : QStringLiteral("A") + name;
        if (memberOf(m_value, "clients"))
            Q_EMIT changeWanted(
                lab::insertElement(m_json, { std::string("clients") }, 1'000, lab::lineOf(name.toStdString())), {});
        else
            write({}, "clients", JsonValue::array({ name.toStdString() }));
    });
    auto *row = new QHBoxLayout;
    row->addWidget(add);
    row->addStretch(1);
    layout->addLayout(row);
    layout->addStretch(1);
    for (const Row &each : m_headRows)
        connectField(each, true);
    return scrolled(page, this);
}

QWidget *ScenarioForm::buildStep()
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(18, 12, 18, 12);
    m_stepTitle = sectionTitle({}, page);
    m_stepError = plainLabel(QStringLiteral("fieldError"), page);
    m_stepError->setWordWrap(true);
    layout->addWidget(m_stepTitle);
    layout->addWidget(m_stepError);
    const auto add = [&](Shape shape, const char *member, const QString &label, bool isExpected = false) {
        return addField(*layout, m_stepRows, shape, member, label, isExpected);
    };
    add(Shape::Word, "do", tr("Does"));
    add(Shape::Text, "client", tr("Client"));
    add(Shape::Text, "lock", tr("Lock"));
    add(Shape::Names, "locks", tr("Several as one"))->setHint(tr("names of locks, with commas between them"));
    add(Shape::Word, "kind", tr("Kind"));
    add(Shape::Word, "mode", tr("Mode"));
    add(Shape::Word, "variant", tr("Variant"));
    add(Shape::Duration, "lease", tr("Lease"))->setHint(tr("watchdog"));
    add(Shape::Duration, "wait", tr("Waits at most"))->setHint(tr("forever"));
    add(Shape::Duration, "retry", tr("Tries again for"));
    add(Shape::Number, "count", tr("Count"))->setHint(QStringLiteral("1"));
    add(Shape::Number, "thread", tr("Thread"))->setHint(QStringLiteral("1"));
    add(Shape::Number, "server", tr("Server"))->setHint(QStringLiteral("1"));
    layout->addWidget(sectionTitle(tr("When"), page));
    add(Shape::Names, "after", tr("After the end of"))->setHint(tr("ids of earlier steps"));
    add(Shape::Duration, "pause", tr("Pause before"));
    add(Shape::Flag, "meanwhile", tr("the next step does not wait for the end of this one"));
    add(Shape::Text, "id", tr("Id"))->setHint(tr("for steps that come after it"));
    add(Shape::Text, "note", tr("Note"))->setHint(tr("what one sees, and why"));
    layout->addWidget(sectionTitle(tr("Expected"), page));
    add(Shape::Word, "outcome", tr("Outcome"), true);
    add(Shape::Word, "error", tr("Error"), true);
    add(Shape::Window, "took", tr("Took from"), true);
    add(Shape::Text, "tokenAbove", tr("Token above that of"), true);
    add(Shape::Names, "order", tr("Ended in order"), true)->setHint(tr("ids of steps"));
    add(Shape::Duration, "within", tr("Within"), true)->setHint(QStringLiteral("5s"));
    add(Shape::Duration, "stays", tr("Stays so for"), true);
    layout->addWidget(buildWorld());
    layout->addStretch(1);
    for (const Row &each : m_stepRows) {
        const std::vector<std::string> objects
            = each.isExpected ? std::vector<std::string>{ "steps", "expect" } : std::vector<std::string>{ "steps" };
        if (const QStringList words = toWords(lab::wordsOf(objects, each.member)); !words.isEmpty())
            each.field->setWords(words);
        connectField(each, false);
    }
    return scrolled(page, this);
}

QWidget *ScenarioForm::buildWorld()
{
    auto *world = new QWidget(this);
    auto *layout = new QVBoxLayout(world);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    m_world = new QVBoxLayout;
    m_world->setSpacing(4);
    layout->addLayout(m_world);
    auto *example = new QToolButton(world);
    example->setText(tr("Insert example"));
    example->setToolTip(tr("Something to expect of keys in Redis, of what the monitor shows, or of its events"));
    example->setProperty("role", QStringLiteral("button"));
    auto *text = new QToolButton(world);
    text->setText(tr("Edit in the text"));
    text->setToolTip(tr("Shows this step in the text"));
    text->setProperty("role", QStringLiteral("button"));
    auto *row = new QHBoxLayout;
    row->addWidget(example);
    row->addWidget(text);
    row->addStretch(1);
    layout->addLayout(row);
    connect(example, &QToolButton::clicked, this, [this, example] { offerExamples(*example); });
    connect(
        text, &QToolButton::clicked, this, [this] { Q_EMIT textWanted(inside(stepPath(), std::string("expect"))); });
    return world;
}

void ScenarioForm::setText(const std::string &json, const std::vector<lab::ScenarioError> &errors)
{
    m_json = json;
    m_errors = errors;
    m_value = JsonValue::parse(json, nullptr, false);
    m_open->setCurrentIndex(isOpen() ? 0 : 1);
    if (!isOpen())
        return;
    m_chosen = std::min(m_chosen, static_cast<int>(stepCount()) - 1);
    showSteps();
    chooseStep(m_chosen);
}

void ScenarioForm::chooseStep(int step)
{
    m_chosen = std::clamp(step, -1, static_cast<int>(stepCount()) - 1);
    const QScopedValueRollback showing(m_showing, true);
    m_steps->setCurrentRow(m_chosen + 1);
    for (QToolButton *button : m_stepButtons)
        button->setEnabled(m_chosen >= 0);
    m_pages->setCurrentIndex(m_chosen < 0 ? 0 : 1);
    if (m_chosen < 0)
        showHead();
    else
        showStep();
}

void ScenarioForm::showSteps()
{
    if (!isOpen())
        return;
    const QScopedValueRollback showing(m_showing, true);
    const int rows = static_cast<int>(stepCount()) + 1;
    while (m_steps->count() > rows)
        delete m_steps->takeItem(m_steps->count() - 1);
    while (m_steps->count() < rows)
        m_steps->addItem(QString());
    const QColor danger = m_theme.color(Tone::Danger);
    for (int row = 0; row < rows; ++row) {
        const auto index = static_cast<std::size_t>(row - 1);
        const bool isHead = row == 0;
        const auto wrong = std::ranges::find_if(m_errors, [&](const lab::ScenarioError &error) {
            const bool isOfStep = error.path.size() > 1 && error.path.front() == JsonPath::value_type("steps");
            return isHead ? !isOfStep : isOfStep && error.path[1] == JsonPath::value_type(index);
        });
        const bool isWrong = wrong != m_errors.end();
        const QString text = isHead
            ? tr("The scenario")
            : QStringLiteral("%1  %2").arg(row).arg(stepSummary(memberOf(m_value, "steps")->at(index)));
        QListWidgetItem &item = *m_steps->item(row);
        item.setText(isWrong ? QStringLiteral("⚠ ") + text : text);
        item.setForeground(isWrong ? danger : m_theme.color(Tone::Normal));
        item.setToolTip(isWrong ? plainToolTip(wrong->message) : QString());
    }
}

void ScenarioForm::showHead()
{
    for (const Row &row : m_headRows)
        row.field->setValue(memberOf(m_value, row.member));
    const JsonValue *servers = memberOf(m_value, "servers");
    const JsonValue several("independent");
    const JsonValue *count = servers ? memberOf(*servers, "independent") : nullptr;
    m_setting->setValue(count ? &several : servers);
    m_servers->setValue(count);
    m_servers->setVisible(count != nullptr);
    showClients();
    auto rows = m_headRows;
    rows.push_back({ "servers", false, count ? m_servers : m_setting });
    showErrors(rows, {}, *m_headError);
}

void ScenarioForm::showClients()
{
    const JsonValue *clients = memberOf(m_value, "clients");
    const std::size_t count = clients && clients->is_array() ? clients->size() : 0;
    while (m_clientRows.size() > count) {
        m_clientRows.back()->deleteLater();
        m_clientRows.back()->hide();
        m_clientRows.pop_back();
    }
    for (std::size_t i = m_clientRows.size(); i < count; ++i) {
        auto *row = new QWidget(m_clients->parentWidget());
        auto *layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto *name = new QLineEdit(row);
        name->setAccessibleName(tr("Name of client %1").arg(i + 1));
        name->setFixedWidth(160);
        auto *renews = new QCheckBox(tr("its watchdog renews"), row);
        renews->setToolTip(tr("Without it the client is one whose watchdog never comes"));
        auto *remove = new QToolButton(row);
        remove->setText(QStringLiteral("✕"));
        remove->setAccessibleName(tr("Remove client %1").arg(i + 1));
        remove->setProperty("role", QStringLiteral("button"));
        layout->addWidget(name);
        layout->addSpacing(8);
        layout->addWidget(renews);
        layout->addWidget(remove);
        layout->addStretch(1);
        const JsonPath path{ std::string("clients"), i };
        connect(name, &QLineEdit::textEdited, this, [this, path](const QString &text) {
            const bool isObject = memberOf(m_value, "clients")->at(std::get<std::size_t>(path[1])).is_object();
            Q_EMIT changeWanted(isObject ? lab::setMember(m_json, path, "name", text.toStdString())
                                         : lab::setValue(m_json, path, text.toStdString()),
                QStringLiteral("client %1").arg(std::get<std::size_t>(path[1])));
        });
        connect(renews, &QCheckBox::clicked, this, [this, path](bool isRenewing) {
            const JsonValue &client = memberOf(m_value, "clients")->at(std::get<std::size_t>(path[1]));
            Q_EMIT changeWanted(client.is_object()
                    ? lab::setMember(m_json, path, "renews", isRenewing)
                    : lab::setValue(m_json, path, JsonValue{ { "name", client }, { "renews", isRenewing } }),
                {});
        });
        connect(remove, &QToolButton::clicked, this,
            [this, i] { Q_EMIT changeWanted(lab::removeElement(m_json, { std::string("clients") }, i), {}); });
        m_clients->addWidget(row);
        m_clientRows.push_back(row);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const JsonValue &client = clients->at(i);
        const JsonValue *renews = memberOf(client, "renews");
        auto *name = m_clientRows[i]->findChild<QLineEdit *>();
        const QString text = QString::fromStdString(client.is_string() ? client.get<std::string>()
                : client.is_object()                                   ? textOf(client, "name")
                                                                       : lab::lineOf(client));
        if (name->text() != text)
            name->setText(text);
        m_clientRows[i]->findChild<QCheckBox *>()->setChecked(!renews || *renews != false);
    }
}

void ScenarioForm::showStep()
{
    const JsonValue &step = *chosenValue();
    const JsonValue *expect = memberOf(step, "expect");
    m_stepTitle->setText(tr("Step %1").arg(m_chosen + 1));
    for (const Row &row : m_stepRows) {
        if (const QStringList words = knownWords(row.member); !words.isEmpty())
            row.field->setWords(words);
        const JsonValue *value
            = row.isExpected ? (expect ? memberOf(*expect, row.member) : nullptr) : memberOf(step, row.member);
        row.field->setValue(value);
        row.field->setVisible(value || row.field->isAncestorOf(focusWidget()) || isUseful(row, step));
    }
    showWorld(step);
    showErrors(m_stepRows, stepPath(), *m_stepError);
}

/// What a step of this act can have; what it has all the same is shown, too.
bool ScenarioForm::isUseful(const Row &row, const JsonValue &step) const
{
    const lab::ActRow *act = actOf(step);
    if (!act)
        return !row.isExpected;
    using lab::Act;
    const std::string &member = row.member;
    const std::string kind = textOf(step, "kind");
    const bool takes = act->value == Act::Lock || act->value == Act::Unlock;
    const bool isClients = act->actor == lab::Actor::Client;
    if (member == "client")
        return isClients;
    if (member == "lock")
        return act->needsLock;
    if (member == "locks" || member == "variant")
        return takes && kind.empty();
    if (member == "kind" || member == "thread" || member == "retry")
        return isClients && act->needsLock;
    if (member == "mode")
        return kind == "readWrite";
    if (member == "lease")
        return act->value == Act::Lock || act->value == Act::Renew;
    if (member == "wait")
        return act->value == Act::Lock || act->value == Act::Await;
    if (member == "count")
        return act->value == Act::SetPermits || act->value == Act::SetCount || (takes && kind == "semaphore");
    if (member == "server")
        return act->actor == lab::Actor::Server && memberOf(m_value, "servers");
    if (member == "outcome" || member == "error" || member == "took")
        return act->needsLock;
    if (member == "tokenAbove")
        return kind == "fenced";
    return true;
}

void ScenarioForm::showWorld(const JsonValue &step)
{
    const JsonValue *expect = memberOf(step, "expect");
    JsonValue world = JsonValue::array();
    for (const char *list : WorldLists) {
        const JsonValue *all = expect ? memberOf(*expect, list) : nullptr;
        for (std::size_t i = 0; all && all->is_array() && i < all->size(); ++i)
            world.push_back(JsonValue::array({ m_chosen, list, i, all->at(i) }));
    }
    if (world == m_shownWorld)
        return;
    m_shownWorld = world;
    while (QLayoutItem *item = m_world->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const JsonValue &each : world) {
        const auto list = each.at(1).get<std::string>();
        const auto index = each.at(2).get<std::size_t>();
        const JsonPath path = inside(inside(inside(stepPath(), std::string("expect")), list), index);
        auto *row = new QWidget(this);
        auto *layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        auto *name = plainLabel(QStringLiteral("muted"), row);
        name->setFixedWidth(104);
        name->setText(list == "redis" ? tr("In Redis") : list == "seen" ? tr("Shown") : tr("Told"));
        auto *text = new ElidedLabel(QStringLiteral("tokenLine"), row);
        text->setText(displayText(lab::lineOf(each.at(3))));
        auto *edit = new QToolButton(row);
        edit->setText(tr("Edit"));
        edit->setToolTip(tr("Shows it in the text"));
        auto *remove = new QToolButton(row);
        remove->setText(QStringLiteral("✕"));
        remove->setAccessibleName(tr("Remove what is expected"));
        for (QToolButton *button : { edit, remove })
            button->setProperty("role", QStringLiteral("button"));
        layout->addWidget(name);
        layout->addWidget(text, 1);
        layout->addWidget(edit);
        layout->addWidget(remove);
        connect(edit, &QToolButton::clicked, this, [this, path] { Q_EMIT textWanted(path); });
        connect(remove, &QToolButton::clicked, this, [this, list, index] {
            const JsonValue &all = *memberOf(*memberOf(*chosenValue(), "expect"), list);
            if (all.size() == 1)
                writeExpected(list, std::nullopt);
            else
                Q_EMIT changeWanted(
                    lab::removeElement(m_json, inside(inside(stepPath(), std::string("expect")), list), index), {});
        });
        m_world->addWidget(row);
    }
}

void ScenarioForm::showErrors(const std::vector<Row> &rows, const JsonPath &object, QLabel &rest)
{
    QStringList others;
    for (const Row &row : rows)
        row.field->setError({});
    for (const lab::ScenarioError &error : m_errors) {
        const bool isOfOtherStep
            = object.empty() && error.path.size() > 1 && error.path.front() == JsonPath::value_type("steps");
        if (!beginsWith(error.path, object) || isOfOtherStep)
            continue;
        const auto row = std::ranges::find_if(rows, [&](const Row &each) {
            JsonPath path = object;
            if (each.isExpected)
                path.emplace_back(std::string("expect"));
            return beginsWith(error.path, inside(path, each.member));
        });
        if (row == rows.end())
            others << error.message;
        else
            row->field->setError(error.message);
    }
    rest.setText(others.join(u'\n'));
    rest.setVisible(!others.isEmpty());
}

/// Words that stand elsewhere in the scenario.
QStringList ScenarioForm::knownWords(const std::string &member) const
{
    QStringList words;
    if (member == "client") {
        const JsonValue *clients = memberOf(m_value, "clients");
        for (std::size_t i = 0; clients && clients->is_array() && i < clients->size(); ++i) {
            const JsonValue &client = clients->at(i);
            words << QString::fromStdString(client.is_string() ? client.get<std::string>() : textOf(client, "name"));
        }
    } else if (member == "lock") {
        for (std::size_t i = 0; i < stepCount(); ++i)
            words << QString::fromStdString(textOf(memberOf(m_value, "steps")->at(i), "lock"));
    } else if (member == "after" || member == "order" || member == "tokenAbove") {
        for (int i = 0; i < m_chosen; ++i) {
            const std::string id = textOf(memberOf(m_value, "steps")->at(static_cast<std::size_t>(i)), "id");
            words << (id.empty() ? QString::number(i + 1) : QString::fromStdString(id));
        }
    }
    words.removeAll(QString());
    words.removeDuplicates();
    return words;
}

JsonPath ScenarioForm::stepPath() const { return { std::string("steps"), static_cast<std::size_t>(m_chosen) }; }

const JsonValue *ScenarioForm::chosenValue() const
{
    return m_chosen < 0 ? nullptr : &memberOf(m_value, "steps")->at(static_cast<std::size_t>(m_chosen));
}

std::size_t ScenarioForm::stepCount() const
{
    const JsonValue *steps = memberOf(m_value, "steps");
    return steps && steps->is_array() ? steps->size() : 0;
}

void ScenarioForm::write(const JsonPath &object, const std::string &member, const std::optional<JsonValue> &value)
{
    if (m_chosen >= 0 && !object.empty() && !chosenValue()->is_object())
        return; // there is nothing that could have a member: the text has to be mended
    Q_EMIT changeWanted(
        value ? lab::setMember(m_json, object, member, *value) : lab::removeMember(m_json, object, member),
        QString::number(m_chosen) + QString::fromStdString(member));
}

void ScenarioForm::writeExpected(const std::string &member, const std::optional<JsonValue> &value)
{
    const JsonValue *expect = memberOf(*chosenValue(), "expect");
    const bool isLast = expect && expect->size() == 1 && memberOf(*expect, member);
    if (!expect || !expect->is_object())
        write(stepPath(), "expect", value ? std::optional(JsonValue::object({ { member, *value } })) : std::nullopt);
    else if (!value && isLast)
        write(stepPath(), "expect", std::nullopt);
    else
        write(inside(stepPath(), std::string("expect")), member, value);
}

void ScenarioForm::addStep()
{
    const QStringList clients = knownWords("client");
    const QStringList locks = knownWords("lock");
    const JsonValue step{ { "client", clients.isEmpty() ? "A" : clients.front().toStdString() }, { "do", "lock" },
        { "lock", locks.isEmpty() ? "orders" : locks.front().toStdString() } };
    const auto index = static_cast<std::size_t>(m_chosen + 1);
    const JsonValue *steps = memberOf(m_value, "steps");
    if (steps && !steps->is_array())
        return Q_EMIT textWanted({ std::string("steps") });
    m_chosen += 1;
    if (steps)
        Q_EMIT changeWanted(lab::insertElement(m_json, { std::string("steps") }, index, lab::lineOf(step)), {});
    else
        Q_EMIT changeWanted(lab::setMember(m_json, {}, "steps", JsonValue::array({ step })), {});
}

void ScenarioForm::duplicateStep()
{
    if (m_chosen < 0)
        return;
    std::string copy = lab::textAt(m_json, stepPath());
    if (const std::string id = textOf(*chosenValue(), "id"); !id.empty()) {
        std::set<std::string> taken;
        for (const JsonValue &step : *memberOf(m_value, "steps"))
            taken.insert(textOf(step, "id"));
        int number = 2;
        while (taken.contains(id + " " + std::to_string(number)))
            ++number;
        copy = lab::changed(copy, lab::setMember(copy, {}, "id", id + " " + std::to_string(number)));
    }
    m_chosen += 1;
    Q_EMIT changeWanted(
        lab::insertElement(m_json, { std::string("steps") }, static_cast<std::size_t>(m_chosen), copy), {});
}

void ScenarioForm::moveStep(int by)
{
    const int to = m_chosen + by;
    if (m_chosen < 0 || to < 0 || to >= static_cast<int>(stepCount()))
        return;
    const auto first = static_cast<std::size_t>(std::min(m_chosen, to));
    m_chosen = to;
    Q_EMIT changeWanted(lab::swapWithNext(m_json, { std::string("steps") }, first), {});
}

void ScenarioForm::removeStep()
{
    if (m_chosen < 0)
        return;
    const auto index = static_cast<std::size_t>(m_chosen);
    m_chosen = std::min(m_chosen, static_cast<int>(stepCount()) - 2);
    Q_EMIT changeWanted(lab::removeElement(m_json, { std::string("steps") }, index), {});
}

void ScenarioForm::insertExample(const std::string &member, const JsonValue &example)
{
    const JsonValue *expect = memberOf(*chosenValue(), "expect");
    const JsonValue *list = expect ? memberOf(*expect, member) : nullptr;
    if (list && list->is_array())
        Q_EMIT changeWanted(lab::insertElement(m_json, inside(inside(stepPath(), std::string("expect")), member),
                                list->size(), lab::lineOf(example)),
            {});
    else
        writeExpected(member, JsonValue::array({ example }));
}

void ScenarioForm::offerExamples(QToolButton &button)
{
    const JsonValue &step = *chosenValue();
    const std::string lock = textOf(step, "lock").empty() ? "orders" : textOf(step, "lock");
    const std::string client = textOf(step, "client").empty() ? "A" : textOf(step, "client");
    const std::string owner = "$" + client + ":1";
    const lab::ActRow *act = actOf(step);
    const bool isTaken = !act || act->value == lab::Act::Lock;
    auto *menu = new QMenu(&button);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString &text, const char *member, const JsonValue &example) {
        menu->addAction(text, this, [this, member = std::string(member), example] { insertExample(member, example); });
    };
    if (isTaken) {
        add(tr("A key in Redis"), "redis", { { "key", lock }, { "fields", JsonValue::object({ { owner, "1" } }) } });
        add(tr("Its time to live"), "redis", { { "key", lock }, { "ttl", JsonValue::array({ "1ms", "30s" }) } });
        add(tr("What the monitor shows"), "seen", { { "lock", lock }, { "holders", JsonValue::array({ owner }) } });
        add(tr("An event"), "events", { { "event", "acquired" }, { "lock", lock }, { "owner", owner } });
    } else {
        add(tr("A key in Redis"), "redis", { { "key", lock }, { "exists", false } });
        add(tr("What the monitor shows"), "seen", { { "lock", lock }, { "held", false } });
        add(tr("An event"), "events", { { "event", "released" }, { "lock", lock }, { "owner", owner } });
    }
    menu->popup(button.mapToGlobal(QPoint(0, button.height())));
}

} // namespace lockui
