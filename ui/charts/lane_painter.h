// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/pixel_line.h"
#include "ui/charts/time_axis.h"
#include "ui/models/timeline.h"
#include "ui/support/theme.h"

#include <QHash>
#include <QPixmap>
#include <QRectF>
#include <QStaticText>

#include <array>

class QPainter;

namespace lockui {

class ClientNames;

/// The colours of clients in one theme: told apart from each other, and from what a colour means elsewhere; what is
/// written on them can be read.
const std::vector<QColor> &clientColors(bool dark);
QColor textOnClientColors(bool dark);

/// Where things lie within a lane.
struct LaneShape {
    static constexpr int Height = 46;
    static constexpr int HoldsTop = 8;
    static constexpr int HoldsHeight = 20;
    static constexpr int WaitsTop = 30;
    static constexpr int WaitHeight = 3;
    static constexpr int WaitDistance = 4;
    static constexpr int MostHoldRows = 6; // those beyond share the last one
    static constexpr int MostWaitRows = 3;

    /// Where a hold lies that begins at that moment. It has the height to itself where it overlaps no other.
    static QRectF holdRow(const TimelineLane &lane, std::size_t row, lockcore::WallTime from, double top);
    static QRectF lastHoldRow(double top); // in which those beyond the others lie
    static QRectF waitRow(std::size_t row, double top);
};

/// Draws lanes from the left edge of the plot; the painter is moved and clipped to it.
class LanePainter {
public:
    LanePainter(const Theme &theme, const ClientNames &names, const Timeline &timeline);

    /// Whose holds stand out: of nobody if zero.
    struct Lit {
        std::uint32_t hovered = 0; // framed
        std::uint32_t picked = 0; // and the others are faint
    };

    void forgetLabels(); // other names, another theme
    void paint(QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top,
        const Lit &lit);
    /// A time of which nothing was seen, or is kept.
    void paintUnseen(QPainter &painter, const QRectF &place) const;
    QColor colorOf(std::uint32_t owner) const; // where it is in sight

private:
    struct Label {
        QStaticText text;
        double width = 0;
    };
    /// A hold that is wide enough to be drawn with its edges and its name.
    struct Bar {
        const TimelineSpan *span = nullptr;
        int left = 0;
        int right = 0;
        QColor color;
        bool isLit = false;
        QRectF line; // of its row at that time
    };

    void paintGaps(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top) const;
    void paintUncounted(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top) const;
    void paintSteps(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top) const;
    static bool isApart(const std::vector<TimelineSpan> &spans, std::size_t next, int right, const TimeScale &scale);
    void paintHolds(QPainter &painter, const TimelineLane &lane, std::size_t row, const TimeScale &scale,
        lockcore::WallTime now, double top, const Lit &lit);
    void paintHold(
        QPainter &painter, const Bar &inSight, const QRectF &place, lockcore::WallTime seenUntil, bool isUnseenSince);
    void paintDepths(QPainter &painter, const TimelineLane &lane, std::size_t row, const TimeScale &scale,
        lockcore::WallTime now, double top, const Lit &lit) const;
    void paintWaits(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top);
    void paintCountedWaits(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top);
    void breakWaitsOfUnseenBeginning(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top) const;
    void paintMarks(
        QPainter &painter, const TimelineLane &lane, const TimeScale &scale, lockcore::WallTime now, double top);
    /// What goes on in that row of holds, or waits: until now, unless it is lost from sight.
    lockcore::WallTime seenUntil(const TimelineLane &lane, std::size_t row, bool isWait, lockcore::WallTime now) const;
    QColor tint(const QColor &color) const; // grey, where it is out of sight by now
    QColor barColor(std::uint32_t owner, const Lit &lit) const;
    QColor textOn(const QColor &bar) const;
    const QPixmap &roundEnds(const QColor &color, int height, double pixelRatio);
    const QPixmap &markSign(bool isExpiry, bool isInferred, double pixelRatio);
    const Label &label(std::uint32_t owner);

    const Theme &m_theme;
    const ClientNames &m_names;
    const Timeline &m_timeline;
    QHash<std::uint32_t, Label> m_labels;
    std::uint64_t m_ownersRevision = 0;
    PixelLine m_line;
    bool m_isStale = false; // the lane that is drawn: how it goes on is not seen
    std::array<QPixmap, 8> m_signs; // of marks
    QHash<std::uint64_t, QPixmap> m_ends; // of bars, by colour and height
};

} // namespace lockui
