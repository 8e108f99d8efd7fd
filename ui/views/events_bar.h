// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/event_choice.h"

#include <QWidget>

#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

class QHBoxLayout;
class QToolButton;

namespace lockui {

/// `999`, `1.2 k`, `12 k`, `1.2 M`: cut off, never rounded up.
QString shortCountText(qint64 count);

/// The line over the events: the kinds that can be chosen, and how many there are of each, shortened or not at all
/// where there is no room for that.
class EventsBar : public QWidget {
    Q_OBJECT
public:
    using Counts = std::array<std::size_t, EventStore::KindCount>;

    explicit EventsBar(QWidget *parent = nullptr);

    void setCounts(const std::optional<Counts> &counts); // absent: not known yet
    void chooseAll(); // so that no kind is chosen by itself
    /// On the right; to the chips it is never less wide than `room`, for what it may come to say.
    void addAtEnd(QWidget *widget, int room = 0);

Q_SIGNALS:
    void kindsChosen(const lockui::EventChoice::Kinds &kinds); // none: all

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Chip {
        QToolButton *button;
        QString name;
        EventChoice::Kinds kinds;
    };

    void addChip(const QString &name, const QString &tone, std::initializer_list<lockcore::monitor::EventKind> kinds);
    void showCounts();
    enum class Figures { Whole, Short, None };
    int label(Figures figures); // all chips, and returns the width that all takes then

    EventChoice::Kinds m_chosen;
    std::optional<Counts> m_counts;
    std::vector<Chip> m_chips;
    struct AtEnd {
        QWidget *widget;
        int room;
    };
    std::vector<AtEnd> m_atEnd;
    QHBoxLayout *m_layout;
};

} // namespace lockui
