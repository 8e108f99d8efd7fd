// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/lab_plot.h"
#include "ui/lab/lanes.h"

#include <QCoreApplication>
#include <QFont>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace lockui {

class Theme;

QFont labFont(const Theme &theme); // of what is written in lanes and at the axis

/// Where something is drawn, and what is said of it.
struct LabSpot {
    QRectF place;
    QString text;
    std::optional<std::size_t> step; // that did it
};

/// Draws what clients and servers went through in a play, and notes where.
class LabLanePainter {
    Q_DECLARE_TR_FUNCTIONS(LabLanePainter)
public:
    /// All outlive the painter. Spots are added, those on top last.
    LabLanePainter(QPainter &painter, const LabPlot &plot, const lab::PlayRecord &record, const Theme &theme,
        std::vector<LabSpot> &spots)
        : m_painter(painter)
        , m_plot(plot)
        , m_record(record)
        , m_theme(theme)
        , m_spots(spots)
    {
    }

    void paintLane(const lab::ClientLane &lane, int top); // without its title
    void paintServers(const lab::Lanes &lanes, int top);
    void paintGaps(const lab::Lanes &lanes, int bottom);

private:
    double x(lockcore::MonoTime at) const { return m_plot.x(at); }
    void paintRow(const lab::ClientLane &lane, const lab::LaneRow &row, double top);
    void paintGaveUp(const lab::LaneRow &row, const QRectF &line) const;
    void paintHold(const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneHold &hold, double top);
    void paintGhost(const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneGhost &ghost, double top);
    void paintState(const lab::LaneState &state, double top, double bottom);
    void paintMark(const lab::LaneMark &mark, double top);
    void paintLabel(const QRectF &place, const QString &text, const QColor &color) const;
    void paintTag(const QPointF &left, const QString &text, const QColor &color) const;
    void note(const QRectF &place, const QStringList &lines, std::optional<std::size_t> step = {});

    QPainter &m_painter;
    const LabPlot &m_plot;
    const lab::PlayRecord &m_record;
    const Theme &m_theme;
    std::vector<LabSpot> &m_spots;
};

} // namespace lockui
