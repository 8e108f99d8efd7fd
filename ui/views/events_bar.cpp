// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/events_bar.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace lockui {

using namespace lockcore::monitor;

namespace {

constexpr int BarMargin = 16;
constexpr int BarGap = 4;

/// With one decimal where it tells something.
QString inUnits(qint64 count, qint64 unit)
{
    if (count >= 10 * unit)
        return countText(count / unit);
    const qint64 tenths = count * 10 / unit;
    return QStringLiteral("%1.%2").arg(tenths / 10).arg(tenths % 10);
}

} // namespace

QString shortCountText(qint64 count)
{
    constexpr qint64 Thousand = 1'000;
    constexpr qint64 Million = 1'000'000;
    if (count < Thousand)
        return countText(count);
    return count < Million ? EventsBar::tr("%1 k").arg(inUnits(count, Thousand))
                           : EventsBar::tr("%1 M").arg(inUnits(count, Million));
}

EventsBar::EventsBar(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this))
{
    makeBar(*this);
    m_layout->setContentsMargins(BarMargin, 7, BarMargin, 7);
    m_layout->setSpacing(BarGap);
    addChip(tr("first seen"), {}, { EventKind::Appeared });
    addChip(tr("acquired"), QStringLiteral("accent"), { EventKind::Acquired, EventKind::Reentered });
    addChip(tr("renewed"), {}, { EventKind::Renewed });
    addChip(tr("released"), QStringLiteral("good"), { EventKind::Released, EventKind::PartlyReleased });
    addChip(tr("expired"), QStringLiteral("danger"), { EventKind::Expired });
    addChip(tr("forced, deleted"), QStringLiteral("danger"), { EventKind::ForceReleased, EventKind::Deleted });
    addChip(tr("queue"), QStringLiteral("waiting"),
        { EventKind::FoundQueued, EventKind::Queued, EventKind::Dequeued, EventKind::WaiterTimedOut });
    addChip(tr("counters"), {}, { EventKind::PermitsChanged, EventKind::CountChanged });
    addChip(tr("servers"), QStringLiteral("danger"),
        { EventKind::MasterChanged, EventKind::ServerRestarted, EventKind::SlowCommand, EventKind::ClientsPaused,
            EventKind::DatabaseEmptied, EventKind::DatabasesSwapped });
    m_layout->addStretch(1);
}

void EventsBar::addChip(const QString &name, const QString &tone, std::initializer_list<EventKind> kinds)
{
    auto *button = new QToolButton(this);
    button->setProperty("role", QStringLiteral("kind"));
    button->setProperty("tone", tone);
    button->setProperty("tight", true); // there are nine of them, with figures
    button->setCheckable(true);
    button->setText(name);
    button->setAccessibleName(name);
    Chip chip{ button, name, {} };
    QStringList names;
    for (const EventKind kind : kinds) {
        chip.kinds.set(static_cast<std::size_t>(kind));
        names << eventText(kind);
    }
    button->setToolTip(
        plainToolTip(tr("Only: %1. Several add up; none chosen shows all.").arg(names.join(QStringLiteral(", ")))));
    connect(button, &QToolButton::toggled, this, [this, kinds = chip.kinds](bool chosen) {
        m_chosen = chosen ? m_chosen | kinds : m_chosen & ~kinds;
        Q_EMIT kindsChosen(m_chosen);
    });
    m_layout->addWidget(button);
    m_chips.push_back(std::move(chip));
}

void EventsBar::addAtEnd(QWidget *widget, int room)
{
    m_layout->addWidget(widget);
    m_atEnd.push_back({ widget, room });
}

void EventsBar::chooseAll()
{
    for (const Chip &chip : m_chips)
        chip.button->setChecked(false);
}

void EventsBar::setCounts(const std::optional<Counts> &counts)
{
    m_counts = counts;
    showCounts();
}

void EventsBar::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showCounts();
}

void EventsBar::showCounts()
{
    if (m_counts && (label(Figures::Whole) <= width() || label(Figures::Short) <= width()))
        return;
    label(Figures::None);
}

int EventsBar::label(Figures figures)
{
    constexpr int LeastStretch = 10;
    int needed = 2 * BarMargin + LeastStretch;
    for (const auto &[widget, room] : m_atEnd)
        needed += BarGap + std::max(widget->sizeHint().width(), room);
    for (const auto &[button, name, kinds] : m_chips) {
        qint64 count = 0;
        for (std::size_t kind = 0; figures != Figures::None && kind < kinds.size(); ++kind)
            count += kinds.test(kind) ? static_cast<qint64>((*m_counts)[kind]) : 0;
        QString text = name;
        if (figures != Figures::None)
            text += QLatin1Char(' ') + (figures == Figures::Short ? shortCountText(count) : countText(count));
        if (button->text() != text)
            button->setText(text);
        needed += BarGap + button->sizeHint().width();
    }
    return needed;
}

} // namespace lockui
