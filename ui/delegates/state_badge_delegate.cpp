// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/delegates/state_badge_delegate.h"

#include "ui/models/roles.h"

#include <QPainter>

namespace lockui {

void StateBadgeDelegate::paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const
{
    const QVariant badge = index.data(BadgeToneRole);
    if (!badge.isValid()) {
        paintText(painter, cell, index, toneColor(Tone::Muted, index));
        return;
    }
    const QColor color = toneColor(static_cast<Tone>(badge.toInt()), index);
    QFont font = rowStyle().theme.uiFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QString text = painter.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, cell.width() - 12);
    const qreal width = painter.fontMetrics().horizontalAdvance(text) + 12;
    const QRectF pill(cell.left() + 0.5, cell.center().y() - 8.5, width, 18);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(blend(backgroundColor(), color, 0.55), 1));
    painter.setBrush(blend(backgroundColor(), color, 0.14));
    painter.drawRoundedRect(pill, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(color);
    painter.drawText(pill, Qt::AlignCenter, text);
}

} // namespace lockui
