// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_step_form.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace lockui {

using lab::Act;
using Shape = ScenarioField::Shape;

namespace {

/// What is expected of the world: lists in "expect".
constexpr const char *WorldLists[]{ "redis", "seen", "events" };

/// Null: no act of this name.
const lab::ActRow *actNamed(const std::string &name)
{
    for (const lab::ActRow &row : lab::Acts) {
        if (name == row.name)
            return &row;
    }
    return nullptr;
}

} // namespace

ScenarioStepForm::ScenarioStepForm(QWidget *parent)
    : QWidget(parent)
    , m_title(formSection({}, this))
    , m_error(plainLabel(QStringLiteral("fieldError"), this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 12, 18, 12);
    m_error->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_error);
    addFields(*layout);
    layout->addWidget(buildWorld());
    layout->addStretch(1);
    for (const ScenarioMember &member : m_members) {
        std::vector<std::string> objects{ "steps" };
        if (member.isExpected)
            objects.emplace_back("expect");
        if (const QStringList words = wordsOfSchema(objects, member.name); !words.isEmpty())
            member.field->setWords(words);
        connect(member.field, &ScenarioField::edited, this,
            [this, name = member.name, isExpected = member.isExpected](const std::optional<JsonValue> &value) {
                if (isExpected)
                    writeExpected(name, value);
                else
                    write(path(), name, value);
            });
    }
}

void ScenarioStepForm::addFields(QVBoxLayout &layout)
{
    const auto add = [&](Shape shape, const char *member, const QString &label, const QString &hint = {}) {
        auto *field = new ScenarioField(shape, label, this);
        field->setHint(hint);
        layout.addWidget(field);
        m_members.push_back({ member, false, field });
    };
    const auto expect = [&](Shape shape, const char *member, const QString &label, const QString &hint = {}) {
        add(shape, member, label, hint);
        m_members.back().isExpected = true;
    };
    const QString durations = QStringLiteral("3s, 250ms");
    const QString one = QStringLiteral("1");
    add(Shape::Word, "do", tr("Does"));
    add(Shape::Text, "client", tr("Client"));
    add(Shape::Text, "lock", tr("Lock"));
    add(Shape::Names, "locks", tr("Several as one"), tr("names of locks, with commas between them"));
    add(Shape::Word, "kind", tr("Kind"), QStringLiteral("reentrant"));
    add(Shape::Word, "mode", tr("Mode"));
    add(Shape::Word, "variant", tr("Variant"), QStringLiteral("standard"));
    add(Shape::Duration, "lease", tr("Lease"), tr("watchdog"));
    add(Shape::Duration, "wait", tr("Waits at most"), tr("no limit"));
    add(Shape::Duration, "retry", tr("Tries again for"), tr("not at all"));
    add(Shape::Number, "count", tr("Count"), one);
    add(Shape::Number, "thread", tr("Thread"), one);
    add(Shape::Number, "server", tr("Server"), one);
    layout.addWidget(formSection(tr("When"), this));
    add(Shape::Names, "after", tr("After the end of"), tr("ids of earlier steps"));
    add(Shape::Duration, "pause", tr("Pause before"), tr("none"));
    add(Shape::Flag, "scalable", tr("the speed of a play changes this pause"));
    add(Shape::Flag, "meanwhile", tr("the next step does not wait for the end of this one"));
    add(Shape::Text, "id", tr("Id"), tr("for steps that come after it"));
    add(Shape::Text, "note", tr("Note"), tr("what one sees, and why"));
    layout.addWidget(formSection(tr("Expected"), this));
    expect(Shape::Word, "outcome", tr("Outcome"), tr("anything"));
    expect(Shape::Word, "error", tr("Error"), tr("anything"));
    expect(Shape::Window, "took", tr("Took from"), durations);
    expect(Shape::Text, "tokenAbove", tr("Token above that of"), tr("id of an earlier step"));
    expect(Shape::Names, "order", tr("Ended in order"), tr("ids of steps"));
    expect(Shape::Duration, "within", tr("Within"), QStringLiteral("5s"));
    expect(Shape::Duration, "stays", tr("Stays so for"), durations);
}

QWidget *ScenarioStepForm::buildWorld()
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
    auto *text = new QToolButton(world);
    text->setText(tr("Edit in the text"));
    text->setToolTip(tr("Shows this step in the text"));
    auto *row = new QHBoxLayout;
    for (QToolButton *button : { example, text }) {
        button->setProperty("role", QStringLiteral("button"));
        row->addWidget(button);
    }
    row->addStretch(1);
    layout->addLayout(row);
    connect(example, &QToolButton::clicked, this, [this, example] { offerExamples(*example); });
    connect(text, &QToolButton::clicked, this, [this] { Q_EMIT textWanted(expectPath()); });
    return world;
}

QWidget *ScenarioStepForm::buildWorldLine(const std::string &list, std::size_t index, const JsonValue &value)
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto *name = plainLabel(QStringLiteral("muted"), row);
    name->setFixedWidth(ScenarioField::LabelWidth);
    name->setText(list == "redis" ? tr("In Redis") : list == "seen" ? tr("Shown") : tr("Told"));
    auto *text = new ElidedLabel(QStringLiteral("tokenLine"), row);
    text->setText(displayText(lab::lineOf(value)));
    auto *edit = new QToolButton(row);
    edit->setText(tr("Edit"));
    edit->setToolTip(tr("Shows it in the text"));
    auto *remove = new QToolButton(row);
    remove->setText(QStringLiteral("✕"));
    remove->setAccessibleName(tr("Remove what is expected"));
    remove->setToolTip(tr("Remove what is expected"));
    layout->addWidget(name);
    layout->addSpacing(4);
    layout->addWidget(text, 1);
    for (QToolButton *button : { edit, remove }) {
        button->setProperty("role", QStringLiteral("pill"));
        layout->addWidget(button);
    }
    connect(edit, &QToolButton::clicked, this,
        [this, list, index] { Q_EMIT textWanted(lab::inside(lab::inside(expectPath(), list), index)); });
    connect(remove, &QToolButton::clicked, this, [this, list, index] { removeFromWorld(list, index); });
    return row;
}

void ScenarioStepForm::setDraft(const lab::ScenarioDraft &draft, std::size_t stepNumber)
{
    m_draft = draft;
    m_step = stepNumber;
    m_title->setText(tr("Step %1").arg(m_step + 1));
    const JsonValue *expect = lab::memberOf(step(), "expect");
    for (const ScenarioMember &member : m_members) {
        if (const QStringList words = knownWords(member.name); !words.isEmpty())
            member.field->setWords(words);
        const JsonValue *value = !member.isExpected ? lab::memberOf(step(), member.name)
            : expect                                ? lab::memberOf(*expect, member.name)
                                                    : nullptr;
        member.field->setValue(value);
        member.field->setVisible(value || member.field->isAncestorOf(focusWidget()) || isUseful(member));
    }
    showWorld();
    showFieldErrors(m_members, path(), m_draft.errors, *m_error);
}

/// What a step of this act can have; what it has all the same is shown, too.
bool ScenarioStepForm::isUseful(const ScenarioMember &member) const
{
    const lab::ActRow *act = actNamed(lab::textOf(step(), "do"));
    if (!act)
        return !member.isExpected;
    const std::string &name = member.name;
    const std::string kind = lab::textOf(step(), "kind");
    const bool takes = act->value == Act::Lock || act->value == Act::Unlock;
    const bool isClients = act->actor == lab::Actor::Client;
    if (name == "client")
        return isClients;
    if (name == "lock")
        return act->needsLock;
    if (name == "locks" || name == "variant")
        return takes && kind.empty();
    if (name == "kind" || name == "thread" || name == "retry")
        return isClients && act->needsLock;
    if (name == "mode")
        return kind == "readWrite";
    if (name == "lease")
        return act->value == Act::Lock || act->value == Act::Renew;
    if (name == "wait")
        return act->value == Act::Lock || act->value == Act::Await;
    if (name == "count")
        return act->value == Act::SetPermits || act->value == Act::SetCount || (takes && kind == "semaphore");
    if (name == "server")
        return act->actor == lab::Actor::Server && lab::memberOf(m_draft.value, "servers");
    if (name == "outcome" || name == "error" || name == "took")
        return act->needsLock;
    if (name == "tokenAbove")
        return kind == "fenced";
    if (name == "scalable")
        return lab::memberOf(step(), "pause") != nullptr;
    return true;
}

QStringList ScenarioStepForm::knownWords(const std::string &member) const
{
    if (member == "client")
        return toWords(m_draft.clients());
    if (member == "lock" || member == "locks")
        return toWords(m_draft.locks());
    if (member == "after" || member == "order" || member == "tokenAbove")
        return toWords(m_draft.idsBefore(m_step));
    return {};
}

void ScenarioStepForm::showWorld()
{
    const JsonValue *expect = lab::memberOf(step(), "expect");
    JsonValue world = JsonValue::array({ m_step });
    for (const char *list : WorldLists) {
        const JsonValue *all = expect ? lab::memberOf(*expect, list) : nullptr;
        for (std::size_t i = 0; all && all->is_array() && i < all->size(); ++i)
            world.push_back(JsonValue::array({ list, i, all->at(i) }));
    }
    if (world == m_shownWorld)
        return;
    m_shownWorld = world;
    while (QLayoutItem *item = m_world->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its own button may have asked for it
        delete item;
    }
    for (std::size_t i = 1; i < world.size(); ++i) {
        const JsonValue &each = world.at(i);
        m_world->addWidget(buildWorldLine(each.at(0).get<std::string>(), each.at(1).get<std::size_t>(), each.at(2)));
    }
}

void ScenarioStepForm::write(
    const lab::JsonPath &object, const std::string &member, const std::optional<JsonValue> &value)
{
    if (!step().is_object())
        return; // there is nothing that could have a member: the text has to be mended
    Q_EMIT changeWanted(
        value ? lab::setMember(m_draft.json, object, member, *value) : lab::removeMember(m_draft.json, object, member),
        QString::number(m_step) + QString::fromStdString(member));
}

/// "expect" comes with its first member and goes with its last.
void ScenarioStepForm::writeExpected(const std::string &member, const std::optional<JsonValue> &value)
{
    const JsonValue *expect = lab::memberOf(step(), "expect");
    const bool isLast = expect && expect->size() == 1 && lab::memberOf(*expect, member);
    if (!expect || !expect->is_object())
        write(path(), "expect", value ? std::optional(JsonValue::object({ { member, *value } })) : std::nullopt);
    else if (!value && isLast)
        write(path(), "expect", std::nullopt);
    else
        write(expectPath(), member, value);
}

void ScenarioStepForm::removeFromWorld(const std::string &list, std::size_t index)
{
    const JsonValue &all = *lab::memberOf(*lab::memberOf(step(), "expect"), list);
    if (all.size() == 1)
        writeExpected(list, std::nullopt);
    else
        Q_EMIT changeWanted(lab::removeElement(m_draft.json, lab::inside(expectPath(), list), index), {});
}

void ScenarioStepForm::insertExample(const std::string &list, const JsonValue &example)
{
    const JsonValue *expect = lab::memberOf(step(), "expect");
    const JsonValue *all = expect ? lab::memberOf(*expect, list) : nullptr;
    if (all && all->is_array())
        Q_EMIT changeWanted(
            lab::insertElement(m_draft.json, lab::inside(expectPath(), list), all->size(), lab::lineOf(example)), {});
    else
        writeExpected(list, JsonValue::array({ example }));
}

void ScenarioStepForm::offerExamples(QToolButton &button)
{
    const auto orElse = [](const std::string &text, const char *other) { return text.empty() ? other : text; };
    const std::string lock = orElse(lab::textOf(step(), "lock"), "orders");
    const std::string owner = "$" + orElse(lab::textOf(step(), "client"), "A") + ":1";
    const lab::ActRow *act = actNamed(lab::textOf(step(), "do"));
    auto *menu = new QMenu(&button);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString &text, const char *list, const JsonValue &example) {
        menu->addAction(text, this, [this, name = std::string(list), example] { insertExample(name, example); });
    };
    if (act && act->value == Act::Unlock) {
        add(tr("A key in Redis"), "redis", { { "key", lock }, { "exists", false } });
        add(tr("What the monitor shows"), "seen", { { "lock", lock }, { "held", false } });
        add(tr("An event"), "events", { { "event", "released" }, { "lock", lock }, { "owner", owner } });
    } else {
        add(tr("A key in Redis"), "redis", { { "key", lock }, { "fields", JsonValue::object({ { owner, "1" } }) } });
        add(tr("Its time to live"), "redis", { { "key", lock }, { "ttl", JsonValue::array({ "1ms", "30s" }) } });
        add(tr("What the monitor shows"), "seen", { { "lock", lock }, { "holders", JsonValue::array({ owner }) } });
        add(tr("An event"), "events", { { "event", "acquired" }, { "lock", lock }, { "owner", owner } });
    }
    menu->popup(button.mapToGlobal(QPoint(0, button.height())));
}

} // namespace lockui
