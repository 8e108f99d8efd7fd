// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/free_play_cards.h"

#include <QApplication>
#include <QHBoxLayout>

#include <algorithm>

namespace lockui {

FreePlayCards::FreePlayCards(const Theme &theme, const ViewClock &clock, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_clock(clock)
    , m_line(new QHBoxLayout(this))
{
    setProperty("role", QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(8);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, const QWidget *now) {
        for (std::size_t i = 0; now != nullptr && i < m_cards.size(); ++i) {
            if (m_cards[i] == now || m_cards[i]->isAncestorOf(now))
                Q_EMIT groupChosen(i);
        }
    });
}

/// The window tells of the focus that its parts lose as they go.
FreePlayCards::~FreePlayCards() { qApp->disconnect(this); }

std::size_t FreePlayCards::indexOf(const FreePlayCard *card) const
{
    return static_cast<std::size_t>(std::ranges::find(m_cards, card) - m_cards.begin());
}

void FreePlayCards::setCount(std::size_t count)
{
    while (m_cards.size() < count) {
        auto *card = m_cards.emplace_back(new FreePlayCard(m_theme, m_clock, this));
        m_line->addWidget(card, 1);
        connect(card, &FreePlayCard::clientChosen, this, [this, card] { Q_EMIT groupChosen(indexOf(card)); });
        connect(card, &FreePlayCard::removeRequested, this, [this, card] { Q_EMIT removeRequested(indexOf(card)); });
    }
    while (m_cards.size() > count) {
        m_cards.back()->deleteLater(); // it may be the one that asks for it
        m_cards.back()->hide();
        m_line->removeWidget(m_cards.back());
        m_cards.pop_back();
    }
}

void FreePlayCards::choose(std::size_t index)
{
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setChosen(i == index && m_cards.size() > 1);
        if (i != index)
            m_cards[i]->chooseNone();
    }
}

const lab::ContenderState *FreePlayCards::chosenClient(std::size_t group) const
{
    const auto name = group < m_cards.size() ? m_cards[group]->chosenClient() : std::nullopt;
    return name ? m_cards[group]->client(*name) : nullptr;
}

void FreePlayCards::setGroups(const std::vector<lab::GroupState> &groups, const QStringList &titles,
    lockcore::MonoTime now, FreePlayCard::Scale scale)
{
    for (const lab::GroupState &group : groups)
        scale.include(group);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i]->setGroup(groups[i], titles[static_cast<qsizetype>(i)], now, scale);
        m_cards[i]->setRemovable(m_cards.size() > 1);
    }
}

} // namespace lockui
