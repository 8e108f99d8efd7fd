// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/base/time.h"
#include "ui/support/event_choice.h"
#include "ui/support/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lockui {

/// How much happened when, in bars of a round length of time; hatched where nothing was seen. A bar of more than the
/// scale has, of locks that a look at all keys has found, is cut. A click, a drag or the
/// arrow keys choose a time.
class EventDensity : public QWidget {
    Q_OBJECT
public:
    struct Span {
        lockcore::WallTime from;
        lockcore::WallTime to;

        bool operator==(const Span &) const = default;
    };

    EventDensity(const Theme &theme, const EventTally &tally, QWidget *parent = nullptr);

    /// From the oldest to the newest moment, and in which of that nothing was seen. Before `counted` nothing is counted
    /// yet.
    void show(Span whole, std::vector<Span> unseen, lockcore::WallTime counted = lockcore::WallTime::min());
    void setSight(std::optional<Span> sight); // what the rows below show of it

    struct Bar {
        lockcore::WallTime from;
        qint64 events = 0;
        qint64 found = 0; // of these: they tell what was there already, and set no scale

        bool operator==(const Bar &) const = default;
    };
    const std::vector<Bar> &bars() const { return m_bars; } // those with events, oldest first
    QSize sizeHint() const override { return { 400, 62 }; }
    QSize minimumSizeHint() const override { return { 160, 62 }; }

Q_SIGNALS:
    void timeChosen(lockcore::WallTime moment);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void count();
    QRect plot() const;
    double xOf(lockcore::WallTime moment) const;
    lockcore::WallTime timeAt(double x) const;
    QString timeText(lockcore::WallTime moment) const;
    QString scaleText() const;
    void paintBars(QPainter &painter) const;
    void paintCut(QPainter &painter, const QRectF &bar) const;
    void paintUncounted(QPainter &painter) const;
    void paintUnseen(QPainter &painter) const;
    QString tipAt(lockcore::WallTime moment) const;
    void paintSight(QPainter &painter) const;
    void paintLabels(QPainter &painter) const;

    const Theme &m_theme;
    const EventTally &m_tally;
    Span m_whole;
    std::vector<Span> m_unseen;
    lockcore::WallTime m_counted = lockcore::WallTime::min();
    std::optional<Span> m_sight;
    std::chrono::seconds m_length{ 1 };
    std::vector<Bar> m_bars;
    qint64 m_highest = 0; // of what happened
};

} // namespace lockui
