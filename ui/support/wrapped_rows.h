// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListWidget>
#include <QResizeEvent>

namespace lockui {

/// A list whose rows have so many lines as their width needs. QListView gives them other places only when it is higher
/// or lower: in one that is narrower than before, also by a scroll bar alone, they would lie on each other.
class WrappedRows : public QListWidget {
public:
    explicit WrappedRows(QWidget *parent = nullptr)
        : QListWidget(parent)
    {
        setResizeMode(Adjust);
        setVerticalScrollMode(ScrollPerPixel); // else the last one may stand at the top, and nothing below it
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QListWidget::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            scheduleDelayedItemsLayout();
    }
};

} // namespace lockui
