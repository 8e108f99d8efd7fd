// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_step_form.h"

#include "ui/support/widgets.h"
#include "ui/views/scenario_world_form.h"

#include <QLabel>
#include <QVBoxLayout>

namespace lockui {

using lab::Act;
using Shape = ScenarioField::Shape;

namespace {

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
    , m_world(new ScenarioWorldForm(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 12, 18, 12);
    m_error->setWordWrap(true);
    layout->addWidget(m_title);
    layout->addWidget(m_error);
    addFields(*layout);
    layout->addWidget(m_world);
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
    connect(m_world, &ScenarioWorldForm::changeWanted, this, &ScenarioStepForm::changeWanted);
    connect(m_world, &ScenarioWorldForm::listWanted, this, &ScenarioStepForm::writeExpected);
    connect(m_world, &ScenarioWorldForm::textWanted, this, &ScenarioStepForm::textWanted);
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
    m_world->setDraft(m_draft, m_step);
    std::vector<lab::ScenarioError> ours = m_draft.errors;
    std::erase_if(ours, [this](const lab::ScenarioError &error) { return m_world->shows(error.path); });
    showFieldErrors(m_members, path(), ours, *m_error);
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

} // namespace lockui
