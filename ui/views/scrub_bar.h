// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/replay/replay.h"
#include "ui/support/theme.h"

#include <QAbstractSlider>
#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace lockui {

/// The time of a recording as a slider, over how much happened when; hatched where nothing was seen.
class ScrubTrack : public QAbstractSlider {
    Q_OBJECT
public:
    explicit ScrubTrack(const Theme &theme, QWidget *parent = nullptr);

    void setOverview(std::shared_ptr<const lockcore::service::ReplayOverview> overview); // null: none
    void setMoment(lockcore::WallTime moment); // moved() is not emitted
    void goBack(); // to that moment, whoever has moved the handle since
    QSize sizeHint() const override { return { 400, 30 }; }
    QSize minimumSizeHint() const override { return { 120, 30 }; }

Q_SIGNALS:
    void moved(lockcore::WallTime moment); // by the person

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    int xOf(double part) const; // of the whole time
    double partOf(lockcore::WallTime moment) const;
    void paintDensity(QPainter &painter) const;
    void paintGaps(QPainter &painter) const;
    void paintHandle(QPainter &painter) const;
    void seekTo(const QPointF &place);

    const Theme &m_theme;
    std::shared_ptr<const lockcore::service::ReplayOverview> m_overview;
    lockcore::WallTime m_moment; // that is shown
    qint64 m_millisOfStep = 1; // so that the longest recording fits into the slider's range
};

/// Where in a recording we are: a line of time with its events, and the buttons of a player. Only there for a
/// recording.
class ScrubBar : public QWidget {
    Q_OBJECT
public:
    explicit ScrubBar(const Theme &theme, QWidget *parent = nullptr);

    void setReplay(const std::optional<lockcore::service::ReplayState> &replay); // absent: none is shown
    void goBack(); // the moment that was asked for cannot be shown

Q_SIGNALS:
    void seekRequested(lockcore::WallTime moment);
    void playRequested(double speed);
    void pauseRequested();
    void nextEventRequested();
    void previousEventRequested();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void togglePlaying();
    double speed() const;
    void applyTheme();

    const Theme &m_theme;
    bool m_playing = false;
    QToolButton *m_previous;
    QToolButton *m_play;
    QToolButton *m_next;
    QLabel *m_time;
    ScrubTrack *m_track;
    QLabel *m_end;
    QComboBox *m_speed;
};

} // namespace lockui
