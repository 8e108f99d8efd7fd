// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/scenario_world_form.h"

#include "ui/views/scenario_expectation_card.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace lockui {

namespace {

lab::JsonPath expectPath(std::size_t step) { return lab::inside(lab::stepPath(step), std::string("expect")); }

} // namespace

ScenarioWorldForm::ScenarioWorldForm(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QVBoxLayout)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    m_layout->setSpacing(8);
    layout->addLayout(m_layout);
    auto *add = new QToolButton(this);
    add->setText(tr("Expect more"));
    add->setToolTip(tr("Something to expect of keys in Redis, of what the monitor shows, or of its events"));
    auto *text = new QToolButton(this);
    text->setText(tr("Edit in the text"));
    text->setToolTip(tr("Shows this step in the text"));
    auto *row = new QHBoxLayout;
    for (QToolButton *button : { add, text }) {
        button->setProperty("role", QStringLiteral("button"));
        row->addWidget(button);
    }
    row->addStretch(1);
    layout->addLayout(row);
    connect(add, &QToolButton::clicked, this, [this, add] { offerExamples(*add); });
    connect(text, &QToolButton::clicked, this, [this] { Q_EMIT textWanted(expectPath(m_step)); });
}

const JsonValue *ScenarioWorldForm::listNamed(const std::string &list) const
{
    const JsonValue *expect = lab::memberOf(m_draft.step(m_step), "expect");
    return expect ? lab::memberOf(*expect, list) : nullptr;
}

std::vector<ScenarioWorldForm::Place> ScenarioWorldForm::places() const
{
    std::vector<Place> places;
    for (const char *list : WorldLists) {
        const JsonValue *all = listNamed(list);
        for (std::size_t i = 0; all && all->is_array() && i < all->size(); ++i)
            places.push_back({ list, i });
    }
    return places;
}

lab::JsonPath ScenarioWorldForm::pathOf(const Place &place) const
{
    return lab::inside(lab::inside(expectPath(m_step), place.list), place.index);
}

void ScenarioWorldForm::setDraft(const lab::ScenarioDraft &draft, std::size_t step)
{
    m_draft = draft;
    m_step = step;
    const std::vector<Place> all = places();
    if (!std::ranges::equal(m_cards, all, {}, &ScenarioExpectationCard::list, &Place::list))
        build(all);
    for (std::size_t i = 0; i < all.size(); ++i)
        m_cards[i]->setDraft(m_draft, pathOf(all[i]), listNamed(all[i].list)->at(all[i].index));
    const std::string inserted = std::exchange(m_insertedInto, {});
    const auto last
        = std::find_if(m_cards.rbegin(), m_cards.rend(), [&](const auto *card) { return card->list() == inserted; });
    if (last != m_cards.rend())
        (*last)->setFocus();
}

bool ScenarioWorldForm::shows(const lab::JsonPath &path) const
{
    return std::ranges::any_of(places(), [&](const Place &place) { return lab::leadsInto(path, pathOf(place)); });
}

void ScenarioWorldForm::build(const std::vector<Place> &places)
{
    for (ScenarioExpectationCard *card : std::exchange(m_cards, {})) {
        card->hide();
        card->deleteLater(); // its own button may have asked for it
    }
    for (const Place &place : places) {
        m_cards.push_back(buildCard(place));
        m_layout->addWidget(m_cards.back());
    }
}

ScenarioExpectationCard *ScenarioWorldForm::buildCard(const Place &place)
{
    auto *card = new ScenarioExpectationCard(place.list, this);
    connect(card, &ScenarioExpectationCard::memberEdited, this,
        [this, place](
            const std::string &member, const std::optional<JsonValue> &value) { writeMember(place, member, value); });
    connect(card, &ScenarioExpectationCard::textWanted, this, [this, place] { Q_EMIT textWanted(pathOf(place)); });
    connect(card, &ScenarioExpectationCard::removeWanted, this, [this, place] { remove(place); });
    return card;
}

void ScenarioWorldForm::writeMember(
    const Place &place, const std::string &member, const std::optional<JsonValue> &value)
{
    if (!listNamed(place.list)->at(place.index).is_object())
        return; // there is nothing that could have a member: the text has to be mended
    const lab::JsonPath path = pathOf(place);
    Q_EMIT changeWanted(
        value ? lab::setMember(m_draft.json, path, member, *value) : lab::removeMember(m_draft.json, path, member),
        QStringLiteral("%1 %2 %3 ").arg(m_step).arg(QString::fromStdString(place.list)).arg(place.index)
            + QString::fromStdString(member));
}

void ScenarioWorldForm::remove(const Place &place)
{
    if (listNamed(place.list)->size() == 1)
        Q_EMIT listWanted(place.list, std::nullopt);
    else
        Q_EMIT changeWanted(
            lab::removeElement(m_draft.json, lab::inside(expectPath(m_step), place.list), place.index), {});
}

void ScenarioWorldForm::insert(const std::string &list, const JsonValue &element)
{
    m_insertedInto = list;
    const JsonValue *all = listNamed(list);
    if (all && all->is_array())
        Q_EMIT changeWanted(
            lab::insertElement(m_draft.json, lab::inside(expectPath(m_step), list), all->size(), lab::lineOf(element)),
            {});
    else
        Q_EMIT listWanted(list, JsonValue::array({ element }));
}

/// Made of the lock and the client of the step itself.
void ScenarioWorldForm::offerExamples(QToolButton &button)
{
    const JsonValue &step = m_draft.step(m_step);
    const auto orElse = [](const std::string &text, const char *other) { return text.empty() ? other : text; };
    const std::string lock = orElse(lab::textOf(step, "lock"), "orders");
    const std::string owner = "$" + orElse(lab::textOf(step, "client"), "A") + ":1";
    auto *menu = new QMenu(&button);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString &text, const char *list, const JsonValue &example) {
        menu->addAction(text, this, [this, name = std::string(list), example] { insert(name, example); });
    };
    const bool isUnlock = lab::textOf(step, "do") == lab::nameOf(lab::Act::Unlock);
    if (isUnlock) {
        add(tr("A key in Redis"), "redis", { { "key", lock }, { "exists", false } });
    } else {
        add(tr("A key in Redis"), "redis", { { "key", lock }, { "fields", JsonValue::object({ { owner, "1" } }) } });
        add(tr("Its time to live"), "redis", { { "key", lock }, { "ttl", JsonValue::array({ "1ms", "30s" }) } });
    }
    add(tr("Who listens to its channel"), "redis",
        { { "channel", "redisson_lock__channel:{" + lock + "}" }, { "subscribers", 0 } });
    add(tr("What the monitor shows"), "seen",
        isUnlock ? JsonValue{ { "lock", lock }, { "held", false } }
                 : JsonValue{ { "lock", lock }, { "holders", JsonValue::array({ owner }) } });
    add(tr("An event"), "events",
        { { "event", isUnlock ? "released" : "acquired" }, { "lock", lock }, { "owner", owner } });
    menu->popup(button.mapToGlobal(QPoint(0, button.height())));
}

} // namespace lockui
