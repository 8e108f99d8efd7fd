// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/events.h"

#include <QHash>
#include <QObject>

#include <deque>

class QModelIndex;
class QTableView;

namespace lockui {

class ViewClock;

/// Rows of a table of locks that have just changed: their background glows once, and fades within a second and a half.
/// It fades with the ticks that the countdowns have anyway, so it needs no timer; what cannot be seen does not glow,
/// nor does what is not of now, nor anything where the style has no animations.
class RowGlow : public QObject {
    Q_OBJECT
public:
    static constexpr int Ticks = 12;

    RowGlow(QTableView &table, const ViewClock &clock);

    /// What has happened to locks just now. Their rows are painted with what has changed in them, at the latest with
    /// the next tick.
    void heard(const std::vector<lockcore::monitor::Event> &events);
    void restart(); // another moment is shown: what is told until the next tick led there
    double strengthOf(const QModelIndex &index) const; // 1 at first; 0: it does not glow

private:
    bool mayGlow() const;
    void fade();
    void repaintLit() const;

    struct Lit {
        lockcore::LockName lock;
        int since;
    };

    QTableView &m_table;
    const ViewClock &m_clock;
    int m_tick = 0;
    bool m_restarts = false;
    QHash<QByteArray, int> m_since; // the tick of their newest change, by the names of locks
    std::deque<Lit> m_order; // the oldest first; of a lock that changed again the older ones mean nothing
};

} // namespace lockui
