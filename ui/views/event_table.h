// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/event_model.h"
#include "ui/views/data_table.h"

namespace lockui {

/// Events as rows. Those that stand for several open into them, by a click on their sign or by the right arrow key, and
/// close by the left one.
class EventTable : public DataTable {
    Q_OBJECT
public:
    EventTable(const RowStyle &style, const ViewClock &clock, EventModel &events, QWidget *parent = nullptr);

Q_SIGNALS:
    void lockOpened(const lockcore::LockName &lock); // by a double click or the enter key

protected:
    void paintRowGround(QPainter &painter, const QRect &place, const QModelIndex &first) const override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;

private:
    bool isOnSign(const QModelIndex &index, const QPoint &place) const;
    bool turnByKey(int key);
    void open(const QModelIndex &index);

    EventModel &m_events;
};

} // namespace lockui
