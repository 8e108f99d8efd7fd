// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lockcore/monitor/snapshot.h"
#include "ui/models/activity.h"
#include "ui/support/theme.h"

#include <QToolButton>
#include <QWidget>

#include <optional>

class QActionGroup;
class QLabel;

namespace lockui {

class ElidedLabel;
class ViewClock;

/// How changes reach us. Its menu says why in this way and what that leaves out, and lets a person choose another.
class FeedButton : public QToolButton {
    Q_OBJECT
public:
    explicit FeedButton(QWidget *parent = nullptr);

    void setStatus(
        const lockcore::monitor::SourceStatus *status); // null: not connected, and nothing is chosen any more

Q_SIGNALS:
    void feedChosen(std::optional<lockcore::monitor::Feed> feed); // none: the best possible

private:
    void addChoice(const QString &text, std::optional<lockcore::monitor::Feed> feed);

    QLabel *m_reason;
    QActionGroup *m_choices;
};

/// How far what is shown can be trusted: state, feed, figures, last sweep.
class StatusStrip : public QWidget {
    Q_OBJECT
public:
    StatusStrip(const Theme &theme, const ViewClock &clock, QWidget *parent = nullptr);

    void setSnapshot(const std::shared_ptr<const lockcore::monitor::Snapshot> &snapshot); // null: none is there yet
    void setReplays(bool replays); // a recording, from now on
    void setPaused(std::optional<lockcore::MonoTime> since); // absent: it goes on

Q_SIGNALS:
    void feedChosen(std::optional<lockcore::monitor::Feed> feed); // none: the best possible

private:
    void refresh();
    void applyTheme();
    void showMissingRights();
    void listNodes();
    std::pair<QString, Tone> stateText() const;
    QString failedText(const lockcore::monitor::SourceStatus &status) const;
    QString countsText();
    QString ratesText() const;
    bool sawAnything() const;
    QString sweepText() const;

    const Theme &m_theme;
    const ViewClock &m_clock;
    std::shared_ptr<const lockcore::monitor::Snapshot> m_snapshot;
    std::optional<lockcore::MonoTime> m_pausedSince;
    bool m_replays = false;
    LockCounter m_counter;
    QString m_counts; // of the same snapshot as all other figures of the window
    Tone m_tone = Tone::Muted;
    QLabel *m_dot;
    QLabel *m_state;
    FeedButton *m_feed;
    ElidedLabel *m_figures;
    QLabel *m_clocks; // that they differ
    QToolButton *m_nodes; // with several servers: the list of them
    QToolButton *m_rights;
};

} // namespace lockui
