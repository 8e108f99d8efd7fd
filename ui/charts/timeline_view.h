// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/lane_painter.h"

#include <QAbstractScrollArea>
#include <QDeadlineTimer>
#include <QElapsedTimer>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

class QMenu;

namespace lockui {

class ElidedLabel;
class ViewClock;

/// Lanes of locks over time. The wheel zooms at the pointer, dragging pans, a double click zooms to a hold, Esc ends
/// what a click has lit, or steps back; the arrow keys choose a lane and pan, + and - zoom, Home shows all, F follows,
/// P pins.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    struct Range {
        lockcore::WallTime from;
        lockcore::WallTime to;
    };

    /// What a menu is about.
    struct Pointed {
        std::optional<lockcore::LockName> lock; // absent: no lane
        std::optional<lockcore::OwnerId> owner; // of the one hold that lies there
    };

    TimelineView(const Theme &theme, const ViewClock &clock, const ClientNames &names, const Timeline &timeline,
        QWidget *parent = nullptr);

    void setLanes(std::vector<Timeline::LaneId> lanes, std::set<lockcore::LockName> pinned); // from the top
    const std::vector<Timeline::LaneId> &lanes() const { return m_lanes; }
    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot); // null: there is none
    void choose(const std::optional<lockcore::LockName> &lock); // and shows it, if it is among the lanes
    const std::optional<lockcore::LockName> &chosen() const { return m_chosen; }
    void setNote(const QString &text, const QString &explanation); // of the lanes, above their names
    void setFollowing(bool follows); // the newest moment stays in sight
    bool isFollowing() const { return m_follows; }
    Range range() const;
    std::optional<lockcore::OwnerId> litOwner() const; // whose holds a click has lit; absent: nobody's
    void endLighting();
    void restart(); // another server, or another moment of a recording
    void refresh(); // something new may be in sight
    /// A person has moved the pointer on the lanes not long ago, or a menu of one is open: each is to stay where it is.
    bool isAimedAt() const { return !m_aims.hasExpired() || m_isMenuOpen; }

    // Where something is, in the viewport.
    QRect laneRect(int row) const;
    std::vector<lockcore::LockName> locksInSight() const; // of the lanes of which anything is in sight
    int xOf(lockcore::WallTime at) const;
    QString textAt(const QPoint &place) const; // what is there, and how sure that is; empty: nothing

Q_SIGNALS:
    void rangeChanged();
    void litChanged();
    void followingChanged(bool follows);
    void lockChosen(const lockcore::LockName &lock);
    void lockOpened(const lockcore::LockName &lock);
    void pinToggled(const lockcore::LockName &lock);
    void menuOffered(QMenu &menu, const lockui::TimelineView::Pointed &pointed); // may be added to

protected:
    void paintEvent(QPaintEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    static constexpr int AxisHeight = 26;
    static constexpr int TitleMargin = 14; // at the left of what is said of lanes

    struct Shown {
        double from = 0; // milliseconds since 1970
        double length = 0;
        bool follows = false;
    };
    /// What lies under the pointer in a lane; of several in one pixel the first and the last.
    struct Hit {
        const TimelineLane *lane = nullptr;
        const TimelineSpan *first = nullptr;
        const TimelineSpan *last = nullptr;
        std::size_t count = 0;
        bool isWait = false;
        std::optional<lockcore::WallTime> unseenSince{}; // of what goes on there

        lockcore::WallTime seenTo(lockcore::WallTime now) const
        {
            return std::min({ last->to, now, unseenSince.value_or(now) });
        }
    };

    QRect plot() const;
    TimeScale scale() const;
    lockcore::WallTime now() const;
    int titleWidth() const;
    int rowAt(const QPoint &place) const; // -1: none
    const TimelineLane *laneAt(int row) const; // null: there is none
    Hit hitAt(const QPoint &place) const;
    std::uint32_t ownerAt(const QPoint &place) const; // zero: nobody, or several
    QStringList linesAt(const TimelineLane &lane, const QPoint &place) const;

    void showPart(Shown shown);
    void remember(bool isSameGesture = false); // for Esc
    void stepBack();
    void zoom(double factor, double around); // milliseconds since 1970
    void zoomByKey(double factor);
    void zoomTo(lockcore::WallTime from, lockcore::WallTime to);
    void pan(double parts); // of the width
    void showAll();
    void keepNowInSight();
    void chooseRow(int row);
    void chooseByPerson(const lockcore::LockName &lock);
    int chosenRow() const; // -1: it is in no lane
    void scrollToRow(int row);
    void keepChosenInSight(); // while lanes come and go, until a person scrolls
    void updateScrollBar();
    void setHovered(std::uint32_t owner);
    void light(std::uint32_t owner); // zero: nobody
    void describe();

    void paintLanes(QPainter &painter);
    void paintAxis(QPainter &painter);
    void paintTitles(QPainter &painter);
    void paintTitle(QPainter &painter, const TimelineLane &lane, const QRect &place);

    const Theme &m_theme;
    const ViewClock &m_clock;
    const ClientNames &m_names;
    const Timeline &m_timeline;
    LanePainter m_painter;
    ElidedLabel *m_note;
    std::vector<Timeline::LaneId> m_lanes;
    std::set<lockcore::LockName> m_pinned;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    std::optional<lockcore::LockName> m_chosen;
    bool m_scrolledAway = false; // by a person, since it was chosen
    LanePainter::Lit m_lit;
    std::uint32_t m_litBefore = 0; // the last click
    std::uint64_t m_ownersRevision = 0; // of `m_lit`

    double m_from = 0;
    double m_length;
    bool m_isUsualLength = true; // as much as is known, until a person has another range
    bool m_follows = true;
    std::vector<Shown> m_before; // for Esc, the last one at the end
    QElapsedTimer m_sinceGesture;
    QPoint m_pressedAt;
    QPoint m_draggedTo;
    bool m_isPressed = false;
    bool m_isDragged = false;
    QDeadlineTimer m_aims{ 0 }; // begins with each move of the pointer there
    bool m_isMenuOpen = false;
};

} // namespace lockui
