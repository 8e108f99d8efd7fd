// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/detail_events.h"

#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/views/event_table.h"

#include <QVBoxLayout>

namespace lockui {

namespace {

constexpr int MostEvents = 50;

} // namespace

DetailEvents::DetailEvents(const Theme &theme, const ViewClock &clock, const EventStore &events, QWidget *parent)
    : QWidget(parent)
    , m_clock(clock)
    , m_store(events)
    , m_rows{ theme, 24, 8, true, false }
    , m_events(events, clock)
    , m_title(plainLabel(QStringLiteral("section"), this))
    , m_table(new EventTable(m_rows, clock, m_events, this))
{
    m_table->horizontalHeader()->hide(); // each line is a sentence
    m_table->setColumnShown(EventModel::Lock, false);
    m_table->setColumnWidths({ { 0, 100 }, { 0, 156 }, { 0, 0 }, { 0, 112 }, { 100, 60 } });
    m_table->setRowsShown(MostEvents);
    m_table->setMinimumHeight(m_rows.rowHeight); // those who have the lock, or wait, come first
    m_table->setAccessibleName(tr("Events of the lock"));
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_table, 1);
    layout->addStretch(0); // few rows stand below the title, not at the end of the room
}

void DetailEvents::setLock(const lockcore::LockName &lock, const std::string &node)
{
    m_lock = lock;
    m_node = node;
    m_frozenAt = frozenAt();
    m_hasDamaged = m_store.hasDamaged();
    m_events.setLock(lock, node, MostEvents);
    const int rows = m_events.rowCount();
    const QString title = tr("Events");
    if (m_store.newestOf(lock) && rows == MostEvents)
        m_title->setText(title + QStringLiteral(" · ") + tr("the last %1").arg(countText(rows)));
    else if (m_store.hasDamaged())
        m_title->setText(title + QStringLiteral(" · ")
            + (rows > 0 ? tr("older ones cannot be read") : tr("they were recorded, and cannot be read")));
    else if (m_store.newestOf(lock))
        m_title->setText(title);
    else if (m_store.since())
        m_title->setText(title + QStringLiteral(" · ")
            + tr("none heard since %1").arg(clockText(*m_store.since(), m_clock.wallAt(m_clock.realNow()))));
    else
        m_title->setText(title + QStringLiteral(" · ") + tr("none heard"));
    setRoom(m_isRoom);
}

std::optional<lockcore::MonoTime> DetailEvents::frozenAt() const
{
    return m_clock.isFrozen() ? std::optional(m_clock.now()) : std::nullopt;
}

void DetailEvents::setRoom(bool isRoom)
{
    m_isRoom = isRoom;
    setVisible(isRoom); // else it would have its share of the room
    m_table->setVisible(m_events.rowCount() > 0);
}

void DetailEvents::refresh()
{
    const bool isOfAnotherTime = frozenAt() != m_frozenAt;
    const bool isOtherwiseRead = m_store.hasDamaged() != m_hasDamaged;
    if (isOfAnotherTime || isOtherwiseRead || m_events.isBehind() || (m_events.rowCount() > 0 && m_events.hasGone(0)))
        setLock(m_lock, m_node);
}

} // namespace lockui
