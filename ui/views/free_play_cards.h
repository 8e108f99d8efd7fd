// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/free_play.h"
#include "ui/views/free_play_card.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;

namespace lockui {

/// A card for each group of free play, beside each other, of which one is chosen.
class FreePlayCards : public QWidget {
    Q_OBJECT
public:
    FreePlayCards(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);
    ~FreePlayCards() override;

    void setCount(std::size_t count);
    void choose(std::size_t index);
    FreePlayCard &at(std::size_t index) { return *m_cards[index]; }
    const lab::ContenderState *chosenClient(std::size_t group) const; // null: none is chosen
    /// `groups`: one a card, in its order.
    void setGroups(const std::vector<lab::GroupState> &groups, const QStringList &titles, lockcore::MonoTime now,
        FreePlayCard::Scale scale);

Q_SIGNALS:
    void groupChosen(std::size_t index);
    void removeRequested(std::size_t index);

private:
    std::size_t indexOf(const FreePlayCard *card) const;

    const Theme &m_theme;
    const ViewClock &m_clock;
    QHBoxLayout *m_line;
    std::vector<FreePlayCard *> m_cards;
};

} // namespace lockui
