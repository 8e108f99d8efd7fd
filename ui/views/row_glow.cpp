// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/row_glow.h"

#include "ui/models/roles.h"
#include "ui/support/freshness.h"

#include <QStyle>
#include <QTableView>

namespace lockui {

using namespace lockcore::monitor;

namespace {

/// Renewals and queues change figures of a lock, not who has it.
bool changesHands(EventKind kind)
{
    switch (kind) {
    case EventKind::Acquired:
    case EventKind::Released:
    case EventKind::Expired:
    case EventKind::ForceReleased:
    case EventKind::Deleted:
    case EventKind::PermitsChanged:
    case EventKind::CountChanged:
        return true;
    case EventKind::Appeared:
    case EventKind::Reentered:
    case EventKind::Renewed:
    case EventKind::PartlyReleased:
    case EventKind::FoundQueued:
    case EventKind::Queued:
    case EventKind::Dequeued:
    case EventKind::WaiterTimedOut:
    case EventKind::Gap:
    case EventKind::MasterChanged:
    case EventKind::ServerRestarted:
    case EventKind::SlowCommand:
    case EventKind::ClientsPaused:
    case EventKind::DatabaseEmptied:
    case EventKind::DatabasesSwapped:
        return false;
    }
    return false;
}

QByteArray nameAt(const QModelIndex &index) { return index.data(BytesRole).toByteArray(); }

} // namespace

RowGlow::RowGlow(QTableView &table, const ViewClock &clock)
    : QObject(&table)
    , m_table(table)
    , m_clock(clock)
{
    connect(&clock, &ViewClock::tick, this, &RowGlow::fade);
}

bool RowGlow::mayGlow() const
{
    return m_table.isVisible() && !m_table.window()->isMinimized() && !m_clock.isFrozen()
        && m_table.style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, &m_table) > 0;
}

void RowGlow::heard(const std::vector<Event> &events)
{
    if (m_restarts || !mayGlow())
        return;
    for (const Event &event : events) {
        if (!changesHands(event.kind))
            continue;
        m_since[QByteArray::fromStdString(event.lock)] = m_tick;
        m_order.push_back({ event.lock, m_tick });
    }
}

void RowGlow::restart()
{
    m_restarts = true;
    repaintLit();
    m_since.clear();
    m_order.clear();
}

double RowGlow::strengthOf(const QModelIndex &index) const
{
    if (m_since.isEmpty())
        return 0;
    const auto lit = m_since.constFind(nameAt(index));
    return lit == m_since.constEnd() ? 0 : 1.0 - double(m_tick - *lit) / Ticks;
}

void RowGlow::fade()
{
    m_restarts = false;
    if (m_order.empty())
        return;
    ++m_tick;
    repaintLit();
    const int oldest = mayGlow() ? m_tick - Ticks : m_tick;
    while (!m_order.empty() && m_order.front().since <= oldest) {
        const auto lit = m_since.constFind(QByteArray::fromStdString(m_order.front().lock));
        if (lit != m_since.constEnd() && *lit <= oldest)
            m_since.erase(lit);
        m_order.pop_front();
    }
}

/// Of the rows that are in sight.
void RowGlow::repaintLit() const
{
    if (m_since.isEmpty() || !m_table.isVisible())
        return;
    QWidget &viewport = *m_table.viewport();
    const int below = m_table.rowAt(viewport.height() - 1);
    const int last = below < 0 ? m_table.model()->rowCount() - 1 : below;
    for (int row = std::max(0, m_table.rowAt(0)); row <= last; ++row) {
        const QModelIndex index = m_table.model()->index(row, 0);
        if (m_since.contains(nameAt(index)))
            viewport.update(0, m_table.rowViewportPosition(row), viewport.width(), m_table.rowHeight(row));
    }
}

} // namespace lockui
