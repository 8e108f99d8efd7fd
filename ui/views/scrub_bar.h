// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/replay/replay.h"
#include "ui/support/theme.h"

#include <QWidget>
#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace lockui {

class ScrubTrack;

/// Where in a recording we are: a line of time with its events, and the buttons of a player. Only there for a
/// recording.
class ScrubBar : public QWidget {
    Q_OBJECT
public:
    explicit ScrubBar(const Theme &theme, QWidget *parent = nullptr);

    void setReplay(const std::optional<lockcore::ReplayState> &replay); // absent: none is shown

Q_SIGNALS:
    void seekRequested(lockcore::WallTime moment);
    void playRequested(double speed);
    void pauseRequested();
    void nextEventRequested();
    void previousEventRequested();

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
