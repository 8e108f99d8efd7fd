// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"
#include "ui/support/theme.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lockui {

/// What servers went through, as marks on an axis of times that stands above it: restarts, failovers and emptied
/// databases as diamonds, slow commands and pauses as bars. By keys one goes from mark to mark.
class ServerStrip : public QWidget {
    Q_OBJECT
public:
    explicit ServerStrip(const Theme &theme, QWidget *parent = nullptr);

    void setRange(lockcore::WallTime from, lockcore::WallTime to); // of the axis: all of the width
    void setEvents(std::vector<lockcore::monitor::Event> events); // oldest first
    const std::vector<lockcore::monitor::Event> &events() const { return m_events; }

    /// `14:02:11`, `about 14:02:11`
    static QString timeText(const lockcore::monitor::Event &event);
    /// In a few words: `slow command 310 ms (KEYS *)`.
    static QString shortText(const lockcore::monitor::Event &event);
    /// When, what, where, how long: a line for each.
    QString textAt(double position) const;
    std::optional<lockcore::monitor::Event> chosen() const; // by keys; absent: none
    QPointF placeOf(const lockcore::monitor::Event &event) const;

Q_SIGNALS:
    void chosenChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override; // tool tips
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    double x(lockcore::WallTime at) const;
    double lengthOf(const lockcore::monitor::Event &event) const; // in pixels
    void choose(std::ptrdiff_t index);
    void describe();

    const Theme &m_theme;
    lockcore::WallTime m_from;
    lockcore::WallTime m_to;
    std::vector<lockcore::monitor::Event> m_events;
    std::ptrdiff_t m_chosen = -1;
};

} // namespace lockui
