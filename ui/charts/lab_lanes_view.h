// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/lab_lane_painter.h"
#include "ui/lab/lanes.h"
#include "ui/support/theme.h"

#include <QAbstractScrollArea>

#include <optional>
#include <vector>

namespace lockui {

/// The lanes of a play from its beginning: for each client what it holds and waits for, what is done to it, and for how
/// long Redis names it when it is dead; below them what servers went through.
class LabLanesView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit LabLanesView(const Theme &theme, QWidget *parent = nullptr);

    /// `record`: of the play, outlives what is shown. `now`: while it goes on, for the cursor; else all of it is shown.
    void setRecord(const lab::PlayRecord &record, std::optional<lockcore::MonoTime> now);
    const lab::Lanes &lanes() const { return m_lanes; }

    int fullHeight() const; // of all lanes, close to each other: nothing has to be scrolled then
    QString textAt(const QPoint &place) const; // all that lies there, a line each; empty: nothing
    QPoint placeOf(std::size_t client, lockcore::MonoTime at) const; // in the first row of its lane

Q_SIGNALS:
    void stepChosen(std::size_t step); // by a click on what it did

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override; // tool tips

private:
    QString description() const;
    void arrange();
    bool hasServers() const;
    int rowCount() const;
    int lanesHeight() const; // as spread, without the axis
    QString rowTitle(const lab::ClientLane &lane, const lab::LaneRow &row) const;
    void fitTitles();
    double axisStep() const; // of the times that are written, in seconds
    void paintGrid(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    void paintTitle(QPainter &painter, const lab::ClientLane &lane, int top) const;

    const Theme &m_theme;
    const lab::PlayRecord *m_record = nullptr;
    lab::Lanes m_lanes;
    std::optional<lockcore::MonoTime> m_now; // absent: it is over
    LabPlot m_plot;
    bool m_showsLocks = false; // there are several
    double m_rowTitleLeft = 0;
    std::vector<LabSpot> m_spots; // of the last painting, those on top last
};

} // namespace lockui
