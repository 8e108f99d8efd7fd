// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    void mousePressEvent(QMouseEvent *event) override;
    bool viewportEvent(QEvent *event) override; // tool tips

private:
    /// Where something is drawn, and what is said of it.
    struct Spot {
        QRectF place;
        QString text;
        std::optional<std::size_t> step;
    };

    QString description() const;
    void arrange();
    bool hasServers() const;
    int rowCount() const;
    int rowHeight() const;
    int barTop() const; // within a row
    int barHeight() const;
    int waitTop() const;
    int laneHeight(const lab::ClientLane &lane) const;
    int serversHeight() const;
    double x(lockcore::MonoTime at) const;
    double plotWidth() const;
    QString rowTitle(const lab::ClientLane &lane, const lab::LaneRow &row) const;
    void fitTitles();

    double axisStep() const; // of the times that are written, in seconds
    void paintGrid(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    void paintTitle(QPainter &painter, const lab::ClientLane &lane, int top) const;
    void paintLane(QPainter &painter, const lab::ClientLane &lane, int top);
    void paintRow(QPainter &painter, const lab::ClientLane &lane, const lab::LaneRow &row, double top);
    void paintGaveUp(QPainter &painter, const lab::LaneRow &row, const QRectF &line) const;
    void paintHold(
        QPainter &painter, const lab::ClientLane &lane, const lab::LaneRow &row, const lab::LaneHold &hold, double top);
    void paintGhost(QPainter &painter, const lab::ClientLane &lane, const lab::LaneRow &row,
        const lab::LaneGhost &ghost, double top);
    void paintState(QPainter &painter, const lab::LaneState &state, double top, double bottom);
    void paintMark(QPainter &painter, const lab::LaneMark &mark, double top);
    void paintServers(QPainter &painter, int top);
    void paintGaps(QPainter &painter, int bottom);
    void paintLabel(QPainter &painter, const QRectF &place, const QString &text, const QColor &color) const;
    void paintTag(QPainter &painter, const QPointF &left, const QString &text, const QColor &color) const;
    void note(const QRectF &place, const QStringList &lines, std::optional<std::size_t> step = {});

    const Theme &m_theme;
    const lab::PlayRecord *m_record = nullptr;
    lab::Lanes m_lanes;
    std::optional<lockcore::MonoTime> m_now; // absent: it is over
    double m_length = 1; // seconds that are shown
    bool m_showsLocks = false; // there are several
    int m_spread = 0; // by which a row is higher than it must be
    int m_titleWidth = 0;
    double m_rowTitleLeft = 0;
    std::vector<Spot> m_spots; // of the last painting, those on top last
};

} // namespace lockui
