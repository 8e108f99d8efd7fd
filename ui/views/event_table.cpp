// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/event_table.h"

#include "ui/models/roles.h"

#include <QKeyEvent>
#include <QPainter>

namespace lockui {

namespace {

constexpr int SignRoom = 16;

/// Draws the sign of what opens.
class EventDelegate : public TextDelegate {
public:
    using TextDelegate::TextDelegate;

    /// With the sign and the indent, which leave less room to the text: else a tip would not tell what is cut off.
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QSize text = TextDelegate::sizeHint(option, index);
        return index.column() == EventModel::What ? text + QSize(indentOf(index), 0) : text;
    }

protected:
    void paintContent(QPainter &painter, const QRect &cell, const QModelIndex &index) const override
    {
        if (index.column() != EventModel::What)
            return TextDelegate::paintContent(painter, cell, index);
        const QVariant fold = index.data(FoldRole);
        if (fold.isValid() && !isPartOfFold(index))
            paintSign(painter, QPointF(cell.left() + 4, cell.center().y() + 0.5), fold.toInt() == int(Fold::Open));
        TextDelegate::paintContent(painter, cell.adjusted(indentOf(index), 0, 0, 0), index);
    }

private:
    static bool isPartOfFold(const QModelIndex &index)
    {
        const QVariant fold = index.data(FoldRole);
        return fold.isValid() && fold.toInt() == int(Fold::Part);
    }
    static int indentOf(const QModelIndex &index) { return isPartOfFold(index) ? 2 * SignRoom : SignRoom; }

    void paintSign(QPainter &painter, const QPointF &center, bool open) const
    {
        const QPolygonF right({ { -2.5, -4 }, { 3, 0 }, { -2.5, 4 } });
        const QPolygonF down({ { -4, -2.5 }, { 4, -2.5 }, { 0, 3 } });
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(rowStyle().theme.colors().muted);
        painter.drawPolygon((open ? down : right).translated(center));
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
};

} // namespace

EventTable::EventTable(const RowStyle &style, const ViewClock &clock, EventModel &events, QWidget *parent)
    : DataTable(style, clock, parent)
    , m_events(events)
{
    setModel(&events);
    setItemDelegate(new EventDelegate(style, this));
}

/// What was not seen is hatched.
void EventTable::paintRowGround(QPainter &painter, const QRect &place, const QModelIndex &first) const
{
    if (first.data(UnseenRole).toBool()) {
        painter.setBrushOrigin(0, place.top());
        painter.fillRect(
            place, hatching(blend(rowStyle().background(), rowStyle().theme.colors().muted, 0.35), *painter.device()));
    }
    DataTable::paintRowGround(painter, place, first);
}

bool EventTable::isOnSign(const QModelIndex &index, const QPoint &place) const
{
    return index.isValid() && index.column() == EventModel::What && m_events.isFold(index.row())
        && place.x() < visualRect(index).left() + SignRoom + 6;
}

void EventTable::open(const QModelIndex &index)
{
    if (!index.isValid())
        return;
    if (const auto lock = m_events.lockAt(index.row()))
        Q_EMIT lockOpened(*lock);
}

/// False: the key means nothing here.
bool EventTable::turnByKey(int key)
{
    const QModelIndexList rows = selectionModel()->selectedRows();
    if (rows.isEmpty() || (key != Qt::Key_Right && key != Qt::Key_Left))
        return false;
    const int row = rows.front().row();
    const int fold = m_events.foldOf(row);
    if (!m_events.isFold(fold))
        return false;
    if (row != fold && key == Qt::Key_Left)
        selectRow(fold);
    else if (row == fold)
        m_events.setOpen(fold, key == Qt::Key_Right);
    return true;
}

void EventTable::keyPressEvent(QKeyEvent *event)
{
    if (turnByKey(event->key()))
        return;
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        const QModelIndexList rows = selectionModel()->selectedRows();
        return open(rows.isEmpty() ? QModelIndex() : rows.front());
    }
    DataTable::keyPressEvent(event);
}

void EventTable::mousePressEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    const QModelIndex index = indexAt(place);
    if (event->button() == Qt::LeftButton && isOnSign(index, place))
        m_events.setOpen(index.row(), !m_events.isOpen(index.row()));
    else
        DataTable::mousePressEvent(event);
}

void EventTable::mouseDoubleClickEvent(QMouseEvent *event)
{
    const QPoint place = event->position().toPoint();
    const QModelIndex index = indexAt(place);
    if (isOnSign(index, place))
        return mousePressEvent(event); // the second of two quick clicks
    DataTable::mouseDoubleClickEvent(event);
    if (event->button() == Qt::LeftButton)
        open(indexAt(place));
}

} // namespace lockui
