// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/service/replay/recorder.h"
#include "lockcore/service/replay/replay.h"

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace lockui {

class NoticeDialog;
class ScrubBar;
class TopBar;

/// What a window does with recordings: makes them, and moves about in the one that it shows.
class Recordings : public QObject {
    Q_OBJECT
public:
    Recordings(lockcore::service::Recorder &recorder, lockcore::service::Replay &replay, TopBar &bar,
        ScrubBar &scrubBar, QWidget &window);

    void toggleRecording();
    void askForFile(); // of a recording to open
    void setWatched(const QString &connection) { m_watched = connection; } // empty: nothing is watched

Q_SIGNALS:
    void fileChosen(const QString &file);

private:
    void connectScrubBar(ScrubBar &bar);
    void tellWhereItIs(); // that has just ended
    void check(const QString &file, QWidget &over);
    void show(const QString &file);
    void warn(const std::vector<lockcore::Error> &about);
    void complain(const QString &what, const QString &details);

    lockcore::service::Recorder &m_recorder;
    lockcore::service::Replay &m_replay;
    QWidget &m_window;
    QString m_watched;
    bool m_byHand = false; // the end of it was asked for
    QString m_file; // that is being recorded to, or was until a moment ago
    QPointer<NoticeDialog> m_whereItIs; // the one that has ended; null: that is not told
    QPointer<NoticeDialog> m_complaint; // null: none is open
    QPointer<QWidget> m_over; // where the file that is looked at was chosen
};

} // namespace lockui
