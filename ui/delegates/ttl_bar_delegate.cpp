// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/ttl_bar_delegate.h"

#include "ui/models/roles.h"
#include "ui/support/lock_text.h"

#include <QPainter>
#include <QPainterPath>

namespace lockui {

void TtlBarDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    const auto state = static_cast<TtlState>(index.data(TtlStateRole).toInt());
    const QColor tone = toneColor(toneOf(state), index);
    if (state == TtlState::Free) {
        paintText(painter, cell, index, toneColor(Tone::Muted, index));
        return;
    }
    constexpr int MarkSpace = 18;
    if (state == TtlState::NoExpiry) {
        paintWarning(painter, QPoint(cell.left() + 6, cell.center().y()), tone);
        paintText(painter, cell.adjusted(MarkSpace, 0, 0, 0), index, tone);
        return;
    }
    constexpr int TextSpace = 80; // "49 m 53 s"
    const int barWidth = std::clamp(cell.width() - TextSpace, 24, 92);
    const qint64 full = std::max<qint64>(1, index.data(FullTtlRole).toLongLong());
    const qreal part = std::clamp(qreal(index.data(TtlRole).toLongLong()) / qreal(full), 0.0, 1.0);
    paintBar(painter, QRect(cell.left(), cell.center().y() - 2, barWidth, 6), part, tone);
    const QRect text = cell.adjusted(barWidth + 8, 0, 0, 0);
    const bool alarming = state == TtlState::Late || state == TtlState::Expiring;
    paintText(painter, text, index, toneColor(alarming ? Tone::Warning : Tone::Normal, index));
}

void TtlBarDelegate::paintBar(QPainter &painter, const QRect &bar, qreal part, const QColor &color) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(rowStyle().theme.colors().faint);
    painter.drawRoundedRect(bar, 3, 3);
    const qreal width = std::max(4.0, bar.width() * part);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(bar.left(), bar.top(), width, bar.height()), 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TtlBarDelegate::paintWarning(QPainter &painter, const QPoint &center, const QColor &color) const
{
    QPainterPath triangle;
    triangle.moveTo(center.x(), center.y() - 5);
    triangle.lineTo(center.x() + 6, center.y() + 5);
    triangle.lineTo(center.x() - 6, center.y() + 5);
    triangle.closeSubpath();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(triangle, color);
    painter.setPen(QPen(backgroundColor(), 1.6));
    painter.drawLine(QPointF(center.x(), center.y() - 1.5), QPointF(center.x(), center.y() + 1.5));
    painter.drawPoint(QPointF(center.x(), center.y() + 3.6));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace lockui
