// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemDelegate>
#include <QAbstractItemView>
#include <QCoreApplication>
#include <QImage>
#include <QListWidget>
#include <QPaintEvent>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QWidget>
#include <utility>

namespace lockui::test {

/// A cell of a view with so much room.
inline QImage paintedCell(const QAbstractItemView &view, const QModelIndex &cell, int width)
{
    QImage image(width, 25, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = image.rect();
    view.itemDelegateForIndex(cell)->paint(&painter, option, cell);
    return image;
}

/// Each row begins where the one above it ends.
inline bool areRowsApart(const QListWidget &list)
{
    for (int row = 1; row < list.count(); ++row)
        if (list.visualItemRect(list.item(row)).top() != list.visualItemRect(list.item(row - 1)).bottom() + 1)
            return false;
    return true;
}

/// What is painted of a widget, from when it has been painted whole.
class Painted : public QObject {
public:
    explicit Painted(QWidget &widget)
        : m_widget(widget)
    {
        settle();
        widget.installEventFilter(this);
    }

    /// Since the last call.
    QRegion take()
    {
        settle();
        return std::exchange(m_region, {});
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            m_region += static_cast<QPaintEvent *>(event)->region();
        return QObject::eventFilter(watched, event);
    }

private:
    void settle() const
    {
        for (int turn = 0; turn < 3; ++turn) { // charts lay themselves out first
            QCoreApplication::processEvents();
            QCoreApplication::sendPostedEvents(m_widget.window(), QEvent::UpdateRequest);
        }
    }

    QWidget &m_widget;
    QRegion m_region;
};

} // namespace lockui::test
