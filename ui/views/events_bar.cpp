// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/events_bar.h"

#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/event_text.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <utility>

namespace lockui {

using namespace lockcore::monitor;

namespace {

constexpr int BarMargin = 16;
constexpr int BarGap = 6;

} // namespace

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

void EventsBar::addAtEnd(QWidget *widget)
{
    m_layout->addWidget(widget);
    m_atEnd.push_back(widget);
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
    if (label(m_counts.has_value()) > width())
        label(false);
}

int EventsBar::label(bool withCounts)
{
    constexpr int LeastStretch = 22;
    int needed = 2 * BarMargin + LeastStretch;
    for (const QWidget *widget : m_atEnd)
        needed += BarGap + widget->sizeHint().width();
    for (const auto &[button, name, kinds] : m_chips) {
        std::size_t count = 0;
        for (std::size_t kind = 0; withCounts && kind < kinds.size(); ++kind)
            count += kinds.test(kind) ? (*m_counts)[kind] : 0;
        const QString text = withCounts ? name + QLatin1Char(' ') + countText(static_cast<qint64>(count)) : name;
        if (button->text() != text)
            button->setText(text);
        needed += BarGap + button->sizeHint().width();
    }
    return needed;
}

} // namespace lockui
