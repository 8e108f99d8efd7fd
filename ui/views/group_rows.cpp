// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/group_rows.h"

#include "ui/models/roles.h"
#include "ui/support/widgets.h"
#include "ui/views/cell_delegates.h"

#include <QPainter>
#include <QTableView>

#include <algorithm>

namespace lockui {

namespace {

constexpr int FoldSignRoom = 16;
constexpr int BetweenTexts = 10;

void paintFoldSign(QPainter &painter, const QPointF &center, bool open, const QColor &color)
{
    const QPolygonF right({ { -2.5, -4 }, { 3, 0 }, { -2.5, 4 } });
    const QPolygonF down({ { -4, -2.5 }, { 4, -2.5 }, { 0, 3 } });
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon((open ? down : right).translated(center));
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// What a group is called, and what is said of it, beginning at the left; the rest of the place is left.
class TitleLine {
public:
    TitleLine(QPainter &painter, const QRect &room)
        : m_painter(painter)
        , m_room(room)
    {
    }

    void add(const QString &text, const QFont &font, const QColor &color)
    {
        if (text.isEmpty() || m_room.width() <= 0)
            return;
        m_painter.setFont(font);
        m_painter.setPen(color);
        const QString fitting = m_painter.fontMetrics().elidedText(text, Qt::ElideMiddle, m_room.width());
        m_painter.drawText(m_room, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, fitting);
        m_room.setLeft(m_room.left() + m_painter.fontMetrics().horizontalAdvance(fitting) + BetweenTexts);
    }

private:
    QPainter &m_painter;
    QRect m_room;
};

} // namespace

void paintGroupCell(QPainter &painter, const QRect &cell, const QTableView &table, const QModelIndex &index,
    const RowStyle &style, bool isStale)
{
    const QStringList texts = index.data(GroupRole).toStringList();
    if (texts.size() != 4)
        return;
    const Colors &colors = style.theme.colors();
    const auto tone = [&](const QColor &color) { return isStale ? blend(colors.surface, colors.muted, 0.8) : color; };
    const QRect row(table.columnViewportPosition(0), cell.top(), table.viewport()->width(), cell.height());
    painter.setClipRect(cell, Qt::IntersectClip);
    painter.setLayoutDirection(Qt::LeftToRight);
    paintFoldSign(painter, QPointF(row.left() + style.padding + 4, row.center().y() + 0.5),
        index.data(FoldRole).toInt() == int(Fold::Open), colors.muted);
    QFont title = index.data(MonoRole).toBool() ? style.theme.monoFont() : style.theme.uiFont();
    title.setWeight(QFont::DemiBold);
    QFont small = style.theme.uiFont();
    small.setPixelSize(12);
    TitleLine line(painter, row.adjusted(style.padding + FoldSignRoom, 0, -style.padding, 0));
    line.add(texts[0], title, tone(colors.text));
    line.add(texts[1], style.theme.monoFont(), tone(colors.muted));
    line.add(texts[2], small, tone(colors.muted));
    line.add(texts[3].isEmpty() ? QString() : BulletList::warning(texts[3]), small, tone(colors.warning));
}

bool isOnFoldSign(const QTableView &table, const QPoint &place)
{
    const QModelIndex index = table.indexAt(place);
    return index.isValid() && index.data(FoldRole).isValid()
        && place.x() < table.columnViewportPosition(0) + FoldSignRoom + 10;
}

} // namespace lockui
