// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPaintEvent>
#include <QWidget>
#include <utility>

namespace lockui::test {

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
