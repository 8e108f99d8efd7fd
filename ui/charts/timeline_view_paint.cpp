// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/time_axis.h"
#include "ui/charts/timeline_tips.h"
#include "ui/charts/timeline_view.h"
#include "ui/support/freshness.h"
#include "ui/support/widgets.h"
#include "ui/text/display_text.h"
#include "ui/text/lock_text.h"

#include <QDateTime>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

/// What the timeline draws: lanes, their titles, and the axis of times.
namespace lockui {

using namespace lockcore;
using namespace lockcore::monitor;

namespace {

QString axisText(double at, double step)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(qint64(at));
    return time.toString(step < 1e3 ? QStringLiteral("HH:mm:ss.zzz")
            : step < 60e3           ? QStringLiteral("HH:mm:ss")
            : step < 86'400e3       ? QStringLiteral("HH:mm")
                                    : QStringLiteral("yyyy-MM-dd"));
}

} // namespace

void TimelineView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), m_theme.colors().surface);
    // Each covers what the one before it leaves outside its place: an SVG knows no clipping.
    paintLanes(painter);
    paintTitles(painter);
    paintAxis(painter);
}

void TimelineView::paintLanes(QPainter &painter)
{
    const Colors &colors = m_theme.colors();
    const QRect plot = this->plot();
    const TimeScale scale = this->scale();
    const WallTime now = this->now();
    painter.save();
    painter.setClipRect(plot);
    painter.translate(plot.left(), 0);
    const int first = verticalScrollBar()->value() / LaneShape::Height;
    const int chosen = chosenRow();
    int bottom = plot.top();
    for (int row = first; row < static_cast<int>(m_lanes.size()); ++row) {
        const QRect place = laneRect(row);
        if (place.top() > plot.bottom())
            break;
        bottom = place.bottom() + 1;
        if (row == chosen)
            painter.fillRect(
                QRect(0, place.top(), plot.width(), place.height()), blend(colors.surface, colors.selection, 0.6));
    }
    // Lines of time lie under the bars.
    const double step = timeAxisStep(scale.perPixel * 110);
    const double offset = QDateTime::fromMSecsSinceEpoch(qint64(m_from)).offsetFromUtc() * 1e3;
    const double firstLine = std::ceil((m_from + offset) / step) * step - offset;
    for (int i = 0; firstLine + i * step < m_from + m_length; ++i) {
        const double x = std::round((firstLine + i * step - m_from) / scale.perPixel);
        painter.fillRect(QRectF(x, plot.top(), 1, plot.height()), colors.line);
    }
    if (const auto known = m_timeline.knownFrom()) {
        const double right = std::min<double>(scale.width, scale.pixel(*known));
        if (right > 0)
            m_painter.paintUnseen(painter, QRectF(0, plot.top(), right, bottom - plot.top()));
    }
    for (int row = first; row < static_cast<int>(m_lanes.size()); ++row) {
        const QRect place = laneRect(row);
        if (place.top() > plot.bottom())
            break;
        if (const TimelineLane *lane = laneAt(row))
            m_painter.paint(painter, *lane, scale, now, place.top(), m_lit);
        painter.fillRect(QRect(0, place.bottom(), plot.width(), 1), colors.line);
    }
    const double x = std::round(scale.pixel(now));
    if (x >= 0 && x <= scale.width)
        painter.fillRect(QRectF(x, plot.top(), 1, plot.height()), colors.accent);
    painter.restore();
}

void TimelineView::paintAxis(QPainter &painter)
{
    const Colors &colors = m_theme.colors();
    const QRect plot = this->plot();
    const TimeScale scale = this->scale();
    painter.fillRect(QRect(0, 0, viewport()->width(), AxisHeight), colors.surface);
    painter.fillRect(QRect(0, AxisHeight - 1, viewport()->width(), 1), colors.line);
    painter.fillRect(QRect(titleWidth() - 1, 0, 1, viewport()->height()), colors.line);
    QFont font = m_theme.uiFont();
    font.setPixelSize(11);
    painter.setFont(font);
    painter.setPen(colors.muted);
    const QFontMetricsF metrics(font);
    const double step = timeAxisStep(scale.perPixel * 110);
    const double offset = QDateTime::fromMSecsSinceEpoch(qint64(m_from)).offsetFromUtc() * 1e3;
    const double first = std::ceil((m_from + offset) / step) * step - offset;
    for (int i = 0; first + i * step < m_from + m_length; ++i) {
        const double at = first + i * step;
        const QString text = axisText(at, step);
        const double width = metrics.horizontalAdvance(text);
        const double left = plot.left() + (at - m_from) / scale.perPixel - width / 2;
        if (left >= plot.left() - width / 3 && left + width <= plot.right())
            painter.drawText(QPointF(left, AxisHeight - 9), text);
    }
}

void TimelineView::paintTitles(QPainter &painter)
{
    const Colors &colors = m_theme.colors();
    const int width = titleWidth();
    painter.save();
    painter.setClipRect(0, AxisHeight, width, viewport()->height() - AxisHeight);
    painter.fillRect(QRect(0, 0, width, viewport()->height()), colors.surface);
    const int chosen = chosenRow();
    for (int row = verticalScrollBar()->value() / LaneShape::Height; row < static_cast<int>(m_lanes.size()); ++row) {
        const QRect place(0, laneRect(row).top(), width, LaneShape::Height);
        if (place.top() > viewport()->height())
            break;
        if (row == chosen)
            painter.fillRect(place, colors.selection);
        if (row == chosen && hasFocus())
            painter.fillRect(QRect(0, place.top(), 3, place.height()), colors.accent);
        painter.fillRect(QRect(0, place.bottom(), width, 1), colors.line);
        if (const TimelineLane *lane = laneAt(row))
            paintTitle(painter, *lane, place);
    }
    painter.restore();
}

/// The name, and what is known only as a number below it.
void TimelineView::paintTitle(QPainter &painter, const TimelineLane &lane, const QRect &place)
{
    const Colors &colors = m_theme.colors();
    const bool isPinned = m_pinned.contains(lane.lock);
    const double room = place.width() - TitleMargin - 8 - (isPinned ? 14 : 0);
    painter.setFont(m_theme.monoFont());
    painter.setPen(colors.text);
    painter.drawText(QPointF(TitleMargin, place.top() + 20),
        elided(lockNameText(lane.lock), QFontMetricsF(m_theme.monoFont()), room));
    QFont small = m_theme.uiFont();
    small.setPixelSize(11);
    painter.setFont(small);
    const QFontMetricsF metrics(small);
    const auto lock = m_snapshot ? m_snapshot->locks.find(lane.lock) : nullptr;
    const QString about = lock ? shortKindText(*lock) : laneKindText(lane);
    const QString waits = lock ? laneWaits(*lock, m_snapshot.get()) : tr("gone");
    double x = TitleMargin;
    if (!waits.isEmpty()) {
        painter.setPen(m_theme.ink(lock && !staleSince(*m_snapshot, *lock) ? Tone::Waiting : Tone::Muted));
        painter.drawText(QPointF(x, place.top() + 36), waits);
        x += metrics.horizontalAdvance(waits);
    }
    painter.setPen(colors.muted);
    const QString rest = waits.isEmpty() || about.isEmpty() ? about : QStringLiteral(" · ") + about;
    painter.drawText(QPointF(x, place.top() + 36), elided(rest, metrics, place.width() - x - 8));
    if (!isPinned)
        return;
    const QPointF head(place.right() - 13, place.top() + 14);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawLine(head, head + QPointF(0, 8));
    painter.setBrush(colors.accent);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(head, 3.5, 3.5);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lockui
