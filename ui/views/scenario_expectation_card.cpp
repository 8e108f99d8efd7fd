// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_expectation_card.h"

#include "ui/support/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockui {

using Shape = ScenarioField::Shape;

namespace {

/// As they are written: `$A:1` is thread 1 of A.
QStringList ownersIn(const lab::ScenarioDraft &draft)
{
    QStringList owners;
    for (const std::string &client : draft.clients())
        owners << QStringLiteral("$%1:1").arg(QString::fromStdString(client));
    return owners;
}

QStringList knownWords(const std::string &member, const lab::ScenarioDraft &draft)
{
    if (member == "key" || member == "lock")
        return toWords(draft.locks());
    if (member == "owner" || member == "holders" || member == "waiters" || member == "elements")
        return ownersIn(draft);
    return {};
}

} // namespace

ScenarioExpectationCard::ScenarioExpectationCard(std::string list, QWidget *parent)
    : QWidget(parent)
    , m_list(std::move(list))
    , m_error(plainLabel(QStringLiteral("fieldError"), this))
{
    setProperty("role", QStringLiteral("card"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 10);
    addHead(*layout);
    m_error->setWordWrap(true);
    layout->addWidget(m_error);
    addFields(*layout);
    for (const ScenarioMember &member : m_members) {
        if (const QStringList words = wordsOfSchema({ "steps", "expect", m_list }, member.name); !words.isEmpty())
            member.field->setWords(words);
        connect(member.field, &ScenarioField::edited, this,
            [this, name = member.name](const std::optional<JsonValue> &value) { Q_EMIT memberEdited(name, value); });
    }
}

void ScenarioExpectationCard::addHead(QVBoxLayout &layout)
{
    auto *title = plainLabel(QStringLiteral("strong"), this);
    title->setText(m_list == "redis" ? tr("In Redis")
            : m_list == "seen"       ? tr("The monitor shows")
                                     : tr("The monitor has told"));
    auto *row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(title, 1);
    const auto add = [&](const QString &text, const QString &explanation, auto &&signal) {
        auto *button = new QToolButton(this);
        button->setText(text);
        button->setAccessibleName(explanation);
        button->setToolTip(explanation);
        button->setProperty("role", QStringLiteral("pill"));
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, signal);
    };
    add(tr("Edit"), tr("Show it in the text"), &ScenarioExpectationCard::textWanted);
    add(QStringLiteral("✕"), tr("Remove what is expected"), &ScenarioExpectationCard::removeWanted);
    layout.addLayout(row);
}

void ScenarioExpectationCard::addFields(QVBoxLayout &layout)
{
    const auto add = [&](Shape shape, const char *member, const QString &label, const QString &hint = {}) {
        auto *field = new ScenarioField(shape, label, this);
        field->setHint(hint);
        layout.addWidget(field);
        m_members.push_back({ member, false, field });
        return field;
    };
    const QString anything = tr("anything");
    const QString owners = QStringLiteral("$A:1, $B:1");
    if (m_list == "redis") {
        add(Shape::Text, "key", tr("Key"), tr("$A stands for the id of the client A"));
        add(Shape::Text, "channel", tr("Channel"));
        add(Shape::Number, "subscribers", tr("Listeners"));
        add(Shape::YesNo, "exists", tr("Is there"), anything);
        add(Shape::Text, "value", tr("Value"), tr("of a string"));
        add(Shape::Pairs, "fields", tr("Fields"), tr("of a hash, all of them, a line each: $A:1 = 1"))
            ->addNone(tr("none"));
        add(Shape::Names, "elements", tr("Elements"), tr("of a list, in order, with commas between them"))
            ->addNone(tr("none"));
        add(Shape::Window, "ttl", tr("Time to live"), QStringLiteral("3s, 250ms"));
        add(Shape::Number, "server", tr("Server"), QStringLiteral("1"));
    } else if (m_list == "seen") {
        add(Shape::Text, "lock", tr("Lock"));
        add(Shape::YesNo, "held", tr("Is held"), anything);
        add(Shape::Names, "holders", tr("Holders"), tr("in any order: %1").arg(owners))->addNone(tr("nobody"));
        add(Shape::Names, "waiters", tr("Waiters"), tr("as in the queue: %1").arg(owners))->addNone(tr("nobody"));
        add(Shape::Word, "lease", tr("Lease"), anything);
        add(Shape::Number, "freePermits", tr("Free permits"));
        add(Shape::Number, "count", tr("Count of the latch"));
        add(Shape::Number, "quorum", tr("Held on servers"));
        add(Shape::Word, "suspect", tr("What is wrong"), anything);
    } else {
        add(Shape::Word, "event", tr("Event"));
        add(Shape::Text, "lock", tr("Lock"));
        add(Shape::Text, "owner", tr("Owner"), QStringLiteral("$A:1"));
        add(Shape::Word, "certainty", tr("Certainty"), anything);
    }
}

QStringList ScenarioExpectationCard::memberNames() const
{
    QStringList names;
    for (const ScenarioMember &member : m_members)
        names << QString::fromStdString(member.name);
    return names;
}

/// What can be expected of such a thing in this scenario; what stands there all the same is shown, too.
bool ScenarioExpectationCard::isUseful(
    const std::string &member, const lab::ScenarioDraft &draft, const JsonValue &element) const
{
    if (member == "server" || member == "quorum")
        return lab::memberOf(draft.value, "servers") != nullptr;
    if (member == "freePermits")
        return draft.hasSemaphore();
    if (m_list == "seen" && member == "count")
        return draft.hasLatch();
    const bool isOfChannel = member == "channel" || member == "subscribers";
    return m_list != "redis" || isOfChannel == (lab::memberOf(element, "channel") != nullptr);
}

void ScenarioExpectationCard::setDraft(
    const lab::ScenarioDraft &draft, const lab::JsonPath &path, const JsonValue &element)
{
    for (const ScenarioMember &member : m_members) {
        if (const QStringList words = knownWords(member.name, draft); !words.isEmpty())
            member.field->setWords(words);
        const JsonValue *value = lab::memberOf(element, member.name);
        member.field->setValue(value);
        member.field->setVisible(
            value || member.field->isAncestorOf(focusWidget()) || isUseful(member.name, draft, element));
    }
    showFieldErrors(m_members, path, draft.errors, *m_error);
}

} // namespace lockui
