// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "lockcore/service/replay/recorder.h"
#include "ui/dialogs/connection_store.h"
#include "ui/support/theme.h"

#include <QWidget>
#include <optional>

class QAction;
class QKeySequence;
class QLabel;
class QMenu;
class QToolButton;

namespace lockui {

class FilterField;

/// Product, connection, environment, filter, pause, help.
class TopBar : public QWidget {
    Q_OBJECT
public:
    TopBar(Theme &theme, const ConnectionStore &store, QWidget *parent = nullptr);

    void setConnection(const std::optional<ConnectionProfile> &profile);
    void setPhase(std::optional<lockcore::monitor::SourcePhase> phase); // absent: not connected
    void setReached(bool isReached); // since it was connected to
    void setWritable(bool writable);
    void setPaused(bool paused);
    void setRecording(const std::optional<lockcore::service::RecordingState> &recording); // absent: nothing is recorded
    void setAttention(int locks, bool andMore); // that something looks wrong with; zero: none
    void setReplay(const QString &file); // instead of a connection; empty: none
    FilterField &filter() { return *m_filter; }

Q_SIGNALS:
    void connectRequested();
    void profileChosen(const lockui::ConnectionProfile &profile);
    void disconnectRequested();
    void sweepRequested();
    void writableToggleRequested();
    void pauseToggled(bool paused);
    void handRequested();
    void helpRequested();
    void paletteRequested();
    void recordToggleRequested();
    void recordingOpenRequested();
    void attentionRequested(); // for the next of these locks

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void pressByKey(QToolButton &button, const QString &whyNotInRecording);
    QAction *addKey(const QString &text, const QKeySequence &key, void (TopBar::*signal)());
    void fillMenu();
    void fit();
    QString whyNotWritable() const;
    void updateEnvironment();
    void applyTheme();

    Theme &m_theme;
    const ConnectionStore &m_store;
    std::optional<ConnectionProfile> m_profile;
    std::optional<lockcore::monitor::SourcePhase> m_phase;
    bool m_isReached = false;
    bool m_writable = false;
    bool m_recording = false;
    int m_attention = 0;
    bool m_attentionIsMore = false; // than that
    QString m_replayed;
    QString m_title; // of the connection or the recording
    QMenu *m_menu;
    QAction *m_connect;
    QAction *m_openRecording;
    QAction *m_sweep;
    QAction *m_palette;
    QLabel *m_product;
    QToolButton *m_connection;
    QToolButton *m_environment;
    QToolButton *m_needAttention;
    FilterField *m_filter;
    QToolButton *m_byHand;
    QToolButton *m_pause;
    QToolButton *m_record;
    QToolButton *m_help;
};

} // namespace lockui
